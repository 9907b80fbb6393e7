// Reads a server's limits from the headers of its answers, and passes them from the code that sends a request to the
// code that asked for it.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The remaining amount of a limit, and the milliseconds until it is full again. */
export interface Quota {
  limit: number;
  remaining: number;
  resetMs: number;
}

/** Limits on calls and on tokens, as far as they are reported. */
export interface Quotas {
  calls?: Quota;
  tokens?: Quota;
}

/**
 * Names of headers, each list in this order: OpenAI's names, which most servers use; Anthropic's names; names on
 * servers that limit only calls. The first header that is present counts.
 */
const names: Readonly<Record<keyof Quotas, readonly ((part: keyof Quota) => string)[]>> = {
  calls: [
    (part) => `x-ratelimit-${shorten(part)}-requests`,
    (part) => `anthropic-ratelimit-requests-${shorten(part)}`,
    (part) => `x-ratelimit-${shorten(part)}`,
    (part) => `ratelimit-${shorten(part)}`,
  ],
  tokens: [(part) => `x-ratelimit-${shorten(part)}-tokens`, (part) => `anthropic-ratelimit-tokens-${shorten(part)}`],
};

const shorten = (part: keyof Quota) => (part === 'resetMs' ? 'reset' : part);

/**
 * Reads the limits. `now`: milliseconds since 1970, used if the server does not send its own time. A limit with a
 * missing or implausible part is left out.
 *
 * @example
 * const headers = new Headers({ 'x-ratelimit-limit-requests': '500', 'x-ratelimit-remaining-requests': '499',
 *   'x-ratelimit-reset-requests': '120ms' });
 * readQuotas(headers, Date.now()); // { calls: { limit: 500, remaining: 499, resetMs: 120 } }
 */
export function readQuotas(headers: Headers, now: number): Quotas {
  const serverNow = readServerTime(headers, now);
  const find = (kind: keyof Quotas): Quota | undefined => {
    for (const name of names[kind]) {
      const [limit, remaining] = [readAmount(headers.get(name('limit'))), readAmount(headers.get(name('remaining')))];
      const resetMs = parseDuration(headers.get(name('resetMs')), serverNow);
      if (limit !== undefined && limit > 0 && remaining !== undefined && resetMs !== undefined)
        return { limit, remaining, resetMs };
    }
    return undefined;
  };
  const [calls, tokens] = [find('calls'), find('tokens')];
  return { ...(calls && { calls }), ...(tokens && { tokens }) };
}

/**
 * Returns the server's time of the answer (header `Date`), in milliseconds since 1970; `now` if the server sends no
 * time. The server's clock may be wrong by hours, and other dates in its headers use the same clock.
 */
export function readServerTime(headers: Headers, now: number): number {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? now : time;
}

/** Parses a number from 0 up. Some servers append a policy ("100, 100;w=60"). */
function readAmount(text: string | null): number | undefined {
  const [amount] = /^\s*\d+(?:\.\d+)?(?=\s*(?:[,;]|$))/.exec(text ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A number from these thresholds on is a time since 1970, in seconds or in milliseconds. A smaller number is a duration
 * in seconds.
 */
const [epochSeconds, epochMs] = [1e9, 1e12];

/** Parses "6m0s", "120ms", "0.5" (seconds), "1763884800" (since 1970) or a date. Returns milliseconds from now. */
export function parseDuration(text: string | null, now: number): number | undefined {
  const value = text?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number >= epochMs) return Math.max(0, number - now);
    return number >= epochSeconds ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(value))
    return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
      (total, [, amount, unit]) => total + Number(amount) * units[unit!]!,
      0,
    );
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/** A server's response before any package has processed it. Packages drop parts of error bodies. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

const listening = new AsyncLocalStorage<(response: RawResponse) => void>();

/** Runs a call to a provider. `onResponse`: receives each response that `reportResponse` reports during the call. */
export const runWithResponseListener = <Result>(
  onResponse: (response: RawResponse) => void,
  run: () => Result,
): Result => listening.run(onResponse, run);

/** Reports a response. Called by the code that sends requests. */
export const reportResponse = (response: RawResponse): void => listening.getStore()?.(response);
