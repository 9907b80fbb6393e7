// The Witch's score: how many of her potions did the village good, and how many she used.
import { witch } from '../../../state/roles/witch.ts';
import { sum } from '../../ratios.ts';
import { ratioOf, sumOf } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { isOwnUse, ofRole, talliesOf, type SumsOfHolder } from './holders.ts';

const potions = sum(witch.powers.map(({ uses }) => uses ?? 0));

const sumsOf: SumsOfHolder = ({ deeds }) => {
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
  tallies: talliesOf(witch.name, sumsOf, 'used'),
  value: ratioOf('good', 'used'),
  opportunities: (sums) => sumOf(sums, 'used'),
};

export const witchUsage: Metric = {
  ...ofRole,
  name: 'witch_usage',
  title: 'Witch: potions used',
  definition: 'Potions that Witches used over potions that they had.',
  unit: 'share of potions',
  tallies: talliesOf(witch.name, sumsOf, 'potions'),
  value: ratioOf('used', 'potions'),
  opportunities: (sums) => sumOf(sums, 'potions'),
};
