// A comparison as one page of HTML, `comparison.html`: what differs, in sentences and drawn, and every figure compared.
import * as Plot from '@observablehq/plot';
import type { Comparison, Difference } from '../deception/comparison/comparison-schema.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import {
  describeDifference,
  listFoundDifferences,
  nameArms,
  nameComparison,
  summarizeComparison,
} from './comparison-page.ts';
import { formatCell, formatFigure, formatInterval, pluralize } from './format.ts';
import { escapeHtml, renderHtmlPage, renderHtmlTable } from './html-page.ts';
import { drawSvg } from './picture-drawing.ts';

/** Rows of the picture; further ones stand in the table. */
const mostDrawn = 24;

/** Rows of the table; all stand in comparison.csv. */
const mostRows = 600;

/**
 * The page. It needs no script, loads nothing and can be sent, opened from disk and printed.
 *
 * @example writeFileSync('comparison.html', renderComparisonHtml(comparison, metrics));
 */
export function renderComparisonHtml(comparison: Comparison, metrics: readonly Metric[]): string {
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  const name = nameComparison(comparison);
  const found = listFoundDifferences(comparison);
  const drawn = found.filter(({ low, high }) => low !== null && high !== null).slice(0, mostDrawn);
  const rows = [...comparison.primary, ...comparison.secondary];
  const body = [
    `<h1>${escapeHtml(name)}</h1>`,
    `<ul>${summarizeComparison(comparison)
      .trimEnd()
      .split('\n')
      .map((line) => `<li>${escapeHtml(line)}</li>`)
      .join('\n')}</ul>`,
    '<h2>What differs</h2>',
    found.length === 0
      ? '<p>No figure differs with an adjusted p below .05. That is no finding of equality: see what was detectable below.</p>'
      : renderSentences(found, titles),
    ...(drawn.length === 0 ? [] : [renderDrawn(drawn, titles, found.length)]),
    '<h2>Every figure compared</h2>',
    renderHtmlTable(
      [
        ['Figure', 'Of', ...nameArms(rows), '95 % interval', 'Deals', 'p (adjusted)', 'Detectable'],
        ...rows.slice(0, mostRows).map((one) => listCells(one, titles)),
      ],
      'Every figure compared',
    ),
    ...(rows.length > mostRows ? [`<p>${rows.length - mostRows} more: <code>comparison.csv</code>.</p>`] : []),
    '<p>Definitions: <code>docs/metrics.md</code>; procedure: <code>docs/compare.md</code>. The tables with all that is to be said of them: <code>comparison.md</code>.</p>',
  ];
  return renderHtmlPage(name, `<main>\n${body.join('\n')}\n</main>`);
}

/** Sentences that stand open; the others are folded. */
const mostTold = 12;

function renderSentences(found: readonly Difference[], titles: ReadonlyMap<string, string>): string {
  const renderList = (rows: readonly Difference[]) =>
    `<ul class="findings">${rows.map((one) => `<li>${escapeHtml(describeDifference(one, titles, (text) => text))}</li>`).join('\n')}</ul>`;
  const rest = found.slice(mostTold);
  return `${renderList(found.slice(0, mostTold))}${rest.length === 0 ? '' : `<details><summary>${rest.length} more</summary>${renderList(rest)}</details>`}`;
}

const describeRow = (one: Difference, titles: ReadonlyMap<string, string>) => {
  const of = formatCell(one.of, (text) => text);
  const part = one.part === null ? '' : `, ${one.part.name} of ${one.part.models.join(' − ')}`;
  return `${titles.get(one.metric) ?? one.metric}${of === 'all' ? '' : ` (${of})`}${part}`;
};

function listCells(one: Difference, titles: ReadonlyMap<string, string>): string[] {
  const p = one.p_adjusted;
  return [
    ...[describeRow({ ...one, of: {} }, titles), formatCell(one.of, (text) => text)],
    ...[one.a, one.b, one.difference].map(formatFigure),
    one.low === null ? (one.reason ?? '–') : formatInterval(one),
    ...[String(one.pairs), p === null ? '–' : p < 0.001 ? '< .001' : p.toFixed(3), formatFigure(one.detectable)],
  ];
}

function renderDrawn(drawn: readonly Difference[], titles: ReadonlyMap<string, string>, found: number): string {
  const title = 'Differences with 95 % intervals';
  const marks = drawn.map((one, place) => ({
    ...{ place, label: describeRow(one, titles), value: one.difference!, low: one.low!, high: one.high! },
  }));
  const svg = drawSvg(title, {
    ...{ width: 680, height: 60 + 26 * marks.length, marginLeft: 330, marginBottom: 36, marginTop: 10 },
    x: { label: 'Difference, in the unit of each figure', nice: true },
    y: { domain: marks.map(({ place }) => place), axis: null, type: 'band' },
    marks: [
      Plot.ruleX([0], { strokeOpacity: 0.6 }),
      Plot.ruleY(marks, { y: 'place', x1: 'low', x2: 'high' }),
      Plot.dot(marks, { y: 'place', x: 'value', r: 4, fill: 'currentColor' }),
      Plot.text(marks, {
        ...{ y: 'place', frameAnchor: 'left', textAnchor: 'end', dx: -8, fontSize: 11 },
        text: ({ label }: { label: string }) => (label.length <= 58 ? label : `${label.slice(0, 57)}…`),
      }),
    ],
  });
  const more = found > drawn.length ? ` ${pluralize(found - drawn.length, 'further row')} in the list above.` : '';
  return `<figure><h3>${title}</h3>${svg}<figcaption>Of the figures that differ; the line at 0 is no difference.${more}</figcaption></figure>`;
}
