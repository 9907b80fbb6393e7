// What is shown while many matches are played: sums of what is known, and the time left at the pace so far.
import { describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { endText, progressReport, progressText } from '../../scripts/console/set-progress.ts';
import { roughTime } from '../../scripts/console/rough-time.ts';
import { SetTally } from '../../scripts/console/set-tally.ts';

const { summary } = await playMatch({ out: null, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } });
const { calls } = summary.model_calls.total;

const answer = { tokens: { in: 900, out: 100, cached: null, reasoning: null }, cost: 0.5 };

function tallyOf(matches: number) {
  const time = { now: 0 };
  return { time, tally: new SetTally(matches, () => time.now) };
}

/** A match that is given `live` answers, and `recorded` ones before. */
function open(tally: SetTally, id: string, live: number, recorded = 0) {
  tally.begin(id);
  for (let index = 0; index < recorded; index++) tally.answer(id, answer, true);
  for (let index = 0; index < live; index++) tally.answer(id, answer, false);
}

describe('the time left', () => {
  it('is unknown before anything was answered or is known of the length of a match', () => {
    const { tally, time } = tallyOf(4);
    expect(tally.timeLeft()).toBeNull();
    open(tally, 'one', 10);
    time.now = 1000;
    expect(tally.timeLeft()).toBeNull();
    tally.expect(50);
    expect(tally.timeLeft()).toBe(100 * (40 + 3 * 50));
  });

  it('follows the answers that came since the start, and recorded ones only as far as they need not come again', () => {
    const { tally, time } = tallyOf(2);
    tally.expect(50);
    open(tally, 'one', 10, 20);
    time.now = 1000;
    expect(tally.timeLeft()).toBe(100 * (20 + 50));
  });

  it('leaves out matches that have failed, and is nothing when all are over', () => {
    const { tally, time } = tallyOf(2);
    open(tally, 'one', 10);
    time.now = 1000;
    tally.end({ id: 'two', folder: null, error: new Error('No.') });
    tally.end({ id: 'one', folder: null, summary, isPlayed: true });
    expect(tally).toMatchObject({ finished: 1, failed: 1, underWay: 0 });
    expect(tally.timeLeft()).toBe(0);
  });

  it('is measured by finished matches once they are ten', () => {
    const { tally, time } = tallyOf(11);
    tally.expect(1000);
    for (let index = 0; index < 10; index++) {
      open(tally, String(index), 1);
      tally.end({ id: String(index), folder: null, summary, isPlayed: true });
    }
    time.now = 100;
    expect(tally.timeLeft()).toBe((100 / 10) * calls);
  });
});

describe('what was spent', () => {
  it('is what is known, in all matches, whether they are finished or not', () => {
    const { tally } = tallyOf(4);
    tally.end({ id: 'over', folder: null, summary, isPlayed: false });
    tally.recorded([answer, { tokens: null, cost: null }]);
    open(tally, 'one', 2, 5);
    expect(tally.spent).toEqual({ calls: calls + 4, tokens: 3000, cost: 1.5, calls_with_unknown_cost: 1 });
  });

  it('is shown in one line that never is longer than the terminal is wide', () => {
    const { tally } = tallyOf(4);
    open(tally, 'one', 2);
    tally.calls('one', 7);
    const line = '0 of 4 done, 1 under way, 0 failed; USD 1.00; 2 calls (7 now); 2k tokens';
    expect(progressText(tally, 100)).toBe(line);
    expect(progressText(tally, line.length - 1)).toBe('0/4 done, 1 playing, 0 failed; $1.00; 2 calls, 2k tok');
    expect(progressText(tally, 20)).toBe('0/4 done, 1 playing…');
  });

  it('is whole on 80 columns with hundreds of matches', () => {
    const { tally, time } = tallyOf(1000);
    tally.expect(200);
    for (let index = 0; index < 100; index++) tally.end({ id: String(index), folder: null, summary, isPlayed: false });
    for (let index = 0; index < 32; index++) open(tally, `now ${index}`, 100);
    time.now = 9_600_000;
    const text = progressText(tally, 77);
    expect(text).toMatch(
      /^100\/1000 done, 32 playing, 0 failed; \d+ (h|min|days) left; \$1600; \d(\.\d)?k calls, 3\.2M tok$/,
    );
  });
});

describe('without a terminal', () => {
  it('a match that ends is told with what all have come to', () => {
    const { tally } = tallyOf(4);
    open(tally, 'one', 2);
    const end = { id: 'over', folder: null, summary, isPlayed: false };
    tally.end(end);
    expect(endText(end, tally)).toMatch(/^over: .* in 1 round; \d+ calls.* \| 1 of 4 done, 1 under way, 0 failed; /);
    expect(endText(end, tally)).toContain(`; USD 1.00; ${calls + 2} calls; 2k tokens`);
    expect(endText({ id: 'bad', folder: null, error: new Error('No.') }, tally)).toMatch(
      /^bad: stopped\. No\. \| 1 of 4/,
    );
  });

  it('a line comes every five minutes until the end, whether or not a match has ended', () => {
    const { tally } = tallyOf(4);
    const alarms: { ms: number; ring: () => void }[] = [];
    const lines: string[] = [];
    let isStopped = false;
    const alarm = (ms: number, ring: () => void) => {
      alarms.push({ ms, ring });
      return () => void (isStopped = true);
    };
    const progress = progressReport(tally, (line) => lines.push(line), { alarm });
    progress.start();
    open(tally, 'one', 2);
    alarms[0]!.ring();
    alarms[1]!.ring();
    expect(alarms.map(({ ms }) => ms / 60_000)).toEqual([5, 5, 5]);
    expect(lines).toEqual(Array(2).fill('0 of 4 done, 1 under way, 0 failed; USD 1.00; 2 calls (0 now); 2k tokens'));
    progress.stop();
    expect(isStopped).toBe(true);
  });
});

describe('a span of time', () => {
  it.each([
    [1, '1 s'],
    [99_000, '99 s'],
    [101_000, '2 min'],
    [5_900_000, '98 min'],
    [12_000_000, '3 h 20 min'],
    [187_200_000, '2 days 4 h'],
  ])('of %i ms is told as %s', (ms, text) => {
    expect(roughTime(ms)).toBe(text);
  });
});
