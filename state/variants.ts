// Variants of a deal: the same deal played in other words or with other seats, to see how results depend on them.
import { z } from 'zod';
import { draw } from './random.ts';

/**
 * `paraphrased`: rules, roles and questions in other sentences. `renamed`: other names for the game, its roles and
 * offices. `rotated`: every player has another name and another seat, and roles keep their neighbors.
 */
export const Variant = z.enum(['paraphrased', 'renamed', 'rotated']);
export type Variant = z.infer<typeof Variant>;

/** Label of matches without a variant. */
export const plainVariant = 'plain';

interface NamedPlayer {
  name: string;
}

/** Draws how many places seats and names move on a board of this size, from 1 to `size - 1` each. */
function findShifts(seed: number, size: number) {
  const random = draw(seed, 'rotation');
  return { seats: 1 + random.integer(size - 1), names: 1 + random.integer(size - 1) };
}

/**
 * Returns the players with the seats and names of the variant `rotated`. Names are only exchanged within the table, so
 * the same names are in play.
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

/** Reverses `seatRotated`. */
function restorePlayers<Player extends NamedPlayer>(players: readonly Player[], seed: number): Player[] {
  const size = players.length;
  const { seats, names } = findShifts(seed, size);
  const findSeat = (place: number) => (place + seats) % size;
  // The player dealt to place p gets the name that the deal gave to place p + `names`.
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
 * Returns the players as they were dealt, the same for all variants of a deal.
 *
 * @example listDealtPlayers(manifest.setup).map(({ name, role }) => `${name}=${role}`).join(', ')
 */
export const listDealtPlayers = <Player extends NamedPlayer>({ players, seed, variant }: VariedSetup<Player>) =>
  variant === 'rotated' ? restorePlayers(players, seed) : [...players];

/** Maps each name at the table to the name in the deal. */
export function mapToDealtNames<Player extends NamedPlayer>(setup: VariedSetup<Player>): ReadonlyMap<string, string> {
  const { players, seed, variant } = setup;
  const dealt = listDealtPlayers(setup);
  const size = players.length;
  const shift = variant === 'rotated' ? findShifts(seed, size).seats : 0;
  return new Map(dealt.map(({ name }, place) => [players[(place + shift) % size]!.name, name]));
}
