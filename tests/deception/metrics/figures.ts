// Computes the figures of a metric over matches that are built by hand. Figures are found by cell.
import { metrics } from '../../../deception/metrics/index.ts';
import { MetricCollection, computeFigure, type MetricFigure } from '../../../deception/metrics/metric-collection.ts';
import type { MetricCell } from '../../../deception/metrics/metric.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';

/** Computes all figures of the metric. Each argument is one match. */
export function computeFigures(name: string, ...matches: readonly MatchTables[]): MetricFigure[] {
  const collection = new MetricCollection(metrics.filter((metric) => metric.name === name));
  matches.forEach((one, place) => collection.add(one, String(place)));
  return collection.listCells().map((collected) => computeFigure(collected, createResampling(matches.length, 20, 1)));
}

/** Value of the cell with exactly these dimensions; undefined if there is none. */
export const findValue = (figures: readonly MetricFigure[], cell: MetricCell = {}): number | null | undefined =>
  findFigure(figures, cell)?.value;

export const findFigure = (figures: readonly MetricFigure[], cell: MetricCell = {}): MetricFigure | undefined =>
  figures.find((one) => sortCell(one.cell) === sortCell(cell));

const sortCell = (cell: MetricCell) => JSON.stringify(Object.entries(cell).sort());
