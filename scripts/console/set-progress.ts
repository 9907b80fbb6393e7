// How far many matches have come: one line that changes on a terminal, else a line for each match that ends.
import spinner from 'yocto-spinner';
import type { MatchEnd } from '../../graph/play-matches.ts';
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

/** Shows nothing unless `isShown`. Lines written meanwhile appear above it. */
export function openSetProgress(tally: SetTally, isShown: boolean): SetProgress {
  const line = spinner({ stream: process.stderr, handleSignals: false });
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    line.stop();
  };
  process.once('exit', stop); // gives the terminal its cursor back
  return {
    start: () => {
      if (!isShown) return;
      line.start(progressText(tally, width()));
      timer = setInterval(() => (line.text = progressText(tally, width())), every).unref();
    },
    stop,
  };
}

/** What is left of a line beside the sign that turns: a line that wraps cannot be kept in its place. */
const width = () => (process.stderr.columns || 80) - 3;

/** E.g. "12 of 100 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls (32 now); 5.6M tokens". */
export function progressText(tally: SetTally, width: number): string {
  const { finished, matches, underWay, failed, callsUnderWay, spent } = tally;
  const parts = [
    `${finished} of ${matches} done, ${underWay} under way, ${failed} failed`,
    leftText(tally),
    costText(spent),
    `${counted(spent.calls, 'call')} (${callsUnderWay} now)`,
    tokensText(spent),
  ];
  const text = parts.filter((part) => part !== null).join('; ');
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** E.g. "classic-8-1-1a2b3c4d: won by the village in 3 rounds; 199 calls, USD 0.12; 1 of 20 done, 12 min left". */
export function endText(end: MatchEnd, tally: SetTally): string {
  const left = leftText(tally);
  const done = `${tally.finished} of ${tally.matches} done${left === null ? '' : `, ${left}`}`;
  if ('error' in end) return `${end.id}: stopped; ${done}. ${wordsOf(end.error)}`;
  const { winner, rounds, model_calls } = end.summary;
  const { calls, cost } = model_calls.total;
  const how = winner === null ? 'nobody won' : `won by ${teams[winner].label}`;
  const took = [counted(calls, 'call'), ...(cost === null ? [] : [money(model_calls.total)])];
  return `${end.id}: ${how} in ${counted(rounds, 'round')}; ${took.join(', ')}; ${done}`;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Nothing where it is not known. */
const tokensText = ({ tokens }: Spent) => (tokens === null ? null : `${compact.format(tokens)} tokens`);
const costText = (spent: Spent) => (spent.cost === null ? null : money(spent));

function leftText(tally: SetTally): string | null {
  const left = tally.timeLeft();
  return left === null || left === 0 ? null : `${roughTime(left)} left`;
}
