// Plays one match from its plan to its summary, and replays recorded matches. This is the project's main entry point
// for programs.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { summarizeMatch } from '../deception/summary/match-summary.ts';
import { type Budget, createBudget } from '../models/budget.ts';
import { type CallLimits, limitNames } from '../models/call-limits.ts';
import { hashMessages } from '../models/call-model.ts';
import { createFallbackLimit, defaultMaxFallbacks, type FallbackLimit } from '../models/fallback-limit.ts';
import { type CallLimiters, getCallLimiters } from '../models/limiters-by-server.ts';
import { type AnswerResult, createModelClient, type ModelClient } from '../models/model-client.ts';
import { type Environment, findForeignAddress, type SeatModels } from '../models/model.ts';
import { EventLog } from '../models/record/event-log.ts';
import { tellServers } from '../models/key-policy.ts';
import { RecordError } from '../models/record/ndjson.ts';
import {
  checkPlayable,
  createMemoryRecorder,
  openRecorder,
  readRecord,
  type Recorder,
  type StoredRecord,
} from '../models/record/recorder.ts';
import { dropUndefined } from '../models/model-options.ts';
import { createRedactor, redactError } from '../models/redact.ts';
import { type Clock, createSteadyClock } from '../models/machine/clock.ts';
import { getDisk, getMachine } from '../models/machine/machine.ts';
import { type Feedback, openTracing, type Tracing, untraced } from '../models/tracing.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { readTemplatesHash } from '../prompts/wording.ts';
import { createInitialState } from '../state/deal.ts';
import { followAsPeople, listPersonSeats, openTable } from './people-at-table.ts';
import type { People } from '../models/human/people.ts';
import type { GameEvent } from '../state/events.ts';
import type { GameUpdate } from '../state/game.ts';
import { type AnswerLine, formatCallKey, type Manifest, recordFiles } from '../state/record.ts';
import { getModelLabel } from '../state/model-identity.ts';
import { describeRules } from '../state/rulebook.ts';
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import { createForkClient } from './fork-client.ts';
import { createFeedback } from './langsmith-feedback.ts';
import { buildMatchGraph, type CompiledMatch, computeSuperstepLimit } from './match-graph.ts';
import { type MatchPlan, planNames, type PreparedMatch, prepareMatch } from './prepare-match.ts';
import { playWaves } from './replay-waves.ts';
import { checkWordingsBeside, listReworded } from './recorded-wording.ts';
import {
  findEarlierMatch,
  listFolders,
  type MatchResult,
  planEarlierMatch,
  readFinishedMatch,
} from './earlier-match.ts';

/** Options that do not change the match. */
export interface PlayOptions extends MatchListener, CallLimits<number | null> {
  /** The folder in which the match's own folder is created; null to write nothing. Default: `runs`. */
  out?: string | null | undefined;
  /**
   * Whether a new match of language models may begin in a folder that has matches with another wording of the prompts.
   * Default: false.
   */
  mixWordings?: boolean | undefined;
  /**
   * Priority of this match's calls among all calls that wait for the same server. Lower numbers go first. Default: 0.
   */
  priority?: number;
  /** A budget shared with other matches. Default: a budget of `maxCost` for this match alone. */
  budget?: Budget;
  /** A limit on fallbacks shared with other matches. Default: a limit for this match alone. */
  fallbackLimit?: FallbackLimit;
  /** Aborts the match and its running calls. An aborted match can be resumed. */
  signal?: AbortSignal;
  env?: Environment;
  clock?: Clock;
  /** Asks the people who play. Required if a person plays any seat. */
  people?: People | undefined;
  /** Whether traces may be sent while people play. Traces contain the secrets of all players. Default: false. */
  operator?: boolean | undefined;
}

/** Resources shared by matches that several processes play. */
export interface SharedPlay {
  limiters: CallLimiters;
  /** Called after a live answer of a language model is recorded, and awaited before the match uses the answer. */
  keep: (line: AnswerLine) => Promise<void>;
}

