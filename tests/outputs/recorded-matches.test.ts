// Complete output of commands on the golden records, so that a change of any figure, table, page or sentence is
// visible. If a change is wanted, `npm test -- tests/outputs --updateSnapshot` rewrites the expected files.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectOutput, expectSameParts, splitOutput } from '../expected-file.ts';
import { filesIn } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const golden = path.join(import.meta.dirname, '..', 'golden');
/** Golden records, listed by name so that a new golden record changes nothing here. */
const records = [
  'arena-2-bots',
  'arena-6-identified',
  'arena-6-shortened-tinyllama',
  'arena-6-tinyllama',
  'arena-bots',
  'arena-bots-families',
  'arena-bots-versioned',
  'plus-10-bots',
  'plus-12-bots',
  'plus-12-sheriff-bots',
  'plus-2-bots',
  'plus-8-bots',
  'plus-9-bots',
  'wolf-2-bots',
  'wolf-6-shortened-tinyllama',
  'wolf-6-tinyllama',
  'wolf-bots',
  'wolf-bots-experience',
  'wolf-bots-families',
  'wolf-bots-questions',
  'wolf-bots-renamed',
  'wolf-bots-sealed',
  'wolf-odd-answers',
];
const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
/** Replaces folders that differ from machine to machine. */
const hidePaths = (text: string) => text.replaceAll(root, '<out>').replaceAll(golden, '<golden>');

describe('of the golden records', () => {
  it('the report is the expected one, page by page and table by table', async () => {
    const args = [
      ...records.map((name) => path.join(golden, name)),
      '--out',
      at('report'),
      '--resamples',
      '20',
      '--no-baselines',
      '--no-cache',
    ];
    const { code, stdout, stderr } = await run('report', args);
    expect(code).toBe(0);
    expectOutput('report', hidePaths(`${stderr}\n${stdout}`));
    const files = Object.entries(filesIn(at('report'))).map(([name, text]) => splitOutput(name, hidePaths(text)));
    expectSameParts('report-files', Object.assign({}, ...files) as Record<string, string>);
  });

  it('the transcripts, pages and prompts of each match are the expected ones', async () => {
    const parts: Record<string, string> = {};
    for (const name of records) {
      const folder = path.join(golden, name);
      const file = at(`${name}.html`);
      for (const flags of [[], ['--lies'], ['--round', '1'], ['--html', file]]) {
        const { code, stdout, stderr } = await run('show', [folder, ...flags]);
        expect(code).toBe(0);
        parts[`${name} › show ${flags.join(' ')}`.replace(file, '').trim()] = hidePaths(`${stderr}${stdout}`);
      }
      Object.assign(parts, splitOutput(`${name} › match.html`, hidePaths(readFileSync(file, 'utf8'))));
    }
    expectSameParts('show', parts);
  });
});
