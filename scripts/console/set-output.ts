// Output for many matches: a line for each that ends, progress, and a table at the end.
import { estimateMatches } from '../../graph/estimate.ts';
import { listPersonSeats } from '../../graph/people-at-table.ts';
import { countMatches, type MatchSet } from '../../graph/match-set.ts';
import type { MatchListener } from '../../graph/play-match.ts';
import type { MatchEnd, SetListener } from '../../graph/play-matches.ts';
import type { PlayLimits } from '../../models/call-limits.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { LockedElsewhere } from '../../models/record/lock.ts';
import { formatRoughTime, pluralize } from '../../report/format.ts';
import { formatCommand } from '../../state/command-name.ts';
import type { Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, describeError, exitCodes, printError } from '../command/command-line.ts';
import type { MatchCommand } from '../command/match-command.ts';
import { formatCommandWithOtherCap } from '../command/resume-command.ts';
import { formatEstimateLine, type QuickEstimate } from './estimate-text.ts';
import { type Logger, openLogger } from './logger.ts';
import { formatSetHeader, formatSurvey } from './match-header.ts';
import { openConsole, type Presentation, printLine } from './presentation.ts';
import * as progress from './progress.ts';
import {
  explainUnwritable,
  formatSetSummary,
  formatUnfinished,
  isEndOfSet,
  listKeptJudges,
  RunErrors,
  stripMatchName,
} from './closing-summary.ts';
import { createNobodyServedError, printStory } from './story-output.ts';

/** Number of dry runs for the estimate before the first call. They take about a second; `--dry-run` uses more. */
const quickRuns = 4;

/** Settings of the matches that are not in `SetOptions`. */
export interface SetSettings extends PlayLimits {
  out: string;
  env: CommandIO['env'];
  signal: AbortSignal;
  /** Called before the first call, with the estimated calls and USD of one match. */
  onEstimate?: (of: { calls: number; cost: number | null }) => void;
}

/** Words and estimate of the command that plays the set. */
export interface SetWords {
  command: string;
  formatHeader: (first: Manifest) => string;
  /** Sentence on who plays the remaining matches, if other processes do. */
  others?: string;
  /** Whether progress shows waiting matches and the pace of each provider. */
  isDetailed?: boolean;
  /** Estimates the matches that are still to be played. Default: the estimate of `match`. */
  estimateLeft?: () => Promise<QuickEstimate>;
}

/**
 * Returns whether several models play the Werewolves on the same deals, so that `compare` can find their differences.
 */
export const isCrossedSet = ({ arms }: Pick<MatchSet, 'arms'>): boolean =>
  new Set(arms?.map((arm) => arm.werewolves)).size > 1;

/**
 * Opens the presentation of many matches. Throws a UsageError for options that only one match can have, such as
 * --reveal.
 */
