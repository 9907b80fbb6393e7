// Asks one model questions about finished matches, through the model client that matches use. Answers are stored beside
// the record, and only unanswered questions are asked.
import path from 'node:path';
import { RunnableLambda } from '@langchain/core/runnables';
import pLimit from 'p-limit';
import { sum } from '../../deception/statistics/sums.ts';
import { type Budget, createBudget } from '../../models/budget.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { hashMessages } from '../../models/call-model.ts';
import { buildConversation } from '../../models/context-trimming.ts';
import { createFallbackLimit, defaultMaxFallbacks, type FallbackLimit } from '../../models/fallback-limit.ts';
import { getCallLimiters } from '../../models/limiters-by-server.ts';
import { type AnswerResult, createModelClient, inMemoryClientOptions } from '../../models/model-client.ts';
import { tellServers } from '../../models/key-policy.ts';
import type { Environment, PlayerModel, PromptMessage } from '../../models/model.ts';
import { computeCost } from '../../models/providers/prices.ts';
import {
  getKeptAnswersFile,
  type KeptAnswer,
  type KeptAnswerKind,
  openKeptAnswers,
  readKeptAnswers,
  readSoundAnswers,
} from '../../models/record/annotation-log.ts';
import { createRedactor, redactError } from '../../models/redact.ts';
import { type Clock, systemClock } from '../../models/machine/clock.ts';
import { openTracing } from '../../models/tracing.ts';
import { createCorrection } from '../../prompts/compose.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { draw } from '../../state/random.ts';
import { type AnswerLine, type CallKey, formatCallKey, latestReading, type Reading } from '../../state/record.ts';
import { estimateAssumptions, type EstimatedUsage } from '../estimate.ts';
import { checkPrices, defaultConcurrency } from '../play-match.ts';

/** One question. The question is identified by `repeat` and by the prompt's round, step, action and player. */
export interface AnnotationItem<Answer> {
  prompt: Prompt<Answer>;
  /** Ids of the statements in question. */
  statements: readonly string[];
  /** Number of the repeat of the question, from 1. */
  repeat: number;
  /**
   * Present for self-reports: whether the prompt contains the speaker's own thoughts. All items of a run have the same
   * value.
   */
  notes?: KeptAnswer['notes'];
  /** Fields that are stored with the answers, so that answers can be parsed even if the prompt changes later. */
  kept?: Pick<KeptAnswer, 'wording' | 'statements_sha256' | 'given'>;
  /**
   * Expected number of tokens of an answer, for estimates. Default: one reasoning, and a few fields for each statement.
   */
  expectedTokens?: number;
}

export type AnyAnnotationItem = AnnotationItem<unknown>;

/** Returns the key of an attempt at an item; attempts count from 1. */
export const getItemKey = ({ prompt: { view, step, action } }: AnyAnnotationItem, attempt: number): CallKey => ({
  round: view.round,
  step,
  action,
  player: view.me,
  attempt,
});

/** Returns a name of the item, which is the same for all attempts. */
export const getItemName = (key: CallKey, { repeat, notes }: Pick<KeptAnswer, 'repeat' | 'notes'>) =>
  `${formatCallKey({ ...key, attempt: 1 })}, repeat ${repeat}, ${notes ?? ''}`;

interface AnswerCache {
  /** Returns the valid answers to an item, ordered by attempt. */
  linesOf(item: AnyAnnotationItem): readonly KeptAnswer[];
  /** Returns whether the last valid answer is final. */
  isAnswered(item: AnyAnnotationItem): boolean;
}

/**
 * Finds the stored answers that are still valid: an answer is valid if its prompt equals the prompt that would be sent
 * now. Among several answers to the same prompt, the last one counts.
 */
export function createAnswerCache(lines: readonly KeptAnswer[]): AnswerCache {
  const byName = Map.groupBy(lines, (line) => getItemName(line, line));
  const listAnswers = (item: AnyAnnotationItem): KeptAnswer[] => {
    const isAbout = (line: KeptAnswer) => line.statements_sha256 === item.kept?.statements_sha256;
    const kept = (byName.get(getItemName(getItemKey(item, 1), item)) ?? []).filter(isAbout);
    const attempts: KeptAnswer[] = [];
    let corrections: readonly PromptMessage[] = [];
    for (let attempt = 1; ; attempt++) {
      const hashConversation = (line: KeptAnswer) =>
        hashMessages(buildConversation(item.prompt, line.left_out ?? 0, corrections));
      const line = kept.findLast((one) => one.attempt === attempt && one.prompt_sha256 === hashConversation(one));
      if (!line) return attempts;
      attempts.push(line);
      if (line.error === undefined || line.mark !== undefined) return attempts;
      corrections = [...corrections, ...createCorrection(line.raw, line.error, line.reading ?? 1, item.prompt.shape)];
    }
  };
  return {
    linesOf: listAnswers,
    isAnswered: (item) => isFinal(listAnswers(item).at(-1)),
  };
}

