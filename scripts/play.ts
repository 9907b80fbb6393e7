// Plays the matches that a command asks for, one told as a story, many a line each; or estimates what they would take.
import path from 'node:path';
import { estimateMatches } from '../graph/estimate.ts';
import {
  type CallsByModel,
  countCallsByModel,
  type MatchSet,
  readRecorded,
  type RecordedMatch,
  surveyMatches,
} from '../graph/match-set.ts';
import { defaultConcurrency, type MatchListener, playMatch } from '../graph/play-match.ts';
import { type MatchEnd, playMatches, type SetListener, type SetResult } from '../graph/play-matches.ts';
import { type MatchPlan, prepareMatch } from '../graph/prepare-match.ts';
import type { Environment } from '../models/model.ts';
import { systemClock } from '../models/retry.ts';
import { pluralize } from '../report/format.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  type CommandIO,
  getExitCode,
  exitCodes,
  getErrorMessage,
  tellError,
  describeError,
} from './command/command-line.ts';
import type { MatchCommand } from './command/match-command.ts';
import {
  formatCapWarning,
  formatEstimate,
  formatEstimateJson,
  formatEstimateLine,
  formatRoughTime,
} from './console/estimate-text.ts';
import { type Logger, openLogger } from './console/logger.ts';
import * as progress from './console/progress.ts';
import {
  createProgramError,
  explainUnwritable,
  formatMatchSummary,
  formatSetSummary,
  formatUnfinished,
  formatResumeCommand,
  isResumable,
  RunErrors,
  formatSameCommand,
  isEndOfSet,
  replaceCap,
  stripMatchName,
} from './console/run-summary.ts';
import { formatSetHeader, formatSurvey, tellStory } from './console/story-output.ts';

/** An estimate may hold up the first call for so long, and for one match of bots more. Milliseconds. */
const patience = 1500;

/** Returns the exit code: another than 0 where a match had to stop. Throws where none could begin. */
export const play = (command: MatchCommand, argv: readonly string[], io: CommandIO): Promise<number> =>
  command.manner.matches === undefined ? playOne(command, io) : playSet(command, argv, io);

/** How much is told. */
function openConsole({ json = false, quiet = false }: MatchCommand['manner'], io: CommandIO) {
  const isShown = !json && !quiet;
  const shown = { story: isShown, warnings: !quiet };
  return { isShown, shown, isOneLine: isShown && progress.hasTerminal(io), log: openLogger(io, shown) };
}

async function playOne({ plan, manner, isSeedDrawn }: MatchCommand, io: CommandIO): Promise<number> {
  const { reveal = false, json = false, out, maxCost, concurrency } = manner;
  const { isShown, isOneLine, log } = openConsole(manner, io);
  const isColored = isShown && Boolean(io.stdout.isTTY) && !io.env['NO_COLOR'];
  const story = tellStory(log, { reveal, isColored, isSeedDrawn });
  const count = { underWay: 0, answered: 0, cost: 0 };
  const line = isOneLine ? progress.openProgressLine(() => progress.formatCalls(count)) : progress.noProgress;
  let begun: string | null = null;
  const listener: MatchListener = {
    ...story,
    onStart: (start) => {
      begun = start.manifest.id;
      story.onStart?.(start);
    },
    onCalls: (underWay) => void (count.underWay = underWay),
    onAnswer: (answer, isRecorded) => {
      count.answered += 1;
      count.cost += answer.cost ?? 0;
      story.onAnswer?.(answer, isRecorded);
    },
  };
  const settings = { out, maxCost, concurrency, env: io.env, signal: io.listenToSignals() };
  try {
    const result = await playMatch({ ...plan, ...listener, ...settings });
    line.stop();
    log.tell(formatMatchSummary(result, begun !== null));
    if (json) await printLine({ ...result, isPlayed: begun !== null }, io);
    return exitCodes.done;
  } catch (error) {
    line.stop();
    if (begun === null) throw explainUnwritable(error, out);
    log.note('stopped', { error: getErrorMessage(error) });
    const isCapReached = getExitCode(error) === exitCodes.budget;
    const again = `To go on${isCapReached ? ' with a higher --max-cost' : ''}: ${formatResumeCommand(begun, out, { maxCost, concurrency, isCapReached })}`;
    return tellError(
      createProgramError(error),
      io,
      `What was answered is recorded.${isResumable(error) ? ` ${again}` : ''}`,
    );
  } finally {
    await log.close();
  }
}

