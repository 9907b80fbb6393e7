// Many matches in one process: seeds, one limit, one budget, isolated failures, and providers that stay down. They are
// tested in one file because every way to end a set counts finished, stopped and waiting matches in the same way.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listModelPairs } from '../../deception/design/schedule.ts';
import { CircuitBreaker, maxOutageWait } from '../../graph/circuit-breaker.ts';
import { playMatch } from '../../graph/play-match.ts';
import { createGrowingSet, type PoolGrowth, playGrowing } from '../../graph/pool/pool-growth.ts';
import { prepareFirstMatches } from '../../graph/match-set.ts';
import { type MatchEnd, playMatches, type SetOptions } from '../../graph/play-matches.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { BudgetReached } from '../../models/budget.ts';
import { LockedElsewhere, type Lock, takeLock } from '../../models/record/lock.ts';
import { ProviderFailure } from '../../models/retry.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { type Question, readQuestion } from '../question.ts';
import { readContents, rewrite, rewriteLine } from '../record-folder.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createHurriedClock, testClock, type TestClock } from '../test-clock.ts';
import { createHeldModel, waitUntilQuiet } from '../waves.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const short: MatchPlan = { board: createBoard(2, 1, 1, 2), rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } };

const server = await openOpenaiServer(({ body }) => ({
  text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))),
}));
const silent = await openOpenaiServer(({ body }) => ({
  text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))),
  usage: null,
}));

/** On the test server each call has 20 tokens in and 5 out, which cost 0.025 USD. */
const createPricedSpec = (baseUrl: string) => `openai:tiny?baseUrl=${baseUrl}&priceIn=1000&priceOut=1000`;
const callCost = 0.025;
const env = { OPENAI_API_KEY: 'none' };

/** Plays a set in folders below `name`, and returns how each match ended. */
async function playSet(name: string, plan: MatchPlan, { seed = 1, matches = 3, ...options }: Wanted = {}) {
  const ends: MatchEnd[] = [];
  const begun: string[] = [];
  const out = path.join(root, name);
  const result = await playMatches(
    { seed, matches, planOf: (each) => ({ ...short, ...plan, seed: each }) },
    {
      ...{ out, env },
      ...options,
      onBegin: ({ id }) => {
        begun.push(id);
        return {};
      },
      onEnd: (end) => void ends.push(end),
    },
  );
  return { ends, begun, result, out };
}

type Wanted = SetOptions & { seed?: number; matches?: number };

const listFolders = (out: string) => readdirSync(out).map((name) => path.join(out, name));
const listSummaries = (ends: readonly MatchEnd[]) => ends.flatMap((end) => ('summary' in end ? [end.summary] : []));

