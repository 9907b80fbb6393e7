// The one door to the models: a recorded answer if there is one, else a call, read, checked, recorded.
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { createCorrection } from '../prompts/compose.ts';
import type { AnyPrompt, Prompt } from '../prompts/prompt.ts';
import type { Mark } from '../state/events.ts';
import { draw } from '../state/random.ts';
import { type AnswerLine, type CallKey, formatCallKey } from '../state/record.ts';
import { type Budget, createBudget } from './budget.ts';
import { callModel, decideOutcome, hashMessages, type ModelCall } from './call-model.ts';
import { buildConversation, estimateMessages, estimateTokens, findTrimLevel, unanswered } from './context-window.ts';
import type { PlayerModel, PromptMessage } from './model.ts';
import { parseAnswer } from './parse-answer.ts';
import { estimateCost } from './providers/prices.ts';
import { RecordError } from './record/ndjson.ts';
import { type Clock, systemClock } from './retry.ts';

/** An answer; or, marked, what stands for one that could not be had: a replacement, or null where it is missing. */
export type AnswerResult<Answer> = { value: Answer; mark?: Mark; cut?: true } | { value: null; mark: Mark; cut?: true };

export interface ModelClient {
  /** Throws what stops the match: ProviderFailure, BudgetReached, RecordError or the reason of an abort. */
  ask<Answer>(prompt: Prompt<Answer>): Promise<AnswerResult<Answer>>;
}

/** Where answers are kept. */
export interface AnswerStore {
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  /** Every prompt as it was put, recorded or live. */
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
}

/** What sits in a seat, for decisions and for speech: the rules may set a temperature for each. */
export type SeatModels = Readonly<Record<AnyPrompt['kind'], PlayerModel>>;

/** Runs what it is given when its turn has come; p-limit makes such, and a queue that others share. */
export type Limit = <Result>(run: () => Promise<Result>) => Promise<Result>;

export interface ModelClientOptions {
  seats: Readonly<Record<string, SeatModels>>;
  seed: number;
  answerStore: AnswerStore;
  budget: Budget;
  /** The calls under way at the same time. */
  limit: Limit;
  clock: Clock;
  /** The match's own: LangGraph aborts the signals of sibling nodes as soon as one fails, and answers would be lost. */
  signal: AbortSignal;
  /** Whether a prompt may differ from the recorded one. */
  allowChangedPrompts: boolean;
  /** Makes no call: an answer that is not recorded is an error. */
  recordedOnly: boolean;
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
  /** Told when the number of calls under way changes. */
  onCalls(underWay: number): void;
  onAnswer(line: AnswerLine, isRecorded: boolean): void;
}

/** A door to players of which nothing is recorded, told or limited: for matches of bots. */
export const inMemoryDefaults = {
  answerStore: { get: () => undefined, put: () => undefined, logPrompt: () => undefined },
  budget: createBudget(null),
  limit: pLimit(Infinity),
  clock: systemClock,
  allowChangedPrompts: false,
  recordedOnly: false,
  metadata: {},
  warn: () => undefined,
  onCalls: () => undefined,
  onAnswer: () => undefined,
} satisfies Partial<ModelClientOptions>;

/** One question as it goes out. */
type AskedQuestion = Pick<ModelCall, 'key' | 'prompt' | 'messages' | 'leftOut'>;

export interface StoppableModelClient extends ModelClient {
  /** Lets no further call begin; those under way go on. */
  stop(reason: unknown): void;
  /** Resolves when no call is under way any more. Throws what has stopped the match, where something has. */
  waitUntilIdle(): Promise<void>;
}

