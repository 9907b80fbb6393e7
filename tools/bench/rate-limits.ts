// Measures how much of an unknown rate limit calls use, with HTTP servers whose minute is shortened.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createCallLimiters } from '../../models/limiters-by-server.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { openModel } from '../../models/providers/index.ts';
import { callWithRetries } from '../../models/retry.ts';
import { type BenchFigure, roundTo } from './bench-figure.ts';

/**
 * Shortened minute of servers and limiters in milliseconds, calls per minute, and latency of an answer in milliseconds.
 */
const shortened = { minuteMs: 2000, calls: 100, latencyMs: 60 };

interface Policy {
  name: string;
  isSliding: boolean;
  tellsWait: boolean;
  countsRefused: boolean;
  /** Number of models that the server limits together. */
  models: number;
}

const policies: readonly Policy[] = [false, true].flatMap((isSliding) =>
  (
    [
      ['Retry-After', true, false, 1],
      ['no Retry-After', false, false, 1],
      ['refused calls count', false, true, 1],
      ['no Retry-After, 3 models', false, false, 3],
    ] as const
  ).map(([how, tellsWait, countsRefused, models]) => ({
    ...{ name: `${isSliding ? 'sliding' : 'fixed'} window, ${how}`, isSliding, tellsWait, countsRefused, models },
  })),
);

/** Measures all policies at the same time. The first minute is not counted; `minutes`: number of minutes after it. */
export async function measureRateLimits(minutes: number): Promise<BenchFigure[]> {
  const measured = await Promise.all(policies.map((policy) => measurePolicy(policy, minutes)));
  return [
    {
      what: `Time at an unknown rate limit over the least that it allows, ${minutes} minutes`,
      target: { atMost: 1.15, text: '1.15' },
      values: measured.map(({ name, ratio }) => ({ name, ...roundTo(2, ratio) })),
    },
    {
      what: 'Calls refused by it',
      target: { atMost: 5, text: '5 %' },
      values: measured.map(({ name, refused }) => ({ name, ...roundTo(1, 100 * refused, ' %') })),
    },
  ];
}

async function measurePolicy(policy: Policy, minutes: number) {
  const { minuteMs, calls } = shortened;
  const all = calls * (minutes + 1); // all calls of the first minute may be made at once
  const server = await openLimitedServer(policy);
  try {
    const limiters = createCallLimiters(systemClock, minuteMs);
    const given = { temperature: null, env: { OPENAI_API_KEY: 'none' } };
    const names = Array.from({ length: policy.models }, (_, index) => `openai:bench-${index}`);
    const models = await Promise.all(names.map((name) => openModel(`${name}?baseUrl=${server.baseUrl}`, given)));
    const { signal } = new AbortController();
    const call = async (_: unknown, index: number) => {
      const model = models[index % models.length]!;
      const turn = limiters.openTurn(model, { tokens: 100, mostUnderWay: 32, priority: 0 });
      const attempt = (own: AbortSignal) => model.chat.invoke('Whom?', { signal: own });
      try {
        await callWithRetries(attempt, { timeoutMs: 60_000, signal, clock: systemClock, turn });
      } finally {
        turn.leave();
      }
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: all }, call));
    const ratio = (performance.now() - begun) / (minutes * minuteMs);
    return { name: policy.name, ratio, refused: server.countRefused() / (all + server.countRefused()) };
  } finally {
    server.close();
  }
}

async function openLimitedServer({ isSliding, tellsWait, countsRefused }: Policy) {
  const { minuteMs, calls, latencyMs } = shortened;
  let log: number[] = [];
  let refused = 0;
  const admit = (now: number): number => {
    const since = isSliding ? now - minuteMs : Math.floor(now / minuteMs) * minuteMs;
    log = log.filter((time) => time >= since);
    const isTaken = log.length < calls;
    if (isTaken || countsRefused) log.push(now);
    return isTaken ? 0 : isSliding ? log.at(-calls)! + minuteMs - now : since + minuteMs - now;
  };
  const server = createServer((request, response) => {
    request.resume();
    const waitMs = admit(performance.now());
    response.setHeader('content-type', 'application/json');
    if (waitMs > 0) {
      refused += 1;
      if (tellsWait) response.setHeader('retry-after', String(waitMs / 1000));
      response.writeHead(429).end('{"error":{"message":"Slow down."}}');
    } else void setTimeout(latencyMs).then(() => response.end(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    countRefused: () => refused,
    close: () => server.close().closeAllConnections(),
  };
}

const answer = JSON.stringify({
  ...{ id: '1', object: 'chat.completion', created: 0, model: 'bench' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Ginger' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 90, completion_tokens: 1, total_tokens: 91 },
});