export function openSetPresentation(
  { manner: { reveal, json = false, ...manner } }: { manner: Omit<MatchCommand['manner'], 'out'> },
  set: MatchSet,
  settings: SetSettings,
  argv: readonly string[],
  io: CommandIO,
  words: SetWords = {
    command: 'match',
    formatHeader: (first) => formatSetHeader(first, { ...set, ...settings, operator: manner.operator }),
  },
): Presentation {
  if (reveal)
    throw new UsageError(
      `--reveal shows secrets in the story of one match, but --matches tells no stories. Remove one of the two; ${formatCommand('show', 'FOLDER')} prints a finished match with its private parts.`,
    );
  const matches = countMatches(set);
  const { out, maxCost } = settings;
  const isCrossed = isCrossedSet(set);
  const { isShown, hasLine, log } = openConsole({ ...manner, json }, io);
  const { clock } = getMachine();
  const tally = new progress.RunCounts(matches, () => clock.elapsed(), words.isDetailed);
  const logs = openMatchLogs(log, tally, io);
  const errors = new RunErrors();
  let line = progress.noProgress;
  let hasModels = false;
  let [hasNews, hasCompany] = [false, false];
  let arePeopleHidden = false;
  let example: string | null = null;
  return {
    listener: {
      onOpen: (first) => {
        hasModels = first.setup.bots.length < first.setup.players.length;
        const people = listPersonSeats(first);
        if (manner.serve && people.length === 0) throw createNobodyServedError();
        arePeopleHidden = people.length > 0 && manner.operator !== true;
        if (people.length > 0 && !manner.serve) logs.hide();
        log.tell(words.formatHeader(first));
        if (arePeopleHidden) return; // at night, the number of calls would tell who acts
        if (hasLine)
          line = progress.openProgressLine(() => progress.formatProgress(tally, progress.computeSpareWidth()));
        else if (isShown)
          line = progress.openProgressReport(
            () => progress.formatProgress(tally),
            (text) => log.tell(text),
            clock,
          );
      },
      onSurveyed: async (left) => {
        for (const line of listKeptJudges(left.keptJudges, out)) log.warn(line);
        const found = formatSurvey(matches, left);
        if (found !== null) log.tell(found);
        if (!isShown || !hasModels || arePeopleHidden || left.matches === 0) return;
        const quick = { left: left.matches, recorded: left.recorded, mostRuns: quickRuns };
        const estimate = await (words.estimateLeft?.() ?? estimateMatches(set, { ...settings, ...quick }));
        tally.expect(estimate.callsOfOne.mean);
        const cost = estimate.cost === null ? null : estimate.cost / left.matches;
        settings.onEstimate?.({ calls: estimate.callsOfOne.mean, cost });
        log.tell(formatEstimateLine(estimate, { maxCost, spent: tally.spent.cost ?? 0 }));
      },
      onRecorded: (answers, id) => tally.recorded(answers, id),
      onBegin: logs.begin,
      onOutage: (outage) => log.warn(formatOutage(outage)),
      onAnswered: (afterMs) =>
        log.tell(`The provider answers again after ${formatRoughTime(afterMs)}: matches continue.`),
      onHold: async (held) => {
        await logs.hold(held);
        if (hasCompany || !(held.error instanceof LockedElsewhere)) return;
        hasCompany = true;
        log.tell(
          'Another command is playing matches of this set. This command plays the others, and waits for the matches of the other command.',
        );
      },
      onEnd: async (end, place) => {
        await logs.end(end);
        const isNew = 'error' in end && errors.add(end);
        if ('summary' in end) example ??= end.folder;
        const isNews = 'error' in end ? isNew && !isEndOfSet(end.error) : end.isPlayed && !hasLine;
        if (isNews) log.tell(`${hasNews ? '' : '\n'}${progress.formatEnd(end, tally, place)}`);
        hasNews ||= isNews;
        if (json) await printLine(end, io);
      },
    },
    tellResult: ({ stopped, waiting, reason }) => {
      line.stop();
      log.tell(formatSetSummary(tally, { warnings: logs.formatRepeated(), example, out, isCrossed }));
      if (stopped + waiting === 0) return exitCodes.done;
      if (isEndOfSet(reason) || (reason !== null && errors.exitCode() === null))
        errors.add({ id: '', folder: null, error: reason });
      const code = errors.exitCode() ?? exitCodes.other;
      io.stderr.write(
        `${[...errors.lines(), formatUnfinished(stopped, waiting), formatRestart(code, argv, words)].join('\n')}\n`,
      );
      return code;
    },
    tellFailure: (error) => {
      line.stop();
      if (!isEndOfSet(error)) throw explainUnwritable(error, out);
      return printError(error, io, `To resume: ${formatCommand(words.command, ...argv)}`);
    },
    close: () => {
      line.stop();
      return log.close();
    },
  };
}

function formatOutage({ error, patienceMs, isUnreached }: Parameters<NonNullable<SetListener['onOutage']>>[0]): string {
  const [what, when] = isUnreached
    ? ['The provider has never been reached: is its address right?', '1, 2 and 4 minutes']
    : ['The provider stays down.', '1, 2, 4, 8 and then every 10 minutes'];
  return `${what} All matches wait for at most ${formatRoughTime(patienceMs)}, and one of them tries again after ${when}. ${describeError(error)}`;
}

/** Formats the command to continue with after this exit code. */
function formatRestart(code: number, argv: readonly string[], { command, others }: SetWords): string {
  if (code === exitCodes.budget)
    return `To resume with a higher --max-cost: ${formatCommandWithOtherCap(argv, command)}`;
  return `${others === undefined ? '' : `${others} `}To resume: ${formatCommand(command, ...argv)}`;
}

/**
 * Opens the log of each match in the match's own folder. Each distinct warning is also printed on the console once.
 */
function openMatchLogs(console: Logger, tally: progress.RunCounts, io: CommandIO) {
  const open = new Map<string, Logger>();
  const warned = new Set<string>();
  let [repeated, isHidden] = [0, false];
  const close = async (id: string, note: string, error: unknown) => {
    const log = open.get(id);
    open.delete(id);
    if (error !== undefined) log?.note(note, { error: describeError(error) });
    await log?.close();
  };
  return {
    /** Sends warnings of matches only to their logs, because a player reads this terminal. */
    hide: () => void (isHidden = true),
    /** Listens to a match that is being played. */
    begin: (match: { id: string; folder: string | null }): MatchListener => {
      const { id } = match;
      const onLost = (words: string) => console.warn(`${id}: ${words}`); // printed for each match, because its log cannot say so
      const log = openLogger(io, { story: false, warnings: false }, onLost);
      const story = printStory(log, { reveal: false, isColored: false, isSeedDrawn: false });
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
          if (isHidden) return;
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
    /** Closes the log of a match that will start again when its provider answers. */
    hold: async ({ id, error }: { id: string; error: unknown }) => {
      tally.hold(id);
      await close(id, 'waiting', error);
    },
    /** Formats the number of warnings that were not printed; null if all were printed. */
    formatRepeated: () =>
      repeated === 0
        ? null
        : `${pluralize(repeated, 'warning')} of other matches had the same text; see their log.ndjson.`,
  };
}
