// Testimony: what everybody has said and voted so far, as this player has seen it.
import type { Cause, Occasion, Phase } from '../../../state/event.ts';
import type { View } from '../../../state/view.ts';
import { earOf } from './hearing.ts';
import type { Lexicon } from './lexicon.ts';
import type { Act } from './speech-act.ts';

export interface Remark {
  round: number;
  by: string;
  /** `debate`: any statement, `ballot`: the words to a vote. */
  kind: 'debate' | 'ballot';
  /** When a statement was made, where it was not in the debate itself. */
  occasion?: Occasion;
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
  /** Public ballots and the own secret ones, as far as all could be voted for. */
  votes: readonly Vote[];
  /** Ballots that exiled nobody, and those between the tied. */
  otherVotes: readonly Vote[];
  deaths: readonly { round: number; phase: Phase; cause: Cause; player: string }[];
  /** Whom somebody who was leaving took along. */
  shots: readonly Vote[];
  /** Ballots before the one that counts. */
  leanings: readonly Vote[];
  /** What the Sheriffs said whom to exile. */
  recommendations: readonly Vote[];
  /** Who voted for whom as Sheriff, and to whom the badge was passed. */
  trusted: readonly Vote[];
  quietNights: readonly number[];
  /** Rounds in which nobody was exiled. */
  spared: readonly number[];
}

export function testimonyOf({ events }: View, lexicon: Lexicon): Testimony {
  const hear = earOf(lexicon);
  const remarks: Remark[] = [];
  const votes: Vote[] = [];
  const otherVotes: Vote[] = [];
  const shots: Vote[] = [];
  const leanings: Vote[] = [];
  const recommendations: Vote[] = [];
  const trusted: Vote[] = [];
  const ties: number[] = [];
  const deaths: Testimony['deaths'][number][] = [];
  const quietNights: number[] = [];
  const spared: number[] = [];
  for (const event of events) {
    const { round } = event;
    if (event.type === 'statement') {
      const { by, text, occasion, recommends } = event;
      remarks.push({ round, by, kind: 'debate', text, acts: hear(text), ...(occasion ? { occasion } : {}) });
      if (recommends !== undefined) recommendations.push({ round, by, target: recommends });
    } else if (event.type === 'ballot') {
      const { by, target, explanation } = event;
      (ties.includes(round) ? otherVotes : votes).push({ round, by, target });
      if (explanation !== undefined)
        remarks.push({ round, by, kind: 'ballot', text: explanation, acts: hear(explanation) });
    } else if (event.type === 'pseudo_ballot') {
      const ballot = { round, by: event.by, target: event.target };
      otherVotes.push(ballot);
      leanings.push(ballot);
    } else if (event.type === 'tie') ties.push(round);
    else if (event.type === 'badge_ballot') trusted.push({ round, by: event.by, target: event.target });
    else if (event.type === 'badge' && event.to !== null) trusted.push({ round, by: event.by, target: event.to });
    else if (event.type === 'last_act') shots.push({ round, by: event.by, target: event.target });
    else if (event.type === 'death')
      deaths.push({ round, phase: event.phase, cause: event.cause, player: event.player });
    else if (event.type === 'quiet_night') quietNights.push(round);
    else if (event.type === 'no_exile') spared.push(round);
  }
  return { remarks, votes, otherVotes, leanings, deaths, shots, recommendations, trusted, quietNights, spared };
}
