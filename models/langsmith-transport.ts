// The way to LangSmith: tries again as long as there is hope, and never longer than a match may be held up.
import { isJson } from './parse-answer.ts';
import { systemClock, type Clock } from './retry.ts';

/** A server that does not answer holds up the end of a match for so long at most. Milliseconds. */
const patience = 5000;

/** One that answers slowly, for so long: the last requests of a match, at three seconds each. Milliseconds. */
const longestPatience = 15_000;

/** Tries of one request after which LangSmith counts as out of reach. */
const maxTries = 3;

/** The wait before the second try; it doubles with each. Milliseconds. */
const firstPause = 500;

/** With which HTTP status, or with which answer that is none of LangSmith's, and who gave it. */
export type Refusal = { status: number } | { from: string; said: string };

export interface TracingLine {
  fetch: typeof fetch;
  /** Ends all waiting at once. */
  cut: () => void;
  /** Whether some of what it was given has not arrived. */
  hasLost(): boolean;
  /** How the last request was refused; null where there was no answer or a good one. */
  refusal(): Refusal | null;
  /** Does what is left to do, and cuts the line once no answer has come for five seconds, or after fifteen in all. */
  finish(rest: () => Promise<void>): Promise<void>;
}

/** With these LangSmith refuses the key: trying again would not help. */
const forbidden = [401, 403];

/** What is answered here LangSmith's client reads as JSON, and says on the console where it is none. */
const isRead = /\/(?:info|sessions)$/;

/** Feedback to a run that is not stored yet is answered with 404: only time helps. */
const mayBeEarly = /\/feedback$/;

/** A web page, e.g. of a network that asks to log in first, or no JSON where that is expected. */
const isForeign = (path: string, body: string) => /^\s*</.test(body) || (isRead.test(path) && !isJson(body));

/**
 * Stands between LangSmith's client, which is told to try nothing again, and `fetch`. Each request has as much time as
 * the client gives it, further tries included.
 *
 * Once the line is cut, by its owner or because a request has failed too often, everything counts as sent: LangSmith's
 * client would keep the process alive while it waits to try again, and show on the console whatever was answered.
 */
export function openTracingLine(clock: Clock = systemClock): TracingLine {
  const cut = new AbortController();
  let refusal: Refusal | null = null;
  let isTooLate = false;
  let answered: () => void = () => undefined;

  /** Reads answers whole: LangSmith's client does so when the line can no longer stand in. */
  const attempt = async (...[address, init]: Parameters<typeof fetch>): Promise<Response | 'too early' | 'failed'> => {
    try {
      const response = await fetch(address, init);
      const { pathname } = new URL(new Request(address).url);
      if (response.ok) {
        const said = await response.text();
        refusal = isForeign(pathname, said) ? { from: new URL(response.url).origin, said } : null;
        return refusal ? 'failed' : new Response(said === '' ? null : said, response);
      }
      await response.body?.cancel();
      const { status } = response;
      const isEarly = status === 404 && mayBeEarly.test(pathname);
      refusal = isEarly ? null : { status };
      if (forbidden.includes(status)) cut.abort();
      return isEarly ? 'too early' : 'failed';
    } catch {
      if (!init?.signal?.aborted) refusal = null;
      return 'failed';
    }
  };

  const waited = async (ms: number, signal: AbortSignal) => {
    try {
      await clock.sleep(ms, signal);
    } catch {
      // cut or too late meanwhile
    }
  };

  const send: typeof fetch = async (address, init) => {
    const body = init?.body && new Uint8Array(await new Response(init.body).arrayBuffer()); // a stream is read only once
    const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]);
    const request = { ...init, body: body ?? null, signal };
    let pause = firstPause;
    for (let failures = 0; !signal.aborted; pause *= 2) {
      const response = await attempt(address, request);
      if (typeof response === 'object') {
        answered();
        return response;
      }
      if (response === 'failed' && ++failures >= maxTries) cut.abort();
      else await waited(pause, signal);
    }
    isTooLate = true;
    return new Response('{}', { status: 202, headers: { 'content-type': 'application/json' } });
  };

  return {
    fetch: send,
    cut: () => cut.abort(),
    hasLost: () => isTooLate || cut.signal.aborted,
    refusal: () => refusal,
    finish: async (rest) => {
      const cutAfter = (ms: number) => clock.alarm(ms, () => cut.abort());
      const stopWhole = cutAfter(longestPatience);
      let stop = cutAfter(patience);
      answered = () => {
        stop();
        stop = cutAfter(patience);
      };
      await rest().finally(() => {
        answered = () => undefined;
        stop();
        stopWhole();
      });
    },
  };
}
