// Coverage and width of the intervals of shares over few deals of few cases, by the earlier rule and by today's rule:
// `npm run validate -- --shares`.
import { computeClusterInterval, createResampling, MIN_CLUSTERS } from '../../deception/statistics/bootstrap.ts';
import {
  computeEffectiveTrials,
  computeShareBounds,
  type IntervalBounds,
} from '../../deception/statistics/proportion.ts';
import { boundShare, countShareCases } from '../../deception/statistics/share-interval.ts';
import { addSums, createRatio, readAt, type Statistic, sum } from '../../deception/statistics/sums.ts';
import { renderTable } from '../../report/format.ts';
import { draw, drawNormal, type RandomSource } from '../../state/random.ts';
import { testWithinBounds } from './measurement-validation.ts';

/**
 * A planted share: every deal draws a share from a beta distribution, and then each of its cases with this share as the
 * probability.
 */
export interface ShareCell {
  readonly share: number;
  readonly deals: number;
  /** Number of cases per deal. */
  readonly cases: number;
  /** Correlation of two cases of a deal. */
  readonly correlation: number;
}

/** Number of samples, seed, and resamples behind each earlier interval. */
export interface ShareTrial {
  readonly repetitions: number;
  readonly resamples: number;
  readonly seed: number;
}

interface MeasuredIntervals {
  /** Number of samples whose interval contains the planted share. */
  readonly covered: number;
  readonly meanWidth: number;
  /** Width that one in 20 intervals exceeds. */
  readonly wideWidth: number;
  readonly widest: number;
}

/** Intervals in samples of one cell: by the earlier rule (null with fewer than ten deals) and by today's. */
export interface ShareFinding {
  readonly cell: ShareCell;
  readonly repetitions: number;
  readonly before: MeasuredIntervals | null;
  readonly after: MeasuredIntervals;
}

const shares = [0.05, 0.1, 0.2, 0.3, 0.5] as const;

/** Cells of the validation. */
export const shareCells: readonly ShareCell[] = [5, 10, 20, 30].flatMap((deals) =>
  [2, 4, 6].flatMap((cases) =>
    [0, 0.2, 0.5].flatMap((correlation) => shares.map((share) => ({ share, deals, cases, correlation }))),
  ),
);

/** Number of samples per cell, in a whole and in a quick validation. */
export const shareRepetitions = { whole: 2000, quick: 100 } as const;

/** Coverage that is promised in every cell, except for deviations by chance. */
const LEAST_COVERAGE = 0.93;

const ratio = createRatio('part', 'whole');
/** The statistic `ratio` without the counts of a share, so that its interval comes from the bootstrap. */
const figure: Statistic = Object.assign((sums: Parameters<Statistic>[0]) => ratio(sums), { prepare: ratio.prepare });
const range = [0, 1] as const;

/** Draws from a gamma distribution of this shape (Marsaglia & Tsang 2000). */
function drawGamma(chance: RandomSource, shape: number): number {
  if (shape < 1) return drawGamma(chance, shape + 1) * chance.fraction() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = drawNormal(chance);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - chance.fraction()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

function drawShare(chance: RandomSource, { share, correlation }: ShareCell): number {
  if (correlation === 0) return share;
  const size = 1 / correlation - 1;
  const [part, rest] = [drawGamma(chance, share * size), drawGamma(chance, (1 - share) * size)];
  return part + rest === 0 ? Number(chance.fraction() < share) : part / (part + rest);
}

const drawSample = (chance: RandomSource, cell: ShareCell) =>
  Array.from({ length: cell.deals }, () => {
    const own = drawShare(chance, cell);
    const part = Array.from({ length: cell.cases }).filter(() => chance.fraction() < own).length;
    return { part, whole: cell.cases };
  });

/**
 * Computes the interval by the earlier rule: Korn & Graubard's for fewer than five independent cases of the rarer
 * outcome, else the studentized bootstrap.
 */
function boundEarlier(sample: ReturnType<typeof drawSample>, options: Parameters<typeof computeClusterInterval>[2]) {
  const { estimate, low, high, se } = computeClusterInterval(sample, figure, options);
  if (estimate === null || low === null || high === null || se === null) return null;
  const counts = { clusters: sample.length, trials: sum(sample.map(({ whole }) => whole)) };
  const effective = computeEffectiveTrials({ share: estimate, error: se, ...counts });
  const isRare = se > 0 && effective * Math.min(estimate, 1 - estimate) < 5;
  return isRare ? computeShareBounds(estimate, effective) : ([low, high] as const);
}

/**
 * Computes the interval by today's rule. With fewer than ten deals, pages print no interval, so the bounds are computed
 * directly.
 */
function boundToday(sample: ReturnType<typeof drawSample>, options: Parameters<typeof computeClusterInterval>[2]) {
  const { low, high } = computeClusterInterval(sample, ratio, options);
  if (low !== null && high !== null) return [low, high] as const;
  const value = ratio(addSums(sample)) ?? 0;
  const cases = countShareCases(sample, ratio, value);
  if (cases === null) return null;
  const squares = sum(sample.map(({ part, whole }) => (part - value * whole) ** 2));
  const clusters = sample.length;
  const error = Math.sqrt((squares * clusters) / (clusters - 1)) / cases.trials;
  return boundShare({ value, error }, { ...cases, clusters }, range)?.bounds ?? null;
}

function summarize(found: readonly (IntervalBounds | null)[], share: number): MeasuredIntervals {
  const bounds = found.filter((one) => one !== null);
  const widths = bounds.map(([low, high]) => high - low).toSorted((one, other) => one - other);
  return {
    covered: bounds.filter(([low, high]) => low <= share && share <= high).length,
    meanWidth: sum(widths) / widths.length,
    wideWidth: readAt(widths, Math.floor(0.95 * widths.length)),
    widest: readAt(widths, widths.length - 1),
  };
}

/**
 * Draws samples of a cell, and computes both intervals in each.
 *
 * @example measureShares({ share: 0.2, deals: 10, cases: 2, correlation: 0 }, { repetitions: 100, resamples: 79, seed: 1 })
 */
export function measureShares(cell: ShareCell, { repetitions, resamples, seed }: ShareTrial): ShareFinding {
  const { share, deals, cases, correlation } = cell;
  const chance = draw(seed, 'shares', share, deals, cases, correlation);
  const options = { resampling: createResampling(deals, resamples, seed), range };
  const samples = Array.from({ length: repetitions }, () => drawSample(chance, cell));
  const before = deals < MIN_CLUSTERS ? null : samples.map((sample) => boundEarlier(sample, options));
  return {
    ...{ cell, repetitions, before: before && summarize(before, share) },
    after: summarize(samples.map((sample) => boundToday(sample, options)), share), // prettier-ignore
  };
}

/**
 * Lists the cells in which less than 93% of the intervals contain the planted share, by exact tests with Bonferroni's
 * correction.
 */
export const listBrokenShares = (findings: readonly ShareFinding[]): ShareFinding[] =>
  findings.filter(
    ({ after, repetitions }) =>
      testWithinBounds(after.covered, repetitions, [LEAST_COVERAGE, 1]) <= 0.05 / findings.length,
  );

const formatPercent = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);
const formatWidth = (width: number) => width.toFixed(2).replace(/^0/, '');

