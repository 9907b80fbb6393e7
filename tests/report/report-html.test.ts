// The report's HTML page and pictures: numbers equal those of the JSON, nothing runs or loads, and models' names are
// plain text.
import { describe, expect, it } from '@jest/globals';
import type { Report } from '../../deception/summary/report-schema.ts';
import { renderPictureCsv } from '../../report/csv.ts';
import { escapeHtml, readEscaped } from '../../report/html-page.ts';
import { drawPictures, pictureNames } from '../../report/pictures/report-pictures.ts';
import { listRowCells, tellDifferences } from '../../report/answer-table-text.ts';
import { renderReportHtml } from '../../report/report-html.ts';
import { names } from '../deception/match-builder.ts';
import { createSeerDisputes, reportOn } from '../deception/summary/report-builder.ts';
import { type Element, parse } from './parse-page.ts';

const reportOnModels = (one: string, other: string, matches = 12) =>
  reportOn(
    createSeerDisputes(matches, {
      models: Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? one : other])),
    }),
  );
const report = reportOnModels('openai:x', 'openai:y');
const findFigure = ({ metrics }: Report, metric: string, cell: Record<string, string>) =>
  metrics
    .find(({ name }) => name === metric)!
    .figures.find((figure) => JSON.stringify(figure.cell) === JSON.stringify(cell))!;
const readRows = (table: Element) =>
  [...table.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('th, td')].map((one) => one.textContent));

