// Reads the file of an analysis plan, hashes its contents, and checks that matches can be played under it.
import { z } from 'zod';
import { AnalysisPlan, checkPlan, findPilotSeed, hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { listCrossedEndpoints } from '../../deception/comparison/crossed-effects.ts';
import { listModelPairs } from '../../deception/design/schedule.ts';
import { rulesExtractor } from '../../deception/metrics/comparability.ts';
import { endpointMetrics } from '../../deception/metrics/index.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { type NamedModels, resolveModel } from '../../models/providers/models-file.ts';
import { getModelLabel, nameStructured } from '../../state/model-identity.ts';
import { describeIssue, describeNearName, UsageError } from '../../state/usage-error.ts';
import { parseYaml, readUserFile } from '../../models/yaml-file.ts';

export interface ReadPlan {
  file: string;
  /** Hash of the plan, see `hashPlan`. */
  sha256: string;
  plan: AnalysisPlan;
}

/**
 * Reads an analysis plan. `named`: models file that defines the names of models in the plan. Throws a UsageError that
 * names the file, the field and the expected value.
 */
export function readPlanFile(file: string, named: NamedModels = new Map()): ReadPlan {
  const text = readUserFile(file, 'the YAML file of an analysis plan');
  const contents = parseYaml(file, text);
  const read = AnalysisPlan.safeParse(contents, { error: describeIssue });
  if (!read.success) throw new UsageError(`${file} is not an analysis plan: ${z.prettifyError(read.error)}`);
  return { file, sha256: hashPlan(contents), plan: explainFault(`${file}:`, () => normalizeModels(read.data, named)) };
}

/** Replaces names of models by labels in endpoints, and by model strings elsewhere. */
const normalizeModels = ({ judge, endpoints, crossed, ...plan }: AnalysisPlan, named: NamedModels): AnalysisPlan => ({
  ...plan,
  ...(crossed && { crossed: crossed.map((text) => normalizeModelSpec(resolveModel(text, named))) }),
  ...(judge === undefined ? {} : { judge: normalizeModelSpec(resolveModel(judge, named)) }),
  endpoints: endpoints.map((endpoint) => ({
    ...endpoint,
    ...(endpoint.models
      ? { models: endpoint.models.map((text) => getModelLabel(normalizeModelSpec(text))) as typeof endpoint.models }
      : {}),
  })),
});

/** Throws a UsageError if the plan does not allow these matches. */
export function checkPlanned(
  { file, plan }: ReadPlan,
  { deals, isTyped }: { deals: number; isTyped: boolean },
  {
    replicates,
    crossed,
    judge = plan.judge,
    seed,
  }: { replicates: number; crossed: readonly string[] | undefined; judge: string | undefined; seed: number },
) {
  if (plan.deals === undefined)
    throw new UsageError(`${file} does not say how many deals to play, so it does not say when to stop. Add deals: N.`);
  if (deals > plan.deals)
    throw new UsageError(
      `${file} stops at ${plan.deals} deals, and --matches ${deals} would play more. Play at most ${plan.deals}, or write another plan before the first match.`,
    );
  if (isTyped && deals < plan.deals)
    throw new UsageError(
      `${file} plans ${plan.deals} deals, and --matches ${deals} would play fewer, so that its tests would not be confirmatory. Leave --matches out; an interrupted study is resumed by the same command.`,
    );
  const { replicates: planned = 1 } = plan;
  if (replicates !== planned)
    throw new UsageError(
      `--replicates ${replicates} differs from the plan in ${file}: ${planned}. Leave it out, or write another plan before the first match.`,
    );
  if (judge !== plan.judge)
    throw new UsageError(
      `--judge ${judge} is not the judge in ${file}: ${plan.judge ?? 'none'}. Name the same judge in both.`,
    );
  checkPlannedDeals({ file, plan }, seed);
  checkPlannedModels({ file, plan }, crossed);
  if (crossed !== undefined) {
    const { metrics, notCompared, design } = listCrossedEndpoints(
      endpointMetrics,
      listModelPairs(crossed.map(getModelLabel)),
      judge ?? rulesExtractor,
    );
    return explainFault(`${file},`, () => checkPlan(plan, metrics, notCompared, design));
  }
  const unknown = plan.endpoints.find(({ metric }) => !endpointMetrics.some(({ name }) => name === metric));
  if (unknown)
    throw new UsageError(
      `${file}: unknown metric ${JSON.stringify(unknown.metric)}. ${describeNearName(
        unknown.metric,
        endpointMetrics.map(({ name }) => name),
      )}docs/reference/metrics.md lists all.`,
    );
}

/** Throws a UsageError for deals that the plan does not name, and for deals that were already played in its pilot. */
function checkPlannedDeals({ file, plan }: Pick<ReadPlan, 'file' | 'plan'>, seed: number): void {
  if (plan.seed !== undefined && seed !== plan.seed)
    throw new UsageError(
      `--seed ${seed} differs from the plan in ${file}: ${plan.seed}. Leave it out, or write another plan before the first match.`,
    );
  const deals = plan.deals ?? 1;
  const shared = findPilotSeed(plan, { seed, deals });
  if (shared === undefined) return;
  const pilot = (plan.pilot_seeds ?? []).map((range) => Number(range.split('-').at(-1)));
  throw new UsageError(
    `${file} plans ${deals} deals from a pilot that played seed ${shared}, and this study would play it too (seeds ${seed} to ${seed + deals - 1}): a study must not test on the deals it was planned from. ${plan.seed === undefined ? 'Add' : `Write another plan with`} --seed ${Math.max(...pilot) + 1}.`,
  );
}

/** Throws a UsageError for models that the plan does not name. */
function checkPlannedModels(
  { file, plan }: Pick<ReadPlan, 'file' | 'plan'>,
  crossed: readonly string[] | undefined,
): void {
  if (plan.crossed === undefined) return;
  const wanted = `--crossed ${plan.crossed.join(' ')}`;
  if (crossed === undefined)
    throw new UsageError(`${file} plans a crossed design of ${plan.crossed.join(' and ')}. Add ${wanted}.`);
  const name = (models: readonly string[]) =>
    models.map((text) => nameStructured(getModelLabel(normalizeModelSpec(text)), null)).sort();
  if (name(crossed).join('\n') !== name(plan.crossed).join('\n'))
    throw new UsageError(
      `--crossed ${crossed.join(' ')} differs from the plan in ${file}: ${plan.crossed.join(' ')}. Use ${wanted}, or write another plan before the first match.`,
    );
}

/** Calls `read` and converts every error to a UsageError whose message begins with `what`. */
export function explainFault<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${what} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
