// How much players want to speak: bids by turn, and of those whom the statement before named.
import type { BidRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';
import { placesOf } from './debate-turns.ts';
import { levelOf, meanLevel } from './levels.ts';
import type { Metric, Tally } from './metric.ts';

/** All bids, each with the turn of the debate that it was for, from 1. */
function bidsOf({ bids, rounds }: Tables): { row: BidRow; turn: number }[] {
  const sheriffs = new Map(rounds.map(({ round, sheriff }) => [round, sheriff]));
  const placeOf = placesOf(bids);
  return bids.map((row) => {
    const opened = (sheriffs.get(row.round) ?? null) === null ? 0 : 1; // a Sheriff opens the debate unasked
    return { row, turn: placeOf(row) + opened };
  });
}

const cellOf = ({ row, turn }: { row: BidRow; turn: number }) => ({
  turn: String(turn),
  is_mentioned: String(row.is_mentioned),
  team: row.bidder_team,
  model: row.bidder_model,
});

const read =
  (of: (bid: number, scale: number) => number | boolean) =>
  (match: Tables): Tally[] =>
    bidsOf(match).map((one) => {
      const { bid, scale } = one.row;
      const cell = { ...cellOf(one), role: one.row.bidder_role };
      return { cell, sums: levelOf(bid === null ? null : of(bid, scale)) };
    });

/** Bids of the same cell together: there are many, and each is counted once for every value. */
const values = (match: Tables): Tally[] =>
  [...Map.groupBy(bidsOf(match), (one) => JSON.stringify([one.row.scale, cellOf(one)])).values()].flatMap((group) => {
    const { scale } = group[0]!.row;
    const bids = group.flatMap(({ row }) => row.bid ?? []);
    return Array.from({ length: scale + 1 }, (_, value) => ({
      cell: { scale: String(scale), bid: String(value), ...cellOf(group[0]!) },
      sums: {
        total: bids.filter((bid) => bid === value).length,
        values: bids.length,
        missing: group.length - bids.length,
      },
    }));
  });

const ofBids = {
  section: 'debate',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: [['turn'], ['is_mentioned'], ['turn', 'is_mentioned'], ['team'], ['role'], ['model'], ['model', 'team']],
  hasBaseline: true,
  ...meanLevel,
} as const;

/** Werewolf Arena (2024), figures 3 and 6. */
export const bids: readonly Metric[] = [
  {
    ...ofBids,
    name: 'bid_height',
    title: 'Bids',
    definition:
      'The mean bid for a turn of the debate over the highest that the rules allow, by turn and by whether the turn just before named the bidder (Werewolf Arena).',
    unit: 'share of the highest bid',
    tallies: read((bid, scale) => bid / scale),
  },
  {
    ...ofBids,
    name: 'highest_bid_rate',
    title: 'Highest bids',
    definition: 'Bids of the highest value that the rules allow over all bids (Werewolf Arena).',
    unit: 'share of bids',
    tallies: read((bid, scale) => bid === scale),
  },
  {
    ...ofBids,
    name: 'bid_share',
    title: 'Bids of each value',
    definition: 'Bids of each value over all bids on the same scale (Werewolf Arena).',
    unit: 'share of bids',
    apart: ['scale', 'bid'],
    by: [['turn'], ['is_mentioned'], ['model', 'team']],
    tallies: values,
  },
];
