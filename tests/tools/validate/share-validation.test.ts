// The bench of intervals of shares measures what was planted.
import { describe, expect, it } from '@jest/globals';
import {
  listBrokenShares,
  measureShares,
  renderShareValidation,
  shareCells,
} from '../../../tools/validate/share-validation.ts';

describe('the validation of intervals of shares', () => {
  const trial = { repetitions: 60, resamples: 79, seed: 1 };
  const cell = { share: 0.2, deals: 10, cases: 2, correlation: 0.5 };

  it('finds intervals that contain the planted share, before and now', () => {
    const finding = measureShares(cell, trial);
    expect(finding.after.covered).toBeGreaterThan(50);
    expect(finding.before!.covered).toBeGreaterThan(50);
    expect(listBrokenShares([finding])).toEqual([]);
    expect(measureShares(cell, trial)).toEqual(finding);
  });

  it('draws cases of a deal that are alike: intervals are wider', () => {
    const [alone, alike] = [0, 0.5].map((correlation) => measureShares({ ...cell, cases: 6, correlation }, trial));
    expect(alike!.after.meanWidth).toBeGreaterThan(1.3 * alone!.after.meanWidth);
  });

  it('prints no earlier interval of fewer than ten deals', () => {
    expect(measureShares({ ...cell, deals: 5 }, trial).before).toBeNull();
  });

  it('fails a cell whose intervals miss the share too often', () => {
    const finding = measureShares(cell, trial);
    const missed = { ...finding, after: { ...finding.after, covered: 40 } };
    expect(listBrokenShares([finding, missed])).toEqual([missed]);
    expect(renderShareValidation([finding, missed], trial)).toContain(', fails');
  });

  it('covers every combination once', () => {
    expect(new Set(shareCells.map((one) => JSON.stringify(one))).size).toBe(shareCells.length);
    expect(shareCells).toHaveLength(5 * 4 * 3 * 3);
  });
});
