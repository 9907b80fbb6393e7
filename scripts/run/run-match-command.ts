// Plays the matches that a command asks for, or estimates them.
import { estimateBeliefs, estimateBothTurns, estimateMatches, estimateWithFullMemory } from '../../graph/estimate.ts';
import { createGrowingSet, playGrowing } from '../../graph/pool/pool-growth.ts';
import {
  type CallsByModel,
  countCallsByModel,
  countMatches,
  type MatchSet,
  prepareFirstMatches,
  surveyMatches,
} from '../../graph/match-set.ts';
import { checkPrices, defaultConcurrency } from '../../graph/play-match.ts';
import { type CallLimits, type PlayLimits, selectLimits } from '../../models/call-limits.ts';
import { playMatches } from '../../graph/play-matches.ts';
import { tellServers } from '../../models/key-policy.ts';
import type { Environment } from '../../models/model.ts';
import { addMissingKeys } from '../../models/providers/index.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, exitCodes } from '../command/command-line.ts';
import type { People } from '../../models/human/people.ts';
import { ServedTable } from '../people/served-table.ts';
import { TerminalTable } from '../people/terminal-table.ts';
import { warnOfFileSystem } from '../command/file-system.ts';
import type { MatchCommand } from '../command/match-command.ts';
import {
  addJudgeCost,
  formatCapWarning,
  formatBeliefs,
  formatJudgeEstimate,
  formatMatchEstimate,
  formatEstimateJson,
  formatMemorySaving,
  formatTurns,
} from '../console/estimate-text.ts';
import { formatSurvey } from '../console/match-header.ts';
import { isCrossedSet, openSetPresentation } from '../console/set-output.ts';
import { openStoryPresentation } from '../console/story-output.ts';
import { reportStudy, type StudyCommands } from './report-study.ts';
import { openJudgeCounter } from './estimate-judge.ts';
import { openMatchJudging } from './judge-as-played.ts';
import { recordStudy } from '../study/record-study.ts';

/** Creates the set. A single match is a set of one. */
function createSet({ seed, planOf, arms, manner, growth, people }: MatchCommand): MatchSet {
  const set = { seed, planOf, arms, matches: manner.matches ?? 1, replicates: manner.replicates, people };
  return growth ? createGrowingSet(set, growth) : set;
}

/**
 * Plays one match as a story, or several matches with a line for each. The judge named by the command reads each match
 * as soon as it ends; several matches then end in a report. Returns the exit code, which is not 0 if a match or the
 * judge had to stop. Throws if no match could begin.
 */
export async function runMatches(
  command: MatchCommand,
  argv: readonly string[],
  io: CommandIO,
  commands: StudyCommands,
): Promise<number> {
  const { matches, out, mixWordings } = command.manner;
  const set = createSet(command);
  const limits = boundLimits(selectLimits(command.manner), io);
  const signal = io.listenToSignals();
  await io.boundHeap?.(Math.min(countMatches(set), limits.concurrency));
  const settings = { out, mixWordings, ...limits, env: io.env, signal };
  warnOfFileSystem(out, io);
  const warn = (line: string) => void (command.manner.quiet || io.stderr.write(`${line}\n`));
  // Opening the judge or the people's pages may fail. Both are opened first, before anything that must be closed again.
  const judging = command.judge === undefined ? null : await openMatchJudging(command.judge, limits, { ...io, signal });
  const people = openPeople(command.manner, io);
  const study = { set, out, env: io.env, judge: command.judge, limits, warn };
  const recording = matches === undefined ? null : recordStudy(study);
  const { tellResult, tellFailure, close, ...presentation } =
    recording === null
      ? openStoryPresentation(command, io)
      : openSetPresentation(command, set, { ...settings, onEstimate: recording.expect }, argv, io);
  const listener = recording?.listen(presentation.listener) ?? presentation.listener;
  const asking = { people, operator: command.manner.operator };
  const options = {
    ...settings,
    ...asking,
    ...(judging ? judging.listen(listener) : listener),
    budget: judging?.budget,
  };
  const play = command.growth ? playGrowing(set, command.growth, options) : playMatches(set, options);
  const code = await play.then(tellResult, tellFailure).finally(() => {
    recording?.close();
    return close();
  });
  if (signal.aborted) return code;
  if (judging === null)
    return printUnjudgedEnd(
      { code, out, manner: matches === undefined ? { quiet: true } : command.manner, commands },
      io,
    );
  const isCrossed = isCrossedSet(set);
  const judged = await reportStudy(
    {
      ...{ out, judging, isCrossed, planFile: command.planFile, manner: command.manner, commands },
      isOpen: matches === undefined || code !== exitCodes.done || command.manner.report === false,
    },
    io,
  );
  return code === exitCodes.done ? judged : code;
}

/** Returns how people are asked: on pages, on the terminal, or not at all. */
function openPeople(
  { serve, host = '127.0.0.1', port = 0 }: MatchCommand['manner'],
  io: CommandIO,
): People | undefined {
  if (serve) return new ServedTable({ host, port }, (line) => void io.stderr.write(`${line}\n`));
  return io.stdin ? new TerminalTable(io.stdin, io.stdout) : undefined;
}

interface Unjudged {
  code: number;
  out: string;
  manner: { json?: boolean | undefined; quiet?: boolean | undefined; report?: boolean | undefined };
  commands: StudyCommands;
}

/**
 * Prints the table of a study without a judge that ended well. Prints nothing for programs, or if no report is wanted.
 * Returns `code`.
 */
