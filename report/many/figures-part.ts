// The parts of a report that hold figures: headlines side by side, and every metric with all its cells.
import type { Report, ReportedFigure, ReportedMetric, ReportedSample } from '../../deception/report/report-schema.ts';
import { markdownText, table } from '../markdown-text.ts';
import { briefFigure, cellText, countNumber, figureNumber, intervalText, methodText } from './figure-text.ts';

type Titles = ReadonlyMap<string, string>;

const titlesOf = (metrics: readonly ReportedMetric[]): Titles =>
  new Map(metrics.map(({ name, title }) => [name, title]));

/** The headlines of the whole sample and of its variants in one table, one column each. */
export function headlineParts({ metrics }: Report, samples: readonly ReportedSample[]): string[] {
  const titles = titlesOf(metrics);
  const rows = (samples[0]?.figures ?? []).map(({ metric, cell }) => [
    markdownText(titles.get(metric) ?? metric),
    cellText(cell),
    ...samples.map(({ figures }) => {
      const same = figures.find((other) => other.metric === metric && cellText(other.cell) === cellText(cell));
      return same ? briefFigure(same) : '–';
    }),
  ]);
  return [
    table(
      ['Figure', 'Of', ...samples.map(({ title }) => markdownText(title))],
      [['Matches', '', ...samples.map(({ matches }) => countNumber(matches))], ...rows],
      2,
    ),
    samples.map(({ title, definition }) => `- ${markdownText(title)}: ${markdownText(definition)}`).join('\n'),
  ];
}

/** Rates corrected for errors of the extractor; nothing where none were measured. */
export function correctedParts({ metrics, corrected }: Report): string[] {
  if (corrected.length === 0) return [];
  const titles = titlesOf(metrics);
  return [
    '### Corrected for errors of the rules that draw claims (exploratory)',
    'By Rogan and Gladen (1978), from errors measured on hand-labelled statements. Players who speak otherwise than those sentences may be misread otherwise.',
    table(
      ['Figure', 'Of', 'As found', 'Corrected', '95 % interval', 'Sensitivity', 'Specificity'],
      corrected.map((one) => [
        markdownText(titles.get(one.metric) ?? one.metric),
        cellText(one.cell),
        ...[one.found, one.value].map(figureNumber),
        intervalText(one),
        ...[one.sensitivity, one.specificity].map(figureNumber),
      ]),
      2,
    ),
  ];
}

/** A metric with its definition and one row a cell. Cells without anything to count stand in the JSON alone. */
export function metricParts({ title, definition, unit, figures }: ReportedMetric): string[] {
  const shown = figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);
  return [
    `### ${markdownText(title)}`,
    `${definition} Unit: ${markdownText(unit)}.`,
    shown.length === 0 ? 'There was nothing to count.' : figureTable(shown),
  ];
}

function figureTable(figures: readonly ReportedFigure[]): string {
  const isBounded = figures.some(({ lowest, highest }) => lowest !== null || highest !== null);
  const columns: [head: string, of: (figure: ReportedFigure) => string][] = [
    ['Value', ({ value }) => figureNumber(value)],
    ['95 % interval', intervalText],
    ['Method', methodText],
    ['Opportunities', ({ opportunities }) => countNumber(opportunities)],
    ['Matches', ({ matches }) => countNumber(matches)],
    ['Mean of matches', ({ mean_of_matches: value }) => figureNumber(value)],
    ['of', ({ matches_with_value: value }) => countNumber(value)],
  ];
  if (isBounded)
    columns.push(['Lowest', ({ lowest }) => figureNumber(lowest)], ['Highest', ({ highest }) => figureNumber(highest)]);
  return table(
    ['Of', ...columns.map(([head]) => head)],
    figures.map((figure) => [cellText(figure.cell), ...columns.map(([, of]) => of(figure))]),
  );
}
