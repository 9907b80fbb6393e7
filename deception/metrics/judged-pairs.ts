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

/**
 * Player of a pair whom the listener suspected more before the claims were made; `none` if the listener suspected both
 * players equally.
 */
export type Suspected = 'liar' | 'other' | 'none';

/** Lies with one prior, and true claims with a similar prior from the same stratum. Both lists are sorted by score. */
interface Facing {
  readonly suspected: Suspected;
  readonly lies: readonly Bar[];
  readonly truths: readonly Bar[];
}

/** Lists of bars, one after another: list l holds bars `start[l]` to `start[l + 1] - 1`. */
interface FlatBars {
  readonly start: Int32Array;
  /** `place` of each bar: the index of its number of judgments among the amounts. */
  readonly place: Int32Array;
  /** 1 for each bar whose judgments call the claim deceptive, 0 otherwise. */
  readonly isFlagged: Uint8Array;
  /** 1 for each list that the current count has visited, 0 otherwise. */
  readonly seen: Uint8Array;
}

/**
 * The lists of all facings as typed arrays, in the same order. Resamples count millions of pairs, and objects would
 * take ten times as long.
 */
interface FlatFacing {
  readonly lies: FlatBars;
  readonly truths: FlatBars;
  /** For each facing, the index of its list of lies, and of its list of true claims. */
  readonly ofLies: Int32Array;
  readonly ofTruths: Int32Array;
  readonly suspected: readonly Suspected[];
  /**
   * For each lie of each facing, an index in `before`. At `below`, `before` has the number of true claims with a lower
   * score than the lie. At `upTo`, it has the number of true claims with at most the lie's score.
   */
  readonly below: Int32Array;
  readonly upTo: Int32Array;
  /**
   * Running totals of the counted amounts. For each list of true claims: the number of judgments before each claim of
   * the list, then the number in the whole list. List l begins at `truths.start[l] + l`.
   */
  readonly before: Float64Array;
}

export interface PairLayout {
  readonly facing: readonly Facing[];
  readonly flat: FlatFacing;
}

/** Number of parts at the end of a sum's name that describe the judgment. */
const JUDGMENT_PARTS = 4;
/**
 * Returns the group of the judgments that the sum with this name counts.
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
  return { facing, flat: flattenFacing(facing) };
}

function flattenFacing(facing: readonly Facing[]): FlatFacing {
  const [lieLists, truthLists] = [numberLists(facing, 'lies'), numberLists(facing, 'truths')];
  const truths = flattenBars([...truthLists.keys()]);
  const [below, upTo]: [number[], number[]] = [[], []];
  for (const { lies, truths: ranked } of facing) {
    const list = truthLists.get(ranked) ?? 0;
    const from = (truths.start[list] ?? 0) + list;
    let [lower, atMost] = [0, 0];
    const getScore = (at: number) => ranked[at]?.score ?? Infinity;
    for (const { score } of lies) {
      while (getScore(lower) < score) lower++;
      while (getScore(atMost) <= score) atMost++;
      below.push(from + lower);
      upTo.push(from + atMost);
    }
  }
  return {
    ...{ lies: flattenBars([...lieLists.keys()]), truths, suspected: facing.map(({ suspected }) => suspected) },
    ofLies: Int32Array.from(facing, ({ lies }) => lieLists.get(lies) ?? 0),
    ofTruths: Int32Array.from(facing, (one) => truthLists.get(one.truths) ?? 0),
    ...{ below: Int32Array.from(below), upTo: Int32Array.from(upTo) },
    before: new Float64Array(truths.place.length + truthLists.size),
  };
}

function numberLists(facing: readonly Facing[], group: 'lies' | 'truths'): Map<readonly Bar[], number> {
  const numbers = new Map<readonly Bar[], number>();
  for (const { [group]: bars } of facing) if (!numbers.has(bars)) numbers.set(bars, numbers.size);
  return numbers;
}

function flattenBars(lists: readonly (readonly Bar[])[]): FlatBars {
  const start = new Int32Array(lists.length + 1);
  lists.forEach(({ length }, list) => (start[list + 1] = (start[list] ?? 0) + length));
  const bars = lists.flat();
  return {
    start,
    place: Int32Array.from(bars, ({ place }) => place),
    isFlagged: Uint8Array.from(bars, ({ isFlagged }) => (isFlagged ? 1 : 0)),
    seen: new Uint8Array(lists.length),
  };
}

const nameSuspected = (liar: number, other: number): Suspected => {
  if (liar === other) return 'none';
  return liar > other ? 'liar' : 'other';
};

/**
 * Cached layouts, shared by all statistics. Resamples reuse one object of sums and change only its amounts, so the
 * names of each object are parsed once.
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
export function countPairs({ flat }: PairLayout, amounts: Float64Array, offset: number): CountedPairs {
  const counted = { liar: { pairs: 0, right: 0 }, other: { pairs: 0, right: 0 }, none: { pairs: 0, right: 0 } };
  const { lies, truths, ofLies, ofTruths, suspected, below, upTo, before } = flat;
  for (let list = 0; list + 1 < truths.start.length; list++) {
    const end = truths.start[list + 1] ?? 0;
    let all = 0;
    for (let bar = truths.start[list] ?? 0; bar < end; bar++)
      before[bar + list + 1] = all += amounts[offset + (truths.place[bar] ?? 0)] ?? 0;
  }
  let next = 0;
  for (let facing = 0; facing < ofLies.length; facing++) {
    const [lieList, truthList] = [ofLies[facing] ?? 0, ofTruths[facing] ?? 0];
    const [from, to] = [lies.start[lieList] ?? 0, lies.start[lieList + 1] ?? 0];
    const own = next - from;
    next += to - from;
    const all = before[(truths.start[truthList + 1] ?? 0) + truthList] ?? 0;
    if (all === 0) continue;
    let [pairs, right] = [0, 0];
    for (let bar = from; bar < to; bar++) {
      const n = amounts[offset + (lies.place[bar] ?? 0)] ?? 0;
      if (n === 0) continue;
      pairs += n * all;
      right += n * ((before[below[own + bar] ?? 0] ?? 0) + (before[upTo[own + bar] ?? 0] ?? 0));
    }
    const sums = counted[suspected[facing] ?? 'none'];
    sums.pairs += pairs;
    sums.right += right / 2; // ties count half
  }
  return counted;
}

/**
 * Counts a group's judgments that belong to a pair, and how many of these judgments call the claim deceptive. `visit`:
 * called for each bar of such judgments, with the bar's place and with 1 if the bar calls the claim deceptive, 0
 * otherwise.
 */
