// The Witch's score: how many of her potions did the village good, and how many she used.
import { witch } from '../../../state/roles/witch.ts';
import { createRatio, getSum, sum } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { createHolderCount, isOwnUse, ofRole, type SumHolder } from './role-holders.ts';

const potions = sum(witch.powers.map(({ uses }) => uses ?? 0));

const sumWitch: SumHolder = ({ deeds }) => {
  const used = deeds.filter(isOwnUse);
  const good = used.filter(({ aim, target_team: team, is_fatal: isFatal }) =>
    aim === 'shield' ? team === 'villagers' && !isFatal : team === 'werewolves',
  );
  const drawn = deeds.filter(({ target, is_drawn: isDrawn }) => target !== null && isDrawn);
  return { good: good.length, used: used.length, potions: potions - drawn.length };
};

/** WereWolf-Plus (2025), reconstructed. */
export const witchScore: Metric = {
  ...ofRole,
  name: 'witch_score',
  title: 'Witch: potions that did good',
  definition: 'Members of the village saved and Werewolves poisoned over potions used (WereWolf-Plus).',
  unit: 'share of potions used',
  tallies: createHolderCount(witch.name, sumWitch, 'used'),
  value: createRatio('good', 'used'),
  opportunities: (sums) => getSum(sums, 'used'),
};

export const witchUsage: Metric = {
  ...ofRole,
  name: 'witch_usage',
  title: 'Witch: potions used',
  definition: 'Potions that Witches used over potions that they had.',
  unit: 'share of potions',
  tallies: createHolderCount(witch.name, sumWitch, 'potions'),
  value: createRatio('used', 'potions'),
  opportunities: (sums) => getSum(sums, 'potions'),
};
