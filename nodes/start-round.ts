// Opens a round: night falls. Before the first one the players learn who they are.
import { nightfall, roundStarted } from '../state/course.ts';
import { dealEvents, dealPlan, newGame } from '../state/deal.ts';
import type { Game } from '../state/game.ts';
import type { Setup } from '../state/setup.ts';
import { UsageError } from '../state/usage-error.ts';
import { isLastRound } from '../state/winner.ts';
import type { Node } from './node.ts';

/** Throws a UsageError for a plan that cannot be dealt, and for a match that is over. */
export const startRound: Node = (given) => {
  const table = given.roundNum === 0 ? seated(given) : {};
  const game = { ...given, ...table } as Game;
  if (given.roundNum > 0 && (game.winner !== null || isLastRound(game)))
    throw new UsageError(`This match ended in round ${game.roundNum}. Start the next one in a new thread.`);
  const opened = nightfall(game);
  const dealt = game.roundNum === 0 ? dealEvents(game.setup) : [];
  return {
    ...table,
    ...opened,
    events: [...dealt, roundStarted({ ...game, ...opened })],
  };
};

/** The players, where a run was started with a set-up alone or with nothing, as in Studio. */
function seated({ alivePlayers, setup, plan }: Omit<Game, 'setup'> & { setup?: Setup }) {
  return alivePlayers.length > 0 ? {} : newGame(setup ?? dealPlan(plan));
}
