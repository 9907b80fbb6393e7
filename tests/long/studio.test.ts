// The graph as Studio sees it: a real dev server and LangGraph's own client.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@langchain/langgraph-sdk';
import { playMatch } from '../../graph/play-match.ts';
import { dealPlan } from '../../state/deal.ts';
import { defaultPlan, type Game, GameState } from '../../state/game.ts';
import { powers } from '../../state/roles/index.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { openLangsmithServer, type LangSmithServer } from '../langsmith-server.ts';
import { openOpenaiServer, type OpenAIServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { findFreePort } from '../free-port.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder();
const project = path.resolve(import.meta.dirname, '../..');
const inProject = path.join(project, '.langgraph_api');
const wasInProject = existsSync(inProject);
let server: ChildProcess;
let port: number;
let client: Client;
let langsmith: LangSmithServer;
let models: OpenAIServer;
/** Called for each request to the models' server. */
let heard: (count: number) => void = () => undefined;
const records = path.join(folder, 'records');
const key = 'sk-of-this-server-alone';
let played: Awaited<ReturnType<typeof playAll>>;

/** Starts `npm run studio` as a user whose cache is empty. */
beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    scripts: Record<'studio', string>;
  };
  const [, ...command] = scripts.studio.split(' ');
  port = await findFreePort();
  langsmith = await openLangsmithServer();
  models = await openOpenaiServer(({ body }, index) => {
    heard(index + 1);
    return { text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))), latency: 5 };
  });
  const file = path.join(folder, 'models.yaml');
  writeFileSync(file, `tiny: { model: openai:tiny, baseUrl: "${models.baseUrl}", apiKeyEnv: TINY_KEY }`);
  const operator = { WOLFGRAPH_MODELS: file, WOLFGRAPH_OUT: records, TINY_KEY: key };
  const tracing = { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: langsmith.url, LANGSMITH_API_KEY: 'local' };
  server = spawn(process.execPath, [...command, '--no-reload', '--port', String(port)], {
    cwd: project,
    env: { ...tracing, ...operator, PATH: process.env['PATH'], HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, which can be stopped as a whole
  });
  await waitForWords(server, 'Server running');
  // One connection per request: the server closes idle connections, and a request that meets the closing is not sent
  // again.
  client = new Client({ apiUrl: `http://localhost:${port}`, apiKey: null, defaultHeaders: { connection: 'close' } });
  played = await playAll();
});

afterAll(async () => {
  const gone = once(server, 'exit');
  process.kill(-server.pid!, 'SIGKILL');
  await gone;
  langsmith.close();
  await models.close();
});

function waitForWords(process: ChildProcess, words: string): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(words)) resolve();
    };
    process.stdout!.on('data', hear);
    process.stderr!.on('data', hear);
    process.once('exit', () => reject(new Error(`The dev server ended: ${output}`)));
  });
}

interface Wanted {
  config?: object;
  thread?: string;
  context?: Record<string, unknown>;
  assistant?: string;
  onRun?: (id: string) => void;
}

async function run(input: Record<string, unknown> | null, wanted: Wanted = {}) {
  const { config = {}, thread, context, assistant = 'match', onRun } = wanted;
  const id = thread ?? (await client.threads.create()).thread_id;
  const steps: string[] = [];
  const errors: string[] = [];
  const asked = { input, config, streamMode: 'updates' as const, ...(context && { context }) };
  for await (const { event, data } of client.runs.stream(id, assistant, asked)) {
    if (event === 'metadata') onRun?.(data.run_id);
    if (event === 'updates') steps.push(...Object.keys(data));
    if (event === 'error') errors.push(data.message);
  }
  const { values } = await client.threads.getState<Game>(id);
  return { steps, errors, values, thread: id };
}

const getProperties = (schema: unknown) => (schema as { properties: Record<string, { default?: unknown }> }).properties;

const plan = { rules: 'arena', seed: 4 };
const dealt = dealPlan({ ...defaultPlan, seed: 4 });
const setup = { ...dealt, rules: { ...dealt.rules, debateTurns: 2 } };
const sameNames = { ...setup, players: setup.players.map((player) => ({ ...player, name: 'Dan' })) };

