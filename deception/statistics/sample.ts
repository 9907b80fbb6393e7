// Clusters as sparse rows of numbers, so that a figure can be made thousands of times over resampled totals.
import type { Figure, Sums } from './sums.ts';

/** A function of column totals; null where undefined. */
export type Evaluate = (totals: Float64Array) => number | null;

/** Row i holds `amount[j]` in `column[j]` for j from `start[i]` to `start[i + 1] - 1`, and 0 elsewhere. */
export interface Sample {
  readonly rows: number;
  readonly columns: number;
  readonly start: Int32Array;
  readonly column: Int32Array;
  readonly amount: Float64Array;
  readonly evaluate: Evaluate;
}

type Cell = readonly [column: number, amount: number];

/** The names of all sums, sorted. */
export const namesIn = (clusters: readonly Sums[]): string[] =>
  [...new Set(clusters.flatMap((sums) => Object.keys(sums)))].sort();

/** The sums of a cluster that are not 0, by place of their name in `names`, counted from `offset`. */
export function cellsOf(sums: Sums, places: ReadonlyMap<string, number>, offset = 0): Cell[] {
  return Object.entries(sums)
    .filter(([, amount]) => amount !== 0)
    .map(([name, amount]): Cell => [offset + places.get(name)!, amount])
    .sort(([a], [b]) => a - b);
}

/** Rows in an order that depends on what they hold alone, so that results do not depend on the order of clusters. */
export function sampleOf(rows: readonly (readonly Cell[])[], columns: number, evaluate: Evaluate): Sample {
  const sorted = rows
    .map((cells) => ({ cells, key: JSON.stringify(cells) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ cells }) => cells);
  const start = new Int32Array(rows.length + 1);
  sorted.forEach((cells, i) => (start[i + 1] = start[i]! + cells.length));
  const cells = sorted.flat();
  return {
    rows: rows.length,
    columns,
    start,
    column: Int32Array.from(cells, ([column]) => column),
    amount: Float64Array.from(cells, ([, amount]) => amount),
    evaluate,
  };
}

/** The sample of those rows alone. */
export function onlyRows(sample: Sample, rows: readonly number[]): Sample {
  const cells = rows.map((i) => {
    const [from, to] = [sample.start[i]!, sample.start[i + 1]!];
    return Array.from(sample.column.subarray(from, to), (column, j): Cell => [column, sample.amount[from + j]!]);
  });
  return sampleOf(cells, sample.columns, sample.evaluate);
}

/** The figure as a function of totals in the order of `names`. One object is filled again and again: it is fast. */
export function evaluateOver(figure: Figure, names: readonly string[], offset = 0): Evaluate {
  const sums: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  return (totals) => {
    for (let i = 0; i < names.length; i++) sums[names[i]!] = totals[offset + i]!;
    const value = figure(sums);
    return value === null || Number.isFinite(value) ? value : null;
  };
}

/** The totals of all rows, each taken `times[i]` times; of the whole sample without `times`. */
export function totalsOf(
  sample: Sample,
  times?: Float64Array,
  totals = new Float64Array(sample.columns),
): Float64Array {
  const { rows, start, column, amount } = sample;
  totals.fill(0);
  for (let i = 0; i < rows; i++) {
    const weight = times === undefined ? 1 : times[i]!;
    if (weight === 0) continue;
    for (let j = start[i]!; j < start[i + 1]!; j++) totals[column[j]!]! += weight * amount[j]!;
  }
  return totals;
}

/** The figure without each row in turn (the jackknife). */
export function withoutEach(sample: Sample, evaluate = sample.evaluate): (number | null)[] {
  const totals = totalsOf(sample);
  const rest = new Float64Array(sample.columns);
  return Array.from({ length: sample.rows }, (_, i) => {
    rest.set(totals);
    for (let j = sample.start[i]!; j < sample.start[i + 1]!; j++) rest[sample.column[j]!]! -= sample.amount[j]!;
    return evaluate(rest);
  });
}

/** The rows in which the figure is defined, or without which it is another. */
export function rowsWithData(sample: Sample, evaluate = sample.evaluate): number[] {
  const whole = evaluate(totalsOf(sample));
  const own = new Float64Array(sample.columns);
  return withoutEach(sample, evaluate).flatMap((without, i) => {
    if (without !== whole) return [i];
    own.fill(0);
    for (let j = sample.start[i]!; j < sample.start[i + 1]!; j++) own[sample.column[j]!] = sample.amount[j]!;
    return evaluate(own) === null ? [] : [i];
  });
}
