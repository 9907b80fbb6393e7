// The record of a match as measurements read it. Includes look-ups of seats by player name, and of answers by
// statement.
import { draftAction, speechActions } from '../../state/event-descriptions.ts';
import type { GameEvent } from '../../state/events.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import { getShownSide } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';

/** All input of a measurement. */
export interface MatchRecord {
  manifest: Manifest;
  /** Events in the order in which they happened. */
  events: readonly GameEvent[];
  /** Answers in any order. */
  answers: readonly AnswerLine[];
}

export interface Seat {
  name: string;
  role: string;
  /** Side with which the player wins. */
  team: Team;
  /** Side on which checks, announcements and counts show the player. */
  side: Team;
  /** Name of the model; its identity if it has no name. */
  model: string;
  /** Whether a bot, and not a language model, plays the seat. */
  isBot: boolean;
}

/** Lists all players in seat order. */
export const listSeats = ({ setup }: Pick<Manifest, 'setup'>): Seat[] =>
  setup.players.map(({ name, role, team }) => ({
    name,
    role,
    team,
    side: getShownSide(role),
    model: getModelLabel(setup.models[name] ?? ''),
    isBot: setup.bots.includes(name),
  }));

/**
 * Creates a function that finds a player's seat by name. It throws a UsageError for an unknown player.
 *
 * @example
 * const findSeat = createSeatFinder(record.manifest);
 * findSeat('Dan').team; // 'villagers'
 */
export function createSeatFinder(manifest: Manifest): (name: string) => Seat {
  const seats = new Map(listSeats(manifest).map((seat) => [seat.name, seat]));
  return (name) => {
    const seat = seats.get(name);
    if (!seat)
      throw new UsageError(
        `No player "${name}" in match "${manifest.id}". At the table: ${[...seats.keys()].join(', ')}.`,
      );
    return seat;
  };
}

/**
 * Finds the answer in which a player made or analyzed a statement; of several attempts, the last. Null if the record
 * has no such answer, e.g. because the match was imported.
 */
export type FindAnswerLine = (statement: string, player: string, actions: readonly string[]) => AnswerLine | null;

/** Actions whose answer is a public statement. */
export const statementActions: readonly string[] = [...Object.values(speechActions), draftAction];
/**
 * Actions that analyze a statement, by the statement's kind. `self` is asked of the speaker, `peer` of the listeners.
 */
export const analysisActions = {
  debate: { self: ['self_analysis'], peer: ['peer_analysis'] },
  ballot: { self: ['ballot_self_analysis'], peer: ['ballot_peer_analysis'] },
} as const;

/**
 * Creates a function that finds the answer for a statement. A turn's id is one more than the step of its answer:
 * statement `2.3` is made at step 2 of round 2 and analyzed at step 3. A ballot's id has no step. For a ballot, the
 * function returns the player's answer at the first step of the round that asks for the action; for a ballot after a
 * tie, at the last such step.
 */
export function createAnswerFinder(answers: readonly AnswerLine[]): FindAnswerLine {
  const asked = Map.groupBy(answers, ({ round, player, action }) => getAnswerKey(round, player, action));
  return (statement, player, actions) => {
    const [round, ...rest] = statement.split('.');
    const turn = Number(rest[0]);
    const lines = actions.flatMap((action) => asked.get(getAnswerKey(Number(round), player, action)) ?? []);
    const steps = [...new Set(lines.map(({ step }) => step))].sort((one, other) => one - other);
    const isSpeech = actions.some((action) => statementActions.includes(action));
    const step = Number.isInteger(turn) ? (isSpeech ? turn - 1 : turn) : rest[0] === 'pk' ? steps.at(-1) : steps[0];
    const ofIt = lines.filter((line) => line.step === step);
    return ofIt.toSorted((one, other) => one.attempt - other.attempt).at(-1) ?? null;
  };
}

const getAnswerKey = (round: number, player: string, action: string) => `${round} ${action} ${player}`;
