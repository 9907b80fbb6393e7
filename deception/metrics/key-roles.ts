// The key roles of a match: players of the village whose roles have powers.
import type { PlayerRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';

export const keyPlayers = ({ players }: Tables): PlayerRow[] =>
  players.filter((player) => player.team === 'villagers' && player.is_special);

/** Whether it is known how the match ended, and so who survived it. */
export const isOver = ({ match }: Tables) => match.end_reason !== null;
