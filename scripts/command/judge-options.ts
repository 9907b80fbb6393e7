// The options that say who judges, and how: of `report`, `compare` and `validate --claims`.
import { type Command, Option } from 'commander';
import { checkJudgePlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readCount } from './command-line.ts';

/** How judges are asked, as it was typed. */
export interface JudgeFlags {
  judgePer: 'statement' | 'day';
  repeat: number;
  guard: boolean;
}

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
    const plan: JudgePlan = { models, repeat, isGuarded: guard, per: judgePer };
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

/** Tells that nobody had to be named. @example renderNamedJudge('openai:gpt-4o') // 'Claims are drawn by openai:gpt-4o, …' */
export const renderNamedJudge = (judge: string): string =>
  `Claims are drawn by ${judge}, the judge that all these matches name (--no-judge: by the rules).\n`;
