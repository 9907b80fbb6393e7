// Counts the ballots and announces who is exiled, if anybody.
import { resolveExile } from '../state/ballots.ts';
import { survivors } from '../state/night.ts';
import type { Node } from './node.ts';

export const exile: Node = (game) => {
  const events = [resolveExile(game)];
  return { alivePlayers: survivors(game.alivePlayers, events), events };
};
