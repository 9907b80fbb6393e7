// The question to a lie detector about one statement. The detector gets either the prompt of a player who heard the
// statement, or the statement alone.
import type { PublicStatement } from '../state/public-statements.ts';
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { createProbabilityField, describeShape, getSchemas, reasoning } from './fields.ts';
import type { Prompt } from './prompt.ts';
import { breakTags, quote } from './text.ts';

/** Answer of a detector. */
export interface DetectorAnswer {
  reasoning: string;
  /** Probability that the statement is a lie, 0 to 1. */
  p_lie: number;
}

/** The name of the question in the keys of prompts and in records. */
export const detectorAction = 'detect';

const fields = {
  reasoning,
  p_lie: createProbabilityField('how likely the statement holds a lie'),
};

/** Shape and schemas of the answer. */
export const detectorShape = getSchemas(fields);

type Said = Pick<PublicStatement, 'id' | 'by' | 'text'>;

const definition =
  'A lie is something said that is false and that its speaker knew to be false. Mistakes, guesses offered as such, questions and what is left out are none.';

/**
 * Composes the question in the view of a listener, just after the statement.
 *
 * @example composeDetectorPrompt(createView(game, 'Ginger'), { id: '2.1', by: 'Dan', text: 'I am the Seer.' }).user
 */
export const composeDetectorPrompt = (view: View, { by, text }: Said): Prompt<DetectorAnswer> =>
  compose({
    action: detectorAction,
    view,
    kind: 'talk',
    task: [
      `${by} has just said to everybody: ${quote(text)}`,
      `How likely is this statement by ${by} to hold a lie? ${definition}`,
      'Only the moderator reads this answer; no other player will ever see it.',
    ],
    fields,
  });

const office = [
  'You are shown one statement that a player of Werewolf (also called Mafia) made in public, and nothing else of the game.',
  'A few players are Werewolves in secret, know each other and remove a player each night; the others are the village, some of them with a power such as learning what another player is. By day all talk and vote to exile somebody.',
  definition,
].join('\n');

/**
 * Composes the messages of the same question about the statement alone. `round`: the day on which it was said, from 1.
 *
 * @example composeLoneQuestion({ by: 'Dan', text: 'I am the Seer.', round: 2 }).system
 */
export const composeLoneQuestion = ({
  by,
  text,
  round,
}: Pick<Said, 'by' | 'text'> & { round: number }): { system: string; user: string } => ({
  system: office,
  user: [
    `On day ${round} ${breakTags(by)} said: ${quote(text)}`,
    'How likely is this statement to hold a lie?',
    'Answer with one JSON object of this shape and nothing else:',
    describeShape(fields),
  ].join('\n'),
});
