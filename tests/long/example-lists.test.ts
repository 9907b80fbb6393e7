// Lists of the cases that a report's figures count: their number, their random order by the seed, and escaping.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { getFigureKey } from '../../deception/metrics/metric.ts';
import { listFigureExamples } from '../../deception/summary/figure-examples.ts';
import {
  type SampledExamples,
  maxShown,
  maxShownOfMany,
  ExampleSampler,
} from '../../deception/summary/example-sampler.ts';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import type { LinkedExamples } from '../../report/example-lists.ts';
import { listLinkedCells } from '../../report/cells-with-examples.ts';
import { drawPictures, pictureNames } from '../../report/pictures/report-pictures.ts';
import { renderReportHtml } from '../../report/report-html.ts';
import { createSeerDispute, reportOn } from '../deception/summary/report-builder.ts';
import { parse } from '../report/parse-page.ts';
import { readGoldenRecord } from '../golden-records.ts';

const models = ['openai:x', 'openai:y'];

/** Matches in which two models play whole sides, in blocks of experience. Some have real debates, bids and votes. */
const records: MatchRecord[] = [
  ...['arena-bots', 'plus-9-bots', 'wolf-6-tinyllama', 'wolf-bots-questions'].map((name): MatchRecord =>
    readGoldenRecord(name),
  ),
  ...Array.from({ length: 60 }, (_, number) => createSeerDispute(number)),
].map(({ manifest, events, answers }, at) => {
  const { setup } = manifest;
  const modelOf = (team: string) => models[(team === 'werewolves' ? at : at >> 1) % 2]!;
  const seated = Object.fromEntries(setup.players.map(({ name, team }) => [name, modelOf(team)]));
  const reworded = events.map((event) =>
    event.type === 'statement' && event.text.startsWith('Let us') ? { ...event, text: 'I am not the Seer.' } : event,
  );
  return {
    manifest: {
      ...manifest,
      id: `m${at}`,
      experience_block: 1 + (at % 2),
      setup: { ...setup, models: seated, bots: [] },
    },
    ...{ events: reworded, answers },
  };
});
const tables = records.map((record) => buildTables(record));
const sample = (some: typeof tables) => {
  const sampler = new ExampleSampler(1);
  for (const one of some) sampler.add(listFigureExamples(one, `runs/${one.match.match_id}`));
  return sampler.list();
};
let report: Report;
let counted: SampledExamples[];
let pictures: ReturnType<typeof drawPictures>;
/** The page without links to matches. */
let plain: ReturnType<typeof parse>;
beforeAll(() => {
  report = { ...reportOn(records, { tables }), conditions: [] }; // wins of several boards have no picture
  counted = sample(tables);
  pictures = drawPictures(report);
  plain = parse(renderReportHtml(report, pictures, link(null)));
});

const link = (href: string | null): LinkedExamples[] =>
  counted.map((one) => ({ ...one, shown: one.shown.map((said) => ({ ...said, href })) }));

/** Means list every value that they average; shares list the cases that have the property. */
const means = ['perceived_suspicion', 'bid_height', 'turns_per_round', 'voting_entropy', 'win_rate'];

function countOf(metric: string, figure: Pick<ReportedFigure, 'value' | 'opportunities'> | undefined): number {
  if (figure?.value == null) return 0;
  return means.includes(metric) ? figure.opportunities! : Math.round(figure.value * figure.opportunities!);
}

/** Returns the number of cases that the report gives. */
function countInReport({ metric, cell: { bin, ...cell } }: SampledExamples): number {
  const key = JSON.stringify(Object.entries(cell).sort());
  const isOf = (one: { cell: object }) => JSON.stringify(Object.entries(one.cell).sort()) === key;
  const curve = report.curves.find((one) => one.metric === metric && isOf(one));
  if (bin !== undefined) return curve!.bins.find((one) => one.from.toFixed(1) === bin)?.cases ?? 0;
  return countOf(metric, report.metrics.find(({ name }) => name === metric)!.figures.find(isOf));
}

describe('what a figure counts', () => {
  it('is as much as the figure says, for every cell of every picture that has anything to count', () => {
    const named = new Map(counted.map((one) => [getFigureKey(one), one]));
    const seen = new Set<string>();
    for (const picture of pictures)
      for (const row of listLinkedCells(picture, report))
        for (const { counted: cell } of row.values()) {
          const found = named.get(getFigureKey(cell)) ?? { ...cell, total: 0, shown: [] };
          expect({ picture: picture.name, ...cell, total: found.total }).toEqual({
            ...{ picture: picture.name, ...cell, total: countInReport(found) },
          });
          if (found.total > 0) seen.add(picture.name);
        }
    expect(pictureNames.filter((name) => !seen.has(name))).toEqual(['ratings', 'who-hears-whom']);
  });

  it('is as much for the whole of what is counted, whether it is drawn or not', () => {
    for (const one of counted) expect({ ...one, total: one.total }).toEqual({ ...one, total: countInReport(one) });
  });

  it('is shown in twenty examples at most, five where there are many figures, drawn by the seed whoever gathered them', () => {
    const longest = (isLong: boolean) =>
      Math.max(
        ...counted.filter(({ metric }) => (metric === 'lie_turn_rate') === isLong).map(({ shown }) => shown.length),
      );
    expect(Math.max(...counted.map(({ shown }) => shown.length))).toBe(maxShown);
    expect(longest(true)).toBe(maxShown);
    const ofRounds = counted.filter(({ cell }) => 'round' in cell);
    expect(Math.max(...ofRounds.map(({ shown }) => shown.length))).toBe(maxShownOfMany);
    for (const { total, shown } of counted) {
      expect(shown.length).toBeLessThanOrEqual(total);
      expect(new Set(shown.map(({ match, moment }) => `${match} ${moment}`)).size).toBe(shown.length);
    }
    for (const { shown } of counted) {
      const of = shown.map(({ match }) => match);
      const different = new Set(of).size;
      expect(new Set(of.slice(0, different)).size).toBe(different); // a match comes again only after all others
    }
    const merged = new ExampleSampler(1);
    for (const part of [tables.slice(40), tables.slice(0, 15), tables.slice(15, 40)]) merged.merge(sample(part));
    expect(merged.list()).toEqual(counted);
  });
});

