// The Werewolves' score: how long they survive.
import { createRatio, getSum } from '../../statistics/sums.ts';
import type { PlayerRow } from '../../tables/game-rows.ts';
import { getOpponentCell } from '../breakdowns.ts';
import type { Metric } from '../metric.ts';
import { hasEnded } from '../village-success.ts';
import { isWerewolf, roleMetricBase } from './role-scores.ts';

/** Source: WereWolf-Plus (2025), reconstructed. Every match has the same weight, whatever its number of Werewolves. */
export const werewolfScore: Metric = {
  ...roleMetricBase,
  side: 'werewolves',
  name: 'werewolf_score',
  title: 'Werewolves: survival',
  definition:
    'Half the share of rounds that a Werewolf survived plus half for being alive at the end, averaged over the Werewolves of a match (WereWolf-Plus).',
  notes:
    'The round of leaving is not survived. The mean is over each match’s Werewolves, then over matches. Only ended matches count.',
  unit: 'score',
  count: (match) => {
    const { rounds } = match.match;
    const pack = match.players.filter(isWerewolf);
    if (!hasEnded(match) || rounds === 0) return [];
    return pack.map((wolf) => ({
      cell: { model: wolf.model, ...getOpponentCell(match.match, wolf.team) },
      sums: { value: computeSurvival(wolf, rounds) / pack.length, matches: 1 / pack.length, werewolves: 1 },
    }));
  },
  value: createRatio('value', 'matches'),
  opportunities: (sums) => getSum(sums, 'werewolves'),
};

/**
 * Computes a Werewolf's score, 0 to 1: half the share of rounds survived, plus one half for surviving the whole match.
 * The round in which the player left does not count as survived.
 */
function computeSurvival({ survived, left_round: left }: PlayerRow, rounds: number): number {
  const share = (left === null ? rounds : left - 1) / rounds;
  return share / 2 + (survived ? 1 / 2 : 0);
}
