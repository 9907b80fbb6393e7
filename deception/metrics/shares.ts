// How things fall into kinds, counted so that each kind is a cell with its share of all.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { Cell, Tally } from './metric.ts';

/** One thing, seen from every kind: it is of one of them, and one of all. */
export const among = (kinds: readonly Cell[], isOf: (kind: Cell) => boolean, cell: Cell): Tally[] =>
  kinds.map((kind) => ({ cell: { ...kind, ...cell }, sums: { of: isOf(kind) ? 1 : 0, all: 1 } }));

export const shareOfAll = { value: ratioOf('of', 'all'), opportunities: (sums: Tally['sums']) => sumOf(sums, 'all') };
