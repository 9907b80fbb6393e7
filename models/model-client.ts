// The model client: the only way to a model. It takes the recorded answer if there is one; else it calls the model, has
// the answer read and checked, and puts it into the answer store.
import { isDeepStrictEqual } from 'node:util';
import { createCorrection } from '../prompts/compose.ts';
import type { AnyPrompt, Prompt } from '../prompts/prompt.ts';
import type { AnswerMark } from '../state/events.ts';
import type { ExperienceMoment, RememberedEntry } from '../state/experience-setup.ts';
import { draw } from '../state/random.ts';
import { type AnswerLine, type CallKey, formatCallKey, latestReading, type Reading } from '../state/record.ts';
import type { View } from '../state/view.ts';
import { type Budget, createBudget } from './budget.ts';
import { callModel, decideOutcome, hashMessages } from './call-model.ts';
import { isShownFamily, type ModelCall } from './send-question.ts';
import { type CallLimiters, type CallTurn, getCallLimiters } from './limiters-by-server.ts';
import { buildConversation, estimateMessages, findTrimLevel, unansweredOutcome } from './context-trimming.ts';
import { createFallbackLimit, type FallbackLimit } from './fallback-limit.ts';
import type { PlayerModel, PromptMessage, SeatModels } from './model.ts';
import { parseAnswer } from './parse-answer.ts';
import { computeAnswerCost, estimateCost } from './providers/prices.ts';
import { RecordError } from './record/ndjson.ts';
import { type Clock, systemClock } from './machine/clock.ts';

/**
 * An answer, or, with a mark, what takes the place of one that the model did not give: a fallback, or null where the
 * answer is simply missing. `cut`: the model's text ended in the middle of a string.
 */
export type AnswerResult<Answer> =
  { value: Answer; mark?: AnswerMark; cut?: true } | { value: null; mark: AnswerMark; cut?: true };

export interface ModelClient {
  /**
   * Puts one question to the model in its player's seat, up to three times where answers cannot be read.
   * Throws what stops the match: ProviderFailure, BudgetReached, FallbacksReached, RecordError or the reason of an abort.
   */
  ask<Answer>(prompt: Prompt<Answer>): Promise<AnswerResult<Answer>>;
  /**
   * What the player remembers of earlier matches before this question: as it is recorded, else as the pool gives it.
   * Throws a RecordError where it is neither.
   */
  recall(prompt: AnyPrompt, moment: ExperienceMoment): Promise<readonly RememberedEntry[]>;
}

/** Finds what the player of a View remembers. */
export type RecallExperience = (
  view: View,
  moment: ExperienceMoment,
) => readonly RememberedEntry[] | Promise<readonly RememberedEntry[]>;

/** Where a model client finds recorded answers and puts new ones; a recorder is one. */
export interface AnswerStore {
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  /** By which rules a recorded answer was read; without one, by which new ones are. */
  getReading(recorded?: AnswerLine): Reading;
  /** Called with every prompt as it is sent, whether its answer is recorded or not. */
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
}

interface ModelClientOptions {
  /** Player → models. Not needed where everything is recorded. */
  seats: Readonly<Record<string, SeatModels>>;
  seed: number;
  /** Of the set-up, by which bots draw; undefined for the first. */
  replicate?: number | undefined;
  answerStore: AnswerStore;
  /** Awaited after a live answer of a language model was recorded, before the match goes on with it. */
  keep?: ((line: AnswerLine) => Promise<void>) | undefined;
  budget: Budget;
  fallbackLimit: FallbackLimit;
  /** Of the servers. A call that waits for its next attempt takes no place among those under way. */
  limiters: CallLimiters;
  /** Calls under way at the same time at one server. */
  concurrency: number;
  /** Of this match's calls among those of all: lower ones go first. */
  priority: number;
  clock: Clock;
  /** Milliseconds that a server may ask to wait; the usual ones where undefined. */
  maxWaitMs?: number | undefined;
  /**
   * Aborts calls under way. It must be the match's own: LangGraph aborts the signals of sibling nodes as soon as one
   * fails, and answers that are paid for would be lost.
   */
  signal: AbortSignal;
  /** Absent where nobody remembers, or no pool is there. */
  recall?: RecallExperience | undefined;
  /** Whether a prompt may differ from the recorded one. */
  allowChangedPrompts: boolean;
  /** Makes no call: an answer that is not recorded is an error. */
  recordedOnly: boolean;
  /** Goes into the trace of every call. */
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
  /** Called whenever the number of calls under way changes. */
  onCalls(underWay: number): void;
  onAnswer(line: AnswerLine, isRecorded: boolean): void;
}

