// The results of a validation as a page for researchers, with two tables.
import {
  countTrialsWithResult,
  isFailed,
  isMissed,
  type JudgedFinding,
  type JudgedPool,
  promisedBounds,
} from '../deception/validation/validation.ts';
import { escapeMarkdown, renderTable, unknownDash } from './format.ts';

interface ValidationEffort {
  deals: number;
  repetitions: number;
  resamples: number;
}

/** The page as Markdown: planted rates against those found, and the coverage and rejections of samples. */
export function renderValidation(
  pools: readonly JudgedPool[],
  findings: readonly JudgedFinding[],
  { deals, repetitions, resamples }: ValidationEffort,
): string {
  const formatExactPercent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const formatTrialShare = (count: number, trials: { repetitions: number; without: number }) =>
    countTrialsWithResult(trials) === 0
      ? unknownDash
      : formatExactPercent(count / countTrialsWithResult(trials)) +
        (trials.without === 0 ? '' : ` of ${countTrialsWithResult(trials)}`);
  const formatPromise = ([low, high]: readonly [number, number]) =>
    `${formatExactPercent(low)} to ${formatExactPercent(high)}`;
  const failed = findings.filter(isFailed).length;
  const parts = [
    '# Validation',
    `Bots with planted rates played ${deals} deals twice for each cell of the grid.`,
    '## What was planted comes out',
    `The figure of all matches of a cell against the rate that was planted, with its standard error over matches; p by the normal distribution, adjusted by Holm’s procedure over all rows; ${pools.filter(isMissed).length} of ${pools.length} fail.`,
    renderTable(
      ['Cell', 'Figure', 'Matches', 'Planted', 'Found', 'Standard error', 'p'],
      pools.map(({ cell, metric, matches, planted, found, se, p }) => [
        escapeMarkdown(cell),
        escapeMarkdown(metric),
        String(matches),
        planted.toFixed(2),
        found?.toFixed(3) ?? unknownDash,
        se?.toFixed(3) ?? unknownDash,
        p.toFixed(3),
      ]),
      2,
    ),
    '## Intervals and comparisons',
    `Samples of matches were drawn from them with replacement, ${repetitions} for each row, with ${resamples} resamples behind each interval. Promised: intervals hold the figure of the whole pool in ${formatPromise(promisedBounds.coverage)} of samples, and where nothing differs p ≤ .05 in ${formatPromise(promisedBounds.rejection)}. Where a sample has too few matches with data there is neither, and shares are of the others, whose number then stands there. The exact test of that promise is adjusted by Holm’s procedure over all rows; ${failed} of ${findings.length} fail.`,
    renderTable(
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
        escapeMarkdown(cell),
        escapeMarkdown(metric),
        String(size),
        planted.toFixed(2),
        coverage.truth?.toFixed(3) ?? unknownDash,
        formatTrialShare(coverage.covered, coverage),
        coverage.mean_width?.toFixed(3) ?? unknownDash,
        formatTrialShare(rejections.rejected, rejections),
        coverage_p.toFixed(3),
        rejection_p.toFixed(3),
      ]),
      2,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
