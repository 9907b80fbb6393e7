// The clock of this machine: turns of the event loop.
import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../../models/machine/clock.ts';

describe('turns of the event loop', () => {
  it('are given one by one, in the order of the calls, and other work runs between them', async () => {
    const told: string[] = [];
    const work = async (name: string, times: number) => {
      for (let time = 1; time <= times; time++) {
        await systemClock.takeTurn();
        told.push(`${name}${time}`);
      }
    };
    const others = (async () => {
      for (let passed = 0; passed < 4; passed++) {
        await turn();
        told.push('-');
      }
    })();
    await Promise.all([work('a', 2), work('b', 1), work('c', 1), others]);
    expect(told.filter((name) => name !== '-')).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(told.join(' ')).not.toMatch(/\w \w/);
  });

  it('are given again when nobody has waited for some time', async () => {
    await systemClock.takeTurn();
    await turn();
    await expect(systemClock.takeTurn()).resolves.toBeUndefined();
  });
});
