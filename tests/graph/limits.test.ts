// Limits of a set of matches: unreadable answers, waiting times that a provider asks for, and open files.
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type MatchEnd, playMatches, type SetOptions } from '../../graph/play-matches.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { createFallbackLimit, FallbacksReached } from '../../models/fallback-limit.ts';
import { openOpenaiServer, type OpenAIServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const env = { OPENAI_API_KEY: 'none' };
const short: MatchPlan = { board: createBoard(2, 1, 1, 2), rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } };

const opened: OpenAIServer[] = [];
const openServer: typeof openOpenaiServer = async (script) => {
  const server = await openOpenaiServer(script);
  opened.push(server);
  return server;
};
afterAll(() => Promise.all(opened.map(({ close }) => close())));

const listSummaries = (ends: readonly MatchEnd[]) => ends.flatMap((end) => ('summary' in end ? [end.summary] : []));

/** Plays matches of one plan in folders below `name`. */
const playSet = (name: string, plan: MatchPlan, { matches, ...options }: SetOptions & { matches: number }) =>
  playMatches(
    { seed: 1, matches, planOf: (seed) => ({ ...short, ...plan, seed }) },
    { out: path.join(root, name), env, ...options },
  );

describe('a model that gives no readable answer', () => {
  const text = 'I would rather listen.';
  /** Opens the model `mute` on a server of its own. */
  const openMute = () =>
    openServer(({ body }) =>
      body['model'] === 'mute' ? { text } : { text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))) },
    );

  itLong('ends its matches and begins no further one of them; those of other models are played', async () => {
    const mixed = await openMute();
    const nameModel = (seed: number) => `openai:${seed % 2 === 0 ? 'mute' : 'tiny'}?baseUrl=${mixed.baseUrl}`;
    const play = async (options: SetOptions = {}) => {
      const ends: MatchEnd[] = [];
      const set = { seed: 1, matches: 10, planOf: (seed: number) => ({ ...short, model: nameModel(seed) }) };
      const listener = { onEnd: (end: MatchEnd) => void ends.push(end) };
      const result = await playMatches(set, {
        out: path.join(root, 'mute'),
        env,
        concurrency: 2,
        ...options,
        ...listener,
      });
      return { result, ends };
    };
    const countMute = () => mixed.requests.filter(({ body }) => body['model'] === 'mute').length;
    const first = await play();
    expect(first.result.finished + first.result.stopped + first.result.waiting).toBe(10);
    expect(first.result.waiting).toBeGreaterThanOrEqual(2);
    expect(first.result.reason).toBeInstanceOf(FallbacksReached);
    expect(String(first.result.reason)).toMatch(/openai:mute gave no readable answer to 20 of 20 questions/);
    expect(listSummaries(first.ends).filter(({ seed }) => seed % 2 === 1)).toHaveLength(5);
    expect(countMute()).toBeGreaterThanOrEqual(3 * 20);
    expect(countMute()).toBeLessThan(3 * 20 + 20); // other matches asked once or twice
    const made = countMute();
    const again = await play(); // replayed calls do not count
    expect(again.result.reason).toBeInstanceOf(FallbacksReached);
    expect(countMute() - made).toBeGreaterThan(3 * 20 - 20);
    expect((await play({ maxFallbacks: 1 })).result).toEqual({ finished: 10, stopped: 0, waiting: 0, reason: null });
  });

  it('is told from one that refuses, and from one that does so seldom', () => {
    const limit = createFallbackLimit(0.25);
    for (let asked = 1; asked <= 100; asked++) limit.count('seldom', asked % 4 === 0);
    for (let asked = 1; asked < 20; asked++) limit.count('new', true);
    expect(() => limit.check(['seldom', 'new', 'unknown'])).not.toThrow();
    expect(() => limit.count('new', false)).toThrow('new gave no readable answer to 19 of 20 questions');
    expect(() => limit.check(['seldom', 'new'])).toThrow(FallbacksReached);
  });

  it('is none where all is refused', async () => {
    const refusing = await openServer([{ refusal: 'I will not play this.' }]);
    const model = `openai:tiny?baseUrl=${refusing.baseUrl}`;
    const result = await playSet('refusing', { model }, { matches: 2 });
    expect(result).toMatchObject({ finished: 2, reason: null });
  });
});

