// The cache of a report: reports are the same byte for byte with and without it, and never outdated.
import { hash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import { findCacheFolder } from '../../scripts/command/cache-folder.ts';
import { readMatches } from '../../scripts/compare/read-matches.ts';
import { ruleErrorsFile } from '../../scripts/report/read-extractor-errors.ts';
import { createMatchKey } from '../../scripts/report/match-inventory.ts';
import { openWorkerPool, type ReportWorkerSettings } from '../../scripts/report/report-worker.ts';
import { type CacheOptions, chooseCache, MeasurementCache } from '../../scripts/report/measurement-cache.ts';
import type { ReportOptions } from '../../scripts/report/make-report.ts';
import { reportMany } from '../../scripts/report/write-reports.ts';
import { findNoClaims, openOpenaiServer } from '../openai-server.ts';
import { forge, rewrite, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { filesIn, stateOf } from '../scripts/match-folder.ts';
import { run, runProcess } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const talk = ['--rules', 'arena', '--rule', 'debateTurns=4', '--rule', 'maxRounds=1', '--quiet'];
await run('match', ['--out', at('played'), ...talk, '--matches', '2']);
const [first, second] = listFolderNames(at('played')).sort() as [string, string];

await run('match', ['--out', at('others'), ...talk, '--seed', '7', '--id', 'more']);
cpSync(at('others', 'more'), at('more'), { recursive: true });
const errors = JSON.parse(readFileSync(ruleErrorsFile, 'utf8')) as { reach: { lies: object } };
writeFileSync(
  at('errors.json'),
  JSON.stringify({ ...errors, reach: { ...errors.reach, lies: { ...errors.reach.lies, drawn: 1 } } }),
);

/** Copies both matches into a set. */
function copySet(set: string): string {
  cpSync(at('played'), at(set), { recursive: true });
  return at(set);
}

/** A separate cache that trusts modification times immediately. */
const cacheIn = (name: string): CacheOptions => ({
  folder: at(name),
  program: 'this',
  settling: 0,
  most: 1e9,
  measureEvery: 0,
});

let number = 0;

/** Returns name → hash, so that a difference is printed in one line. */
const hashFiles = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hash('sha256', text).slice(0, 9)]));

/** Makes a report of a set. Returns the hashes of all its files, and the rows of its matches. */
async function reportOn(set: string, cache: CacheOptions | null, others: Partial<ReportOptions> = {}) {
  const out = at(`out-${number++}`);
  const options = { folders: [at(set)], out, seed: 1, resamples: 20, isTabled: true, baselines: null, cache };
  await reportMany({ ...options, ...others });
  const files = filesIn(others.out ?? out);
  return { files: hashFiles(files), rows: files['matches.csv'] };
}

/** Changes the winner of a cached match, so that a report shows whether it used the cache. */
function falsify(cache: CacheOptions, folder: string): void {
  const kept = new MeasurementCache(cache);
  const key = createMatchKey(kept, folder, {})!;
  const { tables, ...others } = kept.read(key) as { tables: MatchTables };
  kept.keep(key, { ...others, tables: { ...tables, match: { ...tables.match, board: 'from the cache' } } });
}

const keptFiles = (cache: CacheOptions, kind: string) => {
  const folder = path.join(cache.folder, kind);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => path.join(folder, name)).filter((file) => statSync(file).isFile());
};

