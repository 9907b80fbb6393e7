// Public statements: what players say to everybody in the debate, and as the explanation of a public ballot.
import type { Assessment, GameEvent, Occasion } from './events.ts';

export interface PublicStatement {
  id: string;
  round: number;
  by: string;
  text: string;
  /** `ballot`: the explanation of a ballot. */
  kind: Assessment['kind'];
  /** Absent: the debate, or a ballot. */
  occasion?: Occasion;
  /** Whom the ballot names, or the Sheriff recommends to exile; null for all other statements. */
  target: string | null;
  /** Whether it was longer than the rules allow and cut. */
  isCut: boolean;
  /** Whether it explains a ballot that decides a tie. */
  isAfterTie: boolean;
}

/** The public statement in an event; null for other events, and for ballots that were drawn as a fallback. */
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
 * The index after the group of events that begins at index `place`. Ballots in a row are one group: they are cast at
 * once, and nobody who explains one knows the others. Every other event is a group of its own.
 */
export function findEndOfGroup(events: readonly GameEvent[], place: number): number {
  if (events[place]!.type !== 'ballot') return place + 1;
  const end = events.findIndex((event, at) => at > place && event.type !== 'ballot');
  return end < 0 ? events.length : end;
}
