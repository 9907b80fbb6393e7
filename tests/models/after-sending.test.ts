// What can wait until a question is on its way.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { afterSending } from '../../models/after-sending.ts';

it('is done after what is sent a turn of the event loop later, and only once', async () => {
  const order: string[] = [];
  const result = afterSending(() => order.push('done'));
  setImmediate(() => order.push('sent'));
  await turn();
  expect(order).toEqual(['sent']);
  await turn();
  expect(order).toEqual(['sent', 'done']);
  expect(result()).toBe(2);
  expect(order).toHaveLength(2);
});

it('is done at once where its result is wanted earlier, and not again', async () => {
  let count = 0;
  const result = afterSending(() => ++count);
  expect(result()).toBe(1);
  await turn();
  await turn();
  expect(count).toBe(1);
});

it('fails only where its result is wanted', async () => {
  const result = afterSending(() => {
    throw new RangeError('No.');
  });
  await turn();
  await turn();
  expect(result).toThrow(new RangeError('No.'));
});
