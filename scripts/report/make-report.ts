// Makes a report of many matches: plans and distributes the work, rates models, and builds and renders the results.
import { countUnjudged, judgeReader } from '../../deception/summary/match-conditions.ts';
import { computeChances, listUsedBaselines } from '../../deception/summary/report-chances.ts';
import { listSampleVariants } from '../../deception/summary/report-samples.ts';
import { compareDesigns } from '../../deception/comparison/design-effects.ts';
import type { ChanceFigure } from '../../deception/baseline/chance-baseline.ts';
import { metrics } from '../../deception/metrics/index.ts';
import {
  createLieCorrection,
  type LieCorrection,
  listCorrectedModels,
} from '../../deception/metrics/lie-correction.ts';
import { askedMetrics } from '../../deception/answers/answered-match.ts';
import { getCellKey } from '../../deception/summary/sufficient-statistics.ts';
import { wholeSampleName } from '../../deception/summary/report-samples.ts';
import { buildAnswerTables } from '../../deception/answers/build-answer-tables.ts';
import { listUnjudgedCautions } from '../../deception/answers/unknown-answers.ts';
import { describeSoFar } from '../../report/progress-page.ts';
import { buildReport } from '../../deception/summary/build-report.ts';
import type { KnownErrors } from '../../deception/summary/corrected-figures.ts';
import { type SampledExamples, ExampleSampler } from '../../deception/summary/example-sampler.ts';
import type { ExampleGroup } from '../../deception/summary/figure-examples.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { CsvForm } from '../../report/csv-form.ts';
import type { CommandIO } from '../command/command-line.ts';
import { type BaselineOptions, makeBaselines, readBaselines } from './baseline-cache.ts';
import {
  describeReportedTournament,
  explainUnrated,
  findDecidedDeals,
  findTournament,
  isOfOneTournament,
  listRatedExamples,
  makeLeaderboard,
} from './leaderboard-files.ts';
import { findUnusedJudge, nameExtractor, takeInventory, type WantedMatches } from './match-inventory.ts';
import type { KnownManifests } from './known-manifests.ts';
import { writeMatchPages } from './match-pages.ts';
import type { CacheOptions } from './measurement-cache.ts';
import { type ReportPages, renderReportPages } from './report-pages.ts';
import { chooseThreads, openWorkerPool, type ReportJob, type WorkerPool } from './report-worker.ts';
import type { StepListener } from '../command/work-progress.ts';
import { makeFigures, measureAll, type MeasuredMatches } from './share-report-work.ts';
import { openTables, type TableFiles } from './table-files.ts';

export interface ReportOptions {
  /** Folders of matches, or folders that contain some. */
  folders: readonly string[];
  out: string;
  seed: number;
  resamples: number;
  isTabled: boolean;
  /** Judge, see `WantedMatches.judge`. The judge's answers must be cached. */
  judge?: WantedMatches['judge'];
  /** File of measured errors. Default: the errors measured for the rules; none for a judge. */
  errors?: string | undefined;
  presupposed?: boolean | undefined;
  /** Prices that were unknown when models were called. */
  prices?: WantedMatches['prices'];
  /** Models whose labeled statements measure the judge's errors. */
  measured?: readonly string[] | undefined;
  /** Results of the labeled gold sample, which the pages show; null or absent without a gold sample. */
  gold?: Report['gold'] | undefined;
  /** Name of a statement → sums from the gold sample that correct the share of lies. */
  imputed?: LieCorrection['gold'];
  /** Settings of chance baselines; null for a report without them. */
  baselines: BaselineOptions | null;
  /** Cache of measurements and reports; null or absent to read every record. */
  cache?: CacheOptions | null | undefined;
  /** Number of threads. Default: a number that suits the machine. The report does not depend on it. */
  threads?: number;
  /** Aborts the report. An aborted report leaves no files behind. */
  signal?: AbortSignal | undefined;
  /**
   * Replaces `signal` if no other work runs in the process. Signals are then handled only while threads work. At other
   * times a signal ends the process.
   */
  signals?: Pick<CommandIO, 'listenToSignals' | 'releaseSignals'>;
  /** Whether to rate models. Default: only if all matches are from one tournament. */
  isRated?: boolean | undefined;
  /** Whether the leaderboard also has a rating over all conditions together. */
  isPooled?: boolean | undefined;
  /** Whether each match with an example in the report gets a page, `match.html`, next to its record. */
  hasMatchPages?: boolean | undefined;
  /**
   * Whether matches of which the judge has read nothing are reported. Otherwise a RecordError is thrown, because the
   * judge that was asked for has given no answer.
   */
  isUnreadShown?: boolean | undefined;
  /** Called with the current step of the work, its amount done, and its total amount. */
  onStep?: StepListener | undefined;
  /**
   * Progress of an incomplete study, as text. Present if the figures of such a study are wanted: they are then marked
   * as preliminary, and no models are compared.
   */
  soFar?: string | undefined;
  /** Form of CSV files. Default: plain. */
  csv?: CsvForm | undefined;
  /** Manifests that earlier steps of the command found in the folders. */
  known?: KnownManifests | undefined;
  /** Called with a message about every file that could not be used or written. */
  warn?: ((message: string) => void) | undefined;
}

