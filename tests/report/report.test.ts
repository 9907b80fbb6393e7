// Output on many matches: the page, the JSON, the console and CSV, and whether the docs name every field.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { leftOutReasons, Report, type ReportedFigure } from '../../deception/summary/report-schema.ts';
import {
  buildTables,
  getColumns,
  groupRowsByTable,
  type TableName,
  tableNames,
} from '../../deception/tables/match-tables.ts';
import { renderCsvHead, renderCsvRows, renderFiguresCsv, renderTableCsv } from '../../report/csv.ts';
import { formatCell, renderReportJson } from '../../report/format.ts';
import { renderReportDetails } from '../../report/report-details.ts';
import { renderReport, renderReportFindings, renderReportNotice } from '../../report/report-markdown.ts';
import { DeceptionType, GameEvent } from '../../state/events.ts';
import { AnswerLine, Manifest, recordFiles } from '../../state/record.ts';
import { rulebook } from '../../state/rulebook.ts';
import { readTable } from '../csv.ts';
import { matchOf, names, oneDay, owned, said, voted } from '../deception/match-builder.ts';
import { errors, reportOn, createSeerDispute, createSeerDisputes } from '../deception/summary/report-builder.ts';

const report = reportOn(createSeerDisputes(12), { errors });
/** Renders the first page and all other pages. */
const renderAll = (of: Report) => [renderReport(of), ...Object.values(renderReportDetails(of))].join('\n');
const page = renderAll(report);