/** Listener for the progress of a match. */
export interface MatchListener {
  /** Called when the match begins or is resumed. `recorded`: number of recorded answers. */
  onStart?: (start: { manifest: Manifest; folder: string | null; recorded: number }) => void;
  onEvents?: (events: readonly GameEvent[]) => void;
  /** Called when the number of running calls has changed. */
  onCalls?: (underWay: number) => void;
  onAnswer?: (line: AnswerLine, isRecorded: boolean) => void;
  onWarning?: (message: string) => void;
}

/** Default number of calls running at the same time at one server. */
export const defaultConcurrency = 32;

/**
 * Plays a match to its end, or resumes it if its folder has an unfinished record. A finished match is only read. Each
 * seat accepts a model string or any LangChain `BaseChatModel`.
 *
 * Throws UsageError for an unusable plan (nothing is written then); ProviderFailure, BudgetReached, FallbacksReached or
 * the reason of an abort if the match had to stop (it can be resumed); and RecordError if the folder cannot be used.
 *
 * @example
 * const { summary } = await playMatch({ board: 'classic-8', model: 'openai:gpt-4o', werewolves: 'bot:classic', seed: 7 });
 * console.log(summary.winner); // 'villagers', 'werewolves' or null
 */
export async function playMatch(options: MatchPlan & PlayOptions = {}): Promise<MatchResult> {
  checkOptionNames('playMatch', options, optionNames);
  const clock = options.clock ?? getMachine().clock;
  const env = options.env ?? process.env;
  const { out = 'runs' } = options;
  const prepared = await prepareMatch(options, env, clock.now());
  const found =
    out === null || options.id !== undefined
      ? null
      : findEarlierMatch(prepared.manifest, { parent: out, names: listFolders(out), plan: options });
  const begun = found && (await prepareMatch(planEarlierMatch(options, found), env, clock.now()));
  const match = begun ?? prepared;
  if (out !== null && !options.mixWordings) checkWordingsOf(out, match);
  return playPreparedMatch(match, options);
}

/**
 * Throws a UsageError if `out` has matches with another wording of the prompts. A match that has begun is resumed
 * without this check.
 */
function checkWordingsOf(out: string, { manifest }: PreparedMatch): void {
  const findManifest = (name: string) => path.join(out, name, recordFiles.manifest);
  if (getDisk().exists(findManifest(manifest.id))) return;
  checkWordingsBeside([manifest], listFolders(out).map(findManifest), out);
}

const optionNames: Readonly<Record<keyof (MatchPlan & PlayOptions), true>> = {
  ...planNames,
  ...limitNames,
  ...{
    out: true,
    mixWordings: true,
    budget: true,
    fallbackLimit: true,
    priority: true,
    signal: true,
    env: true,
    clock: true,
    people: true,
    operator: true,
  },
  ...{ onStart: true, onEvents: true, onCalls: true, onAnswer: true, onWarning: true },
};

/** Runs the graph of a match: by LangGraph's `invoke`, or by a server that streams the result of each step. */
export interface GraphRunner {
  /** Id of the run in traces, if the caller has chosen one. */
  runId?: string | undefined;
  run: (graph: CompiledMatch, input: GameUpdate, config: object) => Promise<unknown>;
}

