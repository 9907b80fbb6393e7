// A measured figure with its target, and the table in which all figures are printed.
import Table from 'cli-table3';

export interface BenchFigure {
  what: string;
  target?: BenchTarget;
  values: readonly BenchValue[];
  /** How the figure was taken. */
  how: string;
}

export interface BenchTarget {
  text: string;
  isReached: (number: number) => boolean;
}

export interface BenchValue {
  /** What was measured, where one figure is taken of several things. */
  name?: string;
  text: string;
  /** What is held against the target; null where nothing could be measured. */
  number: number | null;
}

/** A target with an upper limit; `text` is the limit with its unit. */
export const createUpperTarget = (limit: number, text: string): BenchTarget => ({
  text: `at most ${text}`,
  isReached: (number) => number <= limit,
});

/** A target with a lower limit. */
export const createLowerTarget = (limit: number, text: string): BenchTarget => ({
  text: `at least ${text}`,
  isReached: (number) => number >= limit,
});

/** Rounds a number for the table; it is held against its target no more exactly than it is shown. */
export const roundTo = (digits: number, number: number, unit = '') => ({
  text: `${number.toFixed(digits)}${unit}`,
  number: Number(number.toFixed(digits)),
});

/** The middle of the numbers, or the mean of the middle two. */
export function findMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

/** The table of all figures. `isMarked`: whether each value is marked as having reached or missed its target. */
export function printFigures(figures: readonly BenchFigure[], isMarked: boolean): string {
  const table = new Table({
    head: ['Figure', 'Measured', 'Target', 'How it was taken'],
    colWidths: [34, 44, 18, 66],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { what, target, values, how } of figures) {
    const mark = ({ number }: BenchValue) =>
      !isMarked || number === null || !target ? '' : target.isReached(number) ? ' ✓' : ' MISSED';
    const lines = values.map((value) => `${value.name ? `${value.name}: ` : ''}${value.text}${mark(value)}`);
    table.push([what, lines.join('\n'), target?.text ?? '', how]);
  }
  return table.toString();
}
