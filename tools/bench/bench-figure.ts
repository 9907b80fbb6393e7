// A measured figure with its target, and the table in which all figures are printed.
import Table from 'cli-table3';

export interface BenchFigure {
  what: string;
  /** Target of the figure. `text`: the limit in words, with its unit. */
  target?: { text: string } & ({ atMost: number } | { atLeast: number });
  values: readonly BenchValue[];
}

export interface BenchValue {
  /** Name of the measured case. Absent if the figure has only one case. */
  name?: string;
  text: string;
  /** Value compared with the target; null if nothing could be measured. */
  number: number | null;
}

/** Rounds a number for the table. The target is compared with the rounded value. */
export const roundTo = (digits: number, number: number, unit = '') => ({
  text: `${number.toFixed(digits)}${unit}`,
  number: Number(number.toFixed(digits)),
});

/** Prints the table of all figures. `isMarked`: whether to mark each value as reaching or missing its target. */
export function printFigures(figures: readonly BenchFigure[], isMarked: boolean): string {
  const table = new Table({
    head: ['Figure', 'Measured', 'Target'],
    style: { head: [], border: [] },
  });
  for (const { what, target, values } of figures) {
    const mark = ({ number }: BenchValue) => {
      if (!isMarked || number === null || !target) return '';
      return ('atMost' in target ? number <= target.atMost : number >= target.atLeast) ? ' ✓' : ' MISSED';
    };
    const lines = values.map((value) => `${value.name ? `${value.name}: ` : ''}${value.text}${mark(value)}`);
    const limit = target && `at ${'atMost' in target ? 'most' : 'least'} ${target.text}`;
    table.push([what, lines.join('\n'), limit ?? '']);
  }
  return table.toString();
}