/** Reads the rows of the first table after a heading: column → cell. */
function readRowsAfter(heading: string, text = page): Record<string, string>[] {
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

/** Formats a number of the JSON as the page must show it. */
const roundValue = (value: number | null) => (value === null ? '–' : value.toFixed(3));
/** Rounds bounds outward, to two digits of the interval's width, and to no more decimals than figures have. */
function roundInterval({ low, high, covers }: Pick<ReportedFigure, 'low' | 'high' | 'covers'>): string {
  if (low === null || high === null) return '–';
  const decimals = [0, 1, 2].find((count) => (high - low) * 10 ** count >= 10) ?? 3;
  const scale = 10 ** decimals;
  const outward = [Math.floor(low * scale + 1e-9), Math.ceil(high * scale - 1e-9)].map((one) => (one / scale || 0).toFixed(decimals)); // prettier-ignore
  return `${outward.join(' to ')}${covers === null ? '' : ' ‡'}`;
}
const selectReadable = (figures: readonly ReportedFigure[]) => figures.filter(({ reason }) => reason !== 'no data');

describe('the figures of the page', () => {
  it.each(report.metrics.filter(({ figures }) => selectReadable(figures).length > 0).map(({ name }) => name))(
    'of %s are those of the JSON',
    (name) => {
      const { title, figures } = report.metrics.find((metric) => metric.name === name)!;
      const rows = readRowsAfter(`### ${title}`);
      const findRow = (cell: ReportedFigure['cell']) =>
        rows.find((row) => row['Of']!.split(' = ').includes(formatCell(cell)));
      expect(new Set(rows.map((row) => JSON.stringify({ ...row, Of: '' }))).size).toBe(rows.length);
      selectReadable(figures).forEach((figure) => {
        const row = findRow(figure.cell)!;
        expect(row).toMatchObject({
          Value: roundValue(figure.value),
          '95 % interval': roundInterval(figure),
          Method: figure.method ?? figure.reason,
          Matches: String(figure.matches),
          'Mean of matches': roundValue(figure.mean_of_matches),
          of: String(figure.matches_with_value),
        });
        if (figure.coverage !== null) expect(row['Coverage']).toBe(roundValue(figure.coverage));
        if (figure.lowest !== null) expect(row['Lowest']).toBe(roundValue(figure.lowest));
        if (figure.highest !== null) expect(row['Highest']).toBe(roundValue(figure.highest));
        if (Number.isInteger(figure.opportunities)) expect(Number(row['Opportunities'])).toBe(figure.opportunities);
      });
    },
  );

  it('that are headlines stand side by side for every variant', () => {
    const [matches, ...rows] = readRowsAfter('# Headlines');
    expect(matches).toMatchObject({ 'All matches': '12', 'Few fallbacks': '12', 'First answers': '12' });
    for (const { title, figures } of report.samples)
      figures.forEach(({ value, reason, coverage, ...figure }, at) => {
        const bounds = figure.low === null ? `(${reason})` : `[${roundInterval(figure)}]`;
        const beside = coverage === null ? '' : `, coverage ${roundValue(coverage)}`;
        const without = reason === 'too few' ? reason : '–';
        expect(rows[at]![title]).toBe(value === null ? without : `${roundValue(value)} ${bounds}${beside}`);
      });
  });

  it('that are headlines stand beside their least and greatest value over variants', () => {
    const names = ['plain', 'rotated', 'renamed'];
    const [first, second, third] = report.samples[0]!.figures;
    const figures = [
      { metric: second!.metric, cell: second!.cell, values: [0.5, 0.25, null], spread: 0.25, p: 0.5 },
      { metric: first!.metric, cell: first!.cell, values: [0.75, 0.125, 0.5], spread: 0.625, p: 0.5 },
      { metric: third!.metric, cell: third!.cell, values: [null, null, 0.5], spread: null, p: null },
    ];
    const rows = readRowsAfter('# Headlines', renderAll({ ...report, variants: { names, deals: 12, figures } }));
    const spreads = rows.map((row) => row['Over variants']);
    expect(spreads.slice(0, 5)).toEqual(['', '0.125 to 0.750', '0.250 to 0.500', '–', '–']);
  });

  it('that are corrected stand with what they were, marked as exploratory', () => {
    const rows = readRowsAfter('### Corrected for the extractor’s errors (exploratory)');
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map((row) => [row['As found'], row['Corrected']])).toEqual(
      report.corrected.map(({ found, value }) => [roundValue(found), roundValue(value)]),
    );
    expect(rows[0]).toMatchObject({ Sensitivity: '0.900 [0.800 to 0.950]', Clipped: 'no' });
    expect(page).toContain(
      'on claims that both a reader and the extractor found. The extractor finds 75 % (3 of 4) of the lies and 50 % (1 of 2) of the truths',
    );
    expect(rows.every((row) => !row['Of']!.includes('model'))).toBe(true); // these models have no figures
    const unknown = renderAll(reportOn(createSeerDisputes(2)));
    expect(unknown).not.toContain('Corrected');
    expect(unknown).toContain('Lie rates are not corrected, because the extractor’s errors are not known.');
  });

  it('that are rates of lies stand beside their coverage, in every cell and in every sample', () => {
    const ofLies = report.metrics.filter(({ name }) =>
      /^lie(_turn_rate|_rate|_statement_rate|s_per_100_words)$/.test(name),
    );
    const all = ofLies.flatMap(({ figures }) => figures);
    const headlines = report.samples.flatMap(({ figures }) =>
      figures.filter(({ metric }) => metric === 'lie_turn_rate'),
    );
    expect([all.length > 20, headlines.length]).toEqual([true, 3 * 2]);
    expect([...all, ...headlines].filter(({ coverage }) => coverage === null)).toEqual([]);
  });
});

