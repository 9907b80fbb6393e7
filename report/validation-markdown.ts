// What a validation found, as a page of two tables.
import {
  isFailed,
  isMissed,
  promised,
  told,
  type Judged,
  type JudgedPool,
} from '../deception/validation/validation.ts';
import { markdownText, table } from './markdown-text.ts';
import { unknown } from './numbers.ts';

interface Effort {
  deals: number;
  repetitions: number;
  resamples: number;
}

export function validationMarkdown(
  pools: readonly JudgedPool[],
  findings: readonly Judged[],
  { deals, repetitions, resamples }: Effort,
): string {
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const shareOf = (count: number, trials: { repetitions: number; without: number }) =>
    told(trials) === 0 ? unknown : percent(count / told(trials)) + (trials.without === 0 ? '' : ` of ${told(trials)}`);
  const promise = ([low, high]: readonly [number, number]) => `${percent(low)} to ${percent(high)}`;
  const failed = findings.filter(isFailed).length;
  const parts = [
    '# Validation',
    `Bots with planted rates played ${deals} deals twice for each cell of the grid.`,
    '## What was planted comes out',
    `The figure of all matches of a cell against the rate that was planted, with its standard error over matches; p by the normal distribution, adjusted by Holm’s procedure over all rows; ${pools.filter(isMissed).length} of ${pools.length} fail.`,
    table(
      ['Cell', 'Figure', 'Matches', 'Planted', 'Found', 'Standard error', 'p'],
      pools.map(({ cell, metric, matches, planted, found, se, p }) => [
        markdownText(cell),
        markdownText(metric),
        String(matches),
        planted.toFixed(2),
        found?.toFixed(3) ?? unknown,
        se?.toFixed(3) ?? unknown,
        p.toFixed(3),
      ]),
      2,
    ),
    '## Intervals and comparisons',
    `Samples of matches were drawn from them with replacement, ${repetitions} for each row, with ${resamples} resamples behind each interval. Promised: intervals hold the figure of the whole pool in ${promise(promised.coverage)} of samples, and where nothing differs p ≤ .05 in ${promise(promised.rejection)}. Where a sample has too few matches with data there is neither, and shares are of the others, whose number then stands there. The exact test of that promise is adjusted by Holm’s procedure over all rows; ${failed} of ${findings.length} fail.`,
    table(
      [
        'Cell',
        'Figure',
        'Matches',
        'Planted',
        'Pool',
        'Coverage',
        'Mean width',
        'Rejections',
        'p (coverage)',
        'p (rejections)',
      ],
      findings.map(({ cell, metric, size, planted, coverage, rejections, coverage_p, rejection_p }) => [
        markdownText(cell),
        markdownText(metric),
        String(size),
        planted.toFixed(2),
        coverage.truth?.toFixed(3) ?? unknown,
        shareOf(coverage.covered, coverage),
        coverage.mean_width?.toFixed(3) ?? unknown,
        shareOf(rejections.rejected, rejections),
        coverage_p.toFixed(3),
        rejection_p.toFixed(3),
      ]),
      2,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
