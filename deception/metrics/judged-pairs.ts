// Pairs of lies and true claims, counted from sums that group equal judgments. Thousands of resamples and swaps count
// these pairs again, and compute the slopes of the statistics, without listing single pairs.
import type { Statistic, Sums } from '../statistics/sums.ts';

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
  /** Index of these true claims among the layout's. */
  readonly at: number;
  readonly places: Int32Array;
  readonly isFlagged: Uint8Array;
  /** Numbers of judgments before each place, of the amounts that are counted. */
  readonly before: Float64Array;
}

/** The bars of a `Facing` as numbers. Resamples count millions of pairs, and objects would take three times as long. */
interface RankedLies {
  /** Index of the lies with this prior among the layout's. Several `RankedLies` hold the same lies. */
  readonly at: number;
  readonly suspected: Suspected;
  readonly truths: RankedTruths;
  readonly places: Int32Array;
  readonly isFlagged: Uint8Array;
  /** For each lie, the number of bars among the true claims with a lower score, and with at most its score. */
  readonly below: Int32Array;
  readonly upTo: Int32Array;
}

export interface PairLayout {
  readonly facing: readonly Facing[];
  readonly truths: readonly RankedTruths[];
  readonly lies: readonly RankedLies[];
}

/** Number of parts at the end of a sum's name that describe the judgment. */
const JUDGMENT_PARTS = 4;

/**
 * Returns the group of judgments that a sum counts.
 *
 * @example readGroup('Werewolves\tgpt\t1\tcheck\tprevious\tlie\t30\t55\tflagged'); // 'lie'
 */
export function readGroup(name: string): Group {
  let end = name.length;
  for (let part = 1; part < JUDGMENT_PARTS; part++) end = name.lastIndexOf('\t', end - 1);
  return name.slice(name.lastIndexOf('\t', end - 1) + 1, end) as Group;
}

/**
 * Derives the possible pairs from the names of sums. The last four parts of a name describe the judgment; the parts
 * before them name the stratum.
 */
