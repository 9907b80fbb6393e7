// The question to a player after the match: which of their own decisions worked, and what they would do differently.
// The answers become reflections of an experience pool.
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { createFieldsForEach, createTextField, reasoning } from './fields.ts';
import type { Question } from './prompt.ts';
import { quote } from './text.ts';

/** A player's reflection on one decision. */
export interface WrittenReflection {
  worked: string;
  otherwise: string;
}

export interface ReflectionAnswer {
  reasoning: string;
  reflections: Record<string, WrittenReflection>;
}

/**
 * A decision that the player reflects on. `when`: moment of the decision, in words. `done`: the decision, in words.
 */
export interface ReflectedDecision {
  id: string;
  when: string;
  done: string;
}

/** The question. Its View must be the View at the end of the match, which excludes what other players thought. */
export const reflection: Question<ReflectionAnswer, readonly ReflectedDecision[]> = {
  action: 'reflect',
  put: (view: View, _draw, decisions) =>
    compose({
      action: 'reflect',
      view,
      kind: 'talk',
      task: [
        'The game is over, and you see above how it ended. Look back on your own decisions, so that you play better in other games, with other players:',
        ...decisions.map(({ id, when, done }) => `- ${id}, ${when}: ${quote(done)}`),
        'Say of each in one sentence what worked, and in one what you would do otherwise.',
      ],
      fields: {
        reasoning,
        reflections: createFieldsForEach(
          decisions.map(({ id }) => id),
          {
            worked: createTextField('what worked'),
            otherwise: createTextField('what you would do otherwise'),
          },
        ),
      },
    }),
};
