// Calls that share one SQL statement: each call is sent once, in order, together with all that wait, and gets its own
// result.
import { describe, expect, it } from '@jest/globals';
import { createBatchedCall } from '../../../graph/queue/batched-call.ts';

/** Creates a batched call whose batches end when the test says so. */
function openBatches() {
  const sent: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const call = createBatchedCall(
    (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        if (sent.length > 9) throw new Error('More batches were sent than expected.');
        sent.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
      }),
  );
  return { call, sent, list: () => sent.map(({ items }) => items.join('')) };
}

describe('calls that come together', () => {
  it('go out one batch after another, each once, and get their own results', async () => {
    const { call, sent, list } = openBatches();
    const calls = ['a', 'b', 'c'].map(call);
    expect(list()).toEqual(['a']);
    sent[0]!.end();
    expect(await calls[0]).toBe('A');
    expect(list()).toEqual(['a', 'bc']);
    const late = call('d');
    expect(list()).toEqual(['a', 'bc']);
    sent[1]!.end();
    expect(await Promise.all(calls)).toEqual(['A', 'B', 'C']);
    sent[2]!.end();
    expect(await late).toBe('D');
    expect(list()).toEqual(['a', 'bc', 'd']);
  });

  it('begin again after a pause', async () => {
    const { call, sent, list } = openBatches();
    for (const item of ['a', 'b']) {
      const answer = call(item);
      sent.at(-1)!.end();
      expect(await answer).toBe(item.toUpperCase());
      await new Promise(setImmediate);
    }
    expect(list()).toEqual(['a', 'b']);
  });

  it('fail with their batch alone', async () => {
    const { call, sent } = openBatches();
    const [first, second, third] = ['a', 'b', 'c'].map(call);
    sent[0]!.end();
    expect(await first).toBe('A');
    sent[1]!.fail(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await expect(third).rejects.toThrow('gone');
    const next = call('d');
    await new Promise(setImmediate);
    sent[2]!.end();
    expect(await next).toBe('D');
  });
});
