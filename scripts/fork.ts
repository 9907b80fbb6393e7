// Measures effects of statements: replays recorded matches from a statement on, with the original statement or with a
// replacement. `npm run fork -- <folders> --where … --arms … --out FOLDER`.
import { formatJudgeFlags, formatJudges, type JudgePlan } from '../deception/claims/majority-claims.ts';
import { Option } from 'commander';
import path from 'node:path';
import { chooseForRanking } from '../deception/forks/estimate-effects.ts';
import type { ForkedStatement } from '../deception/forks/forked-statement.ts';
import { checkArms, type NameModel, type PlannedFork } from '../graph/fork/fork-set.ts';
import { nameFork } from '../graph/fork/fork-record.ts';
import type { CallLimits } from '../models/call-limits.ts';
import { selectLimits } from '../models/call-limits.ts';
import { type Budget, createBudget } from '../models/budget.ts';
import { getDisk } from '../models/machine/machine.ts';
import { readModelsFile } from '../models/providers/models-file.ts';
import { renderForkFindings } from '../report/fork-effects-pages.ts';
import { sanitizeText } from '../report/format.ts';
import { formatCommand, nameCommand } from '../state/command-name.ts';
import { getModelLabel, identifyModel } from '../state/model-identity.ts';
import { recordFiles } from '../state/record.ts';
import { quoteActingName } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  exitCodes,
  modelsFileOption,
  readCount,
  readWhole,
  runScript,
} from './command/command-line.ts';
import { readJudgePlan, resolveNames } from './command/judge-options.ts';
import { addLimitOptions, matchLimitWords } from './command/limit-options.ts';
import { drawStatements, findStatements, type FoundStatement } from './fork/choose-statements.ts';
import { describeExpense, describeHalfWidths } from './fork/forecast-forks.ts';
import {
  checkSameStudy,
  defaultNeutral,
  type ForkStudy,
  getForksFolder,
  parseArms,
  readForkStudy,
  writeForkStudy,
} from './fork/fork-study.ts';
import { createForkReport, listAskedAgain, measureForks, writeForkReport } from './fork/make-effects.ts';
import { planForks, planFreshForks } from './fork/plan-forks.ts';
import { playForks } from './fork/play-forks.ts';
import type { JudgedShare } from './report/judge-records.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';
import { boundLimits } from './run/run-match-command.ts';

interface ForkFlags extends CallLimits {
  where?: string;
  arms?: string;
  until?: ForkStudy['until'];
  sample?: number;
  seed?: number;
  neutral?: string;
  judge?: string;
  rank?: number;
  models?: string;
  out: string;
  dryRun?: boolean;
  quiet?: boolean;
  cache: boolean;
}

const about =
  'Measure the effects of statements. Select statements of recorded matches, replay each match from that statement in several arms (as it was said, with another sentence, in silence, or asked again), and report the differences. See docs/guides/what-a-lie-does.md.';

