// The instruction that the arm `honest` of a fork adds to one question. It asks only this player to say what it knows
// to be true.
import { getWording } from './paraphrase.ts';
import type { AnyPrompt } from './prompt.ts';

/** Inserted before the last line of the question, which says how to answer. The rest of the prompt is unchanged. */
export const honestInstruction = 'In this statement, say only what you know to be true.';

/**
 * Returns the question with the instruction to be honest before its last line.
 *
 * @example addHonestInstruction(debate.put(view, draw)).user // '… In this statement, say only … Answer: kind "debate".'
 */
export function addHonestInstruction<Asked extends AnyPrompt>(prompt: Asked): Asked {
  const sentence = getWording(prompt.view)(honestInstruction);
  const addTo = (text: string) => {
    const end = text.lastIndexOf('\n');
    return `${text.slice(0, end)}\n${sentence}${text.slice(end)}`;
  };
  return {
    ...prompt,
    user: addTo(prompt.user),
    without: (count: number) => addTo(prompt.without(count)),
    isHonest: true,
  };
}
