// Cache of a report's chance baselines, which may be deleted at any time. Missing baselines are computed from random
// games, which idle threads play, and then cached.
import path from 'node:path';
import { z } from 'zod';
import {
  ChanceBaseline,
  type BaselineSampling,
  batchCount,
  type CellTotal,
  createBaseline,
  getBatchRange,
  defaultSampling,
} from '../../deception/baseline/chance-baseline.ts';
import type { BoardAndRules } from '../../deception/play/random-matches.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { type Lock, LockedElsewhere, takeLock } from '../../models/record/lock.ts';
import { formatWhole } from '../../report/format.ts';
import { findCacheFolder } from '../command/cache-folder.ts';
import type { CommandIO } from '../command/command-line.ts';
import { hashSources } from './measurement-cache.ts';
import type { StepListener } from '../command/work-progress.ts';
import { type PooledWorker, shareWork } from './report-worker.ts';

/** Returns the default folder of the cache. */
export const getUsualFolder = (io: Pick<CommandIO, 'env' | 'stderr'>): string => findCacheFolder('baselines', io);

const BaselineFile = z.strictObject({ made_with: z.string(), ground: z.unknown(), baseline: ChanceBaseline });

const getBaselineFile = (folder: string, hash: string) => path.join(folder, `${hash}.json`);

/**
 * Reads a cached baseline. Null if the baseline is missing or damaged, or was made with other code, games or seed. The
 * caller then makes the baseline again.
 */
function readBaseline(folder: string, hash: string, effort: BaselineSampling): ChanceBaseline | null {
  try {
    const read: unknown = JSON.parse(getDisk().readText(getBaselineFile(folder, hash)));
    const { made_with: madeWith, baseline } = BaselineFile.parse(read);
    const isSame = madeWith === hashCode() && baseline.games === effort.games && baseline.seed === effort.seed;
    return isSame ? baseline : null;
  } catch {
    return null;
  }
}

/** Writes a baseline to the cache, completely or not at all. Throws if it cannot be written. */
function keepBaseline(folder: string, hash: string, ground: BoardAndRules, baseline: ChanceBaseline): void {
  const file = getBaselineFile(folder, hash);
  const draft = `${file}.${process.pid}.unfinished`;
  const disk = getDisk();
  disk.makeFolder(folder);
  try {
    disk.write(draft, `${JSON.stringify({ made_with: hashCode(), ground, baseline })}\n`);
    disk.rename(draft, file);
  } catch (error) {
    disk.remove(draft);
    throw error;
  }
}

let known: string | undefined;

/** Hashes the rules of the game and all code that measures. If either changes, baselines may change too. */
const hashCode = (): string => (known ??= hashSources(['state', 'deception']));

export interface BaselineOptions {
  /** Folder of the baselines. */
  folder: string;
  /** Sampling; `defaultSampling` by default. */
  effort?: BaselineSampling | undefined;
  /** Hash of board and rules → what people call them, e.g. "board classic-8, preset arena@2". */
  names?: ReadonlyMap<string, string> | undefined;
  /** Receives one line for each step of progress and for each baseline that cannot be cached. */
  tell?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
  onStep?: StepListener | undefined;
}

/** Hash of board and rules → board and rules. */
type GroundsByHash = ReadonlyMap<string, BoardAndRules>;

export function readBaselines(hashes: Iterable<string>, { folder, effort = defaultSampling }: BaselineOptions) {
  const kept = [...hashes].map((hash) => [hash, readBaseline(folder, hash, effort)] as const);
  return new Map(kept.flatMap(([hash, baseline]) => (baseline ? [[hash, baseline]] : [])));
}

/**
 * Plays and caches the missing baselines. Commands that run at the same time share the cache, so each baseline is
 * played only once. The result does not depend on which command plays.
 */
export async function makeBaselines(
  grounds: GroundsByHash,
  kept: ReadonlyMap<string, ChanceBaseline>,
  workers: readonly PooledWorker[],
  options: BaselineOptions,
): Promise<ReadonlyMap<string, ChanceBaseline>> {
  const made = new Map(kept);
  for (const [hash, ground] of [...grounds].filter(([known]) => !kept.has(known)))
    made.set(hash, await makeBaseline(hash, ground, workers, options));
  return made;
}

async function makeBaseline(
  hash: string,
  ground: BoardAndRules,
  workers: readonly PooledWorker[],
  { folder, effort = defaultSampling, names, tell, signal, onStep }: BaselineOptions,
): Promise<ChanceBaseline> {
  const lock = await takeTurn(folder, hash, { effort, tell, signal });
  try {
    const others = readBaseline(folder, hash, effort); // another command may just have cached it
    if (others) return others;
    tell?.(
      `Playing ${formatWhole(effort.games)} random games for the chance baseline of ${names?.get(hash) ?? describeRoles(ground)}.`,
    );
    const found: CellTotal[][] = [];
    const numbers = Array.from({ length: batchCount }, (_, batch) => batch);
    const work = (worker: PooledWorker, batch: number) => worker.playByChance(ground, getBatchRange(batch, effort));
    await shareWork(
      workers,
      numbers,
      work,
      (totals) => {
        found.push(totals);
        onStep?.('games by chance played', found.length * (effort.games / batchCount), effort.games);
      },
      signal,
    );
    const baseline = createBaseline(found, effort);
    try {
      keepBaseline(folder, hash, ground, baseline);
    } catch (error) {
      tell?.(`The chance baseline could not be cached in ${folder}: ${(error as Error).message}`);
    }
    return baseline;
  } finally {
    lock?.release();
  }
}

/**
 * Waits while another command plays the same games. Null if the folder cannot be locked: then nothing can be cached,
 * and each command plays the games itself.
 */
async function takeTurn(
  folder: string,
  hash: string,
  { effort, tell, signal = neverAborted }: { effort: BaselineSampling } & Pick<BaselineOptions, 'tell' | 'signal'>,
): Promise<Lock | null> {
  const { disk, clock } = getMachine();
  const file = path.join(folder, `${hash}.lock`);
  for (let isTold = false; ; isTold = true)
    try {
      disk.makeFolder(folder);
      return takeLock(file, 'playing random games');
    } catch (error) {
      if (!(error instanceof LockedElsewhere)) return null;
      if (!isTold) tell?.('Another command is playing the random games that this one needs. Waiting for it.');
      await error.wait(clock, signal);
      if (readBaseline(folder, hash, effort)) return null;
    }
}

const neverAborted = new AbortController().signal;

/** Describes a board by its roles, e.g. "2 × Werewolf, 6 × Villager". */
const describeRoles = ({ board }: BoardAndRules): string =>
  Object.entries(board.roles)
    .map(([role, count]) => `${count} × ${role}`)
    .join(', ');