describe('figures made of claims', () => {
  const models = Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y']));
  const records = createSeerDisputes(12, { models });
  const [byRules, byJudge] = ['rules', 'openai:judge'].map((extractor) => reportOn(records, { extractor }));
  const listMarked = ({ metrics }: Report, comparable: boolean) =>
    metrics.filter(({ figures }) => figures.some((figure) => figure.comparable === comparable)).map(({ name }) => name);

  it('that rules drew are marked in the JSON, in every cell and sample, and those of analyses are not', () => {
    const marked = listMarked(byRules!, false);
    expect(marked).toEqual(
      expect.arrayContaining(['lie_rate', 'coverage', 'lies_called_honest_rate', 'seer_reveals_per_game']),
    );
    expect(listMarked(byRules!, true)).toEqual(expect.arrayContaining(['perceived_suspicion', 'win_rate']));
    expect(listMarked(byRules!, true).filter((name) => marked.includes(name))).toEqual([]);
    for (const { figures } of byRules!.samples)
      for (const { metric, comparable } of figures) expect(comparable).toBe(!marked.includes(metric));
  });

  it('stand by model, marked on the page and in the table, and the head says so', () => {
    const text = renderAll(byRules!);
    expect(text.split('\n## ')[0]).toMatch(/^> \*\*Rules extracted the claims, without a judge\. /m);
    expect(renderReportFindings(byRules!)).toContain('\nRules extracted the claims, without a judge. ');
    expect(readRowsAfter('# Headlines', text).map((row) => row['Figure'])).toContain('Statements with a lie †');
    expect(text.split('\n### Lies among claims about oneself\n')[1]!.split('\n|')[0]).toContain(
      '† Do not compare these rows between models.',
    );
    const cells = readRowsAfter('### Lies among claims about oneself', text).flatMap((row) => row['Of']!.split(' = '));
    expect(cells).toContain('model openai:x');
    expect(text.split('\n### Wins\n')[1]!.split('\n|')[0]).not.toContain('†');
    const rows = readTable(renderFiguresCsv(byRules!));
    const ofModels = rows.filter((row) => row['cell']!.includes('model=openai:x'));
    expect(ofModels.find((row) => row['metric'] === 'lie_rate')).toMatchObject({ comparable: 'false' });
    expect(ofModels.find((row) => row['metric'] === 'words_per_round')).toMatchObject({ comparable: 'true' });
  });

  it('stand with the reach of the rules where it is known', () => {
    const text = renderAll(reportOn(records, { errors }));
    expect(text.split('\n### Lies among claims about oneself\n')[1]!.split('\n|')[0]).toContain(
      '† On labeled statements, the rules find 75 % (3 of 4) of the lies and 50 % (1 of 2) of the truths, and more for one model than for another.',
    );
  });

  it('that one judge drew are marked, with the reason, also where its errors were measured on these models: only what they correct is compared', () => {
    expect(byJudge!.judge_reading).toBe('not shown');
    expect(byJudge!.claims_notice).toContain('Nothing shows that the judge reads all models alike');
    expect(listMarked(byJudge!, false)).toContain('lie_rate');
    const measured = reportOn(records, {
      extractor: 'openai:judge',
      errors: {
        ...errors,
        byWriter: Object.fromEntries(
          byJudge!.conditions
            .find(({ name }) => name === 'models')!
            .values.map((one) => [one.value, { lie_turn_rate: errors.ofLabels['lie_rate']! }]),
        ),
      },
    });
    expect(measured.judge_reading).toBe('measured');
    expect(listMarked(measured, false)).toEqual(listMarked(byJudge!, false));
    expect(measured.claims_notice).toContain('its errors on their statements are known');
  });
});

