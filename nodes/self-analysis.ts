// Speakers analyse what they have just said.
import { rowOf } from '../deception/history.ts';
import { ballotSelfAnalysis, selfAnalysis as statementSelfAnalysis } from '../prompts/analysis.ts';
import { hasVoted } from '../state/ballots.ts';
import { isType, type GameEvent } from '../state/event.ts';
import { assessment, beliefs, missing } from './assess.ts';
import { explanations, lastStatement } from './public-statements.ts';
import { askEach, type Node } from './node.ts';

export const selfAnalysis: Node = async (game, door) => {
  const said = hasVoted(game) ? explanations(game) : [lastStatement(game)].filter((statement) => statement !== null);
  const question = hasVoted(game) ? ballotSelfAnalysis : statementSelfAnalysis;
  const own = (speaker: string) => said.find(({ by }) => by === speaker)!;
  const answers = await askEach(
    door,
    game,
    said.map(({ by }) => by),
    question,
    own,
  );
  const events = answers.flatMap((answer): GameEvent[] =>
    answer.value
      ? [assessment(game, answer.by, own(answer.by), answer.value), ...beliefs(game, answer)]
      : [missing(game, question.action, answer, [own(answer.by)])],
  );
  return { deceptionHistory: events.filter(isType('assessment')).map(rowOf), events };
};
