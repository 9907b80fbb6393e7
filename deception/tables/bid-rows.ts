// The rows of bids: who wanted the turn how much, and who got it.
import { isTurn, mentioned } from '../../state/debate.ts';
import { isType } from '../../state/event.ts';
import { seatFinder, seatsOf, type MatchRecord } from '../match-record.ts';
import type { BidRow } from './game-rows.ts';

/** In the order of the turns that were bid for. */
export function bidRows({ manifest, events }: MatchRecord): BidRow[] {
  const seatOf = seatFinder(manifest);
  const names = seatsOf(manifest).map(({ name }) => name);
  const turns = new Map(events.filter(isTurn).map((turn) => [turn.id, turn]));
  const turnAt = (round: number, step: number) => turns.get(`${round}.${step + 1}`);
  const named = new Map<string, readonly string[]>();
  const namedIn = (turn: ReturnType<typeof turnAt>): readonly string[] => {
    if (turn?.type !== 'statement') return [];
    const found = named.get(turn.id) ?? mentioned(turn.text, names);
    named.set(turn.id, found);
    return found;
  };
  return events.filter(isType('bid')).map(({ round, by, step, bid }) => {
    const bidder = seatOf(by);
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
      is_mentioned: namedIn(turnAt(round, step - 1)).includes(by),
      is_speaker: turnAt(round, step)?.by === by,
    };
  });
}