/** Plays a match prepared by `prepareMatch`. Throws like `playMatch`. */
export async function playPreparedMatch(
  { manifest, seats, recall }: PreparedMatch,
  options: PlayOptions & Partial<SharedPlay>,
  runner?: GraphRunner,
): Promise<MatchResult> {
  const clock = options.clock ?? getMachine().clock;
  const cap = options.maxCost ?? null;
  if (cap !== null) checkPrices(seats, cap);
  const secrets = Object.values(seats).flatMap(({ choice, talk }) => [...choice.secrets, ...talk.secrets]);
  const redact = createRedactor(secrets);
  const warn = (message: string) => options.onWarning?.(redact(message));
  const folder = options.out === null ? null : path.join(options.out ?? 'runs', manifest.id);
  if (folder !== null) {
    const finished = readFinishedMatch(folder, manifest);
    if (finished) return finished;
  }
  if (manifest.setup.experience && !recall)
    throw new UsageError(
      `Players of ${manifest.id} need entries of earlier matches, but no pool is given. Give its folder: --experience POOL.`,
    );
  const env = options.env ?? process.env;
  const persons = listPersonSeats(manifest);
  if (persons.length > 0) await openTable(persons, options.people);
  const isTraced = persons.length === 0 || options.operator === true;
  const tracing = isTraced ? openTracing(env, secrets, clock, runner?.runId) : untraced;
  tellServers(env);
  const recorder = folder === null ? createMemoryRecorder(manifest) : openRecorder(folder, manifest, warn);
  let feedback: Feedback[] = [];
  let roles: Record<string, string> | null = null;
  try {
    if (folder !== null) await checkWording(recorder, folder);
    options.onStart?.({ manifest: recorder.manifest, folder, recorded: recorder.answers.length });
    const events = await runMatch(recorder, seats, { ...options, clock, onWarning: warn, tracing, runner, recall });
    await clock.takeTurn(); // many matches may end at the same time
    const summary = summarizeMatch({ manifest: recorder.manifest, events, answers: recorder.answers });
    await clock.takeTurn();
    await recorder.finish(summary);
    roles = Object.fromEntries(recorder.manifest.setup.players.map(({ name, role }) => [name, role]));
    feedback = createFeedback(summary);
    return { id: manifest.id, folder, summary, events };
  } catch (error) {
    redactError(error, redact);
    throw error;
  } finally {
    const isHurried = options.signal?.aborted ?? false; // after an abort, nobody waits for the rest
    recorder.close(isHurried);
    if (persons.length > 0) await options.people?.close(roles);
    // Tracing is closed last, when the last call has ended and is recorded, so that its trace is sent too.
    const loss = await tracing.close(feedback, options.signal);
    if (loss !== null && !isHurried) warn(loss);
  }
}

/**
 * Throws a RecordError, before any call, for a match that began with another wording of the prompts: a match must use
 * one wording throughout. Only the wording of questions that the match can ask is compared.
 */
async function checkWording({ manifest, answers }: Recorder, folder: string): Promise<void> {
  const { templates_sha256: templates } = manifest.made_by;
  const reworded = listReworded(manifest);
  if (reworded.length > 0) throw createRewordedError(manifest, folder, reworded.join(', '));
  if (templates === readTemplatesHash() || answers.length === 0) return;
  const recorded = new Map(answers.map((line) => [formatCallKey(line), line.prompt_sha256]));
  let changed: string | undefined;
  const memory = createMemoryRecorder(manifest, answers);
  const reader: Recorder = {
    ...memory,
    logPrompt: (key, messages) => {
      const hash = recorded.get(formatCallKey(key));
      if (hash !== undefined && hash !== hashMessages(messages)) changed ??= formatCallKey(key);
    },
  };
  const options = { recordedOnly: true, allowChangedPrompts: true, tracing: untraced };
  await runMatch(reader, {}, options).catch((error: unknown) => {
    if (!(error instanceof RecordError)) throw error; // a RecordError marks the end of the recorded answers
  });
  if (changed !== undefined) throw createRewordedError(manifest, folder, changed);
}

function createRewordedError({ made_by: { wolfgraph, commit, dirty } }: Manifest, folder: string, what: string) {
  const checkout = commit === null ? '' : ` of commit ${commit.slice(0, 12)}`;
  return new RecordError(
    `${folder} was begun with prompts of another wording: the wording of ${what} has changed since. Wolfgraph ${wolfgraph}${checkout}${dirty ? ', with its uncommitted changes of that time,' : ''} can finish it. To play the match again with today's wording, choose another --out.`,
  );
}

