// A metric narrowed to what it says of one model, so that cells do not name the model that is compared.
import type { Cell, Metric } from '../metrics/metric.ts';

/** The same metric over what concerns `model` alone; null for one that says nothing of models. */
export function ofModel(metric: Metric, model: string): Metric | null {
  const { subject } = metric;
  if (subject === undefined) return null;
  return {
    ...withoutDimensions(metric, [subject]),
    tallies: (match) =>
      metric
        .tallies(match)
        .filter(({ cell }) => cell[subject] === model)
        .map(({ cell, sums }) => ({ cell: withoutKey(cell, subject), sums })),
  };
}

/** The same metric with fewer dimensions; tables that then are the same are made once. */
export function withoutDimensions(metric: Metric, dimensions: readonly string[]): Metric {
  const without = (names: readonly string[]) => names.filter((name) => !dimensions.includes(name));
  const tables = [...new Set(metric.by.map((table) => JSON.stringify(without(table))))];
  return {
    ...metric,
    apart: without(metric.apart),
    by: tables.map((table) => JSON.parse(table) as string[]).filter((table) => table.length > 0),
  };
}

const withoutKey = (cell: Cell, dimension: string): Cell =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => name !== dimension));
