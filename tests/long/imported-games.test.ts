// The commands that read matches, on games of every format that `import` reads: figures come from these games, and data
// that a format lacks does not count as zero.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BankStatement } from '../../deception/bank/bank-rows.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { readTable } from '../csv.ts';
import { InspectLog } from '../inspect-log.ts';
import { openOpenaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const runs = at('runs');
const invented = path.join(import.meta.dirname, '../invented-games');
const quick = ['--no-baselines', '--resamples', '20', '--no-cache'];

/**
 * Answers as three models: a judge that confirms what the rules extract, a detector that gives every statement the same
 * score, and an annotator.
 */
const answer = ({ body }: Received): Scripted => {
  const question = body.messages.map(({ content }) => content).join('\n');
  const asked = [...question.matchAll(/^- (claim_\d+): /gmu)].map(([, field]) => [field, true]);
  const reply = question.includes('p_lie')
    ? { reasoning: '', p_lie: 0.5 }
    : question.includes('p_deceptive')
      ? { reasoning: '', p_deceptive: 0.2, p_falsehood: 0.2, types: [], p_werewolf: 0.3 }
      : { claims: [], count: 0 };
  return { text: JSON.stringify(asked.length > 0 ? Object.fromEntries(asked) : reply) };
};

let server: OpenAIServer;
let ids: string[] = [];

beforeAll(async () => {
  server = await openOpenaiServer(answer);
  const { code, stderr } = await run('import', [invented, '--out', runs]);
  expect(code).toBe(1);
  expect(stderr.match(/^Left out: /gm)).toHaveLength(3); // a damaged game of each format whose games are files
  ids = readdirSync(runs).sort();
}, 60_000);
afterAll(() => server.close());

const readBank = () =>
  readFileSync(at('bank', 'statements.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BankStatement);

describe('on imported games of all formats', () => {
  it('report counts every game, and knows no cost, time or refusal', async () => {
    expect((await run('report', [runs, '--out', at('report'), ...quick])).code).toBe(0);
    const report = Report.parse(JSON.parse(readFileSync(at('report', 'report.json'), 'utf8')));
    const matches = readTable(readFileSync(at('report', 'matches.csv'), 'utf8'));
    expect(matches.map((row) => row['match_id']).sort()).toEqual(ids);
    expect(report.metrics.find(({ name }) => name === 'refusal_rate')?.figures ?? []).toEqual([]);
    expect(readTable(readFileSync(at('report', 'calls.csv'), 'utf8'))).toEqual([]);
  }, 120_000);

  it('annotate asks about their statements, and report has the answers', async () => {
    const model = ['--model', 'openai:annotator'];
    expect(await run('annotate', [runs, ...model, '--quiet'], reaching(server))).toMatchObject({ code: 0 });
    for (const id of ids)
      expect(readdirSync(path.join(runs, id)).join()).toMatch(/annotations\.openai-annotator\.ndjson/);
    const again = await run('annotate', [runs, ...model, '--dry-run'], reaching(server));
    expect(again.stdout).toContain('All questions are answered.');
  }, 120_000);

  it('export lies has the statements, with prompts and raw answers where the format has them', async () => {
    const { code, stderr } = await run('export', ['lies', runs, '--out', at('bank'), '--no-cache']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^These matches name no judge\. .*\n$/),
    });
    const rows = readBank();
    expect([...new Set(rows.map((row) => row.match_id))].sort()).toEqual(ids);
    for (const { match_id: id, prompt_sha256: prompt, raw, attempt } of rows) {
      const hasCalls = existsSync(path.join(runs, id, 'imported_calls.ndjson'));
      expect({ id, hasRaw: raw !== null, attempt }).toEqual({ id, hasRaw: hasCalls, attempt: null });
      expect({ id, hasPrompt: prompt !== null }).toEqual({ id, hasPrompt: id.startsWith('episode-') });
    }
    expect(rows.filter(({ is_lie: isLie }) => isLie === true).length).toBeGreaterThan(5);
  }, 120_000);

  it('export inspect and export chat write all of them', async () => {
    const logs = await run('export', ['inspect', runs, '--out', at('logs'), '--no-cache']);
    expect(logs.code).toBe(0);
    expect(logs.stdout).toContain(`${ids.length} matches in `);
    const samples = readdirSync(at('logs')).flatMap(
      (name) => InspectLog.parse(JSON.parse(readFileSync(at('logs', name), 'utf8'))).samples,
    );
    expect(samples.map(({ id }) => id).sort()).toEqual(ids);
    const seats = await run('export', ['chat', runs, '--out', at('seats.jsonl'), '--no-cache']);
    expect(seats.code).toBe(0);
    const lines = readFileSync(at('seats.jsonl'), 'utf8').trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id.split('/')[0]))).toEqual(new Set(ids));
  }, 120_000);

  it('bank score asks about each statement that a villager heard who could not know', async () => {
    const wanted = readBank().filter(({ villager }) => villager !== null).length;
    expect(wanted).toBeGreaterThan(10);
    const dry = await run('bank', ['score', at('bank'), '--model', 'openai:detector', '--dry-run'], reaching(server));
    expect(dry.stderr).toContain(`${wanted} `);
    const scored = await run(
      'bank',
      ['score', at('bank'), '--model', 'openai:detector', '--resamples', '20'],
      reaching(server),
    );
    expect(scored.code).toBe(0);
    expect(scored.stdout).toMatch(/all debate statements +\|.*\| +\.500 \|/); // a constant score tells nothing
  }, 120_000);

  it('label draws their statements', async () => {
    const { code } = await run('label', [runs, '--no-judge', '--n', '1000', '--out', at('sheet.csv'), '--no-cache']);
    expect(code).toBe(0);
    expect(readTable(readFileSync(at('sheet.csv'), 'utf8'))).toHaveLength(readBank().length);
  }, 120_000);

  it('report --judge asks the judge about each statement, once', async () => {
    const judge = ['--judge', 'openai:judge'];
    const first = await run('report', [runs, '--out', at('judged'), ...quick, ...judge], reaching(server));
    expect({ code: first.code, stderr: first.stderr }).toMatchObject({ code: 0 });
    const report = Report.parse(JSON.parse(readFileSync(at('judged', 'report.json'), 'utf8')));
    expect(report.metrics.length).toBeGreaterThan(0);
    const statements = readTable(readFileSync(at('judged', 'statements.csv'), 'utf8'));
    const lies = statements.filter((row) => row['verdict'] === 'lie').map((row) => [row['match_id'], row['statement']]);
    expect(lies).toEqual(readBank().flatMap((row) => (row.verdict === 'lie' ? [[row.match_id, row.statement]] : [])));
    expect(lies.length).toBeGreaterThan(5); // the rules' lies, all confirmed
    const before = server.requests.length;
    await run('report', [runs, '--out', at('judged'), ...quick, ...judge], reaching(server));
    expect(server.requests.length).toBe(before);
  }, 240_000);
});
