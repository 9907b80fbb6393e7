// `bank score` asks a model about each statement of a bank, caches its answers, and reads scores from files.
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BankStatement } from '../../deception/bank/bank-rows.ts';
import { openOpenaiServer, type OpenAIServer, type Received } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const bank = path.join(root, 'bank');
const quick = ['--resamples', '50'];
const readStatements = () =>
  readFileSync(path.join(bank, 'statements.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BankStatement);
const score = (...args: string[]) => run('bank', ['score', bank, ...quick, ...args]);

let server: OpenAIServer;
const asked: string[] = [];
let labels = new Map<string, boolean>();

/** A detector that knows every label. */
function answer({ body }: Received) {
  const user = body.messages.at(-1)!.content;
  asked.push(user);
  const [, text = ''] = [...user.matchAll(/(?:has just said to everybody|said): "([^"]*)"/g)].at(-1) ?? [];
  return { text: JSON.stringify({ reasoning: '', p_lie: labels.get(text) ? 0.9 : 0.2 }) };
}

beforeAll(async () => {
  const board = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=3'];
  await run('match', ['--out', path.join(root, 'runs'), '--matches', '8', '--seed', '1', ...board]);
  const made = await run('export', ['lies', path.join(root, 'runs'), '--out', bank, '--no-cache']);
  expect(made.code).toBe(0);
  labels = new Map(
    readStatements().flatMap(({ text, is_lie: isLie }) => (isLie === null ? [] : [[text.replaceAll('"', "'"), isLie]])),
  );
  server = await openOpenaiServer(answer);
}, 120_000);
afterAll(() => server.close());

describe('a model', () => {
  it('is asked about each statement that a villager heard who could not know, and never twice', async () => {
    const wanted = readStatements().filter(({ villager }) => villager !== null).length;
    const dry = await run('bank', ['score', bank, '--model', 'openai:detector', '--dry-run'], reaching(server));
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('No calls were made and nothing was written.\n');
    expect(dry.stderr).toContain(`${wanted} `);
    expect(asked).toHaveLength(0);
    const first = await run('bank', ['score', bank, ...quick, '--model', 'openai:detector'], reaching(server));
    expect({ code: first.code, calls: asked.length }).toEqual({ code: 0, calls: wanted });
    expect(first.stdout).toContain('openai:detector (view: villager) on the bank');
    expect(first.stdout).toMatch(/all debate statements +\|.*\| +1\.000/);
    const again = await run('bank', ['score', bank, ...quick, '--model', 'openai:detector'], reaching(server));
    expect({ code: again.code, calls: asked.length }).toEqual({ code: 0, calls: wanted });
    const printed = ({ stdout }: { stdout: string }) => stdout.replace(/^Calls go to .*\n/m, '');
    expect(printed(again)).toBe(printed(first));
  });

  it('is asked about the statement alone with --view alone, of labelled ones with --labelled', async () => {
    asked.length = 0;
    const { code } = await run(
      'bank',
      ['score', bank, ...quick, '--model', 'openai:detector', '--view', 'alone', '--labelled'],
      reaching(server),
    );
    const labelled = readStatements().filter(({ is_lie: isLie }) => isLie !== null);
    expect({ code, calls: asked.length }).toEqual({ code: 0, calls: labelled.length });
    for (const user of asked) expect(user).toMatch(/^On day \d said|^On day \d+ \p{L}+ said: "/u);
  });

  it('goes on where the budget stopped it', async () => {
    asked.length = 0;
    const model = 'openai:other?priceIn=50000&priceOut=0';
    const some = await run('bank', ['score', bank, ...quick, '--model', model, '--max-cost', '5'], reaching(server));
    expect(some.code).toBe(4);
    const before = asked.length;
    expect(before).toBeGreaterThan(0);
    const all = await run('bank', ['score', bank, ...quick, '--model', model], reaching(server));
    expect(all.code).toBe(0);
    expect(asked.length).toBe(readStatements().filter(({ villager }) => villager !== null).length);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('cannot be a bot', async () => {
    expect(await score('--model', 'bot:classic')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('scores of another detector', () => {
  const file = path.join(root, 'scores');

  it.each([
    [
      'a number a line',
      (rows: readonly BankStatement[]) => rows.map(({ is_lie: isLie }) => (isLie ? '3' : '-1')).join('\n'),
    ],
    [
      'JSON Lines',
      (rows: readonly BankStatement[]) =>
        rows.map(({ row, is_lie: isLie }) => JSON.stringify({ row, score: isLie ? 3 : -1 })).join('\n') + '\n',
    ],
  ])('are read as %s', async (_, write) => {
    writeFileSync(file, write(readStatements()));
    const { code, stdout } = await score('--scores', file, '--json');
    const { rows } = JSON.parse(stdout) as {
      rows: { roc_auc: { estimate: number }; tpr_at_1: { estimate: number } }[];
    };
    expect({ code, auc: rows[0]!.roc_auc.estimate, tpr: rows[0]!.tpr_at_1.estimate }).toEqual({
      code: 0,
      auc: 1,
      tpr: 1,
    });
  });

  it.each([
    ['1\n2', 'has 2 lines, but the bank'],
    ['{"row":"a/s1.1","score":1}', 'the bank has no row "a/s1.1"'],
    ['{"row":1}', 'line 1 is'],
  ])('are refused with the line: %j', async (text, words) => {
    writeFileSync(file, text);
    const { code, stderr } = await score('--scores', file);
    expect({ code, isNamed: stderr.includes(words) }).toEqual({ code: 2, isNamed: true });
  });

  it('need a bank that is as it was written', async () => {
    const copy = path.join(root, 'copy');
    cpSync(bank, copy, { recursive: true });
    const statements = path.join(copy, 'statements.jsonl');
    writeFileSync(statements, readFileSync(statements, 'utf8').replace('"is_lie":true', '"is_lie":false'));
    const { code, stderr } = await run('bank', ['score', copy, '--scores', file]);
    expect({ code, isNamed: stderr.includes('its hash differs') }).toEqual({ code: 1, isNamed: true });
    rmSync(copy, { recursive: true });
  });

  it('or of a model: one of them, and of a bank', async () => {
    expect((await score()).code).toBe(2);
    expect((await score('--scores', file, '--model', 'openai:x')).code).toBe(2);
    expect((await run('bank', ['score', root, '--scores', file])).code).toBe(2);
    expect(readdirSync(root)).not.toContain('bank.json');
  });
});
