// What a player remembers of earlier matches, as it stands in prompts: quoted as hostile text is, and never as facts of this
// match.
import { createHash } from 'node:crypto';
import type { View } from '../state/view.ts';
import { getWording } from './paraphrase.ts';
import { quote } from './text.ts';

const sentences = [
  'What you remember of earlier games:',
  'None of it happened in this game. There, "you" is who you were then, and letters in brackets are players of those games, nobody of this one.',
] as const;

/** Known by its hash: it stands in the set-up, so that matches with other words around can be told apart. */
export const experienceWording = createHash('sha256').update(JSON.stringify(sentences)).digest('hex').slice(0, 12);

/** Quoting parts brackets, as of marks of chat templates; a single letter is none of these. */
const joinLetters = (text: string) => text.replace(/\[ ([A-Z]{1,2})\]/g, '[$1]');

/**
 * The lines about earlier matches, with an empty one behind; none where the player remembers nothing.
 *
 * @example renderRemembered({ ...view, remembered: [{ id: '0f', text: 'You are [A] …' }] })[2] // '- "You are [A] …"'
 */
export function renderRemembered(view: Pick<View, 'remembered' | 'variant'>): string[] {
  if (view.remembered.length === 0) return [];
  const wording = getWording(view);
  return [...sentences.map(wording), ...view.remembered.map(({ text }) => `- ${joinLetters(quote(text))}`), ''];
}
