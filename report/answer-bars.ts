// Draws the bars in the table of answers. Each bar is an SVG picture whose view box is the scale, so its coordinates
// are the figures' values themselves.
import type {
  AnswerCell,
  AnswerDifference,
  AnswerQuestion,
  AnswerTable,
} from '../deception/metrics/answer-table-schema.ts';

/** A scale: both ends and the labels, which are evenly spaced. */
export interface BarScale {
  from: number;
  to: number;
  labels: readonly string[];
}

/** Upper end of the scale for small shares. On a scale up to 1, shares below one half would be crowded on the left. */
const half = 0.5;

/** Chooses one scale for all rows of a column. */
export function chooseScale({ rows }: AnswerTable, question: AnswerQuestion): BarScale {
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell.question === question));
  const most = Math.max(0, ...cells.flatMap(({ value, high, highest }) => [value ?? 0, high ?? 0, highest ?? 0]));
  if (question === 'cost') return { from: 0, to: roundUp(most), labels: ['0', '', String(roundUp(most))] };
  if (question === 'catches' || question === 'score') return { from: 0, to: 1, labels: ['0', '.5', '1'] };
  if (question === 'read' || most > half) return { from: 0, to: 1, labels: ['0', '50', '100%'] };
  return { from: 0, to: half, labels: ['0', '25', '50%'] };
}

/** Rounds up to one, two or five times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((([1, 2, 5].find((step) => step * power >= value) ?? 10) * power).toPrecision(1));
}

/** Chooses one scale around 0 for a column's differences. */
export function chooseDifferenceScale(differences: readonly AnswerDifference[]): BarScale {
  const ends = differences.flatMap(({ difference, low, high }) => [difference ?? 0, low ?? 0, high ?? 0].map(Math.abs));
  const most = Math.max(0.1, ...ends);
  const to = [0.1, 0.2, 0.3, 0.5].find((one) => one >= most) ?? 1;
  const third = Math.round((100 * to) / 2);
  const labels = [-2 * third, -third, 0, third, 2 * third].map((one) => String(one).replace('-', '−'));
  return { from: -to, to, labels };
}

/** Rounds to four decimals, a hundredth of a pixel on a scale of 1. */
const round = (value: number) => Number(value.toFixed(4));

/** Returns the value's position on the scale. A value outside the scale is placed at its nearer end. */
const place = (value: number, { from, to }: BarScale) => round(Math.min(to, Math.max(from, value)));

/** Draws an SVG whose view box is the scale. `paths`: class and path of each shape. */
function drawBar(scale: BarScale, paths: readonly (readonly [name: string, path: string])[], height = 12): string {
  const [from, width] = [round(scale.from), round(scale.to - scale.from)];
  const drawn = paths.map(([name, path]) => `<path class="${name}" d="${path}"/>`).join('');
  return `<svg class="bar" viewBox="${from} 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

/** Values that random guessing would reach, by column. A column without an entry has no such value. */
const references: Partial<Record<AnswerQuestion, number>> = { catches: 0.5, score: 0.5 };

/** Draws a cell as a bar with its interval and value. A cell without a value is a dashed line between its bounds. */
export function drawCell(cell: AnswerCell, scale: BarScale): string {
  const { question, value, low, high, lowest, highest } = cell;
  const reference = references[question];
  const isFilled = question === 'read' || question === 'cost';
  return drawBar(scale, [
    ['rail', `M${round(scale.from)} 6H${round(scale.to)}`],
    ...(value !== null && isFilled ? [['fill', `M${round(scale.from)} 6H${place(value, scale)}`] as const] : []),
    ...(!isFilled && low !== null && high !== null
      ? [['span', `M${place(low, scale)} 6H${place(high, scale)}`] as const]
      : []),
    ...(value === null && lowest !== null && highest !== null
      ? [['bounds', `M${place(lowest, scale)} 6H${place(highest, scale)}`] as const]
      : []),
    ...(reference === undefined ? [] : [['ref', `M${reference} 1v10`] as const]),
    ...(value !== null && !isFilled ? [['point', `M${place(value, scale)} 6h.01`] as const] : []),
  ]);
}

/**
 * Draws a difference as a bar with 0 in its middle. `steps`: number of vertical grid lines; with 0, one horizontal
 * line is drawn instead.
 */
export function drawDifference({ difference, low, high }: AnswerDifference, scale: BarScale, steps = 0): string {
  const height = steps === 0 ? 12 : 16;
  const middle = height / 2;
  const grid = Array.from({ length: steps }, (_, at) =>
    round(scale.from + (at * (scale.to - scale.from)) / (steps - 1)),
  );
  return drawBar(
    scale,
    [
      [
        'rail',
        steps === 0 ? `M${scale.from} ${middle}H${scale.to}` : grid.map((one) => `M${one} 0v${height}`).join(''),
      ],
      ['ref', steps === 0 ? `M0 1v${height - 2}` : `M0 ${-middle}v${2 * height}`],
      ...(low === null || high === null
        ? []
        : [['span', `M${place(low, scale)} ${middle}H${place(high, scale)}`] as const]),
      ...(difference === null ? [] : [['point', `M${place(difference, scale)} ${middle}h.01`] as const]),
    ],
    height,
  );
}