/** Options of a client that records nothing, reports nothing and limits nothing: for matches of bots. */
export const inMemoryClientOptions = {
  answerStore: {
    get: () => undefined,
    put: () => undefined,
    getReading: (): Reading => latestReading,
    logPrompt: () => undefined,
  },
  budget: createBudget(null),
  fallbackLimit: createFallbackLimit(1),
  limiters: getCallLimiters(systemClock),
  concurrency: Infinity,
  priority: 0,
  clock: systemClock,
  allowChangedPrompts: false,
  recordedOnly: false,
  metadata: {},
  warn: () => undefined,
  onCalls: () => undefined,
  onAnswer: () => undefined,
} satisfies Partial<ModelClientOptions>;

interface StoppableModelClient extends ModelClient {
  /**
   * Lets no further call begin and nobody try again. Calls under way go on to their end and are recorded, since they
   * are paid for; only `signal` aborts those.
   */
  stop(reason: unknown): void;
  /** Resolves when no call is under way any more. Throws what has stopped the match, where something has. */
  waitUntilIdle(): Promise<void>;
}

/**
 * Makes the client of one match.
 *
 * @example
 * const client = createModelClient({ ...inMemoryClientOptions, seats, seed: 1, signal: new AbortController().signal });
 * const { value, mark } = await client.ask(vote.put(createView(game, 'Sam'), draw(1, 'options')));
 */
export const createModelClient = (options: ModelClientOptions): StoppableModelClient => new MatchModelClient(options);

/** Tokens of an answer, where nothing is known yet. */
const usualAnswer = 300;

/** One attempt at a question, as it is sent. */
type OutgoingQuestion = Pick<ModelCall, 'key' | 'prompt' | 'messages' | 'leftOut' | 'reading' | 'shapes'>;

