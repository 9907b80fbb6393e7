// What every metric of the game comes to in matches played by chance: sums in batches, so that their error is known.
import { z } from 'zod';
import type { Metric } from '../metrics/metric.ts';
import type { CellTotal } from './batch.ts';

/** Raised when files of before can no longer be read. */
export const baselineVersion = 1;

/** So many games give shares with a standard error of at most 0.003. They are counted in batches of equal size. */
export const usualEffort: Effort = { games: 30_000, seed: 1 };
export const batches = 40;

export interface Effort {
  /** A multiple of `batches`. */
  games: number;
  seed: number;
}

export const Baseline = z.strictObject({
  schema_version: z.literal(baselineVersion),
  games: z.number().int().min(batches),
  seed: z.number().int(),
  /** What is absent was not met. */
  cells: z.array(
    z.strictObject({
      metric: z.string(),
      cell: z.record(z.string(), z.string()),
      /** The sum by name, batch by batch. */
      sums: z.record(z.string(), z.array(z.number()).length(batches)),
    }),
  ),
});
export type Baseline = z.infer<typeof Baseline>;

export const withBaseline = (metrics: readonly Metric[]) => metrics.filter(({ hasBaseline }) => hasBaseline);

/** Which matches a batch is made of. Throws a RangeError where batches would not be of one size. */
export function matchesOf(batch: number, { games, seed }: Effort) {
  const size = games / batches;
  if (!Number.isInteger(size) || size < 1)
    throw new RangeError(`A baseline of ${games} games cannot be made: it takes a multiple of ${batches}.`);
  return { from: batch * size, games: size, seed };
}

/** Puts all batches together, in their order. */
export function baselineFrom(found: readonly (readonly CellTotal[])[], { games, seed }: Effort): Baseline {
  const cells = new Map<string, Baseline['cells'][number]>();
  for (const [batch, totals] of found.entries())
    for (const { metric, cell, sums } of totals) {
      const key = JSON.stringify([metric, cell]);
      const known = cells.get(key) ?? { metric, cell, sums: {} };
      cells.set(key, known);
      for (const [name, amount] of Object.entries(sums))
        (known.sums[name] ??= Array<number>(batches).fill(0))[batch] = amount;
    }
  return { schema_version: baselineVersion, games, seed, cells: [...cells.values()] };
}
