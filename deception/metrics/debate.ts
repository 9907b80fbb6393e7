// Metrics of the debate: bids, turns and words.
import { createRatio, getSum, sum, type Sums } from '../statistics/sums.ts';
import type { BidRow, PlayerRow } from '../tables/game-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { createLevelSums, meanLevel } from './breakdowns.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

// Numbers of turns in a day's debate. Rows do not state the turn, so it is found by counting the steps at which players
// were asked.

interface AskedRow {
  round: number;
  step: number | null;
}

/**
 * Creates a function that returns the place, from 1, of a row's step among the steps at which these rows were asked for
 * in the same round.
 */
export function createPlaceFinder(rows: readonly AskedRow[]): (row: AskedRow) => number {
  const steps = new Map(
    [...Map.groupBy(rows, ({ round }) => round)].map(([round, own]) => [
      round,
      [...new Set(own.map(({ step }) => step ?? 0))].sort((one, other) => one - other),
    ]),
  );
  return ({ round, step }) => steps.get(round)!.indexOf(step ?? 0) + 1;
}

// Willingness to speak: bids by turn, and bids of players whom the previous statement names.

/** Lists all bids, each with the number of the turn for which it was made, from 1. */
export function listBids({ bids, rounds }: MatchTables): { row: BidRow; turn: number }[] {
  const sheriffs = new Map(rounds.map(({ round, sheriff }) => [round, sheriff]));
  const placeOf = createPlaceFinder(bids);
  return bids.map((row) => {
    const opened = (sheriffs.get(row.round) ?? null) === null ? 0 : 1; // a Sheriff opens the debate without a bid
    return { row, turn: placeOf(row) + opened };
  });
}

const getBidCell = ({ row, turn }: { row: BidRow; turn: number }) => ({
  turn: String(turn),
  is_mentioned: String(row.is_mentioned),
  team: row.bidder_team,
  model: row.bidder_model,
});

const countBids =
  (of: (bid: number, scale: number) => number | boolean) =>
  (match: MatchTables): MetricTally[] =>
    listBids(match).map((one) => {
      const { bid, scale } = one.row;
      const cell = { ...getBidCell(one), role: one.row.bidder_role };
      return { cell, sums: createLevelSums(bid === null ? null : of(bid, scale)) };
    });

/**
 * Counts bids first by cell and then by value. This saves time, because there are many bids, and each one adds a tally
 * for every value of the scale.
 */
const countBidValues = (match: MatchTables): MetricTally[] =>
  [...Map.groupBy(listBids(match), (one) => JSON.stringify([one.row.scale, getBidCell(one)])).values()].flatMap(
    (group) => {
      const { scale } = group[0]!.row;
      const bids = group.flatMap(({ row }) => row.bid ?? []);
      return Array.from({ length: scale + 1 }, (_, value) => ({
        cell: { scale: String(scale), bid: String(value), ...getBidCell(group[0]!) },
        sums: {
          total: bids.filter((bid) => bid === value).length,
          values: bids.length,
          missing: group.length - bids.length,
        },
      }));
    },
  );

const ofBids = {
  section: 'debate',
  range: [0, 1],
  modelDimension: 'model',
  isOwnDeed: true,
  strata: [],
  breakdowns: [['turn'], ['is_mentioned'], ['turn', 'is_mentioned'], ['team'], ['role'], ['model'], ['model', 'team']],
  hasBaseline: true,
  ...meanLevel,
} as const;

/** Source: Werewolf Arena (2024), figures 3 and 6. */
export const bidMetrics: readonly Metric[] = [
  {
    ...ofBids,
    name: 'bid_height',
    title: 'Bids',
    definition:
      'Mean bid for a debate turn as a share of the highest bid that the rules allow, by turn and by whether the turn just before mentioned the bidder (Werewolf Arena).',
    notes: 'Over readable bids. Bounds cover unreadable ones, also for the next two.',
    unit: 'share of the highest bid',
    count: countBids((bid, scale) => bid / scale),
  },
  {
    ...ofBids,
    name: 'highest_bid_rate',
    title: 'Highest bids',
    definition: 'Share of bids at the highest value that the rules allow (Werewolf Arena).',
    unit: 'share of bids',
    count: countBids((bid, scale) => bid === scale),
  },
  {
    ...ofBids,
    name: 'bid_share',
    title: 'Bids of each value',
    definition: 'Share of bids with each value, over all bids on the same scale (Werewolf Arena).',
    notes:
      'By turn, by `is_mentioned`, by both, and by model and side. The values add up to 1 in each. Figures 3 and 6.',
    unit: 'share of bids',
    strata: ['scale', 'bid'],
    breakdowns: [['turn'], ['is_mentioned'], ['turn', 'is_mentioned'], ['team'], ['model', 'team']],
    count: countBidValues,
  },
];

