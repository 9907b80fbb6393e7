// Asks judges to extract the claims of matches, unless the answers are already cached: `--judge` of `report` and
// `validate`.
import {
  checkJudgePlan,
  formatJudgeFlags,
  isMeantPlan,
  type JudgePlan,
} from '../../deception/claims/majority-claims.ts';
import { runConcurrently, sumUsage } from '../../graph/annotation/annotation-run.ts';
import {
  checkJudge,
  type JudgedMatch,
  judgeMatch,
  type OpenJudge,
  surveyJudge,
} from '../../graph/annotation/llm-judge.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { tellServers } from '../../models/key-policy.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';
import { addMissingKeys, openModel, readModelSpec } from '../../models/providers/index.ts';
import { getKeptAnswersFile } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { pluralize } from '../../report/format.ts';
import type { AnswerLine } from '../../state/record.ts';
import { formatCommand } from '../../state/command-name.ts';
import { quoteActingName } from '../../state/text.ts';
import { formatGuardEstimate, formatUsage } from '../console/estimate-text.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { followItems } from '../command/work-progress.ts';

/**
 * Creates a function that opens the model, once for each temperature that the rules of matches ask for. Throws a
 * UsageError for an invalid model string; the created function throws like `openModel`.
 */
export function openModels(spec: string, env: Environment): (temperature: number | null) => Promise<PlayerModel> {
  readModelSpec(spec);
  const opened = new Map<number | null, Promise<PlayerModel>>();
  return (temperature) => {
    const model = opened.get(temperature) ?? openModel(spec, { temperature, env });
    opened.set(temperature, model);
    return model;
  };
}

/**
 * Creates the options for questions about recorded matches, and counts answered and missing questions. All runs of a
 * command share these options. Otherwise each run would add its own listeners to the process.
 */
export function followAnswers(progress: ReturnType<typeof countCalls>, io: CommandIO) {
  const count = { answered: 0, missing: 0 };
  const listeners = {
    env: io.env,
    signal: io.listenToSignals(),
    onWarning: (message: string) => void io.stderr.write(`${describeError(message)}\n`),
    onCalls: (more: number) => progress.add(more),
    onAnswer: (line: AnswerLine, isRecorded: boolean) => {
      if (isRecorded) return;
      progress.answer(line);
      if (line.mark !== undefined) count.missing += 1;
      else if (line.error === undefined) count.answered += 1;
    },
  };
  return { count, listeners };
}

/** Returns a match with the folder in which its answers are stored. Null for a match that cannot be judged. */
type ReadMatch = () => JudgedMatch | null;

/**
 * Does `work` for one match. If the match's folder is at fault, prints a line and returns false, so that all other
 * matches are still processed. `told`: beginning of the printed line, without a full stop.
 *
 * @example await runOrLeaveOut(folder, 'Not judged', io, () => judgeMatch(match, plan, open))
 */
export async function runOrLeaveOut(
  folder: string,
  told: string,
  { stderr }: Pick<CommandIO, 'stderr'>,
  work: () => unknown,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isFaultOfFolder(error)) throw error;
    stderr.write(`${told}: ${quoteActingName(folder)}. ${describeError(error.message)}\n`);
    return false;
  }
}

