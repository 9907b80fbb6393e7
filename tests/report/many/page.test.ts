// The page of a report: its numbers are those of the JSON, and every part is marked where bots played.
import { describe, expect, it } from '@jest/globals';
import type { ReportedFigure } from '../../../deception/report/report-schema.ts';
import { reportJson } from '../../../report/many/json.ts';
import { reportMarkdown } from '../../../report/many/page.ts';
import { toldOf } from '../../../report/many/told.ts';
import { names } from '../../deception/match-builder.ts';
import { errors, reportOn, seerDispute, seerDisputes } from '../../deception/report/report-builder.ts';

const report = reportOn(seerDisputes(12), { errors });
const page = reportMarkdown(report);

/** The rows of the first table after a heading, as cells by head. */
function rowsAfter(heading: string, text = page): Record<string, string>[] {
  const body = text.slice(text.indexOf(`\n${heading}\n`));
  const lines = body.slice(body.indexOf('\n|')).trimStart().split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const cells = lines.slice(0, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [head, , ...rows] = cells;
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head![at]!, cell])));
}

/** A number of the JSON as the page has to write it. */
const rounded = (value: number | null) => (value === null ? '–' : value.toFixed(3));
const readable = (figures: readonly ReportedFigure[]) => figures.filter(({ reason }) => reason !== 'no data');

describe('the figures of the page', () => {
  it.each(report.metrics.filter(({ figures }) => readable(figures).length > 0).map(({ name }) => name))(
    'of %s are those of the JSON',
    (name) => {
      const { title, figures } = report.metrics.find((metric) => metric.name === name)!;
      const rows = rowsAfter(`### ${title}`);
      expect(rows.length).toBe(readable(figures).length);
      readable(figures).forEach((figure, at) => {
        expect(rows[at]).toMatchObject({
          Value: rounded(figure.value),
          '95 % interval': figure.low === null ? '–' : `${rounded(figure.low)} to ${rounded(figure.high)}`,
          Method: figure.method ?? figure.reason,
          Matches: String(figure.matches),
          'Mean of matches': rounded(figure.mean_of_matches),
          of: String(figure.matches_with_value),
        });
        if (figure.coverage !== null) expect(rows[at]!['Coverage']).toBe(rounded(figure.coverage));
        if (figure.lowest !== null) expect(rows[at]!['Lowest']).toBe(rounded(figure.lowest));
        if (figure.highest !== null) expect(rows[at]!['Highest']).toBe(rounded(figure.highest));
        if (Number.isInteger(figure.opportunities))
          expect(Number(rows[at]!['Opportunities'])).toBe(figure.opportunities);
      });
    },
  );

  it('that are headlines stand side by side for every variant', () => {
    const [matches, ...rows] = rowsAfter('## Headlines');
    expect(matches).toMatchObject({ 'All matches': '12', 'Few fallbacks': '12', 'First answers': '12' });
    for (const { title, figures } of report.samples)
      figures.forEach(({ value, low, high, reason, coverage }, at) => {
        const bounds = low === null ? `(${reason})` : `[${rounded(low)} to ${rounded(high)}]`;
        const beside = coverage === null ? '' : `, coverage ${rounded(coverage)}`;
        expect(rows[at]![title]).toBe(value === null ? '–' : `${rounded(value)} ${bounds}${beside}`);
      });
  });

  it('that are corrected stand with what they were, marked as exploratory', () => {
    const rows = rowsAfter('### Corrected for errors of the rules that draw claims (exploratory)');
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map((row) => [row['As found'], row['Corrected']])).toEqual(
      report.corrected.map(({ found, value }) => [rounded(found), rounded(value)]),
    );
    expect(rows[0]).toMatchObject({ Sensitivity: '0.900 [0.800 to 0.950]', Clipped: 'no' });
    expect(page).toContain(
      'of claims that both a reader and the rules found: the rules draw 75 % (3 of 4) of the lies and 50 % (1 of 2) of the truths',
    );
    expect(reportMarkdown(reportOn(seerDisputes(2)))).not.toContain('Corrected');
  });

  it('that are rates of lies stand beside their coverage, in every cell and in every sample', () => {
    const ofLies = report.metrics.filter(({ name }) => /^(lie_rate|lie_statement_rate|lies_per_100_words)$/.test(name));
    const all = ofLies.flatMap(({ figures }) => figures);
    const headlines = report.samples.flatMap(({ figures }) => figures.filter(({ metric }) => metric === 'lie_rate'));
    expect([all.length > 20, headlines.length]).toEqual([true, 3]);
    expect([...all, ...headlines].filter(({ coverage }) => coverage === null)).toEqual([]);
  });
});

