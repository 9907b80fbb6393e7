// Builds a report from the figures and from the conditions of its matches.
import type { ChanceFigure } from '../baseline/chance-baseline.ts';
import { addForms, addRefusals } from '../record/call-figures.ts';
import { correctFigures, type KnownErrors } from './corrected-figures.ts';
import {
  judgeReader,
  countSpread,
  describeBotShare,
  describeClaimsShare,
  describePlans,
  listExtractors,
  listNotes,
  listReadingNotes,
  listRefusalNotes,
  describeReplacedModels,
  listServerNotes,
  listUnansweredNotes,
  listDroppedNotes,
  listUnreadNotes,
  type MatchConditions,
  summarizeSeeds,
} from './match-conditions.ts';
import { type SampleVariant } from './report-samples.ts';
import { type FoundFigure, type LeftOut, type Report, reportVersion, type ScoreCurve } from './report-schema.ts';
import { listJudgeFileNotes } from './judge-file-notes.ts';
import { listPromptNotes } from './prompt-notes.ts';
import { listMemoryNotes } from './memory-notes.ts';
import { isUndivided, ReportedFigures } from './reported-figures.ts';
import { curveMetrics } from './score-curves.ts';
import { describeDrift, testDrift, type TimedMatch } from './model-drift.ts';
import { type SeatedMatch, testBiases } from './seat-bias.ts';
import { measurePeople, type PeopleMatch } from './people-figures.ts';
import { isOfModelAlone } from '../metrics/metric.ts';
import { listCorrectedModels } from '../metrics/lie-correction.ts';
import { compareText } from '../../state/text.ts';

/** The input of a report. */
export interface ReportFindings {
  /** Samples, the whole sample first. */
  samples: readonly SampleVariant[];
  /** Name of the sample → number of matches; 0 if absent. */
  matches: Readonly<Record<string, number>>;
  /** Figures of all samples, in any order. */
  figures: readonly FoundFigure[];
  /** Chance baselines by `getCellKey`; absent if there is none. */
  chances: ReadonlyMap<string, ChanceFigure>;
  baselines: Report['baselines'];
  /** Conditions of the matches that count. */
  circumstances: readonly MatchConditions[];
  leftOut: readonly LeftOut[];
  seed: number;
  resamples: number;
  /** Measured errors of the extractor; null if unknown. */
  errors: KnownErrors | null;
  /** Models whose statements people labeled to measure the errors. */
  measured?: readonly string[] | undefined;
  /** Results of people's labels; null without a gold sample. */
  gold?: Report['gold'] | undefined;
  /** Effects of measuring and of variants. Optional if the matches differ in neither. */
  designEffects?: Pick<Report, 'measuring' | 'variants'>;
  curves?: readonly ScoreCurve[];
  seated?: readonly SeatedMatch[];
  timed?: readonly TimedMatch[];
  /** Matches in which people played. */
  peopled?: readonly PeopleMatch[];
  /** Further notes, printed after the report's own. */
  otherNotes?: readonly string[];
  /** Notes about the tournament that all matches belong to. These notes precede all other notes. */
  tournament?: { readonly planNotice: string; readonly notes: readonly string[] } | null;
}

/**
 * Builds the report without the table of answers, which needs the comparison of models. The order of matches and
 * figures does not matter. Throws a RangeError without samples.
 *
 * @example
 * const report = buildReport({ samples, matches: { all: 40 }, figures, chances, baselines, circumstances, leftOut: [], seed: 1, resamples: 2000, errors: null });
 * report.metrics[0]?.figures[0]; // the first figure of the first metric, e.g. { value: 0.31, low: 0.24, high: 0.39, … }
 */
export function buildReport(findings: ReportFindings): Report {
  const { circumstances, errors, designEffects = { measuring: [], variants: null } } = findings;
  const [whole] = findings.samples;
  if (!whole) throw new RangeError('A report needs a sample.');
  const spread = countSpread(circumstances);
  const seeds = summarizeSeeds(circumstances);
  const reading = judgeReader(circumstances, [...listCorrectedModels(errors?.byWriter), ...(findings.measured ?? [])]);
  const drift = testDrift(findings.timed ?? [], findings);
  const extractors = listExtractors(spread);
  const table = new ReportedFigures(findings.figures, whole.metrics, findings.chances, extractors, reading.finding);
  return {
    schema_version: reportVersion,
    matches: circumstances.length,
    sealed: circumstances.filter(({ isSealed }) => isSealed).length,
    bot_notice: describeBotShare(circumstances),
    claims_notice: describeClaimsShare(extractors, reading),
    drift_notice: joinNotices([describeReplacedModels(circumstances), describeDrift(drift)]),
    judge_reading: reading.finding,
    plan_notice: findings.tournament?.planNotice ?? describePlans(circumstances),
    notes: listReportNotes(findings, table.list(whole.name), seeds),
    ...{ seed: findings.seed, resamples: findings.resamples, level: 0.95 },
    answers: [],
    conditions: spread,
    seeds,
    left_out: sortLeftOut(findings.leftOut),
    refusals: addRefusals(circumstances.flatMap(({ refusals }) => refusals)),
    asked_as: addForms(circumstances.flatMap(({ servers }) => servers)),
    baselines: findings.baselines,
    metrics: listReportedMetrics(whole, table),
    samples: listReportedSamples(whole, findings, table),
    curves: [...(findings.curves ?? [])].sort(compareCurves),
    corrected: errors === null ? [] : correctFigures(listFiguresOf(whole, table), errors),
    measuring: designEffects.measuring,
    variants: designEffects.variants,
    drift,
    biases: testBiases(findings.seated ?? [], findings),
    ...dropNull({ people: measurePeople(findings.peopled ?? []) }),
    gold: findings.gold ?? null,
    reach: errors?.reach ?? null,
  };
}

