// The Seer's score: how many of the Werewolves were found.
import { ratioOf, sumOf } from '../../statistics/sums.ts';
import type { Metric } from '../metric.ts';
import { isOwnUse, ofRole, talliesOf, type SumsOfHolder } from './holders.ts';

const role = 'Seer';

/** Nothing of a Seer without any check of the player's own choice; Werewolves found by a drawn one do not count. */
const sumsOf: SumsOfHolder = ({ deeds }, { players }) => {
  const own = deeds.filter(isOwnUse);
  if (own.length === 0) return null;
  const found = new Set(own.map(({ target }) => target));
  const drawn = new Set(deeds.filter((deed) => deed.is_drawn).map(({ target }) => target));
  const pack = players.filter(({ team }) => team === 'werewolves').map(({ player }) => player);
  return {
    checked: pack.filter((name) => found.has(name)).length,
    werewolves: pack.filter((name) => found.has(name) || !drawn.has(name)).length,
  };
};

/** WereWolf-Plus (2025), reconstructed. */
export const seerScore: Metric = {
  ...ofRole,
  name: 'seer_score',
  title: 'Seer: Werewolves found',
  definition: 'Werewolves whom the Seer checked over Werewolves in the game (WereWolf-Plus).',
  unit: 'share of Werewolves',
  tallies: talliesOf(role, sumsOf, 'werewolves'),
  value: ratioOf('checked', 'werewolves'),
  opportunities: (sums) => sumOf(sums, 'werewolves'),
};
