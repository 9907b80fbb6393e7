// Variants of a deal: the same deal played with other words or other places, to see what hangs on those.
import { z } from 'zod';
import { draw } from './random.ts';

/**
 * `paraphrased`: rules, roles and questions in other sentences; `renamed`: other names for the game, its roles and offices; `rotated`: every player has another name and another seat,
 * and the roles keep their neighbours.
 */
export const Variant = z.enum(['paraphrased', 'renamed', 'rotated']);
export type Variant = z.infer<typeof Variant>;

/** What a match without a variant is called. */
export const plainVariant = 'plain';

interface NamedPlayer {
  name: string;
}

/** How far seats and names move at a table of so many: each by 1 to `size - 1` places. */
function findShifts(seed: number, size: number) {
  const random = draw(seed, 'rotation');
  return { seats: 1 + random.integer(size - 1), names: 1 + random.integer(size - 1) };
}

/**
 * The players in the order of the seats that they have in the variant `rotated`, under the names that they have there.
 * Names are those of the same table, so nobody else sits at it.
 *
 * @example seatRotated([{ name: 'Dan', role: 'Seer' }, { name: 'Leah', role: 'Doctor' }], 1)
 */
export function seatRotated<Player extends NamedPlayer>(players: readonly Player[], seed: number): Player[] {
  const size = players.length;
  const { seats, names } = findShifts(seed, size);
  return players.map((_, seat) => {
    const place = (seat - seats + size) % size;
    return { ...players[place]!, name: players[(place + names) % size]!.name };
  });
}

/** What `seatRotated` has made, as it was before. */
function restorePlayers<Player extends NamedPlayer>(players: readonly Player[], seed: number): Player[] {
  const size = players.length;
  const { seats, names } = findShifts(seed, size);
  const findSeat = (place: number) => (place + seats) % size;
  // Whoever was dealt place p is called as place p + `names` is in the deal.
  return players.map((_, place) => ({
    ...players[findSeat(place)]!,
    name: players[findSeat((place - names + size) % size)]!.name,
  }));
}

interface VariedSetup<Player extends NamedPlayer> {
  players: readonly Player[];
  seed: number;
  variant?: Variant | undefined;
}

/**
 * The players as they were dealt, whatever the variant: the same for all variants of a deal.
 *
 * @example listDealtPlayers(manifest.setup).map(({ name, role }) => `${name}=${role}`).join(', ')
 */
export const listDealtPlayers = <Player extends NamedPlayer>({ players, seed, variant }: VariedSetup<Player>) =>
  variant === 'rotated' ? restorePlayers(players, seed) : [...players];

/** Name at the table → name in the deal. */
export function mapToDealtNames<Player extends NamedPlayer>(setup: VariedSetup<Player>): ReadonlyMap<string, string> {
  const { players, seed, variant } = setup;
  const dealt = listDealtPlayers(setup);
  const size = players.length;
  const shift = variant === 'rotated' ? findShifts(seed, size).seats : 0;
  return new Map(dealt.map(({ name }, place) => [players[(place + shift) % size]!.name, name]));
}
