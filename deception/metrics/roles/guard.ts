// The Guard's score: whom he guarded, over all his nights and over those on which he guarded anybody.
import { createRatio, getSum, type Statistic } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { isOwnUse, ofRole, createHolderCount, type SumHolder } from './role-holders.ts';

const role = 'Guard';

/** He acts in the night of the round in which he leaves too; nights decided by lot in his stead do not count. */
const sumGuard: SumHolder = ({ player, deeds }, { match }) => {
  const guarded = deeds.filter(isOwnUse);
  const drawn = deeds.filter((deed) => deed.is_drawn);
  return {
    village: guarded.filter(({ target_team: team }) => team === 'villagers').length,
    victims: guarded.filter((deed) => deed.is_on_victim).length,
    guarding: guarded.length,
    nights: (player.left_round ?? match.rounds) - drawn.length,
  };
};

const createGuardScore =
  (whole: string): Statistic =>
  (sums) => {
    const nights = getSum(sums, whole);
    return nights === 0 ? null : (getSum(sums, 'village') + getSum(sums, 'victims')) / (2 * nights);
  };

/** WereWolf-Plus (2025), reconstructed. */
export const guardScore: Metric = {
  ...ofRole,
  name: 'guard_score',
  title: 'Guard: nights alive',
  definition:
    'Half the share of nights on which a member of the village was guarded and half the share on which the victim was, of the nights that the Guard lived to see (WereWolf-Plus).',
  unit: 'score',
  tallies: createHolderCount(role, sumGuard, 'nights'),
  value: createGuardScore('nights'),
  opportunities: (sums) => getSum(sums, 'nights'),
};

export const guardScoreGuarding: Metric = {
  ...ofRole,
  name: 'guard_score_guarding',
  title: 'Guard: nights guarding',
  definition: 'The same of the nights on which the Guard guarded anybody.',
  unit: 'score',
  tallies: createHolderCount(role, sumGuard, 'guarding'),
  value: createGuardScore('guarding'),
  opportunities: (sums) => getSum(sums, 'guarding'),
};

export const guardUsage: Metric = {
  ...ofRole,
  name: 'guard_usage',
  title: 'Guard: nights used',
  definition: 'Nights on which the Guard guarded anybody over nights that the Guard lived to see.',
  unit: 'share of nights',
  tallies: createHolderCount(role, sumGuard, 'nights'),
  value: createRatio('guarding', 'nights'),
  opportunities: (sums) => getSum(sums, 'nights'),
};
