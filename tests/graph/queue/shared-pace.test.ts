// If a server asks any worker to wait, calls here wait too. The pace in a database is tested in
// `tests/long/tournament-queue.test.ts`.
import { describe, expect, it } from '@jest/globals';
import type { QueueDatabase } from '../../../graph/queue/database.ts';
import { SharedPaces } from '../../../graph/queue/shared-pace.ts';
import { createCallLimiter } from '../../../models/call-limiter.ts';
import { testClock } from '../../test-clock.ts';

const { signal } = new AbortController();

/** Models without limits, so that the database grants no turns. */
function openPaces() {
  const clock = testClock();
  const paces = new SharedPaces(undefined as unknown as QueueDatabase, clock);
  const limiter = paces.share(createCallLimiter(clock));
  const reserve = (pace: string) =>
    limiter.reserve({ model: pace, pace, tokens: 100, limits: {}, mostUnderWay: 9, priority: 0, ticket: 0, signal });
  return { clock, paces, reserve };
}

describe('calls under a limit', () => {
  it('are assigned places a little further apart than the limit says, and may catch up with a sixtieth of a minute', async () => {
    const clock = testClock();
    const asked: (readonly unknown[])[] = [];
    const query = (_text: string, values: readonly unknown[]) => {
      asked.push(values);
      return Promise.resolve([{ now: 1000, calls_from: 1000, tokens_from: 1000 }]);
    };
    const paces = new SharedPaces({ query } as unknown as QueueDatabase, clock);
    const limiter = paces.share(createCallLimiter(clock));
    const limits = { rpm: 60, tpm: 6000 };
    await limiter.reserve({ ...{ model: 'openai:a', pace: 'openai:a', tokens: 100, limits }, mostUnderWay: 9, priority: 0, ticket: 0, signal }); // prettier-ignore
    const [[model, calls, callMs, tokens, tokenMs, burstMs, returned] = []] = asked;
    expect([model, calls, tokens, burstMs, returned]).toEqual(['openai:a', 1, 100, 1000, 0]);
    expect(callMs).toBeCloseTo(1000 / 0.97, 9);
    expect(tokenMs).toBeCloseTo(10 / 0.97, 9);
  });
});

describe('a call', () => {
  it('begins at once where no server has asked to wait', async () => {
    const { clock, reserve } = openPaces();
    await clock.sleep(1000, signal);
    await reserve('openai:a');
    expect(clock.elapsed()).toBe(1000);
  });

  it('waits until the longest of the waits is over that workers were asked for, of its own pace alone', async () => {
    const { clock, paces, reserve } = openPaces();
    await clock.sleep(1000, signal);
    paces.learnHolds([
      { model: 'openai:a', wait: 5000 },
      { model: 'openai:a', wait: 2000 },
      { model: 'openai:b', wait: 60_000 },
    ]);
    await reserve('openai:a');
    expect(clock.elapsed()).toBe(6000);
    await reserve('openai:a');
    expect(clock.elapsed()).toBe(6000);
  });
});
