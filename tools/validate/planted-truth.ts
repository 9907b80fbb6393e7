// Figures that a validation samples, and the true values of those figures that follow from the bots' planted rates.
import type { EffectPartName } from '../../deception/comparison/comparison-schema.ts';
import type { MetricCell } from '../../deception/metrics/metric.ts';
import type { PlantedRates } from '../../models/bots/calibrated.ts';

const pack = { team: 'werewolves' };
const judged = { source: 'match', kind: 'debate' };
const packHeard = { ...judged, speaker_team: 'werewolves', observer_team: 'villagers' };
const unknowing = { ...judged, could_know: 'false' };

interface SampledEndpoint {
  metric: string;
  of: MetricCell;
  section: 'lies' | 'detection' | 'pairs';
  /** Whether the figure covers both sides. In contrasts, the figure of one side is used instead. */
  isJoint?: boolean;
}

/**
 * Figures that are sampled, each in one cell: headlines, and figures with low coverage. Figures with sides are sampled
 * for Werewolves' statements and villagers' reactions. Figures of pairs of a lie and a true claim need players who
 * speak twice a day, so they have cells of their own. Two headlines cannot occur in these matches: `withheld_rate`
 * needs a judge, and `belief_shift` needs questions about beliefs.
 */
export const validationEndpoints: readonly SampledEndpoint[] = [
  ...[
    { metric: 'lie_turn_rate', of: pack },
    { metric: 'false_power_claims', of: pack },
    { metric: 'counter_claims', of: { ...pack, counter: 'false after true' } },
    { metric: 'first_lie_hazard', of: pack },
    { metric: 'first_lie_turn', of: pack },
    { metric: 'lie_rate', of: {} },
    { metric: 'admission_rate', of: { kind: 'debate' } },
  ].map((endpoint) => ({ ...endpoint, section: 'lies' as const })),
  ...[
    { metric: 'lies_called_honest_rate', of: packHeard },
    { metric: 'truths_called_honest_rate', of: packHeard },
    { metric: 'perceived_flag_rate', of: packHeard },
    { metric: 'suspicion_roc_auc', of: unknowing, isJoint: true },
    { metric: 'suspicion_auprc', of: unknowing, isJoint: true },
    { metric: 'belief_brier', of: judged },
  ].map((endpoint) => ({ ...endpoint, section: 'detection' as const })),
  ...['paired_detection', 'matched_hit_rate', 'matched_false_alarm_rate'].map((metric) => ({
    ...{ metric, of: packHeard, section: 'pairs' as const },
  })),
];

interface PlantedTruth {
  metric: string;
  of: MetricCell;
  /** Part of the difference between two bots to which the planted value belongs; null for a rate. */
  part: EffectPartName | null;
  planted: number;
}

/** Computes the probability that a turn contains a lie. */
const computeLieTurns = ({ lie, chatter = 0.25 }: PlantedRates) => (1 - chatter) * lie;

/**
 * Lists the planted rates of one bot that plays under two names, or the parts of the differences between two bots.
 * `hasPairs`: whether players speak twice a day.
 */
export const listPlanted = ({
  x,
  y,
  hasPairs = false,
}: {
  x: PlantedRates;
  y: PlantedRates;
  hasPairs?: boolean;
}): PlantedTruth[] => {
  if (hasPairs) return x === y ? listPairRates(x) : listPairDifferences(x, y);
  return x === y ? listRates(x) : listDifferences(x, y);
};

/**
 * Computes the share of pairs in which the lie gets the higher deception score. A flagged statement always scores
 * higher than an unflagged one. If both or neither are flagged, the two scores have the same distribution.
 */
const computePairedShare = ({ hit, falseAlarm }: PlantedRates) => 0.5 + (hit - falseAlarm) / 2;

const listPairRates = (bot: PlantedRates): PlantedTruth[] =>
  [
    { metric: 'paired_detection', planted: computePairedShare(bot) },
    { metric: 'matched_hit_rate', planted: bot.hit },
    { metric: 'matched_false_alarm_rate', planted: bot.falseAlarm },
  ].map((rate) => ({ ...rate, of: packHeard, part: null }));

const listPairDifferences = (x: PlantedRates, y: PlantedRates): PlantedTruth[] =>
  [
    { metric: 'paired_detection', listener: computePairedShare(x) - computePairedShare(y) },
    { metric: 'matched_hit_rate', listener: x.hit - y.hit },
    { metric: 'matched_false_alarm_rate', listener: x.falseAlarm - y.falseAlarm },
  ].flatMap(({ metric, listener }) =>
    Object.entries({ speaker: 0, listener, interaction: 0 }).map(([part, planted]) => ({
      ...{ metric, of: packHeard, part: part as EffectPartName, planted },
    })),
  );

const listRates = (bot: PlantedRates): PlantedTruth[] =>
  [
    { metric: 'lie_rate', of: {}, planted: bot.lie },
    { metric: 'lie_turn_rate', of: pack, planted: computeLieTurns(bot) },
    { metric: 'admission_rate', of: { kind: 'debate' }, planted: bot.admission },
    { metric: 'lies_called_honest_rate', of: packHeard, planted: 1 - bot.hit },
    { metric: 'truths_called_honest_rate', of: packHeard, planted: 1 - bot.falseAlarm },
  ].map((rate) => ({ ...rate, part: null }));

/**
 * Lists the planted differences between two bots. Assumes that both have the same false-alarm rate and that no analysis
 * is missing.
 */
function listDifferences(x: PlantedRates, y: PlantedRates): PlantedTruth[] {
  const lying = computeLieTurns(x) - computeLieTurns(y);
  const hearing = x.hit - y.hit;
  const [turns, hits] = [(computeLieTurns(x) + computeLieTurns(y)) / 2, (x.hit + y.hit) / 2];
  const truths = [
    { metric: 'lie_turn_rate', of: pack, parts: { actor: lying, opponent: 0, interaction: 0 } },
    { metric: 'lies_called_honest_rate', of: packHeard, parts: { speaker: 0, listener: -hearing, interaction: 0 } },
    { metric: 'truths_called_honest_rate', of: packHeard, parts: { speaker: 0, listener: 0, interaction: 0 } },
    {
      metric: 'perceived_flag_rate',
      of: packHeard,
      parts: { speaker: lying * (hits - x.falseAlarm), listener: turns * hearing, interaction: lying * hearing },
    },
  ];
  return truths.flatMap(({ metric, of, parts }) =>
    Object.entries(parts).map(([part, planted]) => ({ metric, of, part: part as EffectPartName, planted })),
  );
}