/**
 * Reads all matches, writes their rows into `tablesFolder`, and renders all pages that `known` does not contain.
 * Removes its files on failure.
 */
export async function makeReport(
  options: ReportOptions,
  folders: readonly string[],
  { known, errors, tablesFolder }: { known: ReportPages | null; errors: KnownErrors | null; tablesFolder: string },
): Promise<{ pages: ReportPages; tables: TableFiles | null }> {
  const plan = planReport(options, folders);
  const tables = options.isTabled ? openTables(tablesFolder, undefined, options.csv) : null;
  const signal = options.signal ?? (plan.threads < 2 ? undefined : options.signals?.listenToSignals());
  const correction = createLieCorrection({ byWriter: errors?.byWriter, gold: options.imputed });
  const pool = openWorkerPool({ ...createSettings(options, plan, known), correction }, plan.threads);
  try {
    const measured = await measureAll(pool.workers, plan.jobs, tables, { signal, onStep: options.onStep });
    const pages = known ?? (await makePages(options, plan, measured, { ...pool, signal, errors }));
    return { pages, tables };
  } catch (error) {
    tables?.discard();
    throw error;
  } finally {
    await pool.close();
    options.signals?.releaseSignals();
  }
}

type ReportPlan = ReturnType<typeof planReport>;

/** Plans the work. Throws a UsageError for options that do not suit the matches. */
function planReport(options: ReportOptions, folders: readonly string[]) {
  const { baselines } = options;
  const stock = takeInventory(folders, options.known);
  const isOfTournament = isOfOneTournament(stock.tournaments);
  const isRated = options.isRated ?? isOfTournament;
  if (options.isPooled && !isRated)
    throw new UsageError(
      '--pooled needs a leaderboard, but these matches do not all belong to one tournament. Name the folder of one, or rate their models with --leaderboard.',
    );
  const jobs = stock.matches.map((match, place): ReportJob => ({ ...match, place }));
  const kept = baselines ? readBaselines(stock.grounds.keys(), baselines) : new Map<string, never>();
  return {
    ...{ stock, jobs, isRated, isOfTournament },
    boards: [...new Set(jobs.map(({ board }) => board))].sort(),
    tournament: isOfTournament ? findTournament(options.folders, folders, options.warn) : null,
    /** Cached chance baselines. */
    kept,
    threads: options.threads ?? chooseThreads(jobs.length, baselines !== null && kept.size < stock.grounds.size),
  };
}

const createSettings = (
  { seed, resamples, isTabled, judge, presupposed, prices = {}, cache = null }: ReportOptions,
  { stock, boards, isRated, isOfTournament }: ReportPlan,
  known: ReportPages | null,
) => ({
  ...{ boards, seed, resamples, isTabled, judge, presupposed, cache, prices: { ...stock.prices, ...prices } },
  ...{ isDesigned: stock.isDesigned, isRated: isRated && known === null, isOfTournament, isCounted: known === null },
});

interface ReportMeans extends WorkerPool {
  signal: AbortSignal | undefined;
  errors: KnownErrors | null;
}