describe('many matches in one process', () => {
  afterAll(() => Promise.all([server.close(), silent.close()]));

  describe('a set of matches', () => {
    it('has a match for each seed from the first on, each as if it had been played alone', async () => {
      const { ends, result, out } = await playSet('seeds', {}, { seed: 5, matches: 2 });
      expect(result).toEqual({ finished: 2, stopped: 0, waiting: 0, reason: null });
      const played = listSummaries(ends).toSorted((one, other) => one.seed - other.seed);
      expect(played.map(({ seed }) => seed)).toEqual([5, 6]);
      const alone = await playMatch({ ...short, seed: 6, out: path.join(root, 'alone') });
      expect(ends.map(({ id }) => id)).toContain(alone.id);
      expect(readContents(path.join(out, alone.id))['events.ndjson']).toBe(
        readContents(alone.folder!)['events.ndjson'],
      );
    });

    it('takes no id, which names one match', async () => {
      const { ends } = await playSet('ids', { id: 'mine' }, { matches: 2 });
      expect(ends.map(({ id }) => id).sort()).toEqual([
        expect.stringMatching(/^test-2-1-1-2-1-[0-9a-f]{8}$/),
        expect.stringMatching(/^test-2-1-1-2-2-[0-9a-f]{8}$/),
      ]);
    });

    it('is finished by the same call, and nothing of it is played twice or written anew', async () => {
      const { out, ends } = await playSet('again', {}, { matches: 2 });
      const before = listFolders(out).map(readContents);
      const again = await playSet('again', {}, { matches: 2 });
      expect(again).toMatchObject({ begun: [], result: { finished: 2 } });
      expect(again.ends).toMatchObject([{ isPlayed: false }, { isPlayed: false }]);
      expect(listSummaries(again.ends)).toEqual(listSummaries(ends).toSorted((one, other) => one.seed - other.seed));
      expect(listFolders(out).map(readContents)).toEqual(before);
      expect((await playSet('again', {}, { matches: 3 })).begun).toHaveLength(1);
    });

    it('is the same with another price, time-out, limit or key variable, and nothing is paid twice', async () => {
      const { begun, out } = await playSet('reached', { model: createPricedSpec(server.baseUrl) }, { matches: 1 });
      const made = server.requests.length;
      const model = `openai:tiny?baseUrl=${server.baseUrl}&timeout=7&rpm=6000&apiKeyEnv=OTHER_KEY`;
      const other = { env: { OTHER_KEY: 'none' }, matches: 1 };
      expect((await playSet('reached', { model }, other)).result.finished).toBe(1);
      expect([begun.length, server.requests.length - made, listFolders(out).length]).toEqual([1, 0, 1]);
    });

    it('is refused with one model at two addresses, in a match and in a design', async () => {
      const [one, other] = [server, silent].map(({ baseUrl }) => `openai:tiny?baseUrl=${baseUrl}`);
      const two = /^openai:tiny is given at two addresses, http:\S+ and http:\S+:/;
      await expect(playSet('two', { villagers: one, werewolves: other })).rejects.toThrow(two);
      const set = { seed: 1, matches: 1, planOf: () => short, arms: listModelPairs([one!, other!]) };
      await expect(playMatches(set, { out: null, env })).rejects.toThrow(two);
    });

    it('is one model at one address, however that is written', async () => {
      const { baseUrl } = server;
      const [one, other] = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost') + '/'].map(
        (at) => `openai:tiny?baseUrl=${at}`,
      );
      const set = { seed: 1, matches: 1, planOf: () => ({ ...short, villagers: one, werewolves: other }) };
      expect(await prepareFirstMatches(set, { out: null, env, now: 0 })).toHaveLength(1);
    });

    it('begins no match where the variable with the address has moved, and says where it was', async () => {
      const at = ({ baseUrl }: typeof server) => ({ env: { ...env, OPENAI_BASE_URL: baseUrl } });
      const { out } = await playSet('variable', { model: 'openai:tiny' }, { ...at(server), matches: 1 });
      const made = silent.requests.length;
      const moved = () => playSet('variable', { model: 'openai:tiny' }, { ...at(silent), matches: 2 });
      await expect(moved()).rejects.toThrow(`openai:tiny was called at ${server.baseUrl} in `);
      // The record is from a time before manifests named addresses, and its first answer names the address.
      rewrite(listFolders(out)[0]!, 'manifest.json', (text) => text.replace(/"addresses": \{[^}]*\},/, ''));
      await expect(moved()).rejects.toThrow(`openai:tiny was called at ${server.baseUrl} in `);
      expect(silent.requests.length).toBe(made);
    });

    it('begins no match beside those of a model that would be another one under its name, and goes on with what is begun', async () => {
      const at = ({ baseUrl }: typeof server, name = '') => `openai:tiny?${name}baseUrl=${baseUrl}`;
      const capped = { matches: 1, maxCost: 4 * callCost, concurrency: 1 };
      const { out } = await playSet('moved', { model: createPricedSpec(server.baseUrl) }, capped);
      const made = silent.requests.length;
      const more = playSet('moved', { model: at(silent) }, { matches: 2 });
      await expect(more).rejects.toThrow(
        /^openai:tiny was called at http:\S+ in \S+manifest\.json, and is called at http:\S+ now/,
      );
      expect([listFolders(out).length, silent.requests.length - made]).toEqual([1, 0]);
      const moved = await playSet('moved', { model: at(silent) }, { matches: 1 });
      expect([moved.result.finished, moved.begun.length]).toEqual([1, 1]);

      await playSet('named', { model: at(server, 'name=tiny&') }, { matches: 1 });
      expect((await playSet('named', { model: at(silent, 'name=tiny&') }, { matches: 2 })).begun).toHaveLength(1);
      const changed = playSet('named', { model: at(server, 'name=tiny&temperature=1&') }, { matches: 1 });
      await expect(changed).rejects.toThrow(
        /^tiny stands for openai:tiny\?name=tiny in \S+manifest\.json, and for openai:tiny\?name=tiny&temperature=1 now/,
      );
    });

    it('is refused whole where its plan cannot be played', async () => {
      await expect(playSet('never', { rules: 'chess' })).rejects.toThrow('"chess"');
      const unpriced = { model: `openai:mine?baseUrl=${server.baseUrl}` };
      await expect(playSet('never', unpriced, { maxCost: 1 })).rejects.toThrow('the price of openai:mine');
      expect(existsSync(path.join(root, 'never'))).toBe(false);
    });
  });

  describe('a match that another command plays', () => {
    const model = createPricedSpec(server.baseUrl);
    const clock = createHurriedClock({ alarms: false });
    const alone = path.join(root, 'alone-held');

    /**
     * A set of three matches; another process holds the matches with `seeds`. `onHold`: called each time a match is
     * found to be held.
     */
    async function playHeld(
      name: string,
      seeds: readonly number[],
      onHold: (found: { seed: number; hold: Lock; id: string }) => unknown,
      options: Wanted = {},
    ) {
      const whole = await playSet('alone-held', { model });
      const held = listSummaries(whole.ends)
        .filter(({ seed }) => seeds.includes(seed))
        .map(({ seed, match_id: id }) => {
          const folder = path.join(root, name, id);
          mkdirSync(folder, { recursive: true });
          return { seed, id, hold: takeLock(path.join(folder, 'lock.json')) };
        });
      const tell: SetOptions['onHold'] = ({ id, error }) => {
        expect(error).toBeInstanceOf(LockedElsewhere);
        onHold(held.find((one) => one.id === id)!);
      };
      const played = await playSet(name, { model }, { clock, concurrency: 1, ...options, onHold: tell });
      for (const { hold } of held) hold.release();
      return { ...played, ids: held.map(({ id }) => id) };
    }

    itLong('is waited for while the others are played, and played once it is free', async () => {
      const { ends, result, begun, ids } = await playHeld('freed', [1], ({ hold }) => setTimeout(hold.release, 200));
      expect(result).toEqual({ finished: 3, stopped: 0, waiting: 0, reason: null });
      expect(begun[0]).toBe(ids[0]);
      expect(ends.at(-1)).toMatchObject({ id: ids[0], isPlayed: true });
    });

    it('is read where it was finished meanwhile, and counts against the cap', async () => {
      const finish = ({ seed, hold, id }: { seed: number; hold: Lock; id: string }) => {
        if (seed === 3) return void setTimeout(hold.release, 250);
        hold.release();
        cpSync(path.join(alone, id), path.join(root, 'finished', id), { recursive: true });
      };
      const [first, second] = listSummaries((await playSet('alone-held', { model })).ends)
        .toSorted((one, other) => one.seed - other.seed)
        .map(({ model_calls }) => model_calls.total.cost!);
      const { ends, result } = await playHeld('finished', [2, 3], finish, { maxCost: first! + second! });
      expect(ends.map((end) => ('summary' in end ? [end.summary.seed, end.isPlayed] : end))).toEqual([
        [1, true],
        [2, false],
      ]);
      expect(result).toMatchObject({ finished: 2, stopped: 0, waiting: 1, reason: expect.any(BudgetReached) });
    });

    it('holds up no abort', async () => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const { result } = await playHeld('aborted', [1], () => stopping.abort(new Error('Enough.')), { signal });
      expect(result).toEqual({ finished: 0, stopped: 0, waiting: 3, reason: new Error('Enough.') });
    });
  });

  describe('the limit on calls under way', () => {
    it('holds for all matches together, and is used up', async () => {
      const { model, held } = createHeldModel((question) => createLegalAnswer(question));
      let isOver = false;
      const most = { calls: 0, matches: 0 };
      const set = playSet('limit', { model }, { matches: 3, concurrency: 5 }).finally(() => (isOver = true));
      while (!isOver) {
        await waitUntilQuiet(() => held.length);
        most.calls = Math.max(most.calls, held.length);
        most.matches = Math.max(most.matches, new Set(held.map(({ question }) => question.alive.join())).size);
        held.shift()?.release();
      }
      expect((await set).result.finished).toBe(3);
      expect(most.calls).toBe(5);
      expect(most.matches).toBeGreaterThan(1);
    });
  });

  describe('the cap on the cost', () => {
    const model = createPricedSpec(server.baseUrl);
    let counted: Promise<number> | undefined;
    /** Counts the calls of all matches, which are played once for all tests. */
    const countAll = () =>
      (counted ??= playSet('uncapped', { model }).then(({ ends }) =>
        listSummaries(ends).reduce((sum, { model_calls }) => sum + model_calls.total.calls, 0),
      ));

    it('is shared: when it is reached no call starts in any match, and a higher one goes on', async () => {
      const calls = await countAll();
      const before = server.requests.length;
      const cap = 10.5 * callCost;
      const first = await playSet('capped', { model }, { maxCost: cap, concurrency: 2 });
      expect(server.requests.length - before).toBeGreaterThanOrEqual(11);
      expect(server.requests.length - before).toBeLessThanOrEqual(12); // one call was running at the cap
      expect(first.result).toMatchObject({ finished: 0, stopped: 2, waiting: 1, reason: expect.any(BudgetReached) });
      const made = server.requests.length;
      const again = await playSet('capped', { model }, { maxCost: cap });
      expect(again).toMatchObject({ begun: [], result: { waiting: 3, reason: expect.any(BudgetReached) } });
      expect(server.requests.length).toBe(made);
      const enough = await playSet('capped', { model }, { maxCost: calls * callCost + 0.01 });
      expect(enough.result).toMatchObject({ finished: 3, reason: null });
      expect(server.requests.length - before).toBe(calls);
    });

    it('leaves finished matches behind where it would do for some of them, since earlier ones go first', async () => {
      const calls = await countAll();
      const half = { matches: 4, maxCost: calls * callCost, concurrency: 4 };
      const { result } = await playSet('half', { model }, half);
      expect(result.finished).toBeGreaterThanOrEqual(2);
    });

    it('counts what finished matches have cost before anything is called, known or not', async () => {
      const unknown = { model: createPricedSpec(silent.baseUrl) };
      const { ends } = await playSet('silent', unknown, { seed: 2, matches: 1 });
      expect(listSummaries(ends)[0]!.model_calls.total.cost).toBeNull();
      const made = silent.requests.length;
      const { result } = await playSet('silent', unknown, { matches: 2, maxCost: 1 }); // calls of unknown cost count as expensive
      expect(result).toMatchObject({ finished: 1, stopped: 0, waiting: 1 });
      expect(silent.requests.length).toBe(made);
    });
  });

  describe('the cap on the cost of a set whose pools grow', () => {
    itLong('is one for all blocks, what earlier ones have cost at unknown prices included', async () => {
      const out = path.join(root, 'growing');
      const plan: MatchPlan = { ...short, model: createPricedSpec(silent.baseUrl), experience: { grow: 1 } };
      const growth: PoolGrowth = { every: 1, reward: 'result', out };
      const growing = (matches: number) =>
        createGrowingSet({ seed: 2, matches, planOf: (seed) => ({ ...plan, seed }) }, growth);
      expect(await playMatches(growing(1), { out, env })).toMatchObject({ finished: 1 });
      const made = silent.requests.length;
      const capped = await playGrowing(growing(2), growth, { out, env, maxCost: 1 }); // calls of unknown cost count as expensive
      expect(capped).toMatchObject({ finished: 1, stopped: 0, waiting: 1, reason: expect.any(BudgetReached) });
      expect(silent.requests.length).toBe(made);
      expect(await playGrowing(growing(2), growth, { out, env })).toMatchObject({ finished: 2, reason: null });
    });
  });

  describe('a finished match whose prompts are torn', () => {
    const unknown = { model: createPricedSpec(silent.baseUrl) };
    const tearRecord = async (name: string, tear: (file: string) => void) => {
      const { out, ends } = await playSet(name, unknown, { seed: 2, matches: 1 });
      tear(path.join(listFolders(out)[0]!, 'prompts.ndjson.gz'));
      return { out, calls: listSummaries(ends)[0]!.model_calls.total.calls };
    };

    it('stops nothing, with a cap or without', async () => {
      await tearRecord('torn', (file) => truncateSync(file, statSync(file).size - 20));
      const { result } = await playSet('torn', unknown, { matches: 2, maxCost: 1 });
      expect(result).toMatchObject({ finished: 1, stopped: 0, waiting: 1 });
      expect((await playSet('torn', unknown, { matches: 2 })).result).toMatchObject({ finished: 2, reason: null });
    });

    it('counts with its answers alone where no prompt can be read', async () => {
      const { calls } = await tearRecord('garbage', (file) => writeFileSync(file, 'no gzip'));
      const made = silent.requests.length;
      const { result } = await playSet('garbage', unknown, { matches: 2, maxCost: calls * 0.001 });
      expect(result).toMatchObject({ finished: 1, waiting: 1, reason: expect.any(BudgetReached) });
      expect(silent.requests.length).toBe(made);
    });
  });

  describe('a match that fails', () => {
    it('does not stop the others', async () => {
      const { ends } = await playSet('damaged', {}, { matches: 2 });
      const { folder } = ends.find((end) => 'summary' in end && end.summary.seed === 2)!;
      rewriteLine(folder!, 'answers.ndjson', 3, () => 'no JSON');
      const again = await playSet('damaged', {}, { matches: 3 });
      expect(again.result).toEqual({ finished: 2, stopped: 1, waiting: 0, reason: null });
      expect(again.ends).toContainEqual({
        ...{ id: path.basename(folder!), folder },
        error: expect.objectContaining({ message: expect.stringContaining('line 3 is damaged') }),
      });
    });

    it('may do so before it has begun: its seed is named', async () => {
      const planOf = (seed: number) => (seed === 2 ? { ...short, rules: 'chess' } : short);
      const ends: MatchEnd[] = [];
      const listener = { onEnd: (end: MatchEnd) => void ends.push(end) };
      const { finished, stopped } = await playMatches({ seed: 1, matches: 3, planOf }, { out: null, ...listener });
      expect({ finished, stopped }).toEqual({ finished: 2, stopped: 1 });
      expect(ends).toContainEqual({ id: 'seed 2', folder: null, error: expect.any(UsageError) });
    });

    it('for want of its provider is followed by nine more, and then no further one is begun', async () => {
      const model = new ScriptedModel(() => {
        throw Object.assign(new Error('This key may not play.'), { status: 402 });
      });
      const { begun, result } = await playSet('refused', { model }, { matches: 13, concurrency: 1 });
      expect(begun).toHaveLength(10);
      expect(result).toMatchObject({
        stopped: 10,
        waiting: 3,
        reason: { message: expect.stringContaining('This key') },
      });
    });
  });

  describe('an abort', () => {
    it('stops all matches at once and begins no other; the same call then goes on', async () => {
      const stop = new AbortController();
      const model = new ScriptedModel((question, number) => {
        if (number === 12) stop.abort(new Error('Enough.'));
        return createLegalAnswer(question);
      });
      const { result, ends } = await playSet('aborted', { model }, { matches: 3, concurrency: 2, signal: stop.signal });
      expect(result).toMatchObject({ stopped: 2, reason: { message: 'Enough.' } });
      expect(result.finished + result.stopped + result.waiting).toBe(3);
      expect(ends.filter((end) => 'error' in end)).toHaveLength(2);
      const asked = model.asked.length;
      expect((await playSet('aborted', { model }, { matches: 3 })).result.finished).toBe(3);
      const whole = new ScriptedModel((question) => createLegalAnswer(question));
      await playSet('whole', { model: whole }, { matches: 3 });
      expect(model.asked.length - whole.asked.length).toBeLessThanOrEqual(2); // the calls that were under way
      expect(model.asked.length).toBeGreaterThan(asked);
    });

    it('is the reason also where no match was left to wait', async () => {
      const stop = new AbortController();
      const model = new ScriptedModel((question) => {
        if (listFolders(path.join(root, 'all begun')).length === 5) stop.abort(new Error('Enough.'));
        return createLegalAnswer(question);
      });
      const { result } = await playSet('all begun', { model }, { matches: 5, concurrency: 20, signal: stop.signal });
      expect(result).toMatchObject({ waiting: 0, reason: { message: 'Enough.' } });
      expect(result.stopped).toBeGreaterThan(1); // the first match may have finished
    });
  });
});

