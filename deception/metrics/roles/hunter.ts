// The Hunter's score: how many shots hit a Werewolf, and how often he shot.
import { ratioOf, sumOf } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { isOwnUse, ofRole, talliesOf, type SumsOfHolder } from './holders.ts';

const role = 'Hunter';

const sumsOf: SumsOfHolder = ({ deeds }) => {
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
  tallies: talliesOf(role, sumsOf, 'shots'),
  value: ratioOf('hits', 'shots'),
  opportunities: (sums) => sumOf(sums, 'shots'),
};

export const hunterUsage: Metric = {
  ...ofRole,
  name: 'hunter_usage',
  title: 'Hunter: shots taken',
  definition: 'Shots over the times that a Hunter who left could shoot.',
  unit: 'share of chances to shoot',
  tallies: talliesOf(role, sumsOf, 'asked'),
  value: ratioOf('shots', 'asked'),
  opportunities: (sums) => sumOf(sums, 'asked'),
};
