// Traces for LangSmith, small enough to look at: what grows with the match is left out of the nodes' inputs and outputs.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { LangChainTracer } from '@langchain/core/tracers/tracer_langchain';
import { Client, getDefaultProjectName, RunTree, uuid7, type ClientConfig } from 'langsmith';
import type { RunUpdate } from 'langsmith/schemas';
import type { Environment } from './model.ts';
import { truncateWords, flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';
import { createAnswerRedactor, createRedactor, listSecrets } from './redact.ts';
import { openTracingLine, type Refusal } from './langsmith-transport.ts';
import { systemClock, type Clock } from './retry.ts';

/** What LangSmith shows beside a finished run: a figure, or a word for it. */
export interface Feedback {
  key: string;
  score?: number;
  value?: string;
  comment?: string;
}

export interface Tracing {
  /** To be given to the graph when it is invoked. */
  run: { runId?: string; callbacks?: BaseCallbackHandler[] };
  /**
   * Sends what waits, and the feedback to the run where an API key is present, or gives it up at once when the signal
   * is or gets aborted. Resolves to what is to be said of it where not all went out, else to null.
   */
  close(feedback: readonly Feedback[], signal: AbortSignal | undefined): Promise<string | null>;
}

/** Channels that hold the whole match so far; the record has them in full. */
const growing = ['gameLogs', 'deceptionHistory', 'deceptionScores', 'intents', 'setup'];

const switches = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];
const keys = ['LANGSMITH_API_KEY', 'LANGCHAIN_API_KEY'];

/** Words to show of an answer that is none of LangSmith's: enough to tell whose it is. */
const shownWords = 12;

const isAskedFor = (env: Environment) => switches.some((name) => env[name] === 'true');

/** How long a request may take, further tries included. Milliseconds. */
const requestTimeout = 60_000;

/** Traces one match where the environment asks for it, without the models' `secrets` and what else looks like a key. */
export function openTracing(env: Environment, secrets: readonly string[] = [], clock: Clock = systemClock): Tracing {
  if (!isAskedFor(env)) return untraced;
  const [known, shapes] = [createAnswerRedactor(secrets), createRedactor([])];
  const redact = <Value>(value: Value) => redactJson(value, (text) => shapes(known(text)));
  const line = openTracingLine(clock);
  const client = new RedactingClient(redact, {
    tracingMode: 'langsmith', // and never OpenTelemetry, whose way goes past the line
    anonymizer: redact,
    hideInputs: (inputs) => redact(shrinkChannels(inputs)),
    hideOutputs: (outputs) => redact(shrinkChannels(outputs)),
    callerOptions: { maxRetries: 0 },
    timeout_ms: requestTimeout,
    fetchImplementation: line.fetch,
  });
  const projectName = getDefaultProjectName();
  const runId = uuid7();
  const startTime = new Date().toISOString();
  const shown = createRedactor([...secrets, ...listSecrets(env)]);
  const hasKey = keys.some((name) => Boolean(env[name]));
  return {
    // Awaited, so that at the end of the match nothing of it is still on its way to the client.
    run: { runId, callbacks: [new LangChainTracer({ client, projectName, _awaitHandler: true })] },
    close: async (feedback, signal) => {
      if (signal?.aborted) line.cut();
      signal?.addEventListener('abort', line.cut);
      try {
        await line.finish(async () => {
          await client.awaitPendingTraceBatches();
          if (hasKey && feedback.length > 0) await give(client, { runId, projectName, startTime }, feedback);
        });
        return line.hasLost() ? lossOf(line.refusal(), shown) : null;
      } catch {
        return lossOf(line.refusal(), shown); // an answer that is none of LangSmith's: the match does not depend on it
      } finally {
        signal?.removeEventListener('abort', line.cut);
      }
    },
  };
}

/**
 * LangSmith's own anonymizer goes through the inputs, outputs, errors and metadata of a run; the rest of it, such as its
 * model and how that was called, is redacted here.
 */
class RedactingClient extends Client {
  readonly #redact: <Value>(value: Value) => Value;

  constructor(redact: <Value>(value: Value) => Value, config: ClientConfig) {
    super(config);
    this.#redact = redact;
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
    return { ...run, ...this.#redact(rest) };
  }
}

/** As JSON has it, all words redacted and the names of fields too, which a server may choose. */
function redactJson<Value>(value: Value, redact: (text: string) => string): Value {
  const revive = (_: string, field: unknown) => {
    if (typeof field === 'string') return redact(field);
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).map(([name, inner]) => [redact(name), inner as unknown]));
  };
  return JSON.parse(JSON.stringify(value), revive) as Value;
}

/** Redacted before it is cut: half a key nobody would recognise. */
function lossOf(refusal: Refusal | null, redact: (text: string) => string): string {
  if (refusal === null) return 'LangSmith did not take all traces in time; the record is whole.';
  if ('said' in refusal) {
    const said = replaceDoubleQuotes(truncateWords(flattenToOneLine(redact(refusal.said)), shownWords).text);
    return `What answered at ${refusal.from} is not LangSmith: "${said}". Check LANGSMITH_ENDPOINT; the record is whole.`;
  }
  const { status } = refusal;
  const cure = cures[status] === undefined ? '' : `: check ${cures[status]}`;
  return `LangSmith refused the traces with status ${status}${cure}; the record is whole.`;
}

const cures: Readonly<Record<number, string>> = {
  401: 'LANGSMITH_API_KEY',
  403: 'LANGSMITH_API_KEY',
  404: 'LANGSMITH_ENDPOINT',
};

/** A match that is not traced. Where the process's environment asks for traces, LangChain has to be kept from them. */
export const untraced: Tracing = {
  get run() {
    return isAskedFor(process.env) ? { callbacks: [new NoTracer()] } : {};
  },
  close: () => Promise.resolve(null),
};

/** Stands where LangChain looks for a tracer before it makes one of its own. */
class NoTracer extends BaseCallbackHandler {
  name = 'langchain_tracer';
  override ignoreChain = true;
  override ignoreLLM = true;

  /** As LangChain does it where nothing is traced. */
  getRunTreeWithTracingConfig() {
    return new RunTree({ name: 'untraced', tracingEnabled: false });
  }

  updateFromRunTree() {
    // of somebody else's trace around the match, which stays without it
  }
}

interface TracedRun {
  runId: string;
  projectName: string;
  startTime: string;
}

/** The project is named by its id, as LangSmith asks; in a new one it is not there before the first trace is stored. */
async function give(client: Client, { runId, projectName, startTime }: TracedRun, feedback: readonly Feedback[]) {
  const project = await client
    .readProject({ projectName })
    .catch(() => client.createProject({ projectName, upsert: true }));
  if (typeof project.id !== 'string') throw new TypeError('LangSmith did not tell the id of the project.');
  // A trace that a program has judged need not be kept longer, which is billed.
  const to = { runId, sessionId: project.id, startTime, extendTraceRetention: false };
  await Promise.all(feedback.map((given) => client.createFeedback({ ...to, ...given })));
}

/** LangChain gives what a node reads or returns as it is: only the channels named are replaced, by their size. */
const shrinkChannels = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      growing.includes(key) && typeof value === 'object' && value !== null
        ? `(${Object.keys(value).length} entries, see the record)`
        : value,
    ]),
  );
