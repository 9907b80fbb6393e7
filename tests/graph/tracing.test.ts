// Traces for LangSmith, against a local server: one trace a match, and small.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pLimit from 'p-limit';
import { playMatch, replayMatch, type PlayOptions } from '../../graph/play-match.ts';
import { langsmithServer, type LangSmithServer, type TracedRun } from '../langsmith-server.ts';
import { systemClock } from '../../models/transport.ts';
import { boardOf } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hurriedClock, patientClock } from '../test-clock.ts';
import { quiet } from '../waves.ts';

let langsmith: LangSmithServer;
const before = { ...process.env };
const out = temporaryFolder();
const short = { maxRounds: 1, debateTurns: 1 };
/** Six players who analyse nothing: for what does not depend on who is asked what. */
const small = { board: boardOf(1, 1, 1, 3), rules: 'arena', rule: short };

beforeAll(async () => {
  langsmith = await langsmithServer();
  Object.assign(process.env, {
    LANGSMITH_TRACING: 'true',
    LANGSMITH_ENDPOINT: langsmith.url,
    LANGSMITH_API_KEY: 'local',
  });
});
afterEach(() => langsmith.forget());
afterAll(() => {
  process.env = before;
  langsmith.close();
});

const metadataOf = ({ extra }: TracedRun) => extra.metadata;
const calls = (runs: readonly TracedRun[]) => runs.filter(({ run_type }) => run_type === 'llm');

describe('a traced match', () => {
  let runs: TracedRun[];
  let played: Awaited<ReturnType<typeof playMatch>>;
  beforeAll(async () => {
    played = await playMatch({ out: null, seed: 3, rule: short, clock: patientClock });
    runs = langsmith.runs();
    langsmith.forget();
  });

  it('is one trace named after the match, which ends with it', () => {
    const { id } = played;
    const roots = runs.filter(({ parent_run_id }) => parent_run_id === undefined);
    expect(roots.map(({ name }) => name)).toEqual([id]);
    expect(new Set(runs.map(({ trace_id }) => trace_id))).toEqual(new Set([roots[0]!.id]));
    expect(runs.filter(({ end_time }) => end_time === undefined)).toEqual([]);
  });

  it('says in tags and metadata which match it is, and of each call who was asked for what and when', () => {
    const { id, events } = played;
    const match = { match: id, board: 'classic-8', rules: 'preset wolf with debateTurns=1, maxRounds=1', seed: 3 };
    for (const run of runs) expect(metadataOf(run)).toMatchObject(match);
    const root = runs.find(({ name }) => name === id)!;
    expect(root.tags).toEqual(expect.arrayContaining(['wolfgraph', 'classic-8']));
    const statement = events.find(({ type }) => type === 'statement') as { by: string };
    const dealt = events.find((event) => event.type === 'dealt' && event.player === statement.by) as { role: string };
    const call = calls(runs).find(({ name }) => name === `debate ${statement.by}`)!;
    expect(metadataOf(call)).toMatchObject({ seat: statement.by, role: dealt.role, action: 'debate', round: 1 });
    expect(call.tags).toEqual(expect.arrayContaining(['debate', statement.by]));
    const told = ['seat', 'role', 'action', 'round', 'turn'];
    expect(calls(runs).flatMap((run) => told.filter((key) => metadataOf(run)[key] === undefined))).toEqual([]);
  });

  it('holds the nodes in the match, and in each node the calls it makes, nothing else', () => {
    const { id } = played;
    const parentOf = ({ parent_run_id }: TracedRun) => runs.find((run) => run.id === parent_run_id)?.name;
    const nodes = runs.filter((run) => parentOf(run) === id);
    expect(new Set(nodes.map(({ run_type }) => run_type))).toEqual(new Set(['chain']));
    expect(runs.length).toBe(1 + nodes.length + calls(runs).length);
    for (const call of calls(runs))
      expect(metadataOf(call)['action']).toMatch(new RegExp(`^(ballot_)?${parentOf(call) ?? ''}$`));
  });

  it('is sent without the channels that grow with it, and in little more than twice the bytes of its prompts', async () => {
    const { folder } = await playMatch({ out, seed: 3, clock: patientClock });
    const nodes = langsmith.runs().filter(({ run_type }) => run_type === 'chain');
    const values = nodes.flatMap(({ inputs, outputs }) => [inputs, outputs] as ({ gameLogs?: string } | undefined)[]);
    const logs = values.flatMap((value) => value?.gameLogs ?? []);
    expect(logs.length).toBeGreaterThan(100);
    expect(logs.filter((log) => !/^\(\d+ entries, see the record\)$/.test(log))).toEqual([]);
    const prompts = gunzipSync(readFileSync(path.join(folder!, 'prompts.ndjson.gz')));
    expect(langsmith.bytes()).toBeLessThan(2 * prompts.length + 1_000_000);
  });

  it('keeps to its own trace beside other matches, with which it shares a limit of calls', async () => {
    const limit = pLimit(2);
    const played = await Promise.all(
      [1, 2, 3].map((seed) => playMatch({ ...small, out: null, seed, concurrency: limit, clock: patientClock })),
    );
    const traces = Map.groupBy(langsmith.runs(), ({ trace_id }) => trace_id);
    expect(traces.size).toBe(3);
    for (const { id, summary } of played) {
      const runs = [...traces.values()].find((trace) => trace.some(({ name }) => name === id))!;
      expect(new Set(runs.map((run) => metadataOf(run)['match']))).toEqual(new Set([id]));
      expect(calls(runs).length).toBe(summary.model_calls.total.calls);
    }
  });

  it('is not traced again when it is replayed or only read', async () => {
    const plan = { ...small, out, id: 'once', seed: 4 };
    const { folder } = await playMatch(plan);
    langsmith.forget();
    await replayMatch(folder!);
    await playMatch(plan);
    expect(langsmith.requests).toEqual([]);
  });
});

