// Progress of work without calls: a changing line on a terminal, and a line every ten seconds in a log.
import { getMachine } from '../../models/machine/machine.ts';
import { formatRoughTime, sanitizeText } from '../../report/format.ts';
import { canPaint, type OutputStream, writePainted } from './guarded-output.ts';

/** Milliseconds between updates of a line on a terminal. */
const paintEvery = 1000;

/** Milliseconds between lines of progress if the output is not a terminal. */
export const tellEvery = 10_000;

/** Minimum duration of a step, in milliseconds, before its remaining time is estimated. */
const leastForEstimate = 3000;

/**
 * Receives the current step of the work, e.g. "matches read", its amount done, and its total amount; 0 of 0 for a step
 * whose amount is not known, e.g. "Writing the pages". A step that is done ends the progress until the next one.
 */
export type StepListener = (what: string, done: number, of: number) => void;

/** Reports how far a command is. */
export interface WorkProgress {
  /** Reports the current step. Code that blocks timers may call this function. */
  step: StepListener;
  /** Clears the line, which the next update writes again. Call this function before other output. */
  clear: () => void;
  /** Clears the line and ends the updates. */
  stop: () => void;
}

/** Listens to nothing. */
const neverListen = () => undefined;

/**
 * Opens the progress of a command. Writes nothing until a second after the call on a terminal, or ten seconds in a log,
 * and nothing between steps.
 *
 * @example
 * const progress = openWorkProgress(io);
 * for (const match of followItems(matches, 'matches read', progress.step)) read(match);
 * progress.stop();
 */
export function openWorkProgress({
  stderr,
  env,
}: {
  stderr: OutputStream;
  env: Readonly<Record<string, string | undefined>>;
}): WorkProgress {
  const { clock } = getMachine();
  const isPainted = canPaint(stderr, env);
  const every = isPainted ? paintEvery : tellEvery;
  let told = clock.elapsed();
  let hasLine = false;
  let now: { what: string; done: number; of: number; since: number } | null = null;
  let end: () => void = neverListen;
  const write = () => {
    if (now === null || clock.elapsed() - told < every) return;
    told = clock.elapsed();
    const text = sanitizeText(formatStep(now, told - now.since));
    if (isPainted) writePainted(stderr, `\r\u001b[K${text}`);
    else stderr.write(`${text}\n`);
    hasLine = isPainted;
  };
  const clear = () => {
    if (hasLine) writePainted(stderr, '\r\u001b[K');
    hasLine = false;
  };
  const stop = () => {
    end();
    [end, now] = [neverListen, null];
    clear();
  };
  return {
    step: (what, done, of) => {
      const isNew = now?.what !== what;
      now = { what, done, of, since: now !== null && !isNew ? now.since : clock.elapsed() };
      if (end === neverListen) end = clock.repeat(every, write);
      if (isNew && hasLine) told -= paintEvery; // what follows may block timers, so its name is shown at once
      write();
      if (of > 0 && done >= of) stop();
    },
    clear,
    stop,
  };
}

/** Formats a step, e.g. "12 of 48 matches read; about 30 s left". `spent`: milliseconds since the step began. */
function formatStep({ what, done, of }: { what: string; done: number; of: number }, spent: number): string {
  if (of === 0) return `${what}${spent < leastForEstimate ? '' : `; ${formatRoughTime(spent)} so far`}`;
  const left = done === 0 || done >= of || spent < leastForEstimate ? '' : `; about ${formatRoughTime((spent / done) * (of - done))} left`; // prettier-ignore
  return `${done} of ${of} ${what}${left}`;
}

/**
 * Yields the items, and reports before each how many are done.
 *
 * @example for (const folder of followItems(folders, 'matches read', io.step)) read(folder);
 */
export function* followItems<Item>(
  items: readonly Item[],
  what: string,
  step: StepListener | undefined,
): Generator<Item, void> {
  for (const [done, item] of items.entries()) {
    step?.(what, done, items.length);
    yield item;
  }
  if (items.length > 0) step?.(what, items.length, items.length);
}
