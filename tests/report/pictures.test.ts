// Pictures mislead nobody: each model has its own row even if names are similar. Figures are marked if they cannot be
// compared, or if their interval is missing or too narrow.
import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import type { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import { drawIntervals, type Picture } from '../../report/pictures/picture-drawing.ts';
import { drawPictures, type pictureNames } from '../../report/pictures/report-pictures.ts';
import { maxNameLength, truncateNames } from '../../report/short-names.ts';
import { createSeerDisputes, reportOn } from '../deception/summary/report-builder.ts';

const [pro, flash] = ['vertexai:gemini-2.5-pro?temperature=0', 'vertexai:gemini-2.5-flash?temperature=0'] as const;

interface Element {
  textContent: string;
  querySelectorAll(selector: string): Iterable<Element>;
  getAttribute(name: string): string | null;
}
const parse = (svg: string) => (parseHTML(`<body>${svg}</body>`) as unknown as { document: Element }).document;
const listTexts = (svg: string, part: string) =>
  [...parse(svg).querySelectorAll(`[class="${part}"] text`)].map(({ textContent }) => textContent);
const listDots = (svg: string) =>
  [...parse(svg).querySelectorAll('[class="dot"]')].flatMap((group) => {
    const isFull = group.getAttribute('fill') === null; // the color of the whole picture
    return [...group.querySelectorAll('circle')].map(() => (isFull ? 'full' : 'hollow'));
  });

describe('short names', () => {
  it.each([
    ['models of a family', [pro, flash, 'vertexai:gemini-2.5-flash-lite?temperature=0']],
    ['one model asked in two ways', ['a:b/claude-sonnet-4.5-long-name?effort=high&temperature=0', 'a:b/claude-sonnet-4.5-long-name?effort=low&temperature=0']], // prettier-ignore
    ['names that differ by one letter', ['x', 'y'].map((letter) => `${'a'.repeat(60)}${letter}${'b'.repeat(60)}`)],
    ['names that look alike', ['a b', 'a\nb', 'a\u202e b']],
    ['a name that is a part of another', ['a'.repeat(50), 'a'.repeat(51), 'a'.repeat(52)]],
  ])('of %s are not alike, nor long', (_, names) => {
    const short = names.map(truncateNames(names));
    expect(new Set(short).size).toBe(names.length);
    for (const name of short) expect(name.length).toBeLessThan(maxNameLength + 5);
  });

  it('of three that differ in two places, though two are alike in each, show both', () => {
    const names = ['a-c', 'a-d', 'b-c'].map((pair) => {
      const [first, second] = pair.split('-');
      return `${'x'.repeat(40)}${first}${'y'.repeat(40)}${second}${'z'.repeat(40)}`;
    });
    const short = names.map(truncateNames(names));
    expect(new Set(short).size).toBe(3);
    for (const name of short) expect(name).not.toMatch(/\(\d\)$/);
  });

  it('keep what fits as it is, and show where long ones differ', () => {
    const shorten = truncateNames([pro, flash, 'openai:gpt']);
    expect([pro, flash, 'openai:gpt'].map(shorten)).toEqual([
      expect.stringContaining('gemini-2.5-pro'),
      expect.stringContaining('gemini-2.5-flash'),
      'openai:gpt',
    ]);
  });
});

/** A report with figures by model only. Metric and cell → contents. */
const base = reportOn(createSeerDisputes(3));
const figure = (cell: Record<string, string>, changes: Partial<ReportedFigure> = {}): ReportedFigure => ({
  ...base.metrics[0]!.figures[0]!,
  ...{ cell, value: 0.5, low: 0.4, high: 0.6, reason: null, chance: null, covers: null, comparable: true, ...changes },
});
const reportWith = (figures: Record<string, ReportedFigure[]>): Report => ({
  ...base,
  curves: [],
  metrics: Object.entries(figures).map(([name, own]) => ({ ...base.metrics[0]!, name, figures: own })),
});

const heard = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };
const reportOnBoth = (changes: Partial<ReportedFigure> = {}) =>
  reportWith({
    win_rate: [pro, flash].flatMap((model) => [
      ...['werewolves', 'villagers'].map((team) => figure({ team, model })),
      ...[pro, flash].map((opponent) => figure({ team: 'werewolves', model, opponent })),
    ]),
    lie_turn_rate: [pro, flash].map((model) => figure({ team: 'werewolves', model }, changes)),
    ...Object.fromEntries(
      ['paired_detection', 'matched_hit_rate', 'matched_false_alarm_rate'].map((name) => [
        name,
        [pro, flash].flatMap((model) => [
          ...[
            figure({ ...heard, speaker_model: model }, changes),
            figure({ ...heard, observer_model: model }, changes),
          ],
          ...[pro, flash].map((other) => figure({ ...heard, observer_model: model, speaker_model: other }, changes)),
        ]),
      ]),
    ),
    turns_per_round: [pro, flash].flatMap((model) =>
      ['werewolves', 'villagers'].map((team) => figure({ model, team }, { value: 1.5, low: 1, high: 2 })),
    ),
  });

type Pictures = ReadonlyMap<(typeof pictureNames)[number], Picture>;
const index = (report: Report, leaderboard: Leaderboard | null = null): Pictures =>
  new Map(drawPictures(report, leaderboard).map((picture) => [picture.name, picture]));

