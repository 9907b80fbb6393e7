// Turns the night's acts into what happens.
import { resolveNight as outcome, survivors } from '../state/night.ts';
import type { Node } from './node.ts';

export const resolveNight: Node = (game) => {
  const events = outcome(game);
  return { alivePlayers: survivors(game.alivePlayers, events), events };
};