/** A match that was replayed from its record. */
export interface ReplayResult extends MatchResult {
  /** Whether the recorded prompts have another wording. Only parsing, rules and events were then compared. */
  isReworded: boolean;
}

interface ReplayOptions {
  allowChangedPrompts?: boolean;
  /** The record, if the caller has read it. Default: read from the folder. */
  record?: Pick<StoredRecord, 'manifest' | 'answers' | 'events'>;
  /** Called with every question, in the order of asking, and its result. */
  onAsked?: (prompt: AnyPrompt, result: AnswerResult<unknown>) => void;
  /** Runs the graph. Default: the match is replayed without LangGraph, which is faster. */
  runner?: GraphRunner;
}

/**
 * Replays a recorded match from its answers, without any call, and compares the events. Also compares the prompts,
 * unless the record was made with other templates or `allowChangedPrompts` is set. Throws RecordError if the record
 * does not lead to the same match.
 *
 * @example const { isReworded } = await replayMatch('runs/classic-8-7-1a2b3c4d');
 */
export async function replayMatch(
  folder: string,
  { allowChangedPrompts = false, record = readRecord(folder), onAsked, runner }: ReplayOptions = {},
): Promise<ReplayResult> {
  const { manifest, answers, events: recorded } = record;
  checkPlayable(manifest);
  const isReworded = manifest.made_by.templates_sha256 !== readTemplatesHash() || listReworded(manifest).length > 0;
  const recorder = createMemoryRecorder(manifest, answers);
  const events = await runMatch(
    recorder,
    {},
    {
      recordedOnly: true,
      allowChangedPrompts: allowChangedPrompts || isReworded,
      tracing: untraced,
      onAsked,
      runner,
    },
  );
  const [surplus] = recorder.unasked();
  if (surplus)
    throw new RecordError(
      `${path.join(folder, recordFiles.answers)} contains an answer to a question that the match does not ask: ${formatCallKey(surplus)}.`,
    );
  const different = events.findIndex((event, index) => !isDeepStrictEqual(event, recorded[index]));
  const line = different >= 0 ? different : events.length < recorded.length ? events.length : -1;
  if (line >= 0)
    throw new RecordError(
      `${path.join(folder, recordFiles.events)}, line ${line + 1}: recorded as ${JSON.stringify(recorded[line])}, played as ${JSON.stringify(events[line])}.`,
    );
  let summary: MatchResult['summary'] | undefined;
  return {
    ...{ id: manifest.id, folder, events, isReworded },
    get summary() {
      return (summary ??= summarizeMatch({ manifest, events, answers })); // takes as long as the match, and is rarely asked for
    },
  };
}

interface RunOptions extends Omit<PlayOptions, 'out'>, Partial<SharedPlay> {
  tracing: Tracing;
  runner?: GraphRunner | undefined;
  recall?: PreparedMatch['recall'];
  recordedOnly?: boolean;
  allowChangedPrompts?: boolean;
  onAsked?: ReplayOptions['onAsked'];
}

/** Wraps the client so that every answered question is reported. */
const watchClient = (client: ModelClient, onAsked: NonNullable<ReplayOptions['onAsked']>): ModelClient => ({
  recall: (prompt, moment) => client.recall(prompt, moment),
  ask: async (prompt) => {
    const result = await client.ask(prompt);
    onAsked(prompt, result);
    return result;
  },
});

const invokeGraph: GraphRunner['run'] = (graph, input, config) => graph.invoke(input, config);

