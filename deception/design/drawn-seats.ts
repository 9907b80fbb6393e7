// The design of matches in which people play: a person plays each deal once, so people and models cannot be compared on
// the same deal. Chance decides instead who sits where and which deal is played first.
import { draw } from '../../state/random.ts';

/**
 * Key of the draws. `people`: model strings of the people who play. Other people who play the same deals
 * get other seats and another order.
 */
export interface SeatDraw {
  seed: number;
  people: readonly string[];
}

/**
 * Returns the seeds of the deals in the order in which the people of the draw play the deals.
 *
 * @example drawDealOrder([1, 2, 3], { seed: 1, people: ['human:alice'] })
 */
export const drawDealOrder = (seeds: readonly number[], { seed, people }: SeatDraw): number[] =>
  draw(seed, 'people', 'order', ...people).shuffle(seeds);

/**
 * Gives each player of a deal one of the choices. All assignments are equally likely and do not depend on roles.
 * `choices`: as many as there are players. `seed`: seed of the deal.
 *
 * @example drawSeats(['Dan', 'Leah'], ['human:alice', 'bot:classic'], { seed: 7, people: ['human:alice'] })
 */
export function drawSeats<Choice>(
  players: readonly string[],
  choices: readonly Choice[],
  { seed, people }: SeatDraw,
): Record<string, Choice> {
  const drawn = draw(seed, 'people', 'seats', ...people).shuffle(choices);
  return Object.fromEntries(
    players.flatMap((player, place) => drawn.slice(place, place + 1).map((choice) => [player, choice] as const)),
  );
}
