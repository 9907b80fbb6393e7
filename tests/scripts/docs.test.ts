// The tables of fields in docs/ say what the schemas say: after a change of a description, run `npm run docs`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pages, printPage } from '../../scripts/docs.ts';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../../docs', name), 'utf8');

describe('npm run docs', () => {
  it.each(Object.keys(pages))('has printed docs/%s', async (name) => {
    expect(await printPage(name, read(name))).toBe(read(name));
  });

  it('names the table whose place a page lacks', async () => {
    await expect(printPage('compare.md', '<!-- comparison -->\n\n<!-- end -->\n')).rejects.toThrow(
      'docs/compare.md has no place "<!-- difference --> … <!-- end -->" for a table.',
    );
  });
});
