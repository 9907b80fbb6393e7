// Questions about the Sheriff: first the questions of the election, then the questions that the Sheriff answers (order
// of the debate, recommendation, successor).
import { destroyBadgeChoice } from '../state/sheriff.ts';
import type { Speech } from '../state/steps/debate.ts';
import type { Succession } from '../state/steps/departure.ts';
import {
  type Candidacy,
  getBadgeBallotNumber,
  listElectable,
  type Recommendation,
  type SpeakingOrder,
} from '../state/steps/sheriff.ts';
import type { VoteFor } from '../state/steps/voting.ts';
import { listLivingOthers } from '../state/view.ts';
import { compose } from './compose.ts';
import { composeSpeech } from './debate.ts';
import { reasoning } from './fields.ts';
import type { Question } from './prompt.ts';
import {
  createDirectionField,
  directions,
  createRecommendationField,
  standField,
  createStatementField,
  createSuccessorField,
  createVoteField,
} from './shapes.ts';

// Questions of the election.

export const candidacy: Question<Candidacy> = {
  action: 'candidacy',
  put: (view) =>
    compose({
      action: 'candidacy',
      view,
      kind: 'choice',
      task: [
        'Before the debate the players elect a Sheriff. All say at the same time whether they are candidates. Do you stand for Sheriff?',
      ],
      fields: { reasoning, stand: standField },
    }),
};

export const campaign: Question<Speech> = {
  action: 'campaign',
  put: (view) =>
    composeSpeech(
      view,
      'campaign',
      'You stand for Sheriff: it is your turn to say why you should be elected. All players will read it.',
    ),
};

const openings = {
  volunteers: 'The candidates have spoken.',
  all: 'Before the debate the players elect a Sheriff.',
} as const;

export const elect: Question<VoteFor> = {
  action: 'elect',
  put: (view, draw) => {
    const ballot = getBadgeBallotNumber(view.events);
    const open = listElectable(view.events).filter((name) => name !== view.me);
    const shown = draw.shuffle(open);
    return compose({
      action: 'elect',
      view,
      step: view.step + ballot - 1,
      kind: 'choice',
      choices: open,
      shown,
      task: [
        ballot === 1
          ? `${openings[view.rules.sheriffCandidates]} Whom do you vote for as Sheriff? All players will see it.`
          : 'The vote for Sheriff is tied. Which of the tied do you vote for? All players will see it.',
      ],
      fields: { reasoning, vote: createVoteField(open, shown) },
      fallback: (fallbackDraw) => ({ reasoning: '', vote: fallbackDraw.pick(open) }),
    });
  },
};

// Questions that the Sheriff answers.

export const speakingOrder: Question<SpeakingOrder> = {
  action: 'speaking_order',
  put: (view, draw) => {
    const listAround = (alive: readonly string[]) => {
      const from = alive.indexOf(view.me);
      return [...alive.slice(from), ...alive.slice(0, from)].join(', ');
    };
    return compose({
      action: 'speaking_order',
      view,
      kind: 'choice',
      task: [
        'You open the debate, and you choose in which direction it goes around the table.',
        `"up" is this order: ${listAround(view.alive)}.`,
        `"down" is this order: ${listAround(view.alive.toReversed())}.`,
      ],
      fields: { reasoning, direction: createDirectionField(draw.shuffle(directions)) },
      fallback: (fallbackDraw) => ({ reasoning: '', direction: fallbackDraw.pick(directions) }),
    });
  },
};

export const recommend: Question<Recommendation> = {
  action: 'recommend',
  put: (view, draw) => {
    const choices = listLivingOthers(view);
    const shown = draw.shuffle(choices);
    return compose({
      action: 'recommend',
      view,
      kind: 'talk',
      choices,
      shown,
      task: [
        'The pseudo-vote has been shown. Sum it up and recommend one player to exile; then the vote that counts follows. All players will read it.',
      ],
      fields: {
        reasoning,
        statement: createStatementField(view.rules),
        recommendation: createRecommendationField(choices, shown),
      },
    });
  },
};

export const passBadge: Question<Succession> = {
  action: 'pass_badge',
  put: (view, draw) => {
    const choices = [...view.alive, destroyBadgeChoice];
    const shown = [...draw.shuffle(view.alive), destroyBadgeChoice];
    return compose({
      action: 'pass_badge',
      view,
      kind: 'choice',
      choices,
      shown,
      task: [
        `You have just left the game, and you are the Sheriff. To whom do you pass the badge? Choose "${destroyBadgeChoice}" to tear it up: then there is no Sheriff any more.`,
      ],
      fields: { reasoning, successor: createSuccessorField(choices, shown) },
      fallback: () => ({ reasoning: '', successor: destroyBadgeChoice }),
    });
  },
};
