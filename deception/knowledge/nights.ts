// What may have happened in a night that ended as it did: whom the pack attacked, and what others must have done.
import type { NightPower } from './cast.ts';

/** A night as one player knows it. Players are given by their seats. */
export interface Night {
  round: number;
  /** Whether it was said who left, if anybody. */
  isAnnounced: boolean;
  /** Whether the player was still in the game at nightfall. */
  wasThere: boolean;
  /** Whom the pack attacked, where the player was told. */
  victim: number | null;
  /** The player's own acts that bear on how the night ends. */
  own: { effect: NightPower['effect']; clashes: boolean; target: number }[];
  /** Who left in the night; others may have followed by a last act. */
  gone: number[];
  /** Those of them who then did what the poisoned may not do. */
  unpoisoned: number[];
}

/** Something that a player other than oneself must have done for the night to end as it did. */
export interface Deed {
  effects: readonly ('shield' | 'cure' | 'poison')[];
  /** Only a shield that a cure undoes. */
  isClashing: boolean;
  /** The seat of the target; null: somebody of whom nothing follows. */
  on: number | null;
}

export interface Explanation {
  /** The seat of whoever was attacked, so is not of the pack; null: somebody of whom nothing follows. */
  victim: number | null;
  deeds: readonly Deed[];
}

const stops: Deed['effects'] = ['shield', 'cure'];
const deed = (effects: Deed['effects'], on: number | null, isClashing = false): Deed => ({ effects, isClashing, on });

/**
 * All ways in which the night can have ended as it did, as far as they differ in what they say about roles; those that
 * need the fewest deeds come first. None of them looks at who could have done it.
 */
export function explanationsOf(night: Night): Explanation[] {
  const { victim, gone, own } = night;
  const shielded = own.filter(({ effect }) => effect === 'shield').map(({ target }) => target);
  const victims = victim !== null ? [victim] : [...new Set([...gone, ...shielded]), null];
  return victims.flatMap((attacked) => explanationsWith(attacked, night));
}

function explanationsWith(victim: number | null, night: Night): Explanation[] {
  const { gone, own } = night;
  const isPoisonedByMe = (seat: number) => own.some(({ effect, target }) => effect === 'poison' && target === seat);
  const others = gone.filter((seat) => seat !== victim && !isPoisonedByMe(seat));
  if (others.some((seat) => night.unpoisoned.includes(seat))) return [];
  const poisoned = others.map((seat) => deed(['poison'], seat));
  const fates =
    victim === null || !gone.includes(victim)
      ? [isStoppedByMe(victim, night) ? [] : [deed(stops, victim)]]
      : isPoisonedByMe(victim)
        ? [[]]
        : deathsOf(victim, night);
  return fates.map((deeds) => ({ victim, deeds: [...deeds, ...poisoned] }));
}

const isStoppedByMe = (victim: number | null, { own }: Night) =>
  own.some(({ effect, target }) => target === victim && effect !== 'poison');

/** What others must have done so that the attacked player left, one way a list. */
function deathsOf(victim: number, night: Night): Deed[][] {
  const help = night.own.filter(({ effect, target }) => target === victim && effect !== 'poison');
  if (help.length === 0) return [[]];
  const undone = help.flatMap(({ effect, clashes }) =>
    effect === 'cure' ? [[deed(['shield'], victim, true)]] : clashes ? [[deed(['cure'], victim)]] : [],
  );
  return night.unpoisoned.includes(victim) ? undone : [...undone, [deed(['poison'], victim)]];
}
