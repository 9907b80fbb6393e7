// Which figures a validation samples, and what follows of some of them from what was planted in bots.
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
  /** Over both sides: of contrasts, the same within a side stands for it. */
  isJoint?: boolean;
}

/**
 * Headlines and what covers less, in one cell each; what Werewolves say and villagers make of it, where a figure has sides. Not
 * sampled are five headlines that these matches cannot hold: `withheld_rate` needs a judge, and `paired_detection`,
 * `matched_hit_rate`, `matched_false_alarm_rate` and `belief_shift` need beliefs, or players who speak twice in a day.
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
  /** Null: the rate itself; else the part in the difference between two bots. */
  part: EffectPartName | null;
  planted: number;
}

/** How often a turn holds a lie. */
const computeLieTurns = ({ lie, chatter = 0.25 }: PlantedRates) => (1 - chatter) * lie;

/** Of one bot under two names its rates, of two the parts of their differences. */
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

/** With the same false alarms by both and no analysis missing. */
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
