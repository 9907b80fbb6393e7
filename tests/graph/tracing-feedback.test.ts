// Feedback to the trace of a finished match, against a local server that stands where LangSmith does.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { langsmithServer, projectId, type LangSmithServer } from '../langsmith-server.ts';
import { boardOf } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hurriedClock, patientClock } from '../test-clock.ts';

let langsmith: LangSmithServer;
const before = { ...process.env };
const out = temporaryFolder();
const short = { maxRounds: 1, debateTurns: 1 };
const small = { board: boardOf(1, 1, 1, 3), rules: 'arena', rule: short };

beforeAll(async () => {
  langsmith = await langsmithServer();
  Object.assign(process.env, { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: langsmith.url });
});
afterEach(() => langsmith.forget());
afterAll(() => {
  process.env = before;
  langsmith.close();
});

const keyed = { ...process.env, LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'local' };
const given = () => Object.fromEntries(langsmith.feedback.map(({ key, score, value }) => [key, score ?? value]));

describe('a traced match with an API key', () => {
  it('gets feedback to its root: the winner, deception told and detected by side, and the fallback rate', async () => {
    const decided = { debateTurns: 4, exile: 'plurality', exileTies: 'random' };
    const plan = { board: boardOf(1, 1, 1, 3), rule: decided, model: 'bot:random', seed: 3 };
    const { id, summary } = await playMatch({ ...plan, out: null, env: keyed, clock: patientClock });
    expect(summary.winner).not.toBeNull();
    const root = langsmith.runs().find(({ name }) => name === id)!;
    const told = given();
    expect(new Set(langsmith.feedback.map(({ run_id }) => run_id))).toEqual(new Set([root.id]));
    expect(new Set(langsmith.feedback.map(({ session_id }) => session_id))).toEqual(new Set([projectId]));
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
    expect(told['detected_deception_werewolves_debate']).toBeCloseTo(flags / heard, 3); // LangSmith takes four decimals
    expect(told['fallback_rate']).toBe(0);
  });

  it('gets no figure that has nothing to divide by, and is told that nobody won where nobody did', async () => {
    await playMatch({ out: null, seed: 3, rules: 'arena', rule: short, env: keyed, clock: patientClock });
    expect(given()).toEqual({ winner: 'nobody', fallback_rate: 0 });
  });

  it('gets it once, when it has been played to its end', async () => {
    const plan = { ...small, out, id: 'stopped', seed: 5, env: keyed, clock: patientClock };
    const stop = new AbortController();
    const interrupted = playMatch({ ...plan, signal: stop.signal, onCalls: () => stop.abort(new Error('Enough.')) });
    await expect(interrupted).rejects.toThrow('Enough.');
    expect(langsmith.feedback).toEqual([]);
    await playMatch(plan);
    expect(langsmith.feedback.filter(({ key }) => key === 'winner').length).toBe(1);
    langsmith.forget();
    await playMatch(plan);
    expect(langsmith.feedback).toEqual([]);
  });

  it('gets it in a project that is new, and to a run that is not stored yet', async () => {
    langsmith.moods['/sessions'] = (asked) => ({ status: 200, body: asked === 1 ? [] : { id: projectId } });
    langsmith.moods['/feedback'] = (asked) => ({ status: asked <= 4 ? 404 : 200 });
    const warnings: string[] = [];
    const clock = patientClock;
    await playMatch({ ...small, out: null, env: keyed, clock, onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([]);
    expect(langsmith.requests).toContain('POST /sessions?upsert=true');
    expect(given()).toHaveProperty('winner');
  });

  it('is played to its end where the answers are none of LangSmith’s', async () => {
    langsmith.moods['/sessions'] = () => ({ status: 200, body: 'Welcome!' });
    const warnings: string[] = [];
    const clock = hurriedClock({ alarms: true });
    await playMatch({ ...small, out: null, env: keyed, clock, onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual(['LangSmith did not take all traces in time; the record is whole.']);
  });
});

describe('a traced match without an API key', () => {
  it('gets none', async () => {
    await playMatch({ ...small, out: null, clock: patientClock });
    expect(langsmith.runs().length).toBeGreaterThan(0);
    expect(langsmith.feedback).toEqual([]);
  });
});
