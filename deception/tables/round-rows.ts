// The rows of rounds: who was there to vote, who left, and what the Sheriff advised.
import { hasLostVote } from '../../state/ballots.ts';
import { isTurnFor } from '../../state/debate.ts';
import { isType, type EventOf, type GameEvent } from '../../state/event.ts';
import { survivors } from '../../state/night.ts';
import { sheriffAmong } from '../../state/sheriff.ts';
import { seatFinder, seatsOf, type MatchRecord } from '../match-record.ts';
import { sum } from '../ratios.ts';
import type { RoundRow } from './game-rows.ts';
import { wordsIn } from './turns.ts';

/** One a round that was begun. */
export function roundRows({ manifest, events }: MatchRecord): RoundRow[] {
  const seats = seatsOf(manifest);
  const seatOf = seatFinder(manifest);
  const rounds = [...new Set(events.map(({ round }) => round))].filter((round) => round > 0);
  return rounds.map((round) => {
    const own = events.filter((event) => event.round === round);
    const before = events.slice(0, dayOf(events, round));
    const present = survivors(
      seats.map(({ name }) => name),
      before,
    ).map(seatOf);
    const left = own.filter(isType('death'));
    const exiled = left.find(({ cause }) => cause === 'exile')?.player ?? null;
    const sheriff = sheriffAmong(
      before,
      present.map(({ name }) => name),
    );
    const turns = own.filter(isTurnFor(undefined));
    return {
      match_id: manifest.id,
      round,
      villagers_alive: present.filter(({ team }) => team === 'villagers').length,
      werewolves_alive: present.filter(({ team }) => team === 'werewolves').length,
      without_vote: present
        .map(({ name }) => name)
        .filter((name) => hasLostVote(before, name))
        .join(' '),
      left_at_night: namesOf(left, 'night'),
      exiled,
      exiled_role: exiled === null ? null : seatOf(exiled).role,
      exiled_team: exiled === null ? null : seatOf(exiled).team,
      left_by_last_act: namesOf(left, 'last_act'),
      sheriff,
      sheriff_team: sheriff === null ? null : seatOf(sheriff).team,
      recommended: own.filter(isType('statement')).find(({ recommends }) => recommends)?.recommends ?? null,
      turns: turns.length,
      words: sum(turns.map(wordsIn)),
    };
  });
}

/** The place of the round's first ballot for exile, or the end of the round where there is none. */
function dayOf(events: readonly GameEvent[], round: number): number {
  const ballot = events.findIndex(
    ({ type, round: of }) => of === round && (type === 'ballot' || type === 'pseudo_ballot'),
  );
  if (ballot >= 0) return ballot;
  const next = events.findIndex((event) => event.round > round);
  return next < 0 ? events.length : next;
}

const namesOf = (deaths: readonly EventOf<'death'>[], cause: EventOf<'death'>['cause']) =>
  deaths
    .filter((death) => death.cause === cause)
    .map(({ player }) => player)
    .join(' ');
