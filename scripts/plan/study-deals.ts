// Chooses the deals and the players that a plan names: deals that the pilot has not played, and the pilot's models.
import { findPilotSeed } from '../../deception/comparison/analysis-plan.ts';
import { recoverPlan } from '../../graph/prepare-match.ts';
import type { Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';

/**
 * Returns the seed of a study's first deal: the seed after the pilot's last, or 1 without a pilot.
 *
 * @example chooseStudySeed([1001, 1002]) // 1003
 */
export const chooseStudySeed = (pilotSeeds: readonly number[]): number => Math.max(0, ...pilotSeeds) + 1;

/**
 * Lists seeds as ranges, for a plan file.
 *
 * @example listSeedRanges([3, 1, 2, 9]) // ['1-3', '9']
 */
export function listSeedRanges(seeds: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const seed of [...new Set(seeds)].sort((one, other) => one - other)) {
    const before = ranges.at(-1);
    if (before?.last === seed - 1) before.last = seed;
    else ranges.push({ first: seed, last: seed });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
}

/** Throws a UsageError if a study of these deals would play a deal of its pilot. */
export function checkStudySeed(seed: number, deals: number, pilotSeeds: readonly number[]): void {
  const shared = findPilotSeed({ pilot_seeds: listSeedRanges(pilotSeeds) }, { seed, deals });
  if (shared !== undefined)
    throw new UsageError(
      `--seed ${seed}: the ${deals} deals that begin there include seed ${shared}, which the pilot played (seeds ${listSeedRanges(pilotSeeds).join(', ')}). A study must not test on the deals it was planned from. Leave --seed out, or use --seed ${chooseStudySeed(pilotSeeds)}.`,
    );
}

/** Lists the model strings of a match's players, in seat order. */
export const listSeatModels = (manifest: Manifest): string[] =>
  Object.values(recoverPlan(manifest).seats ?? {}).flatMap((seat) => {
    const model = typeof seat === 'object' && 'model' in seat ? seat.model : seat;
    return typeof model === 'string' ? [model] : [];
  });

/** Lists the model strings of the pilot's players, each once, in alphabetical order. */
export const listModelsOfPilot = (manifests: readonly Manifest[]): string[] =>
  [...new Set(manifests.flatMap(listSeatModels))].sort();
