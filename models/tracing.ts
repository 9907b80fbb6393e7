// Traces of matches for LangSmith. They are redacted before LangSmith's client packs them. To keep them small enough to
// view, channels that grow with the match are left out of the nodes' inputs and outputs.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { CallbackManager, CallbackManagerForChainRun, type Callbacks } from '@langchain/core/callbacks/manager';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { LangChainTracer } from '@langchain/core/tracers/tracer_langchain';
import { Client, getDefaultProjectName, RunTree, uuid7, type ClientConfig } from 'langsmith';
import type { RunUpdate } from 'langsmith/schemas';
import { createFileTest, traces } from './key-policy.ts';
import type { Environment } from './model.ts';
import { checkServer } from './providers/index.ts';
import { UsageError } from '../state/usage-error.ts';
import { truncateWords, flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';
import { createAnswerRedactor, createRedactor, listSecrets } from './redact.ts';
import { openLangSmithTransport, type LangSmithRefusal } from './langsmith-transport.ts';
import { systemClock, type Clock } from './machine/clock.ts';

/** Feedback that LangSmith shows beside a finished run: a number (`score`) or a label (`value`), with a comment. */
export interface Feedback {
  key: string;
  score?: number;
  value?: string;
  comment?: string;
}

export interface Tracing {
  /** Options for the graph's `invoke`. */
  run: { runId?: string; callbacks?: Callbacks };
  /**
   * Sends the remaining traces, and the feedback if there is an API key. Gives up immediately if the signal is or
   * becomes aborted. Resolves to a warning if something did not arrive, otherwise to null.
   */
  close(feedback: readonly Feedback[], signal: AbortSignal | undefined): Promise<string | null>;
}

/** Channels that contain the whole match so far. The record has them in full. */
const growingChannels = ['gameLogs', 'deceptionHistory', 'deceptionScores', 'intents', 'setup'];

const tracingVariables = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];
const keyVariables = ['LANGSMITH_API_KEY', 'LANGCHAIN_API_KEY'];

/** Number of words to show of a response that is not LangSmith's, enough to see where it comes from. */
const shownWords = 12;

/** LangSmith's own hosts. */
const langsmithHosts = ['api.smith.langchain.com', 'eu.api.smith.langchain.com'];

const endpointVariables = ['LANGSMITH_ENDPOINT', 'LANGCHAIN_ENDPOINT'];

const isTracingRequested = (env: Environment) => tracingVariables.some((name) => env[name] === 'true');

/** Parts of traces that the user can tell LangSmith's client to hide. */
const hideableParts = ['INPUTS', 'OUTPUTS', 'METADATA'] as const;

/**
 * Returns whether the user asks LangSmith's client to hide a part of traces. A client with explicit settings ignores
 * these variables.
 */
const isHidingRequested = (env: Environment, what: (typeof hideableParts)[number]) =>
  ['LANGSMITH', 'LANGCHAIN'].some((vendor) => env[`${vendor}_HIDE_${what}`] === 'true');

/**
 * Describes which parts of traces the environment hides, and how to hide the rest.
 *
 * @example describeHiding({ LANGSMITH_HIDE_INPUTS: 'true' }) // 'inputs hidden; to hide outputs, set LANGSMITH_HIDE_OUTPUTS=true; …'
 */
export const describeHiding = (env: Environment): string =>
  hideableParts
    .map((what) =>
      isHidingRequested(env, what)
        ? `${what.toLowerCase()} hidden`
        : `to hide ${what.toLowerCase()}, set LANGSMITH_HIDE_${what}=true`,
    )
    .join('; ');

/** Timeout of a request in milliseconds, including its retries. */
const requestTimeout = 60_000;

/**
 * Throws a UsageError, like `checkReach`, if tracing is requested but the key or the traces may not be sent to the
 * configured address.
 *
 * @example checkTracing({ LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'x', LANGSMITH_ENDPOINT: 'https://example.org' });
 */
export function checkTracing(env: Environment): void {
  if (!isTracingRequested(env)) return;
  const addressFrom = endpointVariables.find((name) => env[name]) ?? null;
  const address = addressFrom === null ? `https://${langsmithHosts[0]}` : env[addressFrom]!;
  if (!URL.canParse(address))
    throw new UsageError(`${addressFrom} must be an http or https address, not "${address}".`);
  const key = keyVariables.find((name) => env[name]) ?? null;
  const isOfFile = createFileTest(env);
  const isGiven = addressFrom !== null && (!isOfFile(addressFrom) || (key !== null && isOfFile(key)));
  checkServer(env, traces, { address, key, addressFrom }, langsmithHosts.includes(new URL(address).host), isGiven);
}

