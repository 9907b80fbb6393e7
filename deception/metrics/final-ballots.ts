// The ballots by which a day was decided.
import type { BallotRow, GameTables } from '../tables/game-rows.ts';

/** Those of the last vote of each day, by its living: of the second one where a tie was decided again. */
export function finalBallots({ ballots }: Pick<GameTables, 'ballots'>): BallotRow[] {
  const again = new Set(ballots.filter(({ vote }) => vote === 'exile_again').map(({ round }) => round));
  return ballots.filter(({ vote, round }) => vote === (again.has(round) ? 'exile_again' : 'exile'));
}

/** Those of them that the village cast by its own choice. */
export const villageBallots = (match: Pick<GameTables, 'ballots'>): BallotRow[] =>
  finalBallots(match).filter((row) => row.voter_team === 'villagers' && !row.is_drawn);
