// The rows of bids: who wanted the turn how much, and who got it.
import { isTurn, mentioned } from '../../state/debate.ts';
import { isType } from '../../state/event.ts';
import { seatFinder, seatsOf, type MatchRecord } from '../match-record.ts';
import type { BidRow } from './game-rows.ts';

/** In the order of the turns that were bid for. */
export function bidRows({ manifest, events }: MatchRecord): BidRow[] {
  const seatOf = seatFinder(manifest);
  const names = seatsOf(manifest).map(({ name }) => name);
  const turns = events.filter(isTurn);
  const turnAt = (round: number, step: number) => turns.find(({ id }) => id === `${round}.${step + 1}`);
  return events.filter(isType('bid')).map(({ round, by, step, bid }) => {
    const bidder = seatOf(by);
    const before = turnAt(round, step - 1);
    return {
      match_id: manifest.id,
      round,
      step,
      bidder: by,
      bidder_role: bidder.role,
      bidder_team: bidder.team,
      bidder_model: bidder.model,
      bidder_is_bot: bidder.isBot,
      bid,
      scale: manifest.setup.rules.bidScale,
      is_mentioned: before?.type === 'statement' && mentioned(before.text, names).includes(by),
      is_speaker: turnAt(round, step)?.by === by,
    };
  });
}
