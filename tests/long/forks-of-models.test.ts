// Forks of matches of language models: selected by model, played at another address, read by a judge, and limited by a
// cap.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ForkReport } from '../../report/fork-effects-parts.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { findNoClaims, openOpenaiServer, type OpenAIServer } from '../openai-server.ts';
import { key, legally, reaching } from '../scripts/local-model.ts';
import { run, smallBoard } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const short = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=2', '--rule', 'maxRounds=1'];
const price = 'priceIn=50000&priceOut=0'; // a dollar an answer, at 20 tokens in
const readReport = (out: string) => JSON.parse(readFileSync(path.join(out, 'effects.json'), 'utf8')) as ForkReport;
const listForks = (out: string) => readdirSync(path.join(out, 'forks')).sort();
const readAllEvents = (out: string) =>
  listForks(out).map((name) => readFileSync(path.join(out, 'forks', name, 'events.ndjson'), 'utf8'));

let server: OpenAIServer;
beforeAll(async () => {
  server = await openOpenaiServer(legally);
  const players = ['--villagers', `openai:calm?${price}`, '--werewolves', `openai:sly?${price}`];
  const { code, stderr } = await run(
    'match',
    [...short, ...players, '--matches', '3', '--out', at('study'), '--quiet', '--no-report'],
    reaching(server),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
afterAll(() => server.close());

describe('statements are selected by the model that made them', () => {
  it('and no other: both models play on, and the table has the pairs of speaker and listener', async () => {
    const of = (model: string) => ['--where', `kind=debate model=${model}`, '--arms', 'silence,neutral'];
    const wrong = await run('fork', [at('study'), ...of('clam'), '--out', at('no')]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('No model is "clam"')]);
    expect(wrong.stderr).toContain('openai:calm, openai:sly');
    const { code, stderr } = await run(
      'fork',
      [at('study'), ...of('openai:sly'), '--out', at('sly')],
      reaching(server),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of listForks(at('sly'))) {
      const { manifest, events } = readRecord(at('sly', 'forks', name));
      const turn = events.find((event) => 'id' in event && event.id === manifest.fork_of!.statement);
      const speaker = turn && 'by' in turn ? turn.by : '';
      expect(String(manifest.setup.models[speaker])).toContain('openai:sly');
    }
    const both = await run(
      'fork',
      [at('study'), '--where', 'kind=debate', '--arms', 'neutral', '--out', at('both')],
      reaching(server),
    );
    expect(both.code).toBe(0);
    const pairs = readReport(at('both')).effects.flatMap(({ of: { speaker_model: one, listener_model: other } }) =>
      one === undefined || other === undefined ? [] : [`${one} ${other}`],
    );
    const models = ['openai:calm', 'openai:sly'];
    expect([...new Set(pairs)].sort()).toEqual(models.flatMap((one) => models.map((other) => `${one} ${other}`)));
    expect(readFileSync(at('both', 'effects.md'), 'utf8')).toContain('By speaker’s model and listener’s model');
  });

  it('and models of a file of models are asked at the address that the file has now', async () => {
    const [old, present] = [await openOpenaiServer(legally), await openOpenaiServer(legally)];
    const write = ({ baseUrl }: OpenAIServer) =>
      writeFileSync(at('models.yaml'), `house:\n  model: openai:small\n  baseUrl: ${baseUrl}\n`);
    write(old);
    const allow = ({ baseUrl }: OpenAIServer) => ['--allow-key', `OPENAI_API_KEY@${new URL(baseUrl).host}`];
    const named = ['--models', at('models.yaml'), ...allow(old), ...allow(present)];
    const env = { env: { OPENAI_API_KEY: key } };
    const played = await run(
      'match',
      [...short, ...named, '--model', 'house', '--matches', '2', '--out', at('house'), '--quiet', '--no-report'],
      env,
    );
    expect({ code: played.code, stderr: played.stderr }).toEqual({ code: 0, stderr: '' });
    const asked = old.requests.length;
    expect(asked).toBeGreaterThan(10);
    write(present);
    const where = ['--where', 'kind=debate model=house', '--arms', 'neutral', '--sample', '2'];
    const forked = await run('fork', [at('house'), ...where, ...named, '--out', at('moved')], env);
    expect({ code: forked.code, stderr: forked.stderr }).toEqual({ code: 0, stderr: '' });
    expect(old.requests).toHaveLength(asked);
    expect(present.requests.length).toBeGreaterThan(5);
    await Promise.all([old.close(), present.close()]);
  });
});

describe('a judge', () => {
  it('reads the statements of the study and those of players who are asked again, once each, and stays the judge', async () => {
    const played = await run('match', [...short, '--matches', '3', '--out', at('bots'), '--quiet', '--no-report']);
    expect(played.code).toBe(0);
    const judging = await openOpenaiServer(findNoClaims);
    const where = ['--where', 'kind=debate team=werewolves', '--arms', 'honest,neutral', '--no-cache'];
    const judge = ['--judge', 'openai:local'];
    const out = ['--out', at('judged')];
    const dry = await run('fork', [at('bots'), ...where, ...judge, ...out, '--dry-run'], reaching(judging));
    expect([dry.code, judging.requests.length]).toEqual([2, 0]);
    expect(dry.stderr).toContain('openai:local has not read 3 of 3 matches');
    const { code, stderr } = await run('fork', [at('bots'), ...where, ...judge, ...out], reaching(judging));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const calls = judging.requests.length;
    const forks = listForks(at('judged'));
    const honest = forks.filter((name) => name.includes('.honest.'));
    expect(honest.length).toBeGreaterThan(0);
    const isJudged = (name: string) =>
      readdirSync(at('judged', 'forks', name)).some((file) => /^claims\..*\.ndjson$/.test(file));
    expect(forks.filter(isJudged)).toEqual(honest);
    const { study, compliance } = readReport(at('judged'));
    expect(study.extractor).toBe('openai:local');
    expect(compliance).toEqual([
      { arm: 'honest', statements: honest.length, read: honest.length, withoutLie: honest.length },
    ]);
    const left = await run('fork', [...out, '--dry-run', '--no-cache'], reaching(judging));
    expect([left.code, judging.requests.length]).toEqual([0, calls]);
    expect(left.stdout).toContain('Not included: the judge’s calls about new statements');
    const again = await run('fork', [...out, '--no-cache'], reaching(judging));
    expect([again.code, judging.requests.length]).toEqual([0, calls]);
    const other = await run('fork', [...out, '--judge', 'openai:other'], reaching(judging));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('was begun with --judge')]);
    await judging.close();
  });
});

