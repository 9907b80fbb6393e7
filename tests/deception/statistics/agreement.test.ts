// Agreement beyond chance, against published worked examples.
import { describe, expect, it } from '@jest/globals';
import { cohenKappa, coincidences, jointKey, krippendorffAlpha } from '../../../deception/statistics/agreement.ts';
import { addSums } from '../../../deception/statistics/sums.ts';

describe("Cohen's κ", () => {
  it('is .4 for the fifty grant proposals that two readers share 20, 5, 10 and 15', () => {
    // The worked example of en.wikipedia.org/wiki/Cohen's_kappa: p_o = .7, p_e = .5.
    const sums = {
      [jointKey(true, true)]: 20,
      [jointKey(true, false)]: 5,
      [jointKey(false, true)]: 10,
      [jointKey(false, false)]: 15,
    };
    expect(cohenKappa(sums)).toBeCloseTo(0.4, 12);
  });

  it('is 1 where both always agree on more than one answer, and 0 where one never varies', () => {
    expect(cohenKappa({ [jointKey('a', 'a')]: 3, [jointKey('b', 'b')]: 4, [jointKey(1, 1)]: 2 })).toBeCloseTo(1, 12);
    expect(cohenKappa({ [jointKey('a', 'a')]: 3, [jointKey('a', 'b')]: 4 })).toBeCloseTo(0, 12);
  });

  it('is unknown without cases or where only one answer occurs', () => {
    expect(cohenKappa({})).toBeNull();
    expect(cohenKappa({ [jointKey('a', 'a')]: 9 })).toBeNull();
  });
});

describe("Krippendorff's α", () => {
  const _ = null;
  // Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
  const observers = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];
  const units = observers[0]!.map((_answer, unit) => observers.map((answers) => answers[unit]!));

  it('is .743 for nominal and .849 for interval data of his own example', () => {
    expect(krippendorffAlpha('nominal')(coincidences(units))).toBeCloseTo(0.743, 3);
    expect(krippendorffAlpha('interval')(coincidences(units))).toBeCloseTo(0.849, 3);
  });

  it('is the same from sums of two matches as from all units at once', () => {
    const halves = addSums([coincidences(units.slice(0, 5)), coincidences(units.slice(5))]);
    expect(krippendorffAlpha('nominal')(halves)).toBeCloseTo(krippendorffAlpha('nominal')(coincidences(units))!, 12);
  });

  it('does not count units that fewer than two answered', () => {
    expect(coincidences([[1, null], [null, null], []])).toEqual({});
  });

  it('is unknown where all answers are the same', () => {
    expect(krippendorffAlpha('nominal')(coincidences([[true, true]]))).toBeNull();
    expect(krippendorffAlpha('nominal')({})).toBeNull();
  });
});
