// The nodes of a debate: bids for the next turn, statements, and statements of tied players before a second vote.
import { bid, debate, pkDebate } from '../prompts/debate.ts';
import { bidStep, debateStep, pkDebateStep } from '../state/steps/debate.ts';
import { createAskingNode, type Node } from './run-step.ts';

export const debateNodes = {
  bid: createAskingNode(bidStep, bid),
  debate: createAskingNode(debateStep, debate),
  pk_debate: createAskingNode(pkDebateStep, pkDebate),
} satisfies Record<string, Node>;
