// A `fetch` for LangSmith's client that retries but never delays the end of a match for long.
import retry from 'p-retry';
import { describeProxyAnswer, findCertificateFault, findProxyStatus, trustAdvice } from './connection-fault.ts';
import { isJson } from './parse-answer.ts';
import { systemClock, type Clock } from './machine/clock.ts';

/** Milliseconds without an answer after which the end of a match stops waiting. */
const patience = 5000;

/** Total milliseconds to wait while answers arrive: enough for the last requests of a match at three seconds each. */
const longestPatience = 15_000;

/** Failed attempts at one request after which LangSmith counts as unreachable. */
const maxTries = 3;

/** Milliseconds before the second attempt; the pause doubles with each further one. */
const firstPause = 500;

/**
 * How a request was refused: by an HTTP status, by a response that did not come from LangSmith (its body and origin),
 * or by a fault of the connection (with advice).
 */
export type LangSmithRefusal = { status: number } | { from: string; body: string } | { advice: string };

interface LangSmithTransport {
  fetch: typeof fetch;
  /** Gives up: sends nothing more, and ends all waits. */
  cut: () => void;
  /** Returns whether some request has not arrived at LangSmith. */
  hasLost(): boolean;
  /** Returns how the last request was refused. Null if there was no response, or a successful one. */
  refusal(): LangSmithRefusal | null;
  /** Runs the remaining work. Gives up once no answer has come for five seconds, or after fifteen seconds in total. */
  finish(rest: () => Promise<void>): Promise<void>;
}

/** Statuses by which LangSmith rejects the key: retrying does not help. */
const keyRefusals = [401, 403];

/** Paths whose responses LangSmith's client parses as JSON. If one is not JSON, the client prints it on the console. */
const jsonPaths = /\/(?:info|sessions)$/;

/** Path of feedback. Feedback on a run that is not stored yet gets a 404, and succeeds some time later. */
const feedbackPath = /\/feedback$/;

const failed = new Error('failed');
const tooEarly = new Error('too early');

/** Returns whether a response is a web page, e.g. a network's login page, or not JSON where JSON is expected. */
const isForeign = (path: string, body: string) => /^\s*</.test(body) || (jsonPaths.test(path) && !isJson(body));

function findAdvice(error: unknown): string | undefined {
  const fault = findCertificateFault(error);
  if (fault !== undefined) return `${trustAdvice} (${fault})`;
  const status = findProxyStatus(error);
  return status === undefined || status >= 500 ? undefined : describeProxyAnswer(status);
}

/**
 * Opens a `fetch` for a LangSmith client that does not retry by itself. The client's timeout of a request includes all
 * retries.
 *
 * After `cut`, or after a request has failed too often, every request is answered with 202 as if it had been sent.
 * After a failure, LangSmith's client would otherwise keep the process alive while waiting to retry, and print the
 * response on the console.
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
   * Throws `tooEarly` or `failed` unless the response is successful. Reads the whole body here, because the client
   * could not handle a connection that breaks while it reads.
   */
  const attempt = async (...[address, init]: Parameters<typeof fetch>): Promise<Response> => {
    let isEarly = false;
    try {
      const response = await fetch(address, { ...init, redirect: 'manual' }); // a redirect is not followed: a trace contains prompts
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
        stop.abort(); // retrying does not help
      } else if (error !== failed && !init?.signal?.aborted) refusal = null;
    }
    throw isEarly ? tooEarly : failed;
  };

  const send: typeof fetch = async (address, init) => {
    const body = init?.body && new Uint8Array(await new Response(init.body).arrayBuffer()); // a stream can be read only once
    const signal = AbortSignal.any([stop.signal, ...(init?.signal ? [init.signal] : [])]);
    const request = { ...init, body: body ?? null, signal };
    try {
      const response = await retry(() => attempt(address, request), {
        ...{ signal, retries: Infinity, minTimeout: 0 }, // the clock makes the pauses
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
