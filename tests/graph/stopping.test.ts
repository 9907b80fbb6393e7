// Matches that must stop: a call fails for good, a cap on cost is reached, or the user aborts.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { BudgetReached } from '../../models/budget.ts';
import { ProviderFailure } from '../../models/retry.ts';
import { formatCallKey } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';
import { type Question, readQuestion } from '../question.ts';
import { readAnswers, rewriteLine } from '../record-folder.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';
import { createHeldModel, waitUntilQuiet } from '../waves.ts';

const plan = { board: createBoard(2, 1, 1, 2), rule: { debateTurns: 1, maxRounds: 1, analyzeBallots: false }, seed: 4 };
const out = createTemporaryFolder();
const createRefusal = () => Object.assign(new Error('This key may not play.'), { status: 401 });

describe('with one call at a time', () => {
  let server: OpenAIServer | undefined;
  afterEach(() => server?.close());

  it('no call starts after one has failed for good', async () => {
    const model = new ScriptedModel((question, index) => {
      if (index === 6) throw createRefusal();
      return createLegalAnswer(question);
    });
    await expect(play({ ...plan, out, id: 'one', model, concurrency: 1 })).rejects.toThrow('This key may not play.');
    expect(model.asked.length).toBe(7);
  });

  it('no call starts once the money spent has reached the cap', async () => {
    server = await openOpenaiServer((request) => ({
      text: JSON.stringify(createLegalAnswer(readQuestion(request.body.messages))),
    }));
    const model = `openai:tiny?baseUrl=${server.baseUrl}&priceIn=1000&priceOut=1000`; // 0.025 USD a call
    const options = {
      ...plan,
      out,
      id: 'cap',
      model,
      env: { OPENAI_API_KEY: 'none' },
      maxCost: 0.1625,
      concurrency: 1,
    };
    await expect(play(options)).rejects.toThrow(BudgetReached);
    expect(server.requests.length).toBe(7);
  });
});

describe('a provider that does not say what a call took', () => {
  it('is taken to have taken much, so that the cap is reached all the same', async () => {
    const silent = await openOpenaiServer((request) => ({
      text: JSON.stringify(createLegalAnswer(readQuestion(request.body.messages))),
      usage: null,
    }));
    const model = `openai:tiny?baseUrl=${silent.baseUrl}&priceIn=10&priceOut=10`; // about 0.01 USD a call
    const options = { ...plan, out, id: 'silent', model, env: { OPENAI_API_KEY: 'none' }, concurrency: 1 };
    await expect(play({ ...options, maxCost: 0.05 })).rejects.toThrow(BudgetReached);
    const made = silent.requests.length;
    expect(made).toBeGreaterThan(1);
    await expect(play({ ...options, maxCost: 0.05 })).rejects.toThrow(BudgetReached);
    expect(silent.requests.length).toBe(made);
    await silent.close();
  });
});

describe('a match whose record is refused in the middle of a wave', () => {
  it('makes no further call', async () => {
    const stopped = new ScriptedModel((question) => {
      if (question.action === 'vote' && question.player === question.alive[2]) throw createRefusal();
      return createLegalAnswer(question);
    });
    await expect(play({ ...plan, out, id: 'half', model: stopped })).rejects.toThrow('This key may not play.');
    const folder = path.join(out, 'half');
    const number = readAnswers(folder).findIndex(({ action }) => action === 'vote') + 1;
    rewriteLine(folder, 'answers.ndjson', number, (line) =>
      line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"'),
    );
    const { model, held } = createHeldModel(() => 'Hm.');
    const ended: unknown[] = [];
    const match = playMatch({ ...plan, out, id: 'half', model }).catch((error: unknown) => ended.push(error));
    await waitUntilQuiet(() => held.length);
    const asked = model.asked.length;
    for (const { release } of held.splice(0)) release();
    await match;
    await waitUntilQuiet(() => model.asked.length);
    expect(ended).toHaveLength(1);
    expect(model.asked.length).toBe(asked);
  });
});