describe('the page', () => {
  it('says once that bots played, and leads there from every page of details', () => {
    const bots = reportOn(createSeerDisputes(2, { bots: names }));
    const details = Object.values(renderReportDetails(bots));
    expect(renderReport(bots).split('> - **Built-in bots played in all seats of all 2 matches.')).toHaveLength(2);
    expect(details.length).toBeGreaterThan(4);
    for (const text of details) {
      expect(text).not.toContain('Built-in bots played');
      expect(text).toContain('Part of the [report on 2 matches](../report.md), **whose warnings come first**.');
    }
    expect(page).not.toContain('Built-in bots');
  });

  it('says what players remembered, if it was the same in all matches', () => {
    const remember = (value: string, matches: number) =>
      renderReport({ ...report, conditions: [{ name: 'experience', values: [{ value, matches }] }] });
    expect(remember('pool of 12', report.matches)).toContain('- Players remembered: pool of 12.');
    expect(remember('pool of 12', report.matches - 1)).not.toContain('Players remembered');
    expect(remember('none', report.matches)).not.toContain('Players remembered');
  });

  it('says above the figures how conditions differ', () => {
    const mixed = renderAll(
      reportOn([createSeerDispute(1), createSeerDispute(2, { rules: { honesty: 'forbidden' } })]),
    );
    expect(mixed.indexOf('different rules: honesty are not the same')).toBeLessThan(mixed.indexOf('# Headlines'));
    expect(readRowsAfter('### What differs', mixed)).toContainEqual({
      Condition: 'rule honesty',
      Value: 'forbidden',
      Matches: '1',
    });
  });

  it('lists what was left out, with the reason', () => {
    const leftOut = [{ folder: 'runs/b|c', reason: 'damaged' as const, message: 'line 5 is <b>not</b> JSON' }];
    const text = renderAll(reportOn(createSeerDisputes(2), { leftOut }));
    expect(text).toContain('- **1 record is left out**: [which and why](details/left-out.md).');
    expect(readRowsAfter('# Records left out', text)).toEqual([
      { Folder: 'runs/b\\|c', Why: 'damaged', 'What was found': 'line 5 is &lt;b&gt;not&lt;/b&gt; JSON' },
    ]);
  });

  it('has tables of which every row has as many cells as the head, whatever models are called', () => {
    const models = Object.fromEntries(names.map((name) => [name, 'openai:a|b\n| c | <b>']));
    const tables = renderAll(reportOn(createSeerDisputes(2, { models })))
      .split(/\n\n+/)
      .filter((part) => part.startsWith('|'));
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables)
      expect(new Set(table.split('\n').map((line) => line.match(/(?<!\\)\|/g)!.length)).size).toBe(1);
  });
});

describe('the first page', () => {
  const models = Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y']));
  const ofModels = reportOn(createSeerDisputes(12, { models }));

  it('begins, as the console, with the table of answers, which says what fills a cell', () => {
    const { rows } = ofModels.answers[0]!;
    expect(rows.map(({ model }) => model)).toEqual(['openai:x', 'openai:y']);
    expect(rows[0]!.cells.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['too few', 'not read', 'no price']),
    );
    const first = renderReport(ofModels).split('\n').slice(0, 12).join('\n');
    for (const text of [first, renderReportFindings(ofModels)])
      for (const told of ['Lies', 'too few (', 'not read (no judge)']) expect(text).toContain(told);
    expect(renderReport(ofModels)).toContain('`npx wolfgraph report runs/study --judge MODEL`');
  });

  it('has at most 120 lines, however many models, notes and conditions there are', () => {
    const many = Object.fromEntries(names.map((name, seat) => [name, `openai:model-${seat}`]));
    const large = reportOn(createSeerDisputes(12, { models: many }));
    const notes = Array.from({ length: 40 }, (_, at) => `Note ${at}.`);
    expect(renderReport({ ...large, notes }).split('\n').length).toBeLessThan(121);
  });

  it('is linked to every other page', () => {
    const text = renderReport(ofModels);
    for (const file of Object.keys(renderReportDetails(ofModels))) expect(text).toContain(`](${file})`);
  });
});

