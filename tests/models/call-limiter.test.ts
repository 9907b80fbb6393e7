// The limiter of a server: how much of an unknown limit it uses, and how rarely it is refused.
import { describe, expect, it } from '@jest/globals';
import { type CallEnd, createCallLimiter, type LimitedCall } from '../../models/call-limiter.ts';
import { createCallLimiters } from '../../models/limiters-by-server.ts';
import type { PlayerModel } from '../../models/model.ts';
import { openModel } from '../../models/providers/index.ts';
import { readQuotas } from '../../models/rate-limit-headers.ts';
import { createSimulatedClock, testClock } from '../test-clock.ts';

const minute = 60_000;
const { signal } = new AbortController();
const usual: LimitedCall = {
  ...{ model: 'm', pace: 'm', tokens: 2000, limits: {}, mostUnderWay: 32, priority: 0, ticket: 0, signal },
};

/**
 * Simulates a server's limit of `limit` calls per minute. Returns a function that gives the server's reply to a call at
 * a given time.
 */
type RateLimit = (limit: number, countsRefused: boolean) => (now: number) => Verdict;
interface Verdict {
  isTaken: boolean;
  remaining: number;
  resetMs: number;
}

const rateLimits: Readonly<Record<'fixed' | 'sliding' | 'bucket', RateLimit>> = {
  /** Fixed windows, the first of which began before the first call. */
  fixed: (limit, countsRefused) => {
    let [window, count] = [-1, 0];
    return (now) => {
      const [since, of] = [(now + 17_000) % minute, Math.floor((now + 17_000) / minute)];
      if (of !== window) [window, count] = [of, 0];
      const isTaken = count < limit;
      if (isTaken || countsRefused) count += 1;
      return { isTaken, remaining: Math.max(0, limit - count), resetMs: minute - since };
    };
  },
  sliding: (limit, countsRefused) => {
    const log: number[] = [];
    return (now) => {
      while (log[0]! <= now - minute) log.shift();
      const isTaken = log.length < limit;
      if (isTaken || countsRefused) log.push(now);
      const free = log[Math.max(0, log.length - limit)] ?? now;
      return { isTaken, remaining: Math.max(0, limit - log.length), resetMs: free + minute - now };
    };
  },
  /** A limit that refills continuously, like OpenAI's. */
  bucket: (limit) => {
    let [left, at] = [limit, 0];
    return (now) => {
      [left, at] = [Math.min(limit, left + ((now - at) * limit) / minute), now];
      const isTaken = left >= 1;
      if (isTaken) left -= 1;
      return { isTaken, remaining: Math.floor(left), resetMs: ((limit - left) * minute) / limit };
    };
  },
};

interface Served {
  rateLimit: (now: number) => Verdict;
  calls: number;
  given?: LimitedCall['limits'];
  told?: 'retry-after' | 'quotas' | undefined;
  limit?: number;
}

/**
 * Makes all calls as soon as they may begin; each lasts 1 to 3 s. Returns the minutes needed and the share of refused
 * calls.
 */
async function makeCalls({ rateLimit, calls, given = {}, told, limit = 0 }: Served) {
  const { clock, sleep, run } = createSimulatedClock();
  const limiter = createCallLimiter(clock);
  let refused = 0;
  const call = async (ticket: number): Promise<void> => {
    const { signal } = new AbortController(); // one shared listener would take quadratic time
    const permit = await limiter.reserve({ ...usual, signal, limits: given, ticket });
    await sleep(50);
    const { isTaken, remaining, resetMs } = rateLimit(clock.elapsed());
    const quotas = told === 'quotas' ? { quotas: { calls: { limit, remaining, resetMs } } } : {};
    await sleep(isTaken ? 1000 + 2000 * clock.jitter() : 50);
    const retryAfterMs = told === 'retry-after' ? resetMs : undefined;
    const end: CallEnd = isTaken ? { kind: 'answered', tokens: 1700 } : { kind: 'refused', retryAfterMs };
    permit.settle({ ...end, ...quotas });
    if (isTaken) return;
    refused += 1;
    return call(ticket);
  };
  await run(Promise.all(Array.from({ length: calls }, (_, ticket) => call(ticket))));
  return { minutes: clock.elapsed() / minute, refused: refused / (calls + refused) };
}

