// Reads the facts about a match that a study counts: the models, the progress and the calls. Also works during play.
import path from 'node:path';
import { z } from 'zod';
import type { MatchState, ModelUse, StudyMatch } from '../../deception/design/study-progress.ts';
import { findLastError } from '../../graph/tournament/tournament-status.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { isLocked } from '../../models/record/lock.ts';
import { readDocument } from '../../models/record/read-document.ts';
import { checkNotRedacted, readManifest } from '../../models/record/recorder.ts';
import type { FileStatus } from '../../models/machine/disk.ts';
import {
  createListedMatch,
  createUnreadableMatch,
  ListedMatch,
  type MatchProgress,
} from '../../report/viewer/match-list.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { AnswerMark } from '../../state/events.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { missingActions } from '../../state/steps/index.ts';
import { Team } from '../../state/teams.ts';
import { parseJson } from '../../state/text.ts';

const count = z.number().min(0).catch(0);
const known = z.number().min(0).nullable().catch(null);

const Use = z.strictObject({
  model: z.string(),
  ...{ calls: count, questions: count, refused: count, askedAgain: count, fallbacks: count },
  ...{ tokensIn: count, tokensOut: count, cached: count, cost: count, callsOfUnknownCost: count },
});

/** Facts read from a match's files. They stay valid until one of the files changes. */
export const MatchFacts = z.strictObject({
  row: ListedMatch,
  models: z.array(z.string()),
  begunAt: z.number(),
  /** Whether the match is over and its summary counts all calls. */
  isOver: z.boolean(),
  uses: z.array(Use),
  /** Current place in the game. */
  now: z.string(),
});
export type MatchFacts = z.infer<typeof MatchFacts>;

/** Fields for calls that the summaries of all versions have. */
const SummedCalls = z.looseObject({
  calls: count,
  asked_again: count,
  fallbacks: count,
  refusals: count,
  tokens: z.looseObject({ in: known, out: known, cached: known }).catch({ in: null, out: null, cached: null }),
  cost: known,
  calls_with_unknown_cost: count,
});

/** Fields that are read from a summary. */
const Summary = z.looseObject({
  winner: z.unknown(),
  rounds: z.number(),
  players: z.looseObject({}),
  model_calls: z.looseObject({ by_model: z.record(z.string(), SummedCalls).catch({}) }),
});

/**
 * Reads the manifest and the summary of a match or, without a summary, its last events. `name`: the match's path in
 * lists. Null if the match no longer exists. For an unreadable match, the row says why it cannot be read.
 */
export function readMatchFacts(folder: string, name: string): MatchFacts | null {
  const disk = getDisk();
  const manifest = path.join(folder, recordFiles.manifest);
  const summary = path.join(folder, recordFiles.summary);
  try {
    const read = readManifest(manifest);
    checkNotRedacted(name, read);
    const common = { models: listModels(read), begunAt: Date.parse(read.made_by.created_at) || 0 };
    if (disk.exists(summary)) {
      const summed = Summary.parse(parseJson(readDocument(summary)));
      const row = createListedMatch(name, read, summed as unknown as Parameters<typeof createListedMatch>[2]);
      return { row, ...common, isOver: true, uses: listUses(summed), now: '' };
    }
    const { now, ...progress } = readProgress(path.join(folder, recordFiles.events));
    return { row: createListedMatch(name, read, null, progress), ...common, isOver: false, uses: [], now };
  } catch (error) {
    if (!disk.exists(manifest)) return null;
    const row = createUnreadableMatch(name, (error as Error).message);
    return { row, models: [], begunAt: 0, isOver: false, uses: [], now: '' };
  }
}

const listModels = ({ setup: { players, models } }: Manifest): string[] =>
  [...new Set(players.map(({ name }) => getModelLabel(models[name] ?? '')))].sort();

const listUses = ({ model_calls: { by_model: byModel } }: z.infer<typeof Summary>): ModelUse[] =>
  Object.entries(byModel).map(([model, figures]) => ({
    ...{ model: getModelLabel(model), calls: figures.calls, questions: figures.calls - figures.asked_again },
    ...{ refused: figures.refusals, askedAgain: figures.asked_again, fallbacks: figures.fallbacks },
    ...{ tokensIn: figures.tokens.in ?? 0, tokensOut: figures.tokens.out ?? 0, cached: figures.tokens.cached ?? 0 },
    ...{ cost: figures.cost ?? 0, callsOfUnknownCost: figures.calls_with_unknown_cost },
  }));

/** Reads the progress of a match without a summary from its last events. */
function readProgress(file: string): MatchProgress & { now: string } {
  const lines = getDisk().exists(file) ? getDisk().readEnd(file, longestTail).toString('utf8').split('\n') : [];
  const last = lines.flatMap((line) => {
    const parsed = LastEvent.safeParse(parseLine(line));
    return parsed.success ? [parsed.data] : [];
  });
  const ended = last.find(({ type }) => type === 'ended');
  return {
    rounds: last.at(-1)?.round ?? null,
    ended: ended === undefined ? null : { winner: ended.winner ?? null },
    now: describeMoment(last),
  };
}

/**
 * Maximum number of bytes read from the end of the events. This part always contains a whole line, because a statement
 * takes at most 100 kB.
 */
const longestTail = 400_000;

const LastEvent = z.object({
  ...{ type: z.string(), round: z.number(), winner: Team.nullable().optional(), phase: z.string().optional() },
});

