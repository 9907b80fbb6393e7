// One bad item among many stops no command: it is named, and all others are processed.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPool } from '../../graph/experience/pool-folder.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { copyUnfinished, forge, rewrite, listFolderNames } from '../record-folder.ts';
import { readTable } from '../csv.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { run, shortest } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);

const local = await openOpenaiServer((request) => {
  try {
    return legally(request);
  } catch {
    return { text: '{"claims":[]}' }; // the question is not to a player but to a judge, who gives claims
  }
});
afterAll(() => local.close());
const here = reaching(local);
const models = at('models.yaml');
writeFileSync(models, 'honest: bot:classic?lie=0\n');
const play = (out: string, ...flags: string[]) =>
  run('match', ['--out', out, '--matches', '3', '--seed', '1', '--quiet', ...shortest, ...flags], here);

/** Folders of matches of a language model, and of matches of a bot with a name. */
let played: string[];
let named: string[];
beforeAll(async () => {
  for (const [folder, ...flags] of [
    ['played', '--model', 'openai:gpt'],
    ['named', '--model', 'honest', '--models', models],
  ] as const)
    expect(await play(at(folder), ...flags)).toMatchObject({ code: 0 });
  [played, named] = ['played', 'named'].map((name) => listFolderNames(at(name)).sort()) as [string[], string[]];
});

function copied(from: string, name: string): string {
  cpSync(at(from), at(name), { recursive: true });
  return at(name);
}

/** Copies the first match of a folder. `name`: folder and id of the copy. `change` rewrites the copy's manifest. */
function addCopy(folder: string, name: string, change: (manifest: string) => string): void {
  cpSync(path.join(folder, readdirSync(folder).sort()[0]!), path.join(folder, name), { recursive: true });
  rewrite(path.join(folder, name), 'manifest.json', (text) => change(text.replace(/"id": "[^"]*"/, `"id": "${name}"`)));
  forge(path.join(folder, name));
}

/** In this record, the name stands for another model than in the other records. */
const clash = (text: string) => text.replaceAll(/\blie=0\b/g, 'lie=0.5');

const quick = ['--no-baselines', '--resamples', '2', '--no-cache'];
const counted = (out: string) =>
  readTable(readFileSync(path.join(out, 'matches.csv'), 'utf8')).map((row) => row['match_id']);

describe('a record in which a name stands for another model than in the others', () => {
  it('is named and left out of a report, a comparison and a pilot', async () => {
    const folder = copied('named', 'clash');
    addCopy(folder, 'stray', clash);
    const report = await run('report', [folder, '--out', at('clash-report'), ...quick]);
    expect(report).toMatchObject({ code: 0 });
    expect(report.stderr).toContain('stray');
    expect(counted(at('clash-report'))).toEqual(named);
    const { left_out: leftOut } = JSON.parse(readFileSync(at('clash-report', 'report.json'), 'utf8')) as {
      left_out: { folder: string; reason: string; message: string }[];
    };
    expect(leftOut).toEqual([
      {
        ...{ folder: path.join(folder, 'stray'), reason: 'same model name' },
        message: expect.stringMatching(/^honest stands for \S+lie=0\.5\S* here, but for \S+lie=0\S* in /),
      },
    ]);
    const compared = await run('compare', [folder, at('named'), '--out', at('clash-compared'), '--resamples', '2']);
    expect({ ...compared, isNamed: compared.stderr.includes('stray') }).toMatchObject({ code: 0, isNamed: true });
    expect(await run('plan', [folder, '--effect', '.2', '--json', '--no-cache'])).toMatchObject({ code: 0 });
  });
});

describe('a record whose address is lost', () => {
  it('fails alone where its set goes on', async () => {
    const folder = copied('played', 'lost');
    const [first] = played as [string];
    const manifest = path.join(folder, first);
    cpSync(copyUnfinished(manifest, at('stopped')), manifest, { recursive: true });
    rmSync(path.join(manifest, 'deception_summary.json'));
    rmSync(path.join(manifest, 'prompts.ndjson.gz'));
    rewrite(manifest, 'answers.ndjson', (text) => text.split('\n').slice(0, 3).join('\n') + '\n');
    rewrite(manifest, 'events.ndjson', (text) => text.split('\n').slice(0, 3).join('\n') + '\n');
    const flags = ['--model', 'openai:gpt?structured=schema', '--out', folder, '--seed', '1', '--quiet', ...shortest];
    const vendor = { env: { OPENAI_API_KEY: 'key' } }; // neither the record nor the environment names the address
    const { code, stderr } = await run('match', ['--matches', '3', ...flags], vendor);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('no address is given now'),
    });
    expect(stderr).toContain(first);
    for (const sound of played.slice(1)) expect(stderr).not.toContain(sound);
    // If no record fits the command, the command is wrong.
    expect(await run('match', ['--matches', '1', ...flags], vendor)).toMatchObject({ code: 2 });
  });
});

