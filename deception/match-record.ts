// The record of a match as measurements read it, and who sits where.
import type { GameEvent } from '../state/event.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import type { Team } from '../state/teams.ts';
import { UsageError } from '../state/usage-error.ts';

/** All that a measurement is computed from. */
export interface MatchRecord {
  manifest: Manifest;
  /** In the order in which they happened. */
  events: readonly GameEvent[];
  /** In any order. */
  answers: readonly AnswerLine[];
}

export interface Seat {
  name: string;
  role: string;
  team: Team;
  /** The model string. */
  model: string;
  /** Whether no language model sits there. */
  isBot: boolean;
}

/** Everybody at the table, in seat order. */
export const seatsOf = ({ setup }: Manifest): Seat[] =>
  setup.players.map(({ name, role, team }) => ({
    name,
    role,
    team,
    model: setup.models[name] ?? '',
    isBot: setup.bots.includes(name),
  }));

/** Finds a player's seat. The function throws a UsageError for a player who is not at the table. */
export function seatFinder(manifest: Manifest): (name: string) => Seat {
  const seats = new Map(seatsOf(manifest).map((seat) => [seat.name, seat]));
  return (name) => {
    const seat = seats.get(name);
    if (!seat)
      throw new UsageError(
        `No player "${name}" in match "${manifest.id}". At the table: ${[...seats.keys()].join(', ')}.`,
      );
    return seat;
  };
}
