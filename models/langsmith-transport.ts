// A `fetch` for LangSmith's client that tries again, and that never holds up the end of a match for long.
import retry from 'p-retry';
import { describeProxyAnswer, findCertificateFault, findProxyStatus, trustAdvice } from './connection-fault.ts';
import { isJson } from './parse-answer.ts';
import { systemClock, type Clock } from './machine/clock.ts';

/** Milliseconds without an answer after which the end of a match waits no longer. */
const patience = 5000;

/** The same where answers do come, in all: enough for the last requests of a match at three seconds each. */
const longestPatience = 15_000;

/** Failed tries of one request after which LangSmith counts as out of reach. */
const maxTries = 3;

/** Milliseconds before the second try; the pause doubles with each further one. */
const firstPause = 500;

/**
 * An HTTP status; the body of a response that is not LangSmith's, with the origin that sent it; or what stands in the way
 * to it, and what to do.
 */
export type LangSmithRefusal = { status: number } | { from: string; body: string } | { advice: string };

interface LangSmithTransport {
  fetch: typeof fetch;
  /** Gives up: sends nothing more and ends all waiting. */
  cut: () => void;
  /** Whether some request has not arrived. */
  hasLost(): boolean;
  /** How the last request was refused; null where there was no response or a good one. */
  refusal(): LangSmithRefusal | null;
  /** Runs what is left to do, and gives up once no answer has come for five seconds, or after fifteen in all. */
  finish(rest: () => Promise<void>): Promise<void>;
}

/** Statuses by which LangSmith refuses the key: trying again would not help. */
const keyRefusals = [401, 403];

/** Paths whose responses LangSmith's client parses as JSON; where one is not JSON, it prints that on the console. */
const jsonPaths = /\/(?:info|sessions)$/;

/** Feedback to a run that is not stored yet gets a 404, and succeeds some time later. */
const feedbackPath = /\/feedback$/;

const failed = new Error('failed');
const tooEarly = new Error('too early');

/** Whether a response is a web page, e.g. of a network that asks to log in first, or no JSON where that is expected. */
const isForeign = (path: string, body: string) => /^\s*</.test(body) || (jsonPaths.test(path) && !isJson(body));

function findAdvice(error: unknown): string | undefined {
  const fault = findCertificateFault(error);
  if (fault !== undefined) return `${trustAdvice} (${fault})`;
  const status = findProxyStatus(error);
  return status === undefined || status >= 500 ? undefined : describeProxyAnswer(status);
}

/**
 * Opens a `fetch` for a client of LangSmith that does not retry by itself. Each request has as much time as the client
 * gives it, retries included.
 *
 * Once this has given up, by `cut` or because a request failed too often, every request is answered with 202 as if it
 * had been sent: on a failure LangSmith's client would keep the process alive while it waits to try again, and print
 * the response on the console.
 *
 * @example
 * const transport = openLangSmithTransport();
 * const client = new Client({ callerOptions: { maxRetries: 0 }, fetchImplementation: transport.fetch });
 * await transport.finish(() => client.awaitPendingTraceBatches());
 */
export function openLangSmithTransport(clock: Clock = systemClock): LangSmithTransport {
  const stop = new AbortController();
  let refusal: LangSmithRefusal | null = null;
  let isIncomplete = false;
  let noteAnswer: () => void = () => undefined;

  /**
   * Throws `tooEarly` or `failed` where there is no good response. Reads the whole body: were the client to read it, a connection that
   * breaks there would be the client's to handle.
   */
  const attempt = async (...[address, init]: Parameters<typeof fetch>): Promise<Response> => {
    let isEarly = false;
    try {
      const response = await fetch(address, { ...init, redirect: 'manual' }); // a trace holds prompts
      const { pathname } = new URL(new Request(address).url);
      if (response.ok) {
        const body = await response.text();
        refusal = isForeign(pathname, body) ? { from: new URL(response.url).origin, body } : null;
        if (refusal === null) return new Response(body === '' ? null : body, response);
        throw failed;
      }
      await response.body?.cancel();
      const { status } = response;
      isEarly = status === 404 && feedbackPath.test(pathname);
      refusal = isEarly ? null : { status };
      if (keyRefusals.includes(status)) stop.abort();
    } catch (error) {
      const advice = findAdvice(error);
      if (advice !== undefined) {
        refusal = { advice };
        stop.abort(); // trying again would not help
      } else if (error !== failed && !init?.signal?.aborted) refusal = null;
    }
    throw isEarly ? tooEarly : failed;
  };

  const send: typeof fetch = async (address, init) => {
    const body = init?.body && new Uint8Array(await new Response(init.body).arrayBuffer()); // a stream is read only once
    const signal = AbortSignal.any([stop.signal, ...(init?.signal ? [init.signal] : [])]);
    const request = { ...init, body: body ?? null, signal };
    try {
      const response = await retry(() => attempt(address, request), {
        ...{ signal, retries: Infinity, minTimeout: 0 }, // the pauses are the clock's
        shouldConsumeRetry: ({ error }) => error !== tooEarly,
        shouldRetry: async ({ error, retriesConsumed, attemptNumber }) => {
          if (error === failed && retriesConsumed + 1 >= maxTries) return false;
          await clock.sleep(firstPause * 2 ** (attemptNumber - 1), signal);
          return true;
        },
      });
      noteAnswer();
      return response;
    } catch {
      if (!signal.aborted) stop.abort();
    }
    isIncomplete = true;
    return new Response('{}', { status: 202, headers: { 'content-type': 'application/json' } });
  };

  return {
    fetch: send,
    cut: () => stop.abort(),
    hasLost: () => isIncomplete || stop.signal.aborted,
    refusal: () => refusal,
    finish: async (rest) => {
      const cutAfter = (ms: number) => clock.alarm(ms, () => stop.abort());
      const clearLongest = cutAfter(longestPatience);
      let clearPatience = cutAfter(patience);
      noteAnswer = () => {
        clearPatience();
        clearPatience = cutAfter(patience);
      };
      await rest().finally(() => {
        noteAnswer = () => undefined;
        clearPatience();
        clearLongest();
      });
    },
  };
}
