// The tables of fields in docs/ say what the schemas say: after a change of a description, run `npm run docs`.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { countHandWrittenWords, docPages, pages, printPage } from '../../tools/docs.ts';

const docs = path.join(import.meta.dirname, '../../docs');
const read = (name: string) => readFileSync(path.join(docs, name), 'utf8');

/** What a heading is called in a link. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));

describe('npm run docs', () => {
  it.each(Object.keys(pages))('has printed docs/%s', (name) => {
    const narrow = (page: string) => page.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');
    expect(narrow(printPage(name, read(name)))).toBe(narrow(read(name)));
  });

  it('names the table whose place a page lacks', () => {
    expect(() => printPage('reference/compare.md', '<!-- comparison -->\n\n<!-- end -->\n')).toThrow(
      'docs/reference/compare.md has no place "<!-- difference --> … <!-- end -->" for a table.',
    );
  });
});

describe('npm run docs -- --count', () => {
  it('counts what people wrote, not printed tables, code and addresses', () => {
    const page =
      '# A title\n\nSee [two words](data.md#x).\n\n```bash\nnpm test\n```\n\n<!-- fields -->\n\n| a | b |\n\n<!-- end -->\n\nLast.\n';
    expect(countHandWrittenWords(page)).toBe(6);
  });
});

describe('a page', () => {
  const names = ['../README.md', '../ARCHITECTURE.md', ...docPages];

  it.each(names)('%s has no link that leads nowhere', (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
    const lost = links.filter(([, file, anchor]) => {
      const target = file === '' ? name : path.join(path.dirname(name), file!);
      return !existsSync(path.join(docs, target)) || (anchor !== '' && !anchorsOf(read(target)).includes(anchor!));
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });

  it.each(docPages.filter((name) => name !== 'README.md'))('%s stands in docs/README.md', (name) => {
    expect(read('README.md')).toContain(`](${name})`);
  });
});
