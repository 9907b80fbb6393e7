// Questions about a finished record, put to one model outside of the match; what it answers is kept beside the record.
import { RunnableLambda } from '@langchain/core/runnables';
import pLimit from 'p-limit';
import { type Limit, openDoor, unheard, type Answered } from '../models/ask.ts';
import { openBudget, type Budget } from '../models/budget.ts';
import type { Environment, PlayerModel } from '../models/model.ts';
import { keptFile, openKept, readKept, type KeptAnswer, type KeptKind } from '../models/record/kept-answers.ts';
import { redactError, redactor } from '../models/record/redact.ts';
import { openTracing } from '../models/tracing.ts';
import { systemClock, type Clock } from '../models/transport.ts';
import { draw } from '../state/draw.ts';
import { callName, type AnswerLine, type CallKey } from '../state/record.ts';
import { defaultConcurrency, refuseUnpriced } from './play-match.ts';
import { keyOf, nameOf, standing, type AnyItem, type Standing } from './standing.ts';

export interface InquiryOptions {
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

export interface Inquiry {
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
export async function inquire(
  { id, folder, kind, seed }: Inquiry,
  items: readonly AnyItem[],
  model: PlayerModel,
  options: InquiryOptions = {},
): Promise<void> {
  const { maxCost = null, concurrency = defaultConcurrency, env = process.env } = options;
  const seat = { choice: model, talk: model };
  if (maxCost !== null) refuseUnpriced({ seat }, maxCost);
  const redact = redactor(model.secrets);
  const warn = (message: string) => options.onWarning?.(redact(message));
  const kept = openKept(keptFile(folder, kind, model.spec), warn);
  const tracing = openTracing(env, model.secrets, options.clock);
  try {
    let underWay = 0;
    const before = standing(readKept(keptFile(folder, kind, model.spec)));
    const shared = {
      ...unheard,
      seats: Object.fromEntries(items.map(({ prompt }) => [prompt.view.me, seat])),
      budget: options.budget ?? openBudget(maxCost),
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
      const door = openDoor({
        ...shared,
        seed: repeat === 1 ? seed : draw(seed, kind, repeat).integer(2 ** 31),
        memory: memoryOf(some, before, (line) => kept.append(line)),
      });
      const ask = RunnableLambda.from(() =>
        allOf(
          some.map(({ prompt }) => door.ask(prompt)),
          () => door.settled(),
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
async function allOf(asked: readonly Promise<Answered<unknown>>[], settled: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(asked);
  await settled();
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function memoryOf(items: readonly AnyItem[], before: Standing, append: (line: KeptAnswer) => void) {
  const asked = new Map(items.map((item) => [nameOf(keyOf(item, 1), item.repeat), item]));
  const recorded = new Map(items.flatMap((item) => before.linesOf(item)).map((line) => [callName(line), line]));
  const repeat = items[0]?.repeat ?? 1;
  if (asked.size < items.length) throw new Error('Two questions of an inquiry have the same name.');
  return {
    recall: (key: CallKey) => recorded.get(callName(key)),
    keep: (line: AnswerLine) => {
      const { statements } = asked.get(nameOf(line, repeat))!;
      append({ ...line, statements: [...statements], repeat });
    },
    prompted: () => undefined,
  };
}