describe('the pace of calls to a server that takes 120 a minute', () => {
  const limit = 120;
  const minutes = 12;
  const calls = limit * (minutes + 1); // the first minute's calls start at once

  it.each([
    ['fixed', 'nothing', false],
    ['fixed', 'retry-after', false],
    ['fixed', 'quotas', false],
    ['fixed', 'nothing', true],
    ['sliding', 'nothing', false],
    ['sliding', 'retry-after', false],
    ['sliding', 'nothing', true],
    ['sliding', 'retry-after', true],
    ['bucket', 'nothing', false],
    ['bucket', 'retry-after', false],
    ['bucket', 'quotas', false],
  ] as const)('is near it in a %s window that tells %s (counts refused calls: %s)', async (window, tells, counts) => {
    const rateLimit = rateLimits[window](limit, counts);
    const told = tells === 'nothing' ? undefined : tells;
    const result = await makeCalls({ rateLimit, calls, told, limit });
    expect(result.minutes).toBeLessThan(1.15 * minutes);
    expect(result.refused).toBeLessThan(0.05);
  });

  it('is refused nothing where it is given', async () => {
    const result = await makeCalls({ rateLimit: rateLimits.fixed(limit, true), calls, given: { rpm: limit } });
    expect(result.minutes).toBeLessThan(1.15 * (minutes + 1));
    expect(result.refused).toBe(0);
  });
});

describe('the calls to a server that refuses what exceeds its slots', () => {
  it.each([1, 4, 16])('fill its %d, and few are refused beyond the first', async (slots) => {
    const { clock, sleep, run } = createSimulatedClock();
    const limiter = createCallLimiter(clock);
    const calls = 200 * slots;
    let [busy, refused] = [0, 0];
    const call = async (ticket: number): Promise<void> => {
      const permit = await limiter.reserve({ ...usual, ticket });
      const isTaken = busy < slots;
      if (isTaken) busy += 1;
      await sleep(isTaken ? 2000 : 50);
      if (isTaken) busy -= 1;
      await sleep(50);
      permit.settle(isTaken ? { kind: 'answered', tokens: 1700 } : { kind: 'refused' });
      if (isTaken) return;
      refused += 1;
      return call(ticket);
    };
    await run(Promise.all(Array.from({ length: calls }, (_, ticket) => call(ticket))));
    expect(clock.elapsed() / ((2000 * calls) / slots)).toBeLessThan(1.1);
    expect(refused - (usual.mostUnderWay - slots)).toBeLessThan(0.05 * calls);
  });
});

/** Reserves and settles calls of one second each. Returns the times at which they began. */
async function listBegins(calls: readonly Partial<LimitedCall>[], end: CallEnd = { kind: 'answered', tokens: null }) {
  const { clock, sleep, run } = createSimulatedClock();
  const limiter = createCallLimiter(clock);
  const begins: number[] = [];
  const order: number[] = [];
  const all = calls.map(async (call, index) => {
    const permit = await limiter.reserve({ ...usual, ticket: index, ...call });
    begins[index] = clock.elapsed();
    order.push(index);
    await sleep(1000);
    permit.settle(end);
  });
  await run(Promise.all(all));
  return { begins, order };
}

