// The number of successive answers that a match waits for, read from records.
import { describe, expect, it } from '@jest/globals';
import { countLatencies, countRoundLatencies } from '../../tools/bench/latencies.ts';
import type { Question } from '../question.ts';
import { createScript } from '../scripted-model.ts';
import { play, type Options } from '../table.ts';
import { testClock } from '../test-clock.ts';
import { recordWaves } from '../waves.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const call = (from: number, ms: number) => ({ started_at: new Date(start + from).toISOString(), ms });

describe('the latencies', () => {
  it.each([
    ['no call', [], 0],
    ['one call', [call(0, 100)], 1],
    ['calls side by side', [call(0, 100), call(1, 100), call(99, 100)], 1],
    ['calls one after another', [call(0, 100), call(100, 100), call(200, 100)], 3],
    ['a wave, then a statement', [call(5, 100), call(0, 100), call(3, 120), call(130, 100)], 2],
    ['a call that is as long as two others', [call(0, 250), call(0, 100), call(110, 100)], 2],
  ])('of %s are counted', (_, calls, count) => {
    expect(countLatencies(calls)).toBe(count);
  });
});

/** Everybody votes for the next player in the order of seats, so nobody is exiled. */
const inACircle = ({ player, alive }: Question) => ({ vote: alive[(alive.indexOf(player) + 1) % alive.length] });

/** Plays a match of eight that reaches its third round. Each wave of calls takes an hour. */
async function hourly(rules: string, rule: Options) {
  let now = start;
  const clock = { ...testClock(), now: () => now, elapsed: () => now };
  const match = await recordWaves(
    (model) => play({ model, rules, rule: { ...rule, maxRounds: 3 }, seed: 2, clock }),
    createScript({ vote: inACircle }),
    (wave) => {
      now += 3_600_000;
      return wave;
    },
  );
  return { waves: match.waves, answers: match.result.lines };
}

const expected: [string, Options, number][] = [
  ['arena', { analysis: 'both' }, 20],
  ['wolf', {}, 17],
];

describe.each(expected)('a match by the rules %s %j', (rules, rule, count) => {
  it(`takes ${count} latencies in a full round, where nobody proposes twice`, async () => {
    const { waves, answers } = await hourly(rules, rule);
    expect(countLatencies(answers)).toBe(waves.length);
    expect(countRoundLatencies(answers)).toEqual([count, count]);
  });
});
