// Stopping rules for tournaments: evidence and intervals that keep their level however often the scores are inspected.
//
// A bettor who stakes the share λ of the capital on every deal multiplies the capital by Π (1 + λ (S − m)). S is the
// score of a deal, and m is the mean score under test. W(m) is the mean of these products over several λ. Half of the λ
// are positive (bets on a mean above m), and half are negative (bets on a mean below m). If m is true, the expectation
// of W(m) is 1, so the probability that W(m) ever reaches 1/α is at most α (Ville 1939), whatever the distribution of
// scores. The values of m for which W(m) never reached 1/α form the confidence sequence (Waudby-Smith & Ramdas 2024).
import { mean } from '../statistics/sums.ts';

/**
 * Bets on each deal, as shares of the largest bet at which no score can make the capital negative. For a mean of ½ the
 * largest bet is 2.
 */
const bets = [0.1, 0.2, 0.4, 0.7, 1, 1.3, 1.6, 1.85].map((bet) => bet / 2);

/** Number of bisections of an interval of length 1. It makes bounds exact to 1e-9. */
const BISECTIONS = 30;

/**
 * Returns what a deal with this score adds to the logarithm of each bettor's capital, if the mean score under test is
 * `m`. The first half of the bettors bet that the mean is higher, the second half that it is lower.
 */
function listLogGains(score: number, m: number): Float64Array {
  const gains = new Float64Array(2 * bets.length);
  for (const [place, bet] of bets.entries()) {
    gains[place] = Math.log(1 + bet * (score / m - 1));
    gains[bets.length + place] = Math.log(1 + bet * ((1 - score) / (1 - m) - 1));
  }
  return gains;
}

/** Counts of each score. W depends only on these counts, not on the order of scores. */
class ScoreCounts {
  readonly #counts = new Map<number, number>();
  readonly #gainsAtHalf = new Map<number, Float64Array>();
  #total = 0;
  #scores = 0;

  add(score: number): void {
    if (!(score >= 0 && score <= 1)) throw new RangeError(`The score of a deal is ${score}; it must lie from 0 to 1.`);
    this.#counts.set(score, (this.#counts.get(score) ?? 0) + 1);
    this.#total += score;
    this.#scores++;
  }

  get mean(): number {
    return this.#total / this.#scores;
  }

  /** Computes the logarithm of W(m), for 0 < m < 1. */
  computeLogEvidence(m: number): number {
    const logs = new Float64Array(2 * bets.length);
    for (const [score, count] of this.#counts) {
      const gains = m === 0.5 ? this.#findGainsAtHalf(score) : listLogGains(score, m);
      for (let at = 0; at < logs.length; at++) logs[at]! += count * gains[at]!;
    }
    const most = Math.max(...logs);
    return most + Math.log(mean(Array.from(logs, (log) => Math.exp(log - most)))!);
  }

  /** Caches the gains at ½, which are needed after every deal. */
  #findGainsAtHalf(score: number): Float64Array {
    const gains = this.#gainsAtHalf.get(score) ?? listLogGains(score, 0.5);
    this.#gainsAtHalf.set(score, gains);
    return gains;
  }

  /**
   * Finds the bounds. W is convex in m, and at most 1 at the mean of the scores, so the values that W does not exclude
   * form one interval around the mean. Without scores, W is 1 everywhere and excludes nothing.
   */
  computeBounds(alpha: number): [low: number, high: number] {
    return [this.#findBound(0, alpha), this.#findBound(1, alpha)];
  }

  /** Whether the bounds are at most `width` apart. After most deals, one or two evaluations of W decide this. */
  hasBoundsWithin(width: number, alpha: number): boolean {
    const isRuledOut = (m: number) => m <= 0 || m >= 1 || this.#isRuledOut(m, alpha);
    let [out, inside] = [this.mean - width, this.mean];
    if (!isRuledOut(out) || !isRuledOut(this.mean + width)) return false;
    for (let i = 0; i < BISECTIONS; i++) {
      const low = (out + inside) / 2;
      const [isBelow, isAbove] = [isRuledOut(low), isRuledOut(low + width)];
      if (isBelow === isAbove) return isBelow; // the two points contain both bounds or none
      if (isBelow) out = low;
      else inside = low;
    }
    return isRuledOut(out) && isRuledOut(out + width);
  }

  #isRuledOut(m: number, alpha: number): boolean {
    return this.computeLogEvidence(m) >= -Math.log(alpha);
  }

  #findBound(end: number, alpha: number): number {
    let [out, inside] = [end, this.mean];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (out + inside) / 2;
      if (this.#isRuledOut(middle, alpha)) out = middle;
      else inside = middle;
    }
    return out;
  }
}