async function makePages(
  options: ReportOptions,
  plan: ReportPlan,
  measured: MeasuredMatches,
  { workers, close, signal, errors }: ReportMeans,
): Promise<ReportPages> {
  const { out, seed, resamples, judge } = options;
  const { stock, boards, tournament } = plan;
  const { circumstances, designs, seated, timed, peopled, answered } = measured;
  const leftOut = [...stock.leftOut, ...measured.leftOut];
  if (circumstances.length === 0)
    throw createNoMatchError(leftOut.map(({ folder, message }) => `${folder}: ${message}`));
  const isUnread = circumstances.every((one) => one.judgeGap !== null && one.unread === one.statements);
  if (isUnread && options.isUnreadShown !== true)
    throw createNoMatchError(circumstances.flatMap(({ judgeGap }) => judgeGap ?? []));
  const unjudged = countUnjudged(circumstances);
  const {
    figures,
    curves,
    cells,
    matches,
    examples: counted,
  } = await makeFigures(workers, measured.deals, { signal, onStep: options.onStep }, { seed, resamples });
  const chance = await findChance(options, plan, measured, { workers, signal });
  await close(); // what follows needs memory of its own
  const chances = computeChances(metrics, cells, chance);
  options.onStep?.('Making the pages', 0, 0);
  const { leaderboard, examples: rated } = rateModels(options, plan, { ...measured, errors }, chances);
  const unrated = leaderboard === null && options.isRated !== false ? explainUnrated(stock.tournaments) : null;
  const built = buildReport({
    samples: listSampleVariants(metrics, boards),
    ...{ matches, figures, chances, baselines: listUsedBaselines(chance) },
    ...{
      circumstances,
      leftOut,
      seed,
      resamples,
      errors,
      curves,
      seated,
      timed,
      peopled,
      measured: options.measured,
      gold: options.gold,
    },
    designEffects: compareDesigns(designs, metrics, { seed, resamples }),
    otherNotes: unrated === null ? [] : [unrated],
    tournament: tournament && leaderboard && describeReportedTournament(tournament, leaderboard),
  });
  const stop = tournament?.record.plan.stop;
  const answers = buildAnswerTables(answered, {
    ...{ seed, resamples, reading: built.judge_reading },
    ...(tournament && stop !== undefined && { sequential: { plannedDeals: tournament.record.plan.deals } }),
    ...(options.soFar !== undefined && { soFar: describeSoFar(options.soFar) }),
    chance: Object.fromEntries(
      askedMetrics.flatMap(({ question, metric, cell }) => {
        const found = chances.get(getCellKey({ sample: wholeSampleName, metric: metric.name, cell }));
        return found === undefined ? [] : [[question, found.value]];
      }),
    ),
    claims: built.claims_notice,
    cautions: listUnjudgedCautions({ judge, named: findUnusedJudge(judge, options.folders, options.known), folders: options.folders, unjudged, matches: circumstances.length }), // prettier-ignore
    ...(leaderboard && { ratings: leaderboard.ratings }),
    study: { folders: options.folders, isOfEntrants: plan.isOfTournament },
  });
  const report = { ...built, answers };
  const examples = [...counted, ...rated];
  if (options.hasMatchPages) await writeMatchPages(examples, options.folders, { signal, warn: options.warn });
  return renderReportPages({
    ...{ report, leaderboard: leaderboard && { ...leaderboard, answers }, examples, out },
    judge: judge || stock.isJudged ? nameExtractor(judge) : null,
  });
}

/** Finds chance baselines for the boards and rules of the matches; plays games that are not cached. */
async function findChance(
  { baselines, onStep }: ReportOptions,
  { stock, kept }: ReportPlan,
  { counted, seating }: MeasuredMatches,
  { workers, signal }: Pick<ReportMeans, 'workers' | 'signal'>,
) {
  const baselineKeys = new Map(counted.map(({ place, ground }) => [place, ground]));
  const played = new Set(baselineKeys.values());
  const needed = new Map([...stock.grounds].filter(([hash]) => played.has(hash)));
  const made = baselines
    ? await makeBaselines(needed, kept, workers, { ...baselines, names: stock.groundNames, signal, onStep })
    : kept;
  return { baselineKeys, baselines: made, seating };
}

/** Lists the models whose statements measure the judge's errors, from corpora and from a gold sample. */
const listMeasured = (errors: ReportMeans['errors'], measured: readonly string[] = []) => [
  ...listCorrectedModels(errors?.byWriter),
  ...measured,
];

/** Makes the leaderboard (null if not wanted), and examples of the matches behind it. */
function rateModels(
  { seed, resamples, isPooled, measured = [] }: ReportOptions,
  { stock, isRated, tournament }: ReportPlan,
  { rated, circumstances, errors }: Pick<MeasuredMatches, 'rated' | 'circumstances'> & Pick<ReportMeans, 'errors'>,
  chances: ReadonlyMap<string, ChanceFigure>,
) {
  if (!isRated) return { leaderboard: null, examples: [] };
  const decidedDeals = tournament && findDecidedDeals(tournament, [...rated.keys()]);
  const { finding: reading } = judgeReader(circumstances, listMeasured(errors, measured));
  return {
    leaderboard: makeLeaderboard([...rated.keys()], chances, tournament, {
      ...{ tournaments: stock.tournaments, seed, resamples, isPooled, decidedDeals, reading },
    }),
    examples: drawExamples(seed, listRatedExamples(rated, tournament, decidedDeals)),
  };
}

function drawExamples(seed: number, groups: readonly ExampleGroup[]): SampledExamples[] {
  const sampler = new ExampleSampler(seed);
  sampler.add(groups);
  return sampler.list();
}

function createNoMatchError(reasons: readonly string[]): RecordError {
  const first = reasons.slice(0, 5).map((reason) => `  ${reason}`);
  const more = reasons.length > first.length ? [`  and ${reasons.length - first.length} more`] : [];
  return new RecordError(['No match can be reported:', ...first, ...more].join('\n'));
}
