// Output of one match as a story, told during play with vote counts and colors, and a summary at the end.
import colors from 'picocolors';
import type { MatchListener } from '../../graph/play-match.ts';
import { renderStoryLine } from '../../report/story.ts';
import type { EventOf, GameEvent } from '../../state/events.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { createBallotWeigher, findBadgeHolder } from '../../state/sheriff.ts';
import { countVotes } from '../../state/steps/voting.ts';
import { type CommandIO, exitCodes, getErrorMessage, getExitCode, printError } from '../command/command-line.ts';
import { canPaint } from '../command/guarded-output.ts';
import type { MatchCommand } from '../command/match-command.ts';
import { formatResumeCommand } from '../command/resume-command.ts';
import type { Logger } from './logger.ts';
import { formatMatchHeader } from './match-header.ts';
import { listPersonSeats } from '../../graph/people-at-table.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openConsole, type Presentation, printLine } from './presentation.ts';
import { countCalls, formatHeldCalls } from './progress.ts';
import {
  createProgramError,
  explainUnwritable,
  formatMatchSummary,
  isEndOfSet,
  isResumable,
  listKeptJudges,
} from './closing-summary.ts';

/** Opens the story of a set of one match. Errors are thrown, including outages, because a story is not told twice. */
export function openStoryPresentation(
  { manner, reach, isSeedDrawn, isIdAlone }: MatchCommand,
  io: CommandIO,
): Presentation {
  const { reveal = false, json = false, out, serve: isServed = false, operator = false, ...limits } = manner;
  const { isShown, hasLine, log } = openConsole(manner, io);
  const isColored = isShown && canPaint(io.stdout, io.env) && !io.env['NO_COLOR'];
  const listSecretHolders = () => (operator ? [] : people);
  const warn = (words: string) => (isAtTable() ? log.note('warning', { words }) : log.warn(words));
  const story = printStory({ ...log, tell: (text) => tell(text), warn }, { reveal, isColored, isSeedDrawn, operator });
  const line = countCalls(hasLine, isShown ? (text) => tell(text) : undefined, formatHeldCalls);
  let id = '';
  // People who play. What this terminal may show depends on them; they are known only after the plan is read.
  let people: ReturnType<typeof listPersonSeats> = [];
  const tell = (text: string) => (isAtTable() ? undefined : log.tell(text));
  const isAtTable = () => people.length > 0 && !isServed;
  let [isBegun, isRecorded] = [false, false];
  const tellFailure = (error: unknown) => {
    line.stop();
    if (!isBegun && !(isRecorded && isEndOfSet(error))) throw explainUnwritable(error, out);
    log.note('stopped', { error: getErrorMessage(error) });
    const isCapReached = getExitCode(error) === exitCodes.budget;
    const again = `To resume${isCapReached ? ' with a higher --max-cost' : ''}: ${formatResumeCommand(id, out, { ...limits, isCapReached, reach })}`;
    const more = `Answers so far are recorded.${isResumable(error) ? ` ${again}` : ''}`;
    return printError(createProgramError(error), io, more);
  };
  return {
    listener: {
      onOpen: (match) => {
        id = match.id;
        people = listPersonSeats(match);
        if (isServed && people.length === 0) throw createNobodyServedError();
        if (reveal && listSecretHolders().length > 0)
          throw new UsageError(
            '--reveal shows the secrets of a match in which people play. Leave it out, or add --operator if no player can see this terminal.',
          );
        if (isIdAlone) log.warn(`There is no match ${id} in ${out} to resume: a new one begins.`);
      },
      onRecorded: (answers) => void (isRecorded = answers.length > 0),
      onSurveyed: ({ keptJudges }) => listKeptJudges(keptJudges, out).forEach((words) => log.warn(words)),
      onBegin: () => ({
        ...story,
        onStart: (start) => {
          isBegun = true;
          story.onStart?.(start);
        },
        // At night, the number of calls would reveal who acts.
        onCalls: (underWay) => void (listSecretHolders().length === 0 && line.set(underWay)),
        onAnswer: (answer, isOld) => {
          line.answer(answer);
          story.onAnswer?.(answer, isOld);
        },
      }),
      onHold: ({ error }) => {
        throw error;
      },
      onEnd: async (end) => {
        if ('error' in end) throw end.error;
        line.stop();
        log.tell(formatMatchSummary(end));
        if (json) await printLine(end, io);
      },
    },
    tellResult: ({ reason }) => (reason === null ? exitCodes.done : tellFailure(reason)),
    tellFailure,
    close: () => {
      line.stop();
      return log.close();
    },
  };
}

