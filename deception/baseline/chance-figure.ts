// What a figure would be had all matches behind it been played by chance.
import { type Cell, type Metric, whoPlayed } from '../metrics/metric.ts';
import { addSums, sum, type Sums } from '../statistics/sums.ts';
import { type Baseline, batches } from './play-baseline.ts';

/** A baseline, and how many of the matches it stands for; part of one where a share of its seats is meant. */
export interface BaselineShare {
  baseline: Baseline;
  matches: number;
  /** Of this part of the cell alone, as of one side. */
  within?: Cell;
}

export interface Chance {
  value: number;
  /** Its standard error. */
  se: number;
}

/** A cell that was met less often by chance has no figure: its error would show. */
export const fewestMet = 1000;

type Batched = Baseline['cells'][number]['sums'];

/** Finds the sums of a cell, whoever played in it. */
class BaselineIndex {
  readonly #cells: ReadonlyMap<string, Batched>;

  constructor({ cells }: Baseline) {
    this.#cells = new Map(cells.map(({ metric, cell, sums }) => [getIndexKey(metric, cell), sums]));
  }

  find(metric: string, cell: Cell): Batched {
    return this.#cells.get(getIndexKey(metric, cell)) ?? {};
  }
}

const getIndexKey = (metric: string, cell: Cell) =>
  JSON.stringify([
    metric,
    ...Object.entries(cell)
      .filter(([dimension]) => !whoPlayed.has(dimension))
      .sort(),
  ]);

/**
 * Finds what chance gives. Where boards or rules differ between matches, each adds the sums that a match on it has by
 * chance as often as there are such matches, as it does to the figure itself: it is the figure of the same mixture.
 * The standard error is the jackknife's over batches of games (Miller 1974). Null where the metric has no baseline, or
 * the cell was hardly met by chance.
 */
export function createChanceFinder() {
  const indices = new Map<Baseline, BaselineIndex>();
  const getIndex = (baseline: Baseline) => {
    const index = indices.get(baseline) ?? new BaselineIndex(baseline);
    indices.set(baseline, index);
    return index;
  };
  return (metric: Metric, cell: Cell, shares: readonly BaselineShare[]): Chance | null => {
    if (!metric.hasBaseline) return null;
    const parts = shares.map(({ baseline, matches, within }) => ({
      sums: getIndex(baseline).find(metric.name, { ...cell, ...within }),
      weight: matches / baseline.games,
    }));
    const met = metric.opportunities(addSums(parts.map(({ sums }) => sumBatches(sums))));
    return met === null || met < fewestMet ? null : computeJackknifedChance(metric, parts);
  };
}

const sumBatches = (sums: Batched): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, of]) => [name, sum(of)]));

function computeJackknifedChance(
  { value }: Metric,
  parts: readonly { sums: Batched; weight: number }[],
): Chance | null {
  const names = [...new Set(parts.flatMap(({ sums }) => Object.keys(sums)))];
  const pooled = names.map((name) => {
    const sumBatchOver = (batch: number) => sum(parts.map(({ sums, weight }) => (sums[name]?.[batch] ?? 0) * weight));
    return { name, byBatch: Array.from({ length: batches }, (_, batch) => sumBatchOver(batch)) };
  });
  const totals = pooled.map(({ name, byBatch }) => ({ name, byBatch, total: sum(byBatch) }));
  const all = value(Object.fromEntries(totals.map(({ name, total }) => [name, total])));
  const without = Array.from({ length: batches }, (_, batch) =>
    value(Object.fromEntries(totals.map(({ name, byBatch, total }) => [name, total - byBatch[batch]!]))),
  );
  if (all === null || !without.every((one) => one !== null)) return null;
  const middle = sum(without) / batches;
  const spread = sum(without.map((one) => (one - middle) ** 2));
  return { value: all, se: Math.sqrt((spread * (batches - 1)) / batches) };
}
