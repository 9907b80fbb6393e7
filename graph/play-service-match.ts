// Plays a match that a server's client asks for. The match is played and recorded like any other, and its steps are
// streamed in LangGraph's form.
import { isDeepStrictEqual } from 'node:util';
import { Command } from '@langchain/langgraph';
import { type Budget, BudgetReached, createBudget, createMatchBudget } from '../models/budget.ts';
import { getMachine } from '../models/machine/machine.ts';
import type { Environment } from '../models/model.ts';
import type { StudioPlan } from '../state/game.ts';
import { UsageError } from '../state/usage-error.ts';
import type { CompiledMatch } from './match-graph.ts';
import { listPersonSeats } from './people-at-table.ts';
import { checkPrices, type GraphRunner, type PlayOptions, playPreparedMatch, replayMatch } from './play-match.ts';
import { type PreparedMatch, prepareMatch } from './prepare-match.ts';
import { makeServiceTable } from './service-people.ts';
import { planMatchFromContext, type ServiceContext, type ServiceSettings } from './service-settings.ts';

/** The options of a server's run that a match uses. */
export interface RunOptions {
  configurable?: Readonly<Record<string, unknown>>;
  metadata?: Readonly<Record<string, unknown>>;
  tags?: readonly string[];
  callbacks?: readonly unknown[];
  context?: unknown;
  runId?: string;
  signal?: AbortSignal;
  /** Kinds of chunks that the client asked for. */
  streamMode?: readonly string[];
  /** Whether chunks begin with the namespace of their graph. */
  subgraphs?: boolean;
  version?: string;
  interruptBefore?: unknown;
  interruptAfter?: unknown;
}

/** A client's request. */
interface WantedMatch {
  input: unknown;
  context: ServiceContext;
  options: RunOptions;
}

/**
 * Plays the match of a thread and yields the chunks that `graph` streams. A match that has begun is resumed: it is
 * played from its beginning with the recorded answers. `graph`: the graph whose checkpointer the server has set. Throws
 * like `playMatch`.
 */
export async function* playForClient(
  graph: CompiledMatch,
  { input, context, options }: WantedMatch,
  settings: ServiceSettings,
  env: Environment,
): AsyncGenerator<unknown> {
  checkRun(input, options);
  const { plan = {} } = (input ?? {}) as { plan?: Partial<StudioPlan> };
  const thread = options.configurable?.['thread_id'];
  const id = typeof thread === 'string' ? thread : undefined;
  const prepared = await prepareMatch(
    { ...plan, ...planMatchFromContext(context, settings), id },
    env,
    getMachine().clock.now(),
  );
  checkRecorded(prepared.manifest.setup, settings);
  const { readable, writable } = new TransformStream<unknown>();
  const writer = writable.getWriter();
  const run = createStreamRunner(graph, options, (event) => writer.write(event));
  const [cap, given] = context.maxCost === undefined ? [settings.maxCost, 'WOLFGRAPH_MAX_COST'] : [context.maxCost, 'maxCost']; // prettier-ignore
  if (cap !== null) checkPrices(prepared.seats, cap, given);
  const playOptions = {
    ...{ out: settings.out, concurrency: settings.concurrency, env, signal: forwardAbort(options.signal) },
    budget: chooseBudget(prepared.manifest.id, context, settings),
    onWarning: (message: string) => process.emitWarning(message, { type: 'Wolfgraph', detail: prepared.manifest.id }),
  };
  const hasPeople = listPersonSeats(prepared.manifest).length > 0;
  if (hasPeople) checkPeopleRun(options);
  const play = hasPeople ? playWithPeople : playPreparedMatch;
  const tell = (seats: Readonly<Record<string, string>>) => writer.write(createCustomChunk({ seats }, options));
  const played = play(prepared, hasPeople ? { ...playOptions, people: makeServiceTable(tell) } : playOptions, run);
  played
    .then(
      () => writer.close(),
      (error: unknown) => writer.abort(error),
    )
    .catch(() => undefined); // the client no longer reads the stream
  try {
    yield* readable;
  } finally {
    await played; // throws the reason of the stop, once the record is closed
  }
  if (!run.hasRun())
    throw new UsageError(`This match has already ended; its record is ${id}. Start the next match in a new thread.`);
}

/**
 * Plays a match of people, and streams its steps only when it is over: until then, the server would show the roles to
 * everybody who can read its threads.
 */
async function playWithPeople(prepared: PreparedMatch, options: PlayOptions, run: GraphRunner): Promise<void> {
  let isPlayed = false;
  const onStart = () => (isPlayed = true);
  const { folder } = await playPreparedMatch(prepared, { ...options, onStart });
  if (isPlayed && folder !== null) await replayMatch(folder, { runner: run });
}

/** Throws a UsageError for a run whose client would not receive the addresses of the pages. */
function checkPeopleRun({ streamMode = [], version }: RunOptions): void {
  if (version !== 'v3' && streamMode.includes('custom')) return;
  throw new UsageError(
    'People play in this match. The addresses of their pages are streamed once, as the first chunk of the mode "custom". Start the run with runs.stream and streamMode: ["custom"]; other modes may be added.',
  );
}

