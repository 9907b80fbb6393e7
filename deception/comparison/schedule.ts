// Who plays which deal: the schedule of a crossed design, the same deals for every ordered pair of models.
import { createHash } from 'node:crypto';
import { UsageError } from '../../state/usage-error.ts';
import type { MatchRow } from '../tables/row-schemas.ts';

/** Who plays which side, and the name of the folder of their matches. */
export interface ModelPair {
  villagers: string;
  werewolves: string;
  /** Safe on every file system, and another for every pair of the same models. */
  folder: string;
}

/** A deal, by its seed, as one pair plays it. */
export interface ScheduledMatch extends ModelPair {
  seed: number;
}

/** Longer names of models are cut in the names of folders, and told apart by a hash. */
const longestName = 60;

/**
 * All ordered pairs of models, each against itself too: for m models m² pairs, the pack's model first. Throws a
 * UsageError for fewer than two models and for one that is named twice.
 *
 * @example
 * listModelPairs(['openai:x', 'openai:y']).map(({ folder }) => folder);
 * // ['pack-openai-x_village-openai-x', 'pack-openai-x_village-openai-y', 'pack-openai-y_village-openai-x', …]
 */
export function listModelPairs(models: readonly string[]): ModelPair[] {
  const twice = models.find((model, place) => models.indexOf(model) !== place);
  if (twice !== undefined)
    throw new UsageError(
      `A crossed design names each model once, and "${twice}" stands in it twice. Each plays against itself anyway.`,
    );
  if (models.length < 2)
    throw new UsageError(`A crossed design needs two models or more, not ${models.join(', ') || 'none'}.`);
  const names = nameModels(models);
  return models.flatMap((werewolves) =>
    models.map((villagers) => ({
      villagers,
      werewolves,
      folder: `pack-${names.get(werewolves)!}_village-${names.get(villagers)!}`,
    })),
  );
}

/**
 * Every deal as each pair plays it, deal by deal: however far it is played, all pairs have about the same deals.
 *
 * @example
 * listScheduledMatches([1, 2, 3], listModelPairs(['openai:x', 'openai:y'])); // 12 matches
 */
export const listScheduledMatches = (seeds: readonly number[], pairs: readonly ModelPair[]): ScheduledMatch[] =>
  seeds.flatMap((seed) => pairs.map((pair) => ({ seed, ...pair })));

/** Model → what it is called in the names of folders. Case does not tell apart, as on some file systems. */
function nameModels(models: readonly string[]): ReadonlyMap<string, string> {
  const simple = models.map((model) => model.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, ''));
  const isClear = (name: string) =>
    name !== '' &&
    name.length <= longestName &&
    simple.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1;
  return new Map(
    models.map((model, place) => {
      const name = simple[place]!;
      return [model, isClear(name) ? name : `${name.slice(0, longestName)}-${hashModel(model)}`];
    }),
  );
}

const hashModel = (model: string) => createHash('sha256').update(model).digest('hex').slice(0, 8);

/** Matches with the same key have the same players in the same seats with the same roles, on the same board. */
export const getDealKey = ({ board, deal }: Pick<MatchRow, 'board' | 'deal'>): string => `${board}: ${deal}`;
