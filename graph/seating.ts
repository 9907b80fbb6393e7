// Chooses the model of each seat: the model named for the seat, or else for its role, its team, or all seats.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createCustomModel, type CustomModel, isChatModel } from '../models/custom-model.ts';
import { drawSeats, type SeatDraw } from '../deception/design/drawn-seats.ts';
import { openModel, readModelSpec } from '../models/providers/index.ts';
import type { Environment, PlayerModel, SeatModels } from '../models/model.ts';
import type { Setup } from '../state/game.ts';
import { getRole } from '../state/roles/index.ts';
import type { Team } from '../state/teams.ts';
import { nameStructured } from '../state/model-identity.ts';
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import { mapToDealtNames } from '../state/variants.ts';
import { checkRecordedAddresses } from './recorded-addresses.ts';

/**
 * A model string, e.g. `openai:gpt-4o?temperature=0.5`, or any LangChain chat model, alone or with its price and other
 * properties.
 */
type ModelChoice = string | BaseChatModel | CustomModel;

/** Choices for one seat. */
export interface SeatChoice {
  model?: ModelChoice | undefined;
  /** A personality in words, which only the player's own prompts contain. */
  persona?: string | undefined;
}

/** Models of a match, and optionally names and personas. */
export interface Seating extends Partial<Record<Team, ModelChoice | undefined>> {
  /** Model of all seats. Default: `bot:classic`. */
  model?: ModelChoice | undefined;
  /** Models by role. */
  roles?: Readonly<Record<string, ModelChoice>> | undefined;
  /** Models by player, with or without a persona. The deal uses the names of the players given here. */
  seats?: Readonly<Record<string, ModelChoice | SeatChoice>> | undefined;
}

export const defaultModel = 'bot:classic';

/** Returns the choices for a seat. Throws a UsageError for an unknown name. */
function getSeatChoice(seat: ModelChoice | SeatChoice | undefined): SeatChoice {
  if (seat === undefined || typeof seat === 'string' || isChatModel(seat) || 'chat' in seat) return { model: seat };
  checkOptionNames('A seat', seat, { model: true, persona: true });
  return seat;
}

/** Checks every model string and role. Throws a UsageError that names the value and the known values. */
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

/**
 * Draws the seats of one deal: the models of all seats, with their personas, change places at random. `players`: names
 * of the deal. Throws a UsageError for models that are given by role or side, because roles follow from seats.
 *
 * @example drawSeating({ seats: { Dan: 'human:alice' } }, ['Dan', 'Leah'], { seed: 7, people: ['human:alice'] })
 */
export function drawSeating(
  { model = defaultModel, roles = {}, seats = {}, villagers, werewolves }: Seating,
  players: readonly string[],
  chance: SeatDraw,
): Pick<Required<Seating>, 'seats'> {
  if (villagers !== undefined || werewolves !== undefined || Object.keys(roles).length > 0)
    throw new UsageError(
      'Seats are drawn for every deal if people play several matches, so no model can be given by side or role (--villagers, --werewolves, --role). Give --model and --seat.',
    );
  const choices = players.map((name) => {
    const { model: own = model, persona } = getSeatChoice(seats[name]);
    return { model: own, persona };
  });
  return { seats: drawSeats(players, choices, chance) };
}

/** Returns the personas by player, for players who have one. */
export const listPersonas = ({ seats = {} }: Seating): Record<string, string> =>
  Object.fromEntries(
    Object.entries(seats).flatMap(([name, seat]) => {
      const { persona } = getSeatChoice(seat);
      return persona === undefined ? [] : [[name, persona]];
    }),
  );

/**
 * Opens the models of all seats, every model once. Makes no call. Throws a UsageError, e.g. for a missing key.
 * `recordedAddresses`: see `checkRecordedAddresses`.
 *
 * @example const seats = await seatPlayers({ model: 'bot:classic', roles: { Seer: 'bot:random' } }, setup, process.env);
 */
export async function seatPlayers(
  seating: Seating,
  setup: Setup,
  env: Environment,
  recordedAddresses: Readonly<Record<string, string>> = {},
): Promise<Record<string, SeatModels>> {
  const { players, rules, replicate } = setup;
  const dealtNames = mapToDealtNames(setup); // seats are named as in the deal
  const opened = new Map<string, Promise<PlayerModel>>();
  const open = (choice: ModelChoice, temperature: number | null): Promise<PlayerModel> => {
    if (typeof choice !== 'string') return Promise.resolve(createCustomModel(choice));
    const key = JSON.stringify([choice, temperature]);
    const model = opened.get(key) ?? openModel(choice, { temperature, env, replicate });
    opened.set(key, model);
    return model;
  };
  const chosen = players.map(({ name, role, team }) => ({
    ...{ name, team, dealtName: dealtNames.get(name)! },
    model:
      getSeatChoice(seating.seats?.[dealtNames.get(name)!]).model ??
      seating.roles?.[role] ??
      seating[team] ??
      seating.model ??
      defaultModel,
  }));
  const strings = chosen.flatMap(({ dealtName, team, model }) =>
    typeof model === 'string' ? [{ name: dealtName, team, model }] : [],
  );
  checkRecordedAddresses(strings, recordedAddresses, env);
  const openNamed = async (...asked: Parameters<typeof open>) => nameFamily(await open(...asked));
  const seats = chosen.map(async ({ name, model }): Promise<[string, SeatModels]> => [
    name,
    { choice: await openNamed(model, rules.choiceTemperature), talk: await openNamed(model, rules.talkTemperature) },
  ]);
  return Object.fromEntries(await Promise.all(seats));
}

/**
 * Adds the family form of structured output to the identity of a player's model that uses this form, even if no option
 * named it. Earlier versions used another form, so the identities must differ. A judge's identity is not changed,
 * because a judge's questions have no family.
 */
const nameFamily = (model: PlayerModel): PlayerModel =>
  model.structured === 'family' && !model.isBot
    ? {
        ...model,
        spec: nameStructured(model.spec, 'family'),
        ...(model.text === undefined ? {} : { text: nameStructured(model.text, 'family') }),
      }
    : model;