/** Creates a chunk of the mode `custom`, in the form in which LangGraph streams the chunks of a run's own graph. */
const createCustomChunk = (payload: object, { runId, subgraphs }: RunOptions) => ({
  ...{ event: 'on_chain_stream', name: 'LangGraph', run_id: runId, tags: [], metadata: {} },
  data: { chunk: [...(subgraphs ? [[]] : []), 'custom', payload] },
});

/** Throws a UsageError for run options under which the steps would differ from those of the recorded match. */
function checkRun(input: unknown, { configurable = {}, interruptBefore, interruptAfter }: RunOptions): void {
  const cure = 'Cancel the run and start it again on its thread, or start another in a new thread.';
  if (input instanceof Command) throw new UsageError(`A match of models takes no commands. ${cure}`);
  const isAsked = (nodes: unknown) => nodes !== undefined && nodes !== null && (nodes as string[]).length > 0;
  if (isAsked(interruptBefore) || isAsked(interruptAfter))
    throw new UsageError(`A match of models is not interrupted at a node. ${cure}`);
  if (['checkpoint_id', 'checkpoint_ns', 'checkpoint_map'].some((name) => configurable[name]))
    throw new UsageError(`A match of models resumes from its record, not from a checkpoint. ${cure}`);
}

/** Throws a UsageError if answers that cost money would not be stored. */
function checkRecorded(
  { bots, players }: { bots: readonly string[]; players: readonly unknown[] },
  { out }: ServiceSettings,
) {
  if (out === null && bots.length < players.length)
    throw new UsageError(
      'This server plays language models and people only if its operator has set a folder for their records: WOLFGRAPH_OUT is not set.',
    );
}

/** Returns a signal for the match that aborts together with the run's signal, with a readable error as its reason. */
function forwardAbort(signal: AbortSignal | undefined): AbortSignal {
  const own = new AbortController();
  const abort = () => own.abort(new Error('The run was cancelled. Start it again on its thread to resume.'));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return own.signal;
}

/**
 * Creates a runner that runs the graph on the server's thread, from the thread's first checkpoint if the thread has
 * one.
 */
function createStreamRunner(
  { checkpointer, store }: CompiledMatch,
  options: RunOptions,
  write: (event: unknown) => Promise<void>,
): GraphRunner & { hasRun(): boolean } {
  let hasRun = false;
  return {
    runId: options.runId,
    hasRun: () => hasRun,
    run: async (graph, input, config) => {
      hasRun = true;
      Object.assign(graph, { checkpointer, store });
      const first = await findFirstCheckpoint(graph, options, input);
      const { callbacks, tags = [], metadata = {}, ...own } = config as RunOptions;
      // Clients of a server see the server's runs. Only handlers are added: the callbacks of untraced runs would hide
      // them.
      const handlers: readonly unknown[] = Array.isArray(callbacks) ? callbacks : [];
      const merged = {
        ...options,
        ...own,
        ...(options.runId === undefined ? {} : { runId: options.runId }),
        context: undefined,
        callbacks: [...(options.callbacks ?? []), ...handlers],
        tags: [...(options.tags ?? []), ...tags],
        metadata: { ...options.metadata, ...metadata },
        configurable: { ...options.configurable, ...(first === null ? {} : { checkpoint_id: first }) },
      };
      for await (const event of await graph.streamEvents(first === null ? input : null, merged)) await write(event);
    },
  };
}

/**
 * Returns the id of the checkpoint with which a thread began; null for a new thread. Throws a UsageError if the thread
 * began with another match, whose steps would be mistaken for the steps of this match.
 */
async function findFirstCheckpoint(
  { checkpointer }: CompiledMatch,
  { configurable }: RunOptions,
  input: object,
): Promise<string | null> {
  const thread = configurable?.['thread_id'];
  if (!checkpointer || thread === undefined) return null;
  let id: string | null = null;
  let begun: unknown;
  for await (const { checkpoint } of checkpointer.list({ configurable: { thread_id: thread, checkpoint_ns: '' } })) {
    ({ id } = checkpoint);
    begun = checkpoint.channel_values['__start__'];
  }
  const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
  if (id !== null && !isDeepStrictEqual(copy(begun), copy(input)))
    throw new UsageError(
      'This thread began with another match. Give the same plan and context, or start a new thread.',
    );
  return id;
}

/** Budget of all matches of this process together, and the money spent on each match. */
const spending = { total: createBudget(null), accounts: new Map<string, { paid: number }>() };

/**
 * Returns the budget of a match, limited by the client's cap for this match and by the operator's cap for all matches.
 */
function chooseBudget(id: string, { maxCost }: ServiceContext, { maxCost: cap }: ServiceSettings): Budget {
  const account = spending.accounts.get(id) ?? { paid: 0 };
  spending.accounts.set(id, account);
  const shared = createMatchBudget(spending.total, account, () =>
    cap !== null && spending.total.spent() >= cap
      ? new BudgetReached(`This server's spending limit is reached (WOLFGRAPH_MAX_COST, set by its operator).`)
      : null,
  );
  const own = createBudget(maxCost ?? null, 'maxCost');
  const both = [own, shared];
  return {
    spend: (cost) => both.forEach((budget) => budget.spend(cost)),
    reserve: async (estimate) => {
      const settled = await Promise.all(both.map((budget) => budget.reserve(estimate)));
      return (cost) => settled.forEach((settle) => settle(cost));
    },
    check: () => both.forEach((budget) => budget.check()),
    spent: () => own.spent(),
  };
}
