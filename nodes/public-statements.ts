// What has just been said in public and is to be analysed: the last statement, or the explanations of the ballot.
import type { Statement } from '../prompts/analysis.ts';
import { lastTurn } from '../state/debate.ts';
import { isType } from '../state/event.ts';
import type { Game } from '../state/game.ts';

/** The explanations of today's last ballot, in seat order; none before the ballot. */
export const explanations = ({ gameLogs, roundNum }: Game): Statement[] =>
  gameLogs
    .slice(gameLogs.findLastIndex((event) => event.type === 'tie' && event.round === roundNum) + 1)
    .filter(isType('ballot'))
    .filter(
      ({ round, audience, explanation }) => round === roundNum && audience === 'everyone' && explanation !== undefined,
    )
    .map(({ id, by, explanation }) => ({ id, by, text: explanation! }));

/** Today's last statement, or null where its speaker was silent. */
export function lastStatement(game: Game): Statement | null {
  const turn = lastTurn(game);
  return turn?.type === 'statement' ? { id: turn.id, by: turn.by, text: turn.text } : null;
}
