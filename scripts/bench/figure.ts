// A measured figure, its target, and the table of all of them.
import Table from 'cli-table3';

export interface Figure {
  what: string;
  target: Target | null;
  measured: readonly Measured[];
  /** How the figure was taken. */
  how: string;
}

export interface Measured {
  /** What was measured, where the figure was taken of several things. */
  of?: string;
  shown: string;
  /** What is held against the target; null where nothing could be measured. */
  number: number | null;
}

export interface Target {
  text: string;
  allows: (number: number) => boolean;
}

/** `shown`: the limit with its unit. */
export const atMost = (limit: number, shown: string): Target => ({
  text: `at most ${shown}`,
  allows: (number) => number <= limit,
});

export const atLeast = (limit: number, shown: string): Target => ({
  text: `at least ${shown}`,
  allows: (number) => number >= limit,
});

/** A number as it is shown, and held against its target no more exactly than that. */
export const rounded = (number: number, digits: number, unit = ''): Pick<Measured, 'shown' | 'number'> => ({
  shown: `${number.toFixed(digits)}${unit}`,
  number: Number(number.toFixed(digits)),
});

export const unmeasured = { shown: '–', number: null };

/** The middle of an odd number of figures, the mean of the middle two of an even one. Throws a RangeError of none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}

/** Of the columns, in characters. */
const widths = [34, 44, 18, 66];

/** `isMarked`: whether each figure is marked as one that has reached or missed its target. */
export function figureTable(figures: readonly Figure[], isMarked: boolean): string {
  const table = new Table({
    head: ['Figure', 'Measured', 'Target', 'How it was taken'],
    colWidths: widths,
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { what, target, measured, how } of figures) {
    const lines = measured.map((one) => `${lineOf(one)}${isMarked ? mark(one, target) : ''}`);
    table.push([what, lines.join('\n'), target?.text ?? '', how]);
  }
  return table.toString();
}

const lineOf = ({ of, shown }: Measured) => (of === undefined ? shown : `${of}: ${shown}`);

const mark = ({ number }: Measured, target: Target | null) =>
  number === null || target === null ? '' : target.allows(number) ? ' ✓' : ' MISSED';
