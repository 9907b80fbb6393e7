// Builds a report from the figures and from the conditions of the matches behind them.
import type { ChanceFigure } from '../baseline/chance-baseline.ts';
import { findIncomparableReason } from '../metrics/comparability.ts';
import { getFigureKey, type MetricCell, type Metric } from '../metrics/metric.ts';
import { findWeakCoverage } from '../metrics/weak-coverage.ts';
import { addRefusals } from '../record/call-figures.ts';
import { correctByRoganGladen, type MeasuredShare } from '../statistics/misclassification.ts';
import {
  countSpread,
  describeBotShare,
  describeClaimsShare,
  describePlans,
  listExtractors,
  listNotes,
  listReadingNotes,
  listRefusalNotes,
  listServerNotes,
  listUnansweredNotes,
  listUnreadNotes,
  type MatchConditions,
  summarizeSeeds,
} from './match-conditions.ts';
import { type SampleVariant } from './report-samples.ts';
import {
  type CorrectedFigure,
  type FoundFigure,
  type LeftOut,
  type Report,
  type ReportedFigure,
  reportVersion,
  type ScoreCurve,
} from './report-schema.ts';
import { listPromptNotes } from './prompt-notes.ts';
import { listMemoryNotes } from './memory-notes.ts';
import { curveMetrics } from './score-curves.ts';
import { getCellKey } from './sufficient-statistics.ts';
import { type SeatedMatch, testBiases } from './seat-bias.ts';
import { compareText } from '../../state/text.ts';

// Rates of labels by a fallible extractor, corrected for its measured errors.

/** How often the labels behind a rate are right, measured on labelled positive and negative cases. */
interface ErrorsOfLabels {
  sensitivity: MeasuredShare;
  specificity: MeasuredShare;
}

/** By the name of the metric that is computed from the labels. */
type MeasuredErrors = Readonly<Record<string, ErrorsOfLabels>>;

/** Of the lies and truths that readers labelled, how many the extractor finds any claim in. */
interface ExtractorReach {
  lies: DrawnShare;
  truths: DrawnShare;
}

interface DrawnShare {
  drawn: number;
  of: number;
}

/** The measured errors of the extractor. */
export interface KnownErrors {
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
}

/** The figures that have an interval and known errors, corrected by Rogan & Gladen's formula. */
function correctFigures(figures: readonly FoundFigure[], errors: MeasuredErrors): CorrectedFigure[] {
  return figures.flatMap(({ metric, cell, value, low, high }) => {
    const known = errors[metric];
    if (!known || value === null || low === null || high === null) return [];
    const { sensitivity, specificity } = known;
    const corrected = correctByRoganGladen({ estimate: value, low, high }, sensitivity, specificity);
    if (corrected === null) return [];
    const { estimate, isClipped } = corrected;
    return [
      {
        ...{
          metric,
          cell,
          found: value,
          value: estimate,
          low: corrected.low,
          high: corrected.high,
          is_clipped: isClipped,
        },
        ...{ sensitivity: getShare(sensitivity), sensitivity_low: sensitivity.low, sensitivity_high: sensitivity.high },
        ...{ specificity: getShare(specificity), specificity_low: specificity.low, specificity_high: specificity.high },
      },
    ];
  });
}

const getShare = ({ right, of }: MeasuredShare) => right / of;

/** All that a report is built from. */
export interface ReportFindings {
  /** The whole sample first. */
  samples: readonly SampleVariant[];
  /** The number of matches by name of the sample; absent stands for 0. */
  matches: Readonly<Record<string, number>>;
  /** The figures of all samples, in any order. */
  figures: readonly FoundFigure[];
  /** Chance baselines by `getCellKey`; absent where there is none. */
  chances: ReadonlyMap<string, ChanceFigure>;
  baselines: Report['baselines'];
  /** The conditions of the matches that are counted. */
  circumstances: readonly MatchConditions[];
  leftOut: readonly LeftOut[];
  seed: number;
  resamples: number;
  /** Null where the errors of the extractor are not known. */
  errors: KnownErrors | null;
  /** What measuring changed and how variants differ; may be left out where the matches differ in neither. */
  designEffects?: Pick<Report, 'measuring' | 'variants'>;
  curves?: readonly ScoreCurve[];
  seated?: readonly SeatedMatch[];
  /** What else to know before the figures, told after the report's own notes. */
  otherNotes?: readonly string[];
  /** What is to be said of the tournament that all matches are of; its notes stand before all others. */
  tournament?: { readonly planNotice: string; readonly notes: readonly string[] } | null;
}

