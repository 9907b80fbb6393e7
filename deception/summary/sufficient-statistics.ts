// The sums of many matches cell by cell, in few bytes: worker threads collect them and hand them over cheaply.
import type { ClusterSums } from '../metrics/metric-collection.ts';
import type { MetricCell } from '../metrics/metric.ts';

interface CellKey {
  /** The name of a sample. */
  sample: string;
  /** The name of a metric. */
  metric: string;
  cell: MetricCell;
}

/** Numbers in the narrowest form that holds them all: most sums are small counts, and ten thousand matches have 60 million. */
type PackedNumbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The clusters of one cell. Cluster i belongs to the match number `unit[i]` and has as many sums as `size[i]` says, after
 * those of the clusters before it; sum j is `amount[j]` under the name `names[name[j]]`.
 */
export interface CellSums extends CellKey {
  names: readonly string[];
  unit: PackedNumbers;
  size: PackedNumbers;
  name: PackedNumbers;
  amount: PackedNumbers;
}

interface CellSumsDraft extends CellKey {
  names: Map<string, number>;
  unit: NumberColumn;
  size: NumberColumn;
  name: NumberColumn;
  amount: NumberColumn;
}

/** Whole numbers from 0 up below these go into the array, others into the next. */
const forms = [
  { below: 2 ** 8, Form: Uint8Array },
  { below: 2 ** 16, Form: Uint16Array },
  { below: 2 ** 32, Form: Uint32Array },
] as const;

const chooseForm = (value: number) =>
  Number.isInteger(value) && value >= 0
    ? (forms.find(({ below }) => value < below)?.Form ?? Float64Array)
    : Float64Array;

/** Takes numbers one by one, and widens when one does not fit. */
class NumberColumn {
  #numbers: PackedNumbers = new Uint8Array(8);
  #length = 0;

  push(value: number): void {
    const at = this.#length++;
    if (at === this.#numbers.length) this.#copyTo(this.#numbers.constructor as typeof Uint8Array, at * 2);
    this.#numbers[at] = value;
    if (this.#numbers[at] === value) return;
    this.#copyTo(chooseForm(value), this.#numbers.length);
    this.#numbers[at] = value;
  }

  pack(): PackedNumbers {
    return this.#numbers.slice(0, this.#length);
  }

  #copyTo(Form: new (length: number) => PackedNumbers, length: number): void {
    const wider = new Form(length);
    wider.set(this.#numbers);
    this.#numbers = wider;
  }
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
      let size = 0;
      for (const [name, amount] of Object.entries(sums)) {
        if (amount === 0) continue; // An absent name stands for 0.
        if (!draft.names.has(name)) draft.names.set(name, draft.names.size);
        draft.name.push(draft.names.get(name)!);
        draft.amount.push(amount);
        size++;
      }
      draft.size.push(size);
    }
  }

  /** In the order in which cells were first added. */
  build(): CellSums[] {
    return [...this.#cells.values()].map(({ sample, metric, cell, names, unit, size, name, amount }) => ({
      ...{ sample, metric, cell, names: [...names.keys()] },
      ...{ unit: unit.pack(), size: size.pack(), name: name.pack(), amount: amount.pack() },
    }));
  }

  #getDraft({ sample, metric, cell }: CellKey): CellSumsDraft {
    const key = getCellKey({ sample, metric, cell });
    const existing = this.#cells.get(key);
    if (existing) return existing;
    const columns = {
      unit: new NumberColumn(),
      size: new NumberColumn(),
      name: new NumberColumn(),
      amount: new NumberColumn(),
    };
    const draft: CellSumsDraft = { sample, metric, cell, names: new Map(), ...columns };
    this.#cells.set(key, draft);
    return draft;
  }
}

/** The clusters of one cell from all parts in which it was collected, in the order of the numbers of their matches. */
export const listClusters = (parts: readonly CellSums[]): ClusterSums[] =>
  parts
    .flatMap(({ names, unit, size, name, amount }) => {
      let next = 0;
      return Array.from(unit, (number, i) => {
        const sums: Record<string, number> = {};
        for (const end = next + size[i]!; next < end; next++) sums[names[name[next]!]!] = amount[next]!;
        return { number, sums };
      });
    })
    .sort((one, other) => one.number - other.number)
    .map(({ number, sums }) => ({ unit: String(number), sums }));

/** Cells of one metric with the same sums in the same matches: all that is made of sums is the same for them. */
export interface AlikeCells {
  /** Of one of them, as it was collected. */
  parts: readonly CellSums[];
  cells: readonly CellKey[];
}

/**
 * Brings cells together that are alike, in the order of the first of each: where one model sits in all seats, its cells are
 * those of all models. Each is given in the parts in which it was collected.
 */
export function groupAlikeCells(cells: readonly (readonly CellSums[])[]): AlikeCells[] {
  const groups: { parts: readonly CellSums[]; cells: CellKey[] }[] = [];
  const groupsBySize = new Map<string, typeof groups>();
  for (const parts of cells) {
    const { sample, metric, cell } = parts[0]!;
    const size = JSON.stringify([metric, ...parts.map(({ unit, amount }) => [unit.length, amount.length])]);
    const ofSize = groupsBySize.get(size) ?? [];
    let group = ofSize.find((one) => one.parts.every((part, at) => isAlike(part, parts[at]!)));
    if (group === undefined) {
      group = { parts, cells: [] };
      groups.push(group);
      groupsBySize.set(size, [...ofSize, group]);
    }
    group.cells.push({ sample, metric, cell });
  }
  return groups;
}

const isAlike = (one: CellSums, other: CellSums): boolean =>
  (['names', 'unit', 'size', 'name', 'amount'] as const).every(
    (column) =>
      one[column].length === other[column].length &&
      one[column].every((value: string | number, at: number) => value === other[column][at]),
  );