/** Returns whether this answer is final, so that the question is not asked again. */
export const isFinal = (line: AnswerLine | undefined): boolean =>
  line !== undefined && (line.error === undefined || line.mark !== undefined);

/**
 * Questions whose stored answers no longer count. Only the first lines of the answer file are affected, up to a stated
 * number of lines; answers in later lines count.
 */
export interface ForgottenAnswers {
  lines: number;
  questions: ReadonlySet<string>;
}

/**
 * Returns the questions whose last answer in a file is unreadable. These questions are then asked again. A refusal is a
 * readable answer.
 *
 * @example listUnread(readSoundAnswers(file).rows).questions.size // 12
 */
export function listUnread(lines: readonly KeptAnswer[]): ForgottenAnswers {
  const last = new Map(lines.map((line) => [getItemName(line, line), line]));
  const unread = [...last].filter(([, { mark }]) => mark === 'fallback');
  return { lines: lines.length, questions: new Set(unread.map(([name]) => name)) };
}

/** Drops answers that no longer count, and keeps later answers to the same questions. */
export const dropForgotten = (
  lines: readonly KeptAnswer[],
  forgotten: ForgottenAnswers | undefined,
): readonly KeptAnswer[] =>
  forgotten === undefined
    ? lines
    : lines.filter((line, place) => place >= forgotten.lines || !forgotten.questions.has(getItemName(line, line)));

