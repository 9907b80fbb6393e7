// The register of nodes: for each node of a match, the steps that it plays and the questions that it asks the players.
import { bid, debate, draft, pkDebate } from '../prompts/debate.ts';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from '../prompts/night-actions.ts';
import { campaign, candidacy, elect, passBadge, recommend, speakingOrder } from '../prompts/sheriff.ts';
import { summarize, sumUp } from '../prompts/summarize.ts';
import { pseudoVote, syntheticVote, vote } from '../prompts/voting.ts';
import { lastActs, powers } from '../state/roles/index.ts';
import { bidStep, debateStep, draftStep, pkDebateStep, speakStep } from '../state/steps/debate.ts';
import { createLastActStep, passBadgeStep } from '../state/steps/departure.ts';
import { createHolderStep, createTeamStep, resolveNightStep } from '../state/steps/night.ts';
import {
  checkWinnerDayStep,
  checkWinnerNightStep,
  endStep,
  startRoundStep,
  summarizeStep,
  sumUpStep,
} from '../state/steps/round.ts';
import { campaignStep, candidacyStep, electStep, recommendStep, speakingOrderStep } from '../state/steps/sheriff.ts';
import { exileStep, pseudoVoteStep, syntheticVoteStep, voteStep } from '../state/steps/voting.ts';
import { analysisNodes } from './analysis.ts';
import { createAskingNode, createChoosingNode, createNode, type Node } from './run-step.ts';

/** All nodes of a match by name. The node of a power has the power's verb as its name, so a new role needs no line
 * here. */
export const matchNodes: Readonly<Record<string, Node>> = {
  start_round: createNode(startRoundStep),
  ...Object.fromEntries(
    powers.map((power) => [
      power.verb,
      power.actor === 'holder'
        ? createAskingNode(createHolderStep(power), createActQuestion(power))
        : createAskingNode(createTeamStep(power), createProposalQuestion(power)),
    ]),
  ),
  resolve_night: createNode(resolveNightStep),
  check_winner_night: createNode(checkWinnerNightStep),
  candidacy: createAskingNode(candidacyStep, candidacy),
  campaign: createAskingNode(campaignStep, campaign),
  elect: createAskingNode(electStep, elect),
  speaking_order: createAskingNode(speakingOrderStep, speakingOrder),
  bid: createAskingNode(bidStep, bid),
  debate: createAskingNode(debateStep, debate),
  draft: createAskingNode(draftStep, draft),
  speak: createNode(speakStep),
  ...analysisNodes,
  synthetic_vote: createAskingNode(syntheticVoteStep, syntheticVote),
  pseudo_vote: createAskingNode(pseudoVoteStep, pseudoVote),
  recommend: createAskingNode(recommendStep, recommend),
  sum_up: createAskingNode(sumUpStep, sumUp),
  vote: createAskingNode(voteStep, vote),
  exile: createNode(exileStep),
  pk_debate: createAskingNode(pkDebateStep, pkDebate),
  last_act: createChoosingNode(
    'last_act',
    Object.fromEntries(
      lastActs.map((act) => [act.verb, createAskingNode(createLastActStep(act), createLastActQuestion(act))]),
    ),
  ),
  pass_badge: createAskingNode(passBadgeStep, passBadge),
  check_winner_day: createNode(checkWinnerDayStep),
  summarize: createAskingNode(summarizeStep, summarize),
  end: createNode(endStep),
};
