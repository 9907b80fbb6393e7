// The table of figures: each measurement and whether it reaches its target.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { computeMedian } from '../../../deception/statistics/theil-sen.ts';
import { type BenchFigure, printFigures, roundTo } from '../../../tools/bench/bench-figure.ts';

it('the median is the middle of the numbers, or the mean of the middle two', () => {
  expect(computeMedian([3, 1, 2])).toBe(2);
  expect(computeMedian([4, 1, 3, 2])).toBe(2.5);
});

describe('the table', () => {
  const figure = (target: BenchFigure['target'], ...values: BenchFigure['values']): BenchFigure => ({
    ...{ what: 'Time', values },
    ...(target && { target }),
  });
  const print = (isMarked: boolean, ...figures: BenchFigure[]) =>
    stripVTControlCharacters(printFigures(figures, isMarked));

  it('marks each figure by its target, no more exactly than it is shown', () => {
    const table = print(
      true,
      figure(
        { atMost: 1.7, text: '1.70' },
        { name: 'near', ...roundTo(2, 1.704) },
        { name: 'far', ...roundTo(2, 1.706) },
      ),
      figure(
        { atLeast: 70, text: '70 %' },
        { name: 'little', ...roundTo(1, 69.9, ' %') },
        { name: 'much', ...roundTo(1, 70) },
      ),
    );
    expect(table).toMatch(/near: 1\.70 ✓ .*at most 1\.70 /);
    expect(table).toMatch(/far: 1\.71 MISSED/);
    expect(table).toMatch(/little: 69\.9 % MISSED .*at least 70 %/);
    expect(table).toMatch(/much: 70\.0 ✓/);
  });

  it('marks nothing that has no target or could not be measured, and nothing of a quick run', () => {
    const unmarked = figure({ atMost: 1, text: '1' }, { name: 'none', text: '–', number: null });
    const table = print(true, figure(undefined, roundTo(0, 5, ' MB')), unmarked);
    expect(table).toContain('5 MB');
    expect(table).toContain('none: –');
    expect(table + print(false, figure({ atMost: 1, text: '1' }, roundTo(0, 5)))).not.toMatch(/✓|MISSED/);
  });
});
