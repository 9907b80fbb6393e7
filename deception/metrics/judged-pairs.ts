// Pairs of lies and true claims, counted from sums that group equal judgments. Thousands of resamples and swaps count
// these pairs again, and compute the slopes of the statistics, without listing single pairs.
import { readAt, type Statistic, type Sums } from '../statistics/sums.ts';

export type Group = 'lie' | 'truth';

/** Largest distance between two priors, in hundredths, at which they count as equal. */
const mostApart = 5;

/** A group of equal judgments. Scores and priors are in hundredths. */
export interface Bar {
  /** Index, among the amounts, of the number of these judgments. */
  readonly place: number;
  readonly prior: number;
  readonly score: number;
  readonly isFlagged: boolean;
}

/** Player of a pair whom the listener suspected more before the claims were made; `none` if both equally. */
export type Suspected = 'liar' | 'other' | 'none';

/** Lies with one prior, and true claims with a similar prior from the same stratum. Both lists are sorted by score. */
interface Facing {
  readonly suspected: Suspected;
  readonly lies: readonly Bar[];
  readonly truths: readonly Bar[];
}

/** True claims with one prior from one stratum, sorted by score. Lies with several priors face them. */
interface RankedTruths {
  readonly places: Int32Array;
  /** Numbers of judgments before each place, of the amounts that are counted. */
  readonly before: Float64Array;
}

/** The bars of a `Facing` as numbers. Resamples count millions of pairs, and objects would take three times as long. */
interface RankedLies {
  readonly suspected: Suspected;
  readonly truths: RankedTruths;
  readonly places: Int32Array;
  /** For each lie, the number of bars among the true claims with a lower score, and with at most its score. */
  readonly below: Int32Array;
  readonly upTo: Int32Array;
}

export interface PairLayout {
  readonly bars: Readonly<Record<Group, readonly Bar[]>>;
  readonly facing: readonly Facing[];
  readonly truths: readonly RankedTruths[];
  readonly lies: readonly RankedLies[];
}

/**
 * Derives the possible pairs from the names of sums. The last four parts of a name describe the judgment; the parts
 * before them name the stratum.
 */
export function createPairLayout(names: readonly string[]): PairLayout {
  const read = names.map((name, place) => {
    const parts = name.split('\t');
    const [group, prior, score, flag] = parts.slice(-4) as [Group, string, string, string];
    const bar: Bar = { place, prior: Number(prior), score: Number(score), isFlagged: flag === 'flagged' };
    return { stratum: parts.slice(0, -4).join('\t'), group, bar };
  });
  const facing = [...Map.groupBy(read, ({ stratum }) => stratum).values()].flatMap((own) => {
    const ofGroup = (wanted: Group) =>
      Map.groupBy(
        own.flatMap(({ group, bar }) => (group === wanted ? [bar] : [])).sort((one, other) => one.score - other.score),
        ({ prior }) => prior,
      );
    const truths = [...ofGroup('truth')];
    return [...ofGroup('lie')].flatMap(([prior, lies]) =>
      truths.flatMap(([other, same]): Facing[] =>
        Math.abs(other - prior) <= mostApart ? [{ suspected: nameSuspected(prior, other), lies, truths: same }] : [],
      ),
    );
  });
  const listBars = (wanted: Group) => read.flatMap(({ group, bar }) => (group === wanted ? [bar] : []));
  return { bars: { lie: listBars('lie'), truth: listBars('truth') }, facing, ...rankPairs(facing) };
}

function rankPairs(facing: readonly Facing[]): Pick<PairLayout, 'truths' | 'lies'> {
  const ranked = new Map<readonly Bar[], RankedTruths>();
  const lies = facing.map(({ suspected, lies: bars, truths }): RankedLies => {
    const own = ranked.get(truths) ?? {
      places: Int32Array.from(truths, ({ place }) => place),
      before: new Float64Array(truths.length + 1),
    };
    ranked.set(truths, own);
    const count = (isCounted: (truth: Bar, lie: Bar) => boolean) =>
      Int32Array.from(bars, (lie) => truths.filter((truth) => isCounted(truth, lie)).length);
    return {
      ...{ suspected, truths: own, places: Int32Array.from(bars, ({ place }) => place) },
      below: count((truth, lie) => truth.score < lie.score),
      upTo: count((truth, lie) => truth.score <= lie.score),
    };
  });
  return { truths: [...ranked.values()], lies };
}

const nameSuspected = (liar: number, other: number): Suspected => {
  if (liar === other) return 'none';
  return liar > other ? 'liar' : 'other';
};

