// The time that a run of tests needs, whatever else the machine does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { readSessionActivity, SpentTime } from '../../../tools/mutate/spent-time.ts';

describe('the time that a run spends', () => {
  const add = (...readings: readonly (readonly [cpu: number, isBusy: boolean, passed: number] | null)[]) => {
    const spent = new SpentTime();
    for (const reading of readings)
      spent.add(reading && { cpu: reading[0], isBusy: reading[1] }, reading === null ? 1 : reading[2]);
    return spent.total;
  };

  it('is that of the CPU, where a process waits for one', () => {
    expect(add([0.5, true, 10], [0.75, true, 100])).toBe(0.75);
  });

  it('is idle since the last reading with some work', () => {
    const spent = new SpentTime();
    const idle = (
      [
        [1, false, 2],
        [1, false, 50],
        [1.2, false, 50],
        [1.2, true, 5],
        [1.2, false, 7],
      ] as const
    ).map(([cpu, isBusy, passed]) => {
      spent.add({ cpu, isBusy }, passed);
      return spent.idle;
    });
    expect(idle).toEqual([0, 50, 100, 0, 7]);
    spent.add(null, 30);
    expect(spent.idle).toBe(7);
  });

  it('is all of it, where nothing has anything to do', () => {
    expect(add([0, false, 10], [0.25, false, 20])).toBe(30);
  });

  it('is more than what has passed, where several processes run at once', () => {
    expect(add([2, false, 1])).toBe(2);
  });

  it('keeps what was spent by a process that is gone, and counts what follows', () => {
    expect(add([5, true, 1], [1, true, 1], [2, true, 1])).toBe(6);
  });

  it('is all of it where a system tells nothing', () => {
    expect(add(null, null)).toBe(2);
  });
});

(process.platform === 'linux' ? describe : describe.skip)('a session', () => {
  it('is busy while a process that it started computes, and not while it waits', async () => {
    const inner = `process.stdin.once('data', () => { for (const end = Date.now() + 1e6; Date.now() < end; ); }); console.log('ready')`;
    const outer = `require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'inherit' })`;
    const child = spawn(process.execPath, ['-e', outer, inner], { detached: true });
    await once(child.stdout, 'data');
    const read = () => readSessionActivity(child.pid)!;
    const waitUntil = async (isReached: () => boolean) => {
      while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await waitUntil(() => !read().isBusy);
    const { cpu } = read();
    expect(cpu).toBeGreaterThan(0);
    child.stdin.write('go\n');
    await waitUntil(() => read().isBusy && read().cpu > cpu + 0.1);
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'exit');
  });
});
