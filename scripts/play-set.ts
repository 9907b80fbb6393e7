// Plays the matches that a command asks for, shows how far they are, and says how they ended.
import { estimateMatches } from '../graph/estimate.ts';
import { defaultConcurrency } from '../graph/play-match.ts';
import { playMatches, type MatchEnd, type SetListener, type SetResult } from '../graph/play-matches.ts';
import { systemClock } from '../models/transport.ts';
import { UsageError } from '../state/usage-error.ts';
import { exitCodes, fail, wordsOf } from './command/exit.ts';
import type { MatchCommand } from './command/match-command.ts';
import { stopOnSignals } from './command/stop-signals.ts';
import { unwritable } from './command/stopped-match.ts';
import { estimateLine } from './console/estimate-text.ts';
import { sameCommand, withHigherCap } from './console/next-steps.ts';
import { openOperatorLog } from './console/operator-log.ts';
import { hasTerminal } from './console/progress.ts';
import { SetErrors, stopsAll } from './console/set-errors.ts';
import { setFarewell, unfinishedText } from './console/set-farewell.ts';
import { answeredText, outageText, setHeader, surveyText } from './console/set-header.ts';
import { openSetLogs } from './console/set-logs.ts';
import { endText, noProgress, progressLine, progressReport } from './console/set-progress.ts';
import { SetTally } from './console/set-tally.ts';

/** An estimate may hold up the first call for so long, and for one match of bots more. Milliseconds. */
const patience = 1500;

/** Throws where no match could begin; sets the process's exit code where one failed. `argv` is what was typed. */
export async function playSet({ plan: { seed }, planOf, manner }: MatchCommand, argv: readonly string[]) {
  const {
    matches = 1,
    reveal = false,
    json = false,
    quiet = false,
    out,
    maxCost,
    concurrency = defaultConcurrency,
  } = manner;
  if (reveal)
    throw new UsageError(
      '--reveal shows what is secret in the story of one match, and --matches tells no stories. Leave out one of the two; `npm run show` prints a finished match with all that was private.',
    );
  const signal = stopOnSignals();
  const isShown = !json && !quiet;
  const isOneLine = isShown && hasTerminal();
  const log = openOperatorLog({ story: isShown, warnings: !quiet });
  const tally = new SetTally(matches, () => performance.now());
  const told = (line: string) => log.tell(line);
  const progress = isOneLine ? progressLine(tally) : isShown ? progressReport(tally, told, systemClock) : noProgress;
  const logs = openSetLogs(log, tally);
  const errors = new SetErrors();
  const set = { seed, matches, planOf };
  let hasModels = false;
  let hasNews = false;
  let example: string | null = null;

  const listener: SetListener = {
    onOpen: (first) => {
      hasModels = first.setup.bots.length < first.setup.players.length;
      log.tell(setHeader(first, { matches, concurrency, maxCost, out }));
      progress.start();
    },
    onSurveyed: async (left) => {
      const found = surveyText(matches, left);
      if (found !== null) log.tell(found);
      if (!isShown || !hasModels || left.matches === 0) return;
      const until = performance.now() + patience;
      const estimate = await estimateMatches(
        { ...set, matches: left.matches },
        {
          ...{ env: process.env, concurrency, signal, recorded: left.recorded },
          isEnough: () => performance.now() > until,
        },
      );
      tally.expect(estimate.callsOfOne.mean);
      log.tell(estimateLine(estimate, { maxCost, spent: tally.spent.cost ?? 0 }));
    },
    onRecorded: (answers) => tally.recorded(answers),
    onBegin: logs.begin,
    onOutage: (outage) => log.warn(outageText(outage)),
    onAnswered: (afterMs) => log.tell(answeredText(afterMs)),
    onHold: logs.hold,
    onEnd: async (end) => {
      await logs.end(end);
      const isNew = 'error' in end && errors.add(end);
      if ('summary' in end) example ??= end.folder;
      const isNews = 'error' in end ? isNew && !stopsAll(end.error) : end.isPlayed && !isOneLine;
      if (isNews) log.tell(`${hasNews ? '' : '\n'}${endText(end, tally)}`);
      hasNews ||= isNews;
      if (json) await printLine(end);
    },
  };
  let result: SetResult;
  try {
    result = await playMatches(set, { out, maxCost, concurrency, signal, ...listener });
    progress.stop();
    log.tell(setFarewell(tally, logs.repeatedText(), example));
  } catch (error) {
    if (!stopsAll(error)) throw unwritable(error, out);
    return fail(error, `To go on: ${sameCommand(argv)}`);
  } finally {
    progress.stop();
    await log.close();
  }
  tellErrors(errors, result, argv);
}

/** In the shape of a single match's JSON. Resolves when it is handed over: a reader may be slow, and matches many. */
function printLine(end: MatchEnd): Promise<void> {
  const { id, folder } = end;
  const line = 'error' in end ? { id, folder, error: wordsOf(end.error) } : { id, folder, summary: end.summary };
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}

/** Tells the errors on standard error, and sets the exit code. */
function tellErrors(errors: SetErrors, { stopped, waiting, reason }: SetResult, argv: readonly string[]) {
  if (stopped + waiting === 0) return;
  if (stopsAll(reason)) errors.add({ id: '', folder: null, error: reason });
  process.exitCode = errors.code() ?? exitCodes.other;
  const again =
    process.exitCode === exitCodes.budget
      ? `To go on with a higher --max-cost: ${withHigherCap(argv)}`
      : `To go on: ${sameCommand(argv)}`;
  const lines = [...errors.lines(), unfinishedText(stopped, waiting), again];
  process.stderr.write(`${lines.join('\n')}\n`);
}