/** Runs the graph of a match and returns its events, in order. */
async function runMatch(
  recorder: Recorder,
  seats: Readonly<Record<string, SeatModels>>,
  options: RunOptions,
): Promise<readonly GameEvent[]> {
  const { id, setup, fork_of: fork } = recorder.manifest;
  const { signal = new AbortController().signal, concurrency = defaultConcurrency } = options;
  const showPeople = options.people ? followAsPeople(recorder.manifest, options.people) : null;
  const log = new EventLog((more) => {
    try {
      recorder.happened(more);
      showPeople?.(more);
      options.onEvents?.(more);
    } catch (error) {
      client.stop(error); // now, before another node of the superstep asks a model
      throw error;
    }
  });
  const { board, rules, seed, players, variant, replicate, people, experience, cut_after_round } = setup;
  const metadata = {
    ...{ match: id, board: board.name, rules: describeRules(rules, board), seed },
    ...dropUndefined({ replicate }),
  };
  const client = createModelClient({
    seats,
    seed,
    replicate,
    answerStore: recorder,
    budget: options.budget ?? createBudget(options.maxCost ?? null),
    fallbackLimit: options.fallbackLimit ?? createFallbackLimit(options.maxFallbacks ?? defaultMaxFallbacks),
    maxWaitMs: options.maxWait === undefined ? undefined : options.maxWait * 1000,
    limiters: options.limiters ?? getCallLimiters(options.clock ?? getMachine().clock),
    keep: options.keep,
    concurrency,
    priority: options.priority ?? 0,
    clock: createSteadyClock(options.clock ?? getMachine().clock), // setting the system time affects no call of a match
    signal,
    people: options.people,
    recall: options.recall,
    allowChangedPrompts: options.allowChangedPrompts ?? false,
    recordedOnly: options.recordedOnly ?? false,
    metadata,
    warn: (message) => options.onWarning?.(message),
    onCalls: (underWay) => options.onCalls?.(underWay),
    onAnswer: (line, isRecorded) => options.onAnswer?.(line, isRecorded),
  });
  try {
    const asked = fork === undefined ? client : createForkClient(client, fork);
    const context = { client: options.onAsked ? watchClient(asked, options.onAsked) : asked, events: log };
    if (options.recordedOnly === true && options.runner === undefined) {
      await playWaves(setup, context);
      log.flush();
      return recorder.events;
    }
    const { run } = options.runner ?? { run: invokeGraph };
    await run(
      buildMatchGraph(context),
      createInitialState({
        board,
        rules,
        seed,
        players,
        ...dropUndefined({ variant, people, experience, cut_after_round }),
      }),
      {
        recursionLimit: computeSuperstepLimit(setup),
        runName: id,
        tags: ['wolfgraph', board.name],
        metadata,
        ...options.tracing.run,
      },
    );
    log.flush();
    return recorder.events;
  } catch (error) {
    client.stop(error);
    throw error;
  } finally {
    await client.waitUntilIdle(); // throws the reason of the stop, which LangGraph wraps if several nodes fail
  }
}

/**
 * Throws a UsageError that names a model of unknown price, because a cap could not be enforced. `cap`: USD. `name`:
 * option that gave the cap.
 */
export function checkPrices(seats: Readonly<Record<string, SeatModels>>, cap: number, name = '--max-cost') {
  const unpriced = Object.values(seats).find(({ talk }) => talk.price === null);
  if (unpriced === undefined) return;
  const { spec } = unpriced.talk;
  const label = getModelLabel(spec);
  const cure =
    label === spec
      ? 'in the model string, in USD per million tokens: ?priceIn=…&priceOut=…'
      : 'where the model is named, in USD per million tokens: prices: { in: …, out: … }';
  const address = findForeignAddress(unpriced.talk);
  const why = address === undefined ? '' : `: it is called at ${address}, which baseUrl or a variable such as OPENAI_BASE_URL names, and prices are listed only for providers' own addresses`; // prettier-ignore
  throw new UsageError(
    `${name} ${cap} cannot be enforced, because the price of ${label} is not known${why}. Give the price ${cure}.`,
  );
}
