// Experiences of earlier matches in prompts: quoted like hostile text, and never presented as facts of this match.
import type { View } from '../state/view.ts';
import { getWording } from './paraphrase.ts';
import { quote } from './text.ts';
import { hashText } from '../state/hash-text.ts';

const sentences = [
  'What you remember of earlier games:',
  'None of it happened in this game. There, "you" is who you were then, and letters in brackets are players of those games, nobody of this one.',
] as const;

/**
 * Rejoins brackets around single letters. Quoting splits brackets that look like marks of chat templates; these do not.
 */
const joinLetters = (text: string) => text.replace(/\[ ([A-Z]{1,2})\]/g, '[$1]');

/** Quotes each line separately, so that what somebody said stays in its line. */
const renderText = (text: string) =>
  text.split('\n').map((line, at) => `${at === 0 ? '- ' : '  '}${joinLetters(quote(line))}`);

/**
 * Renders the lines about earlier matches, followed by an empty one; none if the player has no experiences.
 *
 * @example renderRemembered({ ...view, remembered: [{ id: '0f', text: 'You are [A] …\n[B] said: …' }] })[3] // '  "[B] said: …"'
 */
export function renderRemembered(view: Pick<View, 'remembered' | 'variant'>): string[] {
  if (view.remembered.length === 0) return [];
  const wording = getWording(view);
  return [...sentences.map(wording), ...view.remembered.flatMap(({ text }) => renderText(text)), ''];
}

/**
 * Returns the hash of a pool's text as it would appear in a prompt, with the words around it. It is part of the set-up,
 * so that matches with another wording of experiences can be recognized.
 *
 * @example hashExperienceWording(renderSample()) // '1f0c5b8a9e7d'
 */
export const hashExperienceWording = (sample: string): string =>
  hashText(JSON.stringify(renderRemembered({ remembered: [{ id: '', text: sample }], variant: null }))).slice(0, 12);