class MatchModelClient implements StoppableModelClient {
  readonly #options: ModelClientOptions;
  /** What calls have learned of the models' servers; later calls read it. */
  readonly #learned: Pick<ModelCall, 'schemaUse' | 'warned'> = { schemaUse: new Map(), warned: new Set() };
  readonly #pendingCalls = new Set<Promise<unknown>>();
  #callsUnderWay = 0;
  /** What stopped the match first. */
  #stopReason: { error: unknown } | null = null;
  /** Aborted together with it, but without the reason: a call that waits would take another's failure for its own. */
  readonly #stop = new AbortController();
  /** Aborted with either of the two signals. */
  readonly #halt: AbortSignal;

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#halt = AbortSignal.any([options.signal, this.#stop.signal]);
  }

  async ask<Answer>(prompt: Prompt<Answer>): Promise<AnswerResult<Answer>> {
    const { me: player, round } = prompt.view;
    let corrections: readonly PromptMessage[] = [];
    for (let attempt = 1; ; attempt++) {
      const key = { round, step: prompt.step, action: prompt.action, player, attempt };
      const { line, reading } = await this.#findAnswer(key, prompt, corrections);
      const { raw, answer, error, mark, cut } = line;
      if (mark) return createFallback(prompt, key, this.#options.seed, mark);
      if (error === undefined) return { value: answer as Answer, ...(cut ? { cut } : {}) };
      corrections = [...corrections, ...createCorrection(raw, error, reading, prompt.shape)];
    }
  }

  async recall({ view, step, action }: AnyPrompt, moment: ExperienceMoment): Promise<readonly RememberedEntry[]> {
    const { answerStore, recall } = this.#options;
    const key = { round: view.round, step, action, player: view.me, attempt: 1 };
    const recorded = answerStore.get(key);
    if (recorded) return recorded.remembered ?? [];
    try {
      if (recall) return await recall(view, moment);
      throw new RecordError(
        `${view.me} remembers earlier matches, and the pool is not there to ask for ${formatCallKey(key)}. Name its folder: --experience POOL.`,
      );
    } catch (error) {
      this.stop(error);
      throw error;
    }
  }

  stop(reason: unknown): void {
    this.#stopReason ??= { error: reason };
    this.#stop.abort();
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.#pendingCalls);
    this.#throwIfStopped();
  }

  #throwIfStopped(): void {
    if (this.#stopReason) throw this.#stopReason.error;
  }

  /** Runs a step; its failure stops the match at once, before another call can take its place. */
  async #runOrStop<Result>(step: () => Result | Promise<Result>): Promise<Result> {
    this.#throwIfStopped();
    try {
      return await step();
    } catch (error) {
      this.stop(error);
      this.#throwIfStopped(); // with what stopped the match first
      throw error;
    }
  }

  /** The answer to one attempt, recorded or live. A recorded prompt is trimmed as it was then, which takes no model. */
  async #findAnswer(
    key: CallKey,
    prompt: AnyPrompt,
    corrections: readonly PromptMessage[],
  ): Promise<{ line: AnswerLine; reading: Reading }> {
    const { answerStore, seats } = this.#options;
    const recorded = answerStore.get(key);
    const leftOut = recorded
      ? (recorded.left_out ?? 0)
      : findTrimLevel(prompt, corrections, seats[key.player]?.[prompt.kind].context);
    const shapes = this.#chooseShapes(key, prompt, recorded);
    const messages = buildConversation(prompt, leftOut, corrections, shapes);
    const reading = answerStore.getReading(recorded);
    const question = { key, prompt, messages, leftOut, reading, shapes };
    answerStore.logPrompt(key, messages);
    const line = await this.#runOrStop(() =>
      recorded ? this.#replayAnswer(recorded, question) : this.#answerLive(question),
    );
    this.#options.onAnswer(line, recorded !== undefined);
    if (!recorded) await this.#runOrStop(() => this.#countQuestion(line));
    return { line, reading };
  }

  /** Where the shapes of the answers stand. A question that is asked again tells them, as it is sent with a schema of its own. */
  #chooseShapes({ player, attempt }: CallKey, prompt: AnyPrompt, recorded?: AnswerLine): 'prompt' | 'schema' {
    if (recorded) return recorded.shapes ?? 'prompt';
    const model = this.#options.seats[player]?.[prompt.kind];
    const isShown = attempt === 1 && prompt.family !== undefined && model !== undefined;
    return isShown && isShownFamily(model, this.#learned.schemaUse) ? 'schema' : 'prompt';
  }

  /** An answer that is asked for again, or was refused, says nothing yet, or nothing of this. */
  #countQuestion({ model, mark, error }: AnswerLine): void {
    const isFallback = mark === 'fallback';
    if (isFallback || (mark === undefined && error === undefined)) this.#options.fallbackLimit.count(model, isFallback);
  }

  #replayAnswer(recorded: AnswerLine, question: OutgoingQuestion): AnswerLine {
    const { messages } = question;
    const line = verifyRecorded(recorded, question, this.#options);
    this.#options.budget.spend(this.#findCost(line, messages));
    return line;
  }

  async #answerLive(question: OutgoingQuestion): Promise<AnswerLine> {
    if (this.#options.recordedOnly) throw new RecordError(`No answer is recorded for ${formatCallKey(question.key)}.`);
    const turn = this.#openTurn(question);
    const pending = this.#runOrStop(async () => {
      await turn?.enter(this.#halt);
      this.#throwIfStopped();
      return this.#callProvider(question, turn);
    });
    this.#pendingCalls.add(pending);
    try {
      return await pending;
    } finally {
      turn?.leave();
      this.#pendingCalls.delete(pending);
    }
  }

  /** Undefined for a bot, which answers at once. */
  #openTurn({ key, prompt, messages }: OutgoingQuestion): CallTurn | undefined {
    const { seats, limiters, concurrency, priority } = this.#options;
    const model = seats[key.player]![prompt.kind];
    const tokens = estimateMessages(messages) + usualAnswer;
    return model.isBot ? undefined : limiters.openTurn(model, { tokens, mostUnderWay: concurrency, priority });
  }

  async #callProvider(question: OutgoingQuestion, turn: CallTurn | undefined): Promise<AnswerLine> {
    const { signal, fallbackLimit, seats, answerStore, keep } = this.#options;
    signal.throwIfAborted();
    const { key, prompt, messages } = question;
    const model = seats[key.player]![prompt.kind];
    fallbackLimit.check([model.spec]);
    const settle = await this.#reserveBudget(model, messages);
    this.#countUnderWay(+1);
    const call = { ...this.#options, ...question, ...this.#learned, model, turn, stop: this.#stop.signal };
    let cost = 0;
    try {
      const line = await callModel(call).finally(() => this.#countUnderWay(-1));
      cost = this.#findCost(line, messages);
      answerStore.put(line);
      if (!model.isBot) await keep?.(line);
      return line;
    } finally {
      settle(cost); // a call that failed has taken nothing that is known
    }
  }

  /** What a call took is spent by what this returns. A bot's costs nothing, and waits for nobody. */
  async #reserveBudget(model: PlayerModel, messages: readonly PromptMessage[]): Promise<(cost: number) => void> {
    const { budget, signal } = this.#options;
    if (model.isBot) {
      budget.check();
      return (cost) => budget.spend(cost);
    }
    const settle = await budget.reserve(estimateCost(estimateMessages(messages), usualAnswer, model.price));
    try {
      signal.throwIfAborted();
      this.#throwIfStopped(); // while it waited
    } catch (error) {
      settle(0);
      throw error;
    }
    return settle;
  }

  #countUnderWay(change: 1 | -1): void {
    this.#callsUnderWay += change;
    this.#options.onCalls(this.#callsUnderWay);
  }

  #findCost(line: AnswerLine, messages: readonly PromptMessage[]): number {
    const { price = null } = this.#options.seats[line.player]?.talk ?? {};
    return computeAnswerCost(line, { price, tokensIn: () => estimateMessages(messages) });
  }
}