/**
 * Traces one match if the environment asks for it, without the models' `secrets` and without anything that looks like a
 * key. `runId`: id of the match in LangSmith.
 *
 * @example
 * const tracing = openTracing(process.env, secrets);
 * await graph.invoke(state, { ...options, ...tracing.run });
 * const warning = await tracing.close(createFeedback(summary), signal);
 */
export function openTracing(
  env: Environment,
  secrets: readonly string[] = [],
  clock: Clock = systemClock,
  runId: string = uuid7(),
): Tracing {
  if (!isTracingRequested(env)) return untraced;
  checkTracing(env);
  const [hideSecrets, hideKeyShapes] = [createAnswerRedactor(secrets), createRedactor([])];
  const redact = <Value>(value: Value) => redactJson(value, (text) => hideKeyShapes(hideSecrets(text)));
  const transport = openLangSmithTransport(clock);
  const isHidden = (what: (typeof hideableParts)[number]) => isHidingRequested(env, what);
  const client = new RedactingClient(redact, {
    tracingMode: 'langsmith', // never OpenTelemetry, which would bypass our transport
    anonymizer: redact,
    hideInputs: isHidden('INPUTS') || ((inputs) => redact(shrinkChannels(inputs))),
    hideOutputs: isHidden('OUTPUTS') || ((outputs) => redact(shrinkChannels(outputs))),
    hideMetadata: isHidden('METADATA') || redact,
    callerOptions: { maxRetries: 0 },
    timeout_ms: requestTimeout,
    fetchImplementation: transport.fetch,
  });
  const projectName = getDefaultProjectName();
  const startTime = new Date(clock.now()).toISOString();
  const redactWarning = createRedactor([...secrets, ...listSecrets(env)]);
  const hasKey = keyVariables.some((name) => Boolean(env[name]));
  return {
    // The handler is awaited, so that the client has the whole trace when the match ends.
    run: { runId, callbacks: [new LangChainTracer({ client, projectName, _awaitHandler: true })] },
    close: async (feedback, signal) => {
      if (signal?.aborted) transport.cut();
      signal?.addEventListener('abort', transport.cut);
      try {
        await transport.finish(async () => {
          await client.flush(); // sends traces that the client would hold for another quarter of a second
          await client.awaitPendingTraceBatches();
          if (hasKey && feedback.length > 0) await sendFeedback(client, { runId, projectName, startTime }, feedback);
        });
        return transport.hasLost() ? describeLoss(transport.refusal(), redactWarning) : null;
      } catch {
        // The warning describes the transport's last refusal and not this error. The error must not stop the match.
        return describeLoss(transport.refusal(), redactWarning);
      } finally {
        signal?.removeEventListener('abort', transport.cut);
      }
    },
  };
}

/**
 * Client that also redacts what LangSmith's own anonymizer does not. The anonymizer handles inputs, outputs, errors and
 * metadata of a run. This class handles the rest, such as the model's name and call options.
 */
class RedactingClient extends Client {
  readonly #redact: <Value>(value: Value) => Value;
  readonly #areOutputsHidden: boolean;

  constructor(redact: <Value>(value: Value) => Value, config: ClientConfig) {
    super(config);
    this.#redact = redact;
    this.#areOutputsHidden = config.hideOutputs === true;
  }

  override createRun(...[run, options]: Parameters<Client['createRun']>) {
    return super.createRun(this.#redactRest(run), options);
  }

  override updateRun(...[id, run, options]: Parameters<Client['updateRun']>) {
    return super.updateRun(id, this.#redactRest(run), options);
  }

  #redactRest<Run extends Pick<RunUpdate, 'inputs' | 'outputs' | 'error'>>(run: Run): Run {
    const rest: Partial<Run> = { ...run };
    for (const field of ['inputs', 'outputs', 'error'] as const) delete rest[field];
    // An error can quote the answer that caused it.
    const error = this.#areOutputsHidden && run.error ? { error: '(hidden)' } : {};
    return { ...run, ...this.#redact(rest), ...error };
  }
}

/** Copies a value as JSON with all texts redacted, including names of fields, which a server may choose. */
function redactJson<Value>(value: Value, redact: (text: string) => string): Value {
  const revive = (_: string, field: unknown) => {
    if (typeof field === 'string') return redact(field);
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).map(([name, inner]) => [redact(name), inner as unknown]));
  };
  return JSON.parse(JSON.stringify(value), revive) as Value;
}

/**
 * Returns the warning that traces are missing. Words are redacted before they are cut: half a key would not be
 * recognized.
 */
