// Permutation tests of labels that should not matter: variants of a deal, seats, names and places in the speaking
// order. p = (1 + permutations at least as extreme) / (1 + permutations) (Phipson & Smyth 2010).
import { draw } from '../../state/random.ts';
import { MIN_CLUSTERS } from './bootstrap.ts';
import type { Statistic, Sums } from './sums.ts';

interface PermutationOptions {
  permutations: number;
  seed: number;
}

/** Maximum number of permutations. A larger number would change at most the third decimal of p. */
const mostPermutations = 1000;

/** Difference below which two values are equal up to rounding. */
const rounding = 1e-12;

/**
 * Computes the p-value of the spread between arms. The spread is the largest minus the smallest arm's statistic; p is
 * the probability of at least this spread if arms are exchanged at random within deals. `deals`: the sums of every arm
 * in each deal. Null with fewer than ten deals, or if a statistic is undefined.
 *
 * @example computeSpreadTest([[{ lies: 1, turns: 4 }, { turns: 5 }], …], createRatio('lies', 'turns'), { permutations:
 *   1000, seed: 1 })
 */
export function computeSpreadTest(
  deals: readonly (readonly Sums[])[],
  statistic: Statistic,
  { permutations, seed }: PermutationOptions,
): number | null {
  if (deals.length < MIN_CLUSTERS) return null;
  const names = [...new Set(deals.flatMap((arms) => arms.flatMap((sums) => Object.keys(sums))))].sort();
  const rows = deals.map((arms) => arms.map((sums) => names.map((name) => sums[name] ?? 0)));
  const arms = deals[0]!.length;
  const places = Array.from({ length: arms }, (_, arm) => arm);
  const measure = (order: (deal: number) => readonly number[]): number | null => {
    const totals = places.map(() => names.map(() => 0));
    rows.forEach((deal, at) =>
      order(at).forEach((from, to) => deal[from]!.forEach((amount, index) => (totals[to]![index]! += amount))),
    );
    const values = totals.map((own) =>
      statistic(Object.fromEntries(own.map((amount, index) => [names[index]!, amount]))),
    );
    return values.some((value) => value === null)
      ? null
      : Math.max(...(values as number[])) - Math.min(...(values as number[]));
  };
  const seen = measure(() => places);
  if (seen === null) return null;
  const random = draw(seed, 'variants');
  const drawn = Array.from({ length: Math.min(permutations, mostPermutations) }, () =>
    measure(() => random.shuffle(places)),
  ).filter((value) => value !== null);
  return countAsFar(seen, drawn);
}

const countAsFar = (seen: number, drawn: readonly number[]) =>
  (1 + drawn.filter((value) => value >= seen - rounding).length) / (1 + drawn.length);

/** Scores of some players in one match of a block, and the players' labels. A missing score or label is null. */
export interface LabelledScores {
  scores: readonly (number | null)[];
  labels: readonly (string | null)[];
}

/**
 * Result of a test: the number of labels, the test statistic with its p-value, and the labels with the largest and the
 * smallest mean.
 */
export interface LabelTest {
  labels: number;
  statistic: number;
  p: number;
  most: LabelMean;
  least: LabelMean;
}

/**
 * A label, and its `value`: how far scores with this label lie above (or below) scores with other labels, on average.
 */
export interface LabelMean {
  label: string;
  value: number;
}

/**
 * Sums of scores and sums of weights, by label. The test statistic is the sum of sum² / weight over all labels. It
 * resembles χ², but p comes from permutations and needs no assumptions of χ².
 */
interface LabelTotals {
  sums: Float64Array;
  weights: Float64Array;
}

const computeLabelStatistic = ({ sums, weights }: LabelTotals) =>
  sums.reduce((total, sum, at) => (weights[at]! > 0 ? total + sum ** 2 / weights[at]! : total), 0);

function createLabelTest(
  names: readonly string[],
  permutations: number,
  measure: (isPermuted: boolean) => LabelTotals,
): LabelTest | null {
  const seen = measure(false);
  const means = names
    .flatMap((label, at) => (seen.weights[at]! > 0 ? [{ label, value: seen.sums[at]! / seen.weights[at]! }] : []))
    .sort((one, other) => other.value - one.value);
  if (means.length < 2) return null;
  const statistic = computeLabelStatistic(seen);
  if (statistic < rounding) return null; // nothing varies
  const drawn = Array.from({ length: permutations }, () => computeLabelStatistic(measure(true)));
  return { labels: means.length, statistic, p: countAsFar(statistic, drawn), most: means[0]!, least: means.at(-1)! };
}

