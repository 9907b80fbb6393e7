// The size of a report's page about 300 matches of twelve models, with two or three matches per pairing and statements
// of eighty words.
import { expect, it } from '@jest/globals';
import { listFigureExamples } from '../../deception/summary/figure-examples.ts';
import { maxShown, ExampleSampler } from '../../deception/summary/example-sampler.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { drawPictures } from '../../report/pictures/report-pictures.ts';
import { renderReportHtml } from '../../report/report-html.ts';
import { createSeerDispute, reportOn } from '../deception/summary/report-builder.ts';

const models = Array.from({ length: 12 }, (_, at) => `vertexai:gemini-${at}.5-pro-preview?temperature=0.${at}`);

/** Creates matches of every pairing of the models, six turns each. */
const records = Array.from({ length: 300 }, (_, number) => {
  const [werewolves, village] = [models[number % 12]!, models[Math.floor(number / 12) % 12]!];
  const of = { Ginger: werewolves, Dan: village, Will: village, Leah: village };
  const { events, ...record } = createSeerDispute(number, { models: of });
  const said = events.filter(({ type }) => type === 'statement' || type === 'assessment');
  const more = [2, 4].flatMap(
    (later) =>
    said.map((event) => JSON.parse(JSON.stringify(event).replace(/"1\.(\d)"/g, (_, turn) => `"1.${Number(turn) + later}"`)) as typeof event), // prettier-ignore
  );
  const all = [...events.slice(0, -1), ...more, events.at(-1)!];
  const words = (id: string) => Array.from({ length: 76 }, (_, at) => `word${number}.${id}.${at % 10}`);
  return {
    ...record,
    events: all.map((event) =>
      event.type === 'statement' ? { ...event, text: [event.text, ...words(event.id)].join(' ') } : event,
    ),
  };
});

it('takes less than three megabytes, and shows of every figure of a model as many statements as it may', () => {
  const report = reportOn(records);
  const sampler = new ExampleSampler(1);
  for (const record of records)
    sampler.add(listFigureExamples(buildTables(record), `runs/of-a-tournament/${record.manifest.id}`));
  const counted = sampler.list();
  const html = renderReportHtml(
    report,
    drawPictures(report),
    counted.map((one) => ({ ...one, shown: one.shown.map((example) => ({ ...example, href: null })) })),
  );
  expect(report.matches).toBe(300);
  process.stderr.write(
    `report.html: ${Buffer.byteLength(html)} bytes, ${html.match(/<h3 id="counted-/g)!.length} lists.\n`,
  );
  expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
  expect(html.match(/<h3 id="counted-/g)!.length).toBeGreaterThan(200);
  expect(html).toContain(`statements; ${maxShown} of them`);
});
