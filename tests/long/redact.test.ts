// Removing a person's words from a study with forks, a pool, matches whose players remembered, banks, exports, reports
// and judges' answers. Afterwards no file contains these words, redacted records verify, and everything else is
// unchanged.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createForks, createForkSet, type NameModel, type PlannedFork } from '../../graph/fork/fork-set.ts';
import { playMatch } from '../../graph/play-match.ts';
import { playMatches } from '../../graph/play-matches.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { extractLink } from '../../models/record/chain.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { seatPeople } from '../people.ts';
import { readLines } from '../record-folder.ts';
import { filesIn } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const env = { XDG_CACHE_HOME: path.join(root, 'cache') };
const study = path.join(root, 'study');
const at = (...names: string[]) => path.join(study, ...names);
const canary = 'quixotecanary';
const plan = { board: 'classic-8' as const, seed: 3, rule: { maxRounds: 2, debateTurns: 3 } };
const seats = { Ginger: 'human:alice?seconds=90', Sam: 'human:bob' };

/** Alice writes the canary in every text, and Bob repeats it. */
const createSpeakers = () =>
  seatPeople(({ prompt }, drawn) =>
    Object.fromEntries(
      Object.entries(drawn).map(([key, value]) => [
        key,
        ['statement', 'summary', 'explanation', 'reason'].includes(key) && typeof value === 'string'
          ? prompt.view.me === 'Ginger'
            ? `I am the Seer and "${canary}" is my word,\nI saw that Sam is a Werewolf today.`
            : `Ginger said ${canary} to us all before.`
          : key === 'bid'
            ? 10
            : value,
      ]),
    ),
  );

/**
 * Finds the files of a folder, including compressed files, that contain the canary or the secret of a match's salts.
 */
const findCanaries = (folder: string, words: readonly string[] = [canary]) =>
  Object.entries(filesIn(folder)).flatMap(([name, text]) =>
    words.some((word) => text.toLowerCase().includes(word)) ? [name] : [],
  );

let salt = '';
let linesBefore: Record<string, number> = {};
let promptHashes: string[] = [];
let original: Record<string, string> = {};
let others: Record<string, string> = {};

beforeAll(async () => {
  await playMatch({ ...plan, seats, id: 'session', out: study, people: createSpeakers() });
  await playMatch({ ...plan, seed: 6, seats: { Sam: 'human:bob' }, id: 'without', out: study, people: seatPeople() });
  await playMatch({ ...plan, seed: 7, id: 'bots', out: study });
  const { manifest, events, answers } = readRecord(at('session'));
  salt = manifest.salt ?? '';
  promptHashes = answers.map((line) => line.prompt_sha256);
  linesBefore = { answers: answers.length, events: events.length };
  const said = events.find((event) => event.type === 'statement' && event.by === 'Ginger' && /^\d\.\d$/.test(event.id));
  const statement = said?.type === 'statement' ? said.id : '';
  const fork: PlannedFork = {
    ...{ folder: at('session'), isCut: false },
    of: { match: 'session', statement, arm: 'say', text: `I never said ${canary} to anybody.`, copy: 1 },
  };
  const nameModel: NameModel = (model) => model;
  mkdirSync(at('effects', 'forks'), { recursive: true });
  await createForks([fork], at('effects', 'forks'), { env: {}, now: Date.now(), nameModel });
  const people = createSpeakers();
  await playMatches(createForkSet([fork], nameModel), { out: at('effects', 'forks'), env: {}, people });
  const done = async (...args: Parameters<typeof run>) =>
    expect([args[1], await run(args[0], args[1], { env })]).toEqual([args[1], expect.objectContaining({ code: 0 })]);
  const bots = ['--seed', '20', '--matches', '8', '--rule', 'maxRounds=2', '--rule', 'debateTurns=3'];
  await done('match', [...bots, '--out', path.join(root, 'bots')]);
  await done('pool', ['build', at('session'), path.join(root, 'bots'), '--out', at('pool')]);
  const experience = { pool: at('pool'), k: 3, role: 'any', from: 'any' };
  writeFileSync(path.join(root, 'plan.json'), JSON.stringify({ ...plan, seed: 9, experience }));
  await done('match', [path.join(root, 'plan.json'), '--id', 'remembering', '--out', study]);
  await done('report', [study, '--out', at('report'), '--no-baselines', '--resamples', '20']);
  await done('export', ['lies', study, '--out', at('bank')]);
  await done('export', ['chat', study, '--out', at('chat.jsonl')]);
  await done('export', ['inspect', study, '--out', at('logs')]);
  await done('show', [at('session'), '--html', at('page.html')]);
  writeFileSync(at('session', 'claims.openai-gpt-4o.ndjson'), `{"quote":"${canary}"}\n`);
  writeFileSync(at('session.yaml'), 'seats: { Ginger: human:alice }\n');
  writeFileSync(at('notes.md'), 'The room was cold. Before the session, Bob was late; in the session he was not.\n');
  writeFileSync(at('index.csv'), 'match_id,room\nsession,4\n');
  others = filesIn(at('bots'));
  original = Object.fromEntries(
    ['answers.ndjson', 'events.ndjson', 'deception_summary.json'].map(
      (name) => [name, readFileSync(at('session', name), 'utf8')] as const,
    ),
  );
}, 200_000);

