// When a debate has decided the day: the first turn after which the votes would exile somebody, or stay with the exile.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { Tables } from '../tables/rows.ts';
import type { Metric, Tally } from './metric.ts';
import { choiceFinder, leaderFinder, polledDays, type PolledDay } from './straw-polls.ts';

/** An index from 1, or null: never. */
type Point = number | null;

const sumsOf = (point: Point) => ({ index: point ?? 0, reached: point === null ? 0 : 1, days: 1 });

function consensus(match: Tables): Tally[] {
  const choiceOf = choiceFinder(match);
  const pointOf = ({ round, polls }: PolledDay): Point =>
    polls.find((poll) => choiceOf(poll, round) !== null)?.index ?? null;
  return polledDays(match).map((day) => ({ cell: { round: String(day.round.round) }, sums: sumsOf(pointOf(day)) }));
}

function lead(match: Tables): Tally[] {
  const leaderOf = leaderFinder(match);
  const pointOf = ({ round, polls }: PolledDay): Point => {
    const other = polls.findLastIndex((poll) => leaderOf(poll, round) !== round.exiled);
    return polls[other + 1]?.index ?? null;
  };
  return polledDays(match)
    .filter(({ round }) => round.exiled !== null)
    .map((day) => ({ cell: { round: String(day.round.round) }, sums: sumsOf(pointOf(day)) }));
}

const point = {
  section: 'debate',
  unit: 'turns of the debate',
  range: [1, null],
  apart: [],
  by: [['round']],
  hasBaseline: true,
  value: ratioOf('index', 'reached'),
  opportunities: (sums: Tally['sums']) => sumOf(sums, 'reached'),
} as const;

const rate = {
  ...point,
  unit: 'share of days',
  range: [0, 1],
  value: ratioOf('reached', 'days'),
  opportunities: (sums: Tally['sums']) => sumOf(sums, 'days'),
} as const;

/** Werewolf Arena (2024), appendix C; the lead is our own. */
export const consensusMetrics: readonly Metric[] = [
  {
    ...point,
    name: 'consensus_point',
    title: 'Consensus point',
    definition:
      'The mean index of the first votes that would exile a player under the rules of the match, over days on which any did; the last index is the ballot itself (Werewolf Arena).',
    tallies: consensus,
  },
  {
    ...rate,
    name: 'consensus_rate',
    title: 'Days with a consensus',
    definition:
      'Days on which the votes after any turn of the debate, or the ballot itself, would exile a player, over all days with such votes.',
    tallies: consensus,
  },
  {
    ...point,
    name: 'exile_lead_point',
    title: 'Lead of the exile',
    definition:
      'The mean index of the first votes from which on the player who was exiled led alone until the ballot, over exiles of players who led in it.',
    tallies: lead,
  },
  {
    ...rate,
    name: 'exile_lead_rate',
    title: 'Exiles of the leader of the first ballot',
    definition:
      'Exiles of a player who alone led the ballot at the end of the debate over all exiles on days with such votes.',
    unit: 'share of exiles',
    tallies: lead,
  },
];
