// Coverage, level and power of validations, in samples from a pool whose figure is known.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { metrics } from '../../../deception/metrics/index.ts';
import { lieTurnRate } from '../../../deception/metrics/lie-exposure.ts';
import { findWeakCoverage, sampledWeakCoverage, weakCoverage } from '../../../deception/metrics/weak-coverage.ts';
import { pairContrast } from '../../../deception/statistics/paired-test.ts';
import { createRatio, type Sums } from '../../../deception/statistics/sums.ts';
import {
  isFailed,
  isPlantedRateMissed,
  evaluateFindings,
  evaluatePools,
  listWeakCoverage,
  measureContrast,
  measureCoverage,
  measureNullComparisons,
  testWithinBounds,
  type SamplingTrial,
  type ValidationFinding,
} from '../../../tools/validate/measurement-validation.ts';
import { formatInterval } from '../../../report/format.ts';

const pool: Sums[] = Array.from({ length: 60 }, (_, index) => ({ lies: (index * 7) % 5, of: 6 + (index % 4) }));
const trial: SamplingTrial = {
  figure: createRatio('lies', 'of'),
  range: [0, 1],
  size: 20,
  repetitions: 60,
  resamples: 200,
  seed: 3,
};

describe('coverage', () => {
  it('is counted against the figure of the whole pool', () => {
    const { truth, covered, without, repetitions } = measureCoverage(pool, trial);
    expect(truth).toBeCloseTo(120 / 450, 12);
    expect(without).toBe(0);
    expect(covered / repetitions).toBeGreaterThan(0.8);
  });

  it('does not count samples that are too few for an interval', () => {
    const coverage = measureCoverage(pool, { ...trial, size: 5 });
    expect(coverage).toMatchObject({ covered: 0, without: 60, mean_width: null });
  });

  it('is the same for the same seed', () => {
    expect(measureCoverage(pool, trial)).toEqual(measureCoverage(pool, trial));
    expect(measureCoverage(pool, trial)).not.toEqual(measureCoverage(pool, { ...trial, seed: 4 }));
  });
});

describe('a contrast', () => {
  const deals = pool.map((sums) => [{ lies: sums['of']!, of: sums['of']! }, sums]);

  it('of arms that are alike is rarely found, even where the pool’s arms differ, since their order is drawn', () => {
    const { rejections, coverage } = measureContrast(deals, pairContrast, trial, 'alike');
    expect(rejections.rejected / rejections.repetitions).toBeLessThan(0.25);
    expect(coverage).toMatchObject({ truth: 0, covered: coverage.repetitions - rejections.rejected });
  });

  it('of arms as they are is covered as the whole pool has it, and found', () => {
    const { rejections, coverage } = measureContrast(deals, pairContrast, trial, 'as they are');
    expect(coverage.truth).toBeCloseTo(1 - 120 / 450, 12);
    expect(coverage.covered / coverage.repetitions).toBeGreaterThan(0.8);
    expect(rejections).toEqual({ repetitions: 60, rejected: 60, without: 0 });
  });

  it('has no interval where an arm has one of the groups that the figure compares in too few deals', () => {
    const none = { ...trial, comparedGroups: [(sums: Sums) => sums['never'] ?? 0] };
    expect(measureContrast(deals, pairContrast, none, 'alike').rejections).toMatchObject({ without: 60 });
    expect(measureCoverage(pool, none)).toMatchObject({ without: 60 });
  });
});

describe('whole comparisons of what does not differ', () => {
  it('find nothing where the arms of each deal stand in an order of their own, the same in all rows', () => {
    const deals = pool.map((sums) => [{ lies: sums['of']!, of: sums['of']! }, sums]);
    const row = { cell: {}, contrast: pairContrast, isJoint: false, part: null, deals, arms: [0, 1] };
    const metric = { ...lieTurnRate, value: trial.figure };
    const found = measureNullComparisons([{ ...row, metric }], 2, { ...trial, repetitions: 20 });
    expect(found).toMatchObject({ comparisons: 20, deals: 20, rows: 20 });
    expect(found.families).toMatchObject([{ family: 'all', comparisons: 20 }]);
    expect(found.families[0]!.any).toBeLessThan(5);
    expect(found.adjusted).toBe(found.nominal); // with one row, p is not adjusted
  });
});