/**
 * The report. The order of matches and figures does not matter. Throws a RangeError where there are no samples.
 *
 * @example
 * const report = buildReport({ samples, matches: { all: 40 }, figures, chances, baselines, circumstances, leftOut: [], seed: 1, resamples: 2000, errors: null });
 * report.metrics[0]?.figures[0]; // the first figure of the first metric, e.g. { value: 0.31, low: 0.24, high: 0.39, … }
 */
export function buildReport(findings: ReportFindings): Report {
  const {
    samples,
    matches,
    figures,
    chances,
    circumstances,
    leftOut,
    errors,
    designEffects = { measuring: [], variants: null },
    curves = [],
    seated = [],
    otherNotes = [],
    tournament = null,
    ...settings
  } = findings;
  const [whole, ...parts] = samples;
  if (!whole) throw new RangeError('A report needs a sample.');
  const bySample = Map.groupBy(figures, ({ sample }) => sample);
  const listFigures = (sample: string, metric: Metric) =>
    (bySample.get(sample) ?? []).filter((figure) => figure.metric === metric.name).sort(createFigureOrder(metric));
  const spread = countSpread(circumstances);
  const seeds = summarizeSeeds(circumstances);
  const boards = parts.filter((sample) => isBoardSample(sample) && (matches[sample.name] ?? 0) > 0);
  const shown = parts.filter((sample) => !isBoardSample(sample) || (boards.length > 1 && boards.includes(sample)));
  const headlines = whole.metrics.filter(({ isHeadline }) => isHeadline);
  const findCoverage = createCoverageFinder(whole.metrics, bySample);
  const extractors = listExtractors(spread);
  const comparable = new Set(
    whole.metrics.filter((metric) => findIncomparableReason(metric, extractors) === null).map(({ name }) => name),
  );
  const reportFigure = (figure: FoundFigure) =>
    createReportedFigure(figure, {
      chance: chances.get(getCellKey(figure)),
      coverage: findCoverage(figure),
      isComparable: comparable.has(figure.metric),
    });
  const listWholeFigures = (metric: Metric) =>
    listFigures(whole.name, metric).filter(({ cell }) => Object.keys(cell).length === metric.strata.length);
  return {
    schema_version: reportVersion,
    matches: circumstances.length,
    sealed: circumstances.filter(({ isSealed }) => isSealed).length,
    bot_notice: describeBotShare(circumstances),
    claims_notice: describeClaimsShare(spread),
    plan_notice: tournament?.planNotice ?? describePlans(circumstances),
    notes: [
      ...listPromptNotes(circumstances.map(({ promptsFault }) => promptsFault)),
      ...(tournament?.notes ?? []),
      ...listUnreadNotes(circumstances),
      ...listUnansweredNotes(circumstances),
      ...listRefusalNotes(circumstances),
      ...listServerNotes(circumstances),
      ...listReadingNotes(circumstances),
      ...listMemoryNotes(bySample.get(whole.name) ?? []),
      ...listNotes(spread, seeds, circumstances.length),
      ...otherNotes,
    ],
    ...{ seed: settings.seed, resamples: settings.resamples, level: 0.95 },
    conditions: spread,
    seeds,
    left_out: [...leftOut].sort(
      (one, other) => compareText(one.folder, other.folder) || compareText(one.message, other.message),
    ),
    refusals: addRefusals(circumstances.flatMap(({ refusals }) => refusals)),
    baselines: settings.baselines,
    metrics: whole.metrics.map((metric) => ({
      name: metric.name,
      title: metric.title,
      section: metric.section,
      definition: metric.definition,
      unit: metric.unit,
      is_headline: metric.isHeadline ?? false,
      figures: listFigures(whole.name, metric).map(reportFigure),
    })),
    samples: [whole, ...shown].map((sample) => ({
      name: sample.name,
      title: sample.title,
      definition: sample.definition,
      matches: matches[sample.name] ?? 0,
      figures: headlines
        .flatMap((metric) => (sample === whole ? listWholeFigures(metric) : listFigures(sample.name, metric)))
        .map((figure) => ({ metric: figure.metric, ...reportFigure(figure) })),
    })),
    curves: [...curves].sort(compareCurves),
    corrected:
      errors === null
        ? []
        : correctFigures(
            whole.metrics.flatMap((metric) => listFigures(whole.name, metric)),
            errors.ofLabels,
          ),
    measuring: designEffects.measuring,
    variants: designEffects.variants,
    biases: testBiases(seated, settings),
    reach: errors?.reach ?? null,
  };
}