/** All matches run in parallel, because the server delays each for up to a second. */
async function playAll() {
  const { input_schema: schema } = await client.assistants.getSchemas('match');
  const form = Object.entries(getProperties(schema)).map(
    ([name, { default: value }]) => [name, value ?? null] as const,
  );
  const played = {
    empty: run({}),
    form: run(Object.fromEntries(form), { config: { recursion_limit: 25 } }),
    plan: run({ plan }),
    setup: run({ setup }),
    players: run({ alivePlayers: ['Dan'] }),
    round: run({ roundNum: 2 }),
    names: run({ setup: sameNames }),
    nowhere: run({ plan: { board: 'nowhere' } }),
  };
  const ended = await Promise.all(Object.entries(played).map(async ([name, end]) => [name, await end] as const));
  return Object.fromEntries(ended) as Record<keyof typeof played, Awaited<ReturnType<typeof run>>>;
}

/** Sends a request as a browser does: `origin` is the page, and `host` the requested name. */
async function sendAs(headers: Record<string, string>, method = 'POST', where = '/threads/search') {
  const asked = request({ host: '127.0.0.1', port, path: where, method, headers: { connection: 'close', ...headers } });
  asked.end(method === 'POST' ? '{}' : undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode, allowed: answer.headers['access-control-allow-origin'] };
}