describe('a server that asks to wait', () => {
  const answerLegally = ({ body }: { body: { messages: { role: string; content: string }[] } }) => ({
    text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))),
  });

  it('because it is down holds up its own call alone, which has no place among those under way meanwhile', async () => {
    const busy = await openServer((request, index) =>
      index === 0 ? { status: 503, headers: { 'retry-after': '100' } } : answerLegally(request),
    );
    const clock = testClock();
    const sleep = async (ms: number) => {
      while (ms >= 100_000 && busy.requests.length < 3) await new Promise((turn) => setImmediate(turn));
    };
    const model = `openai:tiny?baseUrl=${busy.baseUrl}`;
    const result = await playSet('busy', { model }, { matches: 3, concurrency: 1, clock: { ...clock, sleep } });
    expect(result.finished).toBe(3);
  });

  it('because of its rate limit is asked nothing until then, by no match, and this is no outage', async () => {
    const sent: number[] = [];
    const clock = testClock();
    const limited = await openServer((request, index) => {
      sent.push(clock.elapsed());
      return index === 5 ? { status: 429, headers: { 'retry-after': '5000' } } : answerLegally(request);
    });
    const outages: Error[] = [];
    const model = `openai:tiny?baseUrl=${limited.baseUrl}`;
    const onOutage = ({ error }: { error: Error }) => void outages.push(error);
    const result = await playSet('limited', { model }, { matches: 3, concurrency: 1, clock, onOutage });
    expect(result.finished).toBe(3);
    expect(outages).toEqual([]);
    expect(sent[6]! - sent[5]!).toBeGreaterThanOrEqual(5_000_000);
  });

  it('for longer than it may, because it is down, counts as down', async () => {
    const busy = await openServer([{ status: 503, headers: { 'retry-after': '31' } }]);
    const model = `openai:tiny?baseUrl=${busy.baseUrl}`;
    const stop = new AbortController();
    const outages: string[] = [];
    const onOutage = ({ error }: { error: Error }) => {
      outages.push(error.message);
      stop.abort();
    };
    await playSet('down', { model }, { matches: 1, maxWait: 30, clock: testClock(), signal: stop.signal, onOutage });
    expect(outages).toEqual([expect.stringContaining('(asks to wait 31 s; --max-wait allows 30 s)')]);
  });

  it('for longer than it may, because of its rate limit, stops the matches', async () => {
    const busy = await openServer([{ status: 429, headers: { 'retry-after': '31' } }]);
    const model = `openai:tiny?baseUrl=${busy.baseUrl}`;
    const outages: unknown[] = [];
    const onOutage = (outage: unknown) => void outages.push(outage);
    const result = await playSet('asked', { model }, { matches: 2, maxWait: 30, clock: testClock(), onOutage });
    expect(result).toMatchObject({ finished: 0, stopped: 2 });
    expect(outages).toEqual([]);
  });
});

describe('two servers in one match', () => {
  itLong('have limits of their own: that of the slow one holds up no call to the other', async () => {
    const most = { slow: 0, fast: 0 };
    const openCounted = async (name: keyof typeof most, latency: number) => {
      let underWay = 0;
      return openServer(({ body }) => {
        underWay += 1;
        most[name] = Math.max(most[name], underWay);
        return {
          text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))),
          latency,
          answered: () => void (underWay -= 1),
        };
      });
    };
    const [slow, fast] = [await openCounted('slow', 30), await openCounted('fast', 1)];
    const plan = {
      werewolves: `openai:slow?baseUrl=${slow.baseUrl}&concurrency=1`,
      villagers: `openai:fast?baseUrl=${fast.baseUrl}`,
    };
    const result = await playSet('two', plan, { matches: 3 });
    expect(result.finished).toBe(3);
    expect(most.slow).toBe(1);
    expect(most.fast).toBeGreaterThan(2);
  });
});