describe('a report of records that were read before', () => {
  it('is byte for byte the one of a fresh reading, whatever of it is kept', async () => {
    copySet('same');
    const cache = cacheIn('same-cache');
    const fresh = await reportOn('same', null);
    expect(await reportOn('same', cache)).toEqual(fresh);
    expect([keptFiles(cache, 'match').length, keptFiles(cache, 'report').length]).toEqual([2, 1]);
    expect(await reportOn('same', cache)).toEqual(fresh); // pages come from the cache, tables from cached rows
    rmSync(path.join(cache.folder, 'report'), { recursive: true });
    expect(await reportOn('same', cache)).toEqual(fresh); // figures are computed from cached rows
    rmSync(path.join(cache.folder, 'match'), { recursive: true });
    expect(await reportOn('same', cache)).toEqual(fresh);
  });

  it('does not read them again, neither for figures nor for rows nor for comparisons', async () => {
    copySet('kept');
    const cache = cacheIn('kept-cache');
    await reportOn('kept', cache);
    falsify(cache, at('kept', first));
    expect((await reportOn('kept', cache)).rows).toContain('from the cache');
    expect((await reportOn('kept', cache, { resamples: 21 })).rows).toContain('from the cache');
    const { matches } = await readMatches([at('kept')], {}, { cache: new MeasurementCache(cache) });
    expect(matches.map(({ tables }) => tables.match.board)).toContain('from the cache');
    expect((await reportOn('kept', null)).rows).not.toContain('from the cache');
    expect((await reportOn('kept', { ...cache, program: 'another' })).rows).not.toContain('from the cache');
  });

  it.each<[what: string, change: (set: string) => void, options?: Partial<ReportOptions>]>([
    [
      'an edited match',
      (set) => {
        const claim = '"text":"I am the Doctor."';
        rewrite(path.join(set, first), 'events.ndjson', (text) => text.replaceAll(/"text":"[^"]*"/g, claim));
        forge(path.join(set, first));
      },
    ],
    [
      'a byte changed under the old size and time',
      (set) => {
        const file = path.join(set, first, 'events.ndjson');
        const { atime, mtime } = statSync(file);
        rewrite(path.join(set, first), 'events.ndjson', (text) => text.replace('"round":1', '"round":2'));
        utimesSync(file, atime, mtime);
      },
    ],
    ['a match without its seal', (set) => rmSync(path.join(set, first, 'deception_summary.json'))],
    ['a removed match', (set) => rmSync(path.join(set, first), { recursive: true })],
    ['a new match', (set) => cpSync(at('more'), path.join(set, 'third'), { recursive: true })],
    ['a copy of a match', (set) => cpSync(at('played', second), path.join(set, 'again'), { recursive: true })],
    ['another seed', () => undefined, { seed: 2 }],
    ['another number of resamples', () => undefined, { resamples: 21 }],
    ['presupposed claims', () => undefined, { presupposed: true }],
    ['other measured errors', () => undefined, { errors: at('errors.json') }],
  ])('sees %s', async (what, change, options = {}) => {
    const set = copySet(what);
    const cache = cacheIn(`cache of ${what}`);
    const before = await reportOn(what, cache);
    change(set);
    const after = await reportOn(what, cache, options);
    expect(after).toEqual(await reportOn(what, null, options));
    expect(after.files['report.json']).not.toBe(before.files['report.json']);
  });

  it('says nothing of a cache that is damaged or cannot be written, and makes it anew', async () => {
    copySet('damaged');
    const cache = cacheIn('damaged-cache');
    const fresh = await reportOn('damaged', cache);
    const files = [...keptFiles(cache, 'match'), ...keptFiles(cache, 'report')];
    const whole = files.map((file) => readFileSync(file));
    const harms = [
      (bytes: Buffer) => bytes.subarray(0, 40),
      (bytes: Buffer) => bytes.fill(bytes[70]! ^ 1, 70, 71),
      () => Buffer.alloc(0),
    ];
    for (const harm of harms) {
      const harmed = whole.map((bytes) => Buffer.from(harm(Buffer.from(bytes))));
      files.forEach((file, place) => writeFileSync(file, harmed[place]!));
      expect(await reportOn('damaged', cache)).toEqual(fresh);
      // Bytes are not compared, because the form of a number depends on V8's optimization.
      const isAnew = files.slice(0, 2).map((file, place) => !readFileSync(file).equals(harmed[place]!));
      expect(isAnew).toEqual([true, true]);
      expect(await reportOn('damaged', cache)).toEqual(fresh);
    }
    writeFileSync(at('no-folder'), '');
    expect(await reportOn('damaged', { ...cache, folder: at('no-folder') })).toEqual(fresh);
  });

  it('writes tables anew only where they are not as it wrote them', async () => {
    copySet('tables');
    const cache = cacheIn('tables-cache');
    const out = at('tables-out');
    await reportOn('tables', cache, { out });
    const inode = (name: string) => statSync(path.join(out, name)).ino;
    const [untouched, written] = [inode('claims.csv'), stateOf(out).filter(([name]) => /csv$|parquet$/.test(name))];
    await reportOn('tables', cache, { out });
    expect(inode('claims.csv')).toBe(untouched);
    writeFileSync(path.join(out, 'claims.csv'), 'edited');
    rmSync(path.join(out, 'bids.parquet'));
    const { files } = await reportOn('tables', cache, { out });
    expect(Object.keys(files)).toEqual(expect.arrayContaining(written.map(([name]) => name)));
    expect(files).toEqual((await reportOn('tables', null)).files);
    expect(readdirSync(out).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});

describe('the cache', () => {
  it('does not trust times of files that may still change within them', async () => {
    copySet('fresh');
    const cache = { ...cacheIn('fresh-cache'), settling: 60_000 };
    await reportOn('fresh', cache);
    expect(existsSync(cache.folder)).toBe(false);
  });

  it('removes what was not used for longest beyond its size', () => {
    const cache = { ...cacheIn('small'), most: 4000 };
    const kept = new MeasurementCache(cache);
    const keys = [1, 2, 3].map((one) => kept.createKey('match', [one]));
    const noise = keys.map((key) => Array.from({ length: 50 }, (_, at) => key.slice(at)));
    keys.forEach((key, place) => kept.keep(key, noise[place]));
    const each = statSync(keptFiles(cache, 'match')[0]!).size;
    const old = new Date(2020, 1, 1);
    for (const file of keptFiles(cache, 'match')) utimesSync(file, old, old);
    expect(kept.read(keys[1]!)).toEqual(noise[1]);
    new MeasurementCache({ ...cache, most: 3 * each + 99 }).trim();
    expect(keys.map((key) => kept.has(key))).toEqual([true, true, true]);
    new MeasurementCache({ ...cache, most: 2 * each, measureEvery: 60_000 }).trim(); // does nothing, because the size was measured just now
    expect(keys.map((key) => kept.has(key))).toEqual([true, true, true]);
    new MeasurementCache({ ...cache, most: 2 * each }).trim();
    expect(keys.map((key) => kept.has(key))).toEqual([false, true, false]);
  });

  it('is not used with --no-cache, and holds nothing that others may read', async () => {
    const golden = path.join(import.meta.dirname, '../golden/arena-bots'); // its files are old enough to be cached
    const env = { XDG_CACHE_HOME: at('home') };
    const args = [golden, '--no-tables', '--no-baselines', '--resamples', '20', '--out', at('golden')];
    const fresh = await run('report', [...args, '--no-cache'], { env });
    const pages = hashFiles(filesIn(at('golden')));
    expect([fresh.code, existsSync(at('home'))]).toEqual([0, false]);
    for (let time = 0; time < 2; time++) {
      expect(await run('report', args, { env })).toEqual(fresh);
      expect(hashFiles(filesIn(at('golden')))).toEqual(pages);
    }
    const { folder } = chooseCache({ env, stderr: process.stderr });
    expect(folder).toBe(at('home', 'wolfgraph', 'reports'));
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('lies where the system keeps such', () => {
    const find = (platform: NodeJS.Platform, env = {}) =>
      findCacheFolder('reports', { env, stderr: process.stderr }, platform);
    expect(find('linux')).toMatch(/\.cache\/wolfgraph\/reports$/);
    expect(find('darwin')).toMatch(/Library\/Caches\/wolfgraph\/reports$/);
    expect(find('win32', { LOCALAPPDATA: '/local' })).toBe('/local/wolfgraph/reports');
    expect(find('darwin', { XDG_CACHE_HOME: '/xdg' })).toBe('/xdg/wolfgraph/reports');
  });
});

describe('a judge', () => {
  const server = openOpenaiServer([{ text: '{"claims":[],"count":0}' }]);
  afterAll(async () => (await server).close());

  it('is told from the rules and from others, and asked about what is new alone', async () => {
    copySet('judged');
    const cache = cacheIn('judged-cache');
    const byRules = await reportOn('judged', cache);
    const args = [at('judged'), '--judge', 'openai:local', '--no-tables', '--no-baselines', '--no-cache'];
    expect((await run('report', args, reaching(await server))).code).toBe(0);
    const judge = { models: ['openai:local'], repeat: 1, isGuarded: true, per: 'statement' } as const;
    const judged = await reportOn('judged', cache, { judge });
    expect(judged).toEqual(await reportOn('judged', null, { judge }));
    expect(judged.files['report.json']).not.toBe(byRules.files['report.json']);
    await expect(reportOn('judged', cache, { judge: { ...judge, models: ['openai:other'] } })).rejects.toThrow(
      'has no answer of openai:other',
    );
    expect(await reportOn('judged', cache)).toEqual(byRules);
  });
});

describe('threads of a report', () => {
  it('write the same byte for byte as one, and keep what they measure', async () => {
    copySet('by-one');
    const alone = await reportOn('by-one', null);
    const cache = cacheIn('threads-cache');
    expect(await reportOn('by-one', cache, { threads: 2 })).toEqual(alone);
    expect(readdirSync(at('threads-cache', 'match'))).not.toEqual([]);
  });

  it('that have failed say so to whoever asks them, each time, and end nothing else', async () => {
    const unusable = { boards: null } as unknown as ReportWorkerSettings;
    const pool = openWorkerPool(unusable, 2); // the second fails while nobody waits for it
    const worker = pool.workers[0]!;
    const failure = await Promise.resolve(worker.gather()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'TypeError' });
    await expect(worker.gather()).rejects.toBe(failure);
    await pool.close();
  });

  it('ask a judge about many matches without a warning of Node', async () => {
    const server = await openOpenaiServer(findNoClaims);
    for (let number = 0; number < 12; number++) {
      const folder = at('dozen', `m${number}`);
      cpSync(at('played', number % 2 === 0 ? first : second), folder, { recursive: true });
      rewrite(folder, 'manifest.json', (text) => text.replace(/"id": "[^"]+"/, `"id": "m${number}"`));
      forge(folder);
    }
    const judged = [at('dozen'), '--judge', 'openai:local'];
    const args = [...judged, '--no-tables', '--no-baselines', '--resamples', '20'];
    const { code, stderr } = await runProcess('report', args, reaching(server));
    await server.close();
    // This judge finds no claims, so it counts as unable to read them.
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.not.stringContaining('Warning') as unknown });
  });
});

describe('a report that is kept', () => {
  it('is made anew for baselines of another number of games', async () => {
    const cache = cacheIn('efforts-cache');
    copySet('efforts-set');
    const reportWith = (games: number) =>
      reportOn('efforts-set', cache, {
        out: at('efforts'),
        baselines: { folder: at('baselines'), effort: { games, seed: 1 } },
      });
    const few = await reportWith(40);
    expect((await reportWith(80)).files['report.json']).not.toBe(few.files['report.json']);
    expect(await reportWith(40)).toEqual(few);
  });
});
