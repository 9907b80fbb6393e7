// `npm run report`: sound matches are reported and the others are listed, whatever the order and the number of threads.
// All tests are in one file because they share folders of matches that are played once.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { metrics } from '../../deception/metrics/index.ts';
import { type LeftOut, Report } from '../../deception/summary/report-schema.ts';
import { tableNames } from '../../deception/tables/match-tables.ts';
import type { Disk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { ruleErrorsFile } from '../../scripts/report/read-extractor-errors.ts';
import { readSources } from '../../scripts/report/match-inventory.ts';
import { reportMany, writeReport } from '../../scripts/report/write-reports.ts';
import { readTable } from '../csv.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { forge, rewrite, rewriteLine, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from './local-model.ts';
import { filesIn } from './match-folder.ts';
import { run, shortest, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
await run('match', ['--out', at('played'), ...shortest, '--matches', '3', '--quiet']);
const played = listFolderNames(at('played')).sort();

/** Copies a played match into a set, under another id. */
function copied(set: string, id: string, of = 0): string {
  const folder = at(set, id);
  mkdirSync(at(set), { recursive: true });
  cpSync(at('played', played[of]!), folder, { recursive: true });
  rewrite(folder, 'manifest.json', (text) => text.replace(`"id": "${played[of]!}"`, `"id": "${id}"`));
  return forge(folder);
}

const quick = ['--no-tables', '--no-baselines', '--resamples', '20'];
const options = { seed: 1, resamples: 20, isTabled: true, baselines: null };
const reportedIn = (folder: string) => Report.parse(JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')));
const reasons = (leftOut: readonly LeftOut[]) =>
  leftOut.map(({ folder, reason }) => [path.relative(root, folder), reason]);

const tables = tableNames.flatMap((name) => [`${name}.csv`, `${name}.parquet`]);

describe('report on a folder of matches', () => {
  it('writes figures, a page and tables beside them', async () => {
    const { code, stdout, stderr } = await run('report', [at('played'), '--resamples', '20', '--no-baselines']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/^3 matches are reported, sealed 3 of 3\.\n/);
    expect(stdout).toMatch(/^3 matches on 3 deals · .*\n\nBuilt-in bots played in all seats of all 3 matches\./);
    const out = at('played', 'report');
    expect(stdout).toMatch(/^Lies +too few \(\d+ deals?\)$/m);
    const count = Object.keys(filesIn(out)).length;
    expect(stdout.split('\n').at(-2)).toBe(`First page: ${path.join(out, 'report.md')}. ${count} files in ${out}.`);
    for (const name of ['report.json', 'figures.csv', ...tables]) expect(readdirSync(out)).toContain(name);
    expect(reportedIn(out)).toMatchObject({ matches: 3, resamples: 20, left_out: [] });
    const rows = readTable(readFileSync(path.join(out, 'matches.csv'), 'utf8'));
    expect(rows.map((row) => row['match_id'])).toEqual(played);
    const figures = readTable(readFileSync(path.join(out, 'figures.csv'), 'utf8'));
    const lies = reportedIn(out).metrics.find(({ name }) => name === 'lie_turn_rate')!.figures;
    const inTable = figures.filter((row) => row['sample'] === 'all' && row['metric'] === 'lie_turn_rate');
    expect(inTable.map((row) => row['value'])).toEqual(lies.map(({ value }) => (value === null ? '' : String(value))));
  });

  it('reads each manifest for the search, the progress of the study, the inventory and the record, and not again', async () => {
    const machine = getMachine();
    const read: string[] = [];
    const readText: Disk['readText'] = (file, most) => {
      if (path.basename(file) === 'manifest.json') read.push(file);
      return machine.disk.readText(file, most);
    };
    const counting = { ...machine, disk: { ...machine.disk, readText } };
    const report = [at('played'), ...quick, '--no-cache', '--out', at('counted')];
    expect((await runOnMachine(counting, () => run('report', report))).code).toBe(0);
    const byFolder = [...Map.groupBy(read, (file) => file).values()].map(({ length }) => length);
    expect(byFolder).toEqual(played.map(() => 4));
  });

  it('with --match-pages writes the pages that it leads to beside the records, each once', async () => {
    const folders = [copied('watched', 'a'), copied('watched', 'b', 1)];
    const pages = folders.map((folder) => path.join(folder, 'match.html'));
    const before = folders.map(filesIn);
    const report = () => run('report', [at('watched'), '--match-pages', ...quick]);
    expect((await report()).code).toBe(0);
    const written = pages.map((page) => statSync(page).ino);
    folders.forEach((folder, place) =>
      expect({ ...filesIn(folder), 'match.html': undefined }).toEqual({ ...before[place], 'match.html': undefined }),
    );
    const html = readFileSync(at('watched/report/report.html'), 'utf8');
    expect(html).toContain('href="../a/match.html#/match/a/');
    expect(html).not.toContain('npm run show');
    expect((await report()).code).toBe(0);
    expect(pages.map((page) => statSync(page).ino)).toEqual(written);
  });

  it('says whether presupposed claims are counted, and counts them where it is wanted', async () => {
    const folder = at('played', played[0]!);
    expect((await readSources(folder)).sources.presupposed).toBe(false);
    expect((await readSources(folder, { presupposed: true })).sources.presupposed).toBe(true);
    const args = [folder, '--presupposed', '--out', at('presupposed'), ...quick];
    expect((await run('report', args)).code).toBe(0);
    const values = ['played/report', 'presupposed'].map((name) => {
      const { conditions } = reportedIn(at(name));
      return conditions.find((one) => one.name === 'presupposed claims')?.values[0]?.value;
    });
    expect(values).toEqual(['left out', 'counted']);
  });

  it('finds matches in sets, and one alone where --out says so', async () => {
    copied('sets/one', 'a');
    copied('sets/two', 'b', 1);
    const [both, alone] = await Promise.all([
      run('report', [at('sets'), ...quick]),
      run('report', [at('sets', 'one', 'a'), ...quick, '--out', at('alone')]),
    ]);
    expect([both.code, alone.code]).toEqual([0, 0]);
    expect(readdirSync(at('sets', 'report')).sort()).toEqual([
      'details',
      'figures.csv',
      'pictures',
      'report.html',
      'report.json',
      'report.md',
    ]);
    expect(reportedIn(at('sets', 'report')).matches).toBe(2);
    expect(reportedIn(at('alone')).matches).toBe(1);
  });
});

describe('matches far below a folder', () => {
  it('are found by report and verify, through links near it alone', async () => {
    copied('deep/a/b/c/d', 'a');
    copied('deep/study/pairing', 'b', 1);
    const elsewhere = at('elsewhere/set');
    copied('elsewhere/set', 'c', 2);
    symlinkSync(at('deep'), at('deep/a/b/c/round'));
    symlinkSync(elsewhere, at('deep/a/b/c/too-far'));
    symlinkSync(elsewhere, at('deep/linked'));
    const verified = await run('verify', [at('deep')]);
    expect(verified).toMatchObject({ code: 0, stdout: '3 records: sealed 3 of 3, replayed 3 of 3\n' });
    expect((await run('report', [at('deep'), ...quick])).code).toBe(0);
    expect(reportedIn(at('deep', 'report')).matches).toBe(3);
  });
});

describe('a report', () => {
  it('is the same byte for byte in any order', async () => {
    for (let number = 0; number < 4; number++) copied('four', `m${number}`, number % 3);
    const folders = listFolderNames(at('four')).map((id) => at('four', id));
    await reportMany({ ...options, folders, out: at('first') });
    await reportMany({ ...options, folders: folders.toReversed(), out: at('second') });
    expect(
      Object.keys(filesIn(at('first')))
        .filter((name) => !/^(details|pictures)\b/.test(name))
        .sort(),
    ).toEqual(['report.json', 'report.md', 'report.html', 'figures.csv', ...tables].sort());
    expect(filesIn(at('second'))).toEqual(filesIn(at('first')));
  });

  it('lists what cannot be used, and is that of the sound ones alone', async () => {
    for (const id of ['a', 'b', 'c']) copied('sound', id, ['a', 'b', 'c'].indexOf(id));
    for (const id of ['a', 'b', 'c']) copied('mixed', id, ['a', 'b', 'c'].indexOf(id));
    rewriteLine(copied('mixed', 'damaged'), 'events.ndjson', 4, (line) => line.slice(0, -9));
    rewrite(copied('mixed', 'impossible'), 'events.ndjson', (text) => text.replaceAll(/"by":"\w+"/g, '"by":"Nobody"'));
    forge(at('mixed', 'impossible'));
    rmSync(path.join(copied('mixed', 'unanswered'), 'answers.ndjson'));
    rmSync(path.join(copied('mixed', 'nameless'), 'manifest.json'));
    rewrite(copied('mixed', 'later'), 'manifest.json', (text) =>
      text.replace('"schema_version": 4', '"schema_version": 5'),
    );
    rewrite(copied('mixed', 'stopped'), 'events.ndjson', (text) => text.split('\n').slice(0, 9).join('\n') + '\n');
    rmSync(at('mixed', 'stopped', 'deception_summary.json'));
    rewrite(copied('mixed', 'twin'), 'manifest.json', (text) =>
      text.replace('"id": "twin"', '"id": "a"').replace(/"seed": \d+/, '"seed": 99'),
    );
    forge(at('mixed', 'twin'));
    cpSync(at('mixed', 'b'), at('mixed', 'b-again'), { recursive: true });
    cpSync(at('mixed', 'b'), at('mixed', 'a-b'), { recursive: true }); // sorts before the folder of the match itself
    const sound = await reportMany({ ...options, folders: [at('sound')], out: at('sound', 'out') });
    const mixed = await reportMany({ ...options, folders: [at('mixed'), at('mixed', 'c')], out: at('mixed', 'out') });
    expect(mixed.report.left_out[0]?.message).toBe(
      `It is a copy of match b, which is counted from ${at('mixed', 'b')}.`,
    );
    expect(reasons(mixed.report.left_out)).toEqual([
      ['mixed/a-b', 'counted already'],
      ['mixed/b-again', 'counted already'],
      ['mixed/c', 'counted already'],
      ['mixed/damaged', 'damaged'],
      ['mixed/impossible', 'damaged'],
      ['mixed/later', 'other version'],
      ['mixed/nameless', 'damaged'],
      ['mixed/stopped', 'not over'],
      ['mixed/twin', 'same id'],
      ['mixed/unanswered', 'damaged'],
    ]);
    // Removes commands from a report, because they name the folders of a study, which differ in this test.
    const withoutCommands = ({ answers, ...report }: typeof sound.report) => ({
      ...report,
      answers: answers.map(({ unknown, ...one }) => ({
        ...one,
        unknown: unknown.map(({ question, reason }) => ({ question, reason })),
      })),
    });
    expect(withoutCommands(mixed.report)).toEqual({
      ...withoutCommands(sound.report),
      left_out: mixed.report.left_out,
    });
    const page = readFileSync(at('mixed', 'out', 'details/left-out.md'), 'utf8');
    expect(page).toContain('events.ndjson, line 4 is damaged: it is not JSON.');
    expect(page).toContain('manifest.json is missing beside events.ndjson.');
    expect(page).toContain('answers.ndjson is missing, although the match was played to its end.');
  });

  it('passes over links to nothing and folders that cannot be read, and follows no link in a record', async () => {
    copied('odd', 'sound');
    const linked = copied('odd', 'linked', 1);
    const answers = path.join(linked, 'answers.ndjson');
    cpSync(answers, at('elsewhere.ndjson'));
    rmSync(answers);
    symlinkSync(at('elsewhere.ndjson'), answers);
    symlinkSync(at('gone'), at('odd', 'dangling'));
    symlinkSync('loop', at('odd', 'loop'));
    mkdirSync(at('odd', 'set'));
    symlinkSync(at('gone'), at('odd', 'set', 'deep'));
    const { code, stderr } = await run('report', [at('odd'), ...quick]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 match is reported') });
    const { matches, left_out: leftOut } = reportedIn(at('odd', 'report'));
    expect(matches).toBe(1);
    expect(leftOut.map(({ folder, message }) => [path.relative(at('odd'), folder), message.split(/[:,]/)[0]])).toEqual([
      ['dangling', 'ENOENT'],
      ['linked', `${answers} is a link; files of a record must not be links. Replace it with the file itself.`],
      ['loop', 'ELOOP'],
      ['set/deep', 'ENOENT'],
    ]);
  });

  it('writes no file that a link in a folder of others points to', async () => {
    const [many, alone] = [copied('hostile', 'many'), copied('hostile-alone', 'alone')];
    mkdirSync(at('hostile', 'report', 'details'), { recursive: true });
    const targets = [
      ...[
        'report.md',
        'details/lies.md',
        'report.json',
        'figures.csv',
        'report.md.new',
        'matches.csv',
        'matches.csv.new',
        'claims.parquet.new',
      ].map((name) => path.join(path.dirname(many), 'report', name)),
      ...['deception_summary.json.new', 'deception_summary.md', 'deception_summary.md.new', 'claims.csv'].map((name) =>
        path.join(alone, name),
      ),
    ];
    const precious = at('precious.txt');
    writeFileSync(precious, 'precious');
    for (const target of targets) {
      rmSync(target, { force: true });
      symlinkSync(precious, target);
    }
    const ended = await Promise.all([
      run('report', [at('hostile'), '--no-baselines', '--resamples', '20']),
      run('report', [alone]),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    expect(readdirSync(at('hostile', 'report')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('counts the sound copy of a match of which another is damaged', async () => {
    copied('copies', 'a');
    cpSync(at('copies', 'a'), at('copies', 'b'), { recursive: true });
    rewriteLine(at('copies', 'a'), 'events.ndjson', 4, () => 'torn');
    const { report } = await reportMany({ ...options, folders: [at('copies')], out: at('copied') });
    expect([report.matches, reasons(report.left_out)]).toEqual([1, [['copies/a', 'damaged']]]);
  });
});

describe('labels from elsewhere', () => {
  const server = openOpenaiServer([{ text: '{"claims":[],"count":0}' }]);
  afterAll(async () => (await server).close());

  it('are asked of a judge once, and then read', async () => {
    copied('judged', 'a');
    const args = [at('judged'), '--judge', 'openai:local', ...quick];
    const asked = await run('report', args, reaching(await server));
    const { requests } = await server;
    const count = requests.length;
    expect([asked.code, count > 0]).toEqual([0, true]);
    const again = await run('report', args, { env: {} });
    expect({ code: again.code, count: requests.length }).toEqual({ code: 0, count });
    const drawn = reportedIn(at('judged', 'report')).conditions.find(({ name }) => name === 'claims drawn by');
    expect(drawn?.values).toEqual([{ value: 'openai:local', matches: 1 }]);
  });

  it('are asked of a judge within the limits that were typed', async () => {
    copied('slow', 'a');
    const slow = await openOpenaiServer([{ status: 429, headers: { 'retry-after': '60' } }]);
    const args = [at('slow'), '--judge', 'openai:local', ...quick];
    const { code, stderr } = await run('report', [...args, '--concurrency', '1', '--max-wait', '1'], reaching(slow));
    await slow.close();
    expect({ code, calls: slow.requests.length }).toEqual({ code: 3, calls: 1 });
    expect(stderr).toContain('--max-wait allows 1');
  });

  it('of a judge that quotes words which nobody said are counted in the notes', async () => {
    const liar = await openOpenaiServer(({ body }) => {
      const [, by] = /^Then (\p{L}+) .*:$/mu.exec(body.messages[1]!.content)!;
      const [quote, type, subject, role] = ['xylophone', 'own_role', by, 'Seer'];
      const rest = { object: null, team: null, verbs: [], cause: null, round: null, polarity: true };
      const stated = { quote, type, subject, role, ...rest, hedged: false, presupposed: false };
      const isQuoting = body.messages[1]!.content.includes('You noted these claims');
      return { text: JSON.stringify(isQuoting ? { claim_1: '' } : { claims: [stated], count: 1 }) };
    });
    copied('liar', 'a');
    await run('report', [at('liar'), '--judge', 'openai:local', '--no-guard', ...quick], reaching(liar));
    await liar.close();
    expect(liar.requests).toHaveLength(2); // one question about the statement, and a second one for the quoted words
    const note = '1 claim of the judge in 1 match does not count: the words that it quotes are not in the statement';
    expect(reportedIn(at('liar', 'report')).notes).toContainEqual(expect.stringContaining(note));
  });

  it('that a judge could not give are said to be missing, and count as no zeros', async () => {
    const mute = await openOpenaiServer([{ text: 'no' }]);
    copied('mute', 'a');
    const args = [at('mute'), '--judge', 'openai:local', '--no-baselines', '--resamples', '20'];
    const { code, stderr } = await run('report', args, reaching(mute));
    await mute.close();
    const rows = readTable(readFileSync(at('mute', 'report', 'statements.csv'), 'utf8'));
    const unread = rows.filter((row) => row['is_judge_missing'] === 'true').length;
    const note = `${unread} of ${rows.length} statements could not be read: the judge gave no readable answer`;
    expect({ code, stderr, isAll: unread === rows.length }).toEqual({
      code: 0,
      stderr: expect.stringContaining(note) as unknown,
      isAll: true,
    });
    const { notes, metrics: reported } = reportedIn(at('mute', 'report'));
    expect(notes).toEqual([expect.stringContaining(note)]);
    const ofClaims = metrics.filter(({ readsClaims }) => readsClaims === 'counted').map(({ name }) => name);
    const figures = reported.filter(({ name }) => ofClaims.includes(name)).flatMap((metric) => metric.figures);
    expect(figures.filter(({ value }) => value !== null)).toEqual([]);
  });

  it('are not asked for where the report could not be made', async () => {
    copied('unasked', 'a');
    const byStatement = JSON.parse(readFileSync(ruleErrorsFile, 'utf8')) as object;
    writeFileSync(at('err.json'), JSON.stringify({ ...byStatement, extractor: 'openai:local' }));
    const args = [at('unasked'), '--judge', 'openai:local', '--judge-per', 'day', ...quick];
    const count = (await server).requests.length;
    for (const [wrong, message] of [
      [['--errors', at('err.json')], 'contains the errors of openai:local, but the claims are extracted by'],
      [['--errors', at('nowhere.json')], 'cannot be read'],
      [['--out', at('unasked', 'a')], 'own files would be overwritten'],
    ] as const) {
      const { code, stderr } = await run('report', [...args, ...wrong], reaching(await server));
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as unknown });
    }
    expect((await server).requests).toHaveLength(count);
  });

  itLong('are those of the judge that all matches name, unless they are not wanted', async () => {
    const played = at('named');
    const small = ['--board', smallBoard];
    const of = ['--out', played, ...small, '--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--quiet'];
    const file = at('named.yaml');
    writeFileSync(file, 'judge: openai:local\nmatches: 2\n');
    const refusing = await openOpenaiServer([{ status: 401 }]); // the matches name judges that answer nothing
    const refused = reaching(refusing);
    expect((await run('match', [file, ...of, '--seed', '3'], refused)).code).toBe(3);
    writeFileSync(file, 'judge: openai:other?temperature=0\nmatches: 2\n');
    const finished = await run('match', [file, ...of.slice(0, -1), '--seed', '3'], refused);
    expect(finished.code).toBe(3);
    expect(finished.stderr).toMatch(
      /2 finished matches name the judge openai:local and are not changed to openai:other\?temperature=0\. .*: npm run report -- \S+ --judge 'openai:other\?temperature=0'\n/,
    );
    const drawnBy = () =>
      reportedIn(path.join(played, 'report')).conditions.find((one) => one.name === 'claims drawn by');
    const [one] = listFolderNames(played);
    const again = await run('match', ['--out', played, ...small, '--id', one!, '--judge', 'openai:other'], refused);
    expect(again.stderr).toContain('1 finished match names the judge openai:local and is not changed to openai:other');
    rmSync(path.join(played, one!, 'deception_summary.json')); // as if the match had been stopped before its summary was written
    const alone = path.join(played, one!);
    const other = await run('match', ['--out', played, ...small, '--id', one!, '--judge', 'openai:other'], refused);
    expect(other.stderr).toContain('names the judge openai:local, which is not changed');
    await refusing.close();
    expect((await run('replay', [alone], { env: {} })).code).toBe(0);
    const byRules = await run('report', [alone], { env: {} });
    expect(byRules.code).toBe(0);
    expect(byRules.stderr).toMatch(
      /^The built-in rules extract the claims, .* names the judge openai:local\. .*: npm run report -- \S+ --judge openai:local\n$/,
    );
    expect(await run('report', [alone, '--no-judge'], { env: {} })).toMatchObject({ code: 0, stderr: '' });
    const dryAlone = await run('report', [alone, '--dry-run'], { env: {} });
    expect(dryAlone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'the report of a single match uses the rules and no judge. Name a judge with --judge.',
      ) as unknown,
    });
    const before = (await server).requests.length;
    const dry = await run('report', [played, ...quick, '--dry-run', '--judge', 'openai:local'], { env: {} });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('No calls were made') as unknown });
    const unnamed = await run('report', [played, ...quick, '--dry-run'], { env: {} });
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('Name a judge with --judge') as unknown });
    const uncalled = await run('report', [played, ...quick], reaching(await server));
    expect(uncalled.code).toBe(0);
    expect(uncalled.stderr).toContain(
      `These matches name the judge openai:local, which has not read them. A judge is only asked if the command names it: npm run report -- ${played} --judge openai:local\nWith --no-judge, the rules extract the claims.\n`,
    );
    expect(uncalled.stdout).toMatch(/Nothing is compared or ranked.*has read too few/);
    expect(drawnBy()?.values).toEqual([{ value: 'openai:local', matches: 2 }]);
    expect((await server).requests).toHaveLength(before);
    const keyless = await run('report', [played, ...quick, '--judge', 'openai:local'], { env: {} });
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('OPENAI_API_KEY') as unknown });
    const asked = await run('report', [played, ...quick, '--judge', 'openai:local'], reaching(await server));
    expect(asked.code).toBe(0);
    const calls = (await server).requests.length;
    const { code, stderr } = await run('report', [played, ...quick], reaching(await server));
    expect([code, (await server).requests.length]).toEqual([0, calls]);
    expect(stderr).toContain('Claims are extracted by openai:local, the judge that all these matches name');
    expect(drawnBy()?.values).toEqual([{ value: 'openai:local', matches: 2 }]);
    expect((await run('report', [played, ...quick, '--no-judge'], { env: {} })).code).toBe(0);
    expect(drawnBy()?.values).toEqual([{ value: 'rules', matches: 2 }]);
    const answers = path.join(played, one!, 'claims.openai-local.ndjson');
    const whole = readFileSync(answers, 'utf8');
    writeFileSync(answers, whole.replace('{', '['));
    const damaged = await run('report', [played, ...quick], { env: {} });
    expect(damaged.stderr).toContain('claims.openai-local.ndjson: 1 of its');
    expect(drawnBy()?.values).toEqual([{ value: 'openai:local', matches: 2 }]);
    writeFileSync(answers, `${whole.split('\n').slice(0, 2).join('\n')}\n`);
    const partly = await run('report', [played, ...quick], { env: {} });
    expect([damaged.code, partly.code]).toEqual([0, 0]);
    expect(partly.stderr).toMatch(/1 of 2 matches are not fully judged\..* has no answer of openai:local/);
    expect(partly.stderr).toContain(`npm run report -- ${played} --judge openai:local`);
    expect(drawnBy()?.values).toEqual([{ value: 'openai:local', matches: 2 }]);
    writeFileSync(answers, whole);
    expect((await run('match', ['--out', played, '--seed', '9', ...of.slice(2)], { env: {} })).code).toBe(0);
    const mixed = await run('report', [played, ...quick], { env: {} });
    expect(mixed.code).toBe(0);
    expect(mixed.stderr).toContain(
      'These matches do not name the same judge: none (in 1), openai:local (in 2). The built-in rules extract the claims. Name one judge for all with --judge',
    );
    expect(drawnBy()?.values).toEqual([{ value: 'rules', matches: 3 }]);
  });

  it('are asked of what is sound where other matches cannot have happened so', async () => {
    copied('partly', 'a');
    rewrite(copied('partly', 'b', 1), 'events.ndjson', (text) => text.replaceAll(/"by":"\w+"/g, '"by":"Nobody"'));
    forge(at('partly', 'b'));
    const args = [at('partly'), '--judge', 'openai:local', ...quick];
    const { stderr } = await run('report', args, reaching(await server));
    expect(stderr).toContain('partly/b');
    expect(reportedIn(at('partly', 'report'))).toMatchObject({ matches: 1, left_out: [{ reason: 'damaged' }] });
  });

  it('that are wanted and not there leave a match out', async () => {
    copied('half', 'a');
    cpSync(at('half', 'a'), at('half', 'b'), { recursive: true });
    const wanted = reportMany({
      ...options,
      folders: [at('half')],
      out: at('half', 'out'),
      judge: { models: ['openai:other', 'openai:third?a=1&b=2'], repeat: 3 },
    });
    await expect(wanted).rejects.toThrow(
      /No match can be reported:\n.*has no answer of openai:other to .*: npm run report -- FOLDER --judge openai:other 'openai:third\?a=1&b=2' --repeat 3\. /,
    );
  });

  it('of statements that the record lost do not hide that it is not whole', async () => {
    const [cut, holed] = [copied('lost', 'cut', 0), copied('lost', 'holed', 1)];
    expect((await run('annotate', [at('lost'), '--model', 'bot:classic', '--quiet'])).code).toBe(0);
    copied('lost', 'sound', 2);
    rewrite(cut, 'events.ndjson', (text) => text.split('\n').slice(0, 9).join('\n') + '\n');
    rmSync(path.join(cut, 'deception_summary.json'));
    rewrite(holed, 'events.ndjson', (text) => text.replace(/\n.*"type":"statement".*/, ''));
    forge(holed);
    const { report } = await reportMany({ ...options, folders: [at('lost')], out: at('lost', 'out') });
    expect(reasons(report.left_out)).toEqual([
      ['lost/cut', 'not over'],
      ['lost/holed', 'damaged'],
    ]);
    expect(report.left_out[1]!.message).toMatch(
      /annotations\.bot-classic\.ndjson judges statement "1\.1", which is not in .*: the record or this file is damaged\./,
    );
  });

  it('that are damaged leave a match out', async () => {
    copied('annotated', 'a');
    writeFileSync(path.join(copied('annotated', 'b', 1), 'annotations.openai-local.ndjson'), 'torn\n');
    const { report } = await reportMany({ ...options, folders: [at('annotated')], out: at('annotated', 'out') });
    expect([report.matches, reasons(report.left_out)]).toEqual([1, [['annotated/b', 'damaged']]]);
  });
});