describe('the dev server', () => {
  it.each([
    ['a page elsewhere', { origin: 'https://evil.example' }],
    ['a page that sends JSON as text', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['a page that says it is Studio', { origin: 'https://evil.example', 'x-auth-scheme': 'langsmith' }],
    ['a page with a name like that of Studio', { origin: 'https://smith.langchain.com.evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a name elsewhere that leads here', { host: 'evil.example:2024' }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    const json = { 'content-type': 'application/json', ...headers };
    expect(await sendAs(json)).toEqual({ status: 403, allowed: undefined });
    expect((await sendAs({ ...json, 'access-control-request-method': 'POST' }, 'OPTIONS')).allowed).toBeUndefined();
  });

  it.each(['https://smith.langchain.com', 'https://eu.smith.langchain.com', 'http://localhost:3000'])(
    'answers %s',
    async (origin) => {
      const json = { 'content-type': 'application/json', origin };
      expect(await sendAs(json)).toEqual({ status: 200, allowed: origin });
      const { allowed } = await sendAs({ origin, 'access-control-request-method': 'POST' }, 'OPTIONS');
      expect(allowed).toBe(origin);
    },
  );

  it('answers programs of this machine, and keeps its files in the cache of the user', async () => {
    expect(await sendAs({ 'content-type': 'application/json', host: `localhost:${port}` })).toMatchObject({
      status: 200,
    });
    expect(existsSync(inProject)).toBe(wasInProject);
    expect(existsSync(path.join(folder, '.cache/wolfgraph/studio/.langgraph_api'))).toBe(true);
  });

  it('shows the nodes of the graph', async () => {
    const { nodes } = await client.assistants.getGraph('match');
    const night = powers.map(({ verb }) => verb);
    const paper = ['start_round', ...night, 'check_winner_night', 'bid', 'debate', 'self_analysis', 'peer_analysis'];
    const named = [...paper, 'vote', 'exile', 'check_winner_day', 'summarize', 'end'];
    expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
  });

  it('shows the fields of the state under the names of the paper in camelCase', async () => {
    const { state_schema: state, input_schema: input } = await client.assistants.getSchemas('match');
    const paper = ['alivePlayers', 'roundNum', 'phase', 'bids', 'votes', 'deceptionHistory', 'deceptionScores'];
    const named = [...paper, 'setup', 'roles', 'step', 'intents', 'gameLogs', 'winner'];
    expect(Object.keys(getProperties(state))).toEqual(expect.arrayContaining(named));
    expect(Object.keys(getProperties(input))).toEqual(Object.keys(GameState.fields));
    expect(input).not.toHaveProperty('required');
  });

  it('deals the default board for the input {} and plays it to its end, step by step, as `npm run match` does', async () => {
    const { steps, values, thread } = played.empty;
    expect(steps[0]).toBe('start_round');
    expect(steps).toEqual(expect.arrayContaining(['eliminate', 'bid', 'debate', 'peer_analysis', 'vote', 'exile']));
    expect(steps.at(-1)).toBe('end');
    const { summary, events } = await playMatch({ out: null });
    expect(values.winner).toBe(summary.winner);
    expect(values.setup.board.name).toBe('classic-8');
    expect(values.gameLogs).toEqual(events.filter(({ audience }) => audience !== 'moderator'));
    const { errors } = await run({}, { thread });
    expect(errors).toEqual([
      `This match has already ended; its record is ${thread}. Start the next match in a new thread.`,
    ]);
  });

  it('sends traces without the log, as any match does', async () => {
    await langsmith.until((runs) => runs.some(({ name, end_time }) => name === 'end' && end_time !== undefined));
    const logs = langsmith.runs().flatMap(({ inputs }) => (inputs as { gameLogs?: unknown } | null)?.gameLogs ?? []);
    expect(logs).toContain('(0 entries, see the record)');
    expect(logs.filter((log) => typeof log !== 'string')).toEqual([]);
  });

  it('plays a match to its end for a form that nobody has filled in, and under a client’s limit of 25 steps', () => {
    const { steps, values } = played.form;
    expect(steps.at(-1)).toBe('end');
    expect(values.winner).not.toBeNull();
  });

  it('deals what a plan names, as the same plan on the command line', async () => {
    const { values } = played.plan;
    const { events } = await playMatch({ ...plan, out: null });
    expect(values.gameLogs).toEqual(events.filter(({ audience }) => audience !== 'moderator'));
  });

  it('plays a set-up given in full', () => {
    const { values } = played.setup;
    expect(values.setup).toEqual(setup);
    expect(values.winner).not.toBeNull();
  });

  it('says what a match starts with, where players or a round are given without a set-up', () => {
    for (const { errors } of [played.players, played.round]) {
      expect(errors.map((error) => error.split(':')[0])).toEqual([
        'A match starts with "plan" (board, rules and seed by name), with "setup" in full or with {}',
      ]);
    }
  });

  it('says what is wrong with the names of a set-up', () => {
    const { errors } = played.names;
    expect(errors).toEqual(['Board "classic-8" cannot be played: it names "Dan" twice.']);
  });

  it('says what is wrong with a plan', () => {
    const { errors } = played.nowhere;
    expect(errors.map((error) => error.split('.')[0])).toEqual(['Unknown board "nowhere"']);
  });
});

/** Two seats ask the models' server; bots play all other seats. */
const context = { werewolves: 'tiny', board: 'classic-8', seed: 4, rule: { debateTurns: 2, maxRounds: 2 } };

/** Sends a body as any program on this machine could. */
async function send(where: string, body: unknown, method = 'POST') {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`http://localhost:${port}${where}`, { method, headers, ...sent });
  return { status: answer.status, text: await answer.text() };
}

describe('a client of the server', () => {
  it('is shown what it may decide, with the names of models', async () => {
    const { context_schema: schema } = await client.assistants.getSchemas('match');
    const fields = getProperties(schema);
    const known = ['model', 'villagers', 'werewolves', 'roles', 'seats', 'board', 'rules', 'rule', 'seed', 'maxCost'];
    expect(Object.keys(fields)).toEqual(known);
    expect(fields['model']).toMatchObject({ enum: ['bot:classic', 'bot:random', 'bot:follows', 'tiny'] });
    expect(schema).not.toHaveProperty('required');
  });

  it('plays language models by an assistant, step by step, and the operator has the record', async () => {
    const assistant = await client.assistants.create({ graphId: 'match', context });
    const { steps, values, errors, thread } = await run({}, { assistant: assistant.assistant_id });
    expect(errors).toEqual([]);
    expect(steps[0]).toBe('start_round');
    expect(steps.at(-1)).toBe('end');
    const { manifest, events, answers, isFinished, seal } = readRecord(path.join(records, thread));
    expect({ isFinished, isSealed: seal !== null }).toEqual({ isFinished: true, isSealed: true });
    expect(manifest.setup).toMatchObject({ seed: 4, rules: { debateTurns: 2, maxRounds: 2 } });
    expect(values.gameLogs).toEqual(events.filter(({ audience }) => audience !== 'moderator'));
    const werewolves = manifest.setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    const asked = answers.filter(({ model }) => model.startsWith('openai:'));
    expect([...new Set(asked.map(({ player }) => player))].sort()).toEqual(werewolves.sort());
    expect(models.requests).toHaveLength(asked.length);
    expect(models.requests[0]!.headers['authorization']).toBe(`Bearer ${key}`);
  });

  it('cannot name a model that is not on the list, nor addresses, keys, prices and folders', async () => {
    const stranger = await openOpenaiServer([{ text: '{}' }]);
    const address = stranger.baseUrl;
    const refused = await Promise.all(
      [
        { model: `openai:gpt-4o?baseUrl=${address}` },
        { seats: { Will: `openai:gpt-4o?baseUrl=${address}&apiKeyEnv=TINY_KEY` } },
        { model: 'tiny', baseUrl: address },
        { model: 'tiny', apiKeyEnv: 'HOME' },
        { model: 'tiny', out: '/tmp' },
        { model: 'tiny', priceIn: 0, priceOut: 0 },
        { roles: { Seer: 'openai:gpt-4o' } },
      ].map((given) => run({}, { context: given })),
    );
    for (const { steps, errors } of refused) {
      expect(steps).toEqual([]);
      expect(errors).toEqual([expect.stringContaining('The context of a run: ')]);
      expect(errors[0]).not.toContain(address);
    }
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  it('cannot give it in the input or as configuration either', async () => {
    const given = [
      run({ baseUrl: models.baseUrl }),
      run({ plan: { out: '/tmp' } }),
      run({}, { config: { configurable: { baseUrl: models.baseUrl } } }),
    ];
    const ended = await Promise.all(given);
    expect(ended.map(({ errors }) => errors[0])).toEqual([
      expect.stringContaining('The input has no field baseUrl.'),
      expect.stringContaining('"plan" has no field out.'),
      expect.stringContaining('baseUrl'),
    ]);
  });

  it('cannot have the server post anywhere: no way to begin a run takes a webhook', async () => {
    let posted = 0;
    const trap = createHttpServer((_request, response) => {
      posted += 1;
      response.end();
    });
    await once(trap.listen(0, '127.0.0.1'), 'listening');
    const { thread_id: thread } = await client.threads.create();
    const asked = { assistant_id: 'match', input: {}, if_not_exists: 'create' };
    const webhooks = [`http://127.0.0.1:${(trap.address() as AddressInfo).port}/`, '/internal/truncate'];
    const ways = ['/runs', '/runs/wait', '/runs/stream'];
    for (const webhook of webhooks) {
      for (const where of [...ways, ...ways.map((way) => `/threads/${thread}${way}`)]) {
        const refused = await send(where, { ...asked, webhook });
        expect([where, refused.status]).toEqual([where, 403]);
        expect(refused.text).toContain('A run cannot name a webhook');
      }
      expect((await send('/runs/batch', [{ ...asked, webhook }])).status).toBe(403);
      for (const where of ['/runs/crons', `/threads/${thread}/runs/crons`])
        expect((await send(where, { ...asked, schedule: '* * * * *', webhook })).status).toBeGreaterThanOrEqual(400);
    }
    const { status } = await send('/runs/wait', { ...asked, input: { plan } });
    expect(status).toBe(200);
    expect(posted).toBe(0);
    trap.close();
  });

  it('cannot have its traces or feedback sent elsewhere in the LangSmith of the operator, nor reach into LangGraph', async () => {
    const { thread_id: thread } = await client.threads.create();
    const asked = { assistant_id: 'match', input: {}, if_not_exists: 'create' };
    const given = [
      { langsmith_tracer: { project_name: 'of-the-client', example_id: thread } },
      { config: { configurable: { langsmith_project: 'of-the-client' } } },
      { config: { configurable: { 'langsmith-trace': 'x', langsmith_example_id: thread } } },
      { config: { configurable: { __pregel_checkpointer: {} } } },
      { feedback_keys: ['liked'] },
    ];
    const ways = ['/runs', '/runs/wait', '/runs/stream'];
    const all = [...ways, ...ways.map((way) => `/threads/${thread}${way}`)];
    for (const one of given) {
      for (const where of all) expect([where, (await send(where, { ...asked, ...one })).status]).toEqual([where, 403]);
      expect((await send('/runs/batch', [{ ...asked, ...one }])).status).toBe(403);
      const { config } = one;
      if (config === undefined) continue;
      expect((await send('/assistants', { graph_id: 'match', config })).status).toBe(403);
      const { assistant_id: own } = await client.assistants.create({ graphId: 'match' });
      expect((await send(`/assistants/${own}`, { config }, 'PATCH')).status).toBe(403);
      const params = { assistant_id: 'match', input: {}, config };
      expect((await send(`/threads/${thread}/commands`, { id: 1, method: 'run.start', params })).status).toBe(403);
    }
    expect(await client.runs.list(thread)).toEqual([]);
    expect(JSON.stringify(langsmith.runs())).not.toContain('of-the-client');
  });

  it('is served assistants, threads and runs, and cannot make the server forget', async () => {
    const all = { runs: true, threads: true, assistants: true, checkpointer: true, store: true };
    const ways = ['/internal/truncate', '/%69nternal/truncate', '/threads/../internal/truncate', '//internal/truncate'];
    for (const where of ways) expect([where, (await send(where, all)).status]).toEqual([where, 403]);
    expect((await send('/store/items', { namespace: ['a'], key: 'b', value: {} }, 'PUT')).status).toBe(403);
    expect((await send('/store/items/search', { namespace_prefix: [] })).status).toBe(403);
    expect((await client.threads.get(played.empty.thread)).thread_id).toBe(played.empty.thread);
  });

  it('cannot change the state of a thread where matches are recorded, but may name and copy it', async () => {
    const { thread } = played.empty;
    const { values: before } = await client.threads.getState<Game>(thread);
    const forged = { winner: 'werewolves', gameLogs: [] };
    const refused = [
      await send(`/threads/${thread}/state`, { values: forged }),
      await send(`/threads/${thread}/state`, { values: forged, as_node: 'end' }),
      await send('/threads', {
        metadata: { graph_id: 'match' },
        supersteps: [{ updates: [{ values: forged, as_node: '__start__' }] }],
      }),
    ];
    for (const { status, text } of refused) {
      expect(status).toBe(403);
      expect(text).toContain('the state of a thread cannot be changed');
    }
    expect((await client.threads.getState<Game>(thread)).values).toEqual(before);
    await client.threads.update(thread, { metadata: { called: 'first' } });
    expect((await client.threads.get(thread)).metadata).toMatchObject({ called: 'first' });
    expect((await send(`/threads/${thread}/copy`, undefined)).status).toBe(200);
  });

  it('cannot change or delete the assistant by whose name everybody plays', async () => {
    const { assistant_id: own } = await client.assistants.get('match');
    const context = { model: 'tiny' };
    for (const id of ['match', own]) {
      expect((await send(`/assistants/${id}`, { context }, 'PATCH')).text).toContain(
        'belongs to the server and cannot be changed',
      );
      expect((await send(`/assistants/${id}`, undefined, 'DELETE')).status).toBe(403);
      expect((await send(`/assistants/${id}/latest`, { version: 1 })).status).toBe(403);
    }
    expect((await client.assistants.get('match')).context).toEqual({});
  });

  it('cannot name a thread whose record would stand outside of the folder', async () => {
    const params = { assistant_id: 'match', input: {} };
    const thread = encodeURIComponent('../outside');
    const before = models.requests.length;
    const { status } = await send(`/threads/${thread}/commands`, { id: 1, method: 'run.start', params });
    expect([200, 400, 403, 404]).toContain(status);
    await run({});
    expect(existsSync(path.join(folder, 'outside'))).toBe(false);
    expect(models.requests.length).toBe(before);
  });

  it('can cancel a match and go on with it on its thread, and nothing is asked twice', async () => {
    const before = models.requests.length;
    const { thread_id: thread } = await client.threads.create();
    const enough = new Promise<void>((tell) => (heard = (count) => count >= before + 12 && tell()));
    let id = '';
    const cut = run({}, { thread, context, onRun: (run) => (id = run) });
    await enough;
    await client.runs.cancel(thread, id, true);
    await cut;
    const { answers, isFinished } = readRecord(path.join(records, thread));
    expect(isFinished).toBe(false);
    const kept = answers.filter(({ model }) => model.startsWith('openai:')).length;
    expect(kept).toBeGreaterThan(0);
    const sent = models.requests.length;

    const { errors, steps, values } = await run(null, { thread, context });
    expect(errors).toEqual([]);
    expect(steps.at(-1)).toBe('end');
    const record = readRecord(path.join(records, thread));
    expect(record.isFinished).toBe(true);
    expect(values.gameLogs).toEqual(record.events.filter(({ audience }) => audience !== 'moderator'));
    const asked = record.answers.filter(({ model }) => model.startsWith('openai:')).length;
    expect(models.requests.length - sent).toBe(asked - kept);
  });
});
