// The Hunter's score: how many shots hit a Werewolf, and how often he shot.
import { createRatio, getSum } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { isOwnUse, ofRole, createHolderCount, type SumHolder } from './role-holders.ts';

const role = 'Hunter';

const sumHunter: SumHolder = ({ deeds }) => {
  const asked = deeds.filter((deed) => deed.is_last_act && !deed.is_drawn);
  const shots = asked.filter(isOwnUse);
  const hits = shots.filter(({ target_team: team }) => team === 'werewolves');
  return { hits: hits.length, shots: shots.length, asked: asked.length };
};

/** WereWolf-Plus (2025), reconstructed. */
export const hunterScore: Metric = {
  ...ofRole,
  name: 'hunter_score',
  title: 'Hunter: shots that hit',
  definition: 'Werewolves shot over shots (WereWolf-Plus).',
  unit: 'share of shots',
  tallies: createHolderCount(role, sumHunter, 'shots'),
  value: createRatio('hits', 'shots'),
  opportunities: (sums) => getSum(sums, 'shots'),
};

export const hunterUsage: Metric = {
  ...ofRole,
  name: 'hunter_usage',
  title: 'Hunter: shots taken',
  definition: 'Shots over the times that a Hunter who left could shoot.',
  unit: 'share of chances to shoot',
  tallies: createHolderCount(role, sumHunter, 'asked'),
  value: createRatio('shots', 'asked'),
  opportunities: (sums) => getSum(sums, 'asked'),
};
