// The rows of beliefs: whom a player took for a Werewolf, and whether the player could know.
import type { GameEvent } from '../../state/events.ts';
import { createTableKnowledge } from '../knowledge/player-knowledge.ts';
import { isOnTeam } from '../knowledge/proposition.ts';
import { createSeatFinder, listSeats, type MatchRecord } from '../match-record.ts';
import type { BeliefRow } from './row-schemas.ts';

/** One a pair of players each time that beliefs were asked for. */
export function buildBeliefRows({ manifest, events }: MatchRecord): BeliefRow[] {
  if (!events.some(({ type }) => type === 'beliefs')) return [];
  const { board, rules } = manifest.setup;
  const seatOf = createSeatFinder(manifest);
  const table = createTableKnowledge({ board, rules, players: listSeats(manifest).map(({ name }) => name) });
  const buildObserverRows = (event: Extract<GameEvent, { type: 'beliefs' }>): BeliefRow[] => {
    const observer = seatOf(event.by);
    const known = table.of(event.by);
    known.advanceTo(event);
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
        could_know: known.evaluate(isOnTeam(about, 'werewolves')) !== 'unknown',
        p_werewolf: belief,
      };
    });
  };
  return events.flatMap((event) => {
    if (event.type === 'beliefs') return buildObserverRows(event);
    table.see(event);
    return [];
  });
}
