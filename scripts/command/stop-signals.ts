// Ctrl-C and its like: the first stops the match and leaves it resumable, the second kills.
import { Stopped } from './exit.ts';

/** npm passes on the Ctrl-C that the terminal has sent already: what comes so soon is no second one. Milliseconds. */
const echo = 300;

/** After this something hangs, and the second Ctrl-C is worth a word. Milliseconds. */
const patience = 1000;

/** Aborts with a `Stopped` at the first signal. */
export function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const stopped = new Stopped(name);
      if (!controller.signal.aborted) {
        firstAt = performance.now();
        controller.abort(stopped);
        setTimeout(() => process.stderr.write('Still stopping; once more kills.\n'), patience).unref();
      } else if (performance.now() - firstAt > echo) process.exit(stopped.code);
    });
  }
  return controller.signal;
}