/**
 * Returns the scores before the first unfinished deal. Base decisions only on these scores, because short matches end
 * first and their winners are not representative.
 *
 * @example takeUnbrokenPrefix([1, 0.5, null, 1]); // [1, 0.5]
 */
export function takeUnbrokenPrefix(scores: readonly (number | null)[]): number[] {
  const end = scores.indexOf(null);
  return (end === -1 ? scores : scores.slice(0, end)).map((score) => score!);
}

/**
 * Computes the evidence W against a mean of `m` after all these scores. W is at least 0; it is returned as Infinity if
 * it is too large for a double. Throws a RangeError for a score outside 0 to 1, and for an `m` that is not strictly
 * between 0 and 1.
 *
 * @example computeEvidence([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]); // 81: more than 20, so decided at α = .05
 */
export function computeEvidence(scores: readonly number[], m = 0.5): number {
  if (!(m > 0 && m < 1)) throw new RangeError(`The hypothesized mean is ${m}; it must lie between 0 and 1.`);
  const counts = new ScoreCounts();
  scores.forEach((score) => counts.add(score));
  return Math.exp(counts.computeLogEvidence(m));
}

/**
 * Computes the bounds of the mean score after all these scores. With probability 1 − α, none of the intervals in such a
 * sequence misses the true mean. The bounds are 0 and 1 without scores. Throws a RangeError for a score or α outside
 * its range.
 *
 * @example computeConfidenceSequence([1, 0.5, 1, 1, 0.5, 1, 1, 1], 0.05);
 */
export function computeConfidenceSequence(scores: readonly number[], alpha: number): [low: number, high: number] {
  checkAlpha(alpha);
  const counts = new ScoreCounts();
  scores.forEach((score) => counts.add(score));
  return counts.computeBounds(alpha);
}

function checkAlpha(alpha: number): void {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`α is ${alpha}; it must lie between 0 and 1, as 0.05.`);
}

/**
 * Two entrants and the first entrant's lead in each deal, in the schedule's order. The lead is null for an unfinished
 * deal.
 */
export interface PairScores {
  readonly pair: readonly [string, string];
  /** Condition of these scores. Null or absent if they cover all conditions together. */
  readonly condition?: string | null;
  /** Differences of the two scores (each 0 to 1) on the same deal, −1 to 1. */
  readonly differences: readonly (number | null)[];
}

/** Criteria that end a tournament: every difference is known to ± `precision`, or every pair differs significantly. */
export interface StoppingRule {
  /** Joint level over all pairs. */
  readonly alpha: number;
  /** Half-width of the confidence sequence for the difference of two expected scores. */
  readonly precision?: number | undefined;
  /** Whether the tournament ends once every pair differs significantly. */
  readonly decide?: boolean | undefined;
  /** Whether all conditions are judged together. If false, each pair is judged in each condition. */
  readonly pooled?: boolean | undefined;
}

/**
 * State of a pair after all deals before its first unfinished deal. Differences of expected scores, −1 to 1, are
 * positive if the first entrant is better.
 */
