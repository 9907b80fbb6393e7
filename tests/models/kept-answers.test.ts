// Where the answers of a model lie beside a record, and who may write them.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keptFile, openKept, readKept } from '../../models/record/kept-answers.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const nameOf = (model: string) => path.basename(keptFile(folder, 'annotations', model));

describe('the file of a model', () => {
  it('has the name of the model', () => {
    expect(nameOf('openai:gpt-4o-mini')).toBe('annotations.openai-gpt-4o-mini.ndjson');
    expect(path.basename(keptFile(folder, 'claims', 'bot:classic'))).toBe('claims.bot-classic.ndjson');
  });

  it('is its own, whatever the model string holds', () => {
    const models = ['openai:a', 'openai:a?temperature=1', 'openai:a?temperature=0.1', 'openai:a/b', 'openai:a:b'];
    const names = [...models, `openai:${'long/'.repeat(90)}`, `openai:${'long/'.repeat(91)}`].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^annotations\.[\w.-]{1,120}\.ndjson$/);
  });

  it('is written by one process at a time', () => {
    const file = keptFile(folder, 'claims', 'openai:a');
    const kept = openKept(file, () => undefined);
    expect(() => openKept(file, () => undefined)).toThrow(`says that process ${process.pid} on `);
    kept.close();
    openKept(file, () => undefined).close();
    expect(readKept(file)).toEqual([]);
  });
});
