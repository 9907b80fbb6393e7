// Counts the ballots and announces who is exiled, if anybody; after a tie the ballots start anew where it is decided by a PK.
import { resolveExile } from '../state/ballots.ts';
import { survivors } from '../state/night.ts';
import type { Node } from './node.ts';

export const exile: Node = (game) => {
  const events = [resolveExile(game)];
  const isTie = events.some(({ type }) => type === 'tie');
  return { alivePlayers: survivors(game.alivePlayers, events), ...(isTie ? { votes: [] } : {}), events };
};