/** Whether the sample is one of a single board; see `listSampleVariants`. */
export const isBoardSample = ({ name }: Pick<SampleVariant, 'name'>) => name.startsWith('board ');

const compareCurves = (one: ScoreCurve, other: ScoreCurve) => {
  const findPlace = ({ metric }: ScoreCurve) => curveMetrics.findIndex((name) => name === metric);
  const [first, second] = [one, other].map(({ cell }) => JSON.stringify(Object.entries(cell).sort()));
  return (
    findPlace(one) - findPlace(other) ||
    Object.keys(one.cell).length - Object.keys(other.cell).length ||
    compareText(first!, second!)
  );
};

/** Sorts figures by table in the order of the metric, then by value. */
const createFigureOrder = (metric: Metric) => {
  const tables = [[], ...metric.breakdowns].map((dimensions) => [...metric.strata, ...dimensions].sort().join(' '));
  const findTable = (cell: MetricCell) => tables.indexOf(Object.keys(cell).sort().join(' '));
  return ({ cell: one }: FoundFigure, { cell: other }: FoundFigure) =>
    findTable(one) - findTable(other) || compareValues(Object.values(one), Object.values(other));
};

/** Numbers are compared as numbers, so that round 10 comes after round 9. */
function compareValues(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  const [a, b] = [one[at] ?? '', other[at] ?? ''];
  const areNumbers = [a, b].every((value) => /^\d+$/.test(value));
  return areNumbers ? Number(a) - Number(b) : compareText(a, b);
}

/** Finds the value of the metric that says how much a figure covers, in the same cell and sample; null where there is none. */
function createCoverageFinder(metrics: readonly Metric[], bySample: ReadonlyMap<string, readonly FoundFigure[]>) {
  const coveredBy = new Map(metrics.flatMap(({ name, coveredBy: by }) => (by === undefined ? [] : [[name, by]])));
  const covering = new Set(coveredBy.values());
  const figures = [...bySample.values()].flat().filter(({ metric }) => covering.has(metric));
  // Metrics name dimensions in an order of their own.
  const getKey = ({ sample, ...figure }: Pick<FoundFigure, 'sample' | 'metric' | 'cell'>) =>
    JSON.stringify([sample, getFigureKey(figure)]);
  const values = new Map(figures.map((figure) => [getKey(figure), figure.value]));
  return ({ sample, metric, cell }: FoundFigure) => {
    const by = coveredBy.get(metric);
    return by === undefined ? null : (values.get(getKey({ sample, metric: by, cell })) ?? null);
  };
}

/** What stands beside a figure. */
interface FigureContext {
  chance: ChanceFigure | undefined;
  coverage: number | null;
  isComparable: boolean;
}

function createReportedFigure(found: FoundFigure, { chance, coverage, isComparable }: FigureContext): ReportedFigure {
  const { cell, value, low, high, method, reason, ...figure } = found;
  const { opportunities, matches, mean_of_matches, matches_with_value, lowest, highest } = figure;
  return {
    ...{ cell, value, low, high, method, reason },
    ...{ opportunities, matches, mean_of_matches, matches_with_value, lowest, highest },
    ...{ chance: chance?.value ?? null, chance_se: chance?.se ?? null, comparable: isComparable },
    ...{ covers: low === null ? null : findWeakCoverage(found.metric, 'figure', found.matches), coverage },
  };
}
