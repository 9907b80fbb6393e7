// The model client: the only access to models. It uses the recorded answer if there is one. Otherwise it calls the
// model, has the answer parsed and checked, and stores it.
import { isDeepStrictEqual } from 'node:util';
import { createCorrection } from '../prompts/compose.ts';
import type { AnyPrompt, Prompt } from '../prompts/prompt.ts';
import type { ShapesPlace } from '../prompts/shapes.ts';
import type { AnswerMark } from '../state/events.ts';
import type { ExperienceMoment, RememberedEntry } from '../state/experience-setup.ts';
import { draw } from '../state/random.ts';
import { type AnswerLine, type CallKey, formatCallKey, latestReading, type Reading } from '../state/record.ts';
import type { View } from '../state/view.ts';
import { type Budget, createBudget } from './budget.ts';
import { callModel, decideOutcome, hashMessages } from './call-model.ts';
import { placeShapes, type ModelCall } from './send-question.ts';
import { type CallLimiters, type CallTurn, getCallLimiters } from './limiters-by-server.ts';
import { buildConversation, estimateMessages, findTrimLevel, unansweredOutcome } from './context-trimming.ts';
import { createFallbackLimit, type FallbackLimit } from './fallback-limit.ts';
import type { People } from './human/people.ts';
import { isServed, type PlayerModel, type PromptMessage, type SeatModels } from './model.ts';
import { isPersonSpec } from '../state/model-identity.ts';
import { isReadAsFamily, parseAnswer } from './parse-answer.ts';
import { computeAnswerCost, estimateCost } from './providers/prices.ts';
import { RecordError } from './record/ndjson.ts';
import { type Clock, systemClock } from './machine/clock.ts';

/**
 * An answer. A `mark` means that the model gave no usable answer: `value` is then a fallback, or null for a missing
 * answer. `cut`: whether the model's text ended inside a string.
 */
export type AnswerResult<Answer> =
  { value: Answer; mark?: AnswerMark; cut?: true } | { value: null; mark: AnswerMark; cut?: true };

export interface ModelClient {
  /**
   * Asks the model in the player's seat one question; up to three times, if answers are unreadable. Throws whatever
   * stops the match: ProviderFailure, BudgetReached, FallbacksReached, RecordError or the reason of an abort.
   */
  ask<Answer>(prompt: Prompt<Answer>): Promise<AnswerResult<Answer>>;
  /**
   * Returns the player's entries of earlier matches for this question. They come from the record, or from the pool if
   * the record has none. Throws a RecordError if there is neither.
   */
  recall(prompt: AnyPrompt, moment: ExperienceMoment): Promise<readonly RememberedEntry[]>;
}

/** Finds the entries of earlier matches for the owner of a View. */
export type RecallExperience = (
  view: View,
  moment: ExperienceMoment,
) => readonly RememberedEntry[] | Promise<readonly RememberedEntry[]>;

/** Store in which a model client finds recorded answers and puts new ones. A recorder is such a store. */
export interface AnswerStore {
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  /** Returns the version of the parsing rules of a recorded answer; without an argument, of new answers. */
  getReading(recorded?: AnswerLine): Reading;
  /** Called with every prompt as it is sent, even if its answer is already recorded. */
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
}

interface ModelClientOptions {
  /** Player → models. Not needed if all answers are recorded. */
  seats: Readonly<Record<string, SeatModels>>;
  seed: number;
  /** Replicate of the set-up. Draws of bots depend on it. Undefined for the first replicate. */
  replicate?: number | undefined;
  answerStore: AnswerStore;
  /** Awaited after a live answer of a language model has been recorded, and before the match uses it. */
  keep?: ((line: AnswerLine) => Promise<void>) | undefined;
  budget: Budget;
  fallbackLimit: FallbackLimit;
  /** Limiters of the servers. A call that waits for its next attempt does not count as running. */
  limiters: CallLimiters;
  /** Calls running at the same time at one server. */
  concurrency: number;
  /** Priority of this match's calls among all calls; lower values go first. */
  priority: number;
  clock: Clock;
  /** Longest wait in milliseconds that a server may ask for; undefined for the defaults. */
  maxWaitMs?: number | undefined;
  /**
   * Aborts running calls. It must be the match's own signal: LangGraph aborts the signals of sibling nodes when one
   * node fails, and answers that are paid for would be lost.
   */
  signal: AbortSignal;
  /** Asks the people in seats; absent if no person plays. */
  people?: Pick<People, 'ask'> | undefined;
  /** Retrieves experience; absent if no player has experience, or there is no pool. */
  recall?: RecallExperience | undefined;
  /** Whether a prompt may differ from the recorded one. */
  allowChangedPrompts: boolean;
  /** Whether to make no calls. An answer that is not recorded is then an error. */
  recordedOnly: boolean;
  /** Metadata that is added to the trace of every call. */
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
  /** Called whenever the number of running calls changes. */
  onCalls(underWay: number): void;
  onAnswer(line: AnswerLine, isRecorded: boolean): void;
}

/** Options of a client that records nothing, reports nothing and has no limits, for matches of bots. */
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
   * Begins no further call or retry. Running calls finish and are recorded, since they are paid for; only `signal`
   * aborts them.
   */
  stop(reason: unknown): void;
  /** Resolves when no call is running any more. Throws whatever has stopped the match. */
  waitUntilIdle(): Promise<void>;
}

