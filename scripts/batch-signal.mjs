// Stops the process at SIGUSR1, which batch systems send before they kill a job. Also keeps Node's debugger closed:
// Node would open the debugger at this signal, and every user of the machine could then attach to the process.
import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { constants } from 'node:os';

const name = 'SIGUSR1';
const number = constants.signals[name];

/** Milliseconds between two checks for a blocked signal. A check takes less than .1 ms. */
const lookEvery = 200;

const statusFile = '/proc/self/status';

/** Returns whether SIGUSR1 is in one of these sets of signals. Null if the system does not tell. */
function isInSets(...sets) {
  try {
    const status = readFileSync(statusFile, 'utf8');
    const bit = 1n << BigInt(number - 1);
    return sets.some((set) => (BigInt(`0x${new RegExp(`^${set}:\\s*(\\w+)`, 'm').exec(status)[1]}`) & bit) !== 0n);
  } catch {
    return null;
  }
}

function stop() {
  if (process.listenerCount(name) > 1) return; // the command has its own handler and stops in order
  process.stderr.write(`Stopped by ${name}.\n`);
  process.exit(128 + number);
}

/**
 * Makes SIGUSR1 stop this process in the same way whether or not Node was started with `--disable-sigusr1`.
 *
 * With the flag, no debugger can open from the first instruction on. But Node then blocks the signal, so that no
 * handler ever runs. Linux lists a blocked signal as pending, and this process checks that list. Other systems have no
 * such list, so the signal is ignored there. Without the flag, the signal's handler also prevents the debugger. A
 * signal that arrives before this call has already opened the debugger, which is then closed before the process stops.
 */
export function stopAtBatchSignal() {
  if (number === undefined || process.platform === 'win32') return;
  process.on(name, stop);
  if (isInSets('SigBlk') === true) {
    const looking = setInterval(() => {
      if (isInSets('SigPnd', 'ShdPnd') !== true) return;
      clearInterval(looking); // a blocked signal stays pending
      process.emit(name, name, number);
    }, lookEvery);
    looking.unref();
    return;
  }
  stopIfDebugged();
  setTimeout(stopIfDebugged, lookEvery).unref(); // Node opens the debugger some time after the signal
}

/**
 * Stops this process if the signal arrived before `stopAtBatchSignal` and has opened the debugger since. A debugger
 * that somebody has asked for stays open.
 */
export function stopIfDebugged() {
  const options = process.env.NODE_OPTIONS ?? '';
  const isWanted = /--inspect/.test([options, ...process.execArgv].join(' ')) || /--(require|import)|-r /.test(options);
  if (isWanted || inspector.url() === undefined) return;
  inspector.close();
  process.emit(name, name, number);
}