/**
 * Renders coverage and widths, before and after, as a part of a page.
 *
 * @example renderShareValidation(shareCells.map((cell) => measureShares(cell, trial)), trial)
 */
export function renderShareValidation(
  findings: readonly ShareFinding[],
  { repetitions, resamples }: ShareTrial,
): string {
  const broken = new Set(listBrokenShares(findings));
  const printed = findings.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]));
  const listCoverage = (of: 'before' | 'after') => printed.map((one) => one[of].covered / repetitions);
  const describe = (of: 'before' | 'after') => {
    const coverage = listCoverage(of);
    const below = coverage.filter((one) => one < LEAST_COVERAGE).length;
    return `${(100 * Math.min(...coverage)).toFixed(1)} to ${(100 * Math.max(...coverage)).toFixed(1)} %, below 93 % in ${below} of ${coverage.length} cells`;
  };
  const compare = (width: 'meanWidth' | 'wideWidth' | 'widest') => {
    const ratios = printed.map(({ before, after }) => after[width] / before[width]);
    return `${(sum(ratios) / ratios.length).toFixed(2)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  };
  const rows = Map.groupBy(findings, ({ cell }) => JSON.stringify([cell.deals, cell.cases, cell.correlation]));
  const format = (finding: ShareFinding) => {
    const { before, after } = finding;
    const describeOne = ({ covered, meanWidth, wideWidth }: MeasuredIntervals) =>
      `${formatPercent(covered, repetitions)}, ${formatWidth(meanWidth)}, ${formatWidth(wideWidth)}`;
    return `${before === null ? '' : `${describeOne(before)} → `}${describeOne(after)}${broken.has(finding) ? ', fails' : ''}`;
  };
  return `${[
    '## Intervals of shares',
    `Made by \`npm run validate -- --shares${repetitions === shareRepetitions.whole ? '' : ` --repetitions ${repetitions}`} --out FOLDER\`. ${repetitions} samples per cell; in each sample, every deal draws its own share from a beta distribution. _Before_: the studentized bootstrap (${resamples} resamples), or Korn & Graubard’s bounds with fewer than five independent cases of the rarer outcome. _Now_, for deals of up to six cases: Korn & Graubard’s bounds with fewer than five such cases, otherwise Student’s t of the log-odds.`,
    [
      `- **Coverage** of 95 % intervals before: ${describe('before')}. Now: ${describe('after')}; ${broken.size === 0 ? 'none' : broken.size} significantly, by an exact test (Bonferroni over all cells).`,
      `- **Width** now, relative to before: the mean is ${compare('meanWidth')}, the width that one interval of 20 exceeds is ${compare('wideWidth')}, and the widest is ${compare('widest')}.`,
      `- With fewer than ${MIN_CLUSTERS} deals, pages print no interval. The table then shows the bounds that would be printed.`,
    ].join('\n'),
    'Coverage in %, mean width, and width that one interval of 20 exceeds, before → now, by planted share.',
    renderTable(
      ['Deals', 'Cases per deal', 'Correlation', ...shares.map(formatWidth)],
      [...rows.values()].map((own) => {
        const [{ cell }] = own as [ShareFinding];
        return [String(cell.deals), String(cell.cases), String(cell.correlation), ...own.map(format)];
      }),
      3,
    ),
  ].join('\n\n')}\n`;
}
