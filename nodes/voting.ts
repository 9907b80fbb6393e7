// The nodes of voting: votes that exile nobody (synthetic votes, the pseudo-vote), the ballot that counts, the exile.
import { pseudoVote, syntheticVote, vote } from '../prompts/voting.ts';
import { exileStep, pseudoVoteStep, syntheticVoteStep, voteStep } from '../state/steps/voting.ts';
import { createAskingNode, createNode, type Node } from './run-step.ts';

export const votingNodes = {
  synthetic_vote: createAskingNode(syntheticVoteStep, syntheticVote),
  pseudo_vote: createAskingNode(pseudoVoteStep, pseudoVote),
  vote: createAskingNode(voteStep, vote),
  exile: createNode(exileStep),
} satisfies Record<string, Node>;