/** What takes the place of an answer: drawn by the seed and the place of the question, or missing. */
function createFallback<Answer>(
  prompt: Prompt<Answer>,
  key: CallKey,
  seed: number,
  mark: AnswerMark,
): AnswerResult<Answer> {
  const { round, step, action, player } = key;
  return prompt.fallback
    ? { value: prompt.fallback(draw(seed, 'fallback', round, step, action, player)), mark }
    : { value: null, mark };
}

/** Checks a recorded answer: the prompt must hash as recorded, and the text must read as recorded. Throws RecordError. */
function verifyRecorded(
  line: AnswerLine,
  { prompt, messages, reading }: OutgoingQuestion,
  { allowChangedPrompts }: Pick<ModelClientOptions, 'allowChangedPrompts'>,
): AnswerLine {
  if (hashMessages(messages) !== line.prompt_sha256 && !allowChangedPrompts)
    throw new RecordError(
      `The prompt of ${formatCallKey(line)} is not the recorded one: this version words or plays the match differently. Use the version named in the manifest, or start a new match with another --id.`,
    );
  const outcome = line.too_long
    ? unansweredOutcome
    : decideOutcome(
        parseAnswer(line.raw, prompt, reading, { isOfFamily: line.structured === 'family' }),
        line.attempt,
        line.mark === 'refusal',
      );
  if (!isDeepStrictEqual(outcome.answer, line.answer) || outcome.mark !== line.mark)
    throw new RecordError(
      `The recorded answer of ${formatCallKey(line)} reads differently now: ${JSON.stringify(outcome.answer)}, recorded as ${JSON.stringify(line.answer)}.`,
    );
  return line;
}
