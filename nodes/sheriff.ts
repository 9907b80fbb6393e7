// The nodes of the Sheriff's office: election, order of speaking, recommendation, and passing the badge on.
import { campaign, candidacy, elect, passBadge, recommend, speakingOrder } from '../prompts/sheriff.ts';
import {
  campaignStep,
  candidacyStep,
  electStep,
  passBadgeStep,
  recommendStep,
  speakingOrderStep,
} from '../state/steps/sheriff.ts';
import { createAskingNode, type Node } from './run-step.ts';

export const sheriffNodes = {
  candidacy: createAskingNode(candidacyStep, candidacy),
  campaign: createAskingNode(campaignStep, campaign),
  elect: createAskingNode(electStep, elect),
  speaking_order: createAskingNode(speakingOrderStep, speakingOrder),
  recommend: createAskingNode(recommendStep, recommend),
  pass_badge: createAskingNode(passBadgeStep, passBadge),
} satisfies Record<string, Node>;
