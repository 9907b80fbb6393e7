// Judges, annotators, coders, reflecting models and `doctor --call`, with a server that refuses prompts by policy. All
// other questions are still asked, each refusal is stored with its vendor and category, and a report counts as many
// refusals as the server made.
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Report } from '../../deception/summary/report-schema.ts';
import { readPool } from '../../graph/experience/pool-folder.ts';
import { type KeptAnswer, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { failure, openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { run, shortest } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);

/** The server's behavior from now on. */
let answer: (request: Received) => Scripted = legally;
let asked = 0;
let refused = 0;
const server = await openOpenaiServer((request) => {
  asked += 1;
  return answer(request);
});
afterAll(() => server.close());
const here = reaching(server);

beforeAll(async () => {
  const flags = ['--seed', '1', '--matches', '2', '--model', 'openai:gpt', '--quiet', ...shortest];
  expect(await run('match', ['--out', at('played'), ...flags], here)).toMatchObject({ code: 0 });
});

const refusal: Scripted = { status: 400, body: failure('Content Exists Risk') };

/** Every second question is refused; the others get `text`. */
const refuseHalf = (text: string) => (): Scripted => {
  if (asked % 2 !== 0) return { text };
  refused += 1;
  return refusal;
};

beforeEach(() => {
  [answer, asked, refused] = [legally, 0, 0];
});

function copied(name: string): string {
  cpSync(at('played'), at(name), { recursive: true });
  return at(name);
}

const listKept = (folder: string, file: string): KeptAnswer[] =>
  listFolderNames(folder).flatMap((id) => readKeptAnswers(path.join(folder, id, file)));

/** Makes a report. Returns its counts of refusals with this role, and its notes about them. */
async function report(folder: string, role: string, ...more: string[]) {
  const out = `${folder}-report`;
  const quick = ['--no-baselines', '--no-tables', '--no-cache', '--resamples', '2'];
  const { code } = await run('report', [folder, '--out', out, ...quick, ...more], here);
  const { refusals, notes } = Report.parse(JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')));
  const own = refusals.filter((one) => one.role === role);
  return {
    code,
    count: own.reduce((all, one) => all + one.count, 0),
    by: [...new Set(own.map(({ model, vendor, category }) => `${model} ${vendor} ${category}`))],
    notes: notes.filter((note) => note.includes(`the ${role} openai:gpt`)),
  };
}

const expectCounted = (counted: Awaited<ReturnType<typeof report>>, role: string) =>
  expect(counted).toEqual({
    ...{ code: 0, count: refused, by: ['openai:gpt DeepSeek content risk'] },
    notes: [
      `Of the questions to the ${role} openai:gpt, ${refused} ${refused === 1 ? 'was' : 'were'} refused: DeepSeek (content risk) ${refused}. What was refused is missing.`,
    ],
  });

const expectKept = (lines: readonly KeptAnswer[]) => {
  expect(refused).toBeGreaterThan(0);
  const marked = lines.filter(({ mark }) => mark === 'refusal');
  expect(marked.map((line) => line.refusal)).toEqual(
    Array.from({ length: refused }, () => ({ vendor: 'DeepSeek', category: 'content risk' })),
  );
  expect(lines.length - marked.length).toBeGreaterThan(0);
};

describe('questions that a server refuses', () => {
  it('to a judge are kept and counted, and the other statements are judged', async () => {
    const folder = copied('judged');
    answer = refuseHalf('{"claims":[]}');
    const counted = await report(folder, 'judge', '--judge', 'openai:gpt', '--no-guard', '--max-fallbacks', '1');
    expectKept(listKept(folder, 'claims.openai-gpt.ndjson'));
    expectCounted(counted, 'judge');
    const before = asked;
    expect((await report(folder, 'judge', '--no-judge')).count).toBe(0); // the report does not use the judge, so it counts no refused questions
    expect(asked).toBe(before);
  });

  it.each([
    ['annotator', 'annotations', []],
    ['coder', 'codings', ['--coding']],
  ])('to a(n) %s are kept and counted, and the others are asked', async (role, kind, flags) => {
    const folder = copied(kind);
    answer = refuseHalf('{}');
    const ended = await run('annotate', [folder, '--model', 'openai:gpt', '--max-fallbacks', '1', ...flags], here);
    expect(ended).toMatchObject({ code: 0 });
    expectKept(listKept(folder, `${kind}.openai-gpt.ndjson`));
    expectCounted(await report(folder, role), role);
  });

  it('to a reflecting model are kept and counted, and the rule takes their place', async () => {
    const folder = copied('reflected');
    answer = refuseHalf('{}');
    const flags = ['--reflect', 'openai:gpt', '--max-fallbacks', '1', '--out', at('pool')];
    const { code, stdout } = await run('pool', ['build', folder, ...flags], here);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('without a usable answer') });
    expectKept(listKept(folder, 'reflections.openai-gpt.ndjson'));
    expectCounted(await report(folder, 'reflection'), 'reflection');
    expect(readPool(at('pool')).entries.some(({ reflected_by: by }) => by === 'rules')).toBe(true);
  });

  it('of doctor --call are told as a refusal, not as a fault of the key', async () => {
    for (const refusing of [refusal, { text: '', finish: 'content_filter' }]) {
      answer = () => refusing;
      const { code, stdout } = await run('doctor', ['--call', 'openai:gpt'], here);
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringMatching(
          /openai:gpt: \S+ refuses the prompt or its answer \([^)]+\)\. Key and address are right/,
        ),
      });
    }
  });
});
