// Records that were judged by earlier versions are reported from their cached answers, without a call.
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { createJudgedMatch, judgeMatch } from '../../graph/annotation/llm-judge.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run } from '../scripts/process.ts';

const source = path.join(import.meta.dirname, '..', 'judged');
const expected = JSON.parse(readFileSync(path.join(source, 'expected.json'), 'utf8')) as Record<
  'statement' | 'day',
  Record<string, string[] | null>
>;
const noKey = () => Promise.reject(new Error('nobody opens the model'));
const out = createTemporaryFolder();
const folder = path.join(out, 'first-wording');
cpSync(path.join(source, 'first-wording'), folder, { recursive: true });

describe('a record whose judge was asked in the first wording', () => {
  it.each(['statement', 'day'] as const)('has the claims that were read then, asked per %s', async (per) => {
    const record = readRecord(folder);
    const plan: JudgePlan = { models: ['openai:local-judge'], per };
    const match = createJudgedMatch(folder, record);
    const { name, extract } = await judgeMatch(match, plan, noKey);
    expect(name).toMatch(/^openai:local-judge.* \(wording 1\)$/);
    const found = match.moments.map(({ statement }) => [
      statement.id,
      extract(statement, match.table)?.map(({ type, subject, object, role, team, polarity, words }) =>
        [type, subject, object, role, team, polarity, words.text].join(' | '),
      ) ?? null,
    ]);
    expect(Object.fromEntries(found)).toEqual(expected[per]);
  });

  it('is reported without a key, and the report names the wording', async () => {
    const flags = ['--judge', 'openai:local-judge', '--resamples', '20', '--no-baselines', '--no-cache', '--no-tables'];
    const { code } = await run('report', [out, ...flags]);
    expect(code).toBe(0);
    const report = readFileSync(path.join(out, 'report', 'report.json'), 'utf8');
    expect(report).toContain('"value":"openai:local-judge (wording 1)"');
  });
});