describe('the page', () => {
  it('says in every section that bots played', () => {
    const bots = reportMarkdown(reportOn(seerDisputes(2, { bots: names })));
    const sections = bots.split(/^##? /m).slice(1, -1); // the last explains how to read figures
    expect(sections.length).toBeGreaterThan(4);
    for (const section of sections)
      expect(section).toContain('> **Built-in bots played in all seats of all 2 matches.');
    expect(page).not.toContain('Built-in bots');
  });

  it('says above the figures how conditions differ', () => {
    const mixed = reportMarkdown(reportOn([seerDispute(1), seerDispute(2, { rules: { honesty: 'forbidden' } })]));
    expect(mixed.indexOf('different rules: honesty are not the same')).toBeLessThan(mixed.indexOf('## Headlines'));
    expect(rowsAfter('### What differs', mixed)).toContainEqual({
      Condition: 'rule honesty',
      Value: 'forbidden',
      Matches: '1',
    });
  });

  it('lists what was left out, with the reason', () => {
    const leftOut = [{ folder: 'runs/b|c', reason: 'damaged' as const, message: 'line 5 is <b>not</b> JSON' }];
    const text = reportMarkdown(reportOn(seerDisputes(2), { leftOut }));
    expect(text).toContain('- 1 record is left out, listed at the end.');
    expect(rowsAfter('## Records left out', text)).toEqual([
      { Folder: 'runs/b\\|c', Why: 'damaged', 'What was found': 'line 5 is &lt;b&gt;not&lt;/b&gt; JSON' },
    ]);
  });

  it('has tables of which every row has as many cells as the head, whatever models are called', () => {
    const models = Object.fromEntries(names.map((name) => [name, 'openai:a|b\n| c | <b>']));
    const tables = reportMarkdown(reportOn(seerDisputes(2, { models })))
      .split(/\n\n+/)
      .filter((part) => part.startsWith('|'));
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables)
      expect(new Set(table.split('\n').map((line) => line.match(/(?<!\\)\|/g)!.length)).size).toBe(1);
  });
});

describe('the JSON', () => {
  it('is that of the report, with a figure in one line', () => {
    const text = reportJson(report);
    expect(JSON.parse(text)).toEqual(report);
    expect(text.split('\n').filter((line) => line.includes('"mean_of_matches"')).length).toBe(
      [...report.metrics, ...report.samples].flatMap(({ figures }) => figures).length,
    );
  });
});

describe('the console', () => {
  it('names what was left out, and no more of it than can be read', () => {
    const leftOut = Array.from({ length: 12 }, (_, at) => ({
      ...{ folder: `runs/${at}`, reason: 'not over' as const, message: 'It\u001b[31m stopped.' },
    }));
    const lines = toldOf(reportOn(seerDisputes(3), { leftOut })).split('\n');
    expect(lines[0]).toBe('3 matches are reported.');
    expect(lines[1]).toBe('12 records are left out:');
    expect(lines[2]).toBe('  runs/0 (not over): It [31m stopped.');
    expect(lines.at(-2)).toBe('  and 2 more; all are listed in report.md.');
  });
});