export async function printUnjudgedEnd({ code, out, manner, commands }: Unjudged, io: CommandIO): Promise<number> {
  const isTold = manner.json !== true && manner.quiet !== true && manner.report !== false;
  if (isTold && code === exitCodes.done) await (await commands.tell())(out, io);
  return code;
}

/**
 * Numbers of open files and connections. The process itself needs `besides`, and each match with its calls `ofMatch`.
 */
const openFiles = { besides: 28, ofMatch: 6 };

/**
 * Completes the limits of a command, so that it has no more calls and matches at the same time than this process may
 * open files for (`ulimit -n`). `usual`: number of concurrent calls if none is given. Prints a line if it is lowered.
 * Throws a UsageError if not even one match is possible.
 */
export const boundLimits = (limits: CallLimits, io: CommandIO, usual = defaultConcurrency): PlayLimits => ({
  ...limits,
  concurrency: boundByOpenFiles(limits.concurrency ?? usual, io),
});

function boundByOpenFiles(wanted: number, { stderr }: CommandIO): number {
  const most = findOpenFileLimit();
  const room = Math.floor((most - openFiles.besides) / openFiles.ofMatch);
  if (room >= wanted) return wanted;
  const cure = `Raise it with ulimit -n, to ${openFiles.besides + openFiles.ofMatch * wanted} for --concurrency ${wanted}`;
  if (room < 1) throw new UsageError(`This process may open ${most} files, too few for a match. ${cure}.`);
  stderr.write(`This process may open ${most} files, enough for ${room} concurrent calls and matches. ${cure}.\n`);
  return room;
}

function findOpenFileLimit(): number {
  Object.assign(process.report, { excludeNetwork: true }); // network information would take long to collect
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return Number(userLimits?.open_files?.soft) || Infinity; // `soft` may be "unlimited", and is missing on Windows
}

/**
 * Prints the estimate for the matches that are left to play. Throws like preparing a match, except for missing keys.
 */
export async function runDry(command: MatchCommand, io: CommandIO): Promise<number> {
  const { concurrency = defaultConcurrency, maxCost, mixWordings = false, json = false, out } = command.manner;
  const set = createSet(command);
  const env = await findUsableKeys(set, io.env);
  const refusal = maxCost === undefined ? null : await findPriceRefusal(set, env, maxCost);
  const counter = await openJudgeCounter(command.judge, env);
  const left = { matches: 0, paid: 0, recorded: [] as CallsByModel[] };
  let surveyed = 0;
  const location = { out, env, now: 0, isCapped: maxCost !== undefined, refusesOtherWordings: !mixWordings };
  for await (const match of surveyMatches(set, location)) {
    io.step?.('matches found', ++surveyed, countMatches(set));
    left.paid += match.paid;
    if (match.result?.folder) counter?.addFinished(match.result.folder);
    if (!match.result) left.matches += 1;
    if (!match.result && match.answers.length > 0) left.recorded.push(countCallsByModel(match.answers));
  }
  tellServers(env);
  const estimate = await estimateMatches(set, {
    env,
    concurrency,
    left: left.matches,
    recorded: left.recorded,
    ...(left.matches === 0 ? { mostRuns: 1 } : {}),
    ...(counter && { onRun: counter.onRun }),
    onStep: io.step,
  });
  const judge = counter?.finish(left.matches) ?? null;
  const options = { env, concurrency, left: left.matches, recorded: left.recorded, onStep: io.step };
  const full = await estimateWithFullMemory(set, options);
  const turns = left.matches === 0 ? null : await estimateBothTurns(set, estimate, options);
  const beliefs = left.matches === 0 ? null : await estimateBeliefs(set, options);
  const lines = json
    ? [formatEstimateJson(estimate, concurrency, { full, turns, judge, beliefs })]
    : [
        formatSurvey(countMatches(set), left),
        left.matches === 0 ? null : formatMatchEstimate(estimate, concurrency),
        left.matches === 0 ? null : formatMemorySaving(estimate, full),
        formatTurns(turns),
        judge && formatJudgeEstimate(judge, estimate.cost),
        formatBeliefs(beliefs),
        formatCapWarning(addJudgeCost({ ...estimate, matches: countMatches(set) }, judge), {
          maxCost,
          spent: left.paid,
        }),
        refusal && `Without --dry-run, this command would fail: ${refusal}`,
        'No calls were made and nothing was written.',
      ];
  io.stdout.write(`${lines.filter((line) => line !== null).join('\n')}\n`);
  return exitCodes.done;
}

/** Explains why the cap cannot be enforced; null if all prices are known. */
export async function findPriceRefusal(set: MatchSet, env: Environment, maxCost: number): Promise<string | null> {
  try {
    for (const { prepared } of await prepareFirstMatches(set, { out: null, env, now: 0 }))
      checkPrices(prepared.seats, maxCost);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/**
 * Returns the environment with made-up values for missing keys. `models`: the part of the command that names the set's
 * models. Throws like opening the models, except for missing keys.
 */
export async function findUsableKeys(set: MatchSet, env: Environment, models?: unknown): Promise<Environment> {
  const prepare = (keys: Environment) => prepareFirstMatches(set, { out: null, env: keys, now: 0 });
  try {
    await prepare(env);
    return env;
  } catch (error) {
    const named = models ?? [await set.planOf(set.seed, { seed: set.seed }), set.arms];
    const keyed = addMissingKeys(JSON.stringify(named), env);
    return prepare(keyed).then(
      () => keyed,
      (other: unknown) => {
        throw keyed === env ? error : other; // `other`: the error that remains with made-up keys
      },
    );
  }
}