/**
 * Creates a statistic of pairs. `compute` and `fillSlopes` read amounts and write slopes in the order of the names,
 * starting at `offset`.
 */
export function createPairStatistic(
  compute: (layout: PairLayout, amounts: ArrayLike<number>, offset: number) => number | null,
  fillSlopes?: (layout: PairLayout, amounts: ArrayLike<number>, offset: number, slopes: Float64Array) => boolean,
): Statistic {
  /**
   * Cached layouts. A resample fills the same object with other amounts under the same names, so names are parsed once.
   */
  const layouts = new WeakMap<Sums, PairLayout>();
  const ofSums = (sums: Sums) => {
    const layout = layouts.get(sums) ?? createPairLayout(Object.keys(sums));
    layouts.set(sums, layout);
    return compute(layout, Object.values(sums), 0);
  };
  const prepare: Statistic['prepare'] = (names, offset) => {
    const layout = createPairLayout(names);
    return (totals) => compute(layout, totals, offset);
  };
  const prepareSlopes: Statistic['prepareSlopes'] =
    fillSlopes &&
    ((names, offset) => {
      const layout = createPairLayout(names);
      return (totals, slopes) => {
        slopes.fill(0, offset, offset + names.length);
        return fillSlopes(layout, totals, offset, slopes);
      };
    });
  return Object.assign(ofSums, { prepare, ...(prepareSlopes && { prepareSlopes }) });
}

interface Counted {
  pairs: number;
  /** Number of pairs in which the lie has the higher score; ties count half. */
  right: number;
}

export type CountedPairs = Record<Suspected, Counted>;

/** Counts pairs by the player whom the listener suspected more. */
export function countPairs(layout: PairLayout, amounts: ArrayLike<number>, offset: number): CountedPairs {
  const counted = { liar: { pairs: 0, right: 0 }, other: { pairs: 0, right: 0 }, none: { pairs: 0, right: 0 } };
  for (const { places, before } of layout.truths) {
    let all = 0;
    for (let i = 0; i < places.length; i++) before[i + 1] = all += readAt(amounts, offset + readAt(places, i));
  }
  for (const { suspected, truths, places, below, upTo } of layout.lies) {
    const { before } = truths;
    const all = readAt(before, truths.places.length);
    if (all === 0) continue;
    let [pairs, right] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      const n = readAt(amounts, offset + readAt(places, i));
      if (n === 0) continue;
      pairs += n * all;
      right += n * (readAt(before, readAt(below, i)) + readAt(before, readAt(upTo, i)));
    }
    counted[suspected].pairs += pairs;
    counted[suspected].right += right / 2; // ties count half
  }
  return counted;
}

/** Contribution of each pair to a statistic, and the additional contribution of a pair ranked correctly. */
export type PairWeights = Readonly<Record<Suspected, { readonly pair: number; readonly right: number }>>;

/**
 * Adds the slopes of a statistic in the numbers of judgments. They are derived from its slopes in the numbers of pairs.
 */
export function addPairSlopes(
  { facing }: PairLayout,
  amounts: ArrayLike<number>,
  offset: number,
  weights: PairWeights,
  slopes: Float64Array,
): void {
  for (const { suspected, lies, truths } of facing) {
    const { pair, right } = weights[suspected];
    const add = ({ place }: Bar, all: number, won: number) => {
      slopes[offset + place] = readAt(slopes, offset + place) + pair * all + right * won;
    };
    rankBars(lies, truths, amounts, offset, (lie, all, below, ties) => add(lie, all, below + ties / 2));
    rankBars(truths, lies, amounts, offset, (truth, all, below, ties) => add(truth, all, all - below - ties / 2));
  }
}

/**
 * Visits bars by rising score. For each bar, passes the number of judgments in the other group, the number of those
 * with a lower score, and the number with an equal score.
 */
function rankBars(
  bars: readonly Bar[],
  others: readonly Bar[],
  amounts: ArrayLike<number>,
  offset: number,
  visit: (bar: Bar, all: number, below: number, ties: number) => void,
): void {
  let all = 0;
  for (const { place } of others) all += readAt(amounts, offset + place);
  if (all === 0) return;
  let [below, ties, next, score] = [0, 0, 0, -1];
  for (const bar of bars) {
    if (bar.score !== score) {
      [score, below, ties] = [bar.score, below + ties, 0];
      for (let other = others[next]; other && other.score <= score; other = others[++next]) {
        const n = readAt(amounts, offset + other.place);
        if (other.score < score) below += n;
        else ties += n;
      }
    }
    visit(bar, all, below, ties);
  }
}