describe('the page', () => {
  const page = parse(renderReportHtml(report));

  it('begins with the table of answers, cell by cell as the JSON has it', () => {
    const [table] = report.answers;
    const [, ...rows] = readRows(page.querySelector('#answers table')!);
    const told = table!.rows.map((row) => [row.model, ...listRowCells(row).map((cell) => cell.replace(/, (?=\S+ match|\d|between)/, ' '))]); // prettier-ignore
    expect(rows.map((row) => row.map((cell) => cell.trim().replaceAll(/\s+/g, ' ')))).toEqual(told);
    expect(rows.map(([model]) => model)).toEqual(['openai:x', 'openai:y']);
    const sentences = [...page.querySelector('.answers > div')!.querySelectorAll('dd, p')];
    expect(sentences).toHaveLength(Math.max(1, tellDifferences(table!, String).length));
  });

  it('keeps in one line what is of one number', () => {
    const cells = [...page.querySelectorAll('#models td, #answers td')];
    expect(cells.map(({ textContent }) => textContent).filter((text) => /\[/.test(text)).length).toBeGreaterThan(1);
    for (const cell of cells) {
      const whole = [...cell.querySelectorAll('.whole')].map(({ textContent }) => textContent);
      const parts = cell.textContent.match(/[\d.]+ %(?=.*\[)|\[[^\]]*\]|\(by chance.*\)/g) ?? [];
      expect(whole).toEqual(expect.arrayContaining(parts));
    }
  });

  it('holds every figure that has data, as the pages by theme do', () => {
    const cells = new Set([...page.querySelectorAll('details code')].map(({ textContent }) => textContent));
    const shown = report.metrics.filter(({ figures }) => figures.some(({ value }) => value !== null));
    expect(shown.filter(({ name }) => !cells.has(name)).map(({ name }) => name)).toEqual([]);
  });

  it('runs nothing, loads nothing, and forbids both', () => {
    expect([...page.querySelectorAll('script, img, link, iframe, object, [style], [onload]')]).toEqual([]);
    const ways = [...page.querySelectorAll('a')].map((link) => link.getAttribute('href')!);
    expect(ways.filter((way) => !/^(?:#|pictures\/[\w-]+\.svg$|data:text\/csv;)/.test(way))).toEqual([]);
    const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')!.getAttribute('content')!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  });

  it('says which matches are counted, under which conditions, and what is left out', () => {
    const leftOut = [{ folder: 'runs/broken', reason: 'damaged' as const, message: 'no manifest <here>' }];
    const told = parse(renderReportHtml(reportOn(createSeerDisputes(3), { leftOut })));
    const { conditions, notes } = reportOn(createSeerDisputes(3), { leftOut });
    const lines = [...told.querySelectorAll('li')].map(({ textContent }) => textContent);
    expect(lines).toContainEqual(expect.stringMatching(/^3 matches are counted, .*3 seeds, 0 to 2\.$/));
    for (const note of notes) expect(lines).toContain(note);
    const tables = [...told.querySelectorAll('table')].map(readRows);
    const ofConditions = tables.find(([head]) => head![0] === 'Condition')!;
    expect(ofConditions.slice(1).map(([name]) => name)).toEqual(conditions.map(({ name }) => name));
    expect(tables).toContainEqual([
      ['Folder', 'Why', 'What was found'],
      ['runs/broken', 'damaged', 'no manifest <here>'],
    ]);
  });

  it('leads from each picture and each head of the table to what the metric is, and to its numbers as a file', () => {
    const ids = new Set([...page.querySelectorAll('[id]')].map((one) => one.getAttribute('id')));
    const links = [...page.querySelectorAll('figure .under a, #models thead a')];
    const toMetrics = links.map((link) => link.getAttribute('href')!).filter((way) => way.startsWith('#'));
    expect(toMetrics).toEqual(expect.arrayContaining(['#metric-turns_per_round', '#metric-lie_turn_rate']));
    expect(toMetrics.filter((way) => !ids.has(way.slice(1)))).toEqual([]);
    const lied = page.querySelector('#lies-told a[download]')!;
    const { data } = drawPictures(report).find(({ name }) => name === 'lies-told')!;
    expect(decodeURIComponent(lied.getAttribute('href')!.split(',')[1]!)).toBe(renderPictureCsv(data));
  });

  it('escapes a line so that it can be read again', () => {
    for (const line of [`a & b < "c" > 'd'`, '&amp;lt;', '&#39;', '']) expect(readEscaped(escapeHtml(line))).toBe(line);
  });

  it('shows hostile names as text', () => {
    const hostile = 'openai:</title><script>alert(1)</script><svg onload=alert(1)>"\'&\u202e';
    const text = renderReportHtml(reportOnModels(hostile, 'openai:y'));
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<svg onload');
    expect(text).toContain(escapeHtml('openai:</title><script>alert(1)</script>'));
    expect(text).not.toContain('\u202e');
  });

  it('of a thousand figures of one metric says how many it leaves out, and stays small', () => {
    const metric = report.metrics.find(({ name }) => name === 'win_rate')!;
    const figures = Array.from({ length: 1000 }, (_, at) => ({ ...metric.figures[0]!, cell: { model: `m${at}` }, value: at / 1000 })); // prettier-ignore
    const text = renderReportHtml({ ...report, metrics: [{ ...metric, figures }] }, drawPictures(report));
    expect(text).toContain('600 more rows: <code>figures.csv</code>');
    expect(text.length).toBeLessThan(500_000);
  });
});

/** A report on matches in which Werewolves lie in some statements and tell the truth in others. */
const ofPage = reportOn(
  createSeerDisputes(24, {
    models: Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y'])),
  }).map((record) => ({
    ...record,
    events: record.events.map((event) =>
      event.type === 'statement' && event.text.startsWith('Let us') ? { ...event, text: 'I am not the Seer.' } : event,
    ),
  })),
);

describe('the pictures', () => {
  const pictures = drawPictures(report);

  it('have known names, a name for whoever cannot see them, and no style of their own', () => {
    expect(pictures.length).toBeGreaterThan(3);
    for (const { name, title, svg } of pictures) {
      expect(pictureNames).toContain(name);
      const drawn = parse(`<body>${svg}</body>`).querySelector('svg')!;
      expect([drawn.getAttribute('role'), drawn.getAttribute('aria-label')]).toEqual(['img', title]);
      expect(svg).not.toMatch(/<style|style=/);
    }
  });

  it('stand beside their numbers, read and unrounded', () => {
    for (const { table, data } of pictures) {
      expect(data).toHaveLength(table.length - 1);
      expect(new Set(table.map((row) => row.length)).size).toBe(1);
    }
    const csv = renderPictureCsv([{ model: '=1+1', value: 1 / 3, low: null }]);
    expect(csv).toBe("model,value,low\n'=1+1,0.3333333333333333,\n");
  });

  it('of suspicion round by round, scores, bids and votes hold what the report holds', () => {
    const figure = (cell: Record<string, string>, value: number) => ({
      ...findFigure(report, 'win_rate', { team: 'werewolves', model: 'openai:x' }),
      ...{ cell, value, low: value / 2, high: null, chance: null },
    });
    const own = (name: string, figures: ReturnType<typeof figure>[]) => ({ ...report.metrics[0]!, name, figures });
    const heard = { source: 'match', kind: 'debate' };
    const filled: Report = {
      ...ofPage,
      metrics: [
        own('perceived_suspicion', [
          figure({ ...heard, speaker_role: 'Seer', round: '10' }, 0.7),
          figure({ ...heard, speaker_role: 'Seer', round: '2' }, 0.2),
          figure({ ...heard, speaker_role: 'Seer' }, 0.9),
          figure({ ...heard, kind: 'ballot', speaker_role: 'Seer', round: '2' }, 0.9),
        ]),
        own('bid_height', [
          figure({ turn: '1', is_mentioned: 'false' }, 0.1),
          figure({ turn: '2', is_mentioned: 'true' }, 0.3),
          figure({ turn: '2' }, 0.9),
        ]),
        own('bid_share', [
          figure({ scale: '4', bid: '0', turn: '1' }, 0.25),
          figure({ scale: '4', bid: '4', turn: '1' }, 0.75),
          figure({ scale: '4', bid: '4', turn: '2' }, 1),
          figure({ scale: '10', bid: '9', turn: '1' }, 0.9), // a scale with fewer bids
          ...[1, 2].map((turn) => figure({ scale: '4', bid: '4', turn: String(turn), is_mentioned: 'true' }, 0.5)),
          figure({ scale: '4', bid: '4', turn: '1', is_mentioned: 'false' }, 0.1),
          ...['0', '4'].map((bid) => figure({ scale: '4', bid, model: 'openai:x', team: 'werewolves' }, 0.5)),
        ]),
        own('voting_entropy', [
          ...[2.5, 1.5].map((bits, at) => figure({ round: '1', index: String(at + 1) }, bits)),
          figure({ round: '2', index: '1' }, 1),
          ...[figure({ index: '1' }, 9), figure({ round: '1' }, 9)],
        ]),
        own('consensus_point', [figure({ round: '1' }, 1.5), figure({}, 9)]),
        own('turns_per_round', [
          figure({ model: 'openai:x', team: 'villagers' }, 1.5),
          figure({ model: 'openai:x' }, 9),
        ]),
      ],
    };
    const drawn = new Map(drawPictures(filled).map((picture) => [picture.name, picture]));
    const list = (name: (typeof pictureNames)[number], ...columns: string[]) =>
      drawn.get(name)!.data.map((row) => columns.map((column) => row[column]));
    expect(list('suspicion-by-round', 'role', 'round', 'value')).toEqual([
      ['Seer', 2, 0.2],
      ['Seer', 10, 0.7],
    ]);
    expect(list('bids', 'bidders', 'turn', 'value')).toEqual([
      ['not mentioned', 1, 0.1],
      ['mentioned', 2, 0.3],
    ]);
    expect(list('bid-shares', 'turn', 'bid', 'value')).toEqual([
      [1, 0, 0.25],
      [1, 4, 0.75],
      [2, 4, 1],
    ]);
    expect(list('bid-shares-mentioned', 'turn', 'bid', 'value')).toEqual([
      [1, 4, 0.5],
      [2, 4, 0.5],
    ]);
    expect(list('bid-density', 'model', 'side', 'bid', 'value')).toEqual([
      ['openai:x', 'werewolves', 0, 0.5],
      ['openai:x', 'werewolves', 4, 0.5],
    ]);
    expect(list('voting-entropy', 'round', 'what', 'turns_before', 'value')).toEqual([
      [1, 'entropy', 1, 2.5],
      [1, 'entropy', 2, 1.5],
      [2, 'entropy', 1, 1],
      [1, 'consensus', null, 1.5],
    ]);
    const entropy = parse(`<body>${drawn.get('voting-entropy')!.svg}</body>`);
    expect([...entropy.querySelectorAll('[class="text"] text')].map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['round 1', 'round 2']),
    );
    expect(list('turns', 'model', 'side', 'value')).toEqual([['openai:x', 'villagers', 1.5]]);
  });

  it('place points where the figures are', () => {
    const lied = pictures.find(({ name }) => name === 'lies-told')!;
    const svg = parse(`<body>${lied.svg}</body>`);
    const dots = [...svg.querySelectorAll('circle')].map((dot) => Number(dot.getAttribute('cx')));
    const ticks = [...svg.querySelectorAll('[class="x-axis tick label"] text')].map((tick) => ({
      share: Number(tick.textContent) / 100,
      x: Number(/translate\(([\d.]+)/.exec(tick.getAttribute('transform')!)![1]),
    }));
    const [least, most] = [ticks[0]!, ticks.at(-1)!];
    const scale = (share: number) =>
      least.x + ((share - least.share) * (most.x - least.x)) / (most.share - least.share);
    const values = ['openai:x', 'openai:y'].flatMap(
      (model) => findFigure(report, 'lie_turn_rate', { team: 'werewolves', model })?.value ?? [],
    );
    expect(dots).toHaveLength(values.length);
    values.forEach((value, at) => expect(Math.abs(dots[at]! - scale(value))).toBeLessThan(0.6));
    expect(lied.table.slice(1).map(([model]) => model)).toEqual(['openai:x', 'openai:y'].slice(0, values.length));
  });
});
