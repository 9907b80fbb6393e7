// Starts Node again with the flags of the npm scripts. V8 reads flags only when it starts: flags set later have no
// effect on Node 24.
import { spawn } from 'node:child_process';

const playing = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
const reading = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

/** Node flags by command. Without them, 40 concurrent matches take 50% more memory. */
export const commandFlags = {
  match: playing,
  tournament: playing,
  worker: playing,
  report: reading,
  fork: reading,
  verify: ['--max-semi-space-size=16'], // a record is in memory only while it is replayed
  replay: reading,
  ...{
    view: playing,
    show: playing,
    plan: playing,
    compare: playing,
    annotate: playing,
    label: playing,
    pool: playing,
    validate: playing,
    export: playing,
    bank: playing,
  },
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
  if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], process.env);
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  process.on('SIGINT', () => undefined); // the console tells the child too, which stops in order
  const code = await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
  process.exitCode = code ?? 1;
  return true;
}
