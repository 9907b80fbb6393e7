// Nodes in which speakers label their own statements and listeners judge them. Judgments update the suspicion scores.
import { createHistoryRow, addAssessments } from '../deception/record/suspicion-scores.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, beliefs, peerAnalysis, selfAnalysis } from '../prompts/analysis.ts';
import { isEventOfType } from '../state/events.ts';
import {
  ballotPeerAnalysisStep,
  ballotSelfAnalysisStep,
  beliefsStep,
  findOwnStatement,
  listStatementsOfOthers,
  peerAnalysisStep,
  selfAnalysisStep,
} from '../state/steps/analysis.ts';
import { createAskingNode, createChoosingNode, type Node } from './run-step.ts';

/**
 * Wraps a node so that it also adds its analyses to the history. `scores`: whether the analyses update the listeners'
 * suspicion scores.
 */
const keepAnalyses =
  (node: Node, { scores = false } = {}): Node =>
  async (game, client) => {
    const { change, events } = await node(game, client);
    const assessments = events.filter(isEventOfType('assessment'));
    const deceptionScores = scores
      ? { deceptionScores: addAssessments(game.deceptionScores, assessments, game.setup.rules) }
      : {};
    return { change: { ...change, deceptionHistory: assessments.map(createHistoryRow), ...deceptionScores }, events };
  };

export const analysisNodes = {
  self_analysis: keepAnalyses(
    createChoosingNode('self_analysis', {
      self_analysis: createAskingNode(selfAnalysisStep, selfAnalysis, findOwnStatement),
      ballot_self_analysis: createAskingNode(ballotSelfAnalysisStep, ballotSelfAnalysis, findOwnStatement),
    }),
  ),
  peer_analysis: keepAnalyses(
    createChoosingNode('peer_analysis', {
      peer_analysis: createAskingNode(
        peerAnalysisStep,
        peerAnalysis,
        (game, asker) => listStatementsOfOthers(game, asker)[0]!,
      ),
      ballot_peer_analysis: createAskingNode(ballotPeerAnalysisStep, ballotPeerAnalysis, listStatementsOfOthers),
    }),
    { scores: true },
  ),
  beliefs: createAskingNode(beliefsStep, beliefs),
} satisfies Record<string, Node>;
