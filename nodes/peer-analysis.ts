// Everybody else analyses what has just been said, and whom they suspect moves with it.
import { rowOf } from '../deception/history.ts';
import { updateScores } from '../deception/scores.ts';
import { ballotPeerAnalysis, peerAnalysis as statementPeerAnalysis } from '../prompts/analysis.ts';
import type { Door } from '../models/ask.ts';
import { hasVoted } from '../state/ballots.ts';
import { isType, type GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { assessment, beliefs, missing } from './assess.ts';
import { explanations, lastStatement } from './public-statements.ts';
import { askEach, type Node } from './node.ts';

export const peerAnalysis: Node = async (game, door) => {
  const events = hasVoted(game) ? await analyseBallot(game, door) : await analyseStatement(game, door);
  const rows = events.filter(isType('assessment')).map(rowOf);
  return { deceptionHistory: rows, deceptionScores: updateScores(game.deceptionScores, rows), events };
};

async function analyseStatement(game: Game, door: Door): Promise<GameEvent[]> {
  const statement = lastStatement(game);
  if (!statement) return [];
  const listeners = game.alivePlayers.filter((name) => name !== statement.by);
  const answers = await askEach(door, game, listeners, statementPeerAnalysis, () => statement);
  return answers.flatMap((answer): GameEvent[] =>
    answer.value
      ? [assessment(game, answer.by, statement, answer.value), ...beliefs(game, answer)]
      : [missing(game, statementPeerAnalysis.action, answer, [statement])],
  );
}

/** One call an observer for the explanations of all others. */
async function analyseBallot(game: Game, door: Door): Promise<GameEvent[]> {
  const explained = explanations(game);
  const ofOthers = (observer: string) => explained.filter(({ by }) => by !== observer);
  const observers = game.alivePlayers.filter((name) => ofOthers(name).length > 0);
  const answers = await askEach(door, game, observers, ballotPeerAnalysis, ofOthers);
  return answers.flatMap((answer): GameEvent[] => {
    const { by, value } = answer;
    if (!value) return [missing(game, ballotPeerAnalysis.action, answer, ofOthers(by))];
    const judged = ofOthers(by).map((statement) =>
      assessment(game, by, statement, { ...value.judgements[statement.by]!, reasoning: value.reasoning }),
    );
    return [...judged, ...beliefs(game, answer)];
  });
}
