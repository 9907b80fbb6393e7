// Traces for LangSmith, small enough to look at: what grows with the match is left out of the nodes' inputs and outputs.
import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Environment } from './model.ts';

export interface Tracing {
  callbacks: BaseCallbackHandler[];
  /** Sends what waits, or gives it up at once. Resolves to whether all of it went out in time. */
  close(isHurried: boolean): Promise<boolean>;
}

/** Channels that hold the whole match so far; the record has them in full. */
const growing = ['gameLogs', 'deceptionHistory', 'deceptionScores', 'intents', 'setup'];

/** A server that cannot be reached delays the end of a match by no more than this, in milliseconds. */
const patience = 5000;

/** Failures in a row after which LangSmith counts as out of reach. */
const tolerated = 3;

const switches = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];

/** Null where no tracing is asked for. The packages are loaded only where it is. */
export async function openTracing(env: Environment): Promise<Tracing | null> {
  if (!switches.some((name) => env[name] === 'true')) return null;
  const { LangChainTracer } = await import('@langchain/core/tracers/tracer_langchain');
  const { Client } = await import('langsmith');
  const line = openLine();
  const client = new Client({ hideInputs: small, hideOutputs: small, fetchImplementation: line.fetch });
  return {
    callbacks: [new LangChainTracer({ client })],
    close: async (isHurried) => {
      const timer = setTimeout(line.cut, isHurried ? 0 : patience);
      await client.awaitPendingTraceBatches().finally(() => clearTimeout(timer));
      return !line.isCut();
    },
  };
}

/**
 * The way to LangSmith. After failures in a row, or when it is cut, everything counts as sent: the client would try
 * for minutes, and say so on the console each time.
 */
function openLine() {
  const cut = new AbortController();
  let failures = 0;
  const accepted = () => new Response('{}', { status: 202, headers: { 'content-type': 'application/json' } });
  const send: typeof fetch = async (address, init) => {
    if (cut.signal.aborted) return accepted();
    const signals = [cut.signal, AbortSignal.timeout(patience), ...(init?.signal ? [init.signal] : [])];
    try {
      const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) });
      if (response.status >= 400) throw new Error(`LangSmith answered with status ${response.status}.`);
      failures = 0;
      return response;
    } catch (error) {
      failures += 1;
      if (failures >= tolerated) cut.abort();
      if (cut.signal.aborted) return accepted();
      throw error;
    }
  };
  return { fetch: send, cut: () => cut.abort(), isCut: () => cut.signal.aborted };
}

/** LangChain gives what a node reads or returns as it is: only the channels named are replaced, by their size. */
const small = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      growing.includes(key) && typeof value === 'object' && value !== null
        ? `(${Object.keys(value).length} entries, see the record)`
        : value,
    ]),
  );
