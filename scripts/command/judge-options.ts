// The options that say who judges, and how: of `report`, `compare` and `validate --claims`.
import { type Command, Option } from 'commander';
import {
  checkJudgePlan,
  formatJudgeFlags,
  formatJudges,
  type JudgePlan,
} from '../../deception/claims/majority-claims.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { readModelsFile, resolveModel } from '../../models/providers/models-file.ts';
import { sanitizeText } from '../../report/format.ts';
import { findModelAddress, identifyModel } from '../../state/model-identity.ts';
import { quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { CacheOptions } from '../report/measurement-cache.ts';
import { type CommandIO, readCount } from './command-line.ts';
import { findMatches } from './match-folder.ts';

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

interface JudgeSources {
  folders: readonly string[];
  /** The judge that an analysis plan names, and the plan's file. */
  planned?: { judge: string; file: string } | undefined;
  /** Where measurements are cached, which tells judged matches without reading them. */
  cache?: CacheOptions | null | undefined;
  presupposed?: boolean | undefined;
}

/**
 * Who draws the claims of the matches in these folders: the judge that was typed, else the plan's, else the one that all the
 * matches name, if its cached answers are complete; it then tells so. Else the rules draw them, and it tells why. Makes no
 * call. Throws a UsageError where options contradict each other.
 *
 * @example await chooseJudge({ judgePer: 'statement', repeat: 1, guard: true }, { folders: ['runs'] }, io)
 */
export async function chooseJudge(
  { judge: typed, ...how }: TypedJudge,
  { folders, planned, cache, presupposed }: JudgeSources,
  { stderr }: Pick<CommandIO, 'stderr'>,
): Promise<JudgePlan | undefined> {
  if (planned) {
    if (typed === false)
      throw new UsageError(
        `--no-judge, though ${planned.file} names ${planned.judge} as judge. Leave out one of the two.`,
      );
    const judge = readJudgePlan(typed ?? [planned.judge], how)!;
    if (formatJudges(judge) === formatJudges({ models: [normalizeModelSpec(planned.judge)] })) return judge;
    throw new UsageError(
      `--judge ${formatJudges(judge)} is not the judge that ${planned.file} names, ${planned.judge}. Leave out one of the two, or name the same.`,
    );
  }
  if (typed !== undefined) return readJudgePlan(typed || undefined, how);
  const { findNamedJudges } = await import('../report/match-inventory.ts');
  const { judge: named, differing } = findNamedJudges([...new Set(findMatches(folders))]);
  if (differing !== null)
    stderr.write(
      `These matches do not name the same judge: ${differing}. Claims are drawn by the rules. Name one judge for all with --judge (--no-judge: no such line).\n`,
    );
  if (named === undefined) return readJudgePlan(undefined, how);
  const { findUnansweredQuestions } = await import('../report/judge-records.ts');
  const judge = readJudgePlan([named], how)!;
  const unanswered = findUnansweredQuestions({ folders, judge, cache, presupposed });
  if (unanswered === null) {
    stderr.write(
      `Claims are drawn by ${sanitizeText(formatJudges(judge))}, the judge that all these matches name, from its cached answers (--no-judge: by the rules).\n`,
    );
    return judge;
  }
  const words = explainUnasked(judge, folders);
  if (formatJudges(judge) !== formatJudges({ models: judge.models })) throw new UsageError(words); // asked in a way that was typed
  stderr.write(`Claims are drawn by the rules. ${words}\n`);
  return undefined;
}

/**
 * Why a judge that matches name is not asked, and the command that asks it. The command holds no address: one that stands in
 * a record is not the user's.
 *
 * @example explainUnasked({ models: ['openai:gpt-4o'] }, ['runs'])
 */
export function explainUnasked(judge: JudgePlan, folders: readonly string[]): string {
  const [named] = judge.models as [string];
  const address = findModelAddress(named);
  const command = `npm run report -- ${folders.map(quoteForShell).join(' ')} ${formatJudgeFlags({ ...judge, models: judge.models.map(identifyModel) })}`;
  const where =
    address === undefined
      ? ''
      : ` Its address in the record, ${address}, is not used: if the server is yours, give it with the model (baseUrl=…) or in a models file.`;
  return sanitizeText(
    `These matches name the judge ${formatJudges(judge)}, whose cached answers are not complete. A judge is asked only where the command names it: ${command}${where}`,
  );
}
