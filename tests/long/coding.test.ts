// `npm run annotate -- --coding`: a coder labels the words of statements with public knowledge only. Its answers become
// figures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Report } from '../../deception/summary/report-schema.ts';
import { playMatch } from '../../graph/play-match.ts';
import { listStatementMoments } from '../../graph/annotation/llm-judge-items.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isEventOfType } from '../../state/events.ts';
import { statementCodeNames } from '../../state/statement-codes.ts';
import { readTable } from '../csv.ts';
import { openOpenaiServer, type Received } from '../openai-server.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';

const out = createTemporaryFolder();
const matches = path.join(out, 'matches');
const ids = ['m1', 'm2'];
beforeAll(async () => {
  const plan = { board: createBoard(2, 1, 0, 3), rule: { maxRounds: 1, debateTurns: 3, analysis: 'both' } };
  for (const [at, id] of ids.entries()) await playMatch({ out: matches, id, seed: at + 1, ...plan });
});

const readReport = async (...more: string[]) => {
  const folder = path.join(out, 'report');
  const { code } = await run('report', [matches, '--out', folder, '--no-baselines', '--resamples', '20', ...more]);
  expect(code).toBe(0);
  const report = Report.parse(JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')));
  const read = (name: string) => readTable(readFileSync(path.join(folder, `${name}.csv`), 'utf8'));
  const figuresOf = (name: string) => report.metrics.find((metric) => metric.name === name)!.figures;
  return { figuresOf, codings: read('codings'), statements: read('statements') };
};

const prompts: string[] = [];
let asked = 0;
let unread: string | undefined;
/**
 * Answers as a coder would. One statement never gets a readable answer. Of the others, every second one is formal, and
 * those that mention trust seed doubt.
 */
const answer = ({ body }: Received) => {
  const text = JSON.stringify(body.messages);
  prompts.push(text);
  asked++;
  const question = body.messages[1]!.content;
  unread ??= question;
  if (question === unread) return { text: 'I would rather not say.' };
  const tactic = /trust/i.test(text.split('Then ').at(-1)!) ? ['seeding_doubt'] : [];
  return { text: JSON.stringify({ style: asked % 2 === 0 ? ['formal'] : [], emotion: [], tactic }) };
};
const coding = ['--model', 'openai:coder', '--coding', '--quiet', '--concurrency', '1'];

describe('annotate --coding', () => {
  it('is off unless it is asked for: nothing is coded, and no figure is made of it', async () => {
    const { figuresOf, codings } = await readReport();
    expect(codings).toEqual([]);
    for (const name of ['code_rate', 'coding_retest', 'coding_alpha']) expect(figuresOf(name)).toEqual([]);
    const table = await run('report', [matches, '--table', 'arena-5-2-1', '--no-baselines', '--resamples', '20']);
    expect(table).toMatchObject({ code: 1, stdout: '' });
    expect(table.stderr).toContain('It needs codings of statements (`annotate --coding`)');
  });

  it('asks once for each statement and repeat, of a coder who sees only what is public, and nothing twice', async () => {
    const server = await openOpenaiServer(answer);
    const first = await run('annotate', [matches, ...coding, '--repeat', '2'], reaching(server));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const records = ids.map((id) => readRecord(path.join(matches, id)));
    const statements = records.flatMap((record) => listStatementMoments(record)).length;
    expect(asked).toBe(2 * statements + 4); // one statement took three attempts in each repeat
    const again = await run('annotate', [matches, ...coding, '--repeat', '2'], reaching(server));
    expect({ code: again.code, asked }).toEqual({ code: 0, asked: 2 * statements + 4 });
    await server.close();
    const secrets = records.flatMap(({ events }) => [
      ...events.filter(isEventOfType('thought')).map(({ reasoning }) => reasoning),
      ...events.filter(isEventOfType('summary')).map(({ text }) => text),
    ]);
    expect(secrets.length).toBeGreaterThan(0);
    for (const prompt of prompts) {
      expect(secrets.filter((secret) => secret !== '' && prompt.includes(JSON.stringify(secret).slice(1, -1)))).toEqual(
        [],
      );
      expect(prompt).not.toMatch(/You are the (?:Werewolf|Seer|Doctor|Villager)|you are a (?:Werewolf|Villager)/i);
    }
    for (const code of statementCodeNames) expect(prompts[0]).toContain(code);
  });

  it('becomes rows and figures, counted again from the table', async () => {
    const { figuresOf, codings, statements } = await readReport();
    expect(codings).toHaveLength(2 * statements.length);
    expect(codings.filter((row) => row['missing'] === 'fallback')).toHaveLength(2);
    const cell = { coder: 'openai:coder', kind: 'debate', code: 'formal' };
    const found = figuresOf('code_rate').find((one) => JSON.stringify(Object.entries(one.cell).sort()) === JSON.stringify(Object.entries(cell).sort())); // prettier-ignore
    const own = codings.filter((row) => row['kind'] === 'debate' && row['missing'] === '');
    const means = [...Map.groupBy(own, (row) => `${row['match_id']} ${row['statement']}`).values()].map(
      (rows) => rows.filter((row) => row['codes']!.split(' ').includes('formal')).length / rows.length,
    );
    expect(found!.opportunities).toBe(means.length);
    expect(found!.value).toBeCloseTo(means.reduce((sum, one) => sum + one, 0) / means.length, 12);
    const retest = figuresOf('coding_retest').find(
      (one) => one.cell['code'] === 'formal' && one.cell['kind'] === 'debate',
    );
    expect(retest!.value).toBeLessThan(1);
    expect(figuresOf('coding_alpha')).toEqual([]);
  });

  it('has its table, by model and side, with the words per turn', async () => {
    const { code, stdout } = await run('report', [
      matches,
      '--table',
      'arena-5-2-1',
      '--no-baselines',
      '--resamples',
      '20',
    ]);
    expect(code).toBe(0);
    for (const word of ['words per turn', ...statementCodeNames])
      expect(stdout.replaceAll('\\', '')).toMatch(new RegExp(`^\\| [^|]*\\| ${word} `, 'm'));
    expect(stdout).toMatch(
      /bot:classic as Werewolves.*bot:classic as Villagers|bot:classic as Villagers.*bot:classic as Werewolves/,
    );
  });

  it('has its agreement once another model has coded the same', async () => {
    const server = await openOpenaiServer(answer);
    const other = coding.map((word) => word.replace('openai:coder', 'openai:other'));
    expect(await run('annotate', [matches, ...other], reaching(server))).toMatchObject({ code: 0 });
    await server.close();
    const { figuresOf } = await readReport();
    expect(figuresOf('coding_alpha').find(({ cell }) => cell['code'] === 'formal')!.value).not.toBeNull();
    expect(readdirSync(path.join(matches, 'm1')).filter((name) => name.startsWith('codings.'))).toHaveLength(2);
  });

  it.each([
    [
      'a bot',
      ['--model', 'bot:classic', '--coding'],
      'bot:classic cannot be the judge: built-in bots read no statements',
    ],
    ['listeners', ['--model', 'openai:coder', '--coding', '--listeners', 'all'], "option '--coding' cannot be used with option '--listeners <which>'"], // prettier-ignore
  ])('is refused with %s', async (_, args, message) => {
    const { code, stderr } = await run('annotate', [matches, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(path.join(matches, 'm1', 'codings.bot-classic.ndjson'))).toBe(false);
  });
});
