// A board with every role of WereWolf-Plus, and events other than talk and votes that can happen on it.
import type { EventOf, GameEvent } from '../../../state/events.ts';
import { said } from '../../game.ts';

/** Twelve players in seat order: four Werewolves, the four powers of the village and four Villagers. */
export const twelve = {
  Ginger: 'Werewolf',
  Leah: 'Werewolf',
  Tyler: 'Werewolf',
  Scott: 'Werewolf',
  Sam: 'Seer',
  Hayley: 'Witch',
  Jacob: 'Hunter',
  Paul: 'Guard',
  Dan: 'Villager',
  Will: 'Villager',
  Bert: 'Villager',
  Mason: 'Villager',
};

const day = (round: number) => ({ round, phase: 'day' as const, audience: 'everyone' as const });
const night = (round: number, audience: GameEvent['audience']) => ({ round, phase: 'night' as const, audience });

export const attacked = (round: number, player: string, witch = 'Hayley'): EventOf<'attacked'> => ({
  ...night(round, [witch]),
  type: 'attacked',
  player,
});

export const quiet = (round: number): EventOf<'quiet_night'> => ({ ...night(round, 'everyone'), type: 'quiet_night' });

export const shot = (round: number, by: string, target: string): GameEvent[] => [
  { ...day(round), type: 'last_act', by, verb: 'shoot', target },
  { ...day(round), type: 'death', player: target, cause: 'last_act' },
];

export const elected = (player: string): EventOf<'elected'> => ({ ...day(1), type: 'elected', player, how: 'vote' });

export const electedBy = (by: string, target: string): EventOf<'badge_ballot'> => ({
  ...day(1),
  type: 'badge_ballot',
  by,
  target,
  ballot: 1,
});

export const leaned = (round: number, by: string, target: string): EventOf<'pseudo_ballot'> => ({
  ...day(round),
  type: 'pseudo_ballot',
  by,
  target,
});

export const recommended = (round: number, by: string, target: string): EventOf<'statement'> => ({
  ...said(`${round}.9`, by, `I recommend to exile ${target}.`),
  occasion: 'recommendation',
  recommends: target,
});

export const campaigned = (id: string, by: string, text: string): EventOf<'statement'> => ({
  ...said(id, by, text),
  occasion: 'campaign',
});

export const tied = (round: number, ...players: string[]): EventOf<'tie'> => ({ ...day(round), type: 'tie', players });
