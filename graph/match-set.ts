// A set of matches of one plan, each with a seed of its own, and what is recorded of them already.
import { sum } from '../deception/statistics/sums.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Environment } from '../models/model.ts';
import { RecordError } from '../models/record/ndjson.ts';
import { readRecord } from '../models/record/recorder.ts';
import { estimateUnknownCost } from '../models/record/estimate-missing-cost.ts';
import { recordFiles, type AnswerLine } from '../state/record.ts';
import { readFinishedMatch, type MatchResult } from './play-match.ts';
import { prepareMatch, type MatchPlan, type PreparedMatch } from './prepare-match.ts';

export interface MatchSet {
  /** The seed of the first match; each further one has the next. */
  seed: number;
  /** How many; at least 1. */
  matches: number;
  /** The plan of the match with this seed. An id in it names one match, and is ignored where there are several. */
  planOf: (seed: number) => MatchPlan | Promise<MatchPlan>;
}

export interface SetLocation {
  /** The folder that holds the folders of the matches; null where nothing is written. */
  out: string | null;
  env: Environment;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the recorded cost counts against a cap: a cost that is not known is estimated then, which takes time. */
  isCapped: boolean;
}

/** One match of a set. */
export interface SetMatch {
  seed: number;
  id: string;
  folder: string | null;
  prepared: PreparedMatch;
}

/** Prepares the match of a seed. Throws UsageError for an unusable plan. */
export async function prepareSetMatch(
  { planOf, matches }: MatchSet,
  seed: number,
  { out, env, now }: Omit<SetLocation, 'isCapped'>,
): Promise<SetMatch> {
  const plan = await planOf(seed);
  const prepared = await prepareMatch({ ...plan, seed, id: matches === 1 ? plan.id : undefined }, env, now);
  const { id } = prepared.manifest;
  return { seed, id, folder: out === null ? null : path.join(out, id), prepared };
}

/** The recorded part of a match. */
export interface RecordedMatch {
  /** Null where the match is not over. */
  result: MatchResult | null;
  /** The answers of a match that is not over; empty for one that is. */
  answers: readonly AnswerLine[];
  /** USD. For a match that is not over, answers of unknown cost are left out until it goes on. */
  paid: number;
}

const nothing: RecordedMatch = { result: null, answers: [], paid: 0 };

/**
 * Each seed of the set, in order, with what is recorded of its match. Writes nothing. Throws UsageError for an unusable
 * plan. To save time only matches are prepared for which there may be a folder.
 */
export async function* surveyMatches(
  set: MatchSet,
  place: SetLocation,
): AsyncGenerator<{ seed: number } & RecordedMatch> {
  const first = await prepareSetMatch(set, set.seed, place);
  const { name: board } = first.prepared.manifest.setup.board;
  // The id of a match is board, seed and a hash: see prepareMatch.
  const recorded = new Set(listFolders(place.out).map((name) => name.slice(0, name.lastIndexOf('-'))));
  for (let index = 0; index < set.matches; index++) {
    const seed = set.seed + index;
    const match =
      index === 0 ? first : recorded.has(`${board}-${seed}`) ? await prepareSetMatch(set, seed, place) : null;
    yield { seed, ...(match?.folder ? readRecorded(match.prepared, match.folder, place) : nothing) };
    await turn(); // lets signals and displays take their turn, since reading blocks the event loop
  }
}

const listFolders = (out: string | null) => (out !== null && existsSync(out) ? readdirSync(out) : []);

/** What the folder holds of the match. A record that cannot be used counts as none: the match fails when it is played. */
function readRecorded(
  { manifest, seats }: PreparedMatch,
  folder: string,
  { isCapped }: Pick<SetLocation, 'isCapped'>,
): RecordedMatch {
  if (!existsSync(path.join(folder, recordFiles.manifest))) return nothing;
  try {
    const result = readFinishedMatch(folder, manifest);
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

/** Model string → number of calls. */
export type CallsByModel = ReadonlyMap<string, number>;

export const countCallsByModel = (answers: readonly AnswerLine[]): CallsByModel =>
  new Map([...Map.groupBy(answers, ({ model }) => model)].map(([model, lines]) => [model, lines.length]));
