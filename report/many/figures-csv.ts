// Every figure of a report as one CSV table, for plots and spreadsheets.
import { stringify } from 'csv-stringify/sync';
import type { Report } from '../../deception/report/report-schema.ts';
import { plain } from '../plain-text.ts';

/**
 * One row a figure, unrounded, with the fields of `report.json`. `sample` is `all`, or the part or variant that a
 * headline is of; `cell` reads `team=werewolves; round=2`. What is missing is an empty cell.
 */
export function figuresCsv({ metrics, samples }: Report): string {
  const whole = metrics.flatMap(({ name, figures }) => figures.map((figure) => ({ metric: name, ...figure })));
  const rows = [
    ...whole.map((figure) => ({ sample: 'all', ...figure })),
    ...samples.slice(1).flatMap(({ name, figures }) => figures.map((figure) => ({ sample: name, ...figure }))),
  ];
  return stringify(
    rows.map(({ sample, metric, cell, ...figure }) => ({ sample, metric, cell: cellName(cell), ...figure })),
    { header: true, cast: { boolean: String, string: plain }, escape_formulas: true },
  );
}

const cellName = (cell: Readonly<Record<string, string>>) =>
  Object.entries(cell)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join('; ');
