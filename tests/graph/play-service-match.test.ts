// Matches that a server plays for clients, in this process: limits that the operator sets, and protection of records.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph';
import { buildMatchGraph } from '../../graph/match-graph.ts';
import { playForClient, type RunOptions } from '../../graph/play-service-match.ts';
import { readContext, readServiceSettings, type ServiceSettings } from '../../graph/service-settings.ts';
import { createModelClient, inMemoryClientOptions } from '../../models/model-client.ts';
import { EventLog } from '../../models/record/event-log.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { openOpenaiServer, type OpenAIServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const env = { OPENAI_API_KEY: 'none' };
let server: OpenAIServer;
let settings: ServiceSettings;
let [underWay, mostUnderWay] = [0, 0];

beforeAll(async () => {
  server = await openOpenaiServer(({ body }) => {
    mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
    const text = JSON.stringify(createLegalAnswer(readQuestion(body.messages)));
    return { text, latency: 1, answered: () => (underWay -= 1) };
  });
  const priced = (price: number) => `openai:tiny?baseUrl=${server.baseUrl}&priceIn=${price}&priceOut=${price}`;
  const models = new Map([...readServiceSettings({}).models, ['free', priced(0)], ['costly', priced(1000)]]); // 0.025 USD a call
  settings = { models, out, maxCost: null, concurrency: 1 };
});

afterAll(() => server.close());

const checkpointer = new MemorySaver();

/** Plays a client's match on a thread to its end. Returns the number of streamed events. */
async function playOnThread(
  thread: string,
  given: object,
  { input = {}, wanted = {}, ...changed }: Partial<ServiceSettings> & { input?: unknown; wanted?: object } = {},
): Promise<number> {
  const graph = buildMatchGraph({
    client: createModelClient({ ...inMemoryClientOptions, seats: {}, seed: 1, signal: new AbortController().signal }),
    events: new EventLog(() => undefined),
  });
  graph.checkpointer = checkpointer;
  const all = { ...settings, ...changed };
  const options = {
    version: 'v2',
    streamMode: ['updates'],
    configurable: { thread_id: thread },
    ...wanted,
  } as RunOptions;
  let streamed = 0;
  const context = readContext(given, {}, all);
  for await (const event of playForClient(graph, { input, context, options }, all, env)) streamed += event ? 1 : 0;
  return streamed;
}

const rule = { debateTurns: 2, maxRounds: 1 };

describe('the context of a run', () => {
  const fields = ['model', 'villagers', 'werewolves', 'roles', 'seats', 'board', 'rules', 'rule', 'seed', 'maxCost'];

  it('takes what a client may decide, and names it where something else is given', () => {
    const given = { board: 'classic-8', rules: 'arena', rule, seed: 2, maxCost: 1, roles: { Seer: 'free' } };
    const seated = { ...given, model: 'free', villagers: 'free', werewolves: 'costly', seats: { Will: 'free' } };
    expect(Object.keys(seated).sort()).toEqual([...fields].sort());
    expect(readContext(seated, {}, settings)).toEqual(seated);
    expect(() => readContext({ ...seated, out: '/tmp' }, {}, settings)).toThrow(
      `a client cannot give "out"; it can give ${fields.join(', ')}. Only the server's operator`,
    );
  });

  it.each([...fields, 'baseUrl', 'apiKeyEnv', 'out', 'prices', 'priceIn', 'priceOut'])(
    'is where %s belongs, and not the configuration',
    (name) => {
      expect(() => readContext({}, { [name]: 'x' }, settings)).toThrow(
        `"configurable" holds ${name}, which is ignored. Use the run's context instead; its fields are: ${fields.join(', ')}.`,
      );
    },
  );
});

describe('a server', () => {
  it('plays no language model where nobody has told it a folder for records, but bots', async () => {
    await expect(playOnThread('nowhere', { model: 'free' }, { out: null })).rejects.toThrow('WOLFGRAPH_OUT is not set');
    expect(await playOnThread('bots', { model: 'bot:random', rule }, { out: null })).toBeGreaterThan(10);
    expect(server.requests).toEqual([]);
  });

  it('stops a match at the budget of its client, and goes on with it on its thread with a higher one', async () => {
    const context = { model: 'bot:classic', seats: { Will: 'costly' }, rule };
    await expect(playOnThread('client', { ...context, maxCost: 0.06 })).rejects.toThrow(
      /The budget of \$0\.06 is reached: .* Resume with a higher maxCost\./,
    );
    expect(server.requests).toHaveLength(3);
    await playOnThread('client', context);
    const { answers, isFinished } = readRecord(path.join(out, 'client'));
    expect(isFinished).toBe(true);
    expect(server.requests).toHaveLength(answers.filter(({ player }) => player === 'Will').length);
  });

  it('streams in the newer form of events too', async () => {
    const wanted = { version: 'v3' };
    expect(await playOnThread('newer', { model: 'bot:random', rule }, { out: null, wanted })).toBeGreaterThan(10);
  });

  it('lets its operator limit the calls under way', async () => {
    mostUnderWay = 0;
    await playOnThread('slow', { model: 'free', rule }, { concurrency: 3 });
    expect(mostUnderWay).toBe(3);
  });

  it('says where the record of a match is that has ended', async () => {
    const context = { model: 'bot:classic', seats: { Will: 'costly' }, rule };
    await expect(playOnThread('client', context)).rejects.toThrow(
      'This match has already ended; its record is client.',
    );
  });

  it('lets its operator limit what all matches spend together', async () => {
    const sent = server.requests.length;
    const spent = readRecord(path.join(out, 'client')).answers.filter(({ player }) => player === 'Will').length * 0.025;
    const capped = { maxCost: spent + 1.5 * 0.025 };
    const context = { model: 'bot:classic', seats: { Will: 'costly' }, rule, seed: 2 };
    await expect(playOnThread('capped', context, capped)).rejects.toThrow("This server's spending limit is reached");
    expect(server.requests).toHaveLength(sent + 2);
    await expect(playOnThread('another', { ...context, seed: 3 }, capped)).rejects.toThrow('WOLFGRAPH_MAX_COST');
    expect(server.requests).toHaveLength(sent + 2);
  });

  it('takes no match for another: a thread goes on with the plan and the models with which it was begun', async () => {
    await expect(playOnThread('capped', { model: 'bot:classic', rule, seed: 2 })).rejects.toThrow('another set-up');
    await playOnThread('without', { rule }, { out: null });
    await expect(playOnThread('without', { rule, seed: 9 }, { out: null })).rejects.toThrow(
      'This thread began with another match.',
    );
  });

  it.each([
    ['is not interrupted at a node', { interruptBefore: ['vote'] }],
    ['resumes from its record, not from a checkpoint', { configurable: { thread_id: 'x', checkpoint_id: '1' } }],
  ])('says that a match %s', async (words, wanted) => {
    await expect(playOnThread('x', { rule }, { wanted })).rejects.toThrow(words);
  });
});

describe('an operator', () => {
  it.each([
    ['WOLFGRAPH_MAX_COST', 'much', 'must be a number'],
    ['WOLFGRAPH_CONCURRENCY', '0', 'must be 1 or more'],
    ['WOLFGRAPH_MODELS', 'nowhere.yaml', 'There is no file nowhere.yaml'],
  ])('is told that %s=%s %s', (name, value, words) => {
    expect(() => readServiceSettings({ [name]: value })).toThrow(words);
  });
});
