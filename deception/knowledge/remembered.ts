// Whose words a player could still read: facts always stand in a prompt, words may have left it.
import type { SeenEvent, View } from '../../state/view.ts';

/** What a player remembers something by. */
type Words = Extract<SeenEvent, { type: 'statement' | 'ballot' | 'summary' | 'thought' | 'proposal' }>;

/**
 * The events whose words stood in a prompt made from `view`, in their order: without public speech of earlier rounds,
 * where own summaries stand for it, and without those that the prompt had no room for.
 */
export const wordsIn = (
  view: Pick<View, 'events' | 'rules' | 'round'>,
  leftOut: readonly SeenEvent[] = [],
): Words[] => {
  const dropped = new Set(leftOut);
  return view.events.filter(hasWords).filter((event) => !dropped.has(event) && !isSummedUp(event, view));
};

const hasWords = (event: SeenEvent): event is Words =>
  event.type === 'statement' ||
  event.type === 'summary' ||
  event.type === 'thought' ||
  event.type === 'proposal' ||
  (event.type === 'ballot' && event.explanation !== undefined);

const isSummedUp = ({ type, round }: SeenEvent, view: Pick<View, 'rules' | 'round'>) =>
  view.rules.memory === 'summary' && round < view.round && (type === 'statement' || type === 'ballot');