describe('a call', () => {
  it('begins when fewer are under way than are given, or wanted', async () => {
    const given = await listBegins(Array<Partial<LimitedCall>>(3).fill({ limits: { concurrency: 1 } }));
    expect(given.begins).toEqual([0, 1000, 2000]);
    expect((await listBegins(Array<Partial<LimitedCall>>(4).fill({ mostUnderWay: 2 }))).begins).toEqual([
      0, 0, 1000, 1000,
    ]);
  });

  it('of an earlier match goes first, and among those of one match the one that was asked first', async () => {
    const calls = [5, 2, 1, 2, 1].map((priority) => ({ priority, mostUnderWay: 1 }));
    expect((await listBegins(calls)).order).toEqual([0, 2, 4, 1, 3]);
  });

  it('to a model whose pace is slow holds up none to another model, where each has a pace', async () => {
    const slow = { model: 'slow', pace: 'slow', limits: { rpm: 1 } };
    const fast = { model: 'fast', pace: 'fast' };
    const { begins } = await listBegins([slow, slow, fast, fast]);
    expect(begins.slice(2)).toEqual([0, 0]);
    expect(begins[1]).toBeGreaterThan(minute - 1500);
  });

  it('waits for those to other models that share its pace, of whose limits the least holds', async () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({
      ...{ model: `model ${index % 3}`, pace: 'all', limits: { rpm: [30, 60, undefined][index % 3] } },
    }));
    const { begins } = await listBegins(calls);
    expect(begins.at(-1)! / minute).toBeCloseTo(60 / 30 / 0.97, 0);
    expect(Math.max(...begins.slice(0, 30)) / minute).toBeCloseTo(30 / 30 / 0.97, 0);
  });

  it('waits for its tokens where these are limited, by what calls have taken and not by what was estimated', async () => {
    const calls = Array<Partial<LimitedCall>>(61).fill({ tokens: 4000, limits: { tpm: 60_000 } });
    const dear = await listBegins(calls, { kind: 'answered', tokens: 4000 });
    expect(dear.begins.at(-1)! / minute).toBeCloseTo(60 / 15 / 0.97, 0);
    const cheap = await listBegins(calls, { kind: 'answered', tokens: 1000 });
    expect(cheap.begins.at(-1)! / minute).toBeLessThan(0.5 * (dear.begins.at(-1)! / minute));
  });

  it('that waits is given up at an abort, and the others go on', async () => {
    const { clock, run } = createSimulatedClock();
    const limiter = createCallLimiter(clock);
    const stop = new AbortController();
    const first = await limiter.reserve({ ...usual, mostUnderWay: 1 });
    const aborted = limiter.reserve({ ...usual, mostUnderWay: 1, signal: stop.signal });
    const next = limiter.reserve({ ...usual, mostUnderWay: 1 });
    stop.abort(new Error('Enough.'));
    await expect(aborted).rejects.toThrow('Enough.');
    first.settle({ kind: 'failed' });
    await run(next);
    expect(limiter.describe()).toMatchObject({ underWay: 1, waiting: 0 });
  });

  it('that is refused once with Retry-After is followed by none before that is over, whichever it is', async () => {
    const { clock, run } = createSimulatedClock();
    const limiter = createCallLimiter(clock);
    (await limiter.reserve(usual)).settle({ kind: 'refused', retryAfterMs: 20_000 });
    expect(limiter.describe()).toMatchObject({ waiting: 0 });
    const waiting = [limiter.reserve(usual), limiter.reserve(usual)];
    expect(limiter.describe().heldMs).toBeGreaterThanOrEqual(20_000);
    await run(waiting[0]!);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(20_000);
    expect(clock.elapsed()).toBeLessThanOrEqual(21_000);
  });

  it('that failed for another reason changes no limit', async () => {
    const { begins } = await listBegins(Array<Partial<LimitedCall>>(64).fill({}), { kind: 'failed' });
    expect(begins.at(-1)).toBe(1000);
  });
});

describe('the number of calls under way', () => {
  it('shrinks where calls are refused, and grows again', async () => {
    const { clock, run } = createSimulatedClock();
    const limiter = createCallLimiter(clock);
    const permits = await Promise.all(
      Array.from({ length: 20 }, () => limiter.reserve({ ...usual, mostUnderWay: 20 })),
    );
    permits[0]!.settle({ kind: 'refused', retryAfterMs: 1000 });
    for (const permit of permits.slice(1)) permit.settle({ kind: 'failed' });
    const more = Array.from({ length: 40 }, () => limiter.reserve({ ...usual, mostUnderWay: 20 }));
    await run(more[14]!);
    expect(limiter.describe()).toMatchObject({ underWay: 15, waiting: 25 });
    for (let index = 0; index < 20; index++) {
      (await more[index]!).settle({ kind: 'answered', tokens: null });
      await run(more[15 + index]!);
    }
    expect(limiter.describe().underWay).toBe(16);
  });
});

describe('the limiters of a process', () => {
  const createModel = (spec: string, address?: string, secret = 'k'): PlayerModel => ({
    ...{ spec, chat: { spec } as never, isBot: false, price: null, timeoutMs: 1000, secrets: [secret] },
    server: address === undefined ? { name: spec.split(':')[0]!, address: null } : { name: 'here', address },
  });

  it('are one for each server and key', async () => {
    const limiters = createCallLimiters(createSimulatedClock().clock);
    const call = { tokens: 1, mostUnderWay: 1, priority: 0 };
    const models = [
      createModel('openai:a', 'http://localhost:1/v1/'),
      createModel('openai:d', 'http://127.0.0.1:1/v1'),
      createModel('openai:b', 'http://two'),
      createModel('openai:a', 'http://127.0.0.1:1/v1', 'other'),
      createModel('openai:c', 'http://127.0.0.1:1/v1'),
      createModel('anthropic:c'),
    ];
    for (const model of models) {
      const entered = limiters.openTurn(model, call).enter(AbortSignal.abort(new Error('Enough.')));
      await expect(entered).rejects.toThrow('Enough.');
    }
    expect(limiters.list().map(({ server }) => server)).toEqual(['here', 'here', 'here', 'anthropic']);
  });
});

