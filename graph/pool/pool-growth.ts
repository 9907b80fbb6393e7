// Pools that grow while a set is played. The set is divided into blocks of deals. All matches of a block read the pool
// that was frozen after the previous block. Then their decisions are added in the order of the schedule.
import path from 'node:path';
import { createPool, type Pool, type PoolEntry, sealEntry } from '../../deception/experience/pool-entry.ts';
import { createBudget } from '../../models/budget.ts';
import { createFallbackLimit, defaultMaxFallbacks } from '../../models/fallback-limit.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { ExperienceReward } from '../../state/experience-setup.ts';
import { UsageError } from '../../state/usage-error.ts';
import { listMatchPlaces, type MatchPlace, type MatchSet, surveyMatches } from '../match-set.ts';
import { playMatches, type SetOptions, type SetResult } from '../play-matches.ts';
import { gatherDecisions, listEntries } from './gather-entries.ts';
import { poolFiles, readPool, writePool } from '../experience/pool-folder.ts';

/** Settings of a growing pool. */
export interface PoolGrowth {
  /** Number of deals in a block. */
  every: number;
  /** Reward of the pool's entries. Default: the reward of the initial pool; without an initial pool, `result`. */
  reward: ExperienceReward | undefined;
  /** Folder of the set, in which every version of the pools is stored; null if nothing is written. */
  out: string | null;
}

/**
 * Name of the folder of growing pools within the set's folder. It contains one folder for each arm. The folder of an
 * arm contains one folder for each block after which the pool was frozen.
 */
const growthFolder = 'experience';

/** Returns the arm of a match: its condition in a tournament, its folder in a design. */
const getArm = (place: MatchPlace & { condition?: string | null }): string => place.condition ?? place.folder ?? 'all';

/** Returns the block of a match, counted from 1. */
const getBlock = ({ seed }: MatchPlace, set: MatchSet, { every }: PoolGrowth): number =>
  Math.floor((seed - set.seed) / every) + 1;

const getPoolFolder = (out: string, arm: string, block: number) => path.join(out, growthFolder, arm, String(block));

const hasPool = (folder: string) => getDisk().exists(path.join(folder, poolFiles.record));

/**
 * Returns the set with plans that use the pool of the previous block, if that pool exists. Matches of the first block
 * have the plan's own pool, or an empty pool.
 *
 * @example const growing = createGrowingSet(set, { every: 10, reward: 'result', out: 'runs/learning' });
 */
export function createGrowingSet(set: MatchSet, growth: PoolGrowth): MatchSet {
  const { out, reward = 'result' } = growth;
  const empty = createPool(reward, []);
  return {
    ...set,
    planOf: async (seed, place) => {
      const plan = await set.planOf(seed, place);
      const block = getBlock(place, set, growth);
      if (!plan.experience) return { ...plan, experienceBlock: block };
      const before = out === null ? null : getPoolFolder(out, getArm(place), block - 1);
      const given = plan.experience.pool;
      const pool = before !== null && hasPool(before) ? before : (given ?? empty);
      return { ...plan, experience: { ...plan.experience, pool, grownFrom: given }, experienceBlock: block };
    },
  };
}

/**
 * Plays or resumes a set made by `createGrowingSet`, block by block. A block begins when all matches of the previous
 * block are over and their decisions are added. Throws like `playMatches`. Throws a UsageError if nothing is written,
 * or if the folder has pools of other matches.
 */
export async function playGrowing(set: MatchSet, growth: PoolGrowth, options: SetOptions): Promise<SetResult> {
  const { out } = growth;
  if (out === null)
    throw new UsageError(
      'A growing pool is built from the records of its matches, but no folder for these records is given. Give a folder.',
    );
  const blocks = [...Map.groupBy(listMatchPlaces(set), (place) => getBlock(place, set, growth))];
  const parts = blocks.map(([, places]) => selectPart(set, places));
  const first = await findFirstUnfinished(parts, out, options);
  // Budget of all blocks.
  const budget = createBudget(options.maxCost ?? null);
  const fallbackLimit = createFallbackLimit(options.maxFallbacks ?? defaultMaxFallbacks);
  let finished = 0;
  for (const [index, [block, places]] of blocks.entries()) {
    const later = blocks.slice(index + 1).reduce((count, [, some]) => count + some.length, 0);
    const folders = new Map<MatchPlace, string>();
    const { onSurveyed, onOpen = () => undefined } = options;
    const result = await playMatches(parts[index]!, {
      ...options,
      ...{ budget, fallbackLimit },
      onOpen: index === 0 ? onOpen : () => undefined,
      onSurveyed: (left) => (index === first ? onSurveyed?.({ ...left, matches: left.matches + later }) : undefined),
      onEnd: async (end, place) => {
        if ('summary' in end && end.folder !== null) folders.set(findPlace(places, place), end.folder);
        await options.onEnd?.(end, place);
      },
    });
    finished += result.finished;
    const isOver = result.stopped + result.waiting === 0;
    if (!isOver || later === 0) return { ...result, finished, waiting: result.waiting + later };
    await freezePools(set, growth, { block, places, folders, out });
  }
  throw new Error('A set must have at least one match.');
}

