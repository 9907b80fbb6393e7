// Refuses a model whose context cannot hold the first round, before anything is called or written.
import { buildConversation } from '../models/context-window.ts';
import { estimateMessages } from '../models/estimate-tokens.ts';
import type { SeatModels } from '../models/model-client.ts';
import type { PlayerModel } from '../models/model.ts';
import { readModelSpec } from '../models/providers/index.ts';
import { boundFirstDay } from '../prompts/worst-case-prompt.ts';
import type { Setup } from '../state/game.ts';
import { UsageError } from '../state/usage-error.ts';

/** Throws a UsageError that names the model, what its prompts may take and need, and the cure. */
export function checkContextSize(setup: Setup, seats: Readonly<Record<string, SeatModels>>): void {
  const needs = new Map<string, ReturnType<typeof findLargestPrompt>>(); // players of a role need the same
  const limited = setup.players.flatMap((player) => {
    const { name, role, persona } = player;
    const { spec, context } = seats[name]!.talk;
    if (!context) return [];
    const key = JSON.stringify([role, persona]);
    const need = needs.get(key) ?? findLargestPrompt(setup, player);
    needs.set(key, need);
    return [{ spec, context, name, ...need }];
  });
  const first = limited.find(({ tokens, context }) => tokens > context.prompt);
  if (!first) return;
  // Of all seats of that model, so that what is advised does for each.
  const { spec, context, name, action, tokens } = findLargest(limited.filter((seat) => seat.spec === first.spec));
  const { debateOrder, debateTurns, debatePasses, maxWords } = setup.rules;
  const turns =
    debateOrder === 'bidding' ? `--rule debateTurns (${debateTurns})` : `--rule debatePasses (${debatePasses})`;
  throw new UsageError(
    `The context of ${spec}, in the seat of ${name}, cannot hold a round of these rules: ${context.prompt} of its ${context.tokens} tokens are free for a prompt, and ${action} may need ${tokens} on the first day. Give contextTokens=${computeNeededContext(spec, context, tokens)} in the model string if the server has so much, else a smaller maxTokens there (what is kept free for the answer), ${turns} or --rule maxWords (${maxWords}).`,
  );
}

/** What a player's longest prompt of the first round may take. */
const findLargestPrompt = (setup: Setup, player: Setup['players'][number]) =>
  findLargest(
    boundFirstDay(setup, player).map((prompt) => ({
      action: prompt.action,
      tokens: estimateMessages(buildConversation(prompt, 0)),
    })),
  );

const findLargest = <Need extends { tokens: number }>(needs: readonly Need[]): Need =>
  needs.reduce((one, other) => (other.tokens > one.tokens ? other : one));

/** The context that leaves so many tokens for a prompt. */
function computeNeededContext(spec: string, context: PlayerModel['context'] & object, tokens: number): number {
  const { maxTokens } = readModelSpec(spec).options; // may be more than the whole context
  return maxTokens === undefined
    ? context.tokens + Math.ceil(((tokens - context.prompt) * 4) / 3) // a quarter is for the answer
    : tokens + Number(maxTokens);
}
