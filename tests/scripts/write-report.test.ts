// The report of one match where its record cannot have happened.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { writeReport } from '../../scripts/write-report.ts';
import { rewrite } from '../record-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const out = temporaryFolder();
const golden = path.join(import.meta.dirname, '../golden/wolf-bots');

describe('the report of a match', () => {
  it('that nobody can have played has its pages and no tables, and the error says why', async () => {
    const folder = path.join(out, 'impossible');
    cpSync(golden, folder, { recursive: true });
    rmSync(path.join(folder, 'deception_summary.md'), { force: true });
    rewrite(folder, 'events.ndjson', (text) => {
      const found = text.split('\n').find((line) => line.includes('"type":"learned"'))!;
      const everybody = ['Isaac', 'Jacob', 'Bert'].map((name) => found.replace(/"about":"\w+"/, `"about":"${name}"`));
      return text.replace(found, everybody.join('\n'));
    });
    const reason = /What Sam saw cannot have happened under the rules/;
    await expect(writeReport(folder)).rejects.toThrow(`There are no tables of the match in ${folder}: `);
    await expect(writeReport(folder)).rejects.toThrow(reason);
    const files = readdirSync(folder);
    expect(files).toContain('deception_summary.md');
    expect(files.filter((name) => name.endsWith('.csv'))).toEqual([]);
  });
});
