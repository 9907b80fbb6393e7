// The parts of a report that hold figures: headlines side by side, and every metric with all its cells.
import type { Report, ReportedFigure, ReportedMetric, ReportedSample } from '../../deception/report/report-schema.ts';
import { markdownText, table } from '../markdown-text.ts';
import {
  briefFigure,
  cellText,
  chanceText,
  countNumber,
  figureNumber,
  intervalText,
  methodText,
} from './figure-text.ts';

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
export function correctedParts({ metrics, corrected, reach }: Report): string[] {
  if (corrected.length === 0) return [];
  const titles = titlesOf(metrics);
  return [
    '### Corrected for errors of the rules that draw claims (exploratory)',
    [
      'By Rogan and Gladen (1978), from errors measured on hand-labelled statements. Players who speak otherwise than those sentences may be misread otherwise.',
      ...(reach === null ? [] : [reachText(reach)]),
      'Their 95 % intervals are over the situations of those statements, and are part of the interval of the corrected figure. Clipped: the correction led outside 0 to 1.',
    ].join(' '),
    table(
      ['Figure', 'Of', 'As found', 'Corrected', '95 % interval', 'Clipped', 'Sensitivity', 'Specificity'],
      corrected.map((one) => [
        markdownText(titles.get(one.metric) ?? one.metric),
        cellText(one.cell),
        ...[one.found, one.value].map(figureNumber),
        intervalText(one),
        one.is_clipped ? 'yes' : 'no',
        accuracyText(one.sensitivity, one.sensitivity_low, one.sensitivity_high),
        accuracyText(one.specificity, one.specificity_low, one.specificity_high),
      ]),
      2,
    ),
  ];
}

const accuracyText = (share: number, low: number, high: number) =>
  `${figureNumber(share)} [${figureNumber(low)} to ${figureNumber(high)}]`;

/** What sensitivity and specificity are conditional on. */
function reachText({ lies, truths }: NonNullable<Report['reach']>): string {
  const share = ({ drawn, of }: typeof lies) => `${((100 * drawn) / of).toFixed(0)} % (${drawn} of ${of})`;
  return `Sensitivity and specificity are of claims that both a reader and the rules found: the rules draw ${share(lies)} of the lies and ${share(truths)} of the truths at all, and no correction is made for those that they do not.`;
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

type Column = [head: string, of: (figure: ReportedFigure) => string];

const byChance: Column = ['By chance', chanceText];
const coverage: Column = ['Coverage', ({ coverage: value }) => figureNumber(value)];

function figureTable(figures: readonly ReportedFigure[]): string {
  const isBounded = figures.some(({ lowest, highest }) => lowest !== null || highest !== null);
  const columns: Column[] = [
    ['Value', ({ value }) => figureNumber(value)],
    ['95 % interval', intervalText],
    ...(figures.some(({ chance }) => chance !== null) ? [byChance] : []),
    ['Method', methodText],
    ['Opportunities', ({ opportunities }) => countNumber(opportunities)],
    ...(figures.some(({ coverage: value }) => value !== null) ? [coverage] : []),
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