const joinNotices = (notices: readonly (string | null)[]) =>
  notices.some((one) => one !== null) ? notices.filter((one) => one !== null).join(' ') : null;

const sortLeftOut = (leftOut: readonly LeftOut[]) =>
  [...leftOut].sort((one, other) => compareText(one.folder, other.folder) || compareText(one.message, other.message));

/** Lists the figures of all metrics of a sample, in the order of its metrics. */
const listFiguresOf = ({ name, metrics }: SampleVariant, table: ReportedFigures) =>
  metrics.flatMap((metric) => table.listOf(name, metric));

/** Describes each metric, with its figures in the whole sample. */
const listReportedMetrics = (whole: SampleVariant, table: ReportedFigures): Report['metrics'] =>
  whole.metrics.map((metric) => ({
    name: metric.name,
    title: metric.title,
    section: metric.section,
    definition: metric.definition,
    unit: metric.unit,
    is_headline: metric.isHeadline ?? false,
    filled_by: metric.filledBy ?? null,
    is_own_deed: isOfModelAlone(metric),
    figures: table.listOf(whole.name, metric).map((figure) => table.report(figure)),
  }));

/**
 * Lists the samples with their headline figures. If only one board was played, samples of single boards are left out.
 */
function listReportedSamples(
  whole: SampleVariant,
  { samples, matches }: Pick<ReportFindings, 'samples' | 'matches'>,
  table: ReportedFigures,
): Report['samples'] {
  const parts = samples.slice(1);
  const boards = parts.filter((sample) => isBoardSample(sample) && (matches[sample.name] ?? 0) > 0);
  const shown = parts.filter((sample) => !isBoardSample(sample) || (boards.length > 1 && boards.includes(sample)));
  const headlines = whole.metrics.filter(({ isHeadline }) => isHeadline);
  return [whole, ...shown].map((sample) => ({
    name: sample.name,
    title: sample.title,
    definition: sample.definition,
    matches: matches[sample.name] ?? 0,
    figures: headlines
      .flatMap((metric) =>
        table.listOf(sample.name, metric).filter((figure) => sample !== whole || isUndivided(figure, metric)),
      )
      .map((figure) => ({ metric: figure.metric, ...table.report(figure) })),
  }));
}

/** Omits the field `people` from a report of models alone. */
const dropNull = ({ people }: { people: Report['people'] | null }): Pick<Report, 'people'> =>
  people === null || people === undefined ? {} : { people };

/** Returns whether the sample covers a single board; see `listSampleVariants`. */
export const isBoardSample = ({ name }: Pick<SampleVariant, 'name'>) => name.startsWith('board ');

/**
 * Lists the notes above the figures. Notes about a tournament precede all other notes except notes on damaged prompts.
 */
function listReportNotes(
  { circumstances, otherNotes = [], tournament }: ReportFindings,
  figures: readonly FoundFigure[],
  seeds: Report['seeds'],
): string[] {
  return [
    ...listJudgeFileNotes(circumstances.map(({ judgeFault }) => judgeFault)),
    ...listPromptNotes(circumstances.map(({ promptsFault }) => promptsFault)),
    ...(tournament?.notes ?? []),
    ...listUnreadNotes(circumstances),
    ...listDroppedNotes(circumstances),
    ...listUnansweredNotes(circumstances),
    ...listRefusalNotes(circumstances),
    ...listServerNotes(circumstances),
    ...listReadingNotes(circumstances),
    ...listMemoryNotes(figures),
    ...listNotes(countSpread(circumstances), seeds, circumstances.length),
    ...otherNotes,
  ];
}

const compareCurves = (one: ScoreCurve, other: ScoreCurve) => {
  const findPlace = ({ metric }: ScoreCurve) => curveMetrics.findIndex((name) => name === metric);
  const [first, second] = [one, other].map(({ cell }) => JSON.stringify(Object.entries(cell).sort()));
  return (
    findPlace(one) - findPlace(other) ||
    Object.keys(one.cell).length - Object.keys(other.cell).length ||
    compareText(first!, second!)
  );
};
