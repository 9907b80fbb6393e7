// Metrics of detection: whether a listener finds a lie more deceptive than a comparable true claim. The true claim has
// the same type, was made in the same round, and is by a player of the other side whom the listener suspected equally.
//
// Hit rates alone are no evidence of detection, because a listener that flags everything has the highest hit rate. If
// the two players were suspected unequally, hits would reward suspecting the right player. Claims of the same side
// cannot be compared, because a Werewolf's claim of a role or a check cannot be true.
import { computeRatio, getSum, type Statistic, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { hearingBreakdowns } from './breakdowns.ts';
import { getLiarCell, type HeardClaim, mapPriors, listHeardClaims, type Prior } from './heard-claims.ts';
import {
  addPairSlopes,
  type CountedPairs,
  countPaired,
  countPairs,
  createPairStatistic,
  type Group,
  type PairWeights,
  readGroup,
} from './judged-pairs.ts';
import { judgementStrata } from './judgements.ts';
import type { Metric, MetricTally } from './metric.ts';

/** Converts a score or a prior to hundredths, the precision in which models state probabilities. */
const toHundredths = (share: number) => Math.round(100 * share);

/**
 * Names the stratum of judgments that can be paired. Judgments of a stratum are by the same model on the same side,
 * about claims of one type in one round.
 */
const nameStratum = ({ row }: HeardClaim, type: string, { asked }: Prior) =>
  [row.observer_team, row.observer_model, row.round, type, asked].join('\t');

/**
 * Counts a judgment once for each type of the statement's claims, in a sum named by all properties used for pairing.
 */
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

/** Separates the listening model from the rest of a sum's name. */
const splitName: NonNullable<Statistic['splitName']> = (name) => {
  const [team = '', model = '', ...rest] = name.split('\t');
  return { model, rest: [team, ...rest].join('\t') };
};

/**
 * Weighs the pairs in which the listener suspected one player slightly more than the other. Even if the priors differ
 * by at most .05, the more suspected player is the liar more often than not, so a listener that answers from its prior
 * alone would seem to detect lies. Two shares of right answers therefore count equally: the share in pairs whose liar
 * was suspected more, and the share in pairs whose other player was suspected more. A listener that answers from its
 * prior is always right in the first kind of pair and never in the second. If one kind has few pairs, both kinds
 * together get a small weight.
 */
function weighUnequal({ liar, other }: CountedPairs): { weight: number; share: number } {
  if (liar.pairs === 0 || other.pairs === 0) return { weight: 0, share: 0 };
  return {
    weight: (4 * liar.pairs * other.pairs) / (liar.pairs + other.pairs),
    share: (liar.right / liar.pairs + other.right / other.pairs) / 2,
  };
}

function computeShare(counted: CountedPairs): number | null {
  const { weight, share } = weighUnequal(counted);
  return computeRatio(counted.none.right + weight * share, counted.none.pairs + weight);
}

/**
 * Computes the derivatives of the share with respect to the numbers of pairs and of right answers of each kind. Null if
 * the share is undefined.
 */
function findPairWeights(counted: CountedPairs): PairWeights | null {
  const value = computeShare(counted);
  if (value === null) return null;
  const { liar, other, none } = counted;
  const { weight, share } = weighUnequal(counted);
  const all = none.pairs + weight;
  const weigh = (own: CountedPairs['liar'], opposite: CountedPairs['liar']) => {
    if (weight === 0) return { pair: 0, right: 0 };
    const gain = 4 * (opposite.pairs / (own.pairs + opposite.pairs)) ** 2; // gain in weight from one more pair
    const right = weight / (2 * own.pairs * all);
    return { pair: (gain * (share - value)) / all - (right * own.right) / own.pairs, right };
  };
  return { none: { pair: -value / all, right: 1 / all }, liar: weigh(liar, other), other: weigh(other, liar) };
}

const pairedShare = Object.assign(
  createPairStatistic(
    (...counts) => computeShare(countPairs(...counts)),
    (layout, amounts, offset, slopes) => {
      const weights = findPairWeights(countPairs(layout, amounts, offset));
      if (weights === null) return false;
      addPairSlopes(layout, amounts, offset, weights, slopes);
      return true;
    },
  ),
  { splitName },
);

const countAllPairs = createPairStatistic((...counts) =>
  Object.values(countPairs(...counts)).reduce((all, { pairs }) => all + pairs, 0),
);

/** Creates a function that counts the judgments of a group. */
const countGroup = (group: Group) => (sums: Sums) => {
  let all = 0;
  for (const name in sums) if (readGroup(name) === group) all += getSum(sums, name);
  return all;
};

const shared = {
  section: 'detection',
  range: [0, 1],
  modelDimension: 'observer_model',
  strata: [...judgementStrata, 'speaker_team'],
  readsClaims: 'counted',
  isHeadline: true,
  filledBy:
    'analyses by listeners (`analysis=peer`) and, for most lies, `beliefs=each-statement`; a panel of annotators hears them afterwards (`annotate`)',
  breakdowns: [...hearingBreakdowns, ['round']],
  count: countJudged,
  comparedGroups: [countGroup('lie'), countGroup('truth')],
} as const;

export const pairedDetection: Metric = {
  ...shared,
  name: 'paired_detection',
  title: 'Detection',
  definition:
    'Share of pairs of a lie and a comparable true claim in which the listener finds the lie more deceptive; ties count half. The two claims have the same type and round and the same listening model, come from opposite sides, and the listener’s prior suspicions of the two speakers differ by at most .05. Pairs in which the liar was suspected more before have the same weight as pairs in which the other speaker was, so a listener that hears no lies scores .5, whatever it suspects. Requires ten deals with such lies and ten with such true claims.',
  notes: `- **Pairs** are formed over all matches, within one \`kind\`, for one model listening on one side. A statement counts once with each type of its lies, or else of its true claims (\`own_role\`, \`check\`, …). Opinions do not count. Suspicion is compared to the hundredth.
- **The prior** is the \`p_werewolf\` asked just before the statement (rule \`beliefs=each-statement\`). Otherwise it is what the same listener gave for the speaker’s previous statement in the same debate (for an annotator: in the same repeat): \`p_werewolf\`, or \`suspicion\` without it. After a night or a ballot it is missing, and so is the pair. Priors that were asked for in different ways are never paired.
- **Opportunities** are pairs. Intervals depend on the number of deals that they come from.`,
  unit: 'share of pairs',
  value: pairedShare,
  opportunities: countAllPairs,
};

const ofFlags = (group: Group) => ({
  value: Object.assign(
    createPairStatistic(
      (layout, amounts, offset) => {
        const { judged, flagged } = countPaired(layout, group, amounts, offset);
        return computeRatio(flagged, judged);
      },
      (layout, amounts, offset, slopes) => {
        const { judged, flagged } = countPaired(layout, group, amounts, offset);
        const fill = (place: number, flag: number) => {
          slopes[offset + place] = (flag - flagged / judged) / judged;
        };
        countPaired(layout, group, amounts, offset, fill);
        return judged > 0;
      },
    ),
    { splitName },
  ),
  opportunities: createPairStatistic((layout, amounts, offset) => countPaired(layout, group, amounts, offset).judged),
});

// Hit rates and false alarm rates over the same judgments. Read the two rates together: neither has a meaning alone.

export const matchedHitRate: Metric = {
  ...shared,
  name: 'matched_hit_rate',
  title: 'Lies called deceptive, of those with a comparable true claim',
  definition:
    'Share of judgments of lies that call the lie deceptive, for lies in a pair of `paired_detection`. Read it beside the false alarms: a listener that calls everything deceptive has the most hits.',
  unit: 'share of judgments of lies',
  besides: 'matched_false_alarm_rate',
  ...ofFlags('lie'),
};

export const matchedFalseAlarmRate: Metric = {
  ...shared,
  name: 'matched_false_alarm_rate',
  title: 'Comparable true claims called deceptive',
  definition:
    'Share of judgments of true claims that call the claim deceptive, for true claims in a pair of `paired_detection`. `speaker_team` and `speaker_model` are those of the liars in the pairs.',
  unit: 'share of judgments of true claims',
  ...ofFlags('truth'),
};
