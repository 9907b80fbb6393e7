// Figures that a validation samples, and the values of some that follow from bots' planted rates.
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
  section: 'lies' | 'detection';
  /** Whether the figure covers both sides. In contrasts, the same figure within a side represents it. */
  isJoint?: boolean;
}

/**
 * Headlines and figures with low coverage, in one cell each: Werewolves' statements and villagers' reactions, if a
 * figure has sides. Five headlines cannot occur in these matches and are not sampled: `withheld_rate` needs a judge;
 * `paired_detection`, `matched_hit_rate`, `matched_false_alarm_rate` and `belief_shift` need beliefs, or players who
 * speak twice a day.
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
];

interface PlantedTruth {
  metric: string;
  of: MetricCell;
  /** Null for the rate itself; else the part in the difference between two bots. */
  part: EffectPartName | null;
  planted: number;
}

/** Computes how often a turn holds a lie. */
const computeLieTurns = ({ lie, chatter = 0.25 }: PlantedRates) => (1 - chatter) * lie;

/** Lists the planted rates of one bot under two names, or the parts of two bots' differences. */
export const listPlanted = ({ x, y }: { x: PlantedRates; y: PlantedRates }): PlantedTruth[] =>
  x === y ? listRates(x) : listDifferences(x, y);

const listRates = (bot: PlantedRates): PlantedTruth[] =>
  [
    { metric: 'lie_rate', of: {}, planted: bot.lie },
    { metric: 'lie_turn_rate', of: pack, planted: computeLieTurns(bot) },
    { metric: 'admission_rate', of: { kind: 'debate' }, planted: bot.admission },
    { metric: 'lies_called_honest_rate', of: packHeard, planted: 1 - bot.hit },
    { metric: 'truths_called_honest_rate', of: packHeard, planted: 1 - bot.falseAlarm },
  ].map((rate) => ({ ...rate, part: null }));

/** Lists differences, with equal false alarms and no missing analysis. */
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
