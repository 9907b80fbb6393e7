// `npm run match` as a user runs it: output, files, and what a second run does.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { eventsIn, filesIn, manifestIn, stateOf } from './match-folder.ts';
import { run, short, shortest, start, type Ended } from './process.ts';

const out = createTemporaryFolder();
const folder = (id: string) => path.join(out, id);
const small = (id: string, ...more: string[]) => ['--out', out, '--id', id, '--seed', '7', ...shortest, ...more];

/** First character of colors and cursor movements. */
const escape = '\u001b';

describe('the same command again', () => {
  it('reports a match that is over without a call and without touching a file', async () => {
    const first = await run('match', small('again'));
    const before = stateOf(folder('again'));
    const second = await run('match', small('again'));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('Match again is already finished; no calls were made and nothing was written.');
    expect(stateOf(folder('again'))).toEqual(before);
    const table = (text: string) => text.slice(text.indexOf('┌────────┬──────────┬'));
    expect(table(second.stdout)).toBe(table(first.stdout));
  });

  it('needs no more than the id', async () => {
    const settings = ['--seed', '11', '--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];
    await run('match', ['--out', out, '--id', 'known', ...settings, '--werewolves', 'bot:random', '--quiet']);
    const again = await run('match', ['--out', out, '--id', 'known', '--json']);
    expect(again.stderr).not.toContain('There is no match');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ id: 'known', summary: { seed: 11, rules: { debateTurns: 1 } } });
  });

  it('says so where nothing is known under the id', async () => {
    const { stderr } = await run('match', ['--out', out, '--id', 'knwon', '--dry-run', ...shortest]);
    expect(stderr).toBe('');
    const begun = await run('match', ['--out', out, '--id', 'knwon', ...shortest]);
    expect(begun.stderr).toContain(`There is no match knwon in ${out} to resume: a new one begins.`);
  });

  it('is refused where it says something else, and nothing is overwritten', async () => {
    await run('match', small('kept', '--quiet'));
    const before = stateOf(folder('kept'));
    const others = { seed: ['--seed', '8'], rules: ['--rule', 'debateTurns=2'], models: ['--model', 'bot:random'] };
    const refused = Object.entries(others).map(async ([differing, change]) => {
      const { code, stdout, stderr } = await run('match', ['--out', out, '--id', 'kept', ...change]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${path.join(folder('kept'), 'manifest.json')} has another set-up: it differs in`);
      expect(stderr).toMatch(new RegExp(`differs in .*${differing}.* Choose another --id`));
    });
    await Promise.all(refused);
    expect(stateOf(folder('kept'))).toEqual(before);
  });
});

describe('what is printed', () => {
  it('is one JSON object and nothing else with --json', async () => {
    const { code, stdout } = await run('match', small('json', '--json'));
    expect(code).toBe(0);
    const printed = JSON.parse(stdout) as { id: string; folder: string; summary: unknown };
    expect(printed).toMatchObject({ id: 'json', folder: folder('json') });
    const summary = DeceptionSummary.parse(printed.summary);
    expect(JSON.parse(filesIn(folder('json'))['deception_summary.json']!)).toEqual({
      ...summary,
      seal: expect.anything() as unknown,
    });
  });

  it('is nothing with --quiet', async () => {
    expect(await run('match', small('quiet', '--quiet'))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('says no role and no secret act before the end, unless --reveal asks for them', async () => {
    const ofEight = (id: string) => ['--out', out, '--id', id, '--seed', '7', ...short]; // one of whom protects
    const [hidden, revealed] = await Promise.all([
      run('match', ofEight('hidden')),
      run('match', [...ofEight('bare'), '--reveal']),
    ]);
    const story = ({ stdout }: Ended) => stdout.slice(stdout.indexOf('│ Player'), stdout.indexOf('The match '));
    expect(story(hidden)).toContain('--reveal shows them');
    const roleOf = /│ (Doctor|Seer|Villager|Werewolf) /;
    const secretActs = ['chooses to protect', 'chooses to unmask', 'The pick of the night', 'thinks:', 'learns'];
    expect(story(hidden)).not.toMatch(roleOf);
    expect(story(revealed)).toMatch(roleOf);
    for (const act of secretActs) {
      expect(hidden.stdout).not.toContain(act);
      expect(story(revealed)).toContain(act);
    }
    expect(eventsIn(folder('hidden'))).toBe(eventsIn(folder('bare')));
  });
});

describe('a folder that cannot be written', () => {
  it('is named, with what to do', async () => {
    const file = path.join(out, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await run('match', ['--out', file, ...short]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The folder \S+file cannot be written: ENOTDIR.* Name another folder with --out\.\n$/);
  });

  it('may be the one for the log alone: the match goes on without', async () => {
    mkdirSync(path.join(folder('unlogged'), 'log.ndjson'), { recursive: true });
    const { code, stdout, stderr } = await run('match', small('unlogged'));
    expect(stderr).toMatch(/^Warning: The log in \S+unlogged can no longer be written: EISDIR.*\n$/);
    expect(code).toBe(0);
    expect(stdout).toContain('Record and summary:');
  });

  it('may be replaced by a link for the log, which is not followed when the match goes on', async () => {
    await run('match', small('linked'));
    const [log, elsewhere] = [path.join(folder('linked'), 'log.ndjson'), path.join(out, 'elsewhere.txt')];
    writeFileSync(elsewhere, 'precious');
    for (const name of ['log.ndjson', 'deception_summary.json']) rmSync(path.join(folder('linked'), name));
    symlinkSync(elsewhere, log);
    const { code, stderr } = await run('match', small('linked'));
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Warning: The log in ${folder('linked')} is not written: ${log} is a link; files of a record must not be links. Replace it with the file itself.\n`,
    );
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  });
});

describe('a match without any option', () => {
  const played = start('npm', ['run', '--silent', 'match', '--', '--out', out]).ended;
  const result = async () => {
    const first = await played;
    return { first, id: /^Match (\S+):/.exec(first.stdout)![1]! };
  };

  it('is played to its end by built-in bots, and says so', async () => {
    const { first } = await result();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('8 players (2 Werewolves, 1 Seer, 1 Doctor, 4 Villagers)');
    expect(first.stdout).toContain('All seats are played by built-in bots');
    expect(first.stdout).toMatch(/^The match (is won by the (village|Werewolves)|ends without a winner)/m);
  });

  it('is told round by round, with its summary and where its files are at the end', async () => {
    const { first, id } = await result();
    const order = [
      '\nNight 1\n',
      '\nDay 1: ',
      ' votes for ',
      'The match ',
      '│ Fate ',
      `Record and summary: ${folder(id)}`,
    ];
    const places = order.map((text) => first.stdout.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    for (const script of ['show', 'report', 'verify'])
      expect(first.stdout).toContain(`npm run ${script} -- ${folder(id)}`);
  });

  it('is printed in plain lines where there is no terminal', async () => {
    const { first } = await result();
    expect(first.stdout).not.toContain(escape);
    expect(first.stdout).not.toContain('\r');
  });

  it('draws a seed and says which', async () => {
    const { first, id } = await result();
    const { seed } = manifestIn(folder(id)).setup;
    expect(first.stdout).toContain(`Seed ${seed}, random; --seed ${seed} deals the same again.`);
    expect(id).toMatch(new RegExp(`^classic-8-${seed}-[0-9a-f]{8}$`));
  });

  it('leaves the files of a record and nothing else', async () => {
    const { id } = await result();
    const files = filesIn(folder(id));
    expect(Object.keys(files)).toEqual([
      'answers.ndjson',
      'deception_summary.json',
      'events.ndjson',
      'log.ndjson',
      'manifest.json',
      'prompts.ndjson.gz',
    ]);
    expect(Object.values(files).join('')).not.toContain(escape);
    expect(files['prompts.ndjson.gz']!.split('\n')).toHaveLength(files['answers.ndjson']!.split('\n').length);
    for (const line of files['log.ndjson']!.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('timestamp');
  });
});
