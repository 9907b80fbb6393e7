// The tables of fields in docs/ say what the schemas say: after a change of a description, run `npm run docs`.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { countHandWrittenWords, docPages, pages, printPage } from '../../tools/docs.ts';

const docs = path.join(import.meta.dirname, '../../docs');
const read = (name: string) => readFileSync(path.join(docs, name), 'utf8');

/** Returns the link target of a heading. */
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

describe('a file beside the pages', () => {
  const root = path.resolve(docs, '..');

  it('compose.yaml builds the project, and reads .env and models.yaml of its folder', () => {
    const { services } = parse(read('guides/compose.yaml')) as {
      services: { worker: { build: { context: string }; env_file: { path: string }[]; volumes: { source: string }[] } };
    };
    const from = (file: string) => path.resolve(docs, 'guides', file);
    const { build, env_file: files, volumes } = services.worker;
    expect(from(build.context)).toBe(root);
    expect(files.map((one) => from(one.path))).toEqual([path.join(root, '.env')]);
    expect(volumes.map((one) => from(one.source))).toContain(path.join(root, 'models.yaml'));
  });

  it.each(['plus-8-experience', 'plus-12-experience'])('%s reads the pool that its first lines make', (name) => {
    const text = read(`evidence/papers/${name}.yaml`);
    const { experience } = parse(text) as { experience: { pool: string } };
    const pool = path.relative(root, path.resolve(docs, 'evidence/papers', experience.pool));
    expect(text).toContain(`--out ${pool} `);
  });
});
