// What a player remembers of earlier matches, as it stands in prompts: quoted as hostile text is, and never as facts of this
// match.
import type { View } from '../state/view.ts';
import { getWording } from './paraphrase.ts';
import { quote } from './text.ts';
import { hashText } from '../state/hash-text.ts';

const sentences = [
  'What you remember of earlier games:',
  'None of it happened in this game. There, "you" is who you were then, and letters in brackets are players of those games, nobody of this one.',
] as const;

/** Quoting parts brackets, as of marks of chat templates; a single letter is none of these. */
const joinLetters = (text: string) => text.replace(/\[ ([A-Z]{1,2})\]/g, '[$1]');

/** Each line in quotation marks of its own: what somebody said stays in its line. */
const renderText = (text: string) =>
  text.split('\n').map((line, at) => `${at === 0 ? '- ' : '  '}${joinLetters(quote(line))}`);

/**
 * The lines about earlier matches, with an empty one behind; none where the player remembers nothing.
 *
 * @example renderRemembered({ ...view, remembered: [{ id: '0f', text: 'You are [A] …\n[B] said: …' }] })[3] // '  "[B] said: …"'
 */
export function renderRemembered(view: Pick<View, 'remembered' | 'variant'>): string[] {
  if (view.remembered.length === 0) return [];
  const wording = getWording(view);
  return [...sentences.map(wording), ...view.remembered.flatMap(({ text }) => renderText(text)), ''];
}

/**
 * The hash of a text of a pool as it would stand in a prompt, with the words around: it stands in the set-up, so that
 * matches that tell experiences otherwise can be told apart.
 *
 * @example hashExperienceWording(renderSample()) // '1f0c5b8a9e7d'
 */
export const hashExperienceWording = (sample: string): string =>
  hashText(JSON.stringify(renderRemembered({ remembered: [{ id: '', text: sample }], variant: null }))).slice(0, 12);
