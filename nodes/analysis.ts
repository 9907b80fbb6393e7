// The nodes of analysis: what speakers say of their own words, what listeners make of them, and the scores that follow.
import { createHistoryRow, updateScores } from '../deception/suspicion-scores.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, beliefs, peerAnalysis, selfAnalysis } from '../prompts/analysis.ts';
import { isType } from '../state/events.ts';
import {
  ballotPeerAnalysisStep,
  ballotSelfAnalysisStep,
  beliefsStep,
  findOwn,
  listHeard,
  peerAnalysisStep,
  selfAnalysisStep,
} from '../state/steps/analysis.ts';
import { hasVoted } from '../state/steps/voting.ts';
import { createAskingNode, type Node } from './run-step.ts';

/** Analyses whose labels and numbers go into the history, and where `scores` is set move whom the listeners suspect. */
const keepAnalyses =
  (node: Node, { scores = false } = {}): Node =>
  async (game, door) => {
    const { change, events } = await node(game, door);
    const rows = events.filter(isType('assessment')).map(createHistoryRow);
    const deceptionScores = scores ? { deceptionScores: updateScores(game.deceptionScores, rows) } : {};
    return { change: { ...change, deceptionHistory: rows, ...deceptionScores }, events };
  };

/** After a ballot its explanations are analysed, else the last statement. */
const chooseByBallot =
  (ballot: Node, statement: Node): Node =>
  (game, door) =>
    (hasVoted(game) ? ballot : statement)(game, door);

export const analysisNodes = {
  self_analysis: keepAnalyses(
    chooseByBallot(
      createAskingNode(ballotSelfAnalysisStep, ballotSelfAnalysis, findOwn),
      createAskingNode(selfAnalysisStep, selfAnalysis, findOwn),
    ),
  ),
  peer_analysis: keepAnalyses(
    chooseByBallot(
      createAskingNode(ballotPeerAnalysisStep, ballotPeerAnalysis, listHeard),
      createAskingNode(peerAnalysisStep, peerAnalysis, (game, asker) => listHeard(game, asker)[0]!),
    ),
    { scores: true },
  ),
  beliefs: createAskingNode(beliefsStep, beliefs),
} satisfies Record<string, Node>;
