// The results of a validation as a page for researchers, with a table for each cell of the grid.
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

/**
 * The page as Markdown: for each cell of the grid its planted rates, what all its matches give, and what samples of them
 * do. The p of every row stand in `validation.json`.
 */
export function renderValidation(
  pools: readonly JudgedPool[],
  findings: readonly JudgedFinding[],
  { deals, repetitions, resamples }: ValidationEffort,
): string {
  const sizes = [...new Set(findings.map(({ size }) => size))];
  const failed = findings.filter(isFailed).length;
  const parts = [
    '# Validation',
    `Bots with planted rates played ${deals} deals twice for each cell of the grid. Of ${pools.length} planted rates ${pools.filter(isMissed).length} are missed, of ${findings.length} rows of samples ${failed} fail.`,
    [
      '- **Found** is the figure of all matches of a cell ± its standard error over matches. It is missed at p ≤ .05 (normal distribution, Holm’s procedure over all rates).',
      `- **Samples** of matches were drawn from these with replacement, ${repetitions} of each size, with ${resamples} resamples behind each interval. First stands the share of 95 % intervals that hold what was found (promised: ${formatPromise(promisedBounds.coverage)}), then their mean width, then the share of p ≤ .05 where nothing differs (promised: ${formatPromise(promisedBounds.rejection)}). Where some samples have too few matches with data, shares are of the others, whose number is given. Rows fail by an exact test of the promises (Holm’s procedure over all rows).`,
    ].join('\n'),
    ...[...Map.groupBy(pools, ({ cell }) => cell)].flatMap(([cell, rows]) => [
      `## ${escapeMarkdown(cell)}`,
      renderTable(
        ['Figure', 'Planted', 'Found', ...sizes.map((size) => `${size} matches`)],
        rows.map((pool) => [
          escapeMarkdown(pool.metric),
          pool.planted.toFixed(2),
          `${pool.found?.toFixed(3) ?? unknownDash} ± ${pool.se?.toFixed(3) ?? unknownDash}${isMissed(pool) ? ', missed' : ''}`,
          ...sizes.map((size) =>
            formatSample(findings.find((one) => one.cell === cell && one.metric === pool.metric && one.size === size)),
          ),
        ]),
        1,
      ),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const formatExactPercent = (value: number) => `${(value * 100).toFixed(1)} %`;

const formatPromise = ([low, high]: readonly [number, number]) =>
  `${formatExactPercent(low)} to ${formatExactPercent(high)}`;

/** E.g. "95.9 %, 0.134, 4.3 % of 1154": coverage, mean width, rejections. */
function formatSample(finding: JudgedFinding | undefined): string {
  if (finding === undefined) return unknownDash;
  const { coverage, rejections } = finding;
  const width = coverage.mean_width?.toFixed(3) ?? unknownDash;
  const shares = `${formatTrialShare(coverage.covered, coverage)}, ${width}, ${formatTrialShare(rejections.rejected, rejections)}`;
  return isFailed(finding) ? `${shares}, fails` : shares;
}

function formatTrialShare(count: number, trials: { repetitions: number; without: number }): string {
  const withResult = countTrialsWithResult(trials);
  if (withResult === 0) return unknownDash;
  return formatExactPercent(count / withResult) + (trials.without === 0 ? '' : ` of ${withResult}`);
}