describe('several nodes that fail in one superstep', () => {
  it.each(['eliminate protect unmask', 'bid self_analysis peer_analysis', 'protect unmask'])(
    'stop the match with the failure itself: %s',
    async (actions) => {
      const model = new ScriptedModel((question) => {
        if (actions.includes(question.action) && (question.turn ?? 2) > 1) throw createRefusal();
        return createLegalAnswer(question);
      });
      const match = play({ ...plan, rule: { debateTurns: 2, maxRounds: 1 }, model });
      await expect(match).rejects.toBeInstanceOf(ProviderFailure);
    },
  );
});

// Matches that must stop: a provider fails, the user aborts, or the budget is spent.

const board = createBoard(2, 1, 1, 2);
const brokenPlan = { board, rule: { debateTurns: 1, maxRounds: 1, analyzeBallots: false }, seed: 4 };
const brokenOut = createTemporaryFolder();
const createObedientModel = () => new ScriptedModel((question) => createLegalAnswer(question));

const listRecorded = (id: string) =>
  readAnswers(path.join(brokenOut, id))
    .map(({ action, player }) => `${action} ${player}`)
    .sort();

/** A model whose answers wait. `upTo`: lets the match go on until its next questions have the given action. */
function startHeldMatch(
  id: string,
  script: Parameters<typeof createHeldModel>[0],
  options: Parameters<typeof playMatch>[0] = {},
) {
  const { model, held } = createHeldModel(script);
  const ended: unknown[] = [];
  const match = playMatch({ ...brokenPlan, out: brokenOut, id, model, ...options }).then(
    () => ended.push('played'),
    (error: unknown) => ended.push(error),
  );
  const upTo = async (action: string) => {
    await waitUntilQuiet(() => held.length);
    while (ended.length === 0 && !held.some(({ question }) => question.action === action)) {
      for (const { release } of held.splice(0)) release();
      await waitUntilQuiet(() => held.length);
    }
    return held;
  };
  return { model, held, ended, match, upTo };
}

describe('a provider that fails for good in the middle of a wave', () => {
  it('stops the match, after the calls under way have been awaited and recorded', async () => {
    const { model, ended, match, upTo } = startHeldMatch('failed', (question) => {
      if (question.action === 'vote' && question.alive[0] === question.player) throw createRefusal();
      return createLegalAnswer(question);
    });
    const held = await upTo('vote');
    const before = listRecorded('failed');
    const failing = held.findIndex(({ question }) => question.alive[0] === question.player);
    const [broken] = held.splice(failing, 1);
    broken!.release();
    await waitUntilQuiet(() => ended.length);
    expect(ended).toEqual([]);
    const others = held.map(({ question }) => `vote ${question.player}`);
    expect(others).toHaveLength(model.asked.at(-1)!.alive.length - 1);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(ended).toEqual([expect.any(ProviderFailure)]);
    expect(ended[0]).toMatchObject({ kind: 'final', status: 401 });
    expect((ended[0] as Error).message).toContain('This key may not play.');
    expect(listRecorded('failed')).toEqual([...before, ...others].sort());
    const rest = await play({ ...brokenPlan, out: brokenOut, id: 'failed', model: createObedientModel() });
    expect(rest.live[0]).toMatchObject({ action: 'vote', player: broken!.question.player });
    expect(rest.events).toEqual((await play({ ...brokenPlan, model: createObedientModel() })).events);
  });

  it('stops a night in which another power was being used, and keeps what was used', async () => {
    const { ended, match, held, upTo } = startHeldMatch('night', (question) => {
      if (question.action === 'unmask') throw createRefusal();
      return createLegalAnswer(question);
    });
    await upTo('unmask');
    const [seer] = held.splice(
      held.findIndex(({ question }) => question.action === 'unmask'),
      1,
    );
    seer!.release();
    await waitUntilQuiet(() => ended.length);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(ended).toEqual([expect.any(ProviderFailure)]);
    expect(listRecorded('night').map((name) => name.split(' ')[0])).toEqual(['eliminate', 'eliminate', 'protect']);
    expect(held).toEqual([]);
  });

  it('is not asked the same again while a match goes down', async () => {
    const isFirst = ({ player, alive }: Question) => player === alive[0];
    const { model, match, held, upTo } = startHeldMatch('unread', (question) => {
      if (question.action !== 'bid') return createLegalAnswer(question);
      if (isFirst(question)) throw createRefusal();
      return 'Hm.';
    });
    await upTo('bid');
    const asked = model.asked.length;
    const [broken] = held.splice(
      held.findIndex(({ question }) => isFirst(question)),
      1,
    );
    broken!.release();
    await waitUntilQuiet(() => held.length);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(model.asked).toHaveLength(asked);
  });
});

