// A study with known truth, run with whole commands: its first screens state the planted difference and no other.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProcess } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();

interface Ranked {
  traits: { boards: { metric: string; rows: { entrant: string; ranks: number[] | null }[] }[] }[];
}

/** Plays a crossed study and reads its first screens. */
const studyModels = (name: string, design: readonly string[], matches: number) =>
  readStudy('match', [...design, '--matches', String(matches), '--no-report'], path.join(root, name));

/** Plays a study by a command, and reads the first screens of report, leaderboard and compare. */
async function readStudy(command: 'match' | 'tournament', args: readonly string[], folder: string) {
  const played = await runProcess(command, [...args, '--out', folder]);
  expect([played.code, args]).toEqual([0, args]);
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

/** Lists the sentences of a first screen that say that something differs. */
const listFound = (screen: string): string[] => {
  const [, found = ''] = /What differs[:*]*\n+([^]*?)\n\n/.exec(screen) ?? [];
  return found.split('\n').filter((line) => line.startsWith('- '));
};

/** Lists what leaderboards of deception and detection rank apart. */
const listRankedApart = ({ traits }: Pick<Awaited<ReturnType<typeof studyModels>>, 'traits'>): string[] =>
  traits
    .flatMap(({ boards }) => boards)
    .filter(({ rows }) => new Set(rows.map(({ ranks }) => JSON.stringify(ranks))).size > 1)
    .map(({ metric }) => metric);

describe('a crossed study', () => {
  it('of listeners of skill .95 and .1 ranks the former first at catching, and finds no difference of speakers', async () => {
    const crossed = ['--crossed', 'bot:classic?detect=.95', 'bot:classic?detect=.1'];
    const { screens, traits } = await studyModels('listeners', crossed, 40);
    for (const screen of screens) {
      expect(screen).toMatch(/detect=\.95 separates lies from true statements better than bot:classic\?detect=\.1/);
      expect(screen).toMatch(/detect=\.1 flags more true claims than bot:classic\?detect=\.95/);
      expect(listFound(screen)).toHaveLength(2);
    }
    const boards = traits.flatMap(({ boards: own }) => own).filter(({ metric }) => metric === 'paired_detection');
    expect(boards.map(({ rows }) => rows.map(({ entrant, ranks }) => [entrant, ranks]))).toEqual([
      [
        ['bot:classic?detect=.95', [1, 1]],
        ['bot:classic?detect=.1', [2, 2]],
      ],
    ]);
  });

  it('of models of which one lies nine times as often finds that, and nothing else', async () => {
    const liars = ['--crossed', 'bot:classic?lie=.1', 'bot:classic?lie=.9'];
    const { screens, traits } = await studyModels('liars', liars, 40);
    for (const screen of screens)
      expect(listFound(screen)).toEqual([
        expect.stringMatching(/^- As Werewolf, bot:classic\?lie=\.9 lies more than bot:classic\?lie=\.1: in /),
      ]);
    const ranked = new Set(listRankedApart({ traits }));
    for (const heard of ['paired_detection', 'lies_called_honest_rate', 'matched_false_alarm_rate'])
      expect([...ranked]).not.toContain(heard);
  });

  it('of one model under two salts finds no difference anywhere, and says what is excluded', async () => {
    const equals = ['--crossed', 'bot:classic?salt=1', 'bot:classic?salt=2'];
    const { screens, traits } = await studyModels('equals', equals, 40);
    for (const screen of screens) {
      expect(listFound(screen)).toEqual([]);
      expect(screen).toMatch(/No (significant )?difference/);
      expect(screen).toMatch(/a difference above \d+ points? is excluded/);
    }
    expect(listRankedApart({ traits })).toEqual([]);
  });
});

describe('a head-to-head of equal liars with unequal listeners', () => {
  it('ranks and compares nothing that the listeners share in', async () => {
    const plan = path.join(root, 'plan.yaml');
    writeFileSync(
      plan,
      'name: heard\nentrants: { sharp: "bot:classic?detect=.95", dull: "bot:classic?detect=.1" }\nformat: head-to-head\ndeals: 12\n',
    );
    const { screens, traits } = await readStudy('tournament', [plan], path.join(root, 'head-to-head'));
    for (const screen of screens) {
      expect(listFound(screen)).toEqual([]);
      expect(screen.match(/not identified/g)).toHaveLength(6); // three questions about listeners, of two models
    }
    const rows = traits.flatMap(({ boards }) => boards).flatMap((board) => board.rows);
    expect(rows.map(({ ranks }) => ranks)).toEqual(rows.map(() => null));
  });
});
