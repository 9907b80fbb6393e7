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