describe('answers beside one record that are damaged or cannot be written', () => {
  const damage = (folder: string, file: string) => writeFileSync(path.join(folder, played[0]!, file), 'no JSON\n{}\n');

  it('are asked again by report --judge, beside what can still be read', async () => {
    const folder = copied('played', 'judged');
    damage(folder, 'claims.openai-gpt.ndjson');
    const args = [folder, '--judge', 'openai:gpt', '--out', at('judged-report'), ...quick];
    const dry = await run('report', [...args, '--dry-run'], here);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/[1-9]\d* questions/) });
    expect((await run('report', args, here)).code).toBe(0);
    expect(counted(at('judged-report'))).toEqual(played);
  });

  it('are named by pool build --reflect, and the pool is made of the others', async () => {
    const folder = copied('played', 'reflected');
    damage(folder, 'reflections.openai-gpt.ndjson');
    const { code, stderr } = await run('pool', ['build', folder, '--reflect', 'openai:gpt', '--out', at('pool')], here);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`Left out: \\S*${played[0]!}\\. .*reflections\\S+ line 1`)),
    });
    expect([...new Set(readPool(at('pool')).entries.map(({ match }) => match))].sort()).toEqual(played.slice(1));
  });

  it('are named by annotate where only writing fails, and the others are annotated', async () => {
    const folder = copied('played', 'annotated');
    mkdirSync(path.join(folder, played[0]!, 'annotations.openai-gpt.ndjson.lock'));
    const { code, stderr } = await run('annotate', [folder, '--model', 'openai:gpt'], here);
    expect({ code, isNamed: stderr.includes(`${played[0]!}.`) }).toEqual({ code: 1, isNamed: true });
    const hasAnswers = played.map((id) => existsSync(path.join(folder, id, 'annotations.openai-gpt.ndjson')));
    expect(hasAnswers).toEqual([false, true, true]);
  });
});

describe('a match behind a link', () => {
  it('is named by report --judge and --match-pages, which write nothing beside it', async () => {
    const folder = at('links');
    mkdirSync(folder);
    cpSync(at('played', played[1]!), path.join(folder, played[1]!), { recursive: true });
    symlinkSync(at('played', played[0]!), path.join(folder, played[0]!));
    const args = [folder, '--judge', 'openai:gpt', '--out', at('links-report'), ...quick, '--match-pages'];
    const { code, stderr } = await run('report', args, here);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        new RegExp(
          `Not judged: \\S*${played[0]!}\\. \\S* is reached through a symbolic link, .* Name the folder itself\\.`,
        ),
      ),
    });
    const pages = await run('report', [folder, '--no-judge', '--out', at('links-pages'), ...quick, '--match-pages']);
    expect(pages.stderr).toContain('No page is written: ');
    expect(readdirSync(at('played', played[0]!)).filter((name) => /^(claims|match\.html)/.test(name))).toEqual([]);
  });
});

describe('the page of one match that cannot be written', () => {
  it('is named, and the report is made', async () => {
    const folder = copied('named', 'pages');
    mkdirSync(path.join(folder, named[0]!, 'match.html'));
    const { code, stderr } = await run('report', [folder, '--out', at('pages-report'), ...quick, '--match-pages']);
    expect({ code, isNamed: stderr.includes(path.join(named[0]!, 'match.html')) }).toEqual({ code: 0, isNamed: true });
    expect(existsSync(path.join(folder, named[1]!, 'match.html'))).toBe(true);
  });
});

describe('a record that takes the id of another', () => {
  it('takes no place from it in a pool', async () => {
    const folder = copied('named', 'stolen');
    const [id] = named as [string];
    cpSync(path.join(folder, named[1]!), path.join(folder, 'a-thief'), { recursive: true });
    rewrite(path.join(folder, 'a-thief'), 'manifest.json', (text) => text.replace(/"id": "[^"]*"/, `"id": "${id}"`));
    forge(path.join(folder, 'a-thief'));
    const build = (from: string, out: string) => run('pool', ['build', from, '--out', at(out)]);
    const { code, stderr } = await build(folder, 'pool-stolen');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^Left out: \S*a-thief: Its id \S+ is also that of \S+, a match with another set-up\./,
      ),
    });
    await build(at('named'), 'pool-named');
    expect(readPool(at('pool-stolen')).sha256).toBe(readPool(at('pool-named')).sha256);
  });
});

describe('a judge that a record names', () => {
  it.each(['nonsense', 'bot:classic?nonsense=1', 'bot:meant'])('does not stop a report: %s', async (judge) => {
    const folder = copied('played', `judge-${judge.replace(/\W/g, '-')}`);
    for (const id of played) {
      rewrite(path.join(folder, id), 'manifest.json', (text) => text.replace('{', `{ "judge": "${judge}",`));
      forge(path.join(folder, id));
    }
    const { code, stderr } = await run('report', [folder, '--out', `${folder}-report`, ...quick]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/Their statements without an answer count as not read|The built-in rules extract/),
    });
    expect(counted(`${folder}-report`)).toEqual(played);
  });
});

describe('a tournament', () => {
  it('of which tournament.json is damaged is reported without its plan, which is told', async () => {
    const plan = writeShortPlan(
      root,
      'tea',
      'entrants: { a: bot:classic, b: bot:random }',
      'format: round-robin',
      'deals: 1',
    );
    const out = at('tea-runs');
    await run('tournament', [plan, '--out', out, '--quiet']);
    writeFileSync(path.join(out, 'tournament.json'), '{}');
    const { code, stderr } = await run('report', [out, '--out', at('tea-report'), ...quick]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('is not a valid record of a tournament'),
    });
    expect(counted(at('tea-report'))).toHaveLength(2);
  });
});

describe('games of another program', () => {
  it('are imported without the damaged session and one of the same name', async () => {
    const games = at('games');
    const id = 'session_20241117_221340';
    const source = path.join(import.meta.dirname, '../published-games', id);
    for (const name of [id, 'damaged', path.join('more', id)])
      cpSync(source, path.join(games, name), { recursive: true });
    for (const file of readdirSync(path.join(games, 'damaged'))) writeFileSync(path.join(games, 'damaged', file), '{');
    const folders = [id, 'damaged', path.join('more', id)].map((name) => path.join(games, name));
    const { code, stderr } = await run('import', ['--format', 'arena', ...folders, '--out', at('imported')]);
    expect({ code, written: readdirSync(at('imported')) }).toEqual({ code: 1, written: [id] });
    expect(stderr).toMatch(/Left out: \S*damaged\. /);
    expect(stderr).toContain(`Two of the matches would be named ${id}`);
  });
});
