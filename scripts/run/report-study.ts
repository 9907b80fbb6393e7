// Ends a study with a judge: writes its report and its comparison into its folder.
import path from 'node:path';
import { formatJudgeFlags } from '../../deception/claims/majority-claims.ts';
import { formatCommand } from '../../state/command-name.ts';
import { sanitizeText } from '../../report/format.ts';
import { type CommandFunction, type CommandIO, exitCodes, printError } from '../command/command-line.ts';
import type { OutputStream } from '../command/guarded-output.ts';
import type { MatchJudging } from './judge-as-played.ts';

/** The commands that write the final pages of a study. They are loaded when needed. */
export type StudyCommands = Readonly<Record<'report' | 'compare', () => Promise<CommandFunction>>> & {
  /** Loads the function that prints the table of a study without a judge. */
  readonly tell: () => Promise<(out: string, io: CommandIO) => Promise<void>>;
};

interface Study {
  out: string;
  judging: MatchJudging;
  /** Whether a comparison can find differences between models. */
  isCrossed: boolean;
  /** Whether the report ends with a leaderboard. It is then printed too, and of the comparison only the path. */
  isRated?: boolean | undefined;
  /** File of the analysis plan that the comparison follows. */
  planFile?: string | undefined;
  /** Whether to skip the report, because a match is unfinished or no report is wanted. */
  isOpen: boolean;
  manner: { json?: boolean | undefined; quiet?: boolean | undefined };
  commands: StudyCommands;
}

/** Names of the folders that hold these pages, inside the study's folder. */
const studyPages = { report: 'report', comparison: 'comparison' } as const;

/**
 * Waits for the judge, then writes STUDY/report and, if models can be compared, STUDY/comparison, and prints the paths.
 * Returns the exit code of the part that failed first. With `json` the last line names the folders.
 *
 * @example await reportStudy({ out: 'runs/study', judging, isCrossed: true, isOpen: false, manner, commands }, io)
 */
export async function reportStudy(
  { out, judging, isCrossed, isRated = false, planFile, isOpen, manner, commands }: Study,
  io: CommandIO,
): Promise<number> {
  const isTold = !manner.json && !manner.quiet;
  const tell = (line: string) => void (isTold && io.stdout.write(`${sanitizeText(line)}\n`));
  const flags = formatJudgeFlags(judging.plan);
  try {
    tell(await judging.finish());
  } catch (error) {
    return printError(error, io, `To judge the rest: ${sanitizeText(formatCommand('report', out))} ${flags}`);
  }
  if (isOpen) return exitCodes.done;
  const silent = { ...io, ...(!isTold && { stdout: silence }) };
  const judge = ['--judge', ...judging.plan.models];
  const planned = planFile === undefined ? [] : ['--plan', planFile];
  const folders = { report: path.join(out, studyPages.report), comparison: path.join(out, studyPages.comparison) };
  // The report and the comparison print the same table; the comparison adds differences. The report's output is
  // therefore held back, and printed only if there is no comparison.
  const kept: string[] = [];
  const keep: OutputStream = { write: (text, written) => void (kept.push(String(text)), written?.()) };
  const isCompared = isCrossed && !isRated;
  const own = isCompared && isTold ? { ...io, stdout: keep } : silent;
  const reported = await run(commands.report, [out, ...judge, '--out', folders.report], own);
  if (reported !== exitCodes.done && reported !== exitCodes.unreadable) return reported;
  if (isCompared) tell(path.join(folders.report, 'report.md'));
  const compared = isCrossed
    ? await run(
        commands.compare,
        [out, ...judge, ...planned, '--out', folders.comparison],
        isRated ? { ...io, stdout: silence } : silent,
      )
    : exitCodes.done;
  if (isCrossed && isRated && compared === exitCodes.done) tell(path.join(folders.comparison, 'comparison.md'));
  if (compared !== exitCodes.done) io.stdout.write(kept.join(''));
  if (manner.json)
    io.stdout.write(
      `${JSON.stringify({ report: folders.report, ...(isCrossed && { comparison: folders.comparison }) })}\n`,
    );
  return reported === exitCodes.done ? compared : reported;
}

/** Runs a command separately. An error of the command is printed, and does not change the result of the matches. */
async function run(load: StudyCommands['report'], argv: readonly string[], io: CommandIO): Promise<number> {
  try {
    return (await (await load())(argv, io)) ?? exitCodes.done;
  } catch (error) {
    return printError(error, io);
  }
}

const silence: OutputStream = { write: (_text, written) => written?.() };