describe('the exact test of a promise', () => {
  // sums of binomial probabilities, computed with Python's fractions
  it.each([
    [95, 100, 1],
    [90, 100, 0.07754],
    [100, 100, 0.01687],
  ])('of %d in %d for 94 to 96 %% gives p = %d', (count, repetitions, p) => {
    expect(testWithinBounds(count, repetitions, [0.94, 0.96])).toBeCloseTo(p, 5);
  });
});

describe('a validation', () => {
  const createFinding = (covered: number, size = 50): ValidationFinding => ({
    ...{ cell: 'c', metric: 'lie_rate', of: {}, kind: 'figure', size },
    coverage: { truth: 0.1, repetitions: 2000, covered, without: 0, mean_width: 0.1 },
    rejections: null,
  });
  const createLevel = (rejected: number): ValidationFinding => ({
    ...createFinding(0),
    ...{ kind: 'two arms', coverage: null, rejections: { repetitions: 2000, rejected, without: 0 } },
  });

  it('fails where intervals hold the truth too seldom or too often, or comparisons reject too often', () => {
    const judged = evaluateFindings([
      ...[createFinding(1900), createFinding(1800), createFinding(1990)],
      ...[createLevel(100), createLevel(200)],
    ]);
    expect(judged.map(isFailed)).toEqual([false, true, true, false, true]);
  });

  it('promises nothing under fifty deals', () => {
    expect(evaluateFindings([createFinding(1500, 20)]).map(isFailed)).toEqual([false]);
  });

  it('forgives a little: a promise is broken only where chance cannot be blamed', () => {
    expect(evaluateFindings([createFinding(1875)]).map(isFailed)).toEqual([false]);
  });

  it('lists what covers less than 93 %, the least of all cells, unless few samples have an interval', () => {
    const few = createFinding(80, 10);
    const rare = { ...few, coverage: { ...few.coverage!, repetitions: 2000, without: 1900 } };
    const part = { ...createFinding(1840, 20), kind: 'speaker' as const };
    const findings = [rare, createFinding(1850, 10), createFinding(1800, 10), createFinding(1880, 20), part];
    expect(listWeakCoverage(findings)).toEqual([
      { metric: 'lie_rate', of: 'difference', deals: 20, coverage: 0.92 },
      { metric: 'lie_rate', of: 'figure', deals: 10, coverage: 0.9 },
    ]);
  });

  it('misses a planted rate that the pool lies too many standard errors from, and one that cannot be told', () => {
    const pool = (found: number | null, se: number | null) => ({
      ...{ cell: 'c', metric: 'lie_rate', part: null, planted: 0.3, matches: 800 },
      ...{ found, se },
    });
    const judged = evaluatePools([pool(0.31, 0.01), pool(0.35, 0.01), pool(null, null), pool(0.3, 0)]);
    expect(judged.map(isPlantedRateMissed)).toEqual([false, true, true, true]);
  });
});

describe('an interval that covers too little', () => {
  it.each([
    [30, 0.915], // the value for 20 deals
    [10, 0.895],
    [4, 0.895], // not sampled for 4 deals: the next sampled number counts
    [60, null],
  ])('of %d deals is known', (deals, coverage) => {
    expect(findWeakCoverage('suspicion_auprc', 'figure', deals)).toBe(coverage);
  });

  it('stands as the page of the validation has it', () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../../docs/evidence/validation.md'), 'utf8');
    const rows = page
      .slice(page.indexOf('## Marked in reports'))
      .matchAll(/^\| ([a-z\\_]+) +\| (\w+) +\| +(\d+) \| +([\d.]+) % \|$/gm);
    const printed = [...rows].map(([, metric, of, deals, percent]) => [
      metric!.replaceAll('\\', ''),
      of,
      Number(deals),
      percent,
    ]);
    expect(printed).toEqual(
      sampledWeakCoverage.map(({ metric, of, deals, coverage }) => [metric, of, deals, (100 * coverage).toFixed(1)]),
    );
  });

  it('is of known metrics, and of figures apart from differences', () => {
    const names = metrics.map(({ name }) => name);
    expect(weakCoverage.filter(({ metric }) => !names.includes(metric))).toEqual([]);
    expect(findWeakCoverage('suspicion_auprc', 'difference', 30)).toBeNull();
  });

  it('bears a mark', () => {
    expect(formatInterval({ low: 0.1, high: 0.4, covers: 0.9 })).toBe('0.10 to 0.40 ‡');
    expect(formatInterval({ low: 0.1, high: 0.4, covers: null })).toBe('0.10 to 0.40');
  });
});
