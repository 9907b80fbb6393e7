// How far many matches have come: one line that changes on a terminal, else a line for each match that ends, and one from time to time.
import spinner from 'yocto-spinner';
import type { MatchEnd } from '../../graph/play-matches.ts';
import type { Clock } from '../../models/transport.ts';
import { counted, money } from '../../report/numbers.ts';
import { teams } from '../../state/teams.ts';
import { wordsOf } from '../command/exit.ts';
import { roughTime } from './rough-time.ts';
import type { SetTally, Spent } from './set-tally.ts';

export interface SetProgress {
  /** Shows the line from now on. */
  start(): void;
  stop(): void;
}

/** Milliseconds. */
const every = 200;

/** Between the lines that tell of progress where none can change. Milliseconds. */
const tellEvery = 5 * 60_000;

/** One line on the terminal. Lines written meanwhile appear above it. */
export function progressLine(tally: SetTally): SetProgress {
  const line = spinner({ stream: process.stderr, handleSignals: false });
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    line.stop();
  };
  process.once('exit', stop); // gives the terminal its cursor back
  return {
    start: () => {
      line.start(progressText(tally, width()));
      timer = setInterval(() => (line.text = progressText(tally, width())), every).unref();
    },
    stop,
  };
}

/** A line of its own every few minutes, whether or not a match has ended. */
export function progressReport(
  tally: SetTally,
  tell: (line: string) => void,
  { alarm }: Pick<Clock, 'alarm'>,
): SetProgress {
  let stop = () => {};
  const start = () => {
    stop = alarm(tellEvery, () => {
      tell(progressText(tally));
      start();
    });
  };
  return { start, stop: () => stop() };
}

export const noProgress: SetProgress = { start: () => {}, stop: () => {} };

/** What is left of a line beside the sign that turns: a line that wraps cannot be kept in its place. */
const width = () => (process.stderr.columns || 80) - 3;

/**
 * E.g. "12 of 100 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls (32 now); 5.6M tokens", and where
 * that is too wide "12/100 done, 8 playing, 0 failed; 12 min left; $0.34; 2.3k calls, 5.6M tok".
 */
export function progressText(tally: SetTally, width = Infinity): string {
  const { finished, matches, underWay, failed, callsUnderWay, spent } = tally;
  const text = joined(matchesText(tally), leftText(tally), ...tookTexts(spent, ` (${callsUnderWay} now)`));
  if (text.length <= width) return text;
  const cost = spent.cost === null ? null : `$${spent.cost.toFixed(spent.cost < 100 ? 2 : 0)}`;
  const tokens = spent.tokens === null ? '' : `, ${brief(spent.tokens)} tok`;
  const left = leftText(tally)?.replace(/( h| days) .*(?= left)/, '$1') ?? null;
  const done = `${finished}/${matches} done, ${underWay} playing, ${failed} failed`;
  const short = joined(done, left, cost, `${brief(spent.calls)} calls${tokens}`);
  return short.length <= width ? short : `${short.slice(0, width - 1)}…`;
}

/**
 * E.g. "classic-8-1-1a2b3c4d: won by the village in 3 rounds; 199 calls, USD 0.12 | 1 of 20 done, 8 under way, 0
 * failed; 12 min left; USD 0.34; 2,345 calls; 5.6M tokens".
 */
export function endText(end: MatchEnd, tally: SetTally): string {
  const totals = joined(matchesText(tally), leftText(tally), ...tookTexts(tally.spent));
  if ('error' in end) return `${end.id}: stopped. ${wordsOf(end.error)} | ${totals}`;
  const { winner, rounds, model_calls } = end.summary;
  const { calls, cost } = model_calls.total;
  const how = winner === null ? 'nobody won' : `won by ${teams[winner].label}`;
  const took = [counted(calls, 'call'), ...(cost === null ? [] : [money(model_calls.total)])];
  return `${end.id}: ${how} in ${counted(rounds, 'round')}; ${took.join(', ')} | ${totals}`;
}

const joined = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join('; ');

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const brief = (count: number) => compact.format(count).replace('K', 'k');

const matchesText = ({ finished, matches, underWay, failed }: SetTally) =>
  `${finished} of ${matches} done, ${underWay} under way, ${failed} failed`;

/** Nothing where it is not known. */
const tookTexts = (spent: Spent, now = '') => [
  spent.cost === null ? null : money(spent),
  `${counted(spent.calls, 'call')}${now}`,
  spent.tokens === null ? null : `${brief(spent.tokens)} tokens`,
];

function leftText(tally: SetTally): string | null {
  const left = tally.timeLeft();
  return left === null || left === 0 ? null : `${roughTime(left)} left`;
}
