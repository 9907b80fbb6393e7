// Files of one JSON value a line: what a power cut leaves, and what damage looks like.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { dropTorn, openNdjson, readNdjson } from '../../models/record/ndjson.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;
const fileOf = (contents?: string | Buffer) => {
  const file = path.join(folder, `${files++}.ndjson`);
  if (contents !== undefined) writeFileSync(file, contents);
  return file;
};
const Row = z.strictObject({ n: z.number(), words: z.string().optional() });
const read = (contents: string | Buffer) => readNdjson(fileOf(contents), Row);

describe('a file of lines', () => {
  it('is read row by row', () => {
    expect(read('{"n":1}\n{"n":2}\n')).toEqual({ rows: [{ n: 1 }, { n: 2 }], tornBytes: 0 });
  });

  it('has no rows where it is empty or not there', () => {
    expect(read('')).toEqual({ rows: [], tornBytes: 0 });
    expect(readNdjson(fileOf(), Row)).toEqual({ rows: [], tornBytes: 0 });
  });

  it('gives back what was appended, whatever the words', () => {
    const rows = ['Zoë\n"says"', '\u2028🐺', '\0'].map((words, n) => ({ n, words }));
    const file = fileOf();
    const first = openNdjson(file, 'append');
    first.append(rows.slice(0, 2));
    first.append([]);
    first.close();
    const second = openNdjson(file, 'append');
    second.append(rows.slice(2));
    second.close();
    expect(readNdjson(file, Row).rows).toEqual(rows);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('has each row as soon as it is appended', () => {
    const file = fileOf();
    const open = openNdjson(file, 'append');
    open.append([{ n: 1 }]);
    expect(readNdjson(file, Row).rows).toEqual([{ n: 1 }]);
    open.close();
  });

  it('begins anew where that is asked for', () => {
    const file = fileOf('{"n":1}\n');
    const open = openNdjson(file, 'anew');
    open.append([{ n: 2 }]);
    open.close();
    expect(readFileSync(file, 'utf8')).toBe('{"n":2}\n');
  });
});

describe('a torn last line', () => {
  it.each([
    ['in the middle', '{"n":2,"wo'],
    ['in the middle of a character', Buffer.from('{"n":2,"words":"Zoë').subarray(0, -1)],
    ['just before its line break', '{"n":2}'],
    ['to zeros', Buffer.alloc(5)],
  ])('%s is not read, and its bytes are counted', (_where, torn) => {
    const contents = read(Buffer.concat([Buffer.from('{"n":1}\n'), Buffer.from(torn)]));
    expect(contents).toEqual({ rows: [{ n: 1 }], tornBytes: Buffer.from(torn).length });
  });

  it('may be all there is', () => {
    expect(read('{"n":')).toEqual({ rows: [], tornBytes: 5 });
  });

  it('is cut off, and what follows is a line of its own', () => {
    const file = fileOf('{"n":1}\n{"n":2,"words":"Zoë');
    dropTorn(file, readNdjson(file, Row), statSync(file).size);
    const open = openNdjson(file, 'append');
    open.append([{ n: 3 }]);
    open.close();
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
  });

  it('that is none is left alone', () => {
    const file = fileOf('{"n":1}\n');
    dropTorn(file, readNdjson(file, Row), statSync(file).size);
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n');
  });
});

describe('a damaged line', () => {
  it.each([
    ['that is no JSON', '{"n":1}\n{"n":\n{"n":3}\n', 2, 'it is not JSON'],
    ['that is empty', '{"n":1}\n\n{"n":3}\n', 2, 'it is not JSON'],
    ['that holds something else', '{"n":"one"}\n{"n":2}\n', 1, 'expected number'],
    ['with a key that nobody knows', '{"n":1}\n{"n":2}\n{"n":3,"m":4}\n', 3, 'Unrecognized key: "m"'],
    ['at the end, line break and all', '{"n":1}\n{"n":2,"wo\n', 2, 'it is not JSON'],
  ])('%s is refused with file, line and what to do', (_what, contents, line, reason) => {
    const file = fileOf(contents);
    const reading = () => readNdjson(file, Row);
    expect(reading).toThrow(RecordError);
    expect(reading).toThrow(`${file}, line ${line} is damaged: `);
    expect(reading).toThrow(reason);
    expect(reading).toThrow('Restore the file from a copy, or move the folder away and start again.');
    expect(readFileSync(file, 'utf8')).toBe(contents);
  });
});
