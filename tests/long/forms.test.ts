// Unreadable first answers of a model by kind of question and form, asked over HTTP.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listBranches } from '../../prompts/shapes.ts';
import { type FormRow, listQuestions, renderFormShares, runForms } from '../../tools/forms.ts';
import { openOpenaiServer, type Received } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

it('takes questions of every kind that the matches can ask', async () => {
  const found = await listQuestions(seeds, 'openai:local', env);
  const possible = [...found.values()]
    .flat()
    .flatMap(({ prompt }) => listBranches(prompt.family!.name, prompt.view).flatMap(({ kinds }) => kinds));
  expect(new Set(found.keys())).toEqual(new Set(possible));
  expect(found.size).toBeGreaterThan(25);
  for (const questions of found.values()) {
    const lengths = questions.map(({ prompt }) => prompt.user.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  }
});

describe('npm run forms', () => {
  const file = path.join(createTemporaryFolder(), 'answers.ndjson');
  const kinds = ['vote', 'beliefs', 'ballot_peer_analysis'];

  /** Runs the command with a model that reads only schemas of one question. */
  async function run(questions: number) {
    const server = await openOpenaiServer(({ body }) => {
      const { response_format: format } = body as unknown as { response_format: { json_schema?: { name: string } } };
      const isOwn = kinds.includes(format.json_schema?.name ?? '');
      return {
        text: isOwn ? JSON.stringify(createLegalAnswer(readQuestion(body.messages))) : 'I would rather not say.',
      };
    });
    let said = '';
    const write = (text: string) => void (said += text);
    const io = {
      ...{ stdout: { write }, stderr: { write }, listenToSignals: () => new AbortController().signal },
      env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseUrl },
    };
    try {
      const options = ['--questions', String(questions), '--seeds', '2', '--only', kinds.join()];
      await runForms(['openai:local?maxTokens=200', '--file', file, ...options], io as never);
      return { said, requests: server.requests };
    } finally {
      await server.close();
    }
  }

  it('asks each question once in each form, as a match does, and continues where it stopped', async () => {
    const { said, requests } = await run(1);
    expect(requests).toHaveLength(3 * kinds.length);
    const formats = requests.map(({ body }: Received) => {
      const { response_format: format } = body as unknown as {
        response_format: { type: string; json_schema?: { name: string } };
      };
      return format.json_schema?.name ?? format.type;
    });
    const families = ['play', 'play', 'analysis'];
    expect(formats).toEqual(kinds.flatMap((kind, at) => [families[at], kind, 'json_object']));
    const rows = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as FormRow);
    expect(rows.map(({ isReadable }) => isReadable)).toEqual(kinds.flatMap(() => [false, true, false]));
    expect(said).toContain(renderFormShares(rows));
    expect(said).toMatch(/\| `vote` +\| +1 of 1 \(\.02 to 1\.00?\) \| +0 of 1 \(\.00 to \.98\) \|/);
    expect((await run(2)).requests).toHaveLength(3 * kinds.length);
    expect((await run(2)).requests).toEqual([]);
  });

  it('counts answers that were cut off among the unreadable ones', () => {
    const row = { form: 'json', kind: 'bid', place: 0, raw: '' } as const;
    const rows = [
      { ...row, isReadable: false, isCut: true },
      { ...row, isReadable: false, isCut: false },
      { ...row, isReadable: true, isCut: true },
    ];
    expect(renderFormShares(rows)).toContain('2 of 3 (.09 to 1.00), 1 cut');
    expect(renderFormShares(rows)).toMatch(/\| `bid` +\| +– +\| +– +\|/);
  });
});
