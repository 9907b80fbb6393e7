// Views: everything that one player may know of a match. They are the only way from a Game to a prompt.
import { type GameEvent, isEventOfType, isVisibleTo } from './events.ts';
import type { RememberedEntry } from './experience-setup.ts';
import type { Game, Score, Setup } from './game.ts';
import type { Rules } from './rules/common-rules.ts';
import { UsageError } from './usage-error.ts';
import type { Variant } from './variants.ts';

/** An event as a player sees it: without its audience, and without the mark of a replaced answer. */
export type SeenEvent = GameEvent extends infer E
  ? E extends GameEvent
    ? Omit<E, 'audience' | 'mark'>
    : never
  : never;

declare const fromGame: unique symbol;

export interface View {
  /** Brand that only `createView` sets, so that a Game cannot be passed as a View. */
  readonly [fromGame]: true;
  readonly me: string;
  readonly role: string;
  readonly persona: string | undefined;
  readonly board: Setup['board'];
  readonly rules: Rules;
  /** All players, in seat order. */
  readonly players: readonly string[];
  /** Players who are people, in seat order; null unless the rules disclose them. */
  readonly people: readonly string[] | null;
  /** Living players, in seat order. */
  readonly alive: readonly string[];
  readonly round: number;
  readonly phase: Game['phase'];
  readonly step: number;
  /** Events in the order in which they happened. */
  readonly events: readonly SeenEvent[];
  /** Own suspicion of each other player, by name, 0…1; null if the rules hide it. */
  readonly scores: Readonly<Record<string, Score>> | null;
  /** Variant of the wording; null for the usual one. */
  readonly variant: Variant | null;
  /** Entries of earlier matches that the player remembers for the decision that is asked; empty if there are none. */
  readonly remembered: readonly RememberedEntry[];
}

/** Public information before the first night. */
export type PublicSetup = Pick<View, 'board' | 'rules' | 'players'>;

/**
 * Returns everything that the player `me` may know of a match. Throws a UsageError if no player has this name.
 *
 * @example createView(game, 'Ginger').events // without what others know alone
 */
export function createView(game: Game, me: string): View {
  const { board, rules, players, people = null, variant = null } = game.setup;
  const seat = players.find(({ name }) => name === me);
  if (!seat) throw new UsageError(`No player "${me}". At the table: ${players.map(({ name }) => name).join(', ')}.`);
  const known: Omit<View, typeof fromGame> = {
    me,
    role: seat.role,
    persona: seat.persona,
    board,
    rules,
    players: players.map(({ name }) => name),
    people,
    alive: game.alivePlayers,
    round: game.roundNum,
    phase: game.phase,
    step: game.step,
    events: selectSeenEvents(game.gameLogs, me),
    scores: rules.scores === 'hidden' ? null : (game.deceptionScores[me] ?? {}),
    variant,
    remembered: [],
  };
  return known as View;
}

/** Returns what a player sees of events, in their order. */
export const selectSeenEvents = (events: readonly GameEvent[], me: string): SeenEvent[] =>
  events.filter((event) => isVisibleTo(event, me)).map(createSeenEvent);

/** The knowledge of an onlooker without a seat: no role, and no private events. */
export type PublicView = View & { readonly role: '' };

/** Returns the View of an onlooker called `me`. The name is in lower case, so that it cannot be a player's. */
export function createPublicView(game: Game, me: Lowercase<string>): PublicView {
  const { board, rules, players } = game.setup;
  const known: Omit<PublicView, typeof fromGame> = {
    me,
    role: '',
    persona: undefined,
    board,
    rules: { ...rules, memory: 'full' }, // an onlooker writes no summaries that could replace what was said
    players: players.map(({ name }) => name),
    people: null, // a judge reads people and models alike
    alive: game.alivePlayers,
    round: game.roundNum,
    phase: game.phase,
    step: game.step,
    events: game.gameLogs.filter(({ audience }) => audience === 'everyone').map(createSeenEvent),
    scores: null,
    variant: null,
    remembered: [],
  };
  return known as PublicView;
}

/** Lists all other living players, in seat order. */
export const listLivingOthers = ({ alive, me }: Pick<View, 'alive' | 'me'>) => alive.filter((name) => name !== me);

/** Lists the members of the player's own team, the player included, in seat order; empty if the team is not told. */
export const listAllies = ({ events }: View) => events.find(isEventOfType('acquainted'))?.players ?? [];

/**
 * Cached copies of events as players see them. An event never changes, and everybody who sees it sees the same, so it
 * is copied only once.
 */
const copies = new WeakMap<GameEvent, SeenEvent>();

function createSeenEvent(event: GameEvent): SeenEvent {
  const known = copies.get(event);
  if (known) return known;
  const entries = Object.entries(event).filter(([key]) => key !== 'audience' && key !== 'mark');
  const copy = Object.fromEntries(entries) as SeenEvent; // deleting from a copy would leave a slower and larger object
  copies.set(event, copy);
  return copy;
}
