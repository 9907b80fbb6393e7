// Context trimming: which words of a player's history a prompt leaves out that would not fit the model's context window.
import { isDebateSummary, isEventOfType } from './events.ts';
import { listRecalledUtterances } from './history-pool.ts';
import type { SeenEvent, View } from './view.ts';

/**
 * Whether the words of an event are left out of prompts because the player's own summary of that round replaces them:
 * what was said, reasons of ballots included, and under `thoughts=this-round` what the player thought. Under `thoughts=none`
 * thoughts are never told again; under `memory=retrieval` some of what was said stays. A summary of the debate gives way to
 * that of its round.
 */
export const isSummarized = (event: SeenEvent, view: Pick<View, 'events' | 'rules' | 'round'>): boolean => {
  const { rules, round: now } = view;
  if (event.type === 'thought')
    return rules.thoughts === 'none' || (rules.thoughts === 'this-round' && event.round < now);
  if (isDebateSummary(event)) return event.round < now;
  const isSaid = event.type === 'statement' || event.type === 'silence' || event.type === 'ballot';
  return isSaid && event.round < now && rules.memory !== 'full' && !listRecalledUtterances(view).has(event);
};

/** Whether an event holds speech: statements and silences, own thoughts, and the reasons of ballots and proposals. */
const isSpeech = (event: SeenEvent) =>
  event.type === 'statement' ||
  event.type === 'silence' ||
  event.type === 'thought' ||
  (event.type === 'ballot' && event.explanation !== undefined) ||
  (event.type === 'proposal' && event.reason !== '');

const listSpeech = (view: View) => view.events.filter((event) => isSpeech(event) && !isSummarized(event, view));

const listSummaries = (view: View) =>
  view.events.filter(isEventOfType('summary')).filter((event) => event.text !== '' && !isSummarized(event, view));

/**
 * The events whose words are left out of a prompt that was made from `view` and shortened by `count` (`left_out` in the
 * record): speech from the oldest on, and only after all of it own summaries from the oldest on.
 *
 * @example listTrimmedEvents(view, 0) // []
 */
export const listTrimmedEvents = (view: View, count: number): readonly SeenEvent[] =>
  count === 0 ? [] : [...listSpeech(view), ...listSummaries(view)].slice(0, count);

/**
 * The counts by which a prompt may be shortened, ascending: first earlier rounds as a whole, so that all prompts of a
 * round begin alike and the provider's cache can be used; then the current round's speech and own summaries one by one.
 */
export function listTrimLevels(view: View): number[] {
  const speech = listSpeech(view);
  const earlier = speech.filter(({ round }) => round < view.round);
  const ends = earlier.flatMap(({ round }, index) => (earlier[index + 1]?.round === round ? [] : [index + 1]));
  const single = speech.length - earlier.length + listSummaries(view).length;
  return [...ends, ...Array.from({ length: single }, (_, index) => earlier.length + index + 1)];
}
