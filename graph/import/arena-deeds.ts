// The acts of a night of a session of Werewolf Arena or DSGBench, and who could have done them.
import type { Game } from '../../state/game.ts';
import { powerNamed, type HeldPower } from '../../state/roles/index.ts';
import type { Log, Session } from './arena-session.ts';

export interface Deed {
  power: HeldPower;
  target: string;
  log: Log | null | undefined;
}

/** In the order in which the nodes of a night stand in a record. */
export const deedsOf = ({ eliminated, protected: covered, unmasked, log }: Session['rounds'][number]): Deed[] =>
  [
    { verb: 'eliminate', target: eliminated, log: log.eliminate },
    { verb: 'protect', target: covered, log: log.protect },
    { verb: 'unmask', target: unmasked, log: log.investigate },
  ].flatMap(({ verb, target, log }) => (target ? [{ power: powerNamed(verb), target, log }] : []));

/** Who was dealt the power, in seat order. */
export function holdersOf({ setup, alivePlayers }: Game, { role }: HeldPower) {
  const all = setup.players.filter((player) => player.role === role.name).map(({ name }) => name);
  return { all, living: all.filter((name) => alivePlayers.includes(name)) };
}
