// `turn=draft` is a condition like any other: reports have separate figures for each value, comparisons name it, and
// the tables have the drafts with the verdicts of the rules.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Comparison } from '../../deception/comparison/comparison-schema.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { readCsv } from '../csv.ts';
import { run, smallBoard } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const quick = ['--no-baselines', '--no-cache', '--resamples', '20'];
const readReport = (out: string) => JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as Report;

beforeAll(async () => {
  for (const turn of ['bid', 'draft']) {
    const rules = ['--rules', 'wolf', '--rule', `turn=${turn}`, '--rule', 'debateTurns=3', '--rule', 'maxRounds=1'];
    const set = ['--board', smallBoard, '--matches', '4', '--out', at('study', turn), '--quiet', '--no-report'];
    expect((await run('match', [...rules, ...set])).code).toBe(0);
  }
});

describe('matches with turn=bid and with turn=draft', () => {
  it('are answered for apart by a report of both, as by a report of each', async () => {
    const both = await run('report', [at('study'), ...quick, '--no-tables', '--out', at('both')]);
    expect(both.code).toBe(0);
    expect(both.stdout + both.stderr).toContain('The matches were played under different rules: turn');
    const { answers } = readReport(at('both'));
    expect(answers.map(({ condition, matches }) => [condition, matches])).toEqual([
      ['turn "bid"', 4],
      ['turn "draft"', 4],
    ]);
    for (const [place, turn] of ['bid', 'draft'].entries()) {
      await run('report', [at('study', turn), ...quick, '--no-tables', '--out', at(`only-${turn}`)]);
      expect(readReport(at(`only-${turn}`)).answers.map(({ rows }) => rows)).toEqual([answers[place]!.rows]);
    }
  });

  it('are told apart by a comparison', async () => {
    const folders = [at('study', 'bid'), at('study', 'draft')];
    expect((await run('compare', [...folders, ...quick.slice(1), '--out', at('compared')])).code).toBe(0);
    const { contrasts } = JSON.parse(readFileSync(at('compared', 'comparison.json'), 'utf8')) as Comparison;
    expect(contrasts.find(({ what }) => what === 'rule turn')).toMatchObject({ a: ['"bid"'], b: ['"draft"'] });
  });

  it('have drafts in the table of bids alone, with whether they hold a lie and agree with what was said', async () => {
    expect((await run('report', [at('study'), ...quick, '--out', at('tables')])).code).toBe(0);
    const [head, ...rows] = readCsv(readFileSync(at('tables', 'bids.csv'), 'utf8'));
    const read = (name: string) => rows.map((row) => row[head!.indexOf(name)]!);
    const drafts = read('draft');
    const written = drafts.flatMap((text, row) => (text === '' ? [] : [row]));
    expect(written.length).toBeGreaterThan(10);
    for (const name of ['draft_verdict', 'draft_is_lie', 'draft_accuses', 'draft_agrees']) {
      const values = read(name);
      const filled = values.flatMap((value, row) => (value === '' ? [] : [row]));
      expect(filled.filter((row) => !written.includes(row))).toEqual([]);
      if (name.startsWith('draft_is') || name.startsWith('draft_v')) expect(filled.length).toBeGreaterThan(0); // bots seldom accuse
    }
  });
});