export interface FollowedPair {
  readonly pair: readonly [string, string];
  readonly condition: string | null;
  /** Number of finished deals before the first unfinished deal. */
  readonly deals: number;
  /** Mean difference; null without deals. */
  readonly difference: number | null;
  readonly low: number;
  readonly high: number;
  /** Evidence W against a difference of 0, as defined above. */
  readonly evidence: number;
  /** Number of deals after which W first reached 1/α, with α divided among the pairs; null if it has not. */
  readonly decidedAt: number | null;
  /**
   * Number of deals after which the half-width was first at most `precision`. Null if it never was, or if the rule has
   * no target precision.
   */
  readonly preciseAt: number | null;
}

/**
 * State of all pairs, and the number of deals after which the rule would have ended the tournament; null if it would
 * not have.
 */
export interface SequentialState {
  readonly pairs: readonly FollowedPair[];
  readonly stopAt: number | null;
}

/**
 * Judges pairs deal by deal, with α divided among them (Bonferroni). The result depends only on the scores, not on how
 * often they are judged. Throws a RangeError for a rule or a difference outside its range.
 *
 * @example
 * evaluateStop([{ pair: ['gpt', 'gemini'], differences: [1, 0, 0.5, null] }], { alpha: 0.05, decide: true }).stopAt; // null
 */
export function evaluateStop(
  pairs: readonly PairScores[],
  { alpha, precision, decide }: StoppingRule,
): SequentialState {
  checkAlpha(alpha);
  if (precision !== undefined && !(precision > 0 && precision < 1))
    throw new RangeError(`The precision is ${precision}; it must lie between 0 and 1, as 0.05.`);
  const followed = pairs.map((one) => evaluatePair(one, alpha / pairs.length, precision));
  const ends = followed.flatMap((one) => [
    ...(precision === undefined ? [] : [one.preciseAt]),
    ...(decide === true ? [one.decidedAt] : []),
  ]);
  const reached = ends.flatMap((end) => end ?? []);
  return { pairs: followed, stopAt: ends.length > 0 && reached.length === ends.length ? Math.max(...reached) : null };
}

const listScores = (differences: PairScores['differences']) =>
  takeUnbrokenPrefix(differences).map((difference) => (1 + difference) / 2);

/**
 * Finds the number of deals after which the evidence against a difference of 0 first reached 1/α; null if it has not.
 * The result equals that of `evaluateStop` for a single pair. The bounds, which take most of the time of
 * `evaluateStop`, are not computed.
 *
 * @example findDecision(Array.from({ length: 10 }, () => 1), 0.05); // 8
 */
export function findDecision(differences: PairScores['differences'], alpha: number): number | null {
  const counts = new ScoreCounts();
  const place = listScores(differences).findIndex((score) => {
    counts.add(score);
    return counts.computeLogEvidence(0.5) >= -Math.log(alpha);
  });
  return place === -1 ? null : place + 1;
}

function evaluatePair(
  { pair, condition = null, differences }: PairScores,
  alpha: number,
  precision?: number,
): FollowedPair {
  const counts = new ScoreCounts();
  const scores = listScores(differences);
  let preciseAt: number | null = null;
  for (const [place, score] of scores.entries()) {
    counts.add(score);
    if (preciseAt !== null || precision === undefined) continue;
    // Differences (−1 to 1) were rescaled to 0 to 1, so their half-width is the full width on that scale.
    if (counts.hasBoundsWithin(precision, alpha)) preciseAt = place + 1;
  }
  const [low, high] = counts.computeBounds(alpha);
  return {
    ...{ pair, condition, deals: scores.length, difference: scores.length === 0 ? null : 2 * counts.mean - 1 },
    ...{ low: 2 * low - 1, high: 2 * high - 1, evidence: Math.exp(counts.computeLogEvidence(0.5)) },
    ...{ decidedAt: findDecision(differences, alpha), preciseAt },
  };
}