describe('there is no report', () => {
  it.each([
    ['in an empty folder', () => [at('empty')], 'contains no match: there is no manifest.json in it or in folders'],
    [
      'in a folder that is not there',
      () => [at('played'), at('nowhere')],
      'nowhere is not the folder of a match: it does',
    ],
    [
      'in the folder of a match',
      () => [at('played'), '--out', at('played', played[0]!)],
      'own files would be overwritten',
    ],
  ])('%s', async (_, args, message) => {
    mkdirSync(at('empty'), { recursive: true });
    const { code, stdout, stderr } = await run('report', args());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('where no record is sound, and nothing is left behind', async () => {
    rewriteLine(copied('unsound', 'a'), 'events.ndjson', 2, () => '{}');
    const { code, stdout, stderr } = await run('report', [at('unsound'), '--no-baselines']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^No match can be reported:\n {2}.*events\.ndjson, line 2 is damaged/);
    expect(readdirSync(at('unsound'))).toEqual(['a']);
  });
});

const shelf = createTemporaryFolder();
const golden = path.join(import.meta.dirname, '../golden/wolf-bots');

describe('the report of a match', () => {
  it('that nobody can have played has its pages and no tables, and the error says why', async () => {
    const folder = path.join(shelf, 'impossible');
    cpSync(golden, folder, { recursive: true });
    rmSync(path.join(folder, 'deception_summary.md'), { force: true });
    rewrite(folder, 'events.ndjson', (text) => {
      const found = text.split('\n').find((line) => line.includes('"type":"learned"'))!;
      const everybody = ['Isaac', 'Jacob', 'Bert'].map((name) => found.replace(/"about":"\w+"/, `"about":"${name}"`));
      return text.replace(found, everybody.join('\n'));
    });
    const reason = /What Sam saw cannot have happened under the rules/;
    await expect(writeReport(folder, () => undefined)).rejects.toThrow(
      `There are no tables of the match in ${folder}: `,
    );
    await expect(writeReport(folder, () => undefined)).rejects.toThrow(reason);
    const files = readdirSync(folder);
    expect(files).toContain('deception_summary.md');
    expect(files.filter((name) => name.endsWith('.csv'))).toEqual([]);
  });
});
