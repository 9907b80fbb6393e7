// Scores of positive and negative cases counted by score, as sums of a match that ranking and calibration are made of.
import type { Sums } from './sums.ts';

/** The cases with one score. */
export interface Bar {
  readonly score: number;
  readonly positives: number;
  readonly negatives: number;
}

/**
 * The name of the sum that counts cases with that score which are so (`pos:0.35`) or are not (`neg:0.35`). A number
 * is written so that it reads back as itself. Throws a RangeError for a score that is no finite number.
 */
export function scoreKey(isPositive: boolean, score: number): string {
  if (!Number.isFinite(score)) throw new RangeError(`The score is ${score}; leave cases without a score out.`);
  return `${isPositive ? 'pos' : 'neg'}:${score === 0 ? 0 : score}`;
}

/** The sums of cases, each with its score and whether it is so. */
export function histogram(cases: readonly { readonly score: number; readonly isPositive: boolean }[]): Sums {
  const counts: Record<string, number> = {};
  for (const { score, isPositive } of cases) {
    const key = scoreKey(isPositive, score);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** One score with the names of its sums. */
interface Slot {
  score: number;
  pos: string;
  neg: string;
}

/** A resample fills the same object with other amounts under the same names: these are read and sorted once. */
const layouts = new WeakMap<Sums, readonly Slot[]>();

/** The bars of a histogram by rising score, without empty ones; sums of other names are passed over. */
export function barsOf(sums: Sums): Bar[] {
  let slots = layouts.get(sums);
  if (slots === undefined) layouts.set(sums, (slots = slotsOf(sums)));
  const bars: Bar[] = [];
  for (const { score, pos, neg } of slots) {
    const [positives, negatives] = [sums[pos] ?? 0, sums[neg] ?? 0];
    if (positives !== 0 || negatives !== 0) bars.push({ score, positives, negatives });
  }
  return bars;
}

function slotsOf(sums: Sums): Slot[] {
  const names = Object.keys(sums).filter((name) => /^(pos|neg):/.test(name));
  const scores = new Map(names.map((name) => [Number(name.slice(4)), name.slice(4)]));
  return [...scores]
    .map(([score, text]) => ({ score, pos: `pos:${text}`, neg: `neg:${text}` }))
    .sort((a, b) => a.score - b.score);
}

/** Cases in all bars: positive, negative. */
export function casesIn(bars: readonly Bar[]): { positives: number; negatives: number } {
  let [positives, negatives] = [0, 0];
  for (const bar of bars) {
    positives += bar.positives;
    negatives += bar.negatives;
  }
  return { positives, negatives };
}