// Many matches while a provider stays down or refuses the key. In the first case matches wait, in the second they stop.

const breakerRoot = createTemporaryFolder();
const shortMatch: MatchPlan = {
  board: createBoard(2, 1, 1, 2),
  rules: 'arena',
  rule: { debateTurns: 1, maxRounds: 1 },
};
const minute = 60_000;

const failWith = (status: number) => () => {
  throw Object.assign(new Error('No.'), { status });
};

/** A server that answers while `isUp(calls so far)` is true. */
const createFailingModel = (isUp: (calls: number, question: Question) => boolean) =>
  new ScriptedModel((question, number) => (isUp(number, question) ? createLegalAnswer(question) : failWith(503)()));

/** A clock that passes more time than each wait, by a growing factor, so that hours of retries take few calls. */
function createFastClock(haste = 10): TestClock {
  const clock = testClock();
  const start = clock.now();
  return { ...clock, now: () => start + haste * clock.elapsed() };
}

async function playThroughOutage(
  name: string,
  model: ScriptedModel,
  options: SetOptions & { matches?: number; clock?: TestClock } = {},
) {
  const ends: MatchEnd[] = [];
  const told: string[] = [];
  const out = path.join(breakerRoot, name);
  const { matches = 5, clock = testClock(), ...more } = options;
  const result = await playMatches(
    { seed: 1, matches, planOf: (seed) => ({ ...shortMatch, model, seed }) },
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
    const model = createFailingModel((calls) => calls < down.from || calls >= down.until);
    const { result, told, pauses } = await playThroughOutage('down', model, { matches: 3 });
    expect(result).toEqual({ finished: 3, stopped: 0, waiting: 0, reason: null });
    expect(told[0]).toMatch(/^down: .*No\. \(tried 9 times\)/);
    expect(told[1]).toMatch(/^up after \d+ min$/);
    expect(told).toHaveLength(2);
    expect(pauses.slice(0, 3)).toEqual([minute, 2 * minute, 4 * minute]);
    const whole = createFailingModel(() => true);
    await playThroughOutage('whole', whole, { matches: 3 });
    expect(model.asked.length - whole.asked.length).toBe(down.until - down.from);
  });

  it('is tried by one match alone meanwhile', async () => {
    let begun = 0;
    const model = createFailingModel((calls) => calls > 200);
    const { result } = await playThroughOutage('probe', model, {
      concurrency: 4,
      matches: 6,
      onBegin: () => (begun++, {}),
    });
    expect(result.finished).toBe(6);
    expect(begun).toBeLessThan(20);
  });

  it('is given up after hours, and what was begun and what was not is told apart', async () => {
    const { result, pauses, ends } = await playThroughOutage(
      'gone',
      createFailingModel(() => false),
      { matches: 20, clock: createFastClock(3) },
    );
    expect(3 * pauses.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(0.7 * maxOutageWait);
    expect(pauses.at(-1)).toBe(10 * minute);
    expect(ends).toHaveLength(1);
    expect(result).toMatchObject({ finished: 0, reason: { name: 'ProviderFailure', kind: 'unavailable' } });
    expect(result.stopped + result.waiting).toBe(20);
    expect(result.stopped).toBeGreaterThan(2);
    expect(result.waiting).toBeGreaterThan(0);
  });

  it('is given up after minutes where nobody was ever reached, but not where its answers are on record', async () => {
    const refuse = () => {
      throw Object.assign(new Error('fetch failed'), { code: 'ECONNREFUSED' });
    };
    const alone = { matches: 2, concurrency: 1 };
    const outages: boolean[] = [];
    const onOutage: SetOptions['onOutage'] = ({ isUnreached }) => void outages.push(isUnreached);
    const never = await playThroughOutage('wrong', new ScriptedModel(refuse), { ...alone, onOutage });
    expect(never.pauses).toEqual([1, 2, 4].map((minutes) => minutes * minute));
    expect(never.result).toMatchObject({ finished: 0, reason: { name: 'ProviderFailure', status: null } });
    const stop = new AbortController();
    const begun = new ScriptedModel((question, number) => {
      if (number === 20) stop.abort(new Error('Enough.'));
      return createLegalAnswer(question);
    });
    await playThroughOutage('known', begun, { ...alone, signal: stop.signal });
    const later = await playThroughOutage('known', new ScriptedModel(refuse), {
      ...alone,
      clock: createFastClock(),
      onOutage,
    });
    expect(later.pauses.slice(0, 5)).toEqual([1, 2, 4, 8, 10].map((minutes) => minutes * minute));
    expect(outages).toEqual([true, false]);
  });

  it('can be left by an abort while it is waited for', async () => {
    const stop = new AbortController();
    const clock = testClock();
    const hold: SetOptions & { clock: TestClock } = {
      clock: {
        ...clock,
        sleep: (ms, signal) => {
          if (ms === 2 * minute) stop.abort(new Error('Enough.'));
          return clock.sleep(ms, signal);
        },
      },
      signal: stop.signal,
    };
    const { result } = await playThroughOutage(
      'left',
      createFailingModel(() => false),
      hold,
    );
    expect(result).toMatchObject({ finished: 0, stopped: 2, waiting: 3, reason: { message: 'Enough.' } });
  });

  itLong('for one match alone does not hold up the others for ever: that match fails', async () => {
    const victim = (question: Question) => question.action === 'vote';
    let name = '';
    const model = createFailingModel((_, question) => {
      if (name === '' && victim(question)) name = question.alive.join();
      return !(victim(question) && question.alive.join() === name);
    });
    const { result } = await playThroughOutage('poison', model, {
      clock: createFastClock(),
      concurrency: 1,
      matches: 3,
    });
    expect(result).toMatchObject({ finished: 2, stopped: 1, waiting: 0 });
  });
});

