// A match that stopped at a refusal by policy before refusals were read as such: it is resumed, the refusal is recorded, and the
// match ends.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { readAnswers } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from './local-model.ts';
import { run } from './process.ts';

/** Recorded at 37be2263 against a server that refused the last ballot with DeepSeek's words. */
const id = 'classic-8-2-530deddc';
const stopped = path.join(import.meta.dirname, '../stopped-records', id);
const rules = ['arena@1', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];
const model = 'openai:case-deepseek-content-risk';

it.each([
  ['by its id', ['--id', id]],
  ['by the command that began it', ['--model', model, '--rules', ...rules, '--seed', '2', '--matches', '1', '--quiet']],
])('a match that a refusal had stopped is resumed %s, and ends', async (how, args) => {
  const out = path.join(createTemporaryFolder(), how.replaceAll(' ', '-'));
  cpSync(stopped, path.join(out, id), { recursive: true });
  const before = readAnswers(path.join(out, id));
  const server = await openOpenaiServer(() => ({ status: 400, body: failure('Content Exists Risk') }));
  const { code, stderr } = await run('match', [...args, '--out', out], reaching(server));
  await server.close();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const lines = readAnswers(path.join(out, id));
  expect(lines.slice(0, -1)).toEqual(before);
  expect(lines.at(-1)).toMatchObject({
    ...{ action: 'vote', attempt: 1, answer: null, mark: 'refusal' },
    refusal: { vendor: 'DeepSeek', category: 'content risk' },
  });
  expect(server.requests).toHaveLength(1);
  expect((await run('verify', [path.join(out, id)])).stdout).toContain('sealed 1 of 1, replayed 1 of 1');
});
