// How far a command has come: a line that changes on a terminal, else a line from time to time.
import spinner from 'yocto-spinner';
import type { MatchEnd } from '../../graph/play-matches.ts';
import type { Clock } from '../../models/retry.ts';
import { pluralize, formatMoney } from '../../report/format.ts';
import type { AnswerLine } from '../../state/record.ts';
import { teams } from '../../state/teams.ts';
import { wordsOf, type CommandIO } from '../command/exit.ts';
import { roughTime } from './estimate-text.ts';
import type { RunTally, Spent } from './run-tally.ts';

export interface Progress {
  stop(): void;
}

export const noProgress: Progress = { stop: () => {} };

/** How often the line is brought up to date; what is over sooner is not worth showing. Milliseconds. */
const every = 100;

/** Between the lines that tell of progress where none can change. Milliseconds. */
const tellEvery = 5 * 60_000;

/** Story and progress share one terminal, or there is no line: it writes over what is not its own. */
export const hasTerminal = ({ stdout, stderr, env }: CommandIO) =>
  Boolean(stdout.isTTY && stderr.isTTY) && env['TERM'] !== 'dumb' && !('CI' in env);

/** One line on the terminal, gone while `text` is null. Lines written meanwhile appear above it. */
export function openProgressLine(text: () => string | null): Progress {
  const line = spinner({ stream: process.stderr, handleSignals: false });
  const show = () => {
    const now = text();
    if (now === null) line.stop();
    else if (line.isSpinning) line.text = now;
    else line.start(now);
  };
  const timer = setInterval(show, every).unref();
  const stop = () => {
    clearInterval(timer);
    line.stop();
  };
  process.once('exit', stop); // gives the terminal its cursor back
  return { stop };
}

/** A line of its own every few minutes, whether or not a match has ended. */
export function openProgressReport(
  tally: RunTally,
  tell: (line: string) => void,
  { alarm }: Pick<Clock, 'alarm'>,
): Progress {
  let cancel = () => {};
  const wait = () => {
    cancel = alarm(tellEvery, () => {
      tell(formatProgress(tally));
      wait();
    });
  };
  wait();
  return { stop: () => cancel() };
}

/** Counts calls on a terminal, where no match is played. */
export function countCalls(isShown: boolean) {
  const count = { underWay: 0, answered: 0, cost: 0 };
  const line = isShown ? openProgressLine(() => formatCalls(count)) : noProgress;
  return {
    add: (more: number) => void (count.underWay += more),
    answer: ({ cost }: AnswerLine) => {
      count.answered += 1;
      count.cost += cost ?? 0;
    },
    stop: () => line.stop(),
  };
}

/** E.g. "3 calls under way, 20 answered, USD 0.0012 spent"; null where no call is under way. */
export function formatCalls({ underWay, answered, cost }: { underWay: number; answered: number; cost: number }) {
  if (underWay === 0) return null;
  return `${pluralize(underWay, 'call')} under way, ${answered} answered${cost > 0 ? `, USD ${cost.toFixed(4)} spent` : ''}`;
}

/** What is left of a line beside the sign that turns: a line that wraps cannot be kept in its place. */
export const spareWidth = () => (process.stderr.columns || 80) - 3;

/**
 * E.g. "12 of 100 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls (32 now); 5.6M tokens", and where
 * that is too wide "12/100 done, 8 playing, 0 failed; 12 min left; $0.34; 2.3k calls, 5.6M tok".
 */
export function formatProgress(tally: RunTally, width = Infinity): string {
  const { finished, matches, underWay, failed, callsUnderWay, spent } = tally;
  const text = join(formatMatches(tally), formatTimeLeft(tally), ...formatSpent(spent, ` (${callsUnderWay} now)`));
  if (text.length <= width) return text;
  const cost = spent.cost === null ? null : `$${spent.cost.toFixed(spent.cost < 100 ? 2 : 0)}`;
  const tokens = spent.tokens === null ? '' : `, ${abbreviate(spent.tokens)} tok`;
  const left = formatTimeLeft(tally)?.replace(/( h| days) .*(?= left)/, '$1') ?? null;
  const done = `${finished}/${matches} done, ${underWay} playing, ${failed} failed`;
  const short = join(done, left, cost, `${abbreviate(spent.calls)} calls${tokens}`);
  return short.length <= width ? short : `${short.slice(0, width - 1)}…`;
}

/**
 * E.g. "classic-8-1-1a2b3c4d: won by the village in 3 rounds; 199 calls, USD 0.12 | 1 of 20 done, 8 under way, 0
 * failed; 12 min left; USD 0.34; 2,345 calls; 5.6M tokens".
 */
export function formatEnd(end: MatchEnd, tally: RunTally): string {
  const totals = join(formatMatches(tally), formatTimeLeft(tally), ...formatSpent(tally.spent));
  if ('error' in end) return `${end.id}: stopped. ${wordsOf(end.error)} | ${totals}`;
  const { winner, rounds, model_calls } = end.summary;
  const { calls, cost } = model_calls.total;
  const how = winner === null ? 'nobody won' : `won by ${teams[winner].label}`;
  const took = [pluralize(calls, 'call'), ...(cost === null ? [] : [formatMoney(model_calls.total)])];
  return `${end.id}: ${how} in ${pluralize(rounds, 'round')}; ${took.join(', ')} | ${totals}`;
}

const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join('; ');

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const abbreviate = (count: number) => compact.format(count).replace('K', 'k');

const formatMatches = ({ finished, matches, underWay, failed }: RunTally) =>
  `${finished} of ${matches} done, ${underWay} under way, ${failed} failed`;

/** Nothing where it is not known. */
const formatSpent = (spent: Spent, now = '') => [
  spent.cost === null ? null : formatMoney(spent),
  `${pluralize(spent.calls, 'call')}${now}`,
  spent.tokens === null ? null : `${abbreviate(spent.tokens)} tokens`,
];

function formatTimeLeft(tally: RunTally): string | null {
  const left = tally.timeLeft();
  return left === null || left === 0 ? null : `${roughTime(left)} left`;
}
