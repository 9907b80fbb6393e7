// Opens a round: night falls. Before the first one the players learn who they are.
import { dealEvents } from '../state/deal.ts';
import type { Game } from '../state/game.ts';
import { stamp } from '../state/moment.ts';
import type { Node } from './node.ts';

export const startRound: Node = (game) => {
  const opened = { roundNum: game.roundNum + 1, phase: 'night', step: 0, bids: {}, votes: [] } satisfies Partial<Game>;
  const dealt = game.roundNum === 0 ? dealEvents(game.setup) : [];
  return { ...opened, events: [...dealt, { ...stamp({ ...game, ...opened }, 'everyone'), type: 'round_started' }] };
};