/** Describes the current point in the game, e.g. `day 2, statement 5`. Empty before the first event. */
function describeMoment(events: readonly z.infer<typeof LastEvent>[]): string {
  const last = events.at(-1);
  if (last === undefined) return '';
  const { round, phase } = last;
  if (phase !== 'day') return `night ${round}`;
  const today = events.filter((event) => event.round === round && event.phase === 'day');
  if (today.some(({ type }) => type === 'ballot')) return `day ${round}, vote`;
  const said = today.filter(({ type }) => type === 'statement').length;
  return said === 0 ? `day ${round}` : `day ${round}, statement ${said}`;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // cut off, or still being written
  }
}

/** Fields that are read from a recorded answer. */
const Answer = z.looseObject({
  ...{ model: z.string(), action: z.string(), attempt: z.number(), mark: AnswerMark.optional() },
  tokens: z.looseObject({ in: count, out: count, cached: known }).nullable().catch(null),
  cost: known,
});

/** Counts the answers of a running match as they are written. Only the new part of the file is read. */
export class AnswerCounter {
  readonly #matches = new Map<string, { size: number; read: number; uses: Map<string, ModelUse> }>();

  /** Counts the usage of all recorded answers in a match's folder. Rereads the whole file if it became shorter. */
  count(folder: string): ModelUse[] {
    const file = path.join(folder, recordFiles.answers);
    const found = findFile(file);
    if (found?.kind !== 'file') return [];
    let known = this.#matches.get(folder);
    if (known === undefined || found.size < known.read) known = { size: 0, read: 0, uses: new Map() };
    this.#matches.set(folder, known);
    if (found.size > known.size) this.#readNew(file, found.size, known);
    return [...known.uses.values()];
  }

  /** Drops the counts of all matches outside `folders`, which are over or no longer exist. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of this.#matches.keys()) if (!folders.has(folder)) this.#matches.delete(folder);
  }

  #readNew(file: string, size: number, known: { size: number; read: number; uses: Map<string, ModelUse> }): void {
    const disk = getDisk();
    const bytes = disk.readEnd(file, size - known.read);
    if (findFile(file)?.size !== size) return; // the file grew during the read, so the rest is read next time
    const whole = bytes.lastIndexOf(lineEnd) + 1;
    for (const line of bytes.subarray(0, whole).toString('utf8').split('\n')) addAnswer(known.uses, line);
    known.size = size;
    known.read += whole;
  }
}

const lineEnd = '\n'.charCodeAt(0);

function addAnswer(uses: Map<string, ModelUse>, line: string): void {
  const read = Answer.safeParse(parseLine(line));
  if (!read.success) return;
  const { action, attempt, mark, tokens, cost } = read.data;
  const model = getModelLabel(read.data.model);
  const before = uses.get(model);
  const add = (name: Exclude<keyof ModelUse, 'model'>, more: number) => (before?.[name] ?? 0) + more;
  uses.set(model, {
    ...{ model, calls: add('calls', 1), questions: add('questions', attempt === 1 ? 1 : 0) },
    ...{ refused: add('refused', mark === 'refusal' ? 1 : 0), askedAgain: add('askedAgain', attempt === 1 ? 0 : 1) },
    fallbacks: add('fallbacks', mark === 'fallback' && !missingActions.has(action) ? 1 : 0),
    ...{ tokensIn: add('tokensIn', tokens?.in ?? 0), tokensOut: add('tokensOut', tokens?.out ?? 0) },
    cached: add('cached', Math.min(tokens?.cached ?? 0, tokens?.in ?? 0)),
    ...{ cost: add('cost', cost ?? 0), callsOfUnknownCost: add('callsOfUnknownCost', cost === null ? 1 : 0) },
  });
}

/**
 * Describes the current state of a match: whether a command plays it, or which error stopped it. `name`: path of the
 * match relative to the study. `answers`: counts the calls of an unfinished match.
 */
export function describeStudyMatch(
  folder: string,
  name: string,
  facts: MatchFacts,
  answers: AnswerCounter,
): StudyMatch {
  const { row, models, begunAt, isOver, uses, now } = facts;
  const { id, seed, board, rules, villagers, werewolves } = row;
  const error = isOver ? null : (row.problem ?? findLastError(folder));
  const state = findState(folder, facts, error);
  const files = isOver ? [recordFiles.summary] : [recordFiles.answers, recordFiles.events, recordFiles.manifest];
  const changedAt = Math.max(0, ...files.map((file) => findFile(path.join(folder, file))?.changedAt ?? 0));
  return {
    ...{ path: name, id, seed, board, rules, villagers, werewolves, models, state },
    ...{
      now: isOver ? '' : now,
      error: state === 'failed' || state === 'unreadable' ? error : null,
      begunAt,
      changedAt,
    },
    uses: isOver || state === 'unreadable' ? uses : answers.count(folder),
  };
}

function findState(folder: string, { row, isOver }: MatchFacts, error: string | null): MatchState {
  if (isOver) return 'finished';
  if (row.problem !== null) return 'unreadable';
  if (isLocked(path.join(folder, recordFiles.lock))) return 'under way';
  return error === null ? 'stopped' : 'failed';
}

/** Returns the status of a file. Null if the file does not exist, or if its status cannot be read. */
export function findFile(file: string): FileStatus | null {
  try {
    return getDisk().find(file);
  } catch {
    return null;
  }
}
