// The schedule of a design: the deals, and the arms in which each deal is played. All arms play the same deals. Arms
// are ordered pairs of models, conditions with different rules, or combinations of both.
import { getModelLabel } from '../../state/model-identity.ts';
import type { RuleValue, RuleValues } from '../../state/rules/rule.ts';
import { UsageError } from '../../state/usage-error.ts';
import { plainVariant, Variant } from '../../state/variants.ts';
import { hashText } from '../../state/hash-text.ts';

/**
 * Settings in which the matches of one folder differ from the common plan. A setting that is absent has the plan's
 * value.
 */
export interface DesignArm {
  /** Name of the arm's folder. It is valid on every file system, and unique. */
  folder: string;
  villagers?: string;
  werewolves?: string;
  rule?: RuleValues;
  variant?: Variant;
}

/** An arm that names the models of both sides. */
export interface ModelPair extends DesignArm {
  villagers: string;
  werewolves: string;
}

/**
 * One deal as one arm plays it. The seed decides the deal. `replicate`: number of the replicate from 2; absent for the
 * first replicate.
 */
export type ScheduledMatch<Arm extends DesignArm = DesignArm> = Arm & { seed: number; replicate?: number };

/** Maximum length of a model's part in a folder name. Longer names are cut and made unique by a hash. */
const maxNameLength = 60;

/**
 * Lists all ordered pairs of models, including each model against itself: for m models m² pairs, the Werewolves' model
 * first. Throws a UsageError for a model that is named twice. `nameOf`: returns the part of a model string that is used
 * in folder names; earlier versions used the whole string.
 *
 * @example
 * listModelPairs(['openai:x', 'openai:y']).map(({ folder }) => folder);
 * // ['pack-openai-x_village-openai-x', 'pack-openai-x_village-openai-y', 'pack-openai-y_village-openai-x', …]
 */
export function listModelPairs(models: readonly string[], nameOf = getModelLabel): ModelPair[] {
  const twice = models.find((model, place) => models.indexOf(model) !== place);
  if (twice !== undefined)
    throw new UsageError(
      `The crossed design names "${twice}" twice. Name each model once: every model also plays against itself.`,
    );
  const names = nameModels([...new Set(models.map(nameOf))]);
  return models.flatMap((werewolves) =>
    models.map((villagers) => ({
      villagers,
      werewolves,
      folder: `pack-${names.get(nameOf(werewolves))!}_village-${names.get(nameOf(villagers))!}`,
    })),
  );
}

/** Rules whose values are crossed, e.g. `{ analysis: ['both', 'off'], scores: ['bands', 'hidden'] }`. */
export type CrossedRules = Readonly<Record<string, readonly RuleValue[]>>;

/**
 * Lists all combinations of the values of these rules, one arm for each combination. `isIdle`: returns whether a rule
 * has no effect given the others. Combinations that differ only in rules without effect form one arm, whose name omits
 * these rules. Throws a UsageError for a rule with fewer than two different values.
 *
 * @example
 * listRuleArms({ analysis: ['both', 'off'], scores: ['bands', 'hidden'] }, isIdle).map(({ folder }) => folder);
 * // ['analysis-both_scores-bands', 'analysis-both_scores-hidden', 'analysis-off']
 */
export function listRuleArms(
  crossed: CrossedRules,
  isIdle: (name: string, values: RuleValues) => boolean,
): (DesignArm & { rule: RuleValues })[] {
  for (const [name, values] of Object.entries(crossed))
    if (values.length < 2 || new Set(values).size < values.length)
      throw new UsageError(
        `A crossed rule needs at least two different values, e.g. analysis=both,off, but "${name}" has ${values.map(String).join(', ') || 'none'}.`,
      );
  const combinations = Object.entries(crossed).reduce<RuleValues[]>(
    (before, [name, values]) => before.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  const arms = combinations.map((all) => {
    const rule = Object.fromEntries(Object.entries(all).filter(([name]) => !isIdle(name, all)));
    const words = Object.entries(rule).map(([name, value]) => `${name}-${String(value)}`);
    return { folder: words.join('_'), rule };
  });
  return [...new Map(arms.map((arm) => [arm.folder, arm])).values()];
}

/**
 * Lists an arm without a variant, and one arm for each of the first `count` variants. Throws a UsageError if there are
 * fewer variants.
 *
 * @example listVariantArms(1); // [{ folder: 'plain' }, { folder: 'renamed', variant: 'renamed' }]
 */
export function listVariantArms(count: number): DesignArm[] {
  const known = Variant.options;
  if (!Number.isInteger(count) || count < 1 || count > known.length)
    throw new UsageError(
      `There are ${known.length} variants besides the deal as it is (${known.join(', ')}), so --variants must be 1 to ${known.length}, not ${count}.`,
    );
  return [{ folder: plainVariant }, ...known.slice(0, count).map((variant) => ({ folder: variant, variant }))];
}

/**
 * Lists every combination of one arm from each design, e.g. each pair of models under each condition. Without designs
 * the list is empty.
 *
 * @example mergeDesigns([listModelPairs(['openai:x', 'openai:y']), listRuleArms({ analysis: ['both', 'off'] }, () => false)]) // 8 arms
 */
export const mergeDesigns = (designs: readonly (readonly DesignArm[])[]): DesignArm[] => {
  const [first = [], ...others] = designs;
  return others.reduce<DesignArm[]>(
    (before, more) =>
      before.flatMap((one) => more.map((other) => ({ ...one, ...other, folder: `${one.folder}__${other.folder}` }))),
    [...first],
  );
};

/**
 * Lists every deal as each arm plays it, deal by deal and `replicates` times. At any point of the schedule, all arms
 * have played about the same deals. A deal begins only when all replicates of the previous deal have been listed.
 *
 * @example
 * listScheduledMatches([1, 2, 3], listModelPairs(['openai:x', 'openai:y']), 2); // 24 matches
 */
export const listScheduledMatches = <Arm extends object>(
  seeds: readonly number[],
  arms: readonly Arm[],
  replicates = 1,
): (Arm & Pick<ScheduledMatch, 'seed' | 'replicate'>)[] =>
  seeds.flatMap((seed) =>
    listReplicates(replicates).flatMap((replicate) => arms.map((arm) => ({ seed, ...arm, ...replicate }))),
  );

/**
 * Lists the replicates of a match. The first replicate has no number, so that its set-up equals that of a match without
 * replicates.
 */
export const listReplicates = (count: number): { replicate?: number }[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? {} : { replicate: index + 1 }));

/** Returns the suffix of a deal's name that distinguishes its replicates. */
export const nameReplicate = (replicate: number | undefined): string =>
  replicate === undefined ? '' : ` (replicate ${replicate})`;

/**
 * Maps models to their parts of folder names. Names that differ only in case count as equal, because some file systems
 * treat them as equal.
 */
function nameModels(models: readonly string[]): ReadonlyMap<string, string> {
  const simple = models.map((model) => model.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, ''));
  const isClear = (name: string) =>
    name !== '' &&
    name.length <= maxNameLength &&
    simple.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1;
  return new Map(
    models.map((model, place) => {
      const name = simple[place]!;
      return [model, isClear(name) ? name : `${name.slice(0, maxNameLength)}-${hashModel(model)}`];
    }),
  );
}

const hashModel = (model: string) => hashText(model).slice(0, 8);

/** Returns a key shared by matches with the same players in the same seats with the same roles, on the same board. */
export const getDealKey = ({ board, deal }: { board: string; deal: string }): string => `${board}: ${deal}`;
