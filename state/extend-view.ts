// Updates a View with new events of the match, between two questions to its owner.
import type { GameEvent } from './events.ts';
import { listSurvivors } from './night-resolution.ts';
import { selectSeenEvents, type View } from './view.ts';

/**
 * Returns the View of the same player after `events` have happened. Its step and scores stay unchanged.
 *
 * @example extendView(createView(game, 'Ginger'), events).alive // without those who died in these events
 */
export function extendView(view: View, events: readonly GameEvent[]): View {
  const last = events.at(-1);
  if (last === undefined) return view;
  const now = { round: last.round, phase: last.phase, alive: listSurvivors(view.alive, events) };
  return { ...view, ...now, events: [...view.events, ...selectSeenEvents(events, view.me)] };
}