describe('a LangSmith out of reach', () => {
  /** Waits before another try are short, and where none is answered the last wait too. */
  const [brisk, hurried] = [hurriedClock({ alarms: false }), hurriedClock({ alarms: true })];
  const playUnheard = async (id: string, { clock = brisk, ...plan }: PlayOptions = {}) => {
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const { folder } = await playMatch({ ...small, out, id, onWarning, clock, ...plan });
    const recorded = statSync(path.join(folder!, 'deception_summary.json')).mtimeMs;
    return { warnings, delay: Date.now() - recorded };
  };
  const warning = 'LangSmith did not take all traces in time; the record is whole.';

  it('does not keep a match from its end, and is warned of once', async () => {
    process.env['LANGSMITH_ENDPOINT'] = 'http://127.0.0.1:9';
    const { warnings } = await playUnheard('refused').finally(
      () => (process.env['LANGSMITH_ENDPOINT'] = langsmith.url),
    );
    expect(warnings).toEqual([warning]);
  });

  it('that takes every request and answers none does not hold up a match for long after its record is whole', async () => {
    for (const route of ['/info', '/runs/multipart', '/sessions', '/feedback']) langsmith.moods[route] = () => 'never';
    const { warnings, delay } = await playUnheard('hanging', { clock: hurried });
    expect(warnings).toEqual([warning]);
    expect(delay).toBeLessThan(4000); // a twentieth of five seconds, and some for a busy machine
  });

  it('holds up nobody who interrupts while a match waits for it, and the match has been played', async () => {
    const stop = new AbortController();
    langsmith.moods['/sessions'] = () => {
      stop.abort(new Error('Enough.'));
      return 'never';
    };
    const { warnings, delay } = await playUnheard('impatient', { clock: systemClock, signal: stop.signal });
    expect(warnings).toEqual([warning]);
    expect(delay).toBeLessThan(4000); // the five seconds have not passed
  });

  it('that begins an answer and does not end it is as good as silent, and its client says nothing of its own', async () => {
    const said = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    langsmith.moods['/info'] = () => 'half';
    const { warnings } = await playUnheard('half', { clock: hurried });
    await quiet(() => said.mock.calls.length);
    expect(warnings).toEqual([warning]);
    expect(said.mock.calls).toEqual([]);
    said.mockRestore();
  });

  it('that refuses the key is asked once, and said to', async () => {
    langsmith.moods['/runs/multipart'] = () => ({ status: 401, body: { detail: 'Invalid token' } });
    const { warnings } = await playUnheard('wrong-key');
    expect(warnings).toEqual([
      'LangSmith refused the traces with status 401: check LANGSMITH_API_KEY; the record is whole.',
    ]);
    expect(langsmith.requests.filter((request) => request.includes('/runs/multipart')).length).toBeLessThanOrEqual(2);
  });

  it('at whose address somebody else answers is told with what was answered, once and without the key', async () => {
    const said = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    process.env['LANGSMITH_API_KEY'] = 'house-key-7391';
    const page = `<html>\n  Log in, "house-key-7391" ${'or else '.repeat(1000)}`;
    for (const route of ['/info', '/runs/multipart', '/sessions', '/feedback'])
      langsmith.moods[route] = () => ({ status: 200, page });
    const { warnings } = await playUnheard('portal').finally(() => (process.env['LANGSMITH_API_KEY'] = 'local'));
    expect(warnings).toEqual([
      `What answered at ${langsmith.url} is not LangSmith: "<html> Log in, '[redacted]' or else or else or else or else …". Check LANGSMITH_ENDPOINT; the record is whole.`,
    ]);
    expect(said.mock.calls).toEqual([]);
    said.mockRestore();
  });

  it.each(['', 'It works!'])('that says of itself no JSON but "%s" is not taken for LangSmith', async (page) => {
    const said = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    langsmith.moods['/info'] = () => ({ status: 200, page });
    const { warnings } = await playUnheard(`says-${page.length}`);
    expect(warnings).toEqual([
      `What answered at ${langsmith.url} is not LangSmith: "${page}". Check LANGSMITH_ENDPOINT; the record is whole.`,
    ]);
    expect(said.mock.calls).toEqual([]);
    said.mockRestore();
  });

  it('whose address is not found is told so', async () => {
    for (const route of ['/info', '/runs/multipart', '/sessions', '/feedback'])
      langsmith.moods[route] = () => ({ status: 404 });
    const { warnings } = await playUnheard('not-found');
    expect(warnings).toEqual([
      'LangSmith refused the traces with status 404: check LANGSMITH_ENDPOINT; the record is whole.',
    ]);
  });

  it('that answers what its client does not read with no JSON has taken the traces', async () => {
    for (const route of ['/runs/multipart', '/feedback']) langsmith.moods[route] = () => ({ status: 202, page: 'ok' });
    const { warnings } = await playUnheard('laconic', { clock: patientClock });
    expect(warnings).toEqual([]);
  });

  it('that fails each time is told with the status', async () => {
    langsmith.moods['/runs/multipart'] = () => ({ status: 503 });
    const { warnings } = await playUnheard('down');
    expect(warnings).toEqual(['LangSmith refused the traces with status 503; the record is whole.']);
  });

  it('is tried again after a failure', async () => {
    langsmith.moods['/runs/multipart'] = (asked) => ({ status: asked === 1 ? 503 : 202 });
    const { warnings } = await playUnheard('failing', { clock: patientClock });
    expect(warnings).toEqual([]);
    expect(langsmith.runs().filter(({ parent_run_id }) => parent_run_id === undefined).length).toBe(1);
  });
});