describe('the lists on the page', () => {
  it('are led to by cells of pictures and lead back, each text standing in full once', () => {
    const ids = new Set([...plain.querySelectorAll('[id]')].map((one) => one.getAttribute('id')));
    const anchors = [...plain.querySelectorAll('a')].map((one) => one.getAttribute('href')!);
    const files = /^(?:pictures\/|data:text\/csv)/; // of pictures
    expect(anchors.filter((href) => !files.test(href) && !ids.has(href.slice(1)))).toEqual([]);
    const headings = [...plain.querySelectorAll('.behind h3')];
    expect(headings.length).toBeGreaterThan(50);
    for (const heading of headings) expect(anchors).toContain(`#${heading.getAttribute('id')}`);
    expect([...plain.querySelectorAll('.back')]).toHaveLength(headings.length);
    const [lies] = headings;
    const total = counted.find(({ metric, cell }) => metric === 'lie_turn_rate' && cell['model'] === 'openai:x')!.total;
    expect(lies!.textContent).toBe(
      `openai:x: Statements with a provable lie, as Werewolf: ${total} statements; ${maxShown} of them`,
    );
    const told = [...plain.querySelectorAll('li[id]')].map((one) => one.querySelector('code')!.textContent);
    expect(new Set(told.map((command) => command)).size).toBeGreaterThan(20);
    const places = [...plain.querySelectorAll('li[id]')].map(
      ({ textContent }) => /\((m\d+, [\w.]+): /.exec(textContent)![1],
    );
    expect(new Set(places).size).toBe(places.length);
  });

  it('name the command of the round and the player, or lead to the moment in its page', () => {
    const linked = parse(renderReportHtml(report, pictures, link('../m/match.html')));
    const said = counted.find(({ metric, cell }) => metric === 'lie_turn_rate' && cell['model'] === 'openai:x')!
      .shown[0]!;
    expect(plain.querySelector('li[id] code')!.textContent).toBe(
      `npx wolfgraph show ${said.folder} --round ${said.round} --player ${said.player}`,
    );
    expect(linked.querySelector('li[id] a')!.getAttribute('href')).toBe(
      `../m/match.html#/match/${said.match}/${said.moment}`,
    );
    const listed = [...linked.querySelectorAll('.behind li')];
    expect(listed.every((one) => one.querySelector('a[href*="match.html#/match/"]') !== null)).toBe(true);
  });

  it('open a match with the claims of whoever drew those of the report', () => {
    const judge = 'openai:a ×3 + openai:b';
    const few = report.metrics.filter(({ name }) => name === 'win_rate' || name === 'lie_turn_rate');
    const small = { ...report, metrics: few, curves: [] };
    const render = (href: string | null, by: string) => {
      const lies = link(href).filter(({ metric }) => metric === 'lie_turn_rate');
      return parse(renderReportHtml(small, [], lies, { judge: by })).querySelector('li[id] small')!;
    };
    const said = counted.find(({ metric, cell }) => metric === 'lie_turn_rate' && cell['model'] === 'openai:x')!
      .shown[0]!;
    expect(render('m/match.html', judge).querySelector('a')!.getAttribute('href')).toBe(
      `m/match.html#/match/${said.match}/${said.moment}?judge=${encodeURIComponent(judge)}`,
    );
    const told = [judge, 'rules'].map((by) => render(null, by).querySelector('code')!.textContent);
    expect(told[0]!.endsWith(` --judge '${judge}'`)).toBe(true);
    expect(told[1]!.endsWith(' --no-judge')).toBe(true);
  });

  it('hold whatever was said as text', () => {
    const hostile = '</script><img src=x onerror=alert(1)>\u202e';
    const linked = link(null).map((one) => ({ ...one, shown: one.shown.map((said) => ({ ...said, text: hostile, player: hostile, note: hostile })) })); // prettier-ignore
    expect(renderReportHtml(report, pictures, linked)).not.toMatch(/<img|<\/script|\u202e/);
  });

  it('are cut where the page would be over three megabytes, and say so', () => {
    const long = Array.from({ length: 80 }, (_, at) => `wolfish${at % 10}`).join(' ');
    const render = (text: string, times: number) => {
      const grown = link(null).map((one, at) => ({
        ...one,
        shown: one.shown.map((said, place) => ({ ...said, text, moment: `${at}.${place}`, note: 'x'.repeat(times) })),
      }));
      return renderReportHtml(report, pictures, grown);
    };
    const [whole, full] = [render(long, 1), render(long, 6000)];
    expect(whole.includes(long)).toBe(true);
    expect([whole, full].map((text) => text.includes('fewer examples than usual'))).toEqual([false, true]);
    expect(Buffer.byteLength(full)).toBeLessThan(3_000_000);
  });
});
