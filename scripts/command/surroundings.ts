// Describes how the working directory and the shell affect commands: the file of keys, the terminal, and the signals
// that Node handles.
import path from 'node:path';
import { parseEnv } from 'node:util';
import { findEncoding } from '../../models/machine/decode-text.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { getErrorMessage } from './command-line.ts';

/**
 * Result of one check of the surroundings. State `fault`: nothing can be played. State `none`: an optional part is
 * missing.
 */
export interface Surrounding {
  readonly state: 'fine' | 'none' | 'fault';
  readonly says: string;
}

/**
 * Describes the file `.env` of a folder. Counts its variables and shows no value.
 *
 * @example describeEnvFile('.'); // { state: 'none', says: 'none in this folder' }
 */
export function describeEnvFile(folder: string): Surrounding {
  const file = path.join(folder, '.env');
  try {
    if (!getDisk().exists(file)) return { state: 'none', says: 'none in this folder' };
    const count = Object.keys(parseEnv(getDisk().readText(file))).length;
    if (count === 0) return { state: 'none', says: `${file} sets no variable: write one line NAME=value for each` };
    const encoding = findEncoding(getDisk().read(file));
    const form = encoding === 'utf-8' ? '' : ' (UTF-16 text)';
    return { state: 'fine', says: `${count} ${count === 1 ? 'variable' : 'variables'} in ${file}${form}` };
  } catch (error) {
    return { state: 'fault', says: getErrorMessage(error) };
  }
}

/**
 * Describes whether the terminal understands codes for colors and the cursor.
 *
 * @example describeTerminal({ TERM: 'dumb' }).state; // 'none'
 */
export const describeTerminal = (env: Readonly<Record<string, string | undefined>>): Surrounding =>
  env['TERM'] === 'dumb'
    ? {
        state: 'none',
        says: 'TERM=dumb, so there are no colors and no updated lines. To get both, set TERM=xterm-256color',
      }
    : { state: 'fine', says: 'supports colors and updated lines; set TERM=dumb if it shows their codes instead' };

const blocking = '--disable-sigusr1';

/**
 * Describes how commands react to the signal that batch systems send before they kill. `batch-signal.mjs` explains why
 * a blocked signal still stops them on Linux.
 *
 * @example describeSignals({ NODE_OPTIONS: '--disable-sigusr1' }, [], 'darwin').state; // 'none'
 */
export function describeSignals(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Surrounding {
  const isBlocked = [...(env['NODE_OPTIONS'] ?? '').split(/\s+/), ...flags].includes(blocking);
  if (!isBlocked || platform === 'linux')
    return { state: 'fine', says: 'SIGUSR1 stops a command like SIGTERM, and opens no debugger' };
  return {
    state: 'none',
    says: `SIGUSR1 opens no debugger, but does not stop commands on this system either, because Node was started with ${blocking}. Let your batch system send SIGTERM`,
  };
}
