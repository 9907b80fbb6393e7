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
 * Removes the space from brackets around one or two letters. Quoting inserts a space into all brackets that look like
 * markers of chat templates, but brackets around letters stand for players.
 */
const joinLetters = (text: string) => text.replace(/\[ ([A-Z]{1,2})\]/g, '[$1]');

/** Quotes each line separately, so that no quoted words can start a new line. */
const renderText = (text: string) =>
  text.split('\n').map((line, at) => `${at === 0 ? '- ' : '  '}${joinLetters(quote(line))}`);

/**
 * Renders the lines about earlier matches and an empty line; an empty list if the player has no experiences.
 *
 * @example renderRemembered({ ...view, remembered: [{ id: '0f', text: 'You are [A] …\n[B] said: …' }] })[3] // '  "[B] said: …"'
 */
export function renderRemembered(view: Pick<View, 'remembered' | 'variant'>): string[] {
  if (view.remembered.length === 0) return [];
  const wording = getWording(view);
  return [...sentences.map(wording), ...view.remembered.flatMap(({ text }) => renderText(text)), ''];
}

/**
 * Returns the hash of a sample experience as it appears in a prompt, with the words around it. The hash is part of the
 * set-up, so that matches with different wording of experiences can be recognized.
 *
 * @example hashExperienceWording(renderSample()) // '1f0c5b8a9e7d'
 */
export const hashExperienceWording = (sample: string): string =>
  hashText(JSON.stringify(renderRemembered({ remembered: [{ id: '', text: sample }], variant: null }))).slice(0, 12);