describe('the pace of a model', () => {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', XAI_API_KEY: 'k' };
  const paceOf = async (text: string) => (await openModel(text, { temperature: null, env })).pace;

  it('is its own at a vendor that limits each model, under whatever name and options', async () => {
    const paces = ['openai:gpt-5.2?name=low&reasoningEffort=low', 'openai:gpt-5.2?name=high&reasoningEffort=high'];
    expect(new Set(await Promise.all(paces.map(paceOf)))).toEqual(new Set(['openai:gpt-5.2']));
    expect(await paceOf('openai:gpt-4o')).toBe('openai:gpt-4o');
    expect(await paceOf('anthropic:claude-haiku-4-5')).toBe('anthropic:claude-haiku-4-5');
  });

  it('is that of the server elsewhere, however its address is written', async () => {
    const texts = ['http://localhost:8000/v1/', 'http://127.0.0.1:8000/v1'].map(
      (at, n) => `openai:m${n}?baseUrl=${at}`,
    );
    expect(new Set(await Promise.all(texts.map(paceOf)))).toEqual(new Set(['http://127.0.0.1:8000/v1']));
    expect(await paceOf('xai:grok-4')).toBe(await paceOf('xai:grok-3'));
  });
});

describe('the limits in the headers of an answer', () => {
  const now = Date.UTC(2026, 0, 1);
  it.each([
    [
      'OpenAI',
      {
        'x-ratelimit-limit-requests': '500',
        'x-ratelimit-remaining-requests': '499',
        'x-ratelimit-reset-requests': '120ms',
      },
      { calls: { limit: 500, remaining: 499, resetMs: 120 } },
    ],
    [
      'Groq',
      {
        'x-ratelimit-limit-tokens': '6000',
        'x-ratelimit-remaining-tokens': '5000',
        'x-ratelimit-reset-tokens': '1m7.5s',
      },
      { tokens: { limit: 6000, remaining: 5000, resetMs: 67_500 } },
    ],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:09Z',
      },
      { calls: { limit: 50, remaining: 0, resetMs: 9000 } },
    ],
    [
      'OpenRouter',
      { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': String(now + 30_000) },
      { calls: { limit: 20, remaining: 7, resetMs: 30_000 } },
    ],
    [
      'the standard to be',
      { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '50', 'ratelimit-reset': '30' },
      { calls: { limit: 100, remaining: 50, resetMs: 30_000 } },
    ],
    ['one that leaves out a part', { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '7' }, {}],
    [
      'one that makes no sense',
      { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': 'soon' },
      {},
    ],
    [
      'a server whose clock is an hour fast',
      {
        date: new Date(now + 3_600_000).toUTCString(),
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '49',
        'anthropic-ratelimit-requests-reset': new Date(now + 3_607_000).toISOString(),
      },
      { calls: { limit: 50, remaining: 49, resetMs: 7000 } },
    ],
  ])('are read as %s tells them', (_, headers: Record<string, string>, quotas) => {
    expect(readQuotas(new Headers(headers), now)).toEqual(quotas);
  });
});

describe('a limiter whose server has asked to wait', () => {
  it('sleeps no longer once nobody waits for it, so that no process is kept alive for nothing', async () => {
    const asleep: AbortSignal[] = [];
    const sleep = (_ms: number, woken: AbortSignal) => new Promise<void>(() => void asleep.push(woken));
    const limiter = createCallLimiter({ ...testClock(), sleep });
    (await limiter.reserve(usual)).settle({ kind: 'refused', retryAfterMs: 3_600_000 });
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }) => limiter.reserve({ ...usual, signal }));
    first.abort(new Error('stopped'));
    await expect(waiting[0]).rejects.toThrow('stopped');
    expect(asleep.map(({ aborted }) => aborted)).toEqual([false]); // another call is still waiting
    second.abort(new Error('stopped'));
    await expect(waiting[1]).rejects.toThrow('stopped');
    expect(asleep.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
