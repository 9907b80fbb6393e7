// A command played into two folders: the two plays of each match count, within their deal. A copy counts once.
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findFinishedBlocks } from '../../deception/ratings/finished-blocks.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { tableNames } from '../../deception/tables/match-tables.ts';
import { identifyPlay, listPlays } from '../../models/record/same-play.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { readTable } from '../csv.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, shortest } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
for (const folder of ['s1', 's2']) await run('match', ['--out', at(folder), ...shortest, '--matches', '5', '--quiet']);
const played = listFolderNames(at('s1')).sort();
cpSync(at('s1'), at('copy'), { recursive: true });

const quick = ['--no-baselines', '--resamples', '20', '--no-cache'];
const readReport = (out: string) => Report.parse(JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')));

describe('the same command into two folders', () => {
  it('plays the same matches, each with a seal of its own, which a copy shares', () => {
    expect(listFolderNames(at('s2')).sort()).toEqual(played);
    for (const id of played) {
      const [first, second, copy] = ['s1', 's2', 'copy'].map((folder) => identifyPlay(at(folder, id)));
      expect(second).not.toBe(first);
      expect(copy).toBe(first);
    }
  });

  it('is reported as ten matches of five deals; a copy of one of them is named and left out', async () => {
    const out = at('report');
    const { code, stderr } = await run('report', [at('s1'), at('s2'), at('copy'), '--out', out, ...quick]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('10 matches are reported') });
    const report = readReport(out);
    expect(report.matches).toBe(10);
    expect(report.left_out.map(({ reason }) => reason)).toEqual(played.map(() => 'counted already'));
    const rows = readTable(readFileSync(path.join(out, 'matches.csv'), 'utf8'));
    expect(new Set(rows.map((row) => row['match_id'])).size).toBe(10);
    expect(new Set(rows.map((row) => row['deal'])).size).toBe(5);
    for (const name of tableNames) {
      const ids = new Set(readTable(readFileSync(path.join(out, `${name}.csv`), 'utf8')).map((row) => row['match_id']));
      expect([name, [...ids].filter((id) => !rows.some((row) => row['match_id'] === id))]).toEqual([name, []]);
    }
    const statements = readTable(readFileSync(path.join(out, 'statements.csv'), 'utf8'));
    const keys = new Set(statements.map((row) => `${row['match_id']} ${row['statement']}`));
    expect(keys.size).toBe(statements.length);
    const alone = at('alone');
    await run('report', [at('s1'), '--out', alone, ...quick]);
    const count = (of: string) => readTable(readFileSync(path.join(of, 'statements.csv'), 'utf8')).length;
    expect(count(out)).toBeGreaterThan(1.5 * count(alone));
  });

  it('is five clusters, too few for any interval, where ten matches of ten deals have some', async () => {
    const countIntervals = ({ metrics }: Report) =>
      metrics.flatMap(({ figures }) => figures).filter(({ low }) => low !== null).length;
    expect(countIntervals(readReport(at('report')))).toBe(0);
    await run('match', ['--out', at('ten'), ...shortest, '--matches', '10', '--quiet']);
    await run('report', [at('ten'), '--out', at('report-of-ten'), ...quick]);
    expect(countIntervals(readReport(at('report-of-ten')))).toBeGreaterThan(10);
  });

  it('is listed by the viewer with both plays', () => {
    const paths = ['s1', 's2'].flatMap((folder) => new MatchIndex(at(folder), null).list().map((row) => row.path));
    expect(paths.sort()).toEqual([...played, ...played].sort());
    expect(new MatchIndex(root, null).list().filter(({ path: place }) => /^s[12]\b/.test(place))).toHaveLength(10);
  });

  it('is compared, planned from, pooled and verified with both plays', async () => {
    await run('match', ['--out', at('other'), ...shortest, '--matches', '5', '--rule', 'honesty=forbidden', '--quiet']);
    const compared = await run('compare', [at('s1'), at('other'), '--out', at('compared'), '--resamples', '20']);
    expect(compared.code).toBe(0);
    // One arm from two folders with the same parent folder.
    cpSync(at('s1'), at('both', 's1'), { recursive: true });
    cpSync(at('s2'), at('both', 's2'), { recursive: true });
    await run('compare', [at('both'), at('other'), '--out', at('compared'), '--resamples', '20']);
    const comparison = JSON.parse(readFileSync(at('compared', 'comparison.json'), 'utf8')) as {
      a: { matches: number };
    };
    expect(comparison.a.matches).toBe(10);
    const planned = await run('plan', [at('both'), '--effect', '.2', '--json']);
    const { pilot_deals: pilotDeals } = JSON.parse(planned.stdout) as { pilot_deals: number };
    expect([planned.code, pilotDeals]).toEqual([0, 5]);
    const pool = await run('pool', ['build', at('s1'), at('s2'), '--out', at('pool')]);
    expect({ code: pool.code, stderr: pool.stderr }).toEqual({ code: 0, stderr: '' });
    expect(pool.stdout).toContain('of 5 deals');
    const entries = readFileSync(at('pool', 'entries.ndjson'), 'utf8').trim().split('\n');
    const matches = new Set(entries.map((line) => (JSON.parse(line) as { match: string }).match));
    expect(matches.size).toBe(10);
    const verified = await run('verify', [at('s1'), at('s2')]);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/\b10\b/);
  });

  it('of a tournament counts every play of a match in the block of its deal', () => {
    const play = (block: number, place: string) => ({ block, place }) as LeaderboardMatch;
    const one = [play(1, 'a'), play(1, 'b'), play(2, 'c'), play(2, 'd')];
    const again = [play(1, 'a'), play(1, 'b'), play(2, 'c')];
    const { blocks } = findFinishedBlocks([...one, ...again], null);
    expect(blocks.map(({ length }) => length)).toEqual([4, 3]);
  });

  it('names plays in the order of their folders, the first as the match', () => {
    const id = played[0]!;
    const folders = ['s1', 'copy', 's2'].map((folder) => ({ folder: at(folder, id) }));
    const plays = listPlays(id, folders);
    expect(plays.map(({ folders: own }) => own.length)).toEqual([2, 1]);
    expect(plays.map(({ name }) => name)).toEqual([id, expect.stringMatching(new RegExp(`^${id}\\.[0-9a-f]{8}$`))]);
  });
});
