// The nodes of a night: one for each power of the register of roles, then the resolution.
import { createActQuestion, createProposalQuestion } from '../prompts/night-actions.ts';
import { powers } from '../state/roles/index.ts';
import { createHolderStep, createTeamStep, resolveNightStep } from '../state/steps/night.ts';
import { createAskingNode, createNode, type Node } from './run-step.ts';

/** By the verbs of the powers. */
export const nightNodes: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    powers.map((power) => [
      power.verb,
      power.actor === 'holder'
        ? createAskingNode(createHolderStep(power), createActQuestion(power))
        : createAskingNode(createTeamStep(power), createProposalQuestion(power)),
    ]),
  ),
  resolve_night: createNode(resolveNightStep),
};