/** Options of a run. No call begins once `maxCost` is spent, including the cost of stored answers. */
export interface AnnotationRunOptions extends Omit<CallLimits<number | null>, 'maxFallbacks'> {
  /** A budget shared with other runs, used instead of a budget of `maxCost`. */
  budget?: Budget | undefined;
  /** A limit on unreadable answers shared with other runs. Default: a share of 0.25 of this run's questions. */
  fallbackLimit?: FallbackLimit | undefined;
  /** Answers that no longer count, so that their questions are asked again. */
  forgotten?: ForgottenAnswers | undefined;
  /** Aborts running calls; earlier answers are kept. */
  signal?: AbortSignal | undefined;
  env?: Environment | undefined;
  clock?: Clock | undefined;
  /** Called when the number of running calls changes. `more`: change of the number, which may be negative. */
  onCalls?: ((more: number) => void) | undefined;
  onAnswer?: ((line: AnswerLine, isRecorded: boolean) => void) | undefined;
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * Returns advice about unreadable answers. A stored unreadable answer counts as missing. Its question is asked again
 * only if the user asks for it, even if the server works now.
 */
const adviseOnKept = (model: string) => {
  const name = path.basename(getKeptAnswersFile('', 'claims', model)).replace(/^claims/, '*');
  return `The answers and their errors are in ${name} next to each match. Correct the model’s options or its server. Unreadable answers count as missing. To ask a judge again: report --judge … --retry-unread; to ask another model again, remove these files. With --max-fallbacks 1, no number of unreadable answers stops the questions.`;
};

const createKeptLimit = (share = defaultMaxFallbacks) => createFallbackLimit(share, adviseOnKept);

interface AnnotationRun {
  /** Id and folder of the match. */
  id: string;
  folder: string;
  kind: KeptAnswerKind;
  /** Seed of the match, which determines a bot's random choices. */
  seed: number;
}

/**
 * Asks the items that are not answered yet. Throws ProviderFailure, BudgetReached, FallbacksReached or the reason of an
 * abort if the run had to stop. All answers received so far are kept, and calling the function again resumes. Throws
 * RecordError if a file cannot be used, and UsageError for a cap with a model of unknown price.
 *
 * @example
 * const run = { id: manifest.id, folder, kind: 'annotations', seed: manifest.setup.seed } as const;
 * await runAnnotation(run, listAnnotationItems(record), model, { maxCost: 1 });
 */
export async function runAnnotation(
  { id, folder, kind, seed }: AnnotationRun,
  items: readonly AnyAnnotationItem[],
  model: PlayerModel,
  options: AnnotationRunOptions = {},
): Promise<void> {
  const { maxCost = null, concurrency = defaultConcurrency, env = process.env } = options;
  const seat = { choice: model, talk: model };
  if (maxCost !== null) checkPrices({ seat }, maxCost);
  const redact = createRedactor(model.secrets);
  const warn = (message: string) => options.onWarning?.(redact(message));
  const file = getKeptAnswersFile(folder, kind, model.text ?? model.spec);
  const isLenient = kind === 'claims';
  const kept = openKeptAnswers(file, warn, { isLenient });
  const tracing = openTracing(env, model.secrets, options.clock);
  tellServers(env);
  try {
    let underWay = 0;
    const rows = isLenient ? readSoundAnswers(file).rows : readKeptAnswers(file);
    const before = createAnswerCache(dropForgotten(rows, options.forgotten));
    const shared = {
      ...inMemoryClientOptions,
      seats: Object.fromEntries(items.map(({ prompt }) => [prompt.view.me, seat])),
      budget: options.budget ?? createBudget(maxCost),
      fallbackLimit: options.fallbackLimit ?? createKeptLimit(),
      limiters: getCallLimiters(options.clock ?? systemClock),
      concurrency,
      maxWaitMs: options.maxWait === undefined ? undefined : options.maxWait * 1000,
      clock: options.clock ?? systemClock,
      signal: options.signal ?? new AbortController().signal,
      metadata: { match: id },
      warn,
      onCalls: (now: number) => {
        options.onCalls?.(now - underWay);
        underWay = now;
      },
      onAnswer: (line: AnswerLine, isRecorded: boolean) => options.onAnswer?.(line, isRecorded),
    };
    // Repeats run one after another. Their calls have the same keys, so each repeat needs a model client of its own.
    for (const [repeat, some] of Map.groupBy(items, (item) => item.repeat)) {
      const client = createModelClient({
        ...shared,
        seed: repeat === 1 ? seed : draw(seed, kind, repeat).integer(2 ** 31),
        answerStore: createAnswerStore(some, before, (line) => kept.append(line)),
      });
      const ask = RunnableLambda.from(() => awaitAll(some.map(({ prompt }) => client.ask(prompt))));
      await ask.invoke({}, { runName: `${kind} ${id}`, tags: ['wolfgraph', kind], ...tracing.run });
    }
  } catch (error) {
    redactError(error, redact);
    throw error;
  } finally {
    kept.close();
    const isHurried = options.signal?.aborted ?? false;
    const loss = await tracing.close([], options.signal);
    if (loss !== null && !isHurried) warn(loss);
  }
}

/**
 * Waits for all answers, then throws the first failure. Once the model client is stopped, all calls fail with the
 * reason of the stop.
 */
async function awaitAll(asked: readonly Promise<AnswerResult<unknown>>[]): Promise<void> {
  const ended = await Promise.allSettled(asked);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function createAnswerStore(
  items: readonly AnyAnnotationItem[],
  before: AnswerCache,
  append: (line: KeptAnswer) => void,
) {
  const asked = new Map(items.map((item) => [getItemName(getItemKey(item, 1), item), item]));
  const recorded = new Map(items.flatMap((item) => before.linesOf(item)).map((line) => [formatCallKey(line), line]));
  const { repeat = 1, notes = undefined } = items[0] ?? {};
  if (asked.size < items.length)
    throw new Error('Two of the questions to the model have the same name. Give each question a different name.');
  return {
    get: (key: CallKey) => recorded.get(formatCallKey(key)),
    put: (line: AnswerLine) => {
      const { statements, kept } = asked.get(getItemName(line, { repeat, notes }))!;
      const told = { ...(notes ? { notes } : {}), ...kept };
      append({ ...line, statements: [...statements], repeat, reading: latestReading, ...told });
    },
    getReading: (line?: AnswerLine): Reading =>
      line ? (recorded.get(formatCallKey(line))?.reading ?? 1) : latestReading,
    logPrompt: () => undefined,
  };
}

// Limits shared by many records that are processed at the same time: on concurrent calls, money and fallbacks.

interface SharedLimits {
  concurrency: number;
  maxWait: number | undefined;
  budget: Budget;
  fallbackLimit: FallbackLimit;
}

/**
 * Number of records processed at the same time. One record has few questions, so several records are needed to reach
 * the limit on concurrent calls.
 */
const recordsAtOnce = 8;

/** Processes several records at the same time. Records can be added while others are processed. */
export interface ConcurrentRun {
  /** Schedules the work on a record. It never runs if the work on another record has already failed. */
  add(work: (shared: SharedLimits) => Promise<void>): void;
  /** Waits for all work added so far. Throws the first error. */
  finish(): Promise<void>;
}

/**
 * Opens a call limit and a budget that the work on many records shares. If the work on one record fails, no further
 * call begins. Running calls are awaited, because they are paid for. `budget`: shared with other runs, used instead of
 * a budget of `maxCost`.
 *
 * @example
 * const run = openConcurrentRun({ maxCost: 5 });
 * run.add((shared) => judgeRecord('runs/a', judge, shared));
 * await run.finish();
 */
export function openConcurrentRun({
  maxCost,
  concurrency = defaultConcurrency,
  maxWait,
  maxFallbacks,
  budget: whole = createBudget(maxCost ?? null),
}: CallLimits & { budget?: Budget | undefined }): ConcurrentRun {
  let stopped: { by: unknown } | null = null;
  const check = () => {
    rethrow(stopped);
    whole.check();
  };
  const fallbackLimit = createKeptLimit(maxFallbacks);
  const shared: SharedLimits = { concurrency, maxWait, budget: { ...whole, check }, fallbackLimit };
  const atOnce = pLimit(recordsAtOnce);
  const done: Promise<void>[] = [];
  return {
    add: (work) =>
      void done.push(
        atOnce(async () => {
          if (stopped) return;
          try {
            await work(shared);
          } catch (error) {
            stopped ??= { by: error };
          }
        }),
      ),
    finish: async () => {
      await Promise.all(done);
      rethrow(stopped);
    },
  };
}

function rethrow(stopped: { by: unknown } | null) {
  if (stopped) throw stopped.by;
}

/**
 * Runs `work` for each record, through `openConcurrentRun`. Throws the first error.
 *
 * @example
 * await runConcurrently(folders, { maxCost: 5 }, async (folder, shared) => {
 *   await judgeRecord(folder, readRecord(folder), judge, shared);
 * });
 */
export async function runConcurrently<Item>(
  records: readonly Item[],
  limits: CallLimits,
  work: (record: Item, shared: SharedLimits) => Promise<void>,
): Promise<void> {
  const run = openConcurrentRun(limits);
  for (const record of records) run.add((shared) => work(record, shared));
  await run.finish();
}

// Estimated usage of the remaining questions. The lengths of prompts are measured; the lengths of answers are assumed.

/**
 * Assumed number of characters. `word`: one word with its space; `fields`: the fields of an answer for one statement,
 * except the reasoning.
 */
const charactersPer = { word: 6, fields: 120 } as const;

/**
 * Estimates the usage of asking these items once. Each answer is assumed to have one reasoning, and a set of fields for
 * each statement.
 */
export function estimateAnnotation(
  items: readonly AnyAnnotationItem[],
  { isBot, price }: Pick<PlayerModel, 'isBot' | 'price'>,
): EstimatedUsage {
  const calls = items.length;
  if (isBot) return { calls, tokens: null, cost: 0 };
  const charactersIn = sum(items.map(({ prompt }) => prompt.system.length + prompt.user.length));
  const reasoning = estimateAssumptions.words.reasoning * charactersPer.word;
  const tokensOut = items.map(
    ({ statements, expectedTokens }) =>
      expectedTokens ?? (reasoning + statements.length * charactersPer.fields) / estimateAssumptions.charactersPerToken,
  );
  const tokens = {
    in: Math.round(charactersIn / estimateAssumptions.charactersPerToken),
    out: Math.round(sum(tokensOut)),
  };
  return { calls, tokens, cost: computeCost({ ...tokens, cached: null, reasoning: null }, price) };
}

/** Adds up the usage of several records. */
export const sumUsage = (efforts: readonly EstimatedUsage[]): EstimatedUsage => ({
  calls: sum(efforts.map(({ calls }) => calls)),
  tokens: efforts.some(({ tokens }) => tokens)
    ? {
        in: sum(efforts.map(({ tokens }) => tokens?.in ?? 0)),
        out: sum(efforts.map(({ tokens }) => tokens?.out ?? 0)),
      }
    : null,
  cost: efforts.some(({ cost }) => cost === null) ? null : sum(efforts.map(({ cost }) => cost ?? 0)),
});
