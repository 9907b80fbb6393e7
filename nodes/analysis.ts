// The nodes of analysis: speakers label their own statements, listeners judge them, and suspicion scores follow.
import { createHistoryRow, updateScores } from '../deception/suspicion-scores.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, beliefs, peerAnalysis, selfAnalysis } from '../prompts/analysis.ts';
import { isType } from '../state/events.ts';
import {
  ballotPeerAnalysisStep,
  ballotSelfAnalysisStep,
  beliefsStep,
  findOwnStatement,
  listStatementsOfOthers,
  peerAnalysisStep,
  selfAnalysisStep,
} from '../state/steps/analysis.ts';
import { hasVoted } from '../state/steps/voting.ts';
import { createAskingNode, type Node } from './run-step.ts';

/** Adds the analyses to the history; with `scores`, they also move the suspicion scores of the listeners. */
const keepAnalyses =
  (node: Node, { scores = false } = {}): Node =>
  async (game, client) => {
    const { change, events } = await node(game, client);
    const rows = events.filter(isType('assessment')).map(createHistoryRow);
    const deceptionScores = scores ? { deceptionScores: updateScores(game.deceptionScores, rows) } : {};
    return { change: { ...change, deceptionHistory: rows, ...deceptionScores }, events };
  };

/** After a ballot the explanations of its votes are analysed, otherwise the last statement. */
const chooseByBallot =
  (ballot: Node, statement: Node): Node =>
  (game, client) =>
    (hasVoted(game) ? ballot : statement)(game, client);

export const analysisNodes = {
  self_analysis: keepAnalyses(
    chooseByBallot(
      createAskingNode(ballotSelfAnalysisStep, ballotSelfAnalysis, findOwnStatement),
      createAskingNode(selfAnalysisStep, selfAnalysis, findOwnStatement),
    ),
  ),
  peer_analysis: keepAnalyses(
    chooseByBallot(
      createAskingNode(ballotPeerAnalysisStep, ballotPeerAnalysis, listStatementsOfOthers),
      createAskingNode(peerAnalysisStep, peerAnalysis, (game, asker) => listStatementsOfOthers(game, asker)[0]!),
    ),
    { scores: true },
  ),
  beliefs: createAskingNode(beliefsStep, beliefs),
} satisfies Record<string, Node>;
