// The rows of beliefs: whom a player took for a Werewolf, and whether the player could know.
import type { GameEvent } from '../../state/event.ts';
import { openTable } from '../knowledge/knowledge.ts';
import { isOn } from '../knowledge/proposition.ts';
import { seatFinder, seatsOf, type MatchRecord } from '../match-record.ts';
import type { BeliefRow } from './rows.ts';

/** One a pair of players each time that beliefs were asked for. */
export function beliefRows({ manifest, events }: MatchRecord): BeliefRow[] {
  if (!events.some(({ type }) => type === 'beliefs')) return [];
  const { board, rules } = manifest.setup;
  const seatOf = seatFinder(manifest);
  const table = openTable({ board, rules, players: seatsOf(manifest).map(({ name }) => name) });
  const rowsOf = (event: Extract<GameEvent, { type: 'beliefs' }>): BeliefRow[] => {
    const observer = seatOf(event.by);
    const known = table.of(event.by);
    known.reach(event);
    return Object.entries(event.p_werewolf).map(([about, belief]) => {
      const seat = seatOf(about);
      return {
        match_id: manifest.id,
        round: event.round,
        step: event.step,
        observer: event.by,
        observer_role: observer.role,
        observer_team: observer.team,
        observer_model: observer.model,
        observer_is_bot: observer.isBot,
        about,
        about_role: seat.role,
        about_team: seat.team,
        about_model: seat.model,
        is_same_model: seat.model === observer.model,
        is_werewolf: seat.team === 'werewolves',
        could_know: known.known(isOn(about, 'werewolves')) !== 'unknown',
        p_werewolf: belief,
      };
    });
  };
  return events.flatMap((event) => {
    if (event.type === 'beliefs') return rowsOf(event);
    table.see(event);
    return [];
  });
}
