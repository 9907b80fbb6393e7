// What a call leaves behind once it is over: nothing that its signal, which lives longer, would keep.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { deliver } from '../../models/transport.ts';
import { testClock } from '../test-clock.ts';

/** The signal of an attempt that answers, or fails, as `end` does. */
async function signalOf(end: () => Promise<string>): Promise<AbortSignal> {
  const given: AbortSignal[] = [];
  const attempt = (signal: AbortSignal) => {
    given.push(signal);
    return end();
  };
  const { signal } = new AbortController();
  await deliver(attempt, { timeoutMs: 5000, maxRetries: 0, signal, clock: testClock() }).catch(() => undefined);
  return given[0]!;
}

describe('an attempt that is over', () => {
  it.each([
    ['answered', () => Promise.resolve('Ginger')],
    ['failed', () => Promise.reject(Object.assign(new Error('down'), { status: 503 }))],
  ])('is not listened for any more once it has %s', async (_, end) => {
    expect(getEventListeners(await signalOf(end), 'abort')).toEqual([]);
  });
});
