// The options for judges, which `report`, `compare` and `validate --claims` share.
import { type Command, Option } from 'commander';
import { checkJudgePlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { readModelsFile, resolveModel } from '../../models/providers/models-file.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readCount } from './command-line.ts';

/** Typed options on how judges are asked. */
export interface JudgeFlags {
  judgePer: 'statement' | 'day';
  repeat: number;
  guard: boolean;
}

/**
 * Replaces names of models by model strings, using the file of `--models`. Throws a UsageError for an unknown name, and
 * for an unusable file.
 *
 * @example resolveNames(['gpt', 'openai:gpt-4o'], 'models.yaml') // ['openai:gpt-5.2?name=gpt', 'openai:gpt-4o']
 */
export function resolveNames(models: readonly string[], file: string | undefined): readonly string[] {
  if (file === undefined) return models;
  const named = readModelsFile(file);
  return models.map((model) => resolveModel(model, named));
}

/** Replaces names of judges like `resolveNames`. */
export const resolveJudges = (judge: TypedJudge['judge'], file: string | undefined): TypedJudge['judge'] =>
  judge && resolveNames(judge, file);

/** Adds the options on how judges are asked that all commands share. */
export const addJudgeOptions = (program: Command) =>
  program
    .addOption(
      new Option(
        '--judge-per <what>',
        'how much one call to a judge covers: a statement, or up to twelve statements of a day, which is cheaper but shows later statements in the same prompt',
      )
        .choices(['statement', 'day'])
        .default('statement'),
    )
    .option(
      '--repeat <n>',
      'ask each judge this many times (an odd number); a claim counts if most answers have it',
      readCount,
      1,
    )
    .option('--no-guard', 'do not ask a judge again about claims that the rules extract and the judge does not');

/**
 * Returns the plan of the judges: their models and the form of the questions. Undefined without a judge. Throws a
 * UsageError for judges that do not support the options, and for judge options without a judge.
 *
 * @example readJudgePlan(['openai:gpt-4o'], { judgePer: 'day', repeat: 1, guard: true })!.per // 'day'
 */
export function readJudgePlan(
  models: readonly string[] | undefined,
  { judgePer, repeat, guard }: JudgeFlags,
): JudgePlan | undefined {
  if (models !== undefined) {
    const plan: JudgePlan = { models: models.map(normalizeModelSpec), repeat, isGuarded: guard, per: judgePer };
    checkJudgePlan(plan);
    return plan;
  }
  const typed = [
    ...(judgePer === 'statement' ? [] : [`--judge-per ${judgePer}`]),
    ...(repeat === 1 ? [] : [`--repeat ${repeat}`]),
    ...(guard ? [] : ['--no-guard']),
  ];
  if (typed.length > 0)
    throw new UsageError(
      `${typed.join(', ')} ${typed.length === 1 ? 'needs' : 'need'} a judge. Name one with --judge.`,
    );
  return undefined;
}

/** Returns whether a judge's name can be parsed. The name comes from a record, and a record may contain anything. */
export function isReadableJudge(judge: string): boolean {
  try {
    checkJudgePlan({ models: [normalizeModelSpec(judge)] });
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/**
 * Typed judge options. `judge` contains the typed judges; false means that the rules extract the claims, even if the
 * matches name a judge.
 */
export type TypedJudge = JudgeFlags & { judge?: readonly string[] | false | undefined };
