// The table of figures: what was measured of what, and whether it has reached its target.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  atLeast,
  atMost,
  figureTable,
  median,
  rounded,
  unmeasured,
  type Figure,
} from '../../../scripts/bench/figure.ts';

describe('the median', () => {
  it('is the middle of the figures, or the mean of the middle two', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('of nothing is an error', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('the table', () => {
  const figure = (target: Figure['target'], ...measured: Figure['measured']): Figure => ({
    what: 'Time',
    target,
    measured,
    how: 'with a watch',
  });
  const shown = (...figures: Figure[]) => stripVTControlCharacters(figureTable(figures, true));

  it('marks each figure by its target, no more exactly than it is shown', () => {
    const table = shown(
      figure(atMost(1.1, '1.10'), { of: 'near', ...rounded(1.104, 2) }, { of: 'far', ...rounded(1.106, 2) }),
      figure(atLeast(70, '70 %'), { of: 'little', ...rounded(69.9, 1, ' %') }, { of: 'much', ...rounded(70, 1, ' %') }),
    );
    expect(table).toMatch(/near: 1\.10 ✓ .*at most 1\.10 .*with a watch/);
    expect(table).toMatch(/far: 1\.11 MISSED/);
    expect(table).toMatch(/little: 69\.9 % MISSED .*at least 70 %/);
    expect(table).toMatch(/much: 70\.0 % ✓/);
  });

  it('marks nothing that has no target or could not be measured', () => {
    const table = shown(figure(null, rounded(5, 0, ' MB')), figure(atMost(1, '1'), { of: 'none', ...unmeasured }));
    expect(table).toContain('5 MB');
    expect(table).toContain('none: –');
    expect(table).not.toMatch(/✓|MISSED/);
  });
});