/** Whether only this folder is at fault. A full or failing disk, in contrast, would stop all other matches too. */
const isFaultOfFolder = (error: unknown): error is RecordError =>
  error instanceof RecordError &&
  !['ENOSPC', 'EDQUOT', 'EIO'].includes((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/**
 * Asks judges the questions that they have not answered yet. Needs no key and makes no call if no question is left.
 * Matches with a faulty folder are named on standard error and left out. Otherwise throws like `judgeMatch`; answers
 * received so far stay cached. Judges are asked at temperature 0 unless their model string sets another. `maxCost`:
 * USD; no call begins after this much is spent in total.
 */
export async function askJudges(
  matches: readonly ReadMatch[],
  plan: JudgePlan,
  { retriesUnread, folders = [], ...limits }: JudgingLimits,
  io: CommandIO,
): Promise<void> {
  checkJudgePlan(plan);
  const unread: UnreadMatch[] = [];
  const opened = new Map(isMeantPlan(plan) ? [] : plan.models.map((model) => [model, openModels(model, io.env)]));
  const open: OpenJudge = (model) => opened.get(model)!(0);
  const progress = countCalls(hasTerminal(io), (line) => void io.stderr.write(`${line}\n`));
  const { listeners } = followAnswers(progress, io);
  // On a terminal, the line that counts calls stands where this one would.
  const step = hasTerminal(io) && !isMeantPlan(plan) ? undefined : io.step;
  let done = 0;
  const tellDone = () => step?.('matches read by the judge', done, matches.length);
  tellDone();
  try {
    await runConcurrently(matches, limits, async (read, shared) => {
      const match = read();
      done += 1;
      if (!match) return tellDone();
      const options = { ...shared, ...listeners, maxCost: limits.maxCost, retriesUnread };
      await runOrLeaveOut(match.folder, 'Not judged', io, async () => {
        const { missing } = await judgeMatch(match, plan, open, options);
        if (missing.length > 0) unread.push({ folder: match.folder, statements: missing.length });
      });
      tellDone();
    });
    if (unread.length > 0 && !isMeantPlan(plan)) io.stderr.write(`${describeUnread(unread, plan, folders)}\n`);
    step?.('matches read by the judge', matches.length, matches.length);
  } finally {
    progress.stop();
    io.releaseSignals();
  }
}

/**
 * Limits of calls to judges. `retriesUnread`: whether to ask again if the cached answer is unreadable. `folders`: the
 * judged folders as the user named them, for the command that asks again.
 */
export type JudgingLimits = CallLimits & { retriesUnread?: boolean | undefined; folders?: readonly string[] };

/** A match, and the number of its statements that no judge has read. */
interface UnreadMatch {
  folder: string;
  statements: number;
}

/**
 * Describes how many statements have no readable answer, where the answers are stored, and which command asks again.
 */
function describeUnread(unread: readonly UnreadMatch[], plan: JudgePlan, folders: readonly string[]): string {
  const all = unread.reduce((total, { statements }) => total + statements, 0);
  const [model = ''] = plan.models;
  const file = getKeptAnswersFile(unread[0]?.folder ?? '', 'claims', model);
  return `${pluralize(all, 'statement')} in ${pluralize(unread.length, 'match', 'matches')} ${all === 1 ? 'has' : 'have'} no readable answer of the judge, the first in ${quoteActingName(file)}.${folders.length === 0 ? '' : ` To ask again: ${formatCommand('report', ...folders)} ${formatJudgeFlags(plan)} --retry-unread`}`;
}

/** Describes the questions that are not answered yet, in a few lines. Makes no call, and needs no key. */
export async function estimateJudging(
  matches: readonly ReadMatch[],
  plan: JudgePlan,
  { maxCost, retriesUnread }: Pick<JudgingLimits, 'maxCost' | 'retriesUnread'>,
  { env, stderr, step }: Pick<CommandIO, 'env' | 'stderr' | 'step'>,
): Promise<string> {
  checkJudgePlan(plan);
  if (isMeantPlan(plan)) {
    for (const read of followItems(matches, 'matches read', step)) read()?.readMeant();
    return `${plan.models.join(', ')} reads the bots’ own records and makes no calls.\n`;
  }
  const models = await Promise.all(plan.models.map((name) => openModels(name, addMissingKeys(name, env))(0)));
  models.forEach(checkJudge);
  tellServers(env);
  const surveys: ReturnType<typeof surveyJudge>[] = [];
  for (const read of followItems(matches, 'matches searched for answers of the judge', step)) {
    const match = read();
    if (match)
      await runOrLeaveOut(match.folder, 'Not judged', { stderr }, () =>
        surveys.push(...models.map((model) => surveyJudge(match, plan, model, { retriesUnread }))),
      );
  }
  const ofGuard = formatGuardEstimate(sumUsage(surveys.map(({ guard }) => guard)));
  const counted = pluralize(surveys.length / models.length, 'match', 'matches');
  return [formatUsage(counted, surveys, maxCost), ...(ofGuard === null ? [] : [ofGuard])]
    .map((line) => `${line}\n`)
    .join('');
}

/** The last line of a dry run. */
export const dryNotice = 'No calls were made and nothing was written.\n';
