// Questions about finished records, put to one model outside of the match: one record at a time, or many side by side
// with one limit and one budget.
import { RunnableLambda } from '@langchain/core/runnables';
import pLimit from 'p-limit';
import { type Budget, createBudget } from '../../models/budget.ts';
import { type AnswerResult, createModelClient, inMemoryDefaults, type Limit } from '../../models/model-client.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';
import { getKeptFile, type KeptAnswer, type KeptKind, openKept, readKept } from '../../models/record/annotation-log.ts';
import { createRedactor, redactError } from '../../models/redact.ts';
import { type Clock, systemClock } from '../../models/retry.ts';
import { openTracing } from '../../models/tracing.ts';
import { draw } from '../../state/random.ts';
import { type AnswerLine, type CallKey, formatCallKey } from '../../state/record.ts';
import { checkPrices, defaultConcurrency } from '../play-match.ts';
import { type AnswerCache, type AnyItem, createAnswerCache, getItemKey, getItemName } from './answer-cache.ts';

export interface AnnotationRunOptions {
  /** USD; no call starts once so much is spent, on the answers that are kept already included. */
  maxCost?: number | null | undefined;
  budget?: Budget | undefined;
  /** Calls under way at the same time, or a limit shared with others; 32 by default. */
  concurrency?: number | Limit | undefined;
  /** Stops at once; what was answered is kept. */
  signal?: AbortSignal | undefined;
  env?: Environment | undefined;
  clock?: Clock | undefined;
  /** By how many the calls under way have changed. */
  onCalls?: ((more: number) => void) | undefined;
  onAnswer?: ((line: AnswerLine, isRecorded: boolean) => void) | undefined;
  onWarning?: ((message: string) => void) | undefined;
}

export interface AnnotationRun {
  /** The match's name. */
  id: string;
  folder: string;
  kind: KeptKind;
  /** Decides what a built-in bot draws. */
  seed: number;
}

/**
 * Asks what is not answered yet. Throws ProviderFailure, BudgetReached or the reason of an abort where it had to stop:
 * what was answered is kept, and the same again goes on. Throws RecordError for a file that cannot be used, UsageError
 * for a cap with a model whose price is not known.
 */
export async function runAnnotation(
  { id, folder, kind, seed }: AnnotationRun,
  items: readonly AnyItem[],
  model: PlayerModel,
  options: AnnotationRunOptions = {},
): Promise<void> {
  const { maxCost = null, concurrency = defaultConcurrency, env = process.env } = options;
  const seat = { choice: model, talk: model };
  if (maxCost !== null) checkPrices({ seat }, maxCost);
  const redact = createRedactor(model.secrets);
  const warn = (message: string) => options.onWarning?.(redact(message));
  const kept = openKept(getKeptFile(folder, kind, model.spec), warn);
  const tracing = openTracing(env, model.secrets, options.clock);
  try {
    let underWay = 0;
    const before = createAnswerCache(readKept(getKeptFile(folder, kind, model.spec)));
    const shared = {
      ...inMemoryDefaults,
      seats: Object.fromEntries(items.map(({ prompt }) => [prompt.view.me, seat])),
      budget: options.budget ?? createBudget(maxCost),
      limit: typeof concurrency === 'number' ? pLimit(concurrency) : concurrency,
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
    // One after another: a repeat differs from the first in nothing that the door knows of.
    for (const [repeat, some] of Map.groupBy(items, (item) => item.repeat)) {
      const door = createModelClient({
        ...shared,
        seed: repeat === 1 ? seed : draw(seed, kind, repeat).integer(2 ** 31),
        answerStore: createAnswerStore(some, before, (line) => kept.append(line)),
      });
      const ask = RunnableLambda.from(() =>
        awaitAll(
          some.map(({ prompt }) => door.ask(prompt)),
          () => door.waitUntilIdle(),
        ),
      );
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

/** Throws what stopped the door, else what failed first. */
async function awaitAll(asked: readonly Promise<AnswerResult<unknown>>[], settled: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(asked);
  await settled();
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function createAnswerStore(items: readonly AnyItem[], before: AnswerCache, append: (line: KeptAnswer) => void) {
  const asked = new Map(items.map((item) => [getItemName(getItemKey(item, 1), item.repeat), item]));
  const recorded = new Map(items.flatMap((item) => before.linesOf(item)).map((line) => [formatCallKey(line), line]));
  const repeat = items[0]?.repeat ?? 1;
  if (asked.size < items.length) throw new Error('Two questions of an inquiry have the same name.');
  return {
    get: (key: CallKey) => recorded.get(formatCallKey(key)),
    put: (line: AnswerLine) => {
      const { statements } = asked.get(getItemName(line, repeat))!;
      append({ ...line, statements: [...statements], repeat });
    },
    logPrompt: () => undefined,
  };
}

// Inquiries about many records at the same time, with one limit on calls and one budget for all of them.

export interface SharedLimits {
  concurrency: Limit;
  budget: Budget;
}

/** An inquiry about one record has few questions: so many together keep all calls busy that may be under way. */
const recordsAtOnce = 8;

/**
 * Does `work` for each record. What stops one lets no other begin a further call; calls under way are waited for, since
 * they are paid for. Then throws what stopped the first.
 */
export async function runConcurrently<Item>(
  records: readonly Item[],
  {
    maxCost = null,
    concurrency = defaultConcurrency,
  }: { maxCost?: number | null | undefined; concurrency?: number | undefined },
  work: (record: Item, shared: SharedLimits) => Promise<void>,
): Promise<void> {
  const whole = createBudget(maxCost);
  let stopped: { by: unknown } | null = null;
  const check = () => {
    if (stopped) throw stopped.by;
    whole.check();
  };
  const shared: SharedLimits = { concurrency: pLimit(concurrency), budget: { ...whole, check } };
  const atOnce = pLimit(recordsAtOnce);
  const done = records.map((record) =>
    atOnce(async () => {
      if (stopped) return;
      try {
        await work(record, shared);
      } catch (error) {
        stopped ??= { by: error };
      }
    }),
  );
  await Promise.all(done);
  rethrow(stopped);
}

function rethrow(stopped: { by: unknown } | null) {
  if (stopped) throw stopped.by;
}
