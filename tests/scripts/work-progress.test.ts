// Progress of work without calls, with a clock that the test sets.
import { describe, expect, it } from '@jest/globals';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { followItems, openWorkProgress } from '../../scripts/command/work-progress.ts';

/** Reports a step at each of these times in milliseconds. Returns the output. */
function tellAt(times: readonly number[], isTTY: boolean): string[] {
  let now = 0;
  const written: string[] = [];
  const stderr = { isTTY, write: (text: unknown) => void written.push(String(text)) };
  const clock = { ...getMachine().clock, elapsed: () => now, repeat: () => () => {} };
  runOnMachine({ ...getMachine(), clock }, () => {
    const progress = openWorkProgress({ stderr, env: {} });
    for (const [done, time] of times.entries()) {
      now = time;
      progress.step('matches read', done, times.length);
    }
    progress.stop();
  });
  return written;
}

describe('the progress of work', () => {
  it('is a line that changes every second on a terminal, with the time that is left, and is cleared in the end', () => {
    expect(tellAt([0, 500, 1100, 1200, 4000], true)).toEqual([
      '\r\u001b[K2 of 5 matches read',
      '\r\u001b[K4 of 5 matches read; about 1 s left',
      '\r\u001b[K',
    ]);
  });

  it('is a line every ten seconds in a log, and none for short work', () => {
    expect(tellAt([0, 9000, 10_500, 12_000, 21_000], false)).toEqual([
      '2 of 5 matches read; about 16 s left\n',
      '4 of 5 matches read; about 6 s left\n',
    ]);
    expect(tellAt([0, 3000], false)).toEqual([]);
  });

  it('a step without a total has its name and the time so far, and a step that is done ends the lines', () => {
    const written: string[] = [];
    let now = 0;
    let beat: () => void = () => expect('a step').toBe('begun');
    let beats = 0;
    const repeat = (_: number, given: () => void) => {
      [beat, beats] = [given, beats + 1];
      return () => void (beats -= 1);
    };
    const clock = { ...getMachine().clock, elapsed: () => now, repeat };
    runOnMachine({ ...getMachine(), clock }, () => {
      const stderr = { isTTY: false, write: (text: unknown) => void written.push(String(text)) };
      const { step } = openWorkProgress({ stderr, env: {} });
      expect(beats).toBe(0);
      step('Making the pages', 0, 0);
      now = 12_000;
      beat();
      expect(beats).toBe(1);
      expect([...followItems(['a', 'b'], 'matches read', step)]).toEqual(['a', 'b']);
      expect(beats).toBe(0);
    });
    expect(written).toEqual(['Making the pages; 12 s so far\n']);
  });
});
