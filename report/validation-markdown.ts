// What a validation found, as a page of two tables.
import { isFailed, promised, type Judged } from '../deception/validation/validation.ts';
import { markdownText, table } from './markdown-text.ts';
import { unknown } from './numbers.ts';

interface Effort {
  deals: number;
  repetitions: number;
  resamples: number;
}

export function validationMarkdown(findings: readonly Judged[], { deals, repetitions, resamples }: Effort): string {
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const promise = ([low, high]: readonly [number, number]) => `${percent(low)} to ${percent(high)}`;
  const failed = findings.filter(isFailed).length;
  const parts = [
    '# Validation',
    `Bots with planted rates played ${deals} deals twice for each cell of the grid. Samples of matches were drawn from them with replacement, ${repetitions} for each row, with ${resamples} resamples behind each interval. Promised: intervals hold the figure of the whole pool in ${promise(promised.coverage)} of samples, and where nothing differs p ≤ .05 in ${promise(promised.rejection)}. The exact test of that promise is adjusted by Holm’s procedure over all rows; ${failed} of ${findings.length} fail.`,
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
        percent(coverage.covered / coverage.repetitions),
        coverage.mean_width?.toFixed(3) ?? unknown,
        percent(rejections.rejected / rejections.repetitions),
        coverage_p.toFixed(3),
        rejection_p.toFixed(3),
      ]),
      2,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