function describeLoss(refusal: LangSmithRefusal | null, redact: (text: string) => string): string {
  if (refusal === null) return 'LangSmith did not accept all traces in time; the record is complete.';
  if ('body' in refusal) {
    const words = replaceDoubleQuotes(truncateWords(flattenToOneLine(redact(refusal.body)), shownWords).text);
    return `What answered at ${refusal.from} is not LangSmith: "${words}". Check LANGSMITH_ENDPOINT; the record is complete.`;
  }
  if ('advice' in refusal) return `LangSmith cannot be reached. ${refusal.advice} The record is complete.`;
  const { status } = refusal;
  const variable = variablesToCheck[status];
  const cure = variable === undefined ? '' : `: check ${variable}`;
  return `LangSmith refused the traces with status ${status}${cure}; the record is complete.`;
}

/** HTTP status → variable to check. */
const variablesToCheck: Readonly<Record<number, string>> = {
  401: 'LANGSMITH_API_KEY',
  403: 'LANGSMITH_API_KEY',
  404: 'LANGSMITH_ENDPOINT',
};

/**
 * Tracing of a match that creates no traces. LangChain must not create traces even if the environment asks for them,
 * not even in the models that nodes ask. If the environment does not ask, LangChain would still create runs that nobody
 * sees. Such runs are only wanted if a program plays the match inside its own run and follows it by callbacks.
 */
export const untraced: Tracing = {
  get run() {
    if (isTracingRequested(process.env)) return { callbacks: [new NoTracer()] };
    const isEnclosed = AsyncLocalStorageProviderSingleton.getInstance().getStore() !== undefined;
    return isEnclosed ? {} : { callbacks: silence };
  },
  close: () => Promise.resolve(null),
};

/** Disables tracing: before LangChain creates a tracer, it looks for one with this name, and finds this one. */
class NoTracer extends BaseCallbackHandler {
  name = 'langchain_tracer';
  override ignoreChain = true;
  override ignoreLLM = true;

  /** Returns the value that LangChain uses when nothing is traced. */
  getRunTreeWithTracingConfig() {
    return new RunTree({ name: 'untraced', tracingEnabled: false });
  }

  updateFromRunTree() {
    // If the match runs inside another trace, that trace does not include the match.
  }
}

/** Handler that LangChain takes for a tracer. LangChain asks it for a run, gets none, and creates none. */
class RunlessTracer extends NoTracer {
  override getRunTreeWithTracingConfig() {
    return undefined as unknown as RunTree; // LangChain accepts both
  }
}

/** Run id for LangChain, which takes it for the id of a run that has begun. */
const silentRun = 'untraced';

/**
 * Callbacks of runs that do not exist. They become ordinary callbacks if LangChain adds a handler, e.g. for a model
 * with `verbose`.
 */
class SilentCallbacks extends CallbackManager {
  constructor() {
    super(silentRun);
    this.setHandlers([new RunlessTracer()]);
  }

  /** Returns a separate copy, because handlers may be added to it. */
  override copy(...[handlers = [], inherit]: Parameters<CallbackManager['copy']>): CallbackManager {
    return handlers.length === 0 ? new SilentCallbacks() : super.copy(handlers, inherit);
  }

  override addTags(...added: Parameters<CallbackManager['addTags']>): void {
    if (this.#isHeard()) super.addTags(...added);
  }

  override addMetadata(...added: Parameters<CallbackManager['addMetadata']>): void {
    if (this.#isHeard()) super.addMetadata(...added);
  }

  override async handleChainStart(...run: Parameters<CallbackManager['handleChainStart']>) {
    return this.#isHeard() ? await super.handleChainStart(...run) : silentChainRun;
  }

  /** Returns whether there is a handler besides `RunlessTracer`. */
  #isHeard(): boolean {
    return this.handlers.length > 1;
  }
}

class SilentChainRun extends CallbackManagerForChainRun {
  override getChild(): CallbackManager {
    return silence;
  }
}

const silence = new SilentCallbacks();
const silentChainRun = new SilentChainRun(silentRun, [], [], [], [], {}, {});

interface TracedRun {
  runId: string;
  projectName: string;
  startTime: string;
}

/** Sends feedback. LangSmith needs the project's id, and a new project exists only after its first trace is stored. */
async function sendFeedback(
  client: Client,
  { runId, projectName, startTime }: TracedRun,
  feedback: readonly Feedback[],
) {
  const project = await client
    .readProject({ projectName })
    .catch(() => client.createProject({ projectName, upsert: true }));
  if (typeof project.id !== 'string') throw new TypeError("LangSmith did not return the project's id.");
  // Without `extendTraceRetention: false`, LangSmith would keep traces with feedback for longer, and charge for it.
  const target = { runId, sessionId: project.id, startTime, extendTraceRetention: false };
  await Promise.all(feedback.map((one) => client.createFeedback({ ...target, ...one })));
}

/** Replaces the channels that grow with the match by their size. */
const shrinkChannels = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      growingChannels.includes(key) && typeof value === 'object' && value !== null
        ? `(${Object.keys(value).length} entries, see the record)`
        : value,
    ]),
  );
