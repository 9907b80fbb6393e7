// A metric narrowed to what it says of one model.
import type { Cell, Metric } from '../metrics/metric.ts';

const without = (dimension: string, names: readonly string[]) => names.filter((name) => name !== dimension);

/** The same metric over what concerns `model` alone; null for one that says nothing of models. */
export function ofModel(metric: Metric, model: string): Metric | null {
  const { subject } = metric;
  if (subject === undefined) return null;
  const tables = [...new Set(metric.by.map((table) => JSON.stringify(without(subject, table))))];
  return {
    ...metric,
    apart: without(subject, metric.apart),
    by: tables.map((table) => JSON.parse(table) as string[]).filter((table) => table.length > 0),
    tallies: (match) =>
      metric
        .tallies(match)
        .filter(({ cell }) => cell[subject] === model)
        .map(({ cell, sums }) => ({ cell: withoutKey(cell, subject), sums })),
  };
}

const withoutKey = (cell: Cell, dimension: string): Cell =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => name !== dimension));
