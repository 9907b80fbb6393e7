// Context trimming: which words of a player's history are left out of a prompt that would exceed the model's context
// window.
import { isDebateSummary, isEventOfType } from './events.ts';
import { listRecalledUtterances } from './history-pool.ts';
import type { SeenEvent, View } from './view.ts';

/**
 * Returns whether prompts leave out an event's words because the player's own summary of that round replaces them. This
 * applies to what was said, including reasons of ballots and, under `thoughts=this-round`, to the player's thoughts.
 * Under `thoughts=none`, thoughts are never shown again. Under `memory=retrieval`, some utterances remain. The summary
 * of a round also replaces the summaries of its debate.
 */
export const isSummarized = (event: SeenEvent, view: Pick<View, 'events' | 'rules' | 'round'>): boolean => {
  const { rules, round: now } = view;
  if (event.type === 'thought')
    return rules.thoughts === 'none' || (rules.thoughts === 'this-round' && event.round < now);
  if (isDebateSummary(event)) return event.round < now;
  const isSaid = event.type === 'statement' || event.type === 'silence' || event.type === 'ballot';
  return isSaid && event.round < now && rules.memory !== 'full' && !listRecalledUtterances(view).has(event);
};

/**
 * Returns whether an event contains speech: statements and silences, the player's own thoughts, and the reasons of
 * ballots and proposals.
 */
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
 * Lists the events whose words are left out of a prompt made from `view` and shortened by `count` (`left_out` in the
 * record). Speech is left out first, oldest first, and then the player's own summaries, oldest first.
 *
 * @example listTrimmedEvents(view, 0) // []
 */
export const listTrimmedEvents = (view: View, count: number): readonly SeenEvent[] =>
  count === 0 ? [] : [...listSpeech(view), ...listSummaries(view)].slice(0, count);

/**
 * Lists the counts by which a prompt may be shortened, ascending. Earlier rounds are left out first, each as a whole,
 * so that all prompts of a round begin alike and can be cached. Then the current round's speech and the player's own
 * summaries are left out one by one.
 */
export function listTrimLevels(view: View): number[] {
  const speech = listSpeech(view);
  const earlier = speech.filter(({ round }) => round < view.round);
  const ends = earlier.flatMap(({ round }, index) => (earlier[index + 1]?.round === round ? [] : [index + 1]));
  const single = speech.length - earlier.length + listSummaries(view).length;
  return [...ends, ...Array.from({ length: single }, (_, index) => earlier.length + index + 1)];
}
