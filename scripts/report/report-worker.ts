// Workers that make a report together. Each reads and measures some matches and computes some figures, in a thread.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type CellTotal, selectWithBaseline, sumBatch } from '../../deception/baseline/chance-baseline.ts';
import { getDealKey } from '../../deception/design/schedule.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { LieCorrection } from '../../deception/metrics/lie-correction.ts';
import { addUpUnits, computeFigures } from '../../deception/metrics/metric-collection.ts';
import type { BoardAndRules } from '../../deception/play/random-matches.ts';
import { type CountedAnswers, createAnsweredMatch } from '../../deception/answers/answered-match.ts';
import { createLeaderboardMatch, type LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { createResampling, type Resampling } from '../../deception/statistics/bootstrap.ts';
import type { SeatedModel } from '../../deception/summary/report-chances.ts';
import { createMatchConditions, type MatchConditions } from '../../deception/summary/match-conditions.ts';
import { listSampleVariants, SampleCollection } from '../../deception/summary/report-samples.ts';
import { createDesignMatch, type DesignMatch, selectDesignMetrics } from '../../deception/comparison/design-effects.ts';
import { listFigureExamples } from '../../deception/summary/figure-examples.ts';
import { type SampledExamples, ExampleSampler } from '../../deception/summary/example-sampler.ts';
import { createPeopleMatch, type PeopleMatch } from '../../deception/summary/people-figures.ts';
import { createTimedMatch, type TimedMatch } from '../../deception/summary/model-drift.ts';
import { createSeatedMatch, type SeatedMatch } from '../../deception/summary/seat-bias.ts';
import type { FoundFigure, LeftOut, ScoreCurve } from '../../deception/summary/report-schema.ts';
import { computeCurve, hasCurve } from '../../deception/summary/score-curves.ts';
import { type AlikeCells, type CellSums, listClusters } from '../../deception/summary/sufficient-statistics.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import '../command/start-prefix.ts';
import { type CacheOptions, MeasurementCache } from './measurement-cache.ts';
import {
  describePromptsFault,
  type FoundMatch,
  hasPresupposed,
  readFirstUsable,
  type WantedMatches,
} from './match-inventory.ts';

export interface ReportWorkerSettings extends WantedMatches {
  boards: readonly string[];
  seed: number;
  resamples: number;
  /** Whether to make tables as well as figures. */
  isTabled: boolean;
  /** Whether the matches differ in variants, or in how they were measured. */
  isDesigned: boolean;
  /** Whether data for a leaderboard is wanted. */
  isRated: boolean;
  /** Whether to rate entrants of a tournament instead of models. */
  isOfTournament: boolean;
  /** Whether matches are counted in figures. False if only the matches' rows are wanted. */
  isCounted: boolean;
  /** Known errors of the extractor. */
  correction: LieCorrection | undefined;
  /** Cache of measurements; null to read every record. */
  cache: CacheOptions | null;
}

export interface ReportJob extends FoundMatch {
  /** Index among all matches. */
  place: number;
}

export interface ReportJobOutcome {
  /** Conditions of the match; null if no folder holds a sound record of a finished match. */
  circumstances: MatchConditions | null;
  /** Key of the match's deal; null for a match that does not count. */
  deal: string | null;
  leftOut: readonly LeftOut[];
  /** Seats of the match; empty if it does not count. */
  seats: readonly SeatedModel[];
  /** Tables of the match; null if not wanted. */
  tables: MatchTables | null;
  /** Data for the effects of the design; null if not wanted. */
  design: DesignMatch | null;
  /** Data for the tests of seats. Null for a match that does not count or was imported. */
  seated: SeatedMatch | null;
  /** Data for the tests of drift. Null for a match that does not count or was imported. */
  timed: TimedMatch | null;
  /** Data about people; null for a match that does not count, or in which no person played. */
  peopled: PeopleMatch | null;
  /** Data for the leaderboard; null if not wanted. */
  rated: LeaderboardMatch | null;
  /** Data for the table of answers; null for a match that does not count, or if figures are not wanted. */
  answered: CountedAnswers | null;
}

export interface GatheredMatches {
  cells: readonly CellSums[];
  /** Sample → number of matches. */
  matches: Readonly<Record<string, number>>;
  /** Examples of the cases that figures count. */
  examples: readonly SampledExamples[];
}

/** Figures of some cells, and the score curves from which the figures were computed. */
export interface MadeFigures {
  figures: FoundFigure[];
  curves: ScoreCurve[];
}

const designMetrics = selectDesignMetrics(metrics);
const metricNamed = new Map(metrics.map((metric) => [metric.name, metric]));

/** A call of a worker's method: its name and arguments. */
type Call = {
  [Name in keyof ReportWorker]: [name: Name, ...Parameters<ReportWorker[Name]>];
}[keyof ReportWorker];

class ReportWorker {
  readonly #settings: ReportWorkerSettings;
  readonly #collection: SampleCollection;
  #resampling: Resampling | null = null;
  readonly #cache: MeasurementCache | null;
  readonly #examples: ExampleSampler;

  constructor(settings: ReportWorkerSettings) {
    this.#settings = settings;
    this.#collection = new SampleCollection(listSampleVariants(metrics, settings.boards));
    this.#cache = settings.cache && new MeasurementCache(settings.cache);
    this.#examples = new ExampleSampler(settings.seed);
  }

  /** Reads matches and adds them to the samples. */
  async measure(jobs: readonly ReportJob[]): Promise<ReportJobOutcome[]> {
    const outcomes: ReportJobOutcome[] = [];
    for (const job of jobs) outcomes.push(await this.#measureOne(job));
    return outcomes;
  }

  /** Returns the sums of all matches measured in this worker, and forgets them. */
  gather(): GatheredMatches {
    return { ...this.#collection.take(), examples: this.#examples.list() };
  }

  /**
   * Makes the figures of cells from the sums of all workers. `deals`: index of a match → its deal; `uniform`: drawn for
   * as many matches, shared by all workers.
   */
  makeFigures(groups: readonly AlikeCells[], deals: ReadonlyMap<number, string>, uniform: Uint32Array): MadeFigures {
    const { resamples, seed } = this.#settings;
    const resampling = (this.#resampling ??= createResampling(deals.size, resamples, seed, uniform));
    const getDeal = (unit: string) => deals.get(Number(unit))!;
    const curves: ScoreCurve[] = [];
    const figures = groups.flatMap(({ parts, cells }) => {
      const clusters = listClusters(parts);
      const units = addUpUnits(clusters, getDeal);
      return [...Map.groupBy(cells, ({ metric }) => metric)].flatMap(([name, own]) => {
        const [curved, ...alsoCurved] = own.filter(hasCurve);
        if (curved) {
          const curve = computeCurve({ metric: name, cell: curved.cell, clusters }, resampling, getDeal);
          curves.push(curve, ...alsoCurved.map(({ cell }) => ({ ...curve, cell })));
        }
        const collected = { metric: metricNamed.get(name)!, cells: own.map(({ cell }) => cell), units };
        const made = computeFigures(collected, resampling);
        return made.map((figure, at) => ({ sample: own[at]!.sample, ...figure }));
      });
    });
    return { figures, curves };
  }

  /** Plays random matches, and adds up their sums. */
  playByChance(ground: BoardAndRules, matches: Parameters<typeof sumBatch>[2]): CellTotal[] {
    return sumBatch(selectWithBaseline(metrics), ground, matches);
  }

  async #measureOne({ place, ...match }: ReportJob): Promise<ReportJobOutcome> {
    const { sound, leftOut } = await readFirstUsable(match, { ...this.#settings, unanswered: 'not read' }, this.#cache);
    if (!sound)
      return {
        ...{ circumstances: null, deal: null, leftOut, seats: [] },
        ...{ tables: null, design: null, seated: null, timed: null, peopled: null, rated: null, answered: null },
      };
    const { manifest, tables, isSealed, judgeFault, judgeDropped, judgeGap, servers, refusals } = sound;
    if (this.#settings.isCounted) {
      this.#collection.add(place, tables);
      this.#examples.add(listFigureExamples(tables, match.folders[0]!));
    }
    return {
      circumstances: createMatchConditions(manifest, tables.statements, {
        extractor: tables.match.extractor,
        presupposed: hasPresupposed(this.#settings),
        isSealed,
        promptsFault: describePromptsFault(sound),
        judgeFault,
        judgeDropped,
        judgeGap,
        servers,
        refusals,
      }),
      deal: getDealKey(tables.match),
      leftOut,
      seats: tables.players.map(({ model, team, role }) => ({ model, team, role })),
      tables: this.#settings.isTabled ? tables : null,
      design: this.#settings.isDesigned ? createDesignMatch(tables, designMetrics) : null,
      seated: createSeatedMatch(tables, manifest.setup),
      timed: createTimedMatch(tables, servers),
      peopled: createPeopleMatch(tables),
      rated: this.#settings.isRated
        ? createLeaderboardMatch(
            tables,
            this.#settings.isOfTournament ? manifest.tournament : undefined,
            this.#settings.correction,
          )
        : null,
      answered: this.#settings.isCounted
        ? createAnsweredMatch(
            tables,
            this.#settings.isOfTournament ? manifest.tournament : undefined,
            this.#settings.correction,
          )
        : null,
    };
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  const methods = new ReportWorker(workerData as ReportWorkerSettings) as unknown as Record<
    Call[0],
    (...args: unknown[]) => unknown
  >;
  port.on('message', ([name, ...args]: Call) => {
    void Promise.resolve(methods[name](...args)).then((result) =>
      port.postMessage(result, name === 'gather' ? listBuffers(result as GatheredMatches) : []),
    ); // an error ends the thread
  });
}

/** Lists buffers that are transferred instead of copied. Several cells can share them. */
const listBuffers = ({ cells }: GatheredMatches) => [
  ...new Set(
    cells.flatMap(({ unit, size, name, amount }) =>
      [unit, size, name, amount].map(({ buffer }) => buffer as ArrayBuffer),
    ),
  ),
];

/** Interface of a report worker in this thread or another. Only one call runs at a time. */
export type PooledWorker = {
  [Name in keyof ReportWorker]: (
    ...args: Parameters<ReportWorker[Name]>
  ) => ReturnType<ReportWorker[Name]> | Promise<Awaited<ReturnType<ReportWorker[Name]>>>;
};

export interface WorkerPool {
  workers: readonly PooledWorker[];
  close(this: void): Promise<void>;
}

/**
 * Minimum number of matches for which threads are started. Fewer matches are finished before a second thread has
 * loaded.
 */
const fewestForThreads = 24;
const mostThreads = 8;
/**
 * Memory limit for young objects. Most objects live only while one match is read. Without the limit, each thread would
 * accumulate garbage.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };

/**
 * Chooses the number of threads for this many matches. Random matches take long to play, so they always use threads.
 */
export const chooseThreads = (matches: number, isToPlay: boolean) =>
  matches < fewestForThreads && !isToPlay ? 1 : Math.min(availableParallelism(), mostThreads);

/** Opens a pool of workers. With fewer than two threads, everything runs in this thread. */
export function openWorkerPool(settings: ReportWorkerSettings, threads: number): WorkerPool {
  if (threads < 2) return { workers: [new ReportWorker(settings)], close: () => Promise.resolve() };
  const started = Array.from({ length: threads }, () => startThread(settings));
  return {
    workers: started.map(({ worker }) => worker),
    close: async () => void (await Promise.all(started.map(({ thread }) => thread.terminate()))),
  };
}

function startThread(settings: ReportWorkerSettings): { worker: PooledWorker; thread: Worker } {
  const thread = new Worker(new URL(import.meta.url), { workerData: settings, resourceLimits });
  let failure: Error | null = null;
  thread.on('error', (error: Error) => (failure = error)); // otherwise an error that nobody awaits would end the process
  const call = async <Answer>(...sent: Call) => {
    if (failure) throw failure;
    const answer = once(thread, 'message'); // rejects if the thread fails
    thread.postMessage(sent);
    return ((await answer) as [Answer])[0];
  };
  const worker: PooledWorker = {
    measure: (...args) => call('measure', ...args),
    gather: () => call('gather'),
    makeFigures: (...args) => call('makeFigures', ...args),
    playByChance: (...args) => call('playByChance', ...args),
  };
  return { worker, thread };
}

/**
 * Calls `work` for every item, one at a time per worker. Calls `take` with the results in the order of the items. Ends
 * at the first failure. If aborted, throws the reason without waiting for threads.
 */
export async function shareWork<Worker, Item, Result>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Result | Promise<Result>,
  take: (result: Result) => void,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = new Map<number, Result>();
  let [given, taken] = [0, 0];
  const serve = async (worker: Worker) => {
    while (given < items.length) {
      await turn(); // lets signals be handled: work in this thread blocks the event loop
      signal?.throwIfAborted();
      const place = given++;
      if (place >= items.length) return;
      waiting.set(place, await work(worker, items[place]!));
      while (waiting.has(taken)) {
        const result = waiting.get(taken)!;
        waiting.delete(taken++);
        take(result);
      }
    }
  };
  const all = Promise.all(workers.map(serve));
  if (!signal) return void (await all);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([all, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    all.catch(() => undefined); // ignores the failures of threads that were ended because of another failure
  }
}

/** Splits `items` into groups of `size`; the last group may be smaller. */
export const splitIntoGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
