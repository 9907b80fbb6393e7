// Questions about using a power at night or a last act, generated from the role's declaration.
import { passChoice, type LastAct, type Power } from '../state/roles/role.ts';
import type { HeldPower } from '../state/roles/index.ts';
import { teams } from '../state/teams.ts';
import { countProposals, isInCouncil, type NightAct, type Proposal } from '../state/steps/night.ts';
import { listAllies } from '../state/view.ts';
import { compose } from './compose.ts';
import { reasoning } from './fields.ts';
import type { Question } from './prompt.ts';
import { createChosenField, createProposalReasonField } from './shapes.ts';

type OwnAct = Required<NightAct>;

/** Creates the question about a power that each holder uses alone. */
export const createActQuestion = (power: Power): Question<OwnAct> => createOwnActQuestion(power, power.mayPass);

/** Creates the question about a last act, which is always optional. */
export const createLastActQuestion = (last: LastAct): Question<OwnAct> => createOwnActQuestion(last, true);

const createOwnActQuestion = (of: Power | LastAct, mayPass: boolean): Question<OwnAct> => ({
  action: of.verb,
  put: (view, draw) => {
    const names = of.choices(view);
    const choices = mayPass ? [...names, passChoice] : names;
    const shown = mayPass ? [...draw.shuffle(names), passChoice] : draw.shuffle(names);
    return compose({
      action: of.verb,
      view,
      kind: 'choice',
      choices,
      shown,
      task: [of.question, ...(mayPass ? [`Choose "${passChoice}" to leave it undone.`] : [])],
      fields: { reasoning, target: createChosenField(choices, shown) },
      fallback: (fallbackDraw) => ({ reasoning: '', target: mayPass ? passChoice : fallbackDraw.pick(choices) }),
    });
  },
});

/** Creates the question about a power that a team uses together. */
export const createProposalQuestion = (power: HeldPower): Question<Proposal> => ({
  action: power.verb,
  put: (view, draw) => {
    const choices = power.choices(view);
    const ballot = countProposals(view.events, view.round) + 1;
    const isLast = listAllies(view).filter((name) => view.alive.includes(name)).length <= 1;
    const isAlone = !isInCouncil(view);
    const { members } = teams[power.role.team];
    const shown = draw.shuffle(choices);
    const fields = { reasoning, proposal: createChosenField(choices, shown) };
    const together = { ...fields, proposal_reason: createProposalReasonField(members) };
    const task = isLast
      ? 'You are the last of your side: the choice is yours alone.'
      : isAlone
        ? `Tonight you were drawn by lot to choose; the other ${members} will learn your choice.`
        : ballot === 1
          ? `All living ${members} propose at the same time, and read why.`
          : 'The proposals differed, as you see above. Propose again: this time the player proposed most often is picked, in a tie by lot.';
    return compose({
      action: power.verb,
      view,
      step: ballot - 1,
      kind: 'choice',
      choices,
      shown,
      task: [power.question, task],
      fields: isAlone ? fields : together,
      fallback: (fallbackDraw) => ({ reasoning: '', proposal: fallbackDraw.pick(choices) }),
    });
  },
});
