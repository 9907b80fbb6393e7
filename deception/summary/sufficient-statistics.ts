// Compact form of the sums of many matches, cell by cell. Worker threads can transfer it cheaply.
import type { ClusterSums } from '../metrics/metric-collection.ts';
import type { MetricCell } from '../metrics/metric.ts';
import { getSum, type Sums } from '../statistics/sums.ts';

interface CellKey {
  /** Name of the sample. */
  sample: string;
  /** Name of the metric. */
  metric: string;
  cell: MetricCell;
}

/**
 * Numbers in the narrowest array that holds them all. Most sums are small counts, and ten thousand matches have 60
 * million sums.
 */
type PackedNumbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The clusters of one cell. Cluster i belongs to match number `unit[i]` and has `size[i]` sums, which follow those of
 * earlier clusters. Sum j is `amount[j]` with the name `names[name[j]]`.
 */
export interface CellSums extends CellKey {
  names: readonly string[];
  unit: PackedNumbers;
  size: PackedNumbers;
  name: PackedNumbers;
  amount: PackedNumbers;
}

/** Array types, each with the limit of the whole numbers from 0 that it holds. */
const forms = [
  { below: 2 ** 8, Form: Uint8Array },
  { below: 2 ** 16, Form: Uint16Array },
  { below: 2 ** 32, Form: Uint32Array },
] as const;

const chooseForm = (value: number) =>
  Number.isInteger(value) && value >= 0
    ? (forms.find(({ below }) => value < below)?.Form ?? Float64Array)
    : Float64Array;

/** Collects numbers one by one, and replaces the array by a wider type when a number does not fit. */
class NumberColumn {
  #numbers: PackedNumbers = new Uint8Array(8);
  #length = 0;

  push(value: number): void {
    const at = this.#length++;
    if (at === this.#numbers.length) this.#copyTo(this.#numbers.constructor as typeof Uint8Array, at + (at >> 1));
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

/** Returns a key that is equal for the same cell of the same sample, whichever thread collected it. */
export const getCellKey = ({ sample, metric, cell }: CellKey) => JSON.stringify([sample, metric, cell]);

/** Sums that several cells share in every match, such as cells of metrics with the same `count` function. */
class CellSumsDraft {
  readonly #keys: readonly CellKey[];
  readonly #names = new Map<string, number>();
  readonly #unit = new NumberColumn();
  readonly #size = new NumberColumn();
  readonly #name = new NumberColumn();
  readonly #amount = new NumberColumn();

  constructor(keys: readonly CellKey[]) {
    this.#keys = keys;
  }

  /** Adds the sums of the match with this number. */
  add(unit: number, sums: Sums): void {
    this.#unit.push(unit);
    let size = 0;
    for (const name in sums) {
      const amount = getSum(sums, name);
      if (amount === 0) continue; // Absent names count as 0.
      let place = this.#names.get(name);
      if (place === undefined) this.#names.set(name, (place = this.#names.size));
      this.#name.push(place);
      this.#amount.push(amount);
      size++;
    }
    this.#size.push(size);
  }

  pack(): CellSums[] {
    const packed = {
      names: [...this.#names.keys()],
      ...{ unit: this.#unit.pack(), size: this.#size.pack(), name: this.#name.pack(), amount: this.#amount.pack() },
    };
    return this.#keys.map((key) => ({ ...key, ...packed }));
  }
}

/**
 * Collects the sums of cells, match by match.
 *
 * @example
 * const builder = new CellSumsBuilder();
 * builder.open([{ sample: 'all', metric: 'lie_rate', cell: {} }]).add(7, { lies: 2, claims: 9 });
 * listClusters(builder.take()); // [{ unit: '7', sums: { lies: 2, claims: 9 } }]
 */
export class CellSumsBuilder {
  readonly #drafts = new Map<string, CellSumsDraft>();

  /** Returns the draft of these cells, which is created for the first match. */
  open(keys: readonly CellKey[]): CellSumsDraft {
    const key = keys.map(getCellKey).join();
    const existing = this.#drafts.get(key);
    if (existing) return existing;
    const draft = new CellSumsDraft(keys);
    this.#drafts.set(key, draft);
    return draft;
  }

  /**
   * Builds the cells in the order in which they were first opened, and forgets them one by one: to hold all cells in
   * both forms at once would take twice the memory. Cells that were opened together share their numbers.
   */
  take(): CellSums[] {
    const built: CellSums[] = [];
    for (const [key, draft] of this.#drafts) {
      built.push(...draft.pack());
      this.#drafts.delete(key);
    }
    return built;
  }
}

/** Joins the clusters of a cell from all its parts, in the order of match numbers. */
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

/**
 * Cells with equal sums in the same matches. They belong to one metric, or to several metrics with the same `count`
 * function.
 */
export interface AlikeCells {
  /** The parts of one of these cells. */
  parts: readonly CellSums[];
  cells: readonly CellKey[];
}

/**
 * Groups cells with equal sums, in the order of each group's first cell. Cells can be equal because one model has all
 * seats, or because several metrics have the same `count` function. `cells`: for each cell, the parts in which it was
 * collected.
 */
export function groupAlikeCells(cells: readonly (readonly CellSums[])[]): AlikeCells[] {
  const groups: { parts: readonly CellSums[]; cells: CellKey[] }[] = [];
  const groupsBySize = new Map<string, typeof groups>();
  for (const parts of cells) {
    const { sample, metric, cell } = parts[0]!;
    const size = JSON.stringify(parts.map(({ unit, amount }) => [unit.length, amount.length]));
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
  isEqual(one.names, other.names) &&
  (['unit', 'size', 'name', 'amount'] as const).every((column) => isEqual(one[column], other[column]));

function isEqual<Value>(one: ArrayLike<Value>, other: ArrayLike<Value>): boolean {
  if (one === other) return true; // as for cells that were opened together
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