export function createPairLayout(names: readonly string[]): PairLayout {
  const read = names.map((name, place) => {
    const parts = name.split('\t');
    const [group, prior, score, flag] = parts.slice(-JUDGMENT_PARTS) as [Group, string, string, string];
    const bar: Bar = { place, prior: Number(prior), score: Number(score), isFlagged: flag === 'flagged' };
    return { stratum: parts.slice(0, -JUDGMENT_PARTS).join('\t'), group, bar };
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
  return { facing, ...rankPairs(facing) };
}

function rankPairs(facing: readonly Facing[]): Pick<PairLayout, 'truths' | 'lies'> {
  const ranked = new Map<readonly Bar[], RankedTruths>();
  const numbers = new Map<readonly Bar[], number>();
  const lies = facing.map(({ suspected, lies: bars, truths }): RankedLies => {
    const own = ranked.get(truths) ?? {
      at: ranked.size,
      ...listPlaces(truths),
      before: new Float64Array(truths.length + 1),
    };
    ranked.set(truths, own);
    const at = numbers.get(bars) ?? numbers.size;
    numbers.set(bars, at);
    return { at, suspected, truths: own, ...listPlaces(bars), ...countLower(bars, truths) };
  });
  return { truths: [...ranked.values()], lies };
}

const listPlaces = (bars: readonly Bar[]) => ({
  places: Int32Array.from(bars, ({ place }) => place),
  isFlagged: Uint8Array.from(bars, ({ isFlagged }) => (isFlagged ? 1 : 0)),
});

/** Counts, for each lie, the true claims with a lower score, and with at most its score. Both lists are sorted. */
function countLower(lies: readonly Bar[], truths: readonly Bar[]): Pick<RankedLies, 'below' | 'upTo'> {
  const [below, upTo] = [new Int32Array(lies.length), new Int32Array(lies.length)];
  let [lower, atMost] = [0, 0];
  lies.forEach(({ score }, i) => {
    while (lower < truths.length && truths[lower]!.score < score) lower++;
    while (atMost < truths.length && truths[atMost]!.score <= score) atMost++;
    below[i] = lower;
    upTo[i] = atMost;
  });
  return { below, upTo };
}

const nameSuspected = (liar: number, other: number): Suspected => {
  if (liar === other) return 'none';
  return liar > other ? 'liar' : 'other';
};

/**
 * Cached layouts, shared by all statistics. A resample fills the same object with other amounts under the same names,
 * so names are parsed once.
 */
const layoutsOfSums = new WeakMap<Sums, PairLayout>();

/**
 * Creates a statistic of pairs. `compute` and `fillSlopes` read amounts and write slopes in the order of the names,
 * starting at `offset`.
 */
export function createPairStatistic(
  compute: (layout: PairLayout, amounts: Float64Array, offset: number) => number | null,
  fillSlopes?: (layout: PairLayout, amounts: Float64Array, offset: number, slopes: Float64Array) => boolean,
): Statistic {
  const ofSums = (sums: Sums) => {
    const layout = layoutsOfSums.get(sums) ?? createPairLayout(Object.keys(sums));
    layoutsOfSums.set(sums, layout);
    return compute(layout, Float64Array.from(Object.values(sums)), 0);
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
export function countPairs(layout: PairLayout, amounts: Float64Array, offset: number): CountedPairs {
  const counted = { liar: { pairs: 0, right: 0 }, other: { pairs: 0, right: 0 }, none: { pairs: 0, right: 0 } };
  for (const { places, before } of layout.truths) {
    let all = 0;
    for (let i = 0; i < places.length; i++) before[i + 1] = all += amounts[offset + places[i]!]!;
  }
  for (const { suspected, truths, places, below, upTo } of layout.lies) {
    const { before } = truths;
    const all = before[truths.places.length]!;
    if (all === 0) continue;
    let [pairs, right] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      const n = amounts[offset + places[i]!]!;
      if (n === 0) continue;
      pairs += n * all;
      right += n * (before[below[i]!]! + before[upTo[i]!]!);
    }
    counted[suspected].pairs += pairs;
    counted[suspected].right += right / 2; // ties count half
  }
  return counted;
}

/**
 * Counts a group's judgments that belong to a pair, and how many of these call the claim deceptive. `visit`: called
 * with the place of each kind of such judgments, and whether it calls the claim deceptive.
 */
export function countPaired(
  { lies: all, truths: { length: groups } }: PairLayout,
  group: Group,
  amounts: Float64Array,
  offset: number,
  visit?: (place: number, isFlagged: boolean) => void,
) {
  const isOfLies = group === 'lie';
  const seen = new Uint8Array(isOfLies ? all.length : groups);
  const found = { judged: 0, flagged: 0 };
  for (const lies of all) {
    const [own, others] = isOfLies ? [lies, lies.truths] : [lies.truths, lies];
    if (seen[own.at] === 1 || !hasAny(others.places, amounts, offset)) continue;
    seen[own.at] = 1;
    const { places, isFlagged } = own;
    for (let i = 0; i < places.length; i++) {
      const n = amounts[offset + places[i]!]!;
      found.judged += n;
      if (isFlagged[i] === 1) found.flagged += n;
      visit?.(places[i]!, isFlagged[i] === 1);
    }
  }
  return found;
}

function hasAny(places: Int32Array, amounts: Float64Array, offset: number): boolean {
  for (let i = 0; i < places.length; i++) if (amounts[offset + places[i]!]! > 0) return true;
  return false;
}

/** Contribution of each pair to a statistic, and the additional contribution of a pair ranked correctly. */
export type PairWeights = Readonly<Record<Suspected, { readonly pair: number; readonly right: number }>>;

/**
 * Adds the slopes of a statistic in the numbers of judgments. They are derived from its slopes in the numbers of pairs.
 */
export function addPairSlopes(
  { facing }: PairLayout,
  amounts: Float64Array,
  offset: number,
  weights: PairWeights,
  slopes: Float64Array,
): void {
  for (const { suspected, lies, truths } of facing) {
    const { pair, right } = weights[suspected];
    const add = ({ place }: Bar, all: number, won: number) => {
      slopes[offset + place] = slopes[offset + place]! + pair * all + right * won;
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
  amounts: Float64Array,
  offset: number,
  visit: (bar: Bar, all: number, below: number, ties: number) => void,
): void {
  let all = 0;
  for (const { place } of others) all += amounts[offset + place]!;
  if (all === 0) return;
  let [below, ties, next, score] = [0, 0, 0, -1];
  for (const bar of bars) {
    if (bar.score !== score) {
      [score, below, ties] = [bar.score, below + ties, 0];
      for (let other = others[next]; other && other.score <= score; other = others[++next]) {
        const n = amounts[offset + other.place]!;
        if (other.score < score) below += n;
        else ties += n;
      }
    }
    visit(bar, all, below, ties);
  }
}