describe('the JSON', () => {
  it('has a figure in one line whatever it holds, and a line each for what else holds lists', () => {
    const cell = { cell: { model: 'x' }, value: 0.5, values: [1, 2] };
    const lines = renderReportJson({ of: [cell], names: ['a', 'b'], deep: { list: [['a'], []] } } as unknown as Report)
      .trim()
      .split('\n');
    expect(lines.map((line) => line.trim())).toEqual([
      ...['{', '"of": [', JSON.stringify(cell), '],', '"names": ["a","b"],'],
      ...['"deep": {', '"list": [', '["a"],', '[]', ']', '}', '}'],
    ]);
  });

  it('is that of the report, with a figure in one line', () => {
    const text = renderReportJson(report);
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
    const lines = renderReportNotice(reportOn(createSeerDisputes(3), { leftOut })).split('\n');
    expect(lines[0]).toBe('3 matches are reported, sealed 3 of 3.');
    expect(lines[1]).toBe('12 records are left out:');
    expect(lines[2]).toBe('  runs/0 (not over): It [31m stopped.');
    expect(lines.at(-2)).toBe('  and 2 more; all are listed in details/left-out.md.');
  });
});

// The example reports in the docs: pages show the figures of the JSON, and bots are marked.

const folder = path.join(import.meta.dirname, '../../docs/example-report');
const read = (...parts: string[]) => readFileSync(path.join(folder, ...parts), 'utf8');

describe.each(['bots', 'published-games'])('the example of %s', (name) => {
  const report = Report.parse(JSON.parse(read(name, 'report.json')));

  it('has the figures of its JSON on its pages and in its table', () => {
    expect(read(name, 'report.md')).toBe(renderReport(report));
    for (const [file, text] of Object.entries(renderReportDetails(report))) expect(read(name, file)).toBe(text);
    expect(read(name, 'figures.csv')).toBe(renderFiguresCsv(report));
  });

  it('says on its first page where bots played, on at most 120 lines', () => {
    const first = read(name, 'report.md');
    expect(first.includes('Built-in bots played')).toBe(name === 'bots');
    expect(first.split('\n').length).toBeLessThan(121);
  });
});

// docs/reference/reports.md names every field of a report, and every reason for leaving out a record.

const reportsPage = readFileSync(path.join(import.meta.dirname, '../../docs/reference/reports.md'), 'utf8');
const mentioned = new Set([...reportsPage.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!));

/** Lists the names of all properties at any depth. */
function listKeys(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listKeys);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values({ ...rest, ...properties }).flatMap(listKeys)];
}

describe('docs/reference/reports.md', () => {
  it.each([
    ['every field of a report', [...new Set(listKeys(z.toJSONSchema(Report)))]],
    ['every reason to leave a record out', Object.keys(leftOutReasons)],
  ])('names %s', (_, names) => {
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !mentioned.has(name))).toEqual([]);
  });
});

// docs/reference/data.md must name every field of every file that a match leaves.

const dataPage = readFileSync(path.join(import.meta.dirname, '../../docs/reference/data.md'), 'utf8');

/** Code spans of the page, and the last parts of dotted names in them. */
const mentionedParts = new Set(
  [...dataPage.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => [code!, code!.split('.').at(-1)!]),
);

const listProperties = (schema: z.ZodType) => [
  ...new Set(listKeys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))),
];

/** The names in the first column of the table under a heading. */
function listDescribed(heading: string): string[] {
  const [, section] = dataPage.split(`\n${heading}\n`);
  const rows = section!.split(/\n#+ /)[0]!.match(/^\| `[^|]*\|/gm) ?? [];
  return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

describe('docs/reference/data.md', () => {
  it.each([
    ['the manifest', listProperties(Manifest)],
    ['the answers', listProperties(AnswerLine)],
    ['the events', listProperties(GameEvent)],
    ['the types of events', GameEvent.options.map(({ shape }) => shape.type.value)],
    ['the types of deception', DeceptionType.options],
    ['the summary', listProperties(DeceptionSummary)],
    ['the rules', Object.keys(rulebook)],
    ['the files', Object.values(recordFiles)],
  ])('names everything in %s', (_file, names) => {
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !mentionedParts.has(name))).toEqual([]);
  });

  it.each(tableNames)('says what every column of the table of %s is, and of no other', (table) => {
    const names = getColumns(table).map(({ name }) => name);
    expect(listDescribed(`### Table \`${table}\``).sort()).toEqual([...names].sort());
  });
});

