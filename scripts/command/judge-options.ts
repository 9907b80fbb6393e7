// The options that say who judges, and how: of `report`, `compare` and `validate --claims`.
import { type Command, Option } from 'commander';
import { checkJudgePlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { readModelsFile, resolveModel } from '../../models/providers/models-file.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readCount } from './command-line.ts';

/** How judges are asked, as it was typed. */
export interface JudgeFlags {
  judgePer: 'statement' | 'day';
  repeat: number;
  guard: boolean;
}

/**
 * What names of models stand for, by the file that `--models` names. Throws a UsageError for an unknown name, and for a
 * file that cannot be used.
 *
 * @example resolveNames(['gpt', 'openai:gpt-4o'], 'models.yaml') // ['openai:gpt-5.2?name=gpt', 'openai:gpt-4o']
 */
export function resolveNames(models: readonly string[], file: string | undefined): readonly string[] {
  if (file === undefined) return models;
  const named = readModelsFile(file);
  return models.map((model) => resolveModel(model, named));
}

/** The same of who judges, as it was typed. */
export const resolveJudges = (judge: TypedJudge['judge'], file: string | undefined): TypedJudge['judge'] =>
  judge && resolveNames(judge, file);

/** Adds the options that say how judges are asked, as far as they are the same for all commands. */
export const addJudgeOptions = (program: Command) =>
  program
    .addOption(
      new Option(
        '--judge-per <what>',
        'what one call to a judge is about: a statement, or up to twelve statements of a day, which is cheaper, but has later ones in the same prompt',
      )
        .choices(['statement', 'day'])
        .default('statement'),
    )
    .option(
      '--repeat <n>',
      'each judge is asked so often, an odd number, and claims count that most answers hold',
      readCount,
      1,
    )
    .option('--no-guard', 'a judge is not asked again about claims that the rules draw and it lacks');

/**
 * Who judges and how; undefined where nobody does. Throws a UsageError for judges that cannot be asked so, and where there
 * are none and how they are asked was typed.
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
  if (typed.length > 0) throw new UsageError(`${typed.join(', ')}: how a judge is asked. Name one with --judge.`);
  return undefined;
}

/** The same with who judges. False: the rules, whatever the matches name. */
export type TypedJudge = JudgeFlags & { judge?: readonly string[] | false | undefined };
