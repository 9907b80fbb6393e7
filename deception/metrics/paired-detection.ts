// Detection: whether a listener finds a lie more deceptive than a true claim of the same kind, made in the same round by
// somebody of the other side whom it had suspected as much. Hits alone tell nothing: whoever calls everything deceptive has
// most of them. Over unlike players they reward whoever suspects the right ones; and within a side there is nothing to
// compare with, since a Werewolf's claim of a role or a check cannot be true.
import { computeRatio, getSum, sum, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { hearingBreakdowns } from './breakdowns.ts';
import { getLiarCell, type HeardClaim, mapPriors, listHeardClaims, type Prior } from './heard-claims.ts';
import { judgementStrata } from './judgements.ts';
import type { Metric, MetricTally } from './metric.ts';

/** Scores and priors are compared in hundredths, as models give them. */
const toHundredths = (share: number) => Math.round(100 * share);

/** Priors this near, in hundredths, count as alike. */
const mostApart = 5;

type Group = 'lie' | 'truth';

/** What may be paired: judgements by the same model of the same side, of claims of a type in a round. */
const nameStratum = ({ row }: HeardClaim, type: string, { asked }: Prior) =>
  [row.observer_team, row.observer_model, row.round, type, asked].join('\t');

/** A judgement counts once with each type of the statement's claims, in a sum that bears all that pairs are made by. */
const countJudged = (match: MatchTables): MetricTally[] => {
  const priors = mapPriors(match);
  return listHeardClaims(match).flatMap((one): MetricTally[] => {
    const { row, types } = one;
    const prior = priors.get(row);
    if (prior === undefined || row.suspicion === null || row.deceptive === null) return [];
    const judged = [row.is_lie ? 'lie' : 'truth', toHundredths(prior.value), toHundredths(row.suspicion)];
    const sums = [...types].map((type) => {
      const name = [nameStratum(one, type, prior), ...judged, row.deceptive ? 'flagged' : 'passed'].join('\t');
      return [name, 1];
    });
    return [{ cell: { ...getLiarCell(one, match), round: String(row.round) }, sums: Object.fromEntries(sums) as Sums }];
  });
};

/** Judgements that are alike in all. */
interface Bar {
  name: string;
  prior: number;
  score: number;
  isFlagged: boolean;
}

/** Bars of a prior, by rising score, and the true claims that lies of this prior may be held against. */
interface Facing {
  lies: readonly Bar[];
  facing: readonly { prior: number; truths: readonly Bar[] }[];
  prior: number;
}

interface Layout {
  bars: Readonly<Record<Group, readonly Bar[]>>;
  facing: readonly Facing[];
}

/** A resample fills the same object with other amounts under the same names: these are read once. */
const layouts = new WeakMap<Sums, Layout>();

function getLayout(sums: Sums): Layout {
  const known = layouts.get(sums);
  if (known !== undefined) return known;
  const read = Object.keys(sums).map((name) => {
    const parts = name.split('\t');
    const [group, prior, score, flag] = parts.slice(-4) as [Group, string, string, string];
    const bar: Bar = { name, prior: Number(prior), score: Number(score), isFlagged: flag === 'flagged' };
    return { stratum: parts.slice(0, -4).join('\t'), group, bar };
  });
  const facing = [...Map.groupBy(read, ({ stratum }) => stratum).values()].flatMap((own) => {
    const ofGroup = (wanted: Group) =>
      Map.groupBy(
        own.flatMap(({ group, bar }) => (group === wanted ? [bar] : [])).sort((one, other) => one.score - other.score),
        ({ prior }) => prior,
      );
    const [lies, truths] = [ofGroup('lie'), ofGroup('truth')];
    return [...lies].map(([prior, bars]): Facing => ({
      ...{ prior, lies: bars },
      facing: [...truths].flatMap(([other, same]) =>
        Math.abs(other - prior) <= mostApart ? [{ prior: other, truths: same }] : [],
      ),
    }));
  });
  const listBars = (wanted: Group) => read.flatMap(({ group, bar }) => (group === wanted ? [bar] : []));
  const made = { bars: { lie: listBars('lie'), truth: listBars('truth') }, facing };
  layouts.set(sums, made);
  return made;
}

/** Pairs of lies and true claims, and how many of them are right: the lie has the higher score, ties counting half. */
function comparePairs(sums: Sums, lies: readonly Bar[], truths: readonly Bar[]): Counted {
  const counts = truths.map(({ score, name }) => ({ score, n: getSum(sums, name) }));
  const all = sum(counts.map(({ n }) => n));
  let [below, ties, place, score] = [0, 0, 0, -1];
  const counted = { pairs: 0, right: 0 };
  for (const lie of lies) {
    if (lie.score !== score) {
      [score, below, ties] = [lie.score, below + ties, 0];
      for (let next = counts[place]; next && next.score <= score; next = counts[++place])
        if (next.score < score) below += next.n;
        else ties += next.n;
    }
    const n = getSum(sums, lie.name);
    counted.pairs += n * all;
    counted.right += n * (below + ties / 2);
  }
  return counted;
}

interface Counted {
  pairs: number;
  right: number;
}

const nameSuspected = (liar: number, other: number) => {
  if (liar === other) return 'none';
  return liar > other ? 'liar' : 'other';
};

/** The pairs by whom the listener had suspected more: the liar, the other, or both as much. */
function countPairs(sums: Sums): Record<'liar' | 'other' | 'none', Counted> {
  const counted = { liar: { pairs: 0, right: 0 }, other: { pairs: 0, right: 0 }, none: { pairs: 0, right: 0 } };
  for (const { prior, lies, facing } of getLayout(sums).facing)
    for (const { prior: other, truths } of facing) {
      const { pairs, right } = comparePairs(sums, lies, truths);
      const own = counted[nameSuspected(prior, other)];
      own.pairs += pairs;
      own.right += right;
    }
  return counted;
}

/**
 * Even within .05 the liar is more often the one suspected more, and a listener that answers from its prior alone would seem
 * to detect. So pairs in which the liar was suspected more weigh as much as those in which the other was: then it is right
 * in all of the former and none of the latter.
 */
function computePairedShare(sums: Sums): number | null {
  const { liar, other, none } = countPairs(sums);
  const unequal = liar.pairs === 0 || other.pairs === 0 ? 0 : liar.pairs + other.pairs;
  const ofUnequal = unequal === 0 ? 0 : (unequal * (liar.right / liar.pairs + other.right / other.pairs)) / 2;
  return computeRatio(none.right + ofUnequal, none.pairs + unequal);
}

const countAllPairs = (sums: Sums) => Object.values(countPairs(sums)).reduce((all, { pairs }) => all + pairs, 0);

const countGroup = (group: Group) => (sums: Sums) =>
  getLayout(sums).bars[group].reduce((all, { name }) => all + getSum(sums, name), 0);

/** The judgements of a group that stand in a pair, and those of them that call the claim deceptive. */
function countPaired(sums: Sums, group: Group): { judged: number; flagged: number } {
  const paired = new Set<Bar>();
  for (const { lies, facing } of getLayout(sums).facing) {
    const truths = facing.flatMap((one) => one.truths);
    const [own, others] = group === 'lie' ? [lies, truths] : [truths, lies];
    if (others.some(({ name }) => getSum(sums, name) > 0)) for (const bar of own) paired.add(bar);
  }
  let [judged, flagged] = [0, 0];
  for (const { name, isFlagged } of paired) {
    const n = getSum(sums, name);
    judged += n;
    if (isFlagged) flagged += n;
  }
  return { judged, flagged };
}

const shared = {
  section: 'detection',
  range: [0, 1],
  modelDimension: 'observer_model',
  strata: [...judgementStrata, 'speaker_team'],
  readsClaims: 'counted',
  isHeadline: true,
  breakdowns: [...hearingBreakdowns, ['round']],
  count: countJudged,
  comparedGroups: [countGroup('lie'), countGroup('truth')],
} as const;

export const pairedDetection: Metric = {
  ...shared,
  name: 'paired_detection',
  title: 'Detection',
  definition:
    'Share of pairs of a lie and a comparable true claim in which the listener finds the lie more deceptive; ties count half. The two claims have the same type and round and the same listening model, come from opposite sides, and the listener’s prior suspicions of the two speakers differ by at most .05. Pairs in which the liar was suspected more before weigh as much as the others, so a listener that hears no lies scores .5, whatever it suspects. Requires ten deals with such lies and ten with such true claims.',
  notes: `- **Pairs** are formed over all matches, within one \`kind\`, for one model listening on one side. A statement counts once with each type of its lies, or else of its true claims (\`own_role\`, \`check\`, …). Opinions do not count. Suspicion is compared to the hundredth.
- **The prior** is the \`p_werewolf\` asked just before the statement (rule \`beliefs=each-statement\`). Otherwise it is what the same listener gave for the speaker’s previous statement in the same debate (for an annotator: in the same repeat): \`p_werewolf\`, or \`suspicion\` without it. After a night or a ballot it is missing, and so is the pair. Priors that were asked for in different ways are never paired.
- **Opportunities** are pairs. Intervals tell how many deals these come from.`,
  unit: 'share of pairs',
  value: computePairedShare,
  opportunities: countAllPairs,
};

const ofFlags = (group: Group) => ({
  value: (sums: Sums) => {
    const { judged, flagged } = countPaired(sums, group);
    return computeRatio(flagged, judged);
  },
  opportunities: (sums: Sums) => countPaired(sums, group).judged,
});

// Hits and false alarms among the same judgements: either is nothing without the other.

export const matchedHitRate: Metric = {
  ...shared,
  name: 'matched_hit_rate',
  title: 'Lies called deceptive, of those with a comparable true claim',
  definition:
    'Share of judgments of lies that call the lie deceptive, for lies in a pair of `paired_detection`. Read it beside the false alarms: a listener that calls everything deceptive has the most hits.',
  unit: 'share of judgements of lies',
  ...ofFlags('lie'),
};

export const matchedFalseAlarmRate: Metric = {
  ...shared,
  name: 'matched_false_alarm_rate',
  title: 'Comparable true claims called deceptive',
  definition:
    'Share of judgments of true claims that call the claim deceptive, for true claims in a pair of `paired_detection`. `speaker_team` and `speaker_model` are those of the liars in the pairs.',
  unit: 'share of judgements of true claims',
  ...ofFlags('truth'),
};