/** Selects the matches of one block. Its samples have one match of each arm. */
function selectPart(set: MatchSet, places: readonly MatchPlace[]): MatchSet {
  const samples = [
    ...new Map(places.toReversed().map((place) => [getArm(place) + (place.folder ?? ''), place])).values(),
  ];
  return { ...set, matches: places.length, listed: { places, samples: samples as [MatchPlace, ...MatchPlace[]] } };
}

/**
 * Finds a place in a list by its seed, replicate, folder and board. The object itself may differ, because `playMatches`
 * adds the ids of matches that began under an earlier version.
 */
const findPlace = (places: readonly MatchPlace[], { seed, replicate, folder, board }: MatchPlace): MatchPlace =>
  places.find(
    (one) =>
      one.seed === seed && one.replicate === replicate && one.folder === folder && one.board?.name === board?.name,
  )!;

/**
 * Returns the index of the first block with an unfinished match. If all matches are finished, returns the index of the
 * last block.
 */
async function findFirstUnfinished(
  parts: readonly MatchSet[],
  out: string,
  { env = process.env, signal }: Pick<SetOptions, 'env' | 'signal'>,
): Promise<number> {
  for (const [index, part] of parts.slice(0, -1).entries())
    for await (const { result } of surveyMatches(part, { out, env, now: 0, isCapped: false })) {
      signal?.throwIfAborted();
      if (!result) return index;
    }
  return parts.length - 1;
}

interface FinishedBlock {
  block: number;
  places: readonly MatchPlace[];
  /** Folder of each match. */
  folders: ReadonlyMap<MatchPlace, string>;
  out: string;
}

/**
 * Adds the decisions of a block to the pool of each arm that uses experience. Throws a UsageError for pools of other
 * matches.
 */
async function freezePools(
  set: MatchSet,
  { reward }: PoolGrowth,
  { block, places, folders, out }: FinishedBlock,
): Promise<void> {
  for (const [arm, own] of Map.groupBy(places, getArm)) {
    const { experience } = await set.planOf(own[0]!.seed, own[0]!);
    if (!experience?.pool) continue;
    const before = typeof experience.pool === 'string' ? readPool(experience.pool) : experience.pool;
    const joined = own.map((place) => folders.get(place)!);
    const target = getPoolFolder(out, arm, block);
    if (hasPool(target)) await checkJoined(target, before, joined);
    else writePool(target, await extendPool(before, joined, reward));
  }
}

/**
 * Extends a pool. Throws a UsageError if the pool has another reward, because entries with different rewards cannot be
 * compared.
 */
async function extendPool(
  before: Pool,
  folders: readonly string[],
  reward: ExperienceReward = before.reward,
): Promise<Pool> {
  if (before.reward !== reward)
    throw new UsageError(
      `A pool of the reward ${before.reward} cannot be extended with entries of the reward ${reward}. Leave reward out.`,
    );
  return joinEntries(before, folders, reward);
}

async function joinEntries(before: Pool, folders: readonly string[], reward: ExperienceReward): Promise<Pool> {
  const entries = [...before.entries];
  for (const folder of folders) {
    const { manifest, events } = readRecord(folder);
    entries.push(...listEntries({ manifest, events }, await gatherDecisions(folder), reward).map(sealEntry));
  }
  return createPool(reward, entries);
}

/**
 * Throws a UsageError if an existing pool was made from other decisions, because the next block would then use the
 * experience of other matches. Only the wording of entries may differ: an earlier version of Wolfgraph may have written
 * them.
 */
async function checkJoined(target: string, before: Pool, folders: readonly string[]): Promise<void> {
  const found = readPool(target);
  const expected = await joinEntries(before, folders, found.reward);
  if (found.sha256 === expected.sha256) return;
  const kept = new Set(before.entries.map(({ sha256 }) => sha256));
  const listNames = ({ entries }: Pool) =>
    entries.map((entry) => (kept.has(entry.sha256) ? entry.sha256 : nameDecision(entry)));
  const [there, wanted] = [new Set(listNames(found)), new Set(listNames(expected))];
  const lost = [...wanted].find((name) => !there.has(name));
  const foreign = [...there].find((name) => !wanted.has(name));
  if (lost === undefined && foreign === undefined) return;
  throw new UsageError(
    `${target} holds a pool ${lost === undefined ? `with ${foreign!}, which is not` : `without ${lost}, which is`} of its block: it belongs to other matches. Choose another --out.`,
  );
}

const nameDecision = ({ match, seat, moment: { action, round, step } }: PoolEntry) =>
  `match ${match}, ${action} of seat ${seat} in round ${round}, step ${step}`;
