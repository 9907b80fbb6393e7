// What of a player's memory is words rather than facts, and what of it a prompt goes without that has no room for all.
import { isType } from './events.ts';
import type { SeenEvent, View } from './view.ts';

/** Whether the own summary stands for the words of an event. */
export const isSummarized = ({ type, round }: Pick<SeenEvent, 'type' | 'round'>, view: Pick<View, 'rules' | 'round'>) =>
  view.rules.memory === 'summary' &&
  round < view.round &&
  (type === 'statement' || type === 'silence' || type === 'ballot');

/** Public speech and silence, own thoughts, and the reasons of ballots and proposals, which themselves are facts. */
const isSpeech = (event: SeenEvent) =>
  event.type === 'statement' ||
  event.type === 'silence' ||
  event.type === 'thought' ||
  (event.type === 'ballot' && event.explanation !== undefined) ||
  (event.type === 'proposal' && event.reason !== '');

const listSpeech = (view: View) => view.events.filter((event) => isSpeech(event) && !isSummarized(event, view));

const listSummaries = ({ events }: View) => events.filter(isType('summary')).filter(({ text }) => text !== '');

/**
 * The events whose words a prompt made from `view` goes without where it was shortened by `count` (`left_out` in the
 * record): speech from the oldest on, and only after all of it own summaries from the oldest on.
 */
export const listTrimmedEvents = (view: View, count: number): readonly SeenEvent[] =>
  count === 0 ? [] : [...listSpeech(view), ...listSummaries(view)].slice(0, count);

/**
 * The counts by which a prompt may be shortened, ascending: earlier rounds go as a whole, so that prompts of one round
 * keep the same beginning as long as that will do; then the current round's speech and own summaries one by one.
 */
export function listTrimLevels(view: View): number[] {
  const speech = listSpeech(view);
  const earlier = speech.filter(({ round }) => round < view.round);
  const ends = earlier.flatMap(({ round }, index) => (earlier[index + 1]?.round === round ? [] : [index + 1]));
  const single = speech.length - earlier.length + listSummaries(view).length;
  return [...ends, ...Array.from({ length: single }, (_, index) => earlier.length + index + 1)];
}

/** The events whose words stand in a prompt made from `view` and shortened by `count`, in their order. */
export function listRememberedWords(view: View, count = 0): SeenEvent[] {
  const held = new Set<SeenEvent>([...listSpeech(view), ...listSummaries(view)]);
  for (const event of listTrimmedEvents(view, count)) held.delete(event);
  return view.events.filter((event) => held.has(event) && event.type !== 'silence');
}