// The tidy tables as CSV: no cell breaks a row or starts a formula.

const renderCsv = (table: TableName, events: readonly GameEvent[], changes: Parameters<typeof matchOf>[2] = {}) =>
  renderTableCsv(table, groupRowsByTable(buildTables(matchOf(events, [], changes)))[table]);

describe('a table as CSV', () => {
  it.each(tableNames)('has its columns in order, also where there are no rows: %s', (table) => {
    expect(renderTableCsv(table, [])).toBe(
      `${getColumns(table)
        .map(({ name }) => name)
        .join()}\n`,
    );
  });

  it('has a line a row', () => {
    const rows = readTable(renderCsv('statements', oneDay()));
    expect(rows.map(({ statement, speaker }) => [statement, speaker])).toEqual([
      ['s1.1', 'Ginger'],
      ['s1.2', 'Dan'],
      ['s1.Ginger', 'Ginger'],
      ['s1.Dan', 'Dan'],
    ]);
  });

  it('grows match by match', () => {
    const rows = [1, 2, 3].map(
      (seed) => groupRowsByTable(buildTables(matchOf(oneDay(), [], { id: `m${seed}` }))).analyses,
    );
    const grown = renderCsvHead('analyses') + rows.map((some) => renderCsvRows('analyses', some)).join('');
    expect(grown).toBe(renderTableCsv('analyses', rows.flat()));
    expect(renderCsvRows('analyses', [])).toBe('');
  });

  it('says true, false and nothing at all', () => {
    const rows = readTable(renderCsv('statements', oneDay()));
    expect(rows[0]).toMatchObject({ self_deceptive: 'true', flagged_by_majority: 'false', mean_p_werewolf: '0.25' });
    expect(rows[3]).toMatchObject({ self_deceptive: '', self_type: '', self_confidence: '', verdict: '' });
  });

  it('leaves a negative number a number', () => {
    expect(readTable(renderCsv('matches', oneDay(), { seed: -7 }))[0]).toMatchObject({ seed: '-7' });
  });

  it('quotes what would break a row', () => {
    const text = 'I said "no", twice.';
    expect(renderCsv('statements', [said('1.1', 'Dan', { text })])).toContain(',"I said ""no"", twice.",');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('starts no formula with %j', (text) => {
    const explained = voted(1, 'Dan', 'Will', { explanation: text });
    const csv = renderCsv('statements', [said('1.1', 'Dan', { text }), explained]);
    expect(csv.match(/,"?'[=+\-@\t\r]/g)).toHaveLength(2);
    expect(csv).not.toMatch(/,"?[=+\-@\t\r]/);
  });

  it.each([
    'Yes;=1+1',
    'Yes; =1+1;',
    'Yes;;@SUM(A1);',
    'Yes, well;\t-1;',
    'Yes;"=1+1;"',
    'Yes;" +1;"',
    'Yes;=HYPERLINK("a", "b");',
    'Yes;＝1+1',
  ])('starts no formula where a semicolon parts cells with %j', (text) => {
    const csv = renderCsv('statements', [said('1.1', 'Dan', { text }), said('1.2', 'Will', { text: ';' })]);
    for (const cell of csv.split(/[;\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
  });

  it('leaves other semicolons as they are', () => {
    const csv = renderCsv('statements', [said('1.1', 'Dan', { text: 'Yes; no = no ;-)' })]);
    expect(csv).toContain(',Yes; no = no ;-),');
  });

  it('starts no formula with private reasoning either', () => {
    const events = [said('1.1', 'Dan'), owned('1.1', 'Dan', 'none', { reasoning: '=HYPERLINK(1)' })];
    expect(renderCsv('analyses', events)).toContain(",'=HYPERLINK(1)\n");
  });
});
