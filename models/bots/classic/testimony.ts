// Testimony: what everybody has said and voted so far, as this player has seen it.
import type { View } from '../../../state/view.ts';
import { earOf } from './hearing.ts';
import type { Lexicon } from './lexicon.ts';
import type { Act } from './speech-act.ts';

export interface Remark {
  round: number;
  by: string;
  kind: 'debate' | 'ballot';
  text: string;
  acts: readonly Act[];
}

export interface Vote {
  round: number;
  by: string;
  target: string;
}

export interface Testimony {
  /** In the order in which they were made. */
  remarks: readonly Remark[];
  /** Public ballots and the own secret ones. */
  votes: readonly Vote[];
  deaths: readonly { round: number; cause: 'night' | 'exile'; player: string }[];
  quietNights: readonly number[];
  /** Rounds in which nobody was exiled. */
  spared: readonly number[];
}

export function testimonyOf({ events }: View, lexicon: Lexicon): Testimony {
  const hear = earOf(lexicon);
  const remarks: Remark[] = [];
  const votes: Vote[] = [];
  const deaths: Testimony['deaths'][number][] = [];
  const quietNights: number[] = [];
  const spared: number[] = [];
  for (const event of events) {
    const { round } = event;
    if (event.type === 'statement') {
      remarks.push({ round, by: event.by, kind: 'debate', text: event.text, acts: hear(event.text) });
    } else if (event.type === 'ballot') {
      const { by, target, explanation } = event;
      votes.push({ round, by, target });
      if (explanation !== undefined)
        remarks.push({ round, by, kind: 'ballot', text: explanation, acts: hear(explanation) });
    } else if (event.type === 'death') deaths.push({ round, cause: event.cause, player: event.player });
    else if (event.type === 'quiet_night') quietNights.push(round);
    else if (event.type === 'no_exile') spared.push(round);
  }
  return { remarks, votes, deaths, quietNights, spared };
}
