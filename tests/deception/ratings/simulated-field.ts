// Simulated tournaments of entrants of known strength, for tests of ratings.
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { draw, type RandomSource } from '../../../state/random.ts';
import type { Team } from '../../../state/teams.ts';

/** Strength as Werewolves and as the village, in log-odds. */
export type PlantedField = Readonly<Record<string, readonly [werewolves: number, villagers: number]>>;

export const createMatch = (
  deal: string | number,
  werewolves: readonly string[],
  villagers: readonly string[],
  winner: Team | null,
  context = 'classic-8',
): RatedMatch => ({
  ...{ deal: `d${deal}`, context, winner },
  seats: [
    ...werewolves.map((entrant) => ({ entrant, team: 'werewolves' as const, role: 'Werewolf' })),
    ...villagers.map((entrant, seat) => ({
      ...{ entrant, team: 'villagers' as const, role: seat === 0 ? 'Seer' : 'Villager' },
    })),
  ],
});

const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

/**
 * Draws the winner. The Werewolves' odds are e^(β + their mean strength − that of the village). `nobody`: Davidson's ν.
 */
export function drawWinner(
  field: PlantedField,
  { werewolves, villagers }: Record<Team, readonly string[]>,
  { beta = 0, nobody = -Infinity, chance }: { beta?: number; nobody?: number; chance: RandomSource },
): Team | null {
  const attack = average(werewolves.map((name) => field[name]![0]));
  const eta = beta + attack - average(villagers.map((name) => field[name]![1]));
  const odds = [Math.exp(eta / 2), Math.exp(nobody), Math.exp(-eta / 2)] as const;
  const place = chance.fraction() * (odds[0] + odds[1] + odds[2]);
  return place < odds[0] ? 'werewolves' : place < odds[0] + odds[1] ? null : 'villagers';
}

/** Plays every ordered pair of different entrants on every deal. `selfPlay`: also each entrant against itself. */
export function playRoundRobin(
  field: PlantedField,
  deals: number,
  { seed = 1, selfPlay = false, ...odds }: { seed?: number; selfPlay?: boolean; beta?: number; nobody?: number } = {},
): RatedMatch[] {
  const chance = draw(seed, 'round robin');
  const names = Object.keys(field);
  return Array.from({ length: deals }, (_, deal) =>
    names.flatMap((pack) =>
      names.flatMap((village) => {
        if (pack === village && !selfPlay) return [];
        const sides = { werewolves: [pack, pack], villagers: [village, village, village] };
        const winner = drawWinner(field, sides, { ...odds, chance });
        return [createMatch(deal, sides.werewolves, sides.villagers, winner)];
      }),
    ),
  ).flat();
}
