// The first screens of studies with a known truth: they say who differs, that nobody differs, or that nothing can be
// compared. Each of four studies has four screens: the console, the report, the comparison and the leaderboard.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashText } from '../../state/hash-text.ts';
import { expectOutput } from '../expected-file.ts';
import { confirmRules, listAskedClaims, openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { key } from '../scripts/local-model.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const brief = ['--board', smallBoard, '--rules', 'arena', '--rule', 'maxRounds=1', '--rule', 'analysis=both'];

/** Planted differences, and the models that have them. */
const studies = {
  equal: { models: ['bot:classic?salt=5', 'bot:classic?salt=6'] },
  listeners: { models: ['bot:classic?detect=.1', 'bot:classic?detect=.95'] },
  liars: { models: ['bot:classic?lie=.1', 'bot:classic?lie=.9'] },
  unread: { models: ['bot:classic?salt=3', 'bot:classic?salt=4'] },
} as const;
type Study = keyof typeof studies;
const names = Object.keys(studies) as Study[];
const at = (study: Study, ...more: string[]) => path.join(root, study, ...more);

/**
 * Answers as a judge would: reads every eighth statement as a claim to be the Seer, and confirms every claim that it is
 * asked about.
 */
function answerAsJudge(request: Received): Scripted {
  const { body } = request;
  if (listAskedClaims(request).length > 0) return confirmRules(request);
  const [, subject] = /^Then (\p{L}+) /mu.exec(body.messages[1]!.content)!;
  const [, quote] = /^Then .*:\n"([^"]*)"/mu.exec(body.messages[1]!.content)!;
  if (parseInt(hashText(quote!).slice(0, 6), 16) % 8 !== 0) return { text: 'I would rather not say.' };
  const claim = { quote, type: 'own_role', subject, object: null, role: 'Seer', team: null, verbs: [], cause: null };
  const rest = { round: null, polarity: true, hedged: false, presupposed: false };
  return { text: JSON.stringify({ claims: [{ ...claim, ...rest }], count: 1 }) };
}

let server: Awaited<ReturnType<typeof openOpenaiServer>>;
const play = (study: Study, argv: readonly string[]) =>
  run('match', ['--crossed', ...studies[study].models, ...brief, '--no-report', ...argv, '--out', at(study)], {
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.baseUrl },
  });

/** Deletes seven in eight of the judge's cached answers. */
function deleteAnswers(study: Study): void {
  const files = readdirSync(at(study), { recursive: true, encoding: 'utf8' }).filter((file) => /claims.*\.ndjson$/.test(file)); // prettier-ignore
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const [head = '', ...lines] = readFileSync(at(study, file), 'utf8').trimEnd().split('\n');
    const left = lines.filter((_, place) => place % 8 === 0);
    writeFileSync(at(study, file), `${[head, ...left].join('\n')}\n`);
  }
}

const quick = ['--resamples', '200', '--no-cache'];

/** Reads the console output, and the beginnings of report, comparison and leaderboard, up to their details. */
async function readScreens(study: Study) {
  const judge = study === 'unread' ? quick : ['--judge', 'bot:meant', ...quick];
  const { stdout } = await run('report', [at(study), ...judge, '--no-baselines', '--no-tables', '--leaderboard']);
  await run('compare', [at(study), ...judge]);
  const read = (...file: string[]) =>
    readFileSync(at(study, ...file), 'utf8').split('\n## ')[0]!.replaceAll('\\', '').trimEnd(); // prettier-ignore
  return {
    console: stdout,
    report: read('report', 'report.md'),
    comparison: read('comparison', 'comparison.md'),
    leaderboard: read('report', 'leaderboard.md'),
  };
}

type Screen = keyof Awaited<ReturnType<typeof readScreens>>;
const screens: Screen[] = ['console', 'report', 'comparison', 'leaderboard'];
const shown = new Map<Study, Awaited<ReturnType<typeof readScreens>>>();
const show = (study: Study, screen: Screen) => shown.get(study)![screen].replaceAll(root, '<out>');