describe('a match that gets no answer while others do', () => {
  const down = new ProviderFailure('unavailable', 'No.', { status: 503, tries: 7, told: { words: 'No.' } });
  /**
   * Returns, for each failure of a match, whether the match is held. `answered`: number of answers to other matches
   * before each failure.
   */
  const createHeldMatch = (...answered: readonly number[]) => {
    const outage = new CircuitBreaker(testClock(), {});
    const match = { failures: 0, answersBefore: 0 };
    return answered.map((others) => {
      for (let answer = 0; answer < others; answer++) outage.recordAnswer();
      return outage.shouldRetryLater(match, down, 0);
    });
  };

  it('fails with the third time in a row: then the fault is its own', () => {
    expect(createHeldMatch(1, 1, 1)).toEqual([true, true, false]);
    expect(createHeldMatch(5, 9, 1)).toEqual([true, true, false]);
  });

  it('has its failures forgotten once it is answered itself', () => {
    const outage = new CircuitBreaker(testClock(), {});
    const match = { failures: 0, answersBefore: 0 };
    const isHeld = [0, 0, 1, 0, 0, 0].map((own) => {
      outage.recordAnswer();
      return outage.shouldRetryLater(match, down, own);
    });
    expect(isHeld).toEqual([true, true, true, true, true, false]);
  });

  it('waits on where nobody was answered in between', () => {
    expect(createHeldMatch(0, 0, 0, 0)).toEqual([true, true, true, true]);
    expect(createHeldMatch(1, 0, 1, 0)).toEqual([true, true, true, true]);
  });
});

describe('a key that is refused', () => {
  it.each([401, 403, 404])('with status %i before any answer ends the set at once', async (status) => {
    const model = new ScriptedModel(failWith(status));
    const { result, folders } = await playThroughOutage(`refused-${status}`, model, { matches: 20, concurrency: 4 });
    expect(model.asked.length).toBeLessThanOrEqual(12); // each match asks five players at first
    expect(result).toMatchObject({ finished: 0, reason: { status } });
    expect(result.waiting).toBeGreaterThanOrEqual(12);
    expect(folders()).toBe(20 - result.waiting);
  });

  it('after answers have come stops its match alone', async () => {
    const model = new ScriptedModel((question, number) =>
      number === 20 ? failWith(403)() : createLegalAnswer(question),
    );
    const { result } = await playThroughOutage('later', model, { matches: 3 });
    expect(result).toEqual({ finished: 2, stopped: 1, waiting: 0, reason: null });
  });
});
