// Asks a model to judge recorded statements from the views of their listeners: `npm run annotate -- <records…> --model
// …`.
import { Option } from 'commander';
import type { MatchRecord } from '../deception/record/match-record.ts';
import { sum } from '../deception/statistics/sums.ts';
import {
  annotateStatements,
  type AnnotationPlan,
  getAnnotationKind,
  listAnnotationItems,
} from '../graph/annotation/annotate-statements.ts';
import { createAnswerCache, estimateAnnotation, runConcurrently } from '../graph/annotation/annotation-run.ts';
import { checkJudge } from '../graph/annotation/llm-judge.ts';
import type { EstimatedUsage } from '../graph/estimate.ts';
import { checkPrices } from '../graph/play-match.ts';
import { tellServers } from '../models/key-policy.ts';
import type { PlayerModel } from '../models/model.ts';
import { addMissingKeys, normalizeModelSpec } from '../models/providers/index.ts';
import { getKeptAnswersFile, readKeptAnswers } from '../models/record/annotation-log.ts';
import { formatWhole, pluralize } from '../report/format.ts';
import { followAnswers, runOrLeaveOut, openModels } from './run/ask-judges.ts';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  exitCodes,
  modelsFileOption,
  readCount,
  runScript,
  printError,
  describeError,
} from './command/command-line.ts';
import { resolveNames } from './command/judge-options.ts';
import { addLimitOptions, recordLimitWords } from './command/limit-options.ts';
import { type CallLimits, selectLimits } from '../models/call-limits.ts';
import { checkNotBehindLink, findMatches, tellForksLeftOut } from './command/match-folder.ts';
import { followItems } from './command/work-progress.ts';
import { formatUsage } from './console/estimate-text.ts';
import { countCalls, hasTerminal } from './console/progress.ts';
import { explainUnusable, readFinishedRecord } from './report/match-inventory.ts';
import { quoteActingName } from '../state/text.ts';

interface AnnotateFlags extends AnnotationPlan, CallLimits {
  model: string;
  models?: string;
  dryRun?: boolean;
  quiet?: boolean;
}

/**
 * Asks the model about the records. Returns the exit code, which is not 0 if the command had to stop or left records
 * out. Throws errors that occur before the first question, and prints later errors.
 */
async function annotateRecords(folders: readonly string[], flags: AnnotateFlags, io: CommandIO): Promise<number> {
  const { maxCost, dryRun = false, quiet = false } = flags;
  const tell = (line: string) => void (quiet || io.stdout.write(`${line}\n`));
  tellForksLeftOut(folders, io);
  const { surveys, isComplete } = await surveyAll(folders, flags, io);
  const code = isComplete ? exitCodes.done : exitCodes.other;
  if (surveys.some(({ left }) => left.calls > 0)) tellServers(io.env);
  tell(formatUsage(pluralize(surveys.length, 'match', 'matches'), surveys, maxCost));
  if (flags.selfReports && surveys.every(({ questions }) => questions === 0))
    tell(
      `${flags.model} made no statement in these matches, and only a speaker can give a self-report. Name a model that played.`,
    );
  if (dryRun) tell('No calls were made and nothing was written.');
  const [next] = surveys.filter(({ left }) => left.calls > 0);
  if (dryRun || !next) return code;
  if (maxCost !== undefined) checkPrices({ seat: { choice: next.model, talk: next.model } }, maxCost);
  const progress = countCalls(
    !quiet && hasTerminal(io),
    quiet ? undefined : (line) => void io.stderr.write(`${line}\n`),
  );
  try {
    const { answered, missing, isWhole } = await askAll(surveys, flags, progress, io).finally(() => progress.stop());
    const lost = missing === 0 ? '' : `; ${formatWhole(missing)} without a usable answer, which count as missing`;
    tell(`${pluralize(answered, 'question')} answered${lost}. Answers are cached next to the records.`);
    return isWhole ? code : exitCodes.other;
  } catch (error) {
    return printError(error, io, 'Answers so far are cached. Run the same command again to resume.');
  }
}

