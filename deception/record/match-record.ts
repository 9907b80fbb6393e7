// The record of a match as measurements read it, with look-ups by player (seat) and by statement. A statement leads to
// the answer in which it was made or analyzed.
import { draftAction, speechActions } from '../../state/event-descriptions.ts';
import type { GameEvent } from '../../state/events.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
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
  team: Team;
  /** Name of the model, or its identity if it has none. */
  model: string;
  /** Whether the seat has no language model. */
  isBot: boolean;
}

/** Lists all players in seat order. */
export const listSeats = ({ setup }: Pick<Manifest, 'setup'>): Seat[] =>
  setup.players.map(({ name, role, team }) => ({
    name,
    role,
    team,
    model: getModelLabel(setup.models[name] ?? ''),
    isBot: setup.bots.includes(name),
  }));

/**
 * Returns a look-up of seats by name, which throws a UsageError for an unknown player.
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
 * Finds the last attempt at the answer in which a player made or analyzed a statement. Null if the record has no such
 * answer, e.g. because the match was imported.
 */
export type FindAnswerLine = (statement: string, player: string, actions: readonly string[]) => AnswerLine | null;

/** Actions whose answer is a public statement. */
export const statementActions: readonly string[] = [...Object.values(speechActions), draftAction];
/** Actions that analyze a statement, by the statement's kind and by who is asked: the speaker or the listeners. */
export const analysisActions = {
  debate: { self: ['self_analysis'], peer: ['peer_analysis'] },
  ballot: { self: ['ballot_self_analysis'], peer: ['ballot_peer_analysis'] },
} as const;

/**
 * Creates a look-up of answers by statement. The debate's statement `2.3` is the answer at step 2 of round 2, and step
 * 3 analyzes it. For a ballot and its analyses, the answer is the player's first one to such a question in the round;
 * for a ballot after a tie, it is the last one.
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
