// Built-in players that need no language model.
import { z } from 'zod';
import { NumericOption, createOptionsSchema } from '../model-options.ts';
import type { PlayerModel, Provider } from '../model.ts';
import { BotModel, type BotPolicy } from './bot-model.ts';
import { createFollowingMind } from './following.ts';
import { createScriptedMind } from './scripted/scripted-mind.ts';
import { answerRandomly } from './random.ts';

const share = NumericOption.pipe(z.number().min(0).max(1));

/**
 * Options of a bot. `lie`: share of the bot's statements as a Werewolf that are lies; `detect`: skill at judging other
 * players' statements; `memory`: share of ballots in which the bot relies on experiences of earlier matches; `p`: how
 * often `follows` votes for a player who was accused; `salt`: a whole number that makes otherwise equal bots draw
 * independently.
 */
const BotOptions = createOptionsSchema({
  lie: share.default(0.6),
  detect: share.default(0.6),
  memory: share.default(0),
  p: share.default(0.5),
  salt: NumericOption.pipe(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
});
export type BotOptions = z.infer<typeof BotOptions>;

const minds: Readonly<Record<string, (options: BotOptions) => BotPolicy>> = {
  classic: createScriptedMind,
  random: () => answerRandomly,
  follows: createFollowingMind,
};

export const bot: Provider<BotOptions> = {
  name: 'bot',
  about: {
    classic:
      'a built-in player without a language model; options lie, detect and memory, 0 to 1, and salt, a whole number, for other draws',
    random: 'chooses among the legal answers with equal chances',
    follows: 'votes for the player who was accused that day with probability p, otherwise like random',
  },
  options: BotOptions,
  models: Object.keys(minds),
  locate: () => null,
  open: (spec, options): Promise<PlayerModel> =>
    Promise.resolve({
      spec: spec.text,
      chat: new BotModel(spec.text, minds[spec.model]!(options), options.salt),
      isBot: true,
      price: { in: 0, out: 0 },
      timeoutMs: 60_000,
      secrets: [],
    }),
};