async function playSet(command: MatchCommand, argv: readonly string[], io: CommandIO): Promise<number> {
  const { matches = 1, reveal, json = false, out, maxCost, concurrency = defaultConcurrency } = command.manner;
  if (reveal)
    throw new UsageError(
      '--reveal shows what is secret in the story of one match, and --matches tells no stories. Leave out one of the two; `npm run show` prints a finished match with all that was private.',
    );
  const set = { seed: command.plan.seed, matches, planOf: command.planOf };
  const settings = { out, maxCost, concurrency, env: io.env, signal: io.listenToSignals() };
  const { isShown, isOneLine, log } = openConsole(command.manner, io);
  const tally = new progress.RunTally(matches, () => performance.now());
  const logs = openMatchLogs(log, tally, io);
  const errors = new RunErrors();
  let line = progress.noProgress;
  let hasModels = false;
  let hasNews = false;
  let example: string | null = null;

  const listener: SetListener = {
    onOpen: (first) => {
      hasModels = first.setup.bots.length < first.setup.players.length;
      log.tell(formatSetHeader(first, { matches, concurrency, maxCost, out }));
      if (isOneLine)
        line = progress.openProgressLine(() => progress.formatProgress(tally, progress.computeSpareWidth()));
      else if (isShown) line = progress.openProgressReport(tally, (text) => log.tell(text), systemClock);
    },
    onSurveyed: async (left) => {
      const found = formatSurvey(matches, left);
      if (found !== null) log.tell(found);
      if (!isShown || !hasModels || left.matches === 0) return;
      const until = performance.now() + patience;
      const estimate = await estimateMatches(
        { ...set, matches: left.matches },
        { ...settings, recorded: left.recorded, isEnough: () => performance.now() > until },
      );
      tally.expect(estimate.callsOfOne.mean);
      log.tell(formatEstimateLine(estimate, { maxCost, spent: tally.spent.cost ?? 0 }));
    },
    onRecorded: (answers) => tally.recorded(answers),
    onBegin: logs.begin,
    onOutage: ({ error, patienceMs }) =>
      log.warn(
        `The provider stays down. All matches wait, for ${formatRoughTime(patienceMs)} at most, and one tries again after 1, 2, 4, 8 and then every 10 minutes. ${describeError(error)}`,
      ),
    onAnswered: (afterMs) => log.tell(`Answers come again after ${formatRoughTime(afterMs)}: the matches go on.`),
    onHold: logs.hold,
    onEnd: async (end) => {
      await logs.end(end);
      const isNew = 'error' in end && errors.add(end);
      if ('summary' in end) example ??= end.folder;
      const isNews = 'error' in end ? isNew && !isEndOfSet(end.error) : end.isPlayed && !isOneLine;
      if (isNews) log.tell(`${hasNews ? '' : '\n'}${progress.formatEnd(end, tally)}`);
      hasNews ||= isNews;
      if (json) await printLine(end, io);
    },
  };
  let result: SetResult;
  try {
    result = await playMatches(set, { ...settings, ...listener });
    line.stop();
    log.tell(formatSetSummary(tally, logs.formatRepeated(), example));
  } catch (error) {
    line.stop();
    if (!isEndOfSet(error)) throw explainUnwritable(error, out);
    return tellError(error, io, `To go on: ${formatSameCommand(argv)}`);
  } finally {
    await log.close();
  }
  return tellErrors(errors, result, argv, io);
}

