// Baselines beside the figures of a report: they are played once and cached, and played again if the cached ones cannot
// be used.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Report } from '../../deception/summary/report-schema.ts';
import { getUsualFolder } from '../../scripts/report/baseline-cache.ts';
import { reportMany } from '../../scripts/report/write-reports.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, short } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
await run('match', ['--out', at('played'), ...short, '--matches', '2', '--quiet']);

/** Makes a report. Returns the printed lines, the report and its JSON as written. */
async function reported(cache: string, { games = 200, threads = 1 } = {}) {
  const told: string[] = [];
  const { report, files } = await reportMany({
    ...{ folders: [at('played')], out: at('out'), seed: 1, resamples: 20, isTabled: false, threads },
    baselines: { folder: at(cache), effort: { games, seed: 1 }, tell: (line) => void told.push(line) },
  });
  return { told, report, json: readFileSync(files[0]!, 'utf8') };
}

const findFigures = (report: Report, name: string) => report.metrics.find((metric) => metric.name === name)!.figures;
const fileIn = (cache: string) => at(cache, readdirSync(at(cache))[0]!);

describe('a report', () => {
  it('has what chance gives beside figures of the game, and nothing beside others', async () => {
    const { report, told } = await reported('first');
    const [whole] = findFigures(report, 'irp_votes');
    expect(whole!.chance).toBeGreaterThan(0.2);
    expect(whole!.chance).toBeLessThan(0.4);
    expect(whole!.chance_se).toBeGreaterThan(0);
    expect(findFigures(report, 'coverage').filter(({ chance }) => chance !== null)).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^Playing 200 random games for the chance baseline of board classic-8, preset arena@2/),
    ]);
    expect(report.baselines).toEqual([
      { sha256: path.basename(fileIn('first'), '.json'), matches: 2, games: 200, seed: 1 },
    ]);
    const page = readFileSync(at('out', 'details/village.md'), 'utf8');
    expect(page).toMatch(/### Village ballots on Werewolves\n\n(?:.*\n\n){1,2}\| Of .*\| +By chance \|/);
    expect(readFileSync(at('out', 'details/how-to-read.md'), 'utf8')).toContain(
      'from 200 games for each of 1 board with its rules',
    );
  });

  it('plays by chance only once, and is the same byte for byte, whatever the threads', async () => {
    const [played, kept] = [await reported('second'), await reported('second')];
    const shared = await reported('third', { threads: 2 });
    expect([played.told.length, kept.told.length, shared.told.length]).toEqual([1, 0, 1]);
    expect(kept.json).toBe(played.json);
    expect(shared.json).toBe(played.json);
    expect(readFileSync(fileIn('third'), 'utf8')).toBe(readFileSync(fileIn('second'), 'utf8'));
  });

  it('plays by chance once for all commands: those that come later wait for the first', async () => {
    const both = await Promise.all([reported('shared'), reported('shared')]);
    const lines = both.map(({ told }) => told.map((line) => line.split(' ').slice(0, 2).join(' '))).sort();
    expect(lines).toEqual([['Another command'], ['Playing 200']]);
    expect(both[0].json).toBe(both[1].json);
    expect(readdirSync(at('shared'))).toHaveLength(1); // no lock is left
  });

  it.each<[string, (text: string) => string]>([
    ['is torn', (text) => text.slice(0, -9)],
    ['is not what it should be', () => '{}'],
    ['was made with other code', (text) => text.replace(/"made_with":"..../, '"made_with":"0000')],
    ['is of fewer games', (text) => text.replace('"games":200', '"games":160')],
  ])('makes anew what %s', async (_, spoil) => {
    const { json } = await reported('spoilt');
    const text = readFileSync(fileIn('spoilt'), 'utf8');
    writeFileSync(fileIn('spoilt'), spoil(text));
    const again = await reported('spoilt');
    expect([again.told.length, again.json === json]).toEqual([1, true]);
    expect(readFileSync(fileIn('spoilt'), 'utf8')).toBe(text);
    expect(readdirSync(at('spoilt'))).toHaveLength(1);
  });

  it('is made all the same where nothing can be kept, and says so', async () => {
    writeFileSync(at('file'), '');
    const { told, report } = await reported('file/cache');
    expect(told[1]).toMatch(/^The chance baseline could not be cached in .*file\/cache: E(?:NOTDIR|EXIST)/);
    expect(findFigures(report, 'irp_votes')[0]!.chance).not.toBeNull();
  });

  it('is without where it is asked to be', async () => {
    const surroundings = { env: { XDG_CACHE_HOME: at('home') } };
    const { code, stderr } = await run('report', [at('played'), '--no-tables', '--no-baselines'], surroundings);
    expect([code, stderr.includes('by chance')]).toEqual([0, false]);
    expect(existsSync(at('home', 'wolfgraph', 'baselines'))).toBe(false);
    const { baselines } = JSON.parse(readFileSync(at('played', 'report', 'report.json'), 'utf8')) as Report;
    expect(baselines).toEqual([]);
  });
});

describe('baselines', () => {
  it('are kept in the cache of the user', () => {
    const find = (env: NodeJS.ProcessEnv) => getUsualFolder({ env, stderr: process.stderr });
    expect(find({ XDG_CACHE_HOME: '/var/cache' })).toBe(path.join('/var/cache', 'wolfgraph', 'baselines'));
    expect(find({ XDG_CACHE_HOME: 'relative' })).toBe(find({}));
  });
});