/** Counts the unanswered questions about the usable records, and names the unusable records on standard error. */
async function surveyAll(folders: readonly string[], flags: AnnotateFlags, { stderr, env, step }: CommandIO) {
  const modelAt = openModels(flags.model, flags.dryRun ? addMissingKeys(flags.model, env) : env);
  const surveys: Survey[] = [];
  let isComplete = true;
  /** Returns the result of `read`; null if the record cannot be used. */
  const readOrLeaveOut = <Read>(folder: string, read: () => Read): Read | null => {
    try {
      return read();
    } catch (error) {
      isComplete = false;
      const { message } = explainUnusable(folder, error);
      stderr.write(`Left out: ${quoteActingName(folder)}. ${describeError(message)}\n`);
      return null;
    }
  };
  for (const folder of followItems([...new Set(findMatches(folders))], 'matches read', step)) {
    const record = readOrLeaveOut(folder, () => {
      checkNotBehindLink(folder, folders);
      return readFinishedRecord(folder);
    });
    if (record === null) continue;
    // Coders are asked like judges: at temperature 0, unless the model string sets another temperature.
    const model = await modelAt(flags.coding ? 0 : record.manifest.setup.rules.talkTemperature);
    if (flags.coding) checkJudge(model);
    const survey = readOrLeaveOut(folder, () => surveyMatch(folder, record, flags, model));
    if (survey !== null) surveys.push(survey);
  }
  return { surveys, isComplete };
}

async function askAll(
  surveys: readonly Survey[],
  flags: AnnotateFlags,
  progress: ReturnType<typeof countCalls>,
  io: CommandIO,
) {
  const { count, listeners } = followAnswers(progress, io);
  const kind = getAnnotationKind(flags);
  let isWhole = true;
  await runConcurrently(surveys, selectLimits(flags), async ({ folder, model, left, paid }, shared) => {
    if (left.calls === 0) return shared.budget.spend(paid);
    isWhole =
      (await runOrLeaveOut(folder, 'Left out', io, async () => {
        const record = readFinishedRecord(folder);
        const options = { ...shared, ...listeners, kind };
        await annotateStatements(folder, record, listAnnotationItems(record, flags), model, options);
      })) && isWhole;
  });
  return { ...count, isWhole };
}

interface Survey {
  folder: string;
  model: PlayerModel;
  /** Number of all questions, answered or not. */
  questions: number;
  /** Estimated usage of the unanswered questions. */
  left: EstimatedUsage;
  /** Known cost of the cached answers, in USD. */
  paid: number;
}

/**
 * Throws a RecordError for damaged cached answers, and a UsageError for a record that cannot have happened under its
 * rules.
 */
function surveyMatch(folder: string, record: MatchRecord, plan: AnnotationPlan, model: PlayerModel): Survey {
  const items = listAnnotationItems(record, plan);
  const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, getAnnotationKind(plan), model.spec)));
  const open = items.filter((item) => !kept.isAnswered(item));
  const costs = items.flatMap((item) => kept.linesOf(item).map(({ cost }) => cost ?? 0));
  return {
    folder,
    model,
    questions: items.length,
    left: estimateAnnotation(open, model),
    paid: sum(costs),
  };
}

const about =
  'Ask a model to judge the statements of recorded matches from the views of their listeners. Answers are cached next to each record, in annotations.<model>.ndjson, and not asked for again. See docs/reference/annotate.md.';

export async function runAnnotate(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = addLimitOptions(
    createCommand('annotate', about, io)
      .argument('<records...>', 'folders of matches, or folders that contain some, e.g. runs')
      .requiredOption('--model <model>', 'model that judges, e.g. openai:gpt-4o?temperature=0.5')
      .option(...modelsFileOption)
      .option(...allowKeyOption)
      .option('--repeat <n>', 'ask each question this many times, to measure how far the answers agree', readCount, 1)
      .addOption(
        new Option(
          '--listeners <which>',
          'whose views to judge from: one listener who could not know, drawn for each statement, or all listeners',
        )
          .choices(['one', 'all'])
          .default('one'),
      )
      .addOption(
        new Option(
          '--self-reports <notes>',
          'ask the speakers played by this model about their own statements again, with or without their own thoughts',
        ).choices(['with-notes', 'without-notes']),
      )
      .addOption(
        new Option(
          '--coding',
          'ask instead which style, emotions and tactics the words of each statement show, by the scheme in docs/reference/annotate.md; answers go to codings.<model>.ndjson',
        ).conflicts(['listeners', 'selfReports']),
      ),
    recordLimitWords,
  )
    .option('--dry-run', 'only estimate calls, tokens and cost; make no calls and write nothing')
    .option('--quiet', 'print errors only')
    .addHelpText(
      'after',
      `
Unfinished matches and unreadable records are named and left
out. Run the same command again to resume.

Exit codes: 0 done, 1 records left out or another error, 2 wrong usage,
3 provider failure, 4 budget reached, 129 and above stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  const flags = program.opts<AnnotateFlags>();
  const [model] = resolveNames([flags.model], flags.models) as [string];
  return annotateRecords(program.args, { ...flags, model: normalizeModelSpec(model) }, io);
}

if (import.meta.main) await runScript(runAnnotate);
