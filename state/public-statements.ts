// Public statements: what players say in the debate, and how they explain public ballots.
import type { Assessment, GameEvent, Occasion } from './events.ts';

export interface PublicStatement {
  id: string;
  round: number;
  by: string;
  text: string;
  /** `ballot` means the explanation of a ballot. */
  kind: Assessment['kind'];
  /** Occasion of the statement. If absent, it was made in the debate, or explains a ballot. */
  occasion?: Occasion;
  /** The player whom the ballot names, or whom the Sheriff recommends to exile; null for all other statements. */
  target: string | null;
  /** Whether the statement was longer than the rules allow and was cut. */
  isCut: boolean;
  /** Whether the statement explains a ballot that breaks a tie. */
  isAfterTie: boolean;
}

/**
 * Returns the public statement in an event; null for other events, and for ballots that were drawn at random as a
 * fallback.
 */
export function readPublicStatement(event: GameEvent): PublicStatement | null {
  if (event.type === 'statement') {
    const { id, round, by, text, cut, occasion, recommends = null } = event;
    return {
      ...{ id, round, by, text, kind: 'debate', isCut: cut === true, target: recommends, isAfterTie: false },
      ...(occasion ? { occasion } : {}),
    };
  }
  if (event.type !== 'ballot' || event.explanation === undefined || event.mark || event.audience !== 'everyone')
    return null;
  const { id, round, by, explanation: text, cut, target } = event;
  return { id, round, by, text, kind: 'ballot', isCut: cut === true, target, isAfterTie: id === `${round}.pk.${by}` };
}

/**
 * Returns the index after the group of events that begins at index `place`. Consecutive ballots are one group: they are
 * cast at the same time, and no voter sees the other ballots before explaining their own. Every other event is a group
 * of its own.
 */
export function findEndOfGroup(events: readonly GameEvent[], place: number): number {
  if (events[place]!.type !== 'ballot') return place + 1;
  const end = events.findIndex((event, at) => at > place && event.type !== 'ballot');
  return end < 0 ? events.length : end;
}
