// What is read from records: how many answers a match waits for one after another, and what a prompt cache would serve.
import { describe, expect, it } from '@jest/globals';
import {
  countCached,
  countLatencies,
  countRoundLatencies,
  measureSharedPrefix,
  roundToServed,
  type SentPrompt,
} from '../../../tools/bench/latency-and-cache.ts';
import type { Question } from '../../question.ts';
import { createScript } from '../../scripted-model.ts';
import { play, type Options } from '../../table.ts';
import { testClock } from '../../test-clock.ts';
import { recordWaves } from '../../waves.ts';

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

/** Everybody votes for the next in the order of seats: nobody is exiled. */
const inACircle = ({ player, alive }: Question) => ({ vote: alive[(alive.indexOf(player) + 1) % alive.length] });

/** A match of eight that goes on into its third round, with an hour for each wave of its calls. */
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

describe('a shared prefix', () => {
  it.each([
    ['', 'abc', 0],
    ['abc', 'abd', 2],
    ['abc', 'abcdef', 3],
    ['xbc', 'abc', 0],
  ])('of %j and %j has the length %j', (one, other, length) => {
    expect(measureSharedPrefix(one, other)).toBe(length);
  });

  it.each([
    [1023, 0],
    [1024, 1024],
    [1151, 1024],
    [1152, 1152],
    [1300, 1280],
  ])('of %j tokens is served with %j', (tokens, served) => {
    expect(roundToServed(tokens * 4)).toBe(served);
    expect(roundToServed(tokens * 4 + 3)).toBe(served);
  });
});

describe('prompts', () => {
  /** 1,500 tokens of system text and 500 of the player's. `at`: when it is sent; it is answered 10 later. */
  const prompt = (at: number, { system = 's', user = 'u' } = {}): SentPrompt => ({
    messages: [
      { role: 'system', content: system.repeat(6000) },
      { role: 'user', content: user.repeat(2000) },
    ],
    sentAt: at,
    answeredAt: at + 10,
  });

  /** Roles and line ends stand in a prompt too: "system\n…\nuser\n…\n". */
  const wholeTokens = Math.ceil((6000 + 2000 + 'system\n\nuser\n\n'.length) / 4);

  it.each([
    ['the first', [prompt(0)], 0],
    ['what they share with any that was answered before', [prompt(0), prompt(10, { user: 'v' })], 1408], // 11 × 128 of the system text
    ['the nearest of several', [prompt(0), prompt(10, { user: 'v' }), prompt(20)], 1408 + 1920], // 15 × 128 of all
    ['one that is still under way', [prompt(0), prompt(9)], 0],
    ['what stands after the first difference', [prompt(0), prompt(10, { system: 'r' })], 0],
  ])('are counted and served: %s', (_, prompts, cached) => {
    expect(countCached(prompts)).toEqual({ tokens: prompts.length * wholeTokens, cached });
  });
});