describe('models with names that are alike', () => {
  const pictures = index(reportOnBoth());

  it('have a row each, and the same short name in all pictures', () => {
    const names = [listTexts(pictures.get('lies-told')!.svg, 'y-axis tick label')];
    expect(new Set(names[0]).size).toBe(2);
    expect(listDots(pictures.get('lies-told')!.svg)).toHaveLength(2);
    for (const { svg } of pictures.values()) expect([svg.includes(pro), svg.includes(flash)]).toEqual([false, false]);
    expect(new Set(listTexts(pictures.get('turns')!.svg, 'y-axis tick label')).size).toBe(4);
    expect(pictures.get('turns')!.table).toHaveLength(5);
    for (const name of ['head-to-head', 'who-hears-whom'] as const) {
      const svg = parse(pictures.get(name)!.svg);
      expect([...svg.querySelectorAll('[class="cell"] rect')]).toHaveLength(4);
      expect(new Set(listTexts(pictures.get(name)!.svg, 'x-axis tick label'))).toEqual(new Set(names[0]));
      const [head, ...table] = pictures.get(name)!.table;
      const columns = name === 'head-to-head' ? 3 : 5; // with columns for hits and false alarms
      expect([head!, ...table].map(({ length }) => length)).toEqual(Array(5).fill(columns));
      expect(new Set(table.map(([row, column]) => `${row} ${column}`)).size).toBe(4);
      for (const [, , value] of table) expect(value).toBe('50 % [40–60]');
    }
  });

  it('have a row each where whoever draws names no others', () => {
    const marks = [pro, flash].map((label) => ({ label, value: 0.5, low: null, high: null, chance: null }));
    const svg = drawIntervals('Scores', marks);
    expect(new Set(listTexts(svg, 'y-axis tick label')).size).toBe(2);
  });

  it('have a row each under every condition of a tournament', () => {
    const entrants = [pro, flash].map((entrant) => ({ entrant, score: { value: 0.5, low: 0.4, high: 0.6 } }));
    const conditions = ['board=village-of-long-names&rules=first', 'board=village-of-long-names&rules=other'];
    const leaderboard = { ratings: conditions.map((condition) => ({ condition, entrants })) } as unknown as Leaderboard;
    const drawn = index(reportOnBoth(), leaderboard).get('ratings')!;
    expect(new Set(listTexts(drawn.svg, 'y-axis tick label')).size).toBe(4);
    const only = { ratings: [{ condition: null, entrants }] } as unknown as Leaderboard;
    const names = listTexts(index(reportWith({}), only).get('ratings')!.svg, 'y-axis tick label');
    expect(names.map(({ length }) => length > maxNameLength + 5)).toEqual([false, false]);
  });
});

describe('what a picture may not be taken for', () => {
  const ofClaims = ['lies-told', 'who-hears-whom'] as const;

  it('stands in it: where claims were drawn by no single judge, it compares no models', () => {
    const pictures = index(reportOnBoth({ comparable: false }));
    for (const name of ofClaims) {
      const { title, description, svg, data } = pictures.get(name)!;
      expect(title).toMatch(/ †$/);
      expect(description).toContain('† Based on claims that no single judge extracted: do not compare models.');
      expect(parse(svg).querySelectorAll('text')).toContainEqual(
        expect.objectContaining({ textContent: expect.stringMatching(/^† .* do not compare models/) }),
      );
      expect(Object.entries(data[0]!).filter(([column]) => column.endsWith('comparable'))).toContainEqual([
        expect.any(String),
        false,
      ]);
    }
    expect(pictures.get('head-to-head')!.title).not.toContain('†');
    expect(index(reportOnBoth()).get('lies-told')!.svg).not.toContain('†');
  });

  it('is exact: what has no interval is hollow, and its number says why', () => {
    const few = index(reportOnBoth({ low: null, high: null, reason: 'too few' }));
    expect(listDots(few.get('lies-told')!.svg)).toEqual(['hollow', 'hollow']);
    expect(few.get('lies-told')!.table[1]![1]).toBe('50 % (no interval: too few)');
    expect(few.get('lies-told')!.svg).toContain('Hollow: no interval');
    expect(few.get('who-hears-whom')!.svg).toContain('>too few<');
    expect(listDots(index(reportOnBoth()).get('lies-told')!.svg)).toEqual(['full', 'full']);
  });

  it('is sure: an interval that covers too little is marked', () => {
    const narrow = index(reportOnBoth({ covers: 0.9 }));
    for (const name of ofClaims) expect(narrow.get(name)!.svg).toContain('‡ The interval is too narrow');
    expect(narrow.get('lies-told')!.table[1]![1]).toBe('50 % [40–60] ‡');
    expect(narrow.get('head-to-head')!.svg).not.toContain('‡');
  });
});

describe('figures that no match has', () => {
  it('have no picture, rather than an empty one', () => {
    const report = reportOnBoth();
    const metrics = report.metrics.map((metric) => ({ ...metric, figures: [] }));
    const samples = report.samples.map((sample) => ({ ...sample, figures: [] }));
    expect(drawPictures({ ...report, metrics, samples }, null).map(({ name }) => name)).toEqual([]);
  });
});
