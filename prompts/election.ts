// Electing the Sheriff: whether to stand, what candidates say, for whom the others vote.
import { electable, nextBallot } from '../state/election.ts';
import type { Candidacy } from '../state/steps/sheriff.ts';
import type { VoteFor } from '../state/steps/voting.ts';
import { compose } from './compose.ts';
import { statementField } from './debate.ts';
import type { Speech } from '../state/steps/debate.ts';
import { oneOf, reasoning, yesOrNo } from './fields.ts';
import type { Question } from './prompt.ts';

export const candidacy: Question<Candidacy> = {
  action: 'candidacy',
  put: (view) =>
    compose({
      action: 'candidacy',
      view,
      kind: 'choice',
      task: [
        'Before the debate the players elect a Sheriff. All say at once whether they stand. Do you stand for Sheriff?',
      ],
      fields: { reasoning, stand: yesOrNo('do you stand for Sheriff?') },
    }),
};

export const campaign: Question<Speech> = {
  action: 'campaign',
  put: (view) =>
    compose({
      action: 'campaign',
      view,
      kind: 'talk',
      task: ['You stand for Sheriff: it is your turn to say why you should be elected. All players will read it.'],
      fields: { reasoning, statement: statementField(view) },
    }),
};

export const elect: Question<VoteFor> = {
  action: 'elect',
  put: (view, draw) => {
    const ballot = nextBallot(view.events);
    const open = electable(view.events).filter((name) => name !== view.me);
    return compose({
      action: 'elect',
      view,
      step: view.step + ballot - 1,
      kind: 'choice',
      choices: open,
      task: [
        ballot === 1
          ? 'The candidates have spoken. For whom do you vote as Sheriff? All players will see it.'
          : 'The vote for Sheriff is tied. For whom of the tied do you vote? All players will see it.',
      ],
      fields: { reasoning, vote: oneOf(open, 'the player you vote for', draw.shuffle(open)) },
      fallback: (fallbackDraw) => ({ reasoning: '', vote: fallbackDraw.pick(open) }),
    });
  },
};
