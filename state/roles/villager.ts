// The Villager: has no power except the vote.
import type { Role } from './role.ts';

export const villager: Role = {
  name: 'Villager',
  plural: 'Villagers',
  nicknames: { vanilla: 'vanillas', vt: 'vts' },
  team: 'villagers',
  special: false,
  does: () => null,
  advice:
    'Compare what players say with how they vote. Share your suspicions with reasons, ask direct questions, and look for those who steer votes away from someone.',
  rules: {},
  powers: [],
};
