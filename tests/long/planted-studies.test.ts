// A study with known truth, run with whole commands: its first screens state the planted difference and no other.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProcess } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();

interface Ranked {
  traits: { boards: { metric: string; rows: { entrant: string; ranks: number[] | null }[] }[] }[];
}

/** Plays a study and reads the first screens of report, leaderboard and compare. */
async function studyModels(name: string, design: readonly string[], matches: number) {
  const folder = path.join(root, name);
  const played = await runProcess('match', [...design, '--matches', String(matches), '--no-report', '--out', folder]);
  expect([played.code, name]).toEqual([0, name]);
  const judge = ['--judge', 'bot:meant', '--no-cache', '--resamples', '400'];
  const out = path.join(folder, 'report');
  const report = await runProcess('report', [
    ...[folder, ...judge, '--leaderboard', '--no-baselines', '--no-tables', '--out', out],
  ]);
  const comparison = await runProcess('compare', [folder, ...judge, '--out', path.join(folder, 'comparison')]);
  const leaderboard = readFileSync(path.join(out, 'leaderboard.md'), 'utf8').replaceAll('\\', '');
  const { traits } = JSON.parse(readFileSync(path.join(out, 'leaderboard.json'), 'utf8')) as Ranked;
  return { screens: [report.stdout, comparison.stdout, leaderboard.split('\n## ')[0] ?? ''], traits };
}

describe('a crossed study', () => {
  it('of listeners of skill .95 and .1 ranks the former first at catching, and finds no difference of speakers', async () => {
    const crossed = ['--crossed', 'bot:classic?detect=.95', 'bot:classic?detect=.1'];
    const { screens, traits } = await studyModels('listeners', crossed, 40);
    for (const screen of screens) {
      expect(screen).toMatch(/detect=\.95 separates lies from true statements better than bot:classic\?detect=\.1/);
      expect(screen).toMatch(/detect=\.1 flags more true claims than bot:classic\?detect=\.95/);
      expect(screen).not.toMatch(/^- .*(believed more often|lies more|lies in|wins more often)/m);
    }
    const boards = traits.flatMap(({ boards: own }) => own).filter(({ metric }) => metric === 'paired_detection');
    expect(boards.map(({ rows }) => rows.map(({ entrant, ranks }) => [entrant, ranks]))).toEqual([
      [
        ['bot:classic?detect=.95', [1, 1]],
        ['bot:classic?detect=.1', [2, 2]],
      ],
    ]);
  });
});