/** Creates the error for --serve in a match without people. */
export const createNobodyServedError = (): UsageError =>
  new UsageError(
    '--serve gives people their pages, but no person plays in this match. Give a person a seat, e.g. --seat Ginger=human.',
  );

export interface StoryShown {
  reveal: boolean;
  isColored: boolean;
  isSeedDrawn: boolean;
  /** Whether no player sees this output. Default: false. */
  operator?: boolean;
}

/** Listens to a match and writes its story to the log. */
export function printStory(log: Logger, shown: StoryShown): MatchListener {
  let layOut: ReturnType<typeof openStoryLayout> = (_event, line) => line;
  return {
    onStart: ({ manifest, folder, recorded }) => {
      layOut = openStoryLayout(shown.isColored, manifest.setup.rules);
      if (folder !== null) log.openFile(folder);
      log.tell(formatMatchHeader(manifest, shown));
      if (recorded > 0)
        log.tell(`\nResuming after ${recorded} recorded answers; the story is told from its beginning.`);
    },
    onEvents: (events) => {
      for (const event of events) {
        const line = renderStoryLine(event, shown);
        if (line !== null) log.tell(layOut(event, line));
      }
    },
    onAnswer: (line, isRecorded) => {
      const { round, step, action, player, attempt, model, ms, retries, mark, error } = line;
      if (!isRecorded) log.note('answer', { round, step, action, player, attempt, model, ms, retries, mark, error });
    },
    onWarning: (message) => log.warn(message),
  };
}

/** Formats the lines of one match. Events must come in order. `isColored`: whether to use colors, for terminals. */
export function openStoryLayout(isColored: boolean, rules: RuleValues): (event: GameEvent, line: string) => string {
  const paint = colors.createColors(isColored);
  const offices: GameEvent[] = [];
  let ballots: (EventOf<'ballot'> | EventOf<'pseudo_ballot'>)[] = [];
  /** Formats the votes counted so far, and resets the counts for the next ballot. */
  const counted = () => {
    const count = countVotes(ballots, createBallotWeigher(rules, findBadgeHolder(offices)));
    ballots = [];
    return count.map(([name, votes]) => `${name} ${votes}`).join(', ');
  };
  return (event, line) => {
    if (event.type === 'elected' || event.type === 'badge') offices.push(event);
    const styled = event.audience === 'everyone' ? line : paint.dim(line);
    if (event.type === 'ballot' || event.type === 'pseudo_ballot') {
      ballots.push(event);
      return ballots.length === 1 ? `\n${styled}` : styled;
    }
    if (isHeading(event)) return `\n${paint.bold(line)}`;
    const count = event.audience === 'everyone' && ballots.length > 0 ? counted() : '';
    if (isOutcome(event)) return count === '' ? `\n${paint.bold(line)}` : paint.bold(`${line} Votes: ${count}.`);
    return count === '' ? styled : `${paint.bold(`Pseudo-votes: ${count}.`)}\n${styled}`;
  };
}

/** Returns whether the event begins a night or a day, or ends the match. */
const isHeading = (event: GameEvent) =>
  event.type === 'round_started' ||
  event.type === 'quiet_night' ||
  event.type === 'ended' ||
  (event.type === 'death' && event.cause === 'night');

/** Returns whether the event is the result of a vote. */
const isOutcome = ({ type }: GameEvent) =>
  type === 'death' || type === 'no_exile' || type === 'exile_survived' || type === 'tie';
