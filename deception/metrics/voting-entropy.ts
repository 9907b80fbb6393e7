// How divided the village is in the course of a debate: entropy of the synthetic votes.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { Metric } from './metric.ts';
import { polledDays, type Poll } from './straw-polls.ts';

/** Shannon entropy of who is named, in bits: 0 where all name the same player; null without votes. */
export function entropyOf({ votes }: Pick<Poll, 'votes'>): number | null {
  if (votes.length === 0) return null;
  const counts = [...Map.groupBy(votes, ({ target }) => target).values()].map(({ length }) => length);
  return Math.abs(counts.reduce((bits, count) => bits - (count / votes.length) * Math.log2(count / votes.length), 0));
}

/** Werewolf Arena (2024), appendix C. */
export const votingEntropy: Metric = {
  name: 'voting_entropy',
  title: 'Voting entropy',
  section: 'debate',
  definition:
    'The mean entropy −Σ p log₂ p of the votes after each turn of the debate, p being the share of votes that a player receives; the last index is the ballot itself (Werewolf Arena).',
  unit: 'bits',
  range: [0, null],
  apart: [],
  by: [['round'], ['index'], ['round', 'index']],
  tallies: (match) =>
    polledDays(match).flatMap(({ round: { round }, polls }) =>
      polls.flatMap((poll) => {
        const entropy = entropyOf(poll);
        const cell = { round: String(round), index: String(poll.index) };
        return entropy === null ? [] : [{ cell, sums: { entropy, polls: 1 } }];
      }),
    ),
  hasBaseline: true,
  value: ratioOf('entropy', 'polls'),
  opportunities: (sums) => sumOf(sums, 'polls'),
};
