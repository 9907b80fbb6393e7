// Splits the variance of a figure if deals were played several times with the same seats. One part is between deals,
// the other between the replicates of a deal.
import type { ReplicatedVariance } from '../metrics/answer-table-schema.ts';
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { sum } from '../statistics/sums.ts';
import { askedMetrics, type CountedAnswers } from './answered-match.ts';

/**
 * Returns, for each question, the variance between deals and the variance within deals. A question is included if its
 * figure is known in replicates of at least ten deals; the list is empty without replicates. Deals are compared only if
 * they were played by the same models on the same sides under the same condition, so that differences between models do
 * not count as differences between deals. The variance between deals is the variance of the deals' means, minus the
 * part of it that replicates cause (analysis of variance with random effects).
 *
 * @example splitReplicates(matches) // [{ question: 'lies', deals: 40, replicates: 3, between: 0.012, within: 0.031 }]
 */
export function splitReplicates(matches: readonly CountedAnswers[]): ReplicatedVariance[] {
  if (new Set(matches.map(nameSeats)).size === matches.length) return [];
  return askedMetrics.flatMap(({ question, metric }) => {
    const valued = matches.flatMap((match) => {
      const sums = match.sums[question];
      const value = sums === undefined ? null : metric.value(sums);
      return value === null ? [] : [{ match, value }];
    });
    const groups = [...Map.groupBy(valued, ({ match }) => nameSeats(match)).values()].map((own) => {
      const [first] = own as [(typeof own)[number]];
      const mean = sum(own.map(({ value }) => value)) / own.length;
      const spread = sum(own.map(({ value }) => (value - mean) ** 2));
      return { arm: nameArm(first.match), deal: first.match.deal, size: own.length, mean, spread };
    });
    const repeated = groups.filter(({ size }) => size > 1);
    const deals = new Set(repeated.map(({ deal }) => deal)).size;
    if (deals < MIN_CLUSTERS) return [];
    const within = sum(repeated.map(({ spread }) => spread)) / sum(repeated.map(({ size }) => size - 1));
    const arms = [...Map.groupBy(groups, ({ arm }) => arm).values()].filter((own) => own.length > 1);
    const between = arms.map((own) => {
      const middle = sum(own.map(({ mean }) => mean)) / own.length;
      const ofMeans = sum(own.map(({ mean }) => (mean - middle) ** 2)) / (own.length - 1);
      return (ofMeans - within * (sum(own.map(({ size }) => 1 / size)) / own.length)) * (own.length - 1);
    });
    const freedom = sum(arms.map((own) => own.length - 1));
    if (freedom === 0) return [];
    const replicates = sum(repeated.map(({ size }) => size)) / repeated.length;
    return [{ question, deals, replicates, between: Math.max(0, sum(between) / freedom), within }];
  });
}

const nameArm = ({ condition, sides }: CountedAnswers) =>
  JSON.stringify([condition, sides.werewolves, sides.villagers]);

const nameSeats = (match: CountedAnswers) => JSON.stringify([nameArm(match), match.deal]);