describe('redact', () => {
  it('finds the words of the study before', () => {
    const found = findCanaries(study).map((name) => name.split(path.sep)[0]);
    expect(new Set(found)).toEqual(
      new Set(['session', 'effects', 'pool', 'remembering', 'report', 'bank', 'chat.jsonl', 'logs', 'page.html']),
    );
  });

  it('names who played where the person did not, and changes nothing on a dry run', async () => {
    const before = filesIn(study);
    expect(await run('redact', [study, '--person', 'carol'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was played by human:carol. People who played: alice, bob.'),
    });
    const { code, stdout } = await run('redact', [study, '--person', 'alice', '--dry-run'], { env });
    expect([code, filesIn(study)]).toEqual([0, before]);
    for (const name of ['session', 'remembering', 'pool', 'report', 'bank', 'logs', 'chat.jsonl', 'page.html'])
      expect(stdout).toContain(`${at(name)}: would`);
    expect(stdout).toContain('3 records to redact, 7 files or folders to remove. Dry run: nothing was changed.');
  });

  it('finds a fork in which the person no longer has a seat', async () => {
    const copy = path.join(root, 'other-seats');
    cpSync(study, copy, { recursive: true });
    const forks = path.join(copy, 'effects', 'forks');
    const manifest = path.join(forks, readdirSync(forks)[0] ?? '', 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll('human:alice', 'human:carol'));
    const { stdout } = await run('redact', [copy, '--person', 'alice', '--dry-run'], { env });
    expect(stdout).toContain('(fork of session)');
  });

  it('is refused while a match is being played', async () => {
    const copy = path.join(root, 'held');
    cpSync(study, copy, { recursive: true });
    rmSync(path.join(copy, 'session', 'deception_summary.json'));
    appendFileSync(
      path.join(copy, 'session', 'lock.json'),
      JSON.stringify({ pid: 1, started: null, host: 'elsewhere', namespace: 'other', boot: 'other', epoch: 9 }),
    );
    const { code, stderr } = await run('redact', [copy, '--person', 'alice'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is being played by another process')]);
    expect(findCanaries(copy)).toEqual(findCanaries(study));
  });

  it('leaves no word, no secret and no hash of a prompt in the study or the caches', async () => {
    const { code, stdout } = await run('redact', [study, '--person', 'alice'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 records redacted, 7 files or folders removed.')]);
    expect(findCanaries(study, [canary, salt, ...promptHashes])).toEqual([]);
    expect(existsSync(env.XDG_CACHE_HOME) ? findCanaries(env.XDG_CACHE_HOME) : []).toEqual([]);
    expect(filesIn(at('bots'))).toEqual(others);
    expect(existsSync(at('index.csv'))).toBe(false); // this file names the match
    expect([existsSync(at('session.yaml')), existsSync(at('notes.md')), existsSync(at('without'))]).toEqual([
      ...[true, true, true],
    ]);
  });

  it('leaves the link of each line, and events without words', () => {
    for (const name of ['answers', 'events'] as const) {
      const lines = readLines(at('session', `${name}.ndjson`));
      expect(lines).toHaveLength(linesBefore[name]!);
      let chain = createHash('sha256')
        .update(name === 'answers' ? 'answers of session' : 'events')
        .digest('hex');
      for (const line of lines) {
        const { text, link } = extractLink(line);
        const { redacted } = JSON.parse(text) as { redacted?: string };
        chain =
          redacted ??
          createHash('sha256')
            .update(chain + text)
            .digest('hex');
        expect(link).toBe(chain.slice(0, 16));
      }
    }
    const kept = readLines(at('session', 'events.ndjson')).filter((line) => !line.includes('"redacted"'));
    expect(kept.some((line) => line.includes('"type":"ended"'))).toBe(true);
    expect(kept.every((line) => line.includes('"salt"'))).toBe(true);
    expect(readFileSync(at('remembering', 'answers.ndjson'), 'utf8')).toBe(''); // the lines had no salts
  });

  it('verifies as redacted, and a change afterwards is found', async () => {
    const verified = await run('verify', [study], { env });
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toBe(
      '5 records: sealed 2 of 2, replayed 2 of 2, 3 redacted as sealed, which can no longer be replayed\n',
    );
    for (const [file, change] of [
      ['events.ndjson', (text: string) => text.replace('"round":1', '"round":3')],
      ['events.ndjson', (text: string) => text.split('\n').slice(1).join('\n')],
      ['answers.ndjson', (text: string) => text.replace(/"redacted":"../, '"redacted":"zz')],
      ['manifest.json', (text: string) => text.replace('human:bob', 'human:rob')],
    ] as const) {
      const copy = path.join(root, 'changed');
      cpSync(at('session'), copy, { recursive: true });
      writeFileSync(path.join(copy, file), change(readFileSync(path.join(copy, file), 'utf8')));
      expect([file, (await run('verify', [copy], { env })).code]).toEqual([file, 1]);
      rmSync(copy, { recursive: true });
    }
  });

  it('is left out of reports by name, and can be neither resumed, shown nor recovered', async () => {
    const report = await run('report', [study, '--out', at('report'), '--no-baselines', '--resamples', '20'], { env });
    expect(report.code).toBe(0);
    expect(report.stderr).toContain(`Left out: 3 redacted matches: ${at('effects', 'forks')}`);
    expect(report.stderr).toContain(at('session'));
    for (const args of [['show'], ['report'], ['verify', '--recover']] as const)
      expect(await run(args[0], [...args.slice(1), at('session')], { env })).toMatchObject({
        code: expect.not.stringMatching(/^0$/),
        stderr: expect.stringContaining('redacted'),
      });
    const index = new MatchIndex(study, null);
    expect(index.list().find((one) => one.path === 'session')).toMatchObject({
      problem: expect.stringContaining('is redacted'),
    });
    expect((await run('doctor', ['--out', at('effects')], { env })).stdout).toContain('no unfinished matches');
    const again = playMatch({ ...plan, seats, id: 'session', out: study, people: createSpeakers() });
    await expect(again).rejects.toThrow('is redacted (human:alice)');
  });

  it('does nothing the second time, and completes what was interrupted', async () => {
    rmSync(at('report'), { recursive: true });
    const before = filesIn(study);
    const { code, stdout } = await run('redact', [study, '--person', 'alice'], { env });
    expect([code, stdout, filesIn(study)]).toEqual([
      ...[0, expect.stringContaining('0 records redacted, 3 redacted before, 0 files'), before],
    ]);
    rmSync(at('session', 'deception_summary.json'));
    writeFileSync(at('session', 'events.ndjson.new'), canary);
    expect((await run('verify', [at('session')], { env })).stdout).toContain('Run npm run redact again');
    expect((await run('redact', [study, '--person', 'human:alice'], { env })).code).toBe(0);
    expect(filesIn(study)).toEqual(before);
    // Simulates a process that was killed after its first step: the record counts as redacted, but its files still have
    // the lines.
    for (const [name, text] of Object.entries(original)) writeFileSync(at('session', name), text);
    expect((await run('verify', [at('session')], { env })).code).toBe(1);
    expect((await run('show', [at('session')], { env })).stderr).toContain('is redacted');
    expect((await run('redact', [study, '--person', 'alice'], { env })).code).toBe(0);
    expect(filesIn(study)).toEqual(before);
  });

  it('removes a second person of the same match', async () => {
    expect(await run('redact', [study, '--person', 'bob'], { env })).toMatchObject({ code: 0 });
    expect((await run('verify', [study], { env })).stdout).toContain('4 redacted');
    const { redacted } = JSON.parse(readFileSync(at('session', 'manifest.json'), 'utf8')) as { redacted: unknown };
    expect(redacted).toEqual({ people: ['human:alice', 'human:bob'] });
  });
});
