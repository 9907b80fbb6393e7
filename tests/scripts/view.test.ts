// The server of `npm run view`, which reads only and answers only this machine and those who know its address; and its
// list of matches.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { readViewedMatch } from '../../scripts/view/read-match.ts';
import type { ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { openViewServer, type ViewServer } from '../../scripts/view/view-server.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { copyUnfinished } from '../record-folder.ts';
import { reaching } from './local-model.ts';
import { run, startScript } from './process.ts';
import { itLong } from '../it-long.ts';

const out = createTemporaryFolder();
const cache = createTemporaryFolder();
const root = path.join(out, 'runs');
const board = createBoard(2, 1, 0, 3);
const rule = { maxRounds: 1, debateTurns: 3 };
let server: ViewServer;

/** Copies a match with the first half of its events, so that it looks like a running match. */
function copyBegun(of: string, as: string): string {
  const folder = path.join(root, 'study', as);
  copyUnfinished(path.join(root, 'study', of), folder);
  const file = path.join(folder, 'events.ndjson');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${lines.slice(0, lines.length / 2).join('\n')}\n`);
  return folder;
}

/** Reads all files: name → contents. */
const readAll = () =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        path.join(parentPath, name),
        readFileSync(path.join(parentPath, name), 'latin1'),
      ]),
  );

beforeAll(async () => {
  for (const seed of [1, 2]) await playMatch({ out: path.join(root, 'study'), id: `m${seed}`, seed, board, rule });
  copyBegun('m1', 'half');
  mkdirSync(path.join(out, 'outside'));
  cpSync(path.join(root, 'study/m1'), path.join(out, 'outside/secret'), { recursive: true });
  symlinkSync(path.join(out, 'outside/secret'), path.join(root, 'link'));
  // Time stands still while the server scans the folder. After a long scan, as on a busy machine, the server would
  // pause.
  const timeless = { ...getMachine(), clock: { ...systemClock, elapsed: () => 0 } };
  const options = { index: new MatchIndex(root, cache), script: 'let script;', port: 0 };
  server = await runOnMachine(timeless, () => openViewServer(root, options));
});
afterAll(() => server.close());

interface Reply {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

const ask = (
  what: string,
  {
    method = 'GET',
    host,
    tag,
    address = server.address,
  }: { method?: string; host?: string; tag?: string; address?: string } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const url = new URL(address);
    const sent = request(
      {
        agent: false, // an idle connection may be closed just when it is used again
        host: '127.0.0.1',
        port: url.port,
        path: `${url.pathname}${what}`,
        method,
        headers: { ...(host !== undefined && { host }), ...(tag !== undefined && { 'if-none-match': tag }) },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
      },
    );
    sent.on('error', reject).end();
  });

const listMatches = async () =>
  (JSON.parse((await ask('api/matches')).body) as { matches: { path: string; winner: string }[] }).matches;

describe('the server', () => {
  it('serves the page, its parts and its matches under a policy without scripts of others', async () => {
    const page = await ask('');
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
    expect(page.headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect((await ask('viewer.js')).body).toBe('let script;');
    expect((await ask('viewer.css')).body).toContain('color-scheme: light dark');
    expect((await listMatches()).map((row) => [row.path, row.winner === 'stopped']).sort()).toEqual([
      ['study/half', true],
      ['study/m1', false],
      ['study/m2', false],
    ]);
    expect(JSON.parse((await ask('api/match?path=study/m1')).body)).toMatchObject({ id: 'm1', isOver: true });
    expect(JSON.parse((await ask('api/match?path=study/half')).body)).toMatchObject({ isOver: false });
  });

  it('serves reports below the folder with their pictures, shut off from everything else, and no other file', async () => {
    const write = (name: string) => {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), `<title>${name}</title>`);
    };
    const pages = ['study/report/report.html', 'study/a b#/comparison.html', 'study/both/leaderboard.html'];
    const beside = ['study/report/pictures/wins.svg', 'study/report/pictures/wins.csv', 'study/report/figures.csv'];
    const others = ['study/report/other.html', 'study/report/matches.csv', 'study/pictures/wins.svg'];
    for (const name of [...pages, ...beside, ...others]) write(name);
    for (const name of [...pages, ...beside]) {
      const { headers, body } = await ask(`page/${name.split('/').map(encodeURIComponent).join('/')}`);
      expect(body).toBe(`<title>${name}</title>`);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src data:;.* sandbox /);
      expect(policy).not.toMatch(/allow-(scripts|same-origin|forms|popups)|script-src|connect-src/);
    }
    const { reports } = JSON.parse((await ask('api/matches')).body) as { reports: { name: string; href: string }[] };
    expect(reports.map(({ name }) => name).sort()).toEqual([...pages].sort());
    for (const { name, href } of reports) expect((await ask(href)).body).toBe(`<title>${name}</title>`);
    for (const name of [...others, 'study/m1/manifest.json', '%', '..%2Foutside%2Fsecret%2Fmatch.html'])
      expect((await ask(`page/${name}`)).status).toBe(404);
    for (const name of ['report', 'a b#', 'both', 'pictures'])
      rmSync(path.join(root, 'study', name), { recursive: true });
  });

  it('serves nothing through a link, whether of a page, a picture or a folder on the way', async () => {
    const report = path.join(root, 'study/linked');
    const outside = createTemporaryFolder();
    mkdirSync(report);
    for (const name of ['report.html', 'figures.csv', 'wins.svg'])
      writeFileSync(path.join(outside, name), '<title>secret</title>');
    writeFileSync(path.join(report, 'report.html'), '<title>report</title>');
    symlinkSync(outside, path.join(report, 'pictures'));
    symlinkSync(path.join(outside, 'figures.csv'), path.join(report, 'figures.csv'));
    symlinkSync(report, path.join(root, 'study/other'));
    expect((await ask('page/study/linked/report.html')).status).toBe(200);
    for (const name of ['linked/pictures/wins.svg', 'linked/figures.csv', 'other/report.html', 'other/figures.csv'])
      expect((await ask(`page/study/${name}`)).status).toBe(404);
    for (const name of ['linked', 'other']) rmSync(path.join(root, 'study', name), { recursive: true });
  });

  it('makes the page of a match itself, whatever file lies there', async () => {
    const planted = path.join(root, 'study/m1/match.html');
    writeFileSync(planted, '<script>fetch("../../../api/matches")</script>');
    const { status, headers, body } = await ask('page/study/m1/match.html');
    rmSync(planted);
    expect(status).toBe(200);
    expect(body).toContain('<title>m1</title>');
    expect(body).not.toContain('fetch("../');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+'; .*sandbox allow-scripts$/);
    expect((await ask('page/study/m2/match.html')).body).toContain('<title>m2</title>');
    for (const name of ['study/match.html', 'link/match.html']) expect((await ask(`page/${name}`)).status).toBe(404);
  });

  it('puts links in place of the commands of a report, where one match near it is meant', async () => {
    const report = path.join(root, 'study/report/report.html');
    mkdirSync(path.dirname(report));
    const tell = (id: string) => `<code data-match="${id}" data-moment="1.Ann">npm run show -- runs/${id}</code>`;
    writeFileSync(report, `${tell('m2')} ${tell('elsewhere')}`);
    const { pathname } = new URL(server.address);
    const link = `<a href="${pathname}page/study/m2/match.html#/match/m2/1.Ann">its match</a>`;
    expect((await ask('page/study/report/report.html')).body).toBe(`${link} ${tell('elsewhere')}`);
    cpSync(path.join(root, 'study/m2'), path.join(root, 'other/m2'), { recursive: true });
    await listMatches();
    expect((await ask('page/study/report/report.html')).body).toContain(link);
    cpSync(path.join(root, 'study/m2'), path.join(root, 'study/again'), { recursive: true });
    await listMatches();
    expect((await ask('page/study/report/report.html')).body).toContain(tell('m2'));
    for (const name of ['study/report', 'study/again', 'other']) rmSync(path.join(root, name), { recursive: true });
  });

  it('opens a page that nobody has listed yet, and its address without the last slash', async () => {
    const report = path.join(root, 'study/report/report.html');
    mkdirSync(path.dirname(report));
    writeFileSync(report, 'found');
    const fresh = await openViewServer(root, { index: new MatchIndex(root, null), script: '', port: 0 });
    expect((await ask('page/study/report/report.html', { address: fresh.address })).body).toBe('found');
    const { pathname } = new URL(fresh.address);
    expect(await ask('', { address: fresh.address.slice(0, -1) })).toMatchObject({
      status: 308,
      headers: { location: pathname },
    });
    await fresh.close();
    rmSync(path.dirname(report), { recursive: true });
  });

  it('sends again only what has changed', async () => {
    const first = await ask('api/matches');
    const tag = String(first.headers['etag']);
    expect(await ask('api/matches', { tag })).toMatchObject({ status: 304, body: '' });
    copyBegun('m1', 'newer');
    expect((await ask('api/matches', { tag })).status).toBe(200);
    rmSync(path.join(root, 'study/newer'), { recursive: true });
  });

  it('answers HEAD as GET without a body, and changes nothing', async () => {
    const before = readAll();
    const [got, headed] = [
      await ask('api/match?path=study/m1'),
      await ask('api/match?path=study/m1', { method: 'HEAD' }),
    ];
    expect(headed).toMatchObject({ status: 200, body: '' });
    expect(headed.headers['content-length']).toBe(got.headers['content-length']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('', { method })).status).toBe(405);
    expect(readAll()).toEqual(before);
  });

  it.each([
    ['nothing', 'nothing'],
    ['no match', 'api/match?path=study'],
    ['a path outside', 'api/match?path=../outside/secret'],
    ['a path outside, in disguise', 'api/match?path=study%2F..%2F..%2Foutside%2Fsecret'],
    ['an absolute path', `api/match?path=${encodeURIComponent(path.join(out, 'outside/secret'))}`],
    ['what a link leads to', 'api/match?path=link'],
    ['a file', 'page/../study/m1/manifest.json'],
    ['a report that is not there', 'page/report/report.html'],
  ])('has %s nowhere', async (_what, where) => {
    expect((await ask(where)).status).toBe(404);
  });

  it('is closed to who does not know its token', async () => {
    const { origin } = new URL(server.address);
    for (const address of [`${origin}/`, `${origin}/00000000000000000000000000000000/`])
      expect((await ask('', { address })).status).toBe(404);
  });

  it.each([
    ['localhost', 200],
    ['127.0.0.1:9999', 200],
    ['[::1]:80', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example:80', 403],
  ])('takes the name %s: %i', async (host, status) => {
    expect((await ask('', { host })).status).toBe(status);
  });

  it('follows a match as it is written, also with half a line, and forgets one that is gone', async () => {
    const half = copyBegun('m2', 'growing');
    const count = async () =>
      (JSON.parse((await ask('api/match?path=study/growing')).body) as { steps: unknown[] }).steps.length;
    const before = await count();
    const all = readFileSync(path.join(root, 'study/m2/events.ndjson'), 'utf8');
    const written = readFileSync(path.join(half, 'events.ndjson'), 'utf8');
    const more = all.slice(written.length).slice(0, -40);
    appendFileSync(path.join(half, 'events.ndjson'), more); // its last line has no end yet
    expect(await count()).toBeGreaterThan(before);
    rmSync(half, { recursive: true });
    expect((await ask('api/match?path=study/growing')).status).toBe(404);
    expect((await listMatches()).some((row) => row.path === 'study/growing')).toBe(false);
  });
});

describe('the list', () => {
  const listNow = () => new Map(new MatchIndex(root, null).list().map((row) => [row.path, row]));

  it('says how far a match is, and whether anything still plays it', () => {
    const half = path.join(root, 'study/half');
    expect(listNow().get('study/half')).toMatchObject({ winner: 'stopped', rounds: 1, lies: null });
    writeFileSync(path.join(half, 'lock.json'), '{}');
    expect(listNow().get('study/half')!.winner).toBe('under way');
    const long = new Date(Date.now() - 600_000);
    utimesSync(path.join(half, 'lock.json'), long, long);
    expect(listNow().get('study/half')!.winner).toBe('stopped');
    rmSync(path.join(half, 'lock.json'));
  });

  it('tells who won where the summary is missing, and why a record cannot be read', () => {
    const over = path.join(root, 'study/over');
    cpSync(path.join(root, 'study/m2'), over, { recursive: true });
    rmSync(path.join(over, 'deception_summary.json'));
    const [whole, bare] = [listNow().get('study/m2')!, listNow().get('study/over')!];
    expect([bare.winner, bare.rounds, bare.marks]).toEqual([whole.winner, whole.rounds, ['bots', 'no summary']]);
    writeFileSync(path.join(over, 'manifest.json'), '{"id":');
    expect(listNow().get('study/over')).toMatchObject({ winner: 'cannot be read', id: 'over' });
    expect(listNow().get('study/over')!.problem).toContain('manifest.json');
    rmSync(over, { recursive: true });
  });

  it('names matches whose files are devices, pipes, folders, too large or links in a circle, beside all others', async () => {
    const make = (id: string, file: string, put: (where: string) => void) => {
      const folder = path.join(root, 'hostile', id);
      cpSync(path.join(root, 'study/m2'), folder, { recursive: true });
      rmSync(path.join(folder, file));
      put(path.join(folder, file));
    };
    make('device', 'manifest.json', (file) => symlinkSync('/dev/zero', file));
    make('folder', 'manifest.json', (file) => mkdirSync(file));
    make('huge', 'manifest.json', (file) => {
      writeFileSync(file, '');
      truncateSync(file, 200 * 2 ** 20);
    });
    make('pipe', 'events.ndjson', (file) => void (process.platform !== 'win32' && execFileSync('mkfifo', [file])));
    make('circle', 'prompts.ndjson.gz', (file) => symlinkSync(file, file));
    symlinkSync('..', path.join(root, 'hostile', 'loop'));
    const listed = listNow();
    const problems = (['device', 'folder', 'huge'] as const).map((id) => listed.get(`hostile/${id}`)?.problem);
    expect(problems).toEqual([
      expect.stringContaining('manifest.json is a device'),
      expect.stringContaining('manifest.json is a folder'),
      expect.stringContaining('manifest.json is larger than 4 MB'),
    ]);
    expect(listed.get('study/m2')!.problem).toBeNull();
    const pipe = await ask('api/match?path=hostile/pipe');
    expect(pipe).toMatchObject({ status: 404, body: expect.stringContaining('events.ndjson is a pipe') as unknown });
    const circle = await ask('api/match?path=hostile/circle');
    expect(circle.status).toBe(200);
    expect((JSON.parse(circle.body) as ViewedMatch).notes.join('\n')).toContain('prompts.ndjson.gz is a link');
    expect((await ask('api/match?path=study/m2')).status).toBe(200);
    rmSync(path.join(root, 'hostile'), { recursive: true });
  });

  it('an open match that cannot be read is refused with the reason until it is mended', async () => {
    const bad = copyBegun('m1', 'bad');
    const events = path.join(bad, 'events.ndjson');
    const sound = readFileSync(events);
    appendFileSync(events, 'none\nnone\n');
    const { status, body } = await ask('api/match?path=study/bad');
    expect(status).toBe(404);
    expect(body).toContain('events.ndjson');
    expect(await ask('api/match?path=study/bad')).toMatchObject({ status, body });
    writeFileSync(events, sound);
    expect((await ask('api/match?path=study/bad')).status).toBe(200);
    rmSync(bad, { recursive: true });
  });

  it('is kept between servers, and read anew where a record was changed', () => {
    const kept = () => new MatchIndex(root, cache).list();
    const before = kept();
    const [file] = readdirSync(cache);
    expect(kept()).toEqual(before);
    writeFileSync(
      path.join(cache, file!),
      readFileSync(path.join(cache, file!), 'utf8').replaceAll(`"board":"${board.name}"`, '"board":"kept"'),
    );
    expect(kept().every(({ board }) => board === 'kept')).toBe(true); // the cached list was used
    const summary = path.join(root, 'study/m1/deception_summary.json');
    writeFileSync(summary, `${readFileSync(summary, 'utf8')}\n`);
    expect(kept().map(({ id, board }) => [id, board])).toContainEqual(['m1', board.name]);
    writeFileSync(path.join(cache, file!), '{');
    expect(kept().map(({ board }) => board)).toEqual(before.map(({ board }) => board));
  });
});

describe('a match that names a judge who draws no claim', () => {
  const folder = path.join(root, 'judged/j1');
  beforeAll(async () => {
    const judge = await openOpenaiServer([{ text: '{"claims":[],"count":0}' }]);
    const plan = { judge: 'openai:local', rule: { maxRounds: 1 }, seed: 4, board, rules: 'plus' };
    await playMatch({ out: path.join(root, 'judged'), id: 'j1', ...plan });
    expect((await readViewedMatch(folder)).sources).toEqual(['rules']);
    const args = [path.join(root, 'judged'), '--no-tables', '--no-baselines', '--no-guard', '--resamples', '19'];
    expect((await run('report', [...args, '--judge', 'openai:local'], reaching(judge))).code).toBe(0);
    await judge.close();
  });

  it('is shown with the verdicts of the rules and of the judge, as it was asked', async () => {
    const { sources, steps } = await readViewedMatch(folder);
    expect(sources).toEqual(['rules', 'openai:local (no guard)']);
    const claims = steps.map(({ readings }) => sources.map((name) => readings?.[name]?.claims.length ?? 0));
    expect(claims.some(([rules]) => rules! > 0)).toBe(true);
    expect(claims.every(([, judged]) => judged === 0)).toBe(true);
    const shown = await run('show', [folder, '--judge', 'openai:local (no guard)']);
    expect(shown.stdout).not.toContain('claim “');
    expect(shown.stdout).toContain('Verdicts by openai:local (no guard).');
    const byRules = await run('show', [folder, '--no-judge']);
    expect(byRules.stdout).toContain('claim “');
    expect(byRules.stdout).toContain('Verdicts by rules.');
    const unknown = await run('show', [folder, '--judge', 'openai:other']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Available verdicts: rules, openai:local (no guard).');
  });

  it('is opened from a report with the claims that the report counts', async () => {
    const { body } = await ask('page/judged/report/report.html');
    const links = [...body.matchAll(/href="([^"]*match\.html#[^"]*)"/g)].map(([, href]) => href!);
    expect(links.length).toBeGreaterThan(0);
    const judge = encodeURIComponent('openai:local (no guard)');
    expect(links.filter((href) => !href.endsWith(`?judge=${judge}`))).toEqual([]);
  });

  it('is measured by that judge, once it has judged all as reports ask it', async () => {
    const index = new MatchIndex(root, null);
    const find = () => index.list().find((row) => row.path === 'judged/j1')!;
    const byRules = find();
    expect(byRules).toMatchObject({ judge: 'openai:local', source: 'rules' });
    await index.countJudged();
    expect(find()).toEqual(byRules); // the judge was asked with other settings, so its answers do not count
    const judge = await openOpenaiServer([
      { text: '{"claims":[],"count":0,"claim_1":false,"claim_2":false,"claim_3":false,"claim_4":false}' },
    ]);
    const args = [
      path.join(root, 'judged'),
      '--judge',
      'openai:local',
      '--no-tables',
      '--no-baselines',
      '--resamples',
      '19',
    ];
    await run('report', args, reaching(judge));
    await judge.close();
    expect((await readViewedMatch(folder)).sources).toEqual(['openai:local', 'rules']);
    await index.countJudged(60_000);
    expect(find()).toMatchObject({ source: 'openai:local', lies: 0, packLies: 0 });
  });
});

describe('view', () => {
  itLong('prints its address alone on a line, and a signal ends it', async () => {
    const { child, said, ended } = startScript('view', [root, '--no-cache']);
    await said('Press Ctrl-C to stop.');
    child.kill('SIGINT');
    const { stdout } = await ended;
    expect(child.signalCode).toBe('SIGINT');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/\n$/);
    await expect(fetch(stdout.trim())).rejects.toThrow('fetch failed');
  });

  it('refuses what is no folder, and a port that is none', async () => {
    expect(await run('view', [path.join(root, 'nowhere')])).toMatchObject({ code: 2 });
    expect((await run('view', [root, '--port', '99999'])).stderr).toContain('It must be a port');
    const { port } = new URL(server.address);
    expect((await run('view', [root, '--port', port])).stderr).toContain(`--port ${port} cannot be used`);
  });
});

describe('show --html', () => {
  it('writes the page of a match beside its record, which stays sealed', async () => {
    const folder = path.join(root, 'study/m1');
    const { code, stdout } = await run('show', [folder, '--html']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path.join(folder, 'match.html')}\n` });
    expect(readFileSync(path.join(folder, 'match.html'), 'utf8')).toContain('<title>m1</title>');
    expect((await run('verify', [folder])).code).toBe(0);
    expect((await run('show', [folder, '--html', '--lies'])).code).toBe(2);
  });
});