describe('a cap on the cost of all forks', () => {
  it('stops at the cap, and the same command with a higher one goes on and loses nothing', async () => {
    const fork = (out: string, ...more: string[]) =>
      run(
        'fork',
        [at('study'), '--where', 'kind=debate', '--arms', 'silence', '--sample', '3', '--out', at(out), ...more],
        reaching(server),
      );
    const before = server.requests.length;
    expect((await fork('whole')).code).toBe(0);
    const whole = server.requests.length - before;
    const begun = server.requests.length;
    const stopped = await fork('capped', '--max-cost', '10', '--concurrency', '2');
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).toContain('The budget of $10 is reached');
    expect(stopped.stderr).toMatch(/are not finished\. Run the same command again/);
    const made = server.requests.length - begun;
    expect(made).toBeGreaterThanOrEqual(10);
    expect(made).toBeLessThanOrEqual(12); // calls under way are finished, since they are paid for
    const resumed = await fork('capped', '--max-cost', '1000');
    expect(resumed.code).toBe(0);
    expect(server.requests.length - begun).toBe(whole);
    expect(readAllEvents(at('capped'))).toEqual(readAllEvents(at('whole')));
    expect(readFileSync(at('capped', 'effects.csv'), 'utf8')).toBe(readFileSync(at('whole', 'effects.csv'), 'utf8'));
  });
});

it('statements of drafts are forked as others are, and not pooled with those of bids', async () => {
  const drafted = [...short, '--rule', 'turn=draft', '--out', at('drafts', 'study'), '--quiet', '--no-report'];
  expect((await run('match', [...drafted, '--model', 'openai:calm', '--matches', '2'], reaching(server))).code).toBe(0);
  const arms = ['--where', 'kind=debate', '--arms', 'silence,neutral,honest,resample', '--sample', '2'];
  const out = at('drafts', 'effects');
  const forked = await run('fork', [at('drafts', 'study'), ...arms, '--out', out], reaching(server));
  expect({ code: forked.code, stderr: forked.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await run('verify', [out])).toMatchObject({
    code: 0,
    stdout: '12 records: sealed 12 of 12, replayed 12 of 12\n',
  });
  const pooled = await run('fork', [at('drafts', 'study'), at('study'), ...arms, '--out', at('pooled')]);
  expect([pooled.code, pooled.stderr]).toEqual([2, expect.stringContaining('turn=bid and with turn=draft')]);
});