beforeAll(async () => {
  server = await openOpenaiServer(answerAsJudge);
  for (const study of ['equal', 'liars'] as const)
    expect([study, (await play(study, ['--matches', '10'])).code]).toEqual([study, 0]);
  const [dull, keen] = studies.listeners.models;
  const plan = path.join(root, 'plan.yaml');
  writeFileSync(
    plan,
    `name: heard\nentrants: { one: "${dull}", other: "${keen}" }\nformat: head-to-head\ndeals: 10\nboards: [${smallBoard}]\nrules: arena\nrule: { maxRounds: 1, analysis: both }\n`,
  );
  expect((await run('tournament', [plan, '--no-report', '--out', at('listeners')])).code).toBe(0);
  expect((await play('unread', ['--matches', '3', '--judge', 'openai:local', '--max-fallbacks', '1'])).code).toBe(0);
  for (const study of names) shown.set(study, await readScreens(study));
});
afterAll(() => server.close());

/** Lists the sentences that state a difference between models. */
const listFindings = (text: string) =>
  text.split('\n').filter((line) => /^- (?:As|By|Between|bot:\S+ \w+) .* (?:more|better)\b.* than /.test(line));

/** Reads the result that a screen states: which model has more of something, no difference, or no comparison. */
function readFinding(text: string): string {
  const found = listFindings(text).map((line) => /^- (?:.*, )?(\S+) (lies more|separates|flags|wins more).* than (\S+):/.exec(line)?.slice(1).join(' ') ?? line); // prettier-ignore
  if (found.length > 0) return found.join('; ');
  if (text.includes('Nothing is compared or ranked: the judge, openai:local, has read too few')) return 'not read';
  return /No significant difference between the models was found|No difference could be tested/.test(text)
    ? 'no difference'
    : 'nothing';
}

const truths: Record<Study, string> = {
  equal: 'no difference',
  listeners: 'no difference',
  liars: 'bot:classic?lie=.9 lies more bot:classic?lie=.1',
  unread: 'not read',
};

describe.each(names)('the first screens of the study %s', (study) => {
  it.each(screens)('%s says what was found', (screen) => {
    const text = show(study, screen);
    expect(readFinding(text)).toBe(truths[study]);
    expect(text).not.toContain('FOLDER');
    if (study === 'listeners')
      for (const question of ['Is believed', 'Catches lies', 'False alarms'])
        expect(text).toMatch(new RegExp(`${question}.*Not identified: these models met no opponent in common`));
    if (study === 'unread') expect(text).toMatch(/not read \(read \d+ of \d+\), between \d+% and \d+%/);
  });

  it('are as expected', () => {
    const parts = screens.map((screen) => `=== ${screen}\n\n${show(study, screen)}`);
    expectOutput(`first-screens-${study}`, parts.join('\n\n'));
  });

  it('begin with the same table', () => {
    const listRows = (page: string) =>
      page
        .split('\n')
        .slice(0, 12)
        .filter((line) => line.startsWith('| ') && !line.includes(' − '))
        .map((line) => line.replaceAll(/ +/g, ' '))
        .slice(2);
    const { report, comparison, leaderboard } = shown.get(study)!;
    expect(listRows(report)).toHaveLength(2);
    if (study !== 'listeners') expect(listRows(comparison)).toEqual(listRows(report)); // the leaderboard rates its score
    expect(listRows(leaderboard)).toEqual(listRows(report));
  });
});

describe('a study of which the answers of the judge are gone', () => {
  it('is not read on both pages, and nobody is ranked', async () => {
    deleteAnswers('unread');
    const { report, comparison } = await readScreens('unread');
    for (const page of [report, comparison]) {
      expect(page).toContain('not read');
      expect(listFindings(page)).toEqual([]);
    }
  });
});
