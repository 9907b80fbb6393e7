// Whether those with powers live and use them well: KRE.
import { mean } from '../ratios.ts';
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { Tables } from '../tables/rows.ts';
import { isOver, keyPlayers } from './key-roles.ts';
import type { Metric } from './metric.ts';
import { guardScore } from './roles/guard.ts';
import { scoresOf } from './roles/holders.ts';
import { hunterScore } from './roles/hunter.ts';
import { seerScore } from './roles/seer.ts';
import { witchScore } from './roles/witch.ts';

/** WereWolf-Plus (2025), reconstructed. */
export const kre: Metric = {
  name: 'kre',
  title: 'Effectiveness of key roles',
  section: 'village',
  definition:
    "Half the share of key roles that are alive at the end and half the mean of their scores, per match (WereWolf-Plus's KRE).",
  unit: 'score',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: [['model']],
  tallies: (match) => {
    const value = effectiveness(match);
    const { villagers_model: model } = match.match;
    return value === null ? [] : [{ cell: model === null ? {} : { model }, sums: { value, matches: 1 } }];
  },
  hasBaseline: true,
  side: 'villagers',
  isOfWholeSides: true,
  value: ratioOf('value', 'matches'),
  opportunities: (sums) => sumOf(sums, 'matches'),
};

/** Null where nobody has a score: nothing is known then of how powers were used. */
function effectiveness(match: Tables): number | null {
  const survival = mean(keyPlayers(match).map(({ survived }) => (survived ? 1 : 0)));
  const skill = mean([seerScore, witchScore, hunterScore, guardScore].flatMap((score) => scoresOf(score, match)));
  return !isOver(match) || survival === null || skill === null ? null : survival / 2 + skill / 2;
}
