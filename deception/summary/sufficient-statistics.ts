// Sums of many matches cell by cell, held in few bytes: what several readers of matches gather and hand over.
import type { Cluster } from '../metrics/collect.ts';
import type { Cell } from '../metrics/metric.ts';

export interface CellKey {
  sample: string;
  /** By name. */
  metric: string;
  cell: Cell;
}

/** The clusters of a cell, units by their numbers: cluster i has `amount[j]` under `names[name[j]]` for j from `start[i]` to `start[i + 1]`. */
export interface CellSums extends CellKey {
  names: readonly string[];
  unit: Uint32Array;
  start: Uint32Array;
  name: Uint16Array;
  amount: Float64Array;
}

interface Growing extends CellKey {
  names: Map<string, number>;
  unit: number[];
  start: number[];
  name: number[];
  amount: number[];
}

/** Of all readers of matches: the same cell in the same words. */
export const getCellKey = ({ sample, metric, cell }: CellKey) => JSON.stringify([sample, metric, cell]);

export class CellSumsBuilder {
  readonly #cells = new Map<string, Growing>();

  /** The unit of a cluster is a number in words. */
  add(key: CellKey, clusters: readonly Cluster[]): void {
    const one = this.#getCell(key);
    for (const { unit, sums } of clusters) {
      one.unit.push(Number(unit));
      for (const [name, amount] of Object.entries(sums)) {
        if (amount === 0) continue; // absent stands for 0
        if (!one.names.has(name)) one.names.set(name, one.names.size);
        one.name.push(one.names.get(name)!);
        one.amount.push(amount);
      }
      one.start.push(one.name.length);
    }
  }

  /** In the order in which cells were first met. */
  build(): CellSums[] {
    return [...this.#cells.values()].map(({ sample, metric, cell, names, unit, start, name, amount }) => ({
      ...{ sample, metric, cell, names: [...names.keys()] },
      unit: Uint32Array.from(unit),
      start: Uint32Array.from(start),
      name: Uint16Array.from(name),
      amount: Float64Array.from(amount),
    }));
  }

  #getCell({ sample, metric, cell }: CellKey): Growing {
    const key = getCellKey({ sample, metric, cell });
    const known = this.#cells.get(key);
    if (known) return known;
    const made: Growing = { sample, metric, cell, names: new Map(), unit: [], start: [0], name: [], amount: [] };
    this.#cells.set(key, made);
    return made;
  }
}

/** The clusters of one cell from all who gathered some, in the order of their units' numbers. */
export const listClusters = (parts: readonly CellSums[]): Cluster[] =>
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
