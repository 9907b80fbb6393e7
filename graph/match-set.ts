// A set of matches of one plan, each with a seed of its own, and what of it is recorded already.
import { sum } from '../deception/statistics/sums.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Environment } from '../models/model.ts';
import { RecordError } from '../models/record/ndjson.ts';
import { readRecord } from '../models/record/recorder.ts';
import { estimateUnknownCost } from '../models/record/estimate-missing-cost.ts';
import { recordFiles, type AnswerLine } from '../state/record.ts';
import { readFinished, type MatchResult } from './play-match.ts';
import { prepareMatch, type MatchPlan, type PreparedMatch } from './prepare.ts';

export interface MatchSet {
  /** The seed of the first match; each further one has the next. */
  seed: number;
  /** From 1. */
  matches: number;
  /** The plan of the match with this seed. Its id is not used: an id names one match. */
  planOf: (seed: number) => MatchPlan | Promise<MatchPlan>;
}

export interface SetLocation {
  /** The folder of the matches' own folders; null: there is none. */
  out: string | null;
  env: Environment;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether what is recorded counts against a cap: what a provider did not say is estimated then, which takes time. */
  isCapped: boolean;
}

/** One match of a set and where it belongs. */
export interface SetMatch {
  seed: number;
  id: string;
  folder: string | null;
  prepared: PreparedMatch;
}

/** Throws UsageError for an unusable plan. */
export async function prepareSetMatch(
  { planOf }: MatchSet,
  seed: number,
  { out, env, now }: Omit<SetLocation, 'isCapped'>,
): Promise<SetMatch> {
  const prepared = await prepareMatch({ ...(await planOf(seed)), seed, id: undefined }, env, now);
  const { id } = prepared.manifest;
  return { seed, id, folder: out === null ? null : path.join(out, id), prepared };
}

/** What a folder holds of a match. */
export interface RecordedMatch {
  /** Null where the match is not over. */
  result: MatchResult | null;
  /** Those of a match that is not over. */
  answers: readonly AnswerLine[];
  /** USD; of a match that is not over, what is not known is left out until it goes on. */
  paid: number;
}

const nothing: RecordedMatch = { result: null, answers: [], paid: 0 };

/**
 * Each seed of the set, in order, with what is recorded of its match. Reads only. Throws UsageError for an unusable
 * plan. Only matches that have a folder by their name are prepared, which takes its time.
 */
export async function* surveyMatches(
  set: MatchSet,
  place: SetLocation,
): AsyncGenerator<{ seed: number } & RecordedMatch> {
  const { prepared: first } = await prepareSetMatch(set, set.seed, place);
  const { name: board } = first.manifest.setup.board;
  const there = new Set(listFolders(place.out).map((name) => name.slice(0, name.lastIndexOf('-')))); // see prepareMatch
  for (let index = 0; index < set.matches; index++) {
    const seed = set.seed + index;
    const match = there.has(`${board}-${seed}`) ? await prepareSetMatch(set, seed, place) : null;
    yield { seed, ...(match?.folder ? readRecorded(match.prepared, match.folder, place) : nothing) };
    await turn(); // for signals and displays: reading holds up everything else
  }
}

const listFolders = (out: string | null) => (out !== null && existsSync(out) ? readdirSync(out) : []);

/** What the folder holds of the match. One that cannot be used counts as nothing: its match fails when its turn comes. */
export function readRecorded(
  { manifest, seats }: PreparedMatch,
  folder: string,
  { isCapped }: Pick<SetLocation, 'isCapped'>,
): RecordedMatch {
  if (!existsSync(path.join(folder, recordFiles.manifest))) return nothing;
  try {
    const result = readFinished(folder, manifest);
    const total = result?.summary.model_calls.total;
    if (result && total) {
      const unknown = isCapped && total.calls_with_unknown_cost > 0 ? estimateUnknownCost(folder, seats) : 0;
      return { result, answers: [], paid: (total.cost ?? 0) + unknown };
    }
    const { answers } = readRecord(folder);
    return { result: null, answers, paid: sum(answers.map(({ cost }) => cost ?? 0)) };
  } catch (error) {
    if (error instanceof RecordError || (error instanceof Error && 'syscall' in error)) return nothing;
    throw error;
  }
}

/** How many of the answers are whose, by model string. */
export type CallsByModel = ReadonlyMap<string, number>;

export const countCallsByModel = (answers: readonly AnswerLine[]): CallsByModel =>
  new Map([...Map.groupBy(answers, ({ model }) => model)].map(([model, lines]) => [model, lines.length]));
