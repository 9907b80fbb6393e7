// How long a match waits for LangSmith at its end. A local server decides when time passes.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openLangSmithTransport } from '../../models/langsmith-transport.ts';
import type { Clock } from '../../models/machine/clock.ts';
import { openLangsmithServer, type LangSmithServer } from '../langsmith-server.ts';
import { testClock } from '../test-clock.ts';
import { untrustedCertificate } from '../untrusted-certificate.ts';

let langsmith: LangSmithServer;
beforeAll(async () => {
  langsmith = await openLangsmithServer();
});
afterEach(() => langsmith.forget());
afterAll(() => langsmith.close());

/** Creates a clock whose alarms ring as time passes. */
function createPassingClock(): Clock & { pass(ms: number): void } {
  const alarms = new Map<() => void, number>();
  let now = 0;
  return {
    ...testClock(),
    now: () => now,
    alarm: (ms, ring) => {
      alarms.set(ring, now + ms);
      return () => alarms.delete(ring);
    },
    pass: (ms) => {
      now += ms;
      for (const [ring, at] of [...alarms]) if (at <= now) ring();
    },
  };
}

/** Ends a match, which sends the given number of requests one after another. The server answers each after `ms`. */
async function finish(requests: number, ms: number) {
  const clock = createPassingClock();
  const line = openLangSmithTransport(clock);
  langsmith.moods['/feedback'] = () => {
    clock.pass(ms);
    return { status: 200 };
  };
  await line.finish(async () => {
    for (let sent = 0; sent < requests; sent++)
      await line.fetch(`${langsmith.url}/feedback`, { method: 'POST', body: '{}' });
  });
  return { line, clock };
}

describe('a way to LangSmith that the user can mend', () => {
  it('is told at the first try where the certificate is not trusted', async () => {
    const secure = createServer(untrustedCertificate, (_request, response) => response.end('{}'));
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const clock = testClock();
    const line = openLangSmithTransport(clock);
    await line.fetch(`https://127.0.0.1:${(secure.address() as AddressInfo).port}/runs`, {
      method: 'POST',
      body: '{}',
    });
    secure.close();
    expect(clock.waits).toEqual([]);
    expect(line.hasLost()).toBe(true);
    expect(line.refusal()).toEqual({
      advice: expect.stringMatching(/NODE_EXTRA_CA_CERTS\. \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/) as unknown,
    });
  });
});

describe('at the end of a match the line to LangSmith', () => {
  it('waits for each answer for up to five seconds', async () => {
    const { line } = await finish(3, 4900);
    expect(line.hasLost()).toBe(false);
    expect(langsmith.feedback).toHaveLength(3);
  });

  it('is cut when an answer takes longer', async () => {
    const { line } = await finish(3, 5000);
    expect(line.hasLost()).toBe(true);
    expect(langsmith.requests).toHaveLength(1);
  });

  it('is cut after fifteen seconds, however many answers have come', async () => {
    const { line } = await finish(100, 2000);
    expect(line.hasLost()).toBe(true);
    expect(langsmith.requests).toHaveLength(8);
  });

  it('gives up a request whose own time is over, and no other', async () => {
    const line = openLangSmithTransport(createPassingClock());
    const address = `${langsmith.url}/info`;
    langsmith.moods['/info'] = () => 'never';
    const late = await line.fetch(address, { signal: AbortSignal.timeout(50) });
    expect([late.status, await late.json(), line.hasLost()]).toEqual([202, {}, true]);
    await line.fetch(`${langsmith.url}/feedback`, { method: 'POST', body: '{"key":"winner"}' });
    expect(langsmith.feedback).toHaveLength(1);
  });

  it('is not cut by an answer that comes once all is done', async () => {
    const { line, clock } = await finish(1, 0);
    await line.fetch(`${langsmith.url}/feedback`, { method: 'POST', body: '{}' });
    clock.pass(60_000);
    expect(line.hasLost()).toBe(false);
  });

  it('is not cut once all is done', async () => {
    const { line, clock } = await finish(1, 0);
    clock.pass(60_000);
    expect(line.hasLost()).toBe(false);
  });
});
