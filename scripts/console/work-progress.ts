// Progress of work without calls: a changing line on a terminal, and a line every ten seconds in a log.
import { getMachine } from '../../models/machine/machine.ts';
import { sanitizeText } from '../../report/format.ts';
import { canPaint, writePainted } from '../command/guarded-output.ts';
import type { CommandIO } from '../command/command-line.ts';
import { formatRoughTime } from './estimate-text.ts';

/** Milliseconds between updates of a line on a terminal. */
const paintEvery = 1000;

/** Milliseconds between lines of progress if the output is not a terminal. */
export const tellEvery = 10_000;

/** Minimum duration of a step, in milliseconds, before its remaining time is estimated. */
const leastForEstimate = 3000;

/** Reports how far a command is. */
export interface WorkProgress {
  /**
   * Reports the current step, e.g. "matches read", how much of it is done, and its total. Code that blocks timers may
   * call this function.
   */
  step: (what: string, done: number, of: number) => void;
  /** Clears the line. */
  stop: () => void;
}

/**
 * Opens the progress of a command. Writes nothing until the first step has lasted a second on a terminal, or ten
 * seconds in a log.
 *
 * @example
 * const progress = openWorkProgress(io);
 * for (const [done, match] of matches.entries()) progress.step('matches read', done, matches.length);
 * progress.stop();
 */
export function openWorkProgress({ stderr, env }: Pick<CommandIO, 'stderr' | 'env'>): WorkProgress {
  const { clock } = getMachine();
  const isPainted = canPaint(stderr, env);
  const every = isPainted ? paintEvery : tellEvery;
  let told = clock.elapsed();
  let hasLine = false;
  let now: { what: string; done: number; of: number; since: number } | null = null;
  const write = () => {
    if (now === null || clock.elapsed() - told < every) return;
    told = clock.elapsed();
    const { what, done, of, since } = now;
    const spent = told - since;
    const left = done === 0 || done >= of || spent < leastForEstimate ? '' : `; about ${formatRoughTime((spent / done) * (of - done))} left`; // prettier-ignore
    const text = sanitizeText(`${done} of ${of} ${what}${left}`);
    if (isPainted) writePainted(stderr, `\r\u001b[K${text}`);
    else stderr.write(`${text}\n`);
    hasLine = true;
  };
  const end = clock.repeat(every, write);
  return {
    step: (what, done, of) => {
      now = { what, done, of, since: now?.what === what ? now.since : clock.elapsed() };
      write();
    },
    stop: () => {
      end();
      if (isPainted && hasLine) writePainted(stderr, '\r\u001b[K');
    },
  };
}
