// Matches that have to stop: a provider that fails, an abort, a budget that is spent.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { BudgetReached } from '../../models/budget.ts';
import { ProviderFailure } from '../../models/transport.ts';
import { callName } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openaiServer, type OpenAIServer } from '../openai-server.ts';
import { readQuestion, type Question } from '../question.ts';
import { answersIn } from '../record-folder.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { heldModel, quiet } from '../waves.ts';

const board = boardOf(2, 1, 1, 2);
const plan = { board, rule: { debateTurns: 1, maxRounds: 1, analyzeBallots: false }, seed: 4 };
const out = temporaryFolder();
const obedient = () => new ScriptedModel((question) => legalAnswer(question));
const refused = () => Object.assign(new Error('This key may not play.'), { status: 401 });

const recordedIn = (id: string) =>
  answersIn(path.join(out, id))
    .map(({ action, player }) => `${action} ${player}`)
    .sort();

/** A model whose answers wait; `upTo` lets the match go on until its next questions are `action`s. */
function heldMatch(id: string, script: Parameters<typeof heldModel>[0], options: Parameters<typeof playMatch>[0] = {}) {
  const { model, held } = heldModel(script);
  const ended: unknown[] = [];
  const match = playMatch({ ...plan, out, id, model, ...options }).then(
    () => ended.push('played'),
    (error: unknown) => ended.push(error),
  );
  const upTo = async (action: string) => {
    await quiet(() => held.length);
    while (ended.length === 0 && !held.some(({ question }) => question.action === action)) {
      for (const { release } of held.splice(0)) release();
      await quiet(() => held.length);
    }
    return held;
  };
  return { model, held, ended, match, upTo };
}

describe('a provider that fails for good in the middle of a wave', () => {
  it('stops the match, after the calls under way have been awaited and recorded', async () => {
    const { model, ended, match, upTo } = heldMatch('failed', (question) => {
      if (question.action === 'vote' && question.alive[0] === question.player) throw refused();
      return legalAnswer(question);
    });
    const held = await upTo('vote');
    const before = recordedIn('failed');
    const failing = held.findIndex(({ question }) => question.alive[0] === question.player);
    const [broken] = held.splice(failing, 1);
    broken!.release();
    await quiet(() => ended.length);
    expect(ended).toEqual([]);
    const others = held.map(({ question }) => `vote ${question.player}`);
    expect(others).toHaveLength(model.asked.at(-1)!.alive.length - 1);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(ended).toEqual([expect.any(ProviderFailure)]);
    expect(ended[0]).toMatchObject({ kind: 'final', status: 401 });
    expect((ended[0] as Error).message).toContain('This key may not play.');
    expect(recordedIn('failed')).toEqual([...before, ...others].sort());
    const rest = await play({ ...plan, out, id: 'failed', model: obedient() });
    expect(rest.live[0]).toMatchObject({ action: 'vote', player: broken!.question.player });
    expect(rest.events).toEqual((await play({ ...plan, model: obedient() })).events);
  });

  it('stops a night in which another power was being used, and keeps what was used', async () => {
    const { ended, match, held, upTo } = heldMatch('night', (question) => {
      if (question.action === 'unmask') throw refused();
      return legalAnswer(question);
    });
    await upTo('unmask');
    const [seer] = held.splice(
      held.findIndex(({ question }) => question.action === 'unmask'),
      1,
    );
    seer!.release();
    await quiet(() => ended.length);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(ended).toEqual([expect.any(ProviderFailure)]);
    expect(recordedIn('night').map((name) => name.split(' ')[0])).toEqual(['eliminate', 'eliminate', 'protect']);
    expect(held).toEqual([]);
  });

  it('is not asked the same again while a match goes down', async () => {
    const isFirst = ({ player, alive }: Question) => player === alive[0];
    const { model, match, held, upTo } = heldMatch('unread', (question) => {
      if (question.action !== 'bid') return legalAnswer(question);
      if (isFirst(question)) throw refused();
      return 'Hm.';
    });
    await upTo('bid');
    const asked = model.asked.length;
    const [broken] = held.splice(
      held.findIndex(({ question }) => isFirst(question)),
      1,
    );
    broken!.release();
    await quiet(() => held.length);
    for (const { release } of held.splice(0)) release();
    await match;
    expect(model.asked).toHaveLength(asked);
  });
});

