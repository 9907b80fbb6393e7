// The scripts that read a record (replay, report and show), with matches that are complete, stopped, damaged or
// altered.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { tableNames } from '../../deception/tables/match-tables.ts';
import { readWholeMatch } from '../../scripts/view/read-match.ts';
import { forge } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { eventsIn, filesIn, manifestIn, stateOf } from './match-folder.ts';
import { run, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const out = createTemporaryFolder();
const folder = (id: string) => path.join(out, id);
const rules = ['--board', smallBoard, '--rule', 'debateTurns=2', '--rule', 'maxRounds=2'];
await run('match', ['--out', out, '--id', 'played', '--seed', '7', ...rules, '--quiet']);
const readers = ['report', 'show'] as const;

/** Copies the played match into its own folder, with one file changed. */
function changed(id: string, file: string, change: (contents: string) => string) {
  cpSync(folder('played'), folder(id), { recursive: true });
  const where = path.join(folder(id), file);
  writeFileSync(where, change(readFileSync(where, 'utf8')));
  return folder(id);
}

/** Like `changed`, but chain and seal are made again. */
const forged = (id: string, file: string, change: (contents: string) => string) => forge(changed(id, file, change));

/** Returns a stopped match: half of its answers, and the events that follow from them. */
function stopped(id: string) {
  const half = (text: string) => text.split('\n').slice(0, 40).join('\n') + '\n';
  changed(id, 'answers.ndjson', half);
  writeFileSync(path.join(folder(id), 'events.ndjson'), half(eventsIn(folder('played'))));
  rmSync(path.join(folder(id), 'deception_summary.json'));
  return folder(id);
}

const onLine = (number: number, change: (line: string) => string) => (contents: string) =>
  contents
    .split('\n')
    .map((line, index) => (index + 1 === number ? change(line) : line))
    .join('\n');

it.each(readers)('%s takes the manifest of a match for its folder', async (script) => {
  const [byFolder, byManifest] = [
    await run(script, [folder('played')]),
    await run(script, [path.join(folder('played'), 'manifest.json')]),
  ];
  expect(byManifest).toEqual(byFolder);
  expect(byManifest.code).toBe(0);
});

describe('verify of one match', () => {
  it('finds the same events without a call, and writes nothing', async () => {
    const before = stateOf(folder('played'));
    const verified = { code: 0, stdout: '1 record: sealed 1 of 1, replayed 1 of 1\n', stderr: '' };
    expect(await run('verify', [folder('played')])).toEqual(verified);
    expect(await run('replay', [folder('played')])).toEqual(verified);
    expect(stateOf(folder('played'))).toEqual(before);
  });

  it('fails at the line of an event that was altered', async () => {
    const altered = forged(
      'altered',
      'events.ndjson',
      onLine(30, (line) => line.replace(/"round":\d/, '"round":7')),
    );
    const { code, stdout, stderr } = await run('verify', [altered]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('npm run verify -- --recover FOLDER'),
    });
    expect(stdout).toContain(`${path.join(altered, 'events.ndjson')}, line 30: recorded as {"round":7,`);
  });

  it('fails at an answer that was altered, and says which', async () => {
    const alter = (line: string) => line.replace(/(?<="answer":\{"reasoning":")/, 'No: ');
    const altered = forged('twisted', 'answers.ndjson', onLine(3, alter));
    const { code, stdout } = await run('verify', [altered]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/The recorded answer of round 1, step 0, \w+ by \w+, attempt 1 is parsed differently now/);
  });

  it('fails at a prompt that was worded otherwise, unless that is allowed', async () => {
    const reword = (line: string) => line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"');
    const reworded = forged('reworded', 'answers.ndjson', onLine(3, reword));
    const [strict, lenient] = await Promise.all([
      run('verify', [reworded]),
      run('verify', [reworded, '--allow-changed-prompts']),
    ]);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/: The prompt of round 1, step 0, \w+ by \w+, attempt 1 is not the recorded one/);
    expect(lenient).toEqual({
      code: 0,
      stdout: '1 record: sealed 1 of 1, replayed 1 of 1 (prompts not compared)\n',
      stderr: '',
    });
  });

  it('of a record whose templates had another wording compares the rest, and says so', async () => {
    const reword = (line: string) => line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"');
    const reworded = forged('other-wording', 'answers.ndjson', onLine(3, reword));
    const file = path.join(reworded, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"templates_sha256": *"\w+"/, '"templates_sha256":"0"'));
    forge(reworded);
    const { code, stdout, stderr } = await run('verify', [reworded]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('replayed 1 of 1 (1 in other wording)');
  });

  it('counts a match that was stopped as under way', async () => {
    const { code, stdout } = await run('verify', [stopped('half-replayed')]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 record: 1 under way');
  });
});

describe('report', () => {
  it('writes the summary again byte for byte, and Markdown and tables', async () => {
    const copy = changed('reported', 'manifest.json', (same) => same);
    const { code, stdout, stderr } = await run('report', [copy]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const tables = tableNames.filter((name) => name !== 'matches').map((name) => `${name}.csv`);
    const names = ['deception_summary.json', 'deception_summary.md', ...tables];
    expect(stdout).toBe(names.map((name) => `${path.join(copy, name)}\n`).join(''));
    const files = filesIn(copy);
    expect(files['deception_summary.json']).toBe(filesIn(folder('played'))['deception_summary.json']);
    expect(files['deception_summary.md']).toMatch(/^# /);
    const events = eventsIn(copy).split('\n');
    const of = (type: string) => events.filter((line) => line.includes(`"type":"${type}"`)).length;
    expect(files['statements.csv']!.trimEnd().split('\n')).toHaveLength(1 + of('statement') + of('ballot'));
    expect(files['analyses.csv']!.trimEnd().split('\n')).toHaveLength(1 + of('assessment'));
  });

  it('refuses a match that is not over, and says how to end it', async () => {
    const half = stopped('half-reported');
    const before = stateOf(half);
    const { code, stderr } = await run('report', [half]);
    expect(code).toBe(1);
    expect(stderr).toContain(`npm run match -- --id played --out ${out}`);
    expect(stateOf(half)).toEqual(before);
  });
});

describe('show', () => {
  it('prints speech, private reasoning, labels and votes of everybody with their roles', async () => {
    const { code, stdout, stderr } = await run('show', [folder('played')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name, role } of manifestIn(folder('played')).setup.players)
      expect(stdout).toMatch(new RegExp(`^${name} +${role} +bot:classic$`, 'm'));
    for (const part of ['Night 1', 'Day 1', ' thinks: ', 'bids: ', 'own report: ', 'peers: ', ' votes for '])
      expect(stdout).toContain(part);
    const statements = eventsIn(folder('played'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { text?: string; type: string });
    for (const { text } of statements.filter(({ type }) => type === 'statement')) expect(stdout).toContain(text);
  });

  it('takes a player, a round, lies alone or the prompts, and refuses what the match has not', async () => {
    const { name } = manifestIn(folder('played')).setup.players[0]!;
    const ofPlayer = await run('show', [folder('played'), '--player', name, '--round', '1']);
    expect(ofPlayer.code).toBe(0);
    expect(ofPlayer.stdout).not.toContain('Night 2');
    const prompts = await run('show', [folder('played'), '--prompts', '--player', name, '--round', '1']);
    expect(prompts.stdout.match(/^Round \d+, step \d+: .*$/gm)!.every((line) => line.includes(`${name},`))).toBe(true);
    expect(prompts.stdout).toContain('[system]\n');
    const lies = await run('show', [folder('played'), '--lies']);
    for (const [line] of lies.stdout.matchAll(/^\d\.\d .*\n.*$/gm)) expect(line).toContain(': lie (');
    const stranger = await run('show', [folder('played'), '--player', 'Nobody']);
    expect(stranger).toMatchObject({ code: 2, stdout: '' });
    expect(stranger.stderr).toContain('Nobody in this match is called "Nobody". Players: ');
    expect((await run('show', [folder('played'), '--lies', '--prompts'])).code).toBe(2);
    const half = stopped('half-asked');
    rmSync(path.join(half, 'prompts.ndjson.gz'));
    expect((await run('show', [half, '--prompts'])).stderr).toContain('prompts are written when a match ends');
  });

  it('prints what there is of a match that was stopped', async () => {
    const { code, stdout } = await run('show', [stopped('half-shown')]);
    expect(code).toBe(0);
    expect(stdout).toContain('The match was not played to its end.');
    expect(stdout).toContain('Night 1');
  });
});

describe.each(readers)('%s', (script) => {
  it('names the matches nearby where there is none', async () => {
    const { code, stdout, stderr } = await run(script, [folder('nowhere')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `${folder('nowhere')} is not the folder of a match: it does not exist. Matches in ${out}: `,
    );
    expect(existsSync(folder('nowhere'))).toBe(false);
  });

  it('refuses a damaged record with file and line', async () => {
    const damaged = changed(
      `damaged-${script}`,
      'answers.ndjson',
      onLine(5, (line) => line.slice(0, -9)),
    );
    const { code, stdout, stderr } = await run(script, [damaged]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${path.join(damaged, 'answers.ndjson')}, line 5 is damaged: it is not JSON. Restore`);
  });
});

describe('a folder', () => {
  it('of matches is not that of a match', async () => {
    const { code, stderr } = await run('show', [out]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${out} is not the folder of a match: it holds no manifest.json. Matches in ${out}: `);
  });

  it('of a match below runs is found by its name alone, unless several have it', async () => {
    const place = folder('place');
    for (const study of ['one', 'two']) {
      mkdirSync(path.join(place, 'runs', study), { recursive: true });
      cpSync(folder('played'), path.join(place, 'runs', study, 'same'), { recursive: true });
    }
    cpSync(folder('played'), path.join(place, 'runs', 'one', 'own'), { recursive: true });
    const before = process.cwd();
    process.chdir(place);
    const show = (name: string) => run('show', [name]);
    const [own, same, none] = [await show('own'), await show('same'), await show('none')];
    process.chdir(before);
    expect(own).toMatchObject({ code: 0, stdout: (await run('show', [folder('played')])).stdout });
    expect(same).toMatchObject({ code: 2 });
    expect(same.stderr).toContain('same is the id of several matches: runs/one/same, runs/two/same. Name the folder');
    expect(none.stderr).toContain(
      'none is not the folder of a match: it does not exist. Folders in . that hold matches: runs.',
    );
    const { code, stderr } = await run('report', [path.join(place, 'nothing')]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Folders in ${place} that hold matches: runs.`);
  });

  it.each([
    ['show', ''],
    ['report', ''],
    ['verify', ''],
    ['compare', ''],
    ['view', ''],
    ['redact', '--person Dan'],
    ['plan', '--effect .1'],
    ['pool', 'build --out pool'],
    ['label', '--out labels'],
    ['export', 'lies --out lies'],
    ['match', '--status --out'],
  ] as const)(
    'that %s %s does not find: folders nearby that hold matches are named, however deep',
    async (script, options) => {
      const place = folder(`deep-${script}`);
      const deep = path.join(place, 'runs', 'set', 'study', 'pairing');
      mkdirSync(path.join(place, 'unrelated', 'folder'), { recursive: true });
      mkdirSync(deep, { recursive: true });
      cpSync(folder('played'), path.join(deep, 'match'), { recursive: true });
      const before = process.cwd();
      process.chdir(place);
      const args = options.split(' ').filter(Boolean);
      const answers = [await run(script, [...args, 'nothere']), await run(script, [...args, 'nothere/below'])];
      process.chdir(before);
      for (const { code, stderr } of answers) {
        expect(code).toBe(2);
        expect(stderr).toContain(' Folders in . that hold matches: runs.');
      }
    },
  );

  it('of a later version is refused', async () => {
    mkdirSync(folder('later'));
    writeFileSync(path.join(folder('later'), 'manifest.json'), '{"schema_version":5}');
    const { code, stderr } = await run('show', [folder('later')]);
    expect(code).toBe(1);
    expect(stderr).toContain('has schema_version 5, but this version of Wolfgraph reads only up to 4.');
  });
});

describe('prompts that are not the ones that were sent', () => {
  const file = (id: string) => path.join(folder(id), 'prompts.ndjson.gz');
  /** Copies the played match with these prompts, or without prompts. */
  function withPrompts(id: string, contents: Buffer | null) {
    cpSync(folder('played'), folder(id), { recursive: true });
    rmSync(file(id));
    if (contents !== null) writeFileSync(file(id), contents);
    return folder(id);
  }
  const sent = gunzipSync(readFileSync(file('played'))).toString();
  const forgedPrompts = gzipSync(sent.replaceAll('You are ', 'FORGED You are '));
  const wasChanged = (id: string) => `${file(id)} was changed after it was sealed.`;

  it('are marked by show, each of them, also in the page', async () => {
    const { code, stdout, stderr } = await run('show', [withPrompts('forged', forgedPrompts), '--prompts']);
    const heads = stdout.match(/^Round \d+, step .*$/gm)!;
    const marked = heads.filter((line) =>
      line.endsWith('(THIS PROMPT WAS CHANGED AFTER THE MATCH AND IS NOT THE ONE THAT WAS SENT)'),
    );
    expect(marked).toHaveLength(sent.split('\n').filter((line) => line.includes('You are ')).length);
    expect(stderr).toBe(
      `Warning: ${file('forged')} differs from the record: ${marked.length} of its ${heads.length} prompts are not those that were sent.\n`,
    );
    expect(code).toBe(0);
    const page = await run('show', [folder('forged'), '--html']);
    expect(page).toMatchObject({ code: 0, stderr: `Warning: ${wasChanged('forged')}\n` });
    expect((await run('show', [folder('played'), '--prompts'])).stderr).toBe('');
    expect((await readWholeMatch(folder('forged'))).steps.flatMap(({ prompts = [] }) => prompts)).toContainEqual(
      expect.objectContaining({ isForged: true }),
    );
    const told = [wasChanged('forged'), expect.stringContaining('prompts are not those that were sent')];
    expect((await readWholeMatch(folder('forged'))).notes).toEqual(expect.arrayContaining(told));
    expect((await readWholeMatch(folder('played'))).steps.flatMap(({ prompts = [] }) => prompts)).not.toContainEqual(
      expect.objectContaining({ isForged: true }),
    );
  });

  const lost: [string, Buffer | null, string][] = [
    ['garbage', Buffer.from('garbage'), 'was changed after it was sealed.'],
    ['bomb', gzipSync(Buffer.alloc(64 * 2 ** 20, ' ')), 'was changed after it was sealed.'],
    ['gone', null, 'is missing, but existed when the record was sealed.'],
  ];
  const areTold = async (id: string, contents: Buffer | null, what: string) => {
    const fault = `${file(id)} ${what}`;
    const place = withPrompts(id, contents);
    expect((await run('show', [place])).stderr).toBe(`Warning: ${fault}\n`);
    expect(await run('show', [place, '--prompts'])).toMatchObject({ code: 1, stdout: '' });
    expect((await run('verify', [place])).stdout).toContain(fault.slice(0, -1));
    const own = await run('report', [place]);
    expect(own).toMatchObject({ code: 0, stderr: expect.stringContaining(fault) as unknown });
    const many = await run('report', [place, '--out', path.join(out, `report-${id}`), '--no-tables', '--no-baselines']);
    expect(many.stderr).toMatch(
      /^1 match is reported, sealed 0 of 1 \(.*prompts that were changed or removed break it/,
    );
    expect(many.stderr).toContain(
      'The prompts of 1 match are not as they were sealed, so do not quote them. They were not read: ',
    );
    expect(many.stderr).toContain(fault);
    expect(readFileSync(path.join(out, `report-${id}`, 'report.md'), 'utf8')).toContain('prompts of 1 match');
  };
  const title = 'are told of by every command that shows or measures the match: %s';

  itLong.each(lost.slice(0, -1))(title, areTold);
  it.each(lost.slice(-1))(title, areTold);
});