function readFlags(argv: readonly string[], io: CommandIO): { folders: readonly string[]; flags: ForkFlags } {
  const program = createCommand('fork', about, io)
    .argument(
      '[folders...]',
      'folders of matches, or folders that contain some; without them, the study in --out is resumed',
    )
    .option(
      '--where <conditions>',
      'statements to fork: COLUMN=VALUE or COLUMN!=VALUE of the table statements, separated by spaces; columns of claims have the prefix "claim."',
    )
    .option(
      '--arms <arms>',
      'replacements of the statement, separated by commas: keep, neutral, say:"WORDS", silence, honest, resample (keep is always played)',
    )
    .addOption(
      new Option(
        '--until <when>',
        'where forks end: at the vote of the day, or at the end of the match (default: vote)',
      ).choices(['vote', 'end']),
    )
    .option('--sample <n>', 'number of statements, drawn at random (default: all)', readCount)
    .option('--seed <n>', 'seed of that draw (default: 1)', readWhole)
    .option('--neutral <text>', `the sentence of the arm neutral (default: "${defaultNeutral}")`)
    .option('--judge <model>', 'judge of the claims, in the study and in new statements (default: the rules)')
    .option(
      '--rank <n>',
      'replay this many statements with the largest effects ten more times, and rank them by these fresh replays',
      readCount,
    )
    .option(...modelsFileOption)
    .option(...allowKeyOption)
    .requiredOption('--out <folder>', 'folder of the study: its settings, forks and report');
  addLimitOptions(program, {
    ...matchLimitWords,
    maxCost: 'start no call once this much is spent, over all forks',
  })
    .option(
      '--dry-run',
      'only print the forks, the estimate and the expected precision; make no calls and write nothing',
    )
    .option('--quiet', 'print errors only')
    .option(...noCacheOption)
    .addHelpText(
      'after',
      `
Examples:
  ${nameCommand('fork')} runs --where 'verdict=lie team=werewolves kind=debate' --arms neutral,silence --sample 50 --out forks
  ${nameCommand('fork')} runs --where 'verdict=true kind=debate role=Seer' --arms silence --out forks-of-reports
  ${nameCommand('fork')} --out forks

Run the same command again to resume. The arm keep is played twice: the
second replay shows how much two continuations differ by chance.

Exit codes: 0 done, 1 unfinished forks or another error, 2 wrong usage,
3 provider failure, 4 budget reached, 5 too many unreadable answers, 129 and above
stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  return { folders: program.args, flags: program.opts<ForkFlags>() };
}

/**
 * Returns the study stored in the folder with the typed changes, or a new study without statements. Throws a UsageError
 * for conflicting settings.
 */
function settleStudy(folders: readonly string[], flags: ForkFlags): ForkStudy {
  const kept = readForkStudy(flags.out);
  const { where, until, sample, seed, rank } = flags;
  const neutral = flags.neutral ?? kept?.neutral ?? defaultNeutral;
  const judge = flags.judge === undefined ? undefined : resolveNames([flags.judge], flags.models)[0];
  const arms = flags.arms === undefined ? undefined : parseArms(flags.arms, neutral);
  if (kept !== null) {
    const typed = { where, until, sample, seed, rank, judge, arms, neutral: flags.neutral };
    checkSameStudy(flags.out, kept, { ...typed, study: folders.length === 0 ? undefined : [...folders] });
    return { ...kept, sample: sample ?? kept.sample, rank: rank ?? kept.rank };
  }
  if (folders.length === 0)
    throw new UsageError(`${flags.out} contains no study of forks to resume. Name folders of matches to begin one.`);
  if (where === undefined)
    throw new UsageError(
      `--where is missing: it selects the statements to fork, e.g. --where 'verdict=lie team=werewolves kind=debate'.`,
    );
  if (arms === undefined) throw new UsageError('--arms is missing, e.g. --arms neutral,silence.');
  const settings = { study: [...folders], where, arms, neutral, until: until ?? ('vote' as const), seed: seed ?? 1 };
  return { version: 1, ...settings, sample: sample ?? null, judge: judge ?? null, rank: rank ?? 0, statements: [] };
}

/**
 * Creates a function that looks up a recorded model in the current models file by its name, because the model's address
 * may have changed. The function returns the recorded model unchanged if the name now means another model.
 */
function createModelNamer(file: string | undefined): NameModel {
  if (file === undefined) return (model) => model;
  const named = readModelsFile(file);
  return (model) => {
    const present = typeof model === 'string' ? named.get(getModelLabel(model)) : undefined;
    return present !== undefined && identifyModel(present) === identifyModel(model as string) ? present : model;
  };
}

const isOver = (fork: PlannedFork, out: string): boolean =>
  getDisk().exists(path.join(getForksFolder(out), nameFork(fork.of), recordFiles.summary));

/** A study, and everything that is needed to play it. */
interface ForkRun {
  study: ForkStudy;
  found: readonly FoundStatement[];
  judge: JudgePlan | undefined;
  out: string;
}

function describeDryRun({ study, found, judge, out }: ForkRun): string {
  const forks = planForks(found, study);
  const left = forks.filter((fork) => !isOver(fork, out));
  const played = measureForks(
    found,
    forks.filter((fork) => isOver(fork, out)),
    { out, judge },
  );
  const pilot = played.filter((one) => one.forks.length > 0);
  return [
    describeExpense(found, forks, left),
    ...(judge === undefined
      ? []
      : [`Not included: the judge’s calls about new statements (${formatJudgeFlags(judge)}).`]),
    describeHalfWidths(pilot),
    'No calls were made and nothing was written.',
  ].join('\n');
}

/**
 * Throws a UsageError if a dry run needs the judge's answers and these are not cached, because a dry run makes no
 * calls.
 */
function checkJudged({ judged, unjudged }: JudgedShare, folders: readonly string[], judge: JudgePlan): void {
  if (unjudged.length === 0) return;
  throw new UsageError(
    `${formatJudges(judge)} has not read ${unjudged.length} of ${judged + unjudged.length} matches, so --dry-run, which makes no calls, cannot select statements by its verdicts. First run: ${formatCommand('report', ...folders)} ${formatJudgeFlags(judge)}. Or leave out --judge.`,
  );
}

/** Asks the study's judge to read the new statements. */
async function readAskedAgain(
  forks: readonly PlannedFork[],
  { out, judge }: ForkRun,
  limits: CallLimits,
  io: CommandIO,
) {
  const folders = listAskedAgain(forks, out);
  if (judge === undefined || folders.length === 0) return;
  const { judgeFolders } = await import('./report/judge-records.ts');
  await judgeFolders(folders, judge, limits, io);
}

/** Plays the forks of a study, then the fresh replays of ranked statements. Returns the exit code and the results. */
async function playStudy(
  run: ForkRun,
  {
    limits,
    budget,
    nameModel,
    isQuiet,
  }: { limits: CallLimits; budget: Budget; nameModel: NameModel; isQuiet: boolean },
  io: CommandIO,
): Promise<{ code: number; statements: readonly ForkedStatement[] }> {
  const { study, found, judge, out } = run;
  const forks = planForks(found, study);
  const means = { out, limits, budget, nameModel, isQuiet };
  const code = await playForks(forks, means, io);
  if (code !== exitCodes.done) return { code, statements: [] };
  await readAskedAgain(forks, run, limits, io);
  const statements = measureForks(found, forks, { out, judge, onStep: io.step });
  if (study.rank === 0) return { code, statements };
  const fresh = planFreshForks(chooseForRanking(statements, study.rank), study);
  const again = await playForks(fresh, means, io);
  return {
    code: again,
    statements:
      again === exitCodes.done ? measureForks(found, [...forks, ...fresh], { out, judge, onStep: io.step }) : [],
  };
}

export async function runFork(argv: readonly string[], io: CommandIO): Promise<number> {
  const { folders, flags } = readFlags(argv, io);
  const { out, quiet = false, dryRun = false } = flags;
  const study = settleStudy(folders, flags);
  const nameModel = createModelNamer(flags.models);
  const judge =
    study.judge === null ? undefined : readJudgePlan([study.judge], { judgePer: 'statement', repeat: 1, guard: true });
  const limits = boundLimits(selectLimits(flags), io, usualConcurrency);
  const tell = (text: string) => void (quiet || io.stdout.write(text));
  const cache = flags.cache ? new MeasurementCache(chooseCache(io)) : null;
  if (judge !== undefined) {
    const { judgeRecords, surveyJudged } = await import('./report/judge-records.ts');
    const judged = { folders: study.study, judge, cache: flags.cache ? chooseCache(io) : null };
    if (dryRun) checkJudged(surveyJudged(judged, io.step), study.study, judge);
    else await judgeRecords(judged, limits, io);
  }
  const selected = await findStatements({ study: study.study, where: study.where, judge }, cache, io);
  const found = drawStatements(selected, study);
  const statements = found.map(({ match, folder, statement }) => ({ match, folder, statement }));
  const run: ForkRun = { study: { ...study, statements }, found, judge, out };
  if (dryRun) {
    tell(`${sanitizeText(`${selected.length} statements are selected.`)}\n${describeDryRun(run)}\n`);
    return exitCodes.done;
  }
  if (readForkStudy(out) === null) await checkArms(planForks(found, study));
  writeForkStudy(out, run.study);
  tell(
    `${found.length} of ${selected.length} selected statements, ${planForks(found, study).length} forks in ${getForksFolder(out)}.\n`,
  );
  const means = { limits, budget: createBudget(limits.maxCost ?? null), nameModel, isQuiet: quiet };
  const { code, statements: measured } = await playStudy(run, means, io);
  if (code !== exitCodes.done) return code;
  io.step?.('Estimating the effects', 0, 0);
  const report = createForkReport(run.study, measured, judge);
  const files = writeForkReport(out, report, measured);
  tell(`\n${renderForkFindings(report)}\n`);
  tell(files.map((file) => `${quoteActingName(file)}\n`).join(''));
  return exitCodes.done;
}

/** Default number of concurrent calls to one server. */
const usualConcurrency = 32;

if (import.meta.main) await runScript(runFork);
