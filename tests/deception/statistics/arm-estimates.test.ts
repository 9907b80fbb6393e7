// Arms that are estimated one by one: the same figures as from the whole sample of a contrast.
import { describe, expect, it } from '@jest/globals';
import { describeArms, getArmTotal, listArmDeals, listArms } from '../../../deception/statistics/arm-estimates.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { computeContrast, describeContrast } from '../../../deception/statistics/paired-test.ts';
import { createRatio, getSum, type Statistic, type Sums } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/random.ts';

const contrast = { a: [0.5, 0, 0.5, 0], b: [0, 0.5, 0, 0.5], swap: [1, 0, 3, 2] };
const ratio = createRatio('lies', 'claims');
/** A statistic that is defined without any sums. */
const total: Statistic = (sums) => getSum(sums, 'claims') + getSum(sums, 'lies');

/** Draws four arms over these deals. Some deals of an arm, and some deals of all arms, have no sums. */
function drawArms(seed: number, deals: number): Sums[][] {
  const random = draw(seed, 'arms');
  const isEmpty = Array.from({ length: deals }, () => random.integer(6) === 0);
  return Array.from({ length: 4 }, () =>
    isEmpty.map((none): Sums => {
      const claims = none ? 0 : random.integer(5);
      return claims === 0 ? {} : { claims, lies: random.integer(claims + 1) };
    }),
  );
}

describe('arms of a contrast', () => {
  it.each([1, 2, 3, 4, 5])('have the figures of the whole sample (seed %i)', (seed) => {
    const arms = drawArms(seed, 14);
    for (const statistic of [ratio, total]) {
      const deals = listArmDeals(arms);
      const resampling = createResampling(deals.length, 20, 1);
      const { a, b, difference } = computeContrast(deals, statistic, contrast, { resampling });
      const expected = { a, b, difference: difference.estimate, withData: difference.withData };
      expect(describeArms(deals, statistic, contrast)).toEqual(expected);
      expect(describeArms([...deals], statistic, contrast)).toEqual(expected); // a list that was laid out elsewhere
    }
  });

  it('are shared by contrasts that were laid out from them, and totals are remembered', () => {
    const [first, second, third] = drawArms(1, 12) as [Sums[], Sums[], Sums[]];
    const [one, other] = [listArmDeals([first, second]), listArmDeals([first, third])];
    expect(listArms(one)[0]).toBe(listArms(other)[0]);
    expect(getArmTotal(first)).toBe(getArmTotal(first));
    expect(one[3]).toEqual([first[3], second[3]]);
  });

  it('are not estimated one by one where that could change the last digits', () => {
    const pair = { a: [1, 0], b: [0, 1], swap: [1, 0] };
    const deals = listArmDeals([[{ lies: 0.1, claims: 1 }], [{ lies: 0.7, claims: 1 }]]);
    expect(describeArms(deals, ratio, pair)).toBeNull();
    expect(describeContrast(deals, ratio, pair).difference).toBeCloseTo(-0.6);
    expect(describeArms([], ratio, pair)).toBeNull();
    expect(() => describeContrast(deals, ratio, { a: [1, 0], b: [0, 1], swap: [0, 1] })).toThrow(RangeError);
  });
});
