// A study whose judge has not read most of what was said: no screen ranks or compares what the judge alone can tell.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { confirmRules, type OpenAIServer, openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';

const root = createTemporaryFolder();
const judge = ['--judge', 'openai:local'];
const design = [
  ...['--crossed', 'bot:classic?lie=.1', 'bot:classic?lie=.9', '--matches', '5', ...judge],
  ...['--rules', 'arena', '--rule', 'debateTurns=4', '--rule', 'maxRounds=2'],
];
const whole = path.join(root, 'whole');

/** Returns a copy of the study in which `change` has changed most lines of the judge's answers. */
function loseAnswers(name: string, change: (line: string) => string | null, share = 0.88): string {
  const folder = path.join(root, name);
  cpSync(whole, folder, { recursive: true });
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/^claims.*\.ndjson$/.test(path.basename(file))) continue;
    const lines = readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n');
    const left = lines.flatMap((line, at) => ((at * 7) % 25 < share * 25 ? (change(line) ?? []) : line));
    writeFileSync(path.join(folder, file), `${left.join('\n')}\n`);
  }
  return folder;
}

interface Ranked {
  traits: { boards: { rows: { ranks: number[] | null }[] }[] }[];
}

interface Tested {
  metric: string;
}

describe('a study of which the judge has read little', () => {
  let server: OpenAIServer;
  beforeAll(async () => {
    server = await openOpenaiServer(confirmRules);
    mkdirSync(root, { recursive: true });
    const { code, stderr } = await run('match', [...design, '--no-report', '--out', whole], reaching(server));
    expect([code, stderr]).toEqual([0, '']);
  });
  afterAll(() => server.close());

  const forget = (line: string) => line && null;
  const spoil = (line: string) =>
    JSON.stringify({
      ...(JSON.parse(line) as object),
      raw: 'Well.',
      answer: null,
      error: 'not JSON',
      mark: 'fallback',
    });
  const rate = ['--leaderboard', '--no-baselines', '--no-tables'];

  it.each([
    ['lost answers', forget, []],
    ['lost answers, with the judge named', forget, ['compare']],
    ['the loss of all answers', forget, [], 1],
    ['unreadable answers', spoil, []],
    ['unreadable answers, with the judge named', spoil, ['report', 'compare']],
  ] as const)('because of %s ranks nothing and says how to go on', async (name, change, naming, share?: number) => {
    const folder = loseAnswers(name.replaceAll(/\W/g, ''), change, share);
    const asked = server.requests.length;
    const named = (command: string) => (naming.some((one) => one === command) ? judge : []);
    const ends = [
      await run('report', [folder, ...rate, ...named('report')], reaching(server)),
      await run('compare', [folder, ...named('compare')], reaching(server)),
      ...(change === spoil ? [await run('match', [...design, '--out', folder], reaching(server))] : []),
    ];
    expect(server.requests).toHaveLength(asked);
    const read = (...at: string[]) => readFileSync(path.join(folder, ...at), 'utf8').replaceAll('\\', '');
    const pages = [read('report', 'report.md'), read('report', 'leaderboard.md'), read('comparison', 'comparison.md')];
    for (const screen of [...ends.map(({ stdout }) => stdout), ...pages]) {
      expect(screen).toMatch(/^(?:> |\W*)?Nothing is compared or ranked: the judge, openai:local, has read too few/m);
      expect(screen).toMatch(/not read \(read \d+ of \d+\)[^]{1,9}between \d+% and \d+%/);
      expect(screen).not.toMatch(/at least \d|^- As |^- Detect/m);
      expect(screen.replaceAll('report -- ', 'report ')).toContain(
        `report ${folder} --judge openai:local --retry-unread`,
      );
    }
    const { traits } = JSON.parse(read('report', 'leaderboard.json')) as Ranked;
    expect(traits.flatMap(({ boards }) => boards.flatMap(({ rows }) => rows)).filter(({ ranks }) => ranks)).toEqual([]);
    const { primary, secondary } = JSON.parse(read('comparison', 'comparison.json')) as Record<string, Tested[]>;
    expect([...primary!, ...secondary!].filter(({ metric }) => /lie|claim/.test(metric))).toEqual([]);
  });

  it.each([
    ['missing', forget],
    ['unreadable', spoil],
  ])('is read to its end by the command that its pages name where answers are %s', async (name, change) => {
    const folder = loseAnswers(`resumed-${name}`, change);
    const { stdout } = await run('report', [folder, ...rate, ...judge, '--retry-unread'], reaching(server));
    expect(stdout).not.toContain('not read');
    expect(stdout).toMatch(/^Read +100%, /m);
  });
});