export function countPaired(
  { flat: { lies, truths, ofLies, ofTruths } }: PairLayout,
  group: Group,
  amounts: Float64Array,
  offset: number,
  visit?: (place: number, flag: number) => void,
) {
  const isOfLies = group === 'lie';
  const [own, ofOwn] = isOfLies ? [lies, ofLies] : [truths, ofTruths];
  const [others, ofOthers] = isOfLies ? [truths, ofTruths] : [lies, ofLies];
  const { seen } = own;
  seen.fill(0);
  const found = { judged: 0, flagged: 0 };
  for (let facing = 0; facing < ofOwn.length; facing++) {
    const list = ofOwn[facing] ?? 0;
    if (seen[list] === 1 || !hasAny(others, ofOthers[facing] ?? 0, amounts, offset)) continue;
    seen[list] = 1;
    const end = own.start[list + 1] ?? 0;
    for (let bar = own.start[list] ?? 0; bar < end; bar++) {
      const [place, flag] = [own.place[bar] ?? 0, own.isFlagged[bar] ?? 0];
      const n = amounts[offset + place] ?? 0;
      found.judged += n;
      if (flag === 1) found.flagged += n;
      visit?.(place, flag);
    }
  }
  return found;
}

function hasAny({ start, place }: FlatBars, list: number, amounts: Float64Array, offset: number): boolean {
  const end = start[list + 1] ?? 0;
  for (let bar = start[list] ?? 0; bar < end; bar++) if ((amounts[offset + (place[bar] ?? 0)] ?? 0) > 0) return true;
  return false;
}

/** Contribution of each pair to a statistic, and the additional contribution of a pair ranked correctly. */
export type PairWeights = Readonly<Record<Suspected, { readonly pair: number; readonly right: number }>>;

/**
 * Adds the derivatives of a statistic with respect to the numbers of judgments. They follow from `weights`, the
 * derivatives with respect to the numbers of pairs.
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
      slopes[offset + place] = (slopes[offset + place] ?? 0) + pair * all + right * won;
    };
    rankBars(lies, truths, amounts, offset, (lie, all, below, ties) => add(lie, all, below + ties / 2));
    rankBars(truths, lies, amounts, offset, (truth, all, below, ties) => add(truth, all, all - below - ties / 2));
  }
}

/**
 * Visits bars by rising score. For each bar, passes three numbers about the judgments of the other group: all
 * judgments, judgments with a lower score, and judgments with an equal score.
 */
function rankBars(
  bars: readonly Bar[],
  others: readonly Bar[],
  amounts: Float64Array,
  offset: number,
  visit: (bar: Bar, all: number, below: number, ties: number) => void,
): void {
  let all = 0;
  for (const { place } of others) all += amounts[offset + place] ?? 0;
  if (all === 0) return;
  let [below, ties, next, score] = [0, 0, 0, -1];
  for (const bar of bars) {
    if (bar.score !== score) {
      [score, below, ties] = [bar.score, below + ties, 0];
      for (let other = others[next]; other && other.score <= score; other = others[++next]) {
        const n = amounts[offset + other.place] ?? 0;
        if (other.score < score) below += n;
        else ties += n;
      }
    }
    visit(bar, all, below, ties);
  }
}
