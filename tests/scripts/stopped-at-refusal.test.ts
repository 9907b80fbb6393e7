// A match that stopped at a refusal under an earlier wording of prompts. Only the version that began it can finish it.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { readAnswers } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from './local-model.ts';
import { run } from './process.ts';

/** A match recorded at commit 37be2263 with a server that refused the last ballot in DeepSeek's words. */
const id = 'classic-8-2-530deddc';
const stopped = path.join(import.meta.dirname, '../stopped-records', id);
const rules = ['arena@1', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];
const model = 'openai:case-deepseek-content-risk';

it.each([
  ['by its id', ['--id', id]],
  ['by the command that began it', ['--model', model, '--rules', ...rules, '--seed', '2', '--matches', '1', '--quiet']],
])(
  'a match begun in another wording is refused before any call, %s, with the version that can finish it',
  async (how, args) => {
    const out = path.join(createTemporaryFolder(), how.replaceAll(' ', '-'));
    cpSync(stopped, path.join(out, id), { recursive: true });
    const before = readAnswers(path.join(out, id));
    const server = await openOpenaiServer(() => ({ status: 400, body: failure('Content Exists Risk') }));
    const { code, stderr } = await run('match', [...args, '--out', out], reaching(server));
    await server.close();
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /was begun with prompts of another wording: .*Wolfgraph 0\.1\.0 of commit 37be2263\w* can finish it/,
    );
    expect(server.requests).toHaveLength(0);
    expect(readAnswers(path.join(out, id))).toEqual(before);
  },
);