describe('a match that is aborted', () => {
  it('ends at once, without waiting for the calls under way, and goes on where it stopped', async () => {
    const controller = new AbortController();
    const { model, ended, match, upTo } = startHeldMatch('aborted', (question) => createLegalAnswer(question), {
      signal: controller.signal,
    });
    await upTo('vote');
    const before = listRecorded('aborted');
    controller.abort(new Error('Stopped by hand.'));
    await match;
    expect(ended).toEqual([expect.objectContaining({ message: 'Stopped by hand.' })]);
    expect(listRecorded('aborted')).toEqual(before);
    expect(model.asked.slice(before.length).map(({ action }) => action)).toEqual(
      Array(model.asked.length - before.length).fill('vote'),
    );
    const rest = await play({ ...brokenPlan, out: brokenOut, id: 'aborted', model: createObedientModel() });
    expect(rest.events).toEqual((await play({ ...brokenPlan, model: createObedientModel() })).events);
  });

  it('says so where the abort was given no reason', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel((question, index) => {
      if (index === 10) controller.abort();
      return createLegalAnswer(question);
    });
    await expect(play({ ...brokenPlan, model, signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('makes no call where it was aborted before it began', async () => {
    const model = createObedientModel();
    const signal = AbortSignal.abort(new Error('Never mind.'));
    await expect(play({ ...brokenPlan, model, signal })).rejects.toThrow('Never mind.');
    expect(model.asked).toEqual([]);
  });
});

describe('a match with a cap on its cost', () => {
  let server: OpenAIServer | undefined;
  afterEach(() => server?.close());

  /** Opens a model whose calls have 20 tokens in and 5 out each, which cost 0.025 USD. */
  const openSeatedModel = async () => {
    server = await openOpenaiServer((request) => ({
      text: JSON.stringify(createLegalAnswer(readQuestion(request.body.messages))),
    }));
    const model = `openai:tiny?baseUrl=${server.baseUrl}&priceIn=1000&priceOut=1000`;
    return {
      requests: server.requests,
      options: { ...brokenPlan, out: brokenOut, model, env: { OPENAI_API_KEY: 'none' } },
    };
  };

  it('stops when it is reached, with all calls recorded, and goes on with a higher one', async () => {
    const { requests, options } = await openSeatedModel();
    const capped = play({ ...options, id: 'capped', maxCost: 0.4, concurrency: 4 });
    await expect(capped).rejects.toThrow(BudgetReached);
    const spent = readAnswers(path.join(brokenOut, 'capped')).map(({ cost }) => cost!);
    expect(spent.reduce((sum, cost) => sum + cost, 0)).toBeGreaterThanOrEqual(0.4 - 1e-9);
    expect(requests).toHaveLength(spent.length);
    await expect(play({ ...options, id: 'capped', maxCost: 0.4 })).rejects.toThrow('Resume with a higher --max-cost');
    expect(requests).toHaveLength(spent.length);
    const rest = await play({ ...options, id: 'capped', maxCost: 100 });
    expect(rest.events.at(-1)).toMatchObject({ type: 'ended' });
    expect(new Set(rest.lines.map(formatCallKey)).size).toBe(requests.length);
    expect(rest.summary.model_calls.total.cost).toBeCloseTo(requests.length * 0.025, 9);
  });

  it('is refused before any call where the price of a model is not known', async () => {
    const model = createObedientModel();
    const unpriced = play({ ...brokenPlan, out: brokenOut, id: 'unpriced', model, maxCost: 1 });
    await expect(unpriced).rejects.toThrow(
      /^--max-cost 1 cannot be enforced, because the price of custom:scripted is not known/,
    );
    await expect(unpriced).rejects.toBeInstanceOf(UsageError);
    expect(model.asked).toEqual([]);
    expect(existsSync(path.join(brokenOut, 'unpriced'))).toBe(false);
  });

  it('plays bots, whose price is 0', async () => {
    const { events } = await play({ ...brokenPlan, model: 'bot:random', maxCost: 0.01 });
    expect(events.at(-1)).toMatchObject({ type: 'ended' });
  });
});

// A match stopped by one model while others fail too: the error message, and no further calls.

let server: OpenAIServer | undefined;

/** Number of players who are asked in the first night at the same time as the player whose call fails. */
const others = 2;

/** Returns a promise that resolves after this many calls. */
function createCounter(times: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let told = 0;
  return {
    promise,
    tell: () => {
      if (++told === times) resolve();
    },
  };
}

/** A clock on which every wait lasts until it is aborted. */
const createSleepingClock = (onSleep: () => void) => ({
  ...testClock(),
  sleep: (_: number, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      onSleep();
    }),
});

/**
 * Plays a match in which one model fails with `status` as soon as the other models are `ready`. The server of these
 * models follows the script.
 */
async function stopMatch(status: number, script: (received: () => void) => Scripted, ready: 'asleep' | 'asked') {
  const [asleep, asked] = [createCounter(others), createCounter(others)];
  const { baseUrl, requests } = (server = await openOpenaiServer(() => script(asked.tell)));
  const failing = new ScriptedModel(async () => {
    await { asleep, asked }[ready].promise;
    throw Object.assign(new Error('No such thing.'), { status });
  });
  const warnings: string[] = [];
  const match = play({
    board: createBoard(1, 1, 1, 3),
    seed: 4,
    model: `openai:tiny?baseUrl=${baseUrl}`,
    roles: { Seer: failing },
    env: { OPENAI_API_KEY: 'none' },
    clock: createSleepingClock(asleep.tell),
    onWarning: (message) => warnings.push(message),
  });
  const error: unknown = await match.catch((thrown: unknown) => thrown);
  return { error, requests, warnings };
}

describe('calls beside one that failed', () => {
  afterEach(() => server?.close());

  describe('a match that one model stops', () => {
    it.each([
      [400, 'bad-request'],
      [401, 'final'],
    ])('with %d while others wait to try again: it is told as it is, and nobody tries', async (status, kind) => {
      const busy = () => ({ status: 503, body: failure('Busy.') });
      const { error, requests, warnings } = await stopMatch(status, busy, 'asleep');
      expect(error).toMatchObject({
        name: 'ProviderFailure',
        kind,
        status,
        message: 'custom:scripted: No such thing.',
      });
      expect(requests).toHaveLength(others);
      expect(warnings).toEqual(['openai:tiny: Busy. Trying again.']);
    });

    it.each([400, 503])('while others are answered with %d: they say nothing and call no more', async (status) => {
      const late = (received: () => void) => {
        received();
        return { status, body: failure('None of that.'), latency: 50 };
      };
      const { error, requests, warnings } = await stopMatch(401, late, 'asked');
      expect(error).toMatchObject({ status: 401, message: 'custom:scripted: No such thing.' });
      expect(requests).toHaveLength(others);
      expect(warnings).toEqual([]);
    });
  });
});