/**
 * Tests whether scores are related to labels among comparable players. Each block holds comparable players (such as the
 * players of one role) in all matches of a deal. Labels are permuted within a block; a player's label changes in all
 * matches at once. Scores count relative to the mean of the block's players in the same match. Null if there is nothing
 * to permute.
 *
 * @example testLabelsWithin([[{ scores: [0.5, 0.1], labels: ['1', '4'] }], …], { permutations: 2000, seed: 1 })
 */
export function testLabelsWithin(
  blocks: readonly (readonly LabelledScores[])[],
  { permutations, seed }: PermutationOptions,
): LabelTest | null {
  const names = [...new Set(blocks.flat().flatMap(({ labels }) => labels.flatMap((label) => label ?? [])))].sort();
  const places = new Map(names.map((name, at) => [name, at]));
  const random = draw(seed, 'labels within');
  const prepared = blocks
    .filter((block) => (block[0]?.scores.length ?? 0) > 1)
    .map((block) => ({
      order: block[0]!.scores.map((_, at) => at),
      matches: block.map(({ scores, labels }) => ({
        scores: Float64Array.from(centre(scores), (score) => score ?? NaN),
        labels: Int32Array.from(labels, (label) => (label === null ? -1 : (places.get(label) ?? -1))),
      })),
    }));
  return createLabelTest(names, permutations, (isPermuted) => {
    const [sums, weights] = [new Float64Array(names.length), new Float64Array(names.length)];
    for (const { order, matches } of prepared) {
      const taken = isPermuted ? random.shuffle(order) : order;
      for (const { scores, labels } of matches)
        for (let at = 0; at < scores.length; at++) {
          const [score = NaN, label = -1] = [scores[at], labels[taken[at] ?? 0]];
          if (Number.isNaN(score) || label < 0) continue;
          sums[label]! += score;
          weights[label]! += 1;
        }
    }
    return { sums, weights };
  });
}

/** Subtracts the mean from the known scores. Unknown scores stay unknown. */
function centre(scores: readonly (number | null)[]): (number | null)[] {
  const known = scores.filter((score) => score !== null);
  const mean = known.reduce((total, score) => total + score, 0) / (known.length || 1);
  return scores.map((score) => (score === null ? null : score - mean));
}

/**
 * A match's outcome, and the labels of its players. `outcome`: 1 if one particular side won, e.g. the Werewolves.
 * `held`: label → 1 if its player is on that side, 0 otherwise.
 */
export interface LabelledOutcome {
  outcome: number;
  held: Readonly<Record<string, number>>;
}

/**
 * Tests whether outcomes are related to labels. Each group holds deals that were played in the same way, with matches
 * in the same order. Outcomes are permuted among the deals of a group; all outcomes of a deal move together. Null if
 * there is nothing to permute.
 *
 * @example testLabelsBetween([[[{ outcome: 1, held: { '1': 1, '2': 0 } }], …]], { permutations: 2000, seed: 1 })
 */
export function testLabelsBetween(
  groups: readonly (readonly (readonly LabelledOutcome[])[])[],
  { permutations, seed }: PermutationOptions,
): LabelTest | null {
  const usable = groups.filter((deals) => deals.length > 1);
  const names = [...new Set(usable.flat(2).flatMap(({ held }) => Object.keys(held)))].sort();
  const places = new Map(names.map((name, at) => [name, at]));
  const random = draw(seed, 'labels between');
  const prepared = usable.map((deals) => {
    const slots = deals[0]!.map((_, slot) => centre(deals.map((matches) => matches[slot]!.outcome)) as number[]);
    const held = deals.map((matches) =>
      matches.map((match) => {
        const entries = Object.entries(match.held);
        const share = entries.reduce((total, [, value]) => total + value, 0) / entries.length;
        return {
          labels: Int32Array.from(entries, ([label]) => places.get(label) ?? 0),
          values: Float64Array.from(entries, ([, value]) => value - share),
        };
      }),
    );
    return { order: deals.map((_, at) => at), slots, held };
  });
  const weights = new Float64Array(names.length);
  for (const { labels, values } of prepared.flatMap(({ held }) => held.flat()))
    labels.forEach((label, at) => (weights[label]! += (values[at] ?? 0) ** 2));
  return createLabelTest(names, permutations, (isPermuted) => {
    const sums = new Float64Array(names.length);
    for (const { order, slots, held } of prepared) {
      const taken = isPermuted ? random.shuffle(order) : order;
      held.forEach((matches, deal) =>
        matches.forEach(({ labels, values }, slot) => {
          const outcome = slots[slot]![taken[deal]!]!;
          for (let at = 0; at < labels.length; at++) sums[labels[at] ?? 0]! += outcome * (values[at] ?? 0);
        }),
      );
    }
    return { sums, weights };
  });
}
