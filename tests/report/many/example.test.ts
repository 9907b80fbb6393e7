// The example reports of the docs: the pages are those of the figures, and bots are marked.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Report } from '../../../deception/report/report-schema.ts';
import { figuresCsv } from '../../../report/many/figures-csv.ts';
import { reportMarkdown } from '../../../report/many/page.ts';

const folder = path.join(import.meta.dirname, '../../../docs/example-report');
const read = (...parts: string[]) => readFileSync(path.join(folder, ...parts), 'utf8');

describe.each(['bots', 'published-games'])('the example of %s', (name) => {
  const report = Report.parse(JSON.parse(read(name, 'report.json')));

  it('has the figures of its JSON on its page and in its table', () => {
    expect(read(name, 'report.md')).toBe(reportMarkdown(report));
    expect(read(name, 'figures.csv')).toBe(figuresCsv(report));
  });

  it('says in every section where bots played', () => {
    const sections = read(name, 'report.md').split(/\n## /).slice(1, -1);
    expect(sections.length).toBeGreaterThan(5);
    for (const section of sections) expect(section.includes('Built-in bots played')).toBe(name === 'bots');
  });
});
