// Traces for LangSmith, on a local server: one trace per match, its feedback, what the user hides, and no keys in it.
// All tests are in one file because they share the server and its environment.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { playMatch, type PlayOptions, replayMatch } from '../../graph/play-match.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { openLangsmithServer, type LangSmithServer, projectId, type TracedRun } from '../langsmith-server.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';
import { seatPeople } from '../people.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createHurriedClock, patientClock } from '../test-clock.ts';
import { waitUntilQuiet } from '../waves.ts';

let langsmith: LangSmithServer;
const before = { ...process.env };
const out = createTemporaryFolder();
const short = { maxRounds: 1, debateTurns: 1 };
/** Six players without analyses, for tests that need only a short match. */
const small = { board: createBoard(1, 1, 1, 3), rules: 'arena', rule: short };

const getMetadata = ({ extra }: TracedRun) => extra.metadata;
const selectCalls = (runs: readonly TracedRun[]) => runs.filter(({ run_type }) => run_type === 'llm');

describe('the traces of a match', () => {
  beforeAll(async () => {
    langsmith = await openLangsmithServer();
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

  it('is not there while people play, unless the operator asks for it', async () => {
    const plan = {
      ...small,
      board: createBoard(1, 0, 0, 3),
      rule: { ...short, analysis: 'off' },
      seats: { Ginger: 'human:alice' },
      out,
    };
    await playMatch({ ...plan, id: 'with-people', people: seatPeople() });
    expect([langsmith.requests, langsmith.bytes()]).toEqual([[], 0]);
    await playMatch({ ...plan, id: 'with-operator', people: seatPeople(), operator: true });
    expect(langsmith.runs().map(({ name }) => name)).toContain('with-operator');
  });

  describe('a traced match', () => {
    let runs: TracedRun[];
    let bytes: number;
    let played: Awaited<ReturnType<typeof playMatch>>;
    beforeAll(async () => {
      played = await playMatch({ out, seed: 3, rules: 'wolf@1', rule: short, clock: patientClock });
      runs = langsmith.runs();
      bytes = langsmith.bytes();
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
      const match = { match: id, board: 'classic-8', rules: 'preset wolf@1 with debateTurns=1, maxRounds=1', seed: 3 };
      for (const run of runs) expect(getMetadata(run)).toMatchObject(match);
      const root = runs.find(({ name }) => name === id)!;
      expect(root.tags).toEqual(expect.arrayContaining(['wolfgraph', 'classic-8']));
      const statement = events.find(({ type }) => type === 'statement') as { by: string };
      const dealt = events.find((event) => event.type === 'dealt' && event.player === statement.by) as { role: string };
      const call = selectCalls(runs).find(({ name }) => name === `debate ${statement.by}`)!;
      expect(getMetadata(call)).toMatchObject({ seat: statement.by, role: dealt.role, action: 'debate', round: 1 });
      expect(call.tags).toEqual(expect.arrayContaining(['debate', statement.by]));
      const told = ['seat', 'role', 'action', 'round', 'turn'];
      expect(selectCalls(runs).flatMap((run) => told.filter((key) => getMetadata(run)[key] === undefined))).toEqual([]);
    });

    it('holds the nodes in the match, and in each node the calls it makes, nothing else', () => {
      const { id } = played;
      const parentOf = ({ parent_run_id }: TracedRun) => runs.find((run) => run.id === parent_run_id)?.name;
      const nodes = runs.filter((run) => parentOf(run) === id);
      expect(new Set(nodes.map(({ run_type }) => run_type))).toEqual(new Set(['chain']));
      expect(runs.length).toBe(1 + nodes.length + selectCalls(runs).length);
      for (const call of selectCalls(runs))
        expect(getMetadata(call)['action']).toMatch(new RegExp(`^(ballot_)?${parentOf(call) ?? ''}$`));
    });

    it('is sent without the channels that grow with it, and in little more than twice the bytes of its prompts', () => {
      const nodes = runs.filter(({ run_type }) => run_type === 'chain');
      const values = nodes.flatMap(({ inputs, outputs }) => [inputs, outputs] as ({ gameLogs?: string } | undefined)[]);
      const logs = values.flatMap((value) => value?.gameLogs ?? []);
      expect(logs.length).toBeGreaterThan(30);
      expect(logs.filter((log) => !/^\(\d+ entries, see the record\)$/.test(log))).toEqual([]);
      const prompts = gunzipSync(readFileSync(path.join(played.folder!, 'prompts.ndjson.gz')));
      expect(bytes).toBeLessThan(2 * prompts.length + 50_000);
    });

    it('keeps to its own trace beside other matches, with which it shares a limit of calls', async () => {
      const played = await Promise.all(
        [1, 2].map((seed) => playMatch({ ...small, out: null, seed, concurrency: 2, clock: patientClock })),
      );
      const traces = Map.groupBy(langsmith.runs(), ({ trace_id }) => trace_id);
      expect(traces.size).toBe(2);
      for (const { id, summary } of played) {
        const runs = [...traces.values()].find((trace) => trace.some(({ name }) => name === id))!;
        expect(new Set(runs.map((run) => getMetadata(run)['match']))).toEqual(new Set([id]));
        expect(selectCalls(runs).length).toBe(summary.model_calls.total.calls);
      }
    });

    it('is sent at its end, without the time for which the client gathers what may follow', async () => {
      const gathering = { ms: 250, times: 0, isOver: false };
      const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...given: unknown[]) => {
        const isGathering = ms === gathering.ms;
        if (isGathering) gathering.times += 1;
        const ring = () => {
          gathering.isOver ||= isGathering;
          Reflect.apply(run, undefined, given);
        };
        return wait(ring, isGathering ? 5000 : ms);
      });
      const plan = { ...small, out: null, seed: 6, clock: patientClock };
      const { id } = await playMatch(plan).finally(() => timers.mockRestore());
      expect(gathering.times).toBeGreaterThan(0);
      expect(gathering.isOver).toBe(false);
      expect(langsmith.runs().find(({ name }) => name === id)?.end_time).toBeDefined();
    });

    describe('of which the user hides parts by variables of LangSmith', () => {
      const playHidden = async (...names: string[]) => {
        const hidden = Object.fromEntries(names.map((name) => [name, 'true']));
        const env = { ...process.env, ...hidden };
        const { events } = await playMatch({ ...small, out: null, seed: 4, env, clock: patientClock });
        const spoken = events.flatMap((event) => (event.type === 'statement' ? [event.text] : []));
        return { spoken, runs: langsmith.runs(), sent: langsmith.sent() };
      };
      const hasWords = (values: readonly unknown[]) => values.some((value) => JSON.stringify(value ?? {}).length > 2);

      it.each(['LANGSMITH', 'LANGCHAIN'])(
        'sends no prompt, no answer and no statement where %s_ hides all',
        async (vendor) => {
          const { spoken, runs, sent } = await playHidden(
            ...['INPUTS', 'OUTPUTS', 'METADATA'].map((what) => `${vendor}_HIDE_${what}`),
          );
          expect(spoken.length).toBeGreaterThan(0);
          expect(spoken.filter((text) => sent.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
          expect(sent).not.toContain('Werewol');
          expect(hasWords(runs.flatMap(({ inputs, outputs }) => [inputs, outputs]))).toBe(false);
          expect(runs.flatMap((run) => getMetadata(run)?.['role'] ?? [])).toEqual([]);
          expect(selectCalls(runs).length).toBeGreaterThan(10);
        },
      );

      it('hides only what they name', async () => {
        const { runs } = await playHidden('LANGSMITH_HIDE_INPUTS');
        const calls = selectCalls(runs);
        expect(hasWords(runs.map(({ inputs }) => inputs))).toBe(false);
        expect(calls.filter(({ outputs }) => !hasWords([outputs]))).toEqual([]);
        expect(calls.filter((run) => getMetadata(run)['role'] === undefined)).toEqual([]);
      });

      it('hides errors with outputs, because an error can quote an answer', async () => {
        const server = await openOpenaiServer(() => ({ status: 401, body: failure('You said: I am a Werewolf') }));
        const env = { ...process.env, LANGSMITH_HIDE_OUTPUTS: 'true', OPENAI_API_KEY: 'k' };
        const model = `openai:tiny?baseUrl=${server.baseUrl}`;
        const played = playMatch({ ...small, out: null, seed: 4, model, env, clock: patientClock });
        await expect(played.finally(() => server.close())).rejects.toThrow('I am a Werewolf');
        expect(langsmith.sent()).toContain('(hidden)');
        expect(langsmith.sent()).not.toContain('You said');
      });
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
    /** Clocks that shorten waits before retries. `hurried` also shortens the wait after the last attempt. */
    const [brisk, hurried] = [createHurriedClock({ alarms: false }), createHurriedClock({ alarms: true })];
    const playUnheard = async (id: string, { clock = brisk, ...plan }: PlayOptions = {}) => {
      const warnings: string[] = [];
      const onWarning = (message: string) => void warnings.push(message);
      const { folder } = await playMatch({ ...small, out, id, onWarning, clock, ...plan });
      const recorded = statSync(path.join(folder!, 'deception_summary.json')).mtimeMs;
      return { warnings, delay: Date.now() - recorded };
    };
    const warning = 'LangSmith did not accept all traces in time; the record is complete.';

    it('does not keep a match from its end, and is warned of once', async () => {
      process.env['LANGSMITH_ENDPOINT'] = 'http://127.0.0.1:9';
      const { warnings } = await playUnheard('refused').finally(
        () => (process.env['LANGSMITH_ENDPOINT'] = langsmith.url),
      );
      expect(warnings).toEqual([warning]);
    });

    it('that takes every request and answers none does not hold up a match for long after its record is whole', async () => {
      for (const route of ['/info', '/runs/multipart', '/sessions', '/feedback'])
        langsmith.moods[route] = () => 'never';
      const { warnings, delay } = await playUnheard('hanging', { clock: hurried });
      expect(warnings).toEqual([warning]);
      expect(delay).toBeLessThan(4000); // a twentieth of five seconds, plus time for a busy machine
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
      await waitUntilQuiet(() => said.mock.calls.length);
      expect(warnings).toEqual([warning]);
      expect(said.mock.calls).toEqual([]);
      said.mockRestore();
    });

    it('that refuses the key is asked once, and said to', async () => {
      langsmith.moods['/runs/multipart'] = () => ({ status: 401, body: { detail: 'Invalid token' } });
      const { warnings } = await playUnheard('wrong-key');
      expect(warnings).toEqual([
        'LangSmith refused the traces with status 401: check LANGSMITH_API_KEY; the record is complete.',
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
        `What answered at ${langsmith.url} is not LangSmith: "<html> Log in, '[redacted]' or else or else or else or else …". Check LANGSMITH_ENDPOINT; the record is complete.`,
      ]);
      expect(said.mock.calls).toEqual([]);
      said.mockRestore();
    });

    it.each(['', 'It works!'])('that says of itself no JSON but "%s" is not taken for LangSmith', async (page) => {
      const said = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      langsmith.moods['/info'] = () => ({ status: 200, page });
      const { warnings } = await playUnheard(`says-${page.length}`);
      expect(warnings).toEqual([
        `What answered at ${langsmith.url} is not LangSmith: "${page}". Check LANGSMITH_ENDPOINT; the record is complete.`,
      ]);
      expect(said.mock.calls).toEqual([]);
      said.mockRestore();
    });

    it('whose address is not found is told so', async () => {
      for (const route of ['/info', '/runs/multipart', '/sessions', '/feedback'])
        langsmith.moods[route] = () => ({ status: 404 });
      const { warnings } = await playUnheard('not-found');
      expect(warnings).toEqual([
        'LangSmith refused the traces with status 404: check LANGSMITH_ENDPOINT; the record is complete.',
      ]);
    });

    it('that answers what its client does not read with no JSON has taken the traces', async () => {
      for (const route of ['/runs/multipart', '/feedback'])
        langsmith.moods[route] = () => ({ status: 202, page: 'ok' });
      const { warnings } = await playUnheard('laconic', { clock: patientClock });
      expect(warnings).toEqual([]);
    });

    it('that fails each time is told with the status', async () => {
      langsmith.moods['/runs/multipart'] = () => ({ status: 503 });
      const { warnings } = await playUnheard('down');
      expect(warnings).toEqual(['LangSmith refused the traces with status 503; the record is complete.']);
    });

    it('is tried again after a failure', async () => {
      langsmith.moods['/runs/multipart'] = (asked) => ({ status: asked === 1 ? 503 : 202 });
      const { warnings } = await playUnheard('failing', { clock: patientClock });
      expect(warnings).toEqual([]);
      expect(langsmith.runs().filter(({ parent_run_id }) => parent_run_id === undefined).length).toBe(1);
    });
  });
});

// Feedback on the trace of a finished match, sent to a local server in place of LangSmith.

let feedbackServer: LangSmithServer;
const feedbackEnvironment = { ...process.env };
const feedbackOut = createTemporaryFolder();
const oneShortRound = { maxRounds: 1, debateTurns: 1 };
const smallMatch = { board: createBoard(1, 1, 1, 3), rules: 'arena', rule: oneShortRound };

const keyed = { ...process.env, LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'local' };
const readFeedback = () =>
  Object.fromEntries(feedbackServer.feedback.map(({ key, score, value }) => [key, score ?? value]));

describe('feedback to a trace', () => {
  beforeAll(async () => {
    feedbackServer = await openLangsmithServer();
    Object.assign(process.env, { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: feedbackServer.url });
  });
  afterEach(() => feedbackServer.forget());
  afterAll(() => {
    process.env = feedbackEnvironment;
    feedbackServer.close();
  });

  describe('a traced match with an API key', () => {
    it('gets feedback to its root: the winner, deception told and detected by side, and the fallback rate', async () => {
      const decided = { debateTurns: 2, exile: 'plurality', exileTies: 'random' };
      const plan = { board: createBoard(1, 1, 1, 3), rules: 'wolf@1', rule: decided, model: 'bot:random', seed: 3 };
      const { id, summary } = await playMatch({ ...plan, out: null, env: keyed, clock: patientClock });
      expect(summary.winner).not.toBeNull();
      const root = feedbackServer.runs().find(({ name }) => name === id)!;
      const told = readFeedback();
      expect(new Set(feedbackServer.feedback.map(({ run_id }) => run_id))).toEqual(new Set([root.id]));
      expect(new Set(feedbackServer.feedback.map(({ session_id }) => session_id))).toEqual(new Set([projectId]));
      expect(Object.keys(told).sort()).toEqual([
        'detected_deception_villagers_ballot',
        'detected_deception_villagers_debate',
        'detected_deception_werewolves_ballot',
        'detected_deception_werewolves_debate',
        'fallback_rate',
        'self_reported_deception_villagers_ballot',
        'self_reported_deception_villagers_debate',
        'self_reported_deception_werewolves_ballot',
        'self_reported_deception_werewolves_debate',
        'winner',
      ]);
      const pack = Object.values(summary.players).filter(({ team }) => team === 'werewolves');
      const flags = pack.reduce((total, player) => total + player.peer_detected_deceptions.debate, 0);
      const heard = pack.reduce((total, player) => total + player.peer_analyses.debate, 0);
      expect(told['winner']).toBe(summary.winner);
      expect(told['detected_deception_werewolves_debate']).toBeCloseTo(flags / heard, 3); // LangSmith accepts four decimals
      expect(told['fallback_rate']).toBe(0);
    });

    it('gets no figure that has nothing to divide by, and is told that nobody won where nobody did', async () => {
      await playMatch({
        out: null,
        seed: 3,
        rules: 'arena',
        rule: oneShortRound,
        env: keyed,
        clock: patientClock,
      });
      expect(readFeedback()).toEqual({ winner: 'nobody', fallback_rate: 0 });
    });

    it('gets it once, when it has been played to its end', async () => {
      const plan = {
        ...smallMatch,
        out: feedbackOut,
        id: 'stopped',
        seed: 5,
        env: keyed,
        clock: patientClock,
      };
      const stop = new AbortController();
      const interrupted = playMatch({ ...plan, signal: stop.signal, onCalls: () => stop.abort(new Error('Enough.')) });
      await expect(interrupted).rejects.toThrow('Enough.');
      expect(feedbackServer.feedback).toEqual([]);
      await playMatch(plan);
      expect(feedbackServer.feedback.filter(({ key }) => key === 'winner').length).toBe(1);
      feedbackServer.forget();
      await playMatch(plan);
      expect(feedbackServer.feedback).toEqual([]);
    });

    it('gets it in a project that is new, and to a run that is not stored yet', async () => {
      feedbackServer.moods['/sessions'] = (asked) => ({
        status: 200,
        body: asked === 1 ? [] : { id: projectId },
      });
      feedbackServer.moods['/feedback'] = (asked) => ({ status: asked <= 4 ? 404 : 200 });
      const warnings: string[] = [];
      const clock = patientClock;
      await playMatch({
        ...smallMatch,
        out: null,
        env: keyed,
        clock,
        onWarning: (message) => warnings.push(message),
      });
      expect(warnings).toEqual([]);
      expect(feedbackServer.requests).toContain('POST /sessions?upsert=true');
      expect(readFeedback()).toHaveProperty('winner');
    });

    it('is played to its end where the answers are none of LangSmith’s', async () => {
      feedbackServer.moods['/sessions'] = () => ({ status: 200, body: 'Welcome!' });
      const warnings: string[] = [];
      const clock = createHurriedClock({ alarms: true });
      await playMatch({
        ...smallMatch,
        out: null,
        env: keyed,
        clock,
        onWarning: (message) => warnings.push(message),
      });
      expect(warnings).toEqual(['LangSmith did not accept all traces in time; the record is complete.']);
    });
  });

  describe('a traced match without an API key', () => {
    it('gets none', async () => {
      await playMatch({ ...smallMatch, out: null, clock: patientClock });
      expect(feedbackServer.runs().length).toBeGreaterThan(0);
      expect(feedbackServer.feedback).toEqual([]);
    });
  });
});

// Keys in traces: a server repeats the key that it was sent, and LangSmith must not receive it.

let secretsServer: LangSmithServer;
let server: OpenAIServer | undefined;
const secretsEnvironment = { ...process.env };
const traced = { LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'local' };

/** A key that has no known form and includes characters that JSON escapes. */
const key = 'house"key\\7391';
/** A key of a known form that is in no variable. */
const strange = 'sk-ABCDEFGHIJKLMNOP1234';

/** Plays a match whose server gives this response. */
async function playAt(scripted: (legal: Record<string, unknown>) => Scripted, board = createBoard(1, 1, 1, 3)) {
  server = await openOpenaiServer((request) => scripted(createLegalAnswer(readQuestion(request.body.messages))));
  return play({
    board,
    rules: 'arena',
    rule: { debateTurns: 1, maxRounds: 1 },
    seed: 4,
    model: `openai:tiny?baseUrl=${server.baseUrl}`,
    env: { ...traced, OPENAI_API_KEY: key },
    clock: patientClock,
  });
}

/** Expects that no trace contains the key in plain text, or escaped once or twice as JSON. */
const expectNoKey = () => {
  const sent = secretsServer.sent();
  const once = JSON.stringify(key).slice(1, -1);
  for (const form of [key, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(key), strange])
    expect(sent).not.toContain(form);
  expect(sent).toContain('[redacted]');
};

describe('keys in traces', () => {
  beforeAll(async () => {
    secretsServer = await openLangsmithServer();
    Object.assign(process.env, { ...traced, LANGSMITH_ENDPOINT: secretsServer.url });
  });
  afterEach(async () => {
    secretsServer.forget();
    await server?.close();
    server = undefined;
  });
  afterAll(() => {
    process.env = secretsEnvironment;
    secretsServer.close();
  });

  describe('a server that repeats the key', () => {
    const answerEverywhere = (legal: Record<string, unknown>): Scripted => ({
      text: `${JSON.stringify({ ...legal, reasoning: `I was given ${key} and ${strange}?key=${key}.` })}`,
      reasoning_content: `The key ${key} it is.`,
      finish: `stop ${key}`,
      usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25, [key]: key },
    });

    it.each(['as they are', 'compressed'])('in its answers tells it to no trace, sent %s', async (form) => {
      const flags = { instance_flags: { gzip_body_enabled: form === 'compressed' } };
      const limits = { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 20_971_520 };
      secretsServer.moods['/info'] = () => ({ status: 200, body: { batch_ingest_config: limits, ...flags } });
      await playAt(answerEverywhere);
      expect(secretsServer.runs().some(({ run_type }) => run_type === 'llm')).toBe(true);
      expectNoKey();
    });

    it('in its name, fingerprint and everything else it says of an answer tells it to no trace', async () => {
      await playAt((legal) => ({
        body: {
          id: key,
          object: 'chat.completion',
          created: 1,
          model: `tiny ${key}`,
          system_fingerprint: key,
          choices: [
            { index: 0, message: { role: 'assistant', content: JSON.stringify(legal) }, finish_reason: 'stop' },
          ],
        },
      }));
      expectNoKey();
    });

    it('as it refuses it tells it to no trace', async () => {
      const match = playAt(() => ({ status: 401, body: failure(`Incorrect key: ${key}, not ${strange}.`) }));
      await expect(match).rejects.toThrow('Incorrect key: [redacted], not [redacted].');
      expectNoKey();
    });

    it('is sent over the same line where OpenTelemetry is asked for', async () => {
      process.env['LANGSMITH_TRACING_MODE'] = 'otel';
      try {
        await playAt(answerEverywhere);
      } finally {
        delete process.env['LANGSMITH_TRACING_MODE'];
      }
      expectNoKey();
    });
  });

  it('a key in the name of a board, which stands in names, tags and metadata, is in no trace', async () => {
    const board = { ...createBoard(1, 1, 1, 3), name: strange.toLowerCase() };
    await playAt((legal) => ({ text: JSON.stringify(legal) }), board);
    expect(secretsServer.runs().some(({ run_type }) => run_type === 'llm')).toBe(true);
    expect(secretsServer.sent()).not.toContain(board.name);
    expectNoKey();
  });
});
