// Measures of agreement beyond chance between several sources. Pairs of answers are counted as sums, so that matches
// can be resampled.
import { createStatistic, getSum, type Sums } from './sums.ts';

type AnswerValue = string | number | boolean;

/**
 * Returns the name of the sum for a pair of answers. The name contains JSON, so that every answer can be parsed from
 * it.
 */
const getPairKey = (prefix: string, one: AnswerValue, other: AnswerValue): string =>
  `${prefix}${JSON.stringify([one, other])}`;

/**
 * Creates a function that reads the counts of answer pairs from sums whose names begin with `prefix`. It also counts
 * the answers of each source.
 */
const createPairCounter = (prefix: string) => (names: readonly string[], offset: number) => {
  const pairs = names.flatMap((name, place) => {
    if (!name.startsWith(prefix)) return [];
    const [one, other] = JSON.parse(name.slice(prefix.length)) as [AnswerValue, AnswerValue];
    return [{ one, other, place: offset + place }];
  });
  return (amounts: ArrayLike<number>) => {
    const rows = new Map<AnswerValue, number>();
    const columns = new Map<AnswerValue, number>();
    const cells: { one: AnswerValue; other: AnswerValue; count: number }[] = [];
    let total = 0;
    for (const { one, other, place } of pairs) {
      const count = amounts[place]!;
      if (count === 0) continue;
      cells.push({ one, other, count });
      rows.set(one, (rows.get(one) ?? 0) + count);
      columns.set(other, (columns.get(other) ?? 0) + count);
      total += count;
    }
    return { cells, rows, columns, total };
  };
};

/**
 * Returns the name of the sum that counts cases in which one source answered `one` and the other source answered
 * `other`; see `computeCohenKappa`.
 *
 * @example
 * getJointKey('lie', 'truth'); // 'joint:["lie","truth"]'
 */
export const getJointKey = (one: AnswerValue, other: AnswerValue): string => getPairKey('joint:', one, other);

/**
 * Computes Cohen's κ (1960) of two sources from sums named by `getJointKey`: (agreement − chance agreement) / (1 −
 * chance agreement). Chance agreement is the agreement of two independent sources with the same shares of answers. κ is
 * −1 to 1, and 0 by chance. Null without cases, or if both sources always give the same single answer, because chance
 * alone would then agree.
 *
 * @example
 * computeCohenKappa({ [getJointKey(true, true)]: 5, [getJointKey(false, false)]: 5 }); // 1
 */
export const computeCohenKappa = createStatistic(createPairCounter('joint:'), ({ cells, rows, columns, total }) => {
  let agreed = 0;
  for (const { one, other, count } of cells) if (one === other) agreed += count;
  let chance = 0;
  for (const [answer, count] of rows) chance += (count / total) * ((columns.get(answer) ?? 0) / total);
  return total === 0 || chance > 1 - 1e-12 ? null : (agreed / total - chance) / (1 - chance);
});

/**
 * Counts coincidences of answers (Krippendorff 2004, ch. 11), as sums for `createKrippendorffAlpha`. `units`: for each
 * unit, the answers of its observers; null for a missing answer, which is left out. Each ordered pair of a unit's
 * answers counts 1 / (number of the unit's answers − 1). A unit with fewer than two answers adds nothing.
 *
 * @example
 * countCoincidences([['lie', 'lie', null]]); // { 'pair:["lie","lie"]': 2 }
 */
export function countCoincidences(units: readonly (readonly (AnswerValue | null)[])[]): Sums {
  const sums: Record<string, number> = {};
  for (const unit of units) {
    const answers = unit.filter((answer) => answer !== null);
    answers.forEach((one, i) => {
      answers.forEach((other, j) => {
        if (i === j) return;
        const key = getPairKey('pair:', one, other);
        sums[key] = getSum(sums, key) + 1 / (answers.length - 1);
      });
    });
  }
  return sums;
}

/**
 * Creates Krippendorff's α (2004), a statistic of the sums that `countCoincidences` returns: 1 − observed disagreement
 * / chance disagreement. Chance disagreement is the disagreement of answers that are paired at random. α is at most 1,
 * 0 by chance, and negative for systematic disagreement. `nominal` answers are equal or not; differences of `interval`
 * answers (numbers) are squared. Null if all answers are the same.
 *
 * @example
 * createKrippendorffAlpha('nominal')(countCoincidences([['lie', 'lie'], ['truth', 'truth']])); // 1
 */
export const createKrippendorffAlpha = (level: 'nominal' | 'interval') =>
  createStatistic(createPairCounter('pair:'), ({ cells, rows, total }) => {
    const computeDistance = (one: AnswerValue, other: AnswerValue) =>
      level === 'nominal' ? Number(one !== other) : (Number(one) - Number(other)) ** 2;
    let observed = 0;
    for (const { one, other, count } of cells) observed += count * computeDistance(one, other);
    let expected = 0;
    for (const [one, count] of rows) {
      for (const [other, opposite] of rows) expected += count * opposite * computeDistance(one, other);
    }
    return expected === 0 ? null : 1 - ((total - 1) * observed) / expected;
  });