/**
 * Creates the client of one match.
 *
 * @example
 * const client = createModelClient({ ...inMemoryClientOptions, seats, seed: 1, signal: new AbortController().signal });
 * const { value, mark } = await client.ask(vote.put(createView(game, 'Sam'), draw(1, 'options')));
 */
export const createModelClient = (options: ModelClientOptions): StoppableModelClient => new MatchModelClient(options);

/** Assumed number of tokens of an answer before any answer is known. */
const usualAnswer = 300;

/** One attempt at a question, as it is sent. */
type OutgoingQuestion = Pick<ModelCall, 'key' | 'prompt' | 'messages' | 'leftOut' | 'reading' | 'shapes'>;

class MatchModelClient implements StoppableModelClient {
  readonly #options: ModelClientOptions;
  /** Facts learned about the models' servers, for later calls. */
  readonly #learned: Pick<ModelCall, 'schemaUse' | 'warned'> = { schemaUse: new Map(), warned: new Set() };
  readonly #pendingCalls = new Set<Promise<unknown>>();
  #callsUnderWay = 0;
  /** The first reason that stopped the match. */
  #stopReason: { error: unknown } | null = null;
  /**
   * Aborted when the match stops. It has no reason, because a waiting call would otherwise report another call's
   * failure as its own.
   */
  readonly #stop = new AbortController();
  /** Aborted when `#stop` or the match's own signal is aborted. */
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
        `${view.me} needs entries of earlier matches for ${formatCallKey(key)}, but no pool is given. Give its folder: --experience POOL.`,
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

  /** Runs a step. If it fails, the match stops immediately, before another call can begin. */
  async #runOrStop<Result>(step: () => Result | Promise<Result>): Promise<Result> {
    this.#throwIfStopped();
    try {
      return await step();
    } catch (error) {
      this.stop(error);
      this.#throwIfStopped(); // with the first reason that stopped the match
      throw error;
    }
  }

  /**
   * Returns the answer to one attempt, recorded or live. If the answer is recorded, the prompt is trimmed exactly as it
   * was sent, so the model's context window is not needed.
   */
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

  /**
   * Chooses how the shapes of the answers are described. A question that is asked again is sent with its own schema
   * instead of the family's, and its prompt describes that schema.
   */
  #chooseShapes({ player, attempt }: CallKey, prompt: AnyPrompt, recorded?: AnswerLine): ShapesPlace {
    if (recorded) return recorded.shapes ?? 'prompt';
    const model = this.#options.seats[player]?.[prompt.kind];
    const isOfFamily = attempt === 1 && prompt.family !== undefined && model !== undefined;
    return isOfFamily ? placeShapes(model, this.#learned.schemaUse) : 'prompt';
  }

  /** Counts a question for the fallback limit, except answers that will be asked again and refusals. */
  #countQuestion({ model, mark, error }: AnswerLine): void {
    if (isPersonSpec(model)) return; // nobody is stopped for being slow
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

  /** Opens the call's turn at its server; undefined for bots and people, who use no server. */
  #openTurn({ key, prompt, messages }: OutgoingQuestion): CallTurn | undefined {
    const { seats, limiters, concurrency, priority } = this.#options;
    const model = seats[key.player]![prompt.kind];
    const tokens = estimateMessages(messages) + usualAnswer;
    return isServed(model) ? limiters.openTurn(model, { tokens, mostUnderWay: concurrency, priority }) : undefined;
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
      settle(cost); // a failed call has no known cost
    }
  }

  /**
   * Reserves budget for a call; the returned function spends its real cost. Bots and people cost nothing and do not
   * wait.
   */
  async #reserveBudget(model: PlayerModel, messages: readonly PromptMessage[]): Promise<(cost: number) => void> {
    const { budget, signal } = this.#options;
    if (!isServed(model)) {
      budget.check();
      return (cost) => budget.spend(cost);
    }
    const settle = await budget.reserve(estimateCost(estimateMessages(messages), usualAnswer, model.price));
    try {
      signal.throwIfAborted();
      this.#throwIfStopped(); // if the match was stopped while this call waited
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

/** Creates the replacement of an answer: drawn by the seed and the place of the question, or missing. */
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

/**
 * Checks a recorded answer: the prompt must have the recorded hash, and the text must parse to the recorded answer.
 * Throws RecordError.
 */
function verifyRecorded(
  line: AnswerLine,
  { prompt, messages, reading }: OutgoingQuestion,
  { allowChangedPrompts }: Pick<ModelClientOptions, 'allowChangedPrompts'>,
): AnswerLine {
  if (hashMessages(messages) !== line.prompt_sha256 && !allowChangedPrompts)
    throw new RecordError(
      `The prompt of ${formatCallKey(line)} is not the recorded one: this version words or plays the match differently. Use the version named in the manifest, or start a new match with another --id.`,
    );
  const isSilenced = line.forked === 'replaced' && line.mark === 'fallback';
  const outcome =
    line.too_long || line.unanswered || isSilenced
      ? unansweredOutcome
      : decideOutcome(
          parseAnswer(line.raw, prompt, reading, {
            ...{ isOfFamily: isReadAsFamily(line), isPerson: isPersonSpec(line.model) },
          }),
          line.attempt,
          line.mark === 'refusal',
        );
  if (!isDeepStrictEqual(outcome.answer, line.answer) || outcome.mark !== line.mark)
    throw new RecordError(
      `The recorded answer of ${formatCallKey(line)} is parsed differently now: ${JSON.stringify(outcome.answer)}, recorded as ${JSON.stringify(line.answer)}.`,
    );
  return line;
}
