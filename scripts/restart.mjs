// Restarts Node with the flags that the npm scripts use. V8 reads the size of the young generation only at startup, and
// signals must be blocked before startup.
import { spawn } from 'node:child_process';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { stopIfDebugged } from './batch-signal.mjs';

/** Milliseconds within which Node opens the debugger after a signal, also on a busy machine. */
const debuggerDelay = 25;

const safe = '--disable-sigusr1'; // `batch-signal.mjs` explains this flag
const plain = [safe];
const playing = [safe, '--max-semi-space-size=8'];
const looking = [safe, '--max-semi-space-size=8', '--heap-growing-percent=50'];
const reading = [safe, '--max-semi-space-size=8', '--heap-growing-percent=100'];

/**
 * Command → Node flags that keep memory small. Commands that play many matches at the same time choose a different heap
 * limit later (command/bound-heap.ts), because a small heap costs CPU time.
 */
export const commandFlags = {
  match: playing,
  tournament: playing,
  worker: playing,
  report: reading,
  fork: reading,
  verify: [safe, '--max-semi-space-size=16'], // a record is in memory only while it is replayed
  replay: reading,
  ...{
    view: looking,
    show: looking,
    plan: looking,
    compare: looking,
    annotate: looking,
    label: looking,
    pool: looking,
    validate: looking,
    export: looking,
    bank: looking,
  },
  ...{ import: plain, simulate: plain, redact: plain, doctor: plain },
};

/**
 * Runs this program again with the flags of `command`, and exits with the exit code of that run. Returns false without
 * starting anything if the command has no flags, or if Node was started with them.
 *
 * @param {string | undefined} command
 * @returns {Promise<boolean>}
 */
export async function restartWithFlags(command) {
  const flags = Object.hasOwn(commandFlags, command ?? '') ? commandFlags[command] : [];
  if (flags.every((flag) => process.execArgv.includes(flag))) return false;
  const args = [...process.execArgv, ...flags, ...process.argv.slice(1)];
  // execve keeps the process, so signals and terminals need no special handling. Windows has no execve.
  if (process.platform !== 'win32') {
    // Node opens the debugger some time after SIGUSR1, and the new program would never learn of the signal.
    await wait(debuggerDelay);
    await turn(); // a signal that arrived just before the timer is handled now
    stopIfDebugged();
    process.removeAllListeners('SIGUSR1'); // from here on the signal ends the process, as no handler would run anymore
    process.execve(process.execPath, [process.execPath, ...args], process.env);
  }
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  process.on('SIGINT', () => undefined); // the terminal also signals the child, which stops in order
  const code = await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
  process.exitCode = code ?? 1;
  return true;
}
