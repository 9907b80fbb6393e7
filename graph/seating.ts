// Who sits where: the model of each seat, chosen by seat, role, side or for all; the narrowest wins.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { BotModel } from '../models/bots/bot-model.ts';
import { openModel, readModelSpec } from '../models/providers/index.ts';
import type { SeatModels } from '../models/model-client.ts';
import type { Environment, PlayerModel } from '../models/model.ts';
import type { Setup } from '../state/game.ts';
import { getRole } from '../state/roles/index.ts';
import type { Team } from '../state/teams.ts';
import { UsageError } from '../state/usage-error.ts';

/** A model string, e.g. `openai:gpt-4o?temperature=0.5`, or any LangChain chat model. */
export type ModelChoice = string | BaseChatModel;

export interface SeatChoice {
  model?: ModelChoice | undefined;
  /** Who the player is besides the role, in words that stand in the player's own prompts alone. */
  persona?: string | undefined;
}

export interface Seating extends Partial<Record<Team, ModelChoice | undefined>> {
  /** For all seats; `bot:classic` by default. */
  model?: ModelChoice | undefined;
  /** Role → model. */
  roles?: Readonly<Record<string, ModelChoice>> | undefined;
  /** Name → model or more; makes sure that the name is at the table. */
  seats?: Readonly<Record<string, ModelChoice | SeatChoice>> | undefined;
}

export const defaultModel = 'bot:classic';

/** How long a chat model that was handed in may take, in milliseconds. */
const customTimeoutMs = 120_000;

const getSeatChoice = (seat: ModelChoice | SeatChoice | undefined): SeatChoice =>
  seat === undefined || typeof seat === 'string' || seat instanceof BaseChatModel ? { model: seat } : seat;

/** Checks every model string and role. Throws a UsageError that names the value and the known ones. */
export function checkSeating(
  { model, villagers, werewolves, roles = {}, seats = {} }: Seating,
  board: Setup['board'],
): void {
  for (const role of Object.keys(roles)) {
    getRole(role);
    if (!board.roles[role])
      throw new UsageError(
        `Nobody is ${role} on board "${board.name}". Its roles: ${Object.keys(board.roles).join(', ')}.`,
      );
  }
  const choices = [
    model,
    villagers,
    werewolves,
    ...Object.values(roles),
    ...Object.values(seats).map((seat) => getSeatChoice(seat).model),
  ];
  for (const choice of choices) if (typeof choice === 'string') readModelSpec(choice);
}

/** Name → persona, where there is one. */
export const listPersonas = ({ seats = {} }: Seating): Record<string, string> =>
  Object.fromEntries(
    Object.entries(seats).flatMap(([name, seat]) => {
      const { persona } = getSeatChoice(seat);
      return persona === undefined ? [] : [[name, persona]];
    }),
  );

/** The model of each seat. Makes no call; throws a UsageError, e.g. for a key that is not set. */
export async function seatPlayers(
  seating: Seating,
  { players, rules }: Setup,
  env: Environment,
): Promise<Record<string, SeatModels>> {
  const opened = new Map<string, Promise<PlayerModel>>();
  const open = (choice: ModelChoice, temperature: number | null): Promise<PlayerModel> => {
    if (typeof choice !== 'string') return Promise.resolve(wrapCustomModel(choice));
    const key = JSON.stringify([choice, temperature]);
    const model = opened.get(key) ?? openModel(choice, { temperature, env });
    opened.set(key, model);
    return model;
  };
  const seats = players.map(async ({ name, role, team }): Promise<[string, SeatModels]> => {
    const model =
      getSeatChoice(seating.seats?.[name]).model ??
      seating.roles?.[role] ??
      seating[team] ??
      seating.model ??
      defaultModel;
    return [
      name,
      { choice: await open(model, rules.choiceTemperature), talk: await open(model, rules.talkTemperature) },
    ];
  });
  return Object.fromEntries(await Promise.all(seats));
}

const wrapCustomModel = (chat: BaseChatModel): PlayerModel => ({
  spec: chat instanceof BotModel ? chat.spec : `custom:${chat._llmType()}`,
  chat,
  isBot: chat instanceof BotModel,
  price: null,
  timeoutMs: customTimeoutMs,
  secrets: [],
});
