// Belief: how likely each player is a Werewolf, from the own knowledge and from what everybody has seen.
import type { View } from '../../../state/view.ts';
import { evidenceOf } from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import type { Lexicon } from './lexicon.ts';
import type { Testimony } from './testimony.ts';
import { bit, weigh } from './worlds.ts';

export interface Belief {
  /** 0…1 that the player is a Werewolf. */
  of(name: string): number;
  /** 0…1 that `one` is a Werewolf while `other` is one too, or is not. */
  both(one: string, other: string, otherIsPack: boolean): number;
}

/** Everybody's belief, if nobody knew more than what happened in public, or the player's own. */
export function beliefOf(
  view: View,
  lexicon: Lexicon,
  testimony: Testimony,
  knowledge: Knowledge,
  observer: string | null,
): Belief {
  const { players } = view;
  const seats = (holds: (name: string) => boolean) =>
    players.reduce((set, name, seat) => (holds(name) ? set | bit(seat) : set), 0);
  const worlds = weigh(
    {
      seats: players.length,
      pack: lexicon.packSize,
      surelyPack: seats((name) => knowledge.get(name)?.team === 'werewolves'),
      surelyVillage: seats((name) => knowledge.get(name)?.team === 'villagers'),
      wins: view.rules.wins,
      left: momentsOf(view, testimony).map((gone) => seats((name) => !gone.includes(name))),
    },
    evidenceOf(view, lexicon, testimony, knowledge, observer),
  );
  return {
    of: (name) => worlds.pack(players.indexOf(name)),
    both: (one, other, otherIsPack) => worlds.together(players.indexOf(one), players.indexOf(other), otherIsPack),
  };
}

/** Who was gone at each moment at which the game could have ended and went on. */
function momentsOf({ alive, me, round, phase }: View, { deaths }: Testimony): string[][] {
  const at = (moment: { round: number; phase: string }) => `${moment.round} ${moment.phase}`;
  // Whoever is asked after having left does not know yet whether the game goes on.
  const open = alive.includes(me) ? null : at({ round, phase });
  const moments = [...new Set(deaths.map(at))].filter((moment) => moment !== open);
  return [
    [],
    ...moments.map((moment) => {
      const end = deaths.findLastIndex((death) => at(death) === moment);
      return deaths.slice(0, end + 1).map(({ player }) => player);
    }),
  ];
}
