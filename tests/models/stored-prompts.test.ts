// Prompts of a record are those that were sent; otherwise commands say so.
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { findPromptsFault, readStoredPrompts } from '../../models/record/stored-prompts.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const board = createBoard(2, 1, 0, 3);
const { folder } = await playMatch({ out, id: 'played', seed: 1, board, rule: { maxRounds: 1, debateTurns: 3 } });
const answers = readRecord(folder!).answers.length;

/** Copies the match with another file of prompts. */
function change(id: string, make: (text: string) => string | Buffer) {
  const copy = path.join(out, id);
  cpSync(folder!, copy, { recursive: true });
  const file = path.join(copy, 'prompts.ndjson.gz');
  const made = make(gunzipSync(readFileSync(file)).toString());
  writeFileSync(file, typeof made === 'string' ? gzipSync(made) : made);
  return { copy, file };
}
const read = (copy: string) => readStoredPrompts(copy, readRecord(copy));
const changed = (file: string) => `${file} was changed after it was sealed.`;

it('those of a sound record are all there, each the one that was answered', async () => {
  const { prompts, fault } = await read(folder!);
  expect(fault).toBeNull();
  expect(prompts).toHaveLength(answers);
  expect(prompts.every(({ isSealed }) => isSealed)).toBe(true);
  expect(findPromptsFault(folder!, readRecord(folder!))).toBeNull();
});

it('only those that are wanted are kept, and all are checked', async () => {
  const { copy, file } = change('wanted', (text) => text.replaceAll('You are', 'You were'));
  const record = readRecord(copy);
  const { prompts, fault } = await readStoredPrompts(copy, record, ({ attempt }) => attempt > 9);
  expect(prompts).toEqual([]);
  expect(fault).toContain(`${file} differs from the record: `);
});

it('what was changed in them is marked, one by one', async () => {
  const { copy, file } = change('forged', (text) => {
    const [first, ...rest] = text.split('\n');
    return [first!.replace('You are', 'You were'), ...rest].join('\n');
  });
  const { prompts, fault } = await read(copy);
  expect(prompts.map(({ isSealed }) => isSealed)).toEqual([false, ...Array<boolean>(answers - 1).fill(true)]);
  expect(fault).toBe(`${file} differs from the record: 1 of its ${answers} prompts are not those that were sent.`);
  expect(findPromptsFault(copy, readRecord(copy))).toBe(changed(file));
});

it('one that stands there twice, and those that are missing, are told', async () => {
  const twice = change('twice', (text) => `${text.split('\n')[0]!}\n${text}`);
  expect((await read(twice.copy)).fault).toContain(`1 of its ${answers + 1} prompts are not those that were sent`);
  const fewer = change('fewer', (text) => text.split('\n').slice(3).join('\n'));
  expect((await read(fewer.copy)).fault).toBe(`${fewer.file} differs from the record: 3 of ${answers} are missing.`);
});

it.each([
  ['garbage', Buffer.from('garbage'), 'It cannot be unpacked and read as prompts.'],
  ['other-lines', gzipSync('{"words":"of another kind"}\n'), 'It cannot be unpacked and read as prompts.'],
  ['bomb', gzipSync(Buffer.alloc(100 * 2 ** 20, ' ')), 'It has a line of more than 8388608 bytes.'],
])('a file that is damaged is told of: %s', async (id, contents, why) => {
  const { copy, file } = change(id, () => contents);
  expect(await read(copy)).toEqual({ prompts: [], fault: `${file} is damaged. ${why}` });
  expect(findPromptsFault(copy, readRecord(copy))).toBe(changed(file));
});

it('one that is gone is told of, and so is a link in its place', async () => {
  const { copy, file } = change('gone', (text) => text);
  rmSync(file);
  const missing = `${file} is missing, but existed when the record was sealed.`;
  expect(await read(copy)).toEqual({ prompts: [], fault: missing });
  expect(findPromptsFault(copy, readRecord(copy))).toBe(missing);
  symlinkSync(path.join(folder!, 'prompts.ndjson.gz'), file);
  expect((await read(copy)).fault).toBe(`${file} is a link; files of a record must not be links.`);
});