describe('a match that is aborted', () => {
  it('ends at once, without waiting for the calls under way, and goes on where it stopped', async () => {
    const controller = new AbortController();
    const { model, ended, match, upTo } = heldMatch('aborted', (question) => legalAnswer(question), {
      signal: controller.signal,
    });
    await upTo('vote');
    const before = recordedIn('aborted');
    controller.abort(new Error('Stopped by hand.'));
    await match;
    expect(ended).toEqual([expect.objectContaining({ message: 'Stopped by hand.' })]);
    expect(recordedIn('aborted')).toEqual(before);
    expect(model.asked.slice(before.length).map(({ action }) => action)).toEqual(
      Array(model.asked.length - before.length).fill('vote'),
    );
    const rest = await play({ ...plan, out, id: 'aborted', model: obedient() });
    expect(rest.events).toEqual((await play({ ...plan, model: obedient() })).events);
  });

  it('says so where the abort was given no reason', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel((question, index) => {
      if (index === 10) controller.abort();
      return legalAnswer(question);
    });
    await expect(play({ ...plan, model, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('makes no call where it was aborted before it began', async () => {
    const model = obedient();
    const signal = AbortSignal.abort(new Error('Never mind.'));
    await expect(play({ ...plan, model, signal })).rejects.toThrow('Never mind.');
    expect(model.asked).toEqual([]);
  });
});

describe('a match with a cap on its cost', () => {
  let server: OpenAIServer | undefined;
  afterEach(() => server?.close());

  /** Each call is 20 tokens in and 5 out: 0.025 USD. */
  const seated = async () => {
    server = await openaiServer((request) => ({
      text: JSON.stringify(legalAnswer(readQuestion(request.body.messages))),
    }));
    const model = `openai:tiny?baseUrl=${server.baseUrl}&priceIn=1000&priceOut=1000`;
    return { requests: server.requests, options: { ...plan, out, model, env: { OPENAI_API_KEY: 'none' } } };
  };

  it('stops when it is reached, with all calls recorded, and goes on with a higher one', async () => {
    const { requests, options } = await seated();
    const capped = play({ ...options, id: 'capped', maxCost: 0.4, concurrency: 4 });
    await expect(capped).rejects.toThrow(BudgetReached);
    const spent = answersIn(path.join(out, 'capped')).map(({ cost }) => cost!);
    expect(spent.reduce((sum, cost) => sum + cost, 0)).toBeGreaterThanOrEqual(0.4 - 1e-9);
    expect(requests).toHaveLength(spent.length);
    await expect(play({ ...options, id: 'capped', maxCost: 0.4 })).rejects.toThrow('Resume with a higher --max-cost');
    expect(requests).toHaveLength(spent.length);
    const rest = await play({ ...options, id: 'capped', maxCost: 100 });
    expect(rest.events.at(-1)).toMatchObject({ type: 'ended' });
    expect(new Set(rest.lines.map(callName)).size).toBe(requests.length);
    expect(rest.summary.model_calls.total.cost).toBeCloseTo(requests.length * 0.025, 9);
  });

  it('is refused before any call where the price of a model is not known', async () => {
    const model = obedient();
    const unpriced = play({ ...plan, out, id: 'unpriced', model, maxCost: 1 });
    await expect(unpriced).rejects.toThrow(/^--max-cost 1 cannot be kept: the price of custom:scripted is not known/);
    await expect(unpriced).rejects.toBeInstanceOf(UsageError);
    expect(model.asked).toEqual([]);
    expect(existsSync(path.join(out, 'unpriced'))).toBe(false);
  });

  it('plays bots, whose price is 0', async () => {
    const { events } = await play({ ...plan, model: 'bot:random', maxCost: 0.01 });
    expect(events.at(-1)).toMatchObject({ type: 'ended' });
  });
});
