// What was flagged against what was so, and what is missing: the sums behind every rate of hits and false alarms.
import type { Figure, Sums } from '../statistics/sums.ts';
import { sumOf } from '../statistics/sums.ts';
import type { Metric } from './metric.ts';

/** One case; `flag` null where an answer was asked for and is missing. The names are those of statistics/confusion. */
export function caseOf(isSo: boolean, flag: boolean | null): Sums {
  if (flag === null) return isSo ? { missing_positive: 1 } : { missing_negative: 1 };
  return isSo ? (flag ? { tp: 1 } : { fn: 1 }) : flag ? { fp: 1 } : { tn: 1 };
}

/** The sums had all that is missing been right, or wrong. */
export function completed(sums: Sums, isRight: boolean): Sums {
  const { tp = 0, fn = 0, fp = 0, tn = 0, missing_positive: so = 0, missing_negative: not = 0 } = sums;
  return isRight ? { tp: tp + so, fn, fp, tn: tn + not } : { tp, fn: fn + so, fp: fp + not, tn };
}

/**
 * The bounds of a figure that only rises, or only falls, as more of the flags are right: then all right and all wrong
 * are its extremes (Manski 1989).
 */
export const worstAndBest =
  (figure: Figure): NonNullable<Metric['bounds']> =>
  (sums) => {
    const [worst, best] = [figure(completed(sums, false)), figure(completed(sums, true))];
    return worst !== null && best !== null && worst > best ? [best, worst] : [worst, best];
  };

export const positives = (sums: Sums) => sumOf(sums, 'tp') + sumOf(sums, 'fn');
export const negatives = (sums: Sums) => sumOf(sums, 'fp') + sumOf(sums, 'tn');
export const flags = (sums: Sums) => sumOf(sums, 'tp') + sumOf(sums, 'fp');
export const cases = (sums: Sums) => positives(sums) + negatives(sums);

/** FP / (FP + TN): 0…1, null without negative cases. */
export const falseAlarms: Figure = (sums) => (negatives(sums) === 0 ? null : sumOf(sums, 'fp') / negatives(sums));
