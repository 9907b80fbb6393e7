// The sums of many matches cell by cell, in typed arrays: worker threads collect them and hand them over cheaply.
import type { ClusterSums } from '../metrics/metric-collection.ts';
import type { MetricCell } from '../metrics/metric.ts';

interface CellKey {
  /** The name of a sample. */
  sample: string;
  /** The name of a metric. */
  metric: string;
  cell: MetricCell;
}

/**
 * The clusters of one cell. Cluster i belongs to the match number `unit[i]` and has the sum `amount[j]` under the name
 * `names[name[j]]` for j from `start[i]` to `start[i + 1] - 1`.
 */
export interface CellSums extends CellKey {
  names: readonly string[];
  unit: Uint32Array;
  start: Uint32Array;
  name: Uint16Array;
  amount: Float64Array;
}

interface CellSumsDraft extends CellKey {
  names: Map<string, number>;
  unit: number[];
  start: number[];
  name: number[];
  amount: number[];
}

/** The same cell of the same sample has the same key, whoever collected it. */
export const getCellKey = ({ sample, metric, cell }: CellKey) => JSON.stringify([sample, metric, cell]);

/**
 * Collects the sums of cells, match by match.
 *
 * @example
 * const builder = new CellSumsBuilder();
 * builder.add({ sample: 'all', metric: 'lie_rate', cell: {} }, [{ unit: '7', sums: { lies: 2, claims: 9 } }]);
 * listClusters(builder.build()); // [{ unit: '7', sums: { lies: 2, claims: 9 } }]
 */
export class CellSumsBuilder {
  readonly #cells = new Map<string, CellSumsDraft>();

  /** The unit of each cluster must be the number of a match in decimal digits. */
  add(key: CellKey, clusters: readonly ClusterSums[]): void {
    const draft = this.#getDraft(key);
    for (const { unit, sums } of clusters) {
      draft.unit.push(Number(unit));
      for (const [name, amount] of Object.entries(sums)) {
        if (amount === 0) continue; // An absent name stands for 0.
        if (!draft.names.has(name)) draft.names.set(name, draft.names.size);
        draft.name.push(draft.names.get(name)!);
        draft.amount.push(amount);
      }
      draft.start.push(draft.name.length);
    }
  }

  /** In the order in which cells were first added. */
  build(): CellSums[] {
    return [...this.#cells.values()].map(({ sample, metric, cell, names, unit, start, name, amount }) => ({
      ...{ sample, metric, cell, names: [...names.keys()] },
      unit: Uint32Array.from(unit),
      start: Uint32Array.from(start),
      name: Uint16Array.from(name),
      amount: Float64Array.from(amount),
    }));
  }

  #getDraft({ sample, metric, cell }: CellKey): CellSumsDraft {
    const key = getCellKey({ sample, metric, cell });
    const existing = this.#cells.get(key);
    if (existing) return existing;
    const draft: CellSumsDraft = { sample, metric, cell, names: new Map(), unit: [], start: [0], name: [], amount: [] };
    this.#cells.set(key, draft);
    return draft;
  }
}

/** The clusters of one cell from all parts in which it was collected, in the order of the numbers of their matches. */
export const listClusters = (parts: readonly CellSums[]): ClusterSums[] =>
  parts
    .flatMap(({ names, unit, start, name, amount }) =>
      Array.from(unit, (number, i) => {
        const sums: Record<string, number> = {};
        for (let j = start[i]!; j < start[i + 1]!; j++) sums[names[name[j]!]!] = amount[j]!;
        return { number, sums };
      }),
    )
    .sort((one, other) => one.number - other.number)
    .map(({ number, sums }) => ({ unit: String(number), sums }));