// Amount of speech: turns and words per day.

/** Lists the days on which anybody had a turn in the debate. */
const listSpokenDays = ({ rounds }: MatchTables) => rounds.filter(({ turns }) => turns > 0).map(({ round }) => round);

/** Whether the player could speak on the day of this round. */
function isPresent(player: PlayerRow, round: number, match: MatchTables): boolean {
  const { left_round: left, left_cause: cause } = player;
  if (left === null || left !== round) return left === null || left > round;
  if (cause !== 'last_act') return cause === 'exile';
  const deed = match.deeds.find((row) => row.is_last_act && row.round === round && row.target === player.player);
  const doer = match.players.find((one) => one.player === deed?.by);
  return doer !== undefined && isPresent(doer, round, match);
}

/** Lists the rounds in which the debate had turns and the player was present. */
export const listDaysPresent = (player: PlayerRow, match: MatchTables): number[] =>
  listSpokenDays(match).filter((round) => isPresent(player, round, match));

const countByPlayer = (match: MatchTables): MetricTally[] =>
  match.players.map((player) => {
    const { team, role, model, turns, words } = player;
    return { cell: { team, role, model }, sums: { turns, words, days: listDaysPresent(player, match).length } };
  });

const countBySide = (match: MatchTables): MetricTally[] =>
  (['villagers', 'werewolves'] as const).map((team) => {
    const model = team === 'villagers' ? match.match.villagers_model : match.match.werewolves_model;
    const own = match.players.filter((player) => player.team === team);
    return {
      cell: { team, ...(model === null ? {} : { model }) },
      sums: { turns: sum(own.map(({ turns }) => turns)), days: listSpokenDays(match).length },
    };
  });

const ofTalk = {
  section: 'debate',
  range: [0, null],
  modelDimension: 'model',
  strata: [],
  breakdowns: [['team'], ['role'], ['model'], ['model', 'team'], ['model', 'role']],
  count: countByPlayer,
  opportunities: (sums: Sums) => getSum(sums, 'days'),
} as const;

/** Source: Werewolf Arena (2024), section 5.2. */
export const speechMetrics: readonly Metric[] = [
  {
    ...ofTalk,
    name: 'turns_per_round',
    title: 'Turns per round',
    definition: 'Debate turns of a player per day, silent ones included (Werewolf Arena).',
    notes: 'Over days on which the player was there to speak. Days without any turn do not count. Section 5.2.2.',
    unit: 'turns of a player per day',
    hasBaseline: true,
    value: createRatio('turns', 'days'),
  },
  {
    ...ofTalk,
    name: 'words_per_round',
    title: 'Words per round',
    definition: 'Words of a player in the debate per day (Werewolf Arena).',
    notes: 'Over the same days as `turns_per_round`.',
    unit: 'words of a player per day',
    value: createRatio('words', 'days'),
  },
  {
    ...ofTalk,
    name: 'words_per_turn',
    isOwnDeed: true,
    title: 'Words per turn',
    definition: 'Words per debate turn. A silent turn has none.',
    unit: 'words per turn',
    ...createRatioFigure('words', 'turns'),
  },
  {
    ...ofTalk,
    name: 'side_turns_per_round',
    title: 'Turns of a side per round',
    definition: 'Debate turns of all players of a side per day (Werewolf Arena, section 5.2.2).',
    notes: 'Days without any turn do not count.',
    unit: 'turns of a side per day',
    hasBaseline: true,
    isOfWholeSides: true,
    strata: ['team'],
    breakdowns: [['model']],
    count: countBySide,
    value: createRatio('turns', 'days'),
  },
];
