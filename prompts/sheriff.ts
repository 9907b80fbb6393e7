// What the Sheriff is asked: the order of the debate, a word after the first ballot, and who gets the badge.
import { tear } from '../state/sheriff.ts';
import type { Recommendation, SpeakingOrder, Succession } from '../state/steps/sheriff.ts';
import { livingOthers } from '../state/view.ts';
import { compose } from './compose.ts';
import { statementField } from './debate.ts';
import { oneOf, reasoning } from './fields.ts';
import type { Question } from './prompt.ts';

export const speakingOrder: Question<SpeakingOrder> = {
  action: 'speaking_order',
  put: (view, draw) => {
    const around = (alive: readonly string[]) => {
      const from = alive.indexOf(view.me);
      return [...alive.slice(from), ...alive.slice(0, from)].join(', ');
    };
    const directions: readonly SpeakingOrder['direction'][] = ['up', 'down'];
    return compose({
      action: 'speaking_order',
      view,
      kind: 'choice',
      task: [
        'You open the debate, and you decide in which direction it goes around the table.',
        `"up" is this order: ${around(view.alive)}.`,
        `"down" is this order: ${around(view.alive.toReversed())}.`,
      ],
      fields: { reasoning, direction: oneOf(directions, 'the direction', draw.shuffle(directions)) },
      fallback: (fallbackDraw) => ({ reasoning: '', direction: fallbackDraw.pick(directions) }),
    });
  },
};

export const recommend: Question<Recommendation> = {
  action: 'recommend',
  put: (view, draw) => {
    const choices = livingOthers(view);
    return compose({
      action: 'recommend',
      view,
      kind: 'talk',
      choices,
      task: [
        'The pseudo-vote has been shown. Sum it up and recommend one player to exile; then the vote that counts is held. All players will read it.',
      ],
      fields: {
        reasoning,
        statement: statementField(view),
        recommendation: oneOf(choices, 'the player you recommend to exile', draw.shuffle(choices)),
      },
    });
  },
};

export const passBadge: Question<Succession> = {
  action: 'pass_badge',
  put: (view, draw) => {
    const choices = [...view.alive, tear];
    return compose({
      action: 'pass_badge',
      view,
      kind: 'choice',
      choices,
      task: [
        `You have just left the game, and you have the Sheriff's badge. Who gets it? Choose "${tear}" to tear it: then there is no Sheriff any more.`,
      ],
      fields: { reasoning, successor: oneOf(choices, 'the new Sheriff', [...draw.shuffle(view.alive), tear]) },
      fallback: () => ({ reasoning: '', successor: tear }),
    });
  },
};
