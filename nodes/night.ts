// The nodes of a night: one for each power in the register of roles, and one that resolves what they did.
import { createActQuestion, createProposalQuestion } from '../prompts/night-actions.ts';
import { powers } from '../state/roles/index.ts';
import { createHolderStep, createTeamStep, resolveNightStep } from '../state/steps/night.ts';
import { createAskingNode, createNode, type Node } from './run-step.ts';

/** Node name → node; a power's verb names its node, so a new role's node needs no line here. */
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
