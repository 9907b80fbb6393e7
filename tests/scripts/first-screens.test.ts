// What the first screens of studies with known truth say: who differs, or that nothing may be said.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAnsweredMatch } from '../../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../../deception/answers/build-answer-tables.ts';
import { readMatches } from '../../scripts/compare/comparison-sources.ts';
import { renderAnswers, tellAnswers } from '../../report/answer-table-markdown.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from './process.ts';

const root = createTemporaryFolder();
const studies = {
  liars: ['bot:classic?lie=.1', 'bot:classic?lie=.9'],
  listeners: ['bot:classic?detect=.1', 'bot:classic?detect=.95'],
} as const;
type Study = keyof typeof studies;
const at = (study: Study) => path.join(root, study);

beforeAll(async () => {
  const brief = ['--board', smallBoard, '--rules', 'arena', '--rule', 'maxRounds=1', '--rule', 'analysis=both'];
  for (const study of Object.keys(studies) as Study[]) {
    const played = await run('match', [
      ...['--crossed', ...studies[study], ...brief],
      ...['--matches', '10', '--no-report', '--out', at(study)],
    ]);
    expect([played.code, study]).toEqual([0, study]);
  }
});

const quick = ['--resamples', '200', '--no-cache'];

/** The console, the page of the report, that of the comparison and the leaderboard, each up to its first details. */
async function readScreens(study: Study) {
  const judge = ['--judge', 'bot:meant', ...quick];
  const [report, comparison] = [path.join(at(study), 'report'), path.join(at(study), 'comparison')];
  const reported = await run('report', [
    ...[at(study), ...judge, '--no-baselines', '--no-tables', '--leaderboard', '--out', report],
  ]);
  await run('compare', [at(study), ...judge, '--out', comparison]);
  const read = (folder: string, file: string) =>
    readFileSync(path.join(folder, file), 'utf8').split('\n## ')[0]!.replaceAll('\\', '');
  return {
    console: reported.stdout,
    report: read(report, 'report.md'),
    comparison: read(comparison, 'comparison.md'),
    leaderboard: read(report, 'leaderboard.md'),
  };
}

const nothing = 'No difference holds';
const listRows = (page: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| bot:') && !line.includes(' − '))
    .map((line) => line.replaceAll(/ +/g, ' '));

describe('the first screens', () => {
  it('of models that lie in .1 and .9 say who lies more, under the same table', async () => {
    const screens = await readScreens('liars');
    for (const screen of Object.values(screens)) {
      expect(screen).toMatch(/As Werewolf, bot:classic\?lie=\.9 lies in \d+ points more of its statements than bot:classic\?lie=\.1/); // prettier-ignore
      expect(screen).not.toContain(nothing);
    }
    const head = (page: string) => listRows(page.split('\n').slice(0, 12).join('\n'));
    expect(head(screens.report)).toHaveLength(2);
    expect(head(screens.comparison)).toEqual(head(screens.report));
    expect(head(screens.leaderboard)).toEqual(head(screens.report));
  });

  it('of equal liars whose listeners merely changed sides attribute to neither what takes both', async () => {
    const { matches } = await readMatches([at('listeners')], { judge: undefined }, null);
    const apart = matches
      .map(({ tables }) => createAnsweredMatch({ ...tables, match: { ...tables.match, extractor: 'bot:meant' } }))
      .filter(({ sides }) => sides.werewolves !== sides.villagers);
    const tables = buildAnswerTables(apart, { resamples: 200, seed: 1, reading: 'alike' });
    const states = tables[0]!.rows.map(({ cells }) => cells.map(({ question, state }) => [question, state]));
    for (const row of states)
      for (const question of ['believed', 'catches', 'false_alarms']) expect(row).toContainEqual([question, 'not identified']); // prettier-ignore
    for (const text of [renderAnswers(tables).join('\n'), tellAnswers(tables)]) {
      expect(text).toContain('not identified');
      expect(text).toContain('npx wolfgraph match --crossed X Y');
      expect(text).not.toMatch(/are believed \d+ points|better than|flags \d+ points/);
    }
  });

  it('of a judge that read 12% say so above all, and compare nothing', async () => {
    const { matches } = await readMatches([at('liars')], { judge: undefined }, null);
    const answered = matches.map(({ tables }) =>
      createAnsweredMatch({
        ...tables,
        match: { ...tables.match, extractor: 'openai:judge' },
        statements: tables.statements.map((row, place) => ({ ...row, is_judge_missing: place % 8 !== 0 })),
      }),
    );
    const tables = buildAnswerTables(answered, { resamples: 200, seed: 1, reading: 'alike' });
    expect(tables[0]!.differences).toEqual([]);
    const page = renderAnswers(tables).join('\n\n');
    expect(page).toMatch(/^> \*\*Nothing is compared: the judge has not read enough/);
    for (const text of [page, tellAnswers(tables)]) {
      expect(text).toMatch(/not read \(1\d%\), between \d+% and \d+%/);
      expect(text).toContain('Nothing is compared: see the caution');
    }
  });
});
