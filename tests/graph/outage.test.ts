// Many matches under a provider that stays down, or refuses the key: they wait for the one, and stop for the other.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Outage, outagePatience } from '../../graph/outage.ts';
import { playMatches, type MatchEnd, type SetOptions } from '../../graph/play-matches.ts';
import type { MatchPlan } from '../../graph/prepare.ts';
import { ProviderFailure } from '../../models/transport.ts';
import type { Question } from '../question.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';

const root = temporaryFolder();
const short: MatchPlan = { board: boardOf(2, 1, 1, 2), rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } };
const minute = 60_000;

const failing = (status: number) => () => {
  throw Object.assign(new Error('No.'), { status });
};

/** Answers as long as `isUp` says so, with the calls made so far. */
const server = (isUp: (calls: number, question: Question) => boolean) =>
  new ScriptedModel((question, number) => (isUp(number, question) ? legalAnswer(question) : failing(503)()));

async function playSet(name: string, model: ScriptedModel, options: SetOptions & { matches?: number } = {}) {
  const ends: MatchEnd[] = [];
  const told: string[] = [];
  const clock = testClock();
  const out = path.join(root, name);
  const { matches = 5, ...more } = options;
  const result = await playMatches(
    { seed: 1, matches, planOf: (seed) => ({ ...short, model, seed }) },
    {
      ...{ out, env: {}, clock, concurrency: 2 },
      onOutage: ({ error }) => told.push(`down: ${error.message}`),
      onAnswered: (afterMs) => told.push(`up after ${Math.round(afterMs / minute)} min`),
      onEnd: (end) => void ends.push(end),
      ...more,
    },
  );
  const pauses = clock.waits.filter((wait) => wait % minute === 0 && wait > minute / 2);
  return { result, ends, told, pauses, out, folders: () => readdirSync(out).length };
}

describe('a provider that stays down', () => {
  it('is waited for, longer from time to time, and then all matches are finished with no answer asked twice', async () => {
    const down = { from: 30, until: 90 };
    const model = server((calls) => calls < down.from || calls >= down.until);
    const { result, told, pauses } = await playSet('down', model, { matches: 3 });
    expect(result).toEqual({ finished: 3, stopped: 0, waiting: 0, reason: null });
    expect(told[0]).toMatch(/^down: .*No\. \(tried 7 times\)/);
    expect(told[1]).toMatch(/^up after \d+ min$/);
    expect(told).toHaveLength(2);
    expect(pauses.slice(0, 3)).toEqual([minute, 2 * minute, 4 * minute]);
    const whole = server(() => true);
    await playSet('whole', whole, { matches: 3 });
    expect(model.asked.length - whole.asked.length).toBe(down.until - down.from);
  });

  it('is tried by one match alone meanwhile', async () => {
    let begun = 0;
    const model = server((calls) => calls > 200);
    const { result } = await playSet('probe', model, { concurrency: 4, matches: 6, onBegin: () => (begun++, {}) });
    expect(result.finished).toBe(6);
    expect(begun).toBeLessThan(20);
  });

  it('is given up after hours, and what was begun and what was not is told apart', async () => {
    const { result, pauses, ends } = await playSet(
      'gone',
      server(() => false),
      { matches: 60 },
    );
    expect(pauses.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(0.75 * outagePatience);
    expect(pauses.at(-1)).toBe(10 * minute);
    expect(ends).toHaveLength(1);
    expect(result).toMatchObject({ finished: 0, reason: { name: 'ProviderFailure', kind: 'unavailable' } });
    expect(result.stopped + result.waiting).toBe(60);
    expect(result.stopped).toBeGreaterThan(2);
    expect(result.waiting).toBeGreaterThan(0);
  });

  it('can be left by an abort while it is waited for', async () => {
    const stop = new AbortController();
    const clock = testClock();
    const hold: SetOptions = {
      clock: {
        ...clock,
        sleep: (ms, signal) => {
          if (ms === 2 * minute) stop.abort(new Error('Enough.'));
          return clock.sleep(ms, signal);
        },
      },
      signal: stop.signal,
    };
    const { result } = await playSet(
      'left',
      server(() => false),
      hold,
    );
    expect(result).toMatchObject({ finished: 0, stopped: 2, waiting: 3, reason: { message: 'Enough.' } });
  });

  it('for one match alone does not hold up the others for ever: that match fails', async () => {
    const victim = (question: Question) => question.action === 'vote';
    let name = '';
    const model = server((_, question) => {
      if (name === '' && victim(question)) name = question.alive.join();
      return !(victim(question) && question.alive.join() === name);
    });
    const { result } = await playSet('poison', model, { concurrency: 1, matches: 4 });
    expect(result).toMatchObject({ finished: 3, stopped: 1, waiting: 0 });
  });
});

describe('a match that gets no answer while others do', () => {
  const down = new ProviderFailure('unavailable', 'No.', 503, 7);
  /** Whether it is held each time that it fails, where so many answers came to others in between. */
  const held = (...answered: readonly number[]) => {
    const outage = new Outage(testClock(), {});
    const match = { strikes: 0, answersBefore: 0 };
    return answered.map((others) => {
      for (let answer = 0; answer < others; answer++) outage.answered();
      return outage.holds(match, down, 0);
    });
  };

  it('fails with the third time in a row: then the fault is its own', () => {
    expect(held(1, 1, 1)).toEqual([true, true, false]);
    expect(held(5, 9, 1)).toEqual([true, true, false]);
  });

  it('waits on where nobody was answered in between', () => {
    expect(held(0, 0, 0, 0)).toEqual([true, true, true, true]);
    expect(held(1, 0, 1, 0)).toEqual([true, true, true, true]);
  });
});

describe('a key that is refused', () => {
  it.each([401, 403, 404])('with status %i before any answer ends the set at once', async (status) => {
    const model = new ScriptedModel(failing(status));
    const { result, folders } = await playSet(`refused-${status}`, model, { matches: 20, concurrency: 4 });
    expect(model.asked.length).toBeLessThanOrEqual(12); // each match has five to ask at first
    expect(result).toMatchObject({ finished: 0, reason: { status } });
    expect(result.waiting).toBeGreaterThanOrEqual(12);
    expect(folders()).toBe(20 - result.waiting);
  });

  it('after answers have come stops its match alone', async () => {
    const model = new ScriptedModel((question, number) => (number === 20 ? failing(403)() : legalAnswer(question)));
    const { result } = await playSet('later', model);
    expect(result).toEqual({ finished: 4, stopped: 1, waiting: 0, reason: null });
  });
});