export function createModelClient(options: ModelClientOptions): StoppableModelClient {
  const { seats, seed, answerStore: memory, budget, limit } = options;
  const remembered = { schemaRefusals: new Map<string, number>(), told: new Set<string>() };
  const pendingCalls = new Set<Promise<unknown>>();
  let calling = 0;
  const stop = new AbortController();
  /** Once the match stops, nobody tries again or waits for it; attempts under way go on, since they are paid for. */
  const further = new AbortController();
  const stopAll = (reason: unknown) => {
    stop.abort(reason);
    further.abort(); // with a reason of its own, or calls would take another model's failure for theirs
  };

  /** A provider that does not say what a call took is taken to have taken much, or no cap would ever be reached. */
  const chargeBudget = ({ player, cost, raw }: AnswerLine, messages: readonly PromptMessage[]) => {
    const { price = null } = seats[player]?.talk ?? {};
    budget.spend(cost ?? estimateCost(estimateMessages(messages), estimateTokens(raw), price));
  };

  /** What fails stops the match at once: before another call can take its place. */
  const runOrStop = async <Result>(step: () => Result | Promise<Result>): Promise<Result> => {
    stop.signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      stopAll(error);
      stop.signal.throwIfAborted(); // by what stopped the match first
      throw error;
    }
  };

  const callProvider = async (question: AskedQuestion): Promise<AnswerLine> => {
    options.signal.throwIfAborted();
    budget.check();
    const { key, prompt, messages } = question;
    const model = seats[key.player]![prompt.kind];
    options.onCalls(++calling);
    const line = await callModel({ ...options, ...question, model, stopping: further.signal, ...remembered }).finally(
      () => options.onCalls(--calling),
    );
    memory.put(line);
    chargeBudget(line, messages);
    return line;
  };

  const answerLive = async (question: AskedQuestion): Promise<AnswerLine> => {
    if (options.recordedOnly) throw new RecordError(`No answer is recorded for ${formatCallKey(question.key)}.`);
    const pending = limit(() => runOrStop(() => callProvider(question)));
    pendingCalls.add(pending);
    try {
      return await pending;
    } finally {
      pendingCalls.delete(pending);
    }
  };

  const replayAnswer = (recorded: AnswerLine, prompt: AnyPrompt, messages: readonly PromptMessage[]): AnswerLine => {
    const line = verifyRecorded(recorded, prompt, hashMessages(messages), options);
    chargeBudget(line, messages);
    return line;
  };

  /** A recorded prompt is shortened as it was then: to make it again takes no model. */
  const findAnswer = async (
    key: CallKey,
    prompt: AnyPrompt,
    further: readonly PromptMessage[],
  ): Promise<AnswerLine> => {
    const recorded = memory.get(key);
    const leftOut = recorded
      ? (recorded.left_out ?? 0)
      : findTrimLevel(prompt, further, seats[key.player]?.[prompt.kind].context);
    const messages = buildConversation(prompt, leftOut, further);
    memory.logPrompt(key, messages);
    const line = await runOrStop(() =>
      recorded ? replayAnswer(recorded, prompt, messages) : answerLive({ key, prompt, messages, leftOut }),
    );
    options.onAnswer(line, recorded !== undefined);
    return line;
  };

  return {
    stop: stopAll,
    waitUntilIdle: async () => {
      await Promise.allSettled(pendingCalls);
      stop.signal.throwIfAborted();
    },
    ask: async <Answer>(prompt: Prompt<Answer>): Promise<AnswerResult<Answer>> => {
      const { me: player, round } = prompt.view;
      let further: readonly PromptMessage[] = [];
      for (let attempt = 1; ; attempt++) {
        const key = { round, step: prompt.step, action: prompt.action, player, attempt };
        const { raw, answer, error, mark, cut } = await findAnswer(key, prompt, further);
        if (mark) return createFallback(prompt, key, seed, mark);
        if (error === undefined) return { value: answer as Answer, ...(cut ? { cut } : {}) };
        further = [...further, ...createCorrection(raw, error)];
      }
    },
  };
}

/** What stands for an answer that could not be had. */
function createFallback<Answer>(prompt: Prompt<Answer>, key: CallKey, seed: number, mark: Mark): AnswerResult<Answer> {
  const { round, step, action, player } = key;
  return prompt.fallback
    ? { value: prompt.fallback(draw(seed, 'fallback', round, step, action, player)), mark }
    : { value: null, mark };
}

/** A recorded answer, read again: the prompt must be the recorded one, and the text must give the recorded answer. */
function verifyRecorded(
  line: AnswerLine,
  prompt: AnyPrompt,
  hash: string,
  { allowChangedPrompts }: Pick<ModelClientOptions, 'allowChangedPrompts'>,
): AnswerLine {
  if (hash !== line.prompt_sha256 && !allowChangedPrompts)
    throw new RecordError(
      `The prompt of ${formatCallKey(line)} is not the recorded one: this version words or plays the match differently. Use the version named in the manifest, or start a new match with another --id.`,
    );
  const outcome = line.too_long
    ? unanswered
    : decideOutcome(parseAnswer(line.raw, prompt), line.attempt, line.mark === 'refusal');
  if (!isDeepStrictEqual(outcome.answer, line.answer) || outcome.mark !== line.mark)
    throw new RecordError(
      `The recorded answer of ${formatCallKey(line)} reads differently now: ${JSON.stringify(outcome.answer)}, recorded as ${JSON.stringify(line.answer)}.`,
    );
  return line;
}
