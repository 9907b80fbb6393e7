// Reads and measures some of the matches, and makes some of the figures; where it is a thread's entry, as that is asked.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type CellTotal, selectWithBaseline, sumBatch } from '../../deception/baseline/baseline.ts';
import { computeFigure } from '../../deception/metrics/collect.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { Ground } from '../../deception/simulation/random-matches.ts';
import { createResampling, type Resampling } from '../../deception/statistics/bootstrap.ts';
import type { SeatedModel } from '../../deception/summary/chance-baseline.ts';
import {
  createMatchConditions,
  listSampleVariants,
  type MatchConditions,
  SampleCollections,
} from '../../deception/summary/report-samples.ts';
import type { FoundFigure, LeftOut } from '../../deception/summary/report-schema.ts';
import { type CellSums, CellSumsBuilder, listClusters } from '../../deception/summary/sufficient-statistics.ts';
import type { MatchTables } from '../../deception/tables/row-schemas.ts';
import { type FoundMatch, readFirstSound, type Wanted } from './match-inventory.ts';

export interface ReportWorkerSettings extends Wanted {
  boards: readonly string[];
  seed: number;
  resamples: number;
  /** Whether tables are wanted as well as figures. */
  isTabled: boolean;
}

export interface Job extends FoundMatch {
  /** Among all matches. */
  place: number;
}

export interface Outcome {
  /** Null where no folder of it holds a sound record of a match that is over. */
  circumstances: MatchConditions | null;
  leftOut: readonly LeftOut[];
  /** Of the match; none where it does not count. */
  seats: readonly SeatedModel[];
  /** Null where not wanted. */
  tables: MatchTables | null;
}

export interface Gathered {
  cells: readonly CellSums[];
  /** By sample. */
  matches: Readonly<Record<string, number>>;
}

/** After so many matches their sums are put into few bytes. */
const packed = 32;

const metricNamed = new Map(metrics.map((metric) => [metric.name, metric]));

/** The name of a method and its arguments. */
export type Call = {
  [Name in keyof ReportWorker]: [name: Name, ...Parameters<ReportWorker[Name]>];
}[keyof ReportWorker];

export class ReportWorker {
  readonly #settings: ReportWorkerSettings;
  readonly #samples;
  readonly #sums = new CellSumsBuilder();
  readonly #matches: Record<string, number> = {};
  #collections: SampleCollections;
  #collected = 0;
  #resampling: Resampling | null = null;

  constructor(settings: ReportWorkerSettings) {
    this.#settings = settings;
    this.#samples = listSampleVariants(metrics, settings.boards);
    this.#collections = new SampleCollections(this.#samples);
  }

  /** Reads matches and adds them to the samples. */
  async measure(jobs: readonly Job[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const job of jobs) outcomes.push(await this.#measureOne(job));
    return outcomes;
  }

  /** The sums of all matches measured here. */
  gather(): Gathered {
    this.#pack();
    return { cells: this.#sums.build(), matches: this.#matches };
  }

  /** Each cell as all workers gathered it; `matches`: how many there are in all. */
  makeFigures(cells: readonly (readonly CellSums[])[], matches: number): FoundFigure[] {
    const { resamples, seed } = this.#settings;
    this.#resampling ??= createResampling(matches, resamples, seed);
    return cells.map((parts) => {
      const { sample, metric, cell } = parts[0]!;
      const collected = { metric: metricNamed.get(metric)!, cell, clusters: listClusters(parts) };
      return { sample, ...computeFigure(collected, this.#resampling!) };
    });
  }

  /** Plays some matches by chance, and adds them up. */
  playByChance(ground: Ground, matches: Parameters<typeof sumBatch>[2]): CellTotal[] {
    return sumBatch(selectWithBaseline(metrics), ground, matches);
  }

  async #measureOne({ place, ...match }: Job): Promise<Outcome> {
    const { sound, leftOut } = await readFirstSound(match, this.#settings);
    if (!sound) return { circumstances: null, leftOut, seats: [], tables: null };
    const { manifest, tables } = sound;
    this.#add(place, tables);
    return {
      circumstances: createMatchConditions(manifest, tables.match.extractor),
      leftOut,
      seats: tables.players.map(({ model, team, role }) => ({ model, team, role })),
      tables: this.#settings.isTabled ? tables : null,
    };
  }

  #add(place: number, tables: MatchTables) {
    this.#collections.add(place, tables);
    if (++this.#collected >= packed) this.#pack();
  }

  #pack() {
    for (const { sample, matches, cells } of this.#collections.listCollected()) {
      this.#matches[sample] = (this.#matches[sample] ?? 0) + matches;
      for (const { key, clusters } of cells) this.#sums.add(key, clusters);
    }
    this.#collections = new SampleCollections(this.#samples);
    this.#collected = 0;
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  const methods = new ReportWorker(workerData as ReportWorkerSettings) as unknown as Record<
    Call[0],
    (...args: unknown[]) => unknown
  >;
  port.on('message', ([name, ...args]: Call) => {
    void Promise.resolve(methods[name](...args)).then((result) => port.postMessage(result)); // what fails ends the thread
  });
}