/** Prints what came of a match as JSON. Resolves when it is handed over: a reader may be slow, and matches many. */
function printLine(end: MatchEnd, { stdout }: CommandIO): Promise<void> {
  const { id, folder } = end;
  const line = 'error' in end ? { id, folder, error: describeError(end.error) } : { id, folder, summary: end.summary };
  return new Promise((resolve) => void stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}

/** Tells on standard error what stopped matches, and returns the exit code. */
function tellErrors(
  errors: RunErrors,
  { stopped, waiting, reason }: SetResult,
  argv: readonly string[],
  { stderr }: CommandIO,
): number {
  if (stopped + waiting === 0) return exitCodes.done;
  if (isEndOfSet(reason)) errors.add({ id: '', folder: null, error: reason });
  const code = errors.exitCode() ?? exitCodes.other;
  const again =
    code === exitCodes.budget
      ? `To go on with a higher --max-cost: ${replaceCap(argv)}`
      : `To go on: ${formatSameCommand(argv)}`;
  stderr.write(`${[...errors.lines(), formatUnfinished(stopped, waiting), again].join('\n')}\n`);
  return code;
}

/** The log of each of many matches, in its own folder; warnings are told on the console besides, each once. */
function openMatchLogs(console: Logger, tally: progress.RunTally, io: CommandIO) {
  const open = new Map<string, Logger>();
  const warned = new Set<string>();
  let repeated = 0;
  const close = async (id: string, note: string, error: unknown) => {
    const log = open.get(id);
    open.delete(id);
    if (error !== undefined) log?.note(note, { error: describeError(error) });
    await log?.close();
  };
  return {
    /** Listens to a match that is played now. */
    begin: (match: { id: string; folder: string | null }): MatchListener => {
      const { id } = match;
      const onLost = (words: string) => console.warn(`${id}: ${words}`); // each, for its log cannot say so
      const log = openLogger(io, { story: false, warnings: false }, onLost);
      const story = tellStory(log, { reveal: false, isColored: false, isSeedDrawn: false });
      open.set(id, log);
      tally.begin(id);
      return {
        ...story,
        onCalls: (underWay) => tally.calls(id, underWay),
        onAnswer: (line, isRecorded) => {
          story.onAnswer?.(line, isRecorded);
          tally.answer(id, line, isRecorded);
        },
        onWarning: (message) => {
          story.onWarning?.(message);
          const same = stripMatchName(message, match);
          if (warned.has(same)) repeated += 1;
          else console.warn(`${id}: ${message}`);
          warned.add(same);
        },
      };
    },
    /** Resolves when everything is written. */
    end: async (end: MatchEnd) => {
      tally.end(end);
      await close(end.id, 'stopped', 'error' in end ? end.error : undefined);
    },
    /** The same for a match that begins again when its provider answers. */
    hold: async ({ id, error }: { id: string; error: unknown }) => {
      tally.hold(id);
      await close(id, 'waiting', error);
    },
    /** What was not told of warnings; null where all were. */
    formatRepeated: () =>
      repeated === 0
        ? null
        : `${pluralize(repeated, 'warning')} of other matches said the same; their log.ndjson has them.`,
  };
}

// The dry run.

/** Prints the estimate for what is left to play. Throws as preparing a match does, except for keys that are not set. */
export async function runDry(command: MatchCommand, io: CommandIO): Promise<number> {
  const { plan, planOf, manner } = command;
  const { concurrency = defaultConcurrency, matches = 1, maxCost, json = false } = manner;
  const env = await addKeys(plan, io.env);
  const left = await surveyLeft(command, env);
  const estimate = await estimateMatches(
    { seed: plan.seed, matches: left.matches, planOf },
    { env, concurrency, recorded: left.recorded, ...(left.matches === 0 ? { isEnough: () => true } : {}) },
  );
  const lines = json
    ? [formatEstimateJson(estimate, concurrency)]
    : [
        formatSurvey(matches, left),
        left.matches === 0 ? null : formatEstimate(estimate, concurrency),
        formatCapWarning(estimate, { maxCost, spent: left.paid }),
        'Nothing was called or written.',
      ];
  io.stdout.write(`${lines.filter((line) => line !== null).join('\n')}\n`);
  return exitCodes.done;
}

/** What is recorded already need not be played. */
async function surveyLeft({ plan, planOf, manner: { matches, maxCost, out } }: MatchCommand, env: Environment) {
  const left = { matches: 0, paid: 0, recorded: [] as CallsByModel[] };
  const isCapped = maxCost !== undefined;
  const add = ({ result, answers, paid }: RecordedMatch) => {
    left.paid += paid;
    if (!result) left.matches += 1;
    if (!result && answers.length > 0) left.recorded.push(countCallsByModel(answers));
  };
  if (matches === undefined) {
    const match = await prepareMatch(plan, env, 0);
    add(readRecorded(match, path.join(out, match.manifest.id), { isCapped }));
    return left;
  }
  const set: MatchSet = { seed: plan.seed, matches, planOf };
  for await (const recorded of surveyMatches(set, { out, env, now: 0, isCapped })) add(recorded);
  return left;
}

/** Keys that the environment lacks are made up, since nothing is called. */
async function addKeys(plan: MatchPlan, given: Environment): Promise<Environment> {
  try {
    await prepareMatch(plan, given, 0);
    return given;
  } catch (error) {
    const named = [...JSON.stringify(plan).matchAll(/apiKeyEnv=(\w+)/g)].map(([, name]) => name!);
    const keys = ['OPENAI_API_KEY', 'GOOGLE_API_KEY', ...named].filter((name) => !given[name]);
    const env = { ...given, ...Object.fromEntries(keys.map((name) => [name, 'none'])) };
    return prepareMatch(plan, env, 0).then(
      () => env,
      () => {
        throw error;
      },
    );
  }
}
