// Detects options typed without `--`. npm consumes such options and starts the script without them, so a forgotten `--`
// would turn a dry run into a paid run.
import path from 'node:path';
import type { Command, Option } from 'commander';
import { getDisk } from '../../models/machine/machine.ts';
import { UsageError } from '../../state/usage-error.ts';

type Setting = readonly [name: string, value: string];

/**
 * npm settings in which an option may end up if npm takes it instead of passing it on. npm has short forms of options,
 * accepts the beginnings of long options, and accepts several single letters in one word.
 */
const aliases: Readonly<Record<string, readonly Setting[]>> = {
  quiet: [['loglevel', 'warn']],
  by: [['bypass-2fa', 'true']],
  plan: ['all', 'long', 'parseable'].map((name) => [name, 'true']),
};

/**
 * Throws a UsageError that says where to type options if npm consumed some of the options of `program`. The command may
 * be run by the script `name`, by `npm exec`, or by a user's own script that calls wolfgraph. Settings in npm's files
 * or variables are ignored, because nobody typed them on this command line.
 *
 * @example checkNpmOptions(program, 'match', { npm_lifecycle_event: 'match', npm_config_dry_run: 'true' }) // throws
 */
export function checkNpmOptions(program: Command, name: string, env: NodeJS.ProcessEnv): void {
  const start = findStart(program, name, env);
  if (start === null) return;
  const taken = program.options.filter((option) => isTaken(option, env));
  if (taken.length === 0) return;
  throw new UsageError(
    `npm kept ${taken.map(({ long }) => long).join(', ')} for itself, so nothing was started. Type options after ${start.after}: ${start.command} … ${taken.map(({ flags }) => flags.replace(/^-\w, /, '')).join(' ')}`,
  );
}

/** Pattern of a script that calls wolfgraph, in a package or in a clone. */
const callsWolfgraph = /(?:^|[\s"'/;&|])wolfgraph(?:\.mjs)?(?=["'\s]|$)/;

/**
 * Finds the words after which options must be typed, which depend on how the command was started. Null if npm did not
 * start the command.
 */
function findStart(
  program: Command,
  name: string,
  { npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv,
) {
  if (!callsWolfgraph.test(script)) return event === name ? { command: program.name(), after: '--' } : null;
  return event === 'npx'
    ? { command: program.name(), after: 'the command' }
    : { command: `npm run ${event} --`, after: '--' };
}

/** Whether npm consumed the option. */
function isTaken({ long, negate }: Option, env: NodeJS.ProcessEnv): boolean {
  const name = long!.replace(/^--(?:no-)?/, '');
  const settings = aliases[name];
  if (settings)
    return settings.every(([alias, value]) => getSetting(alias, env) === value && !isSetElsewhere(alias, env));
  const value = getSetting(name, env);
  return (negate ? value === '' : Boolean(value)) && !isSetElsewhere(name, env);
}

const getSetting = (name: string, env: NodeJS.ProcessEnv) => env[`npm_config_${name.replaceAll('-', '_')}`];

/** Returns whether a variable or one of npm's files sets the option. */
function isSetElsewhere(name: string, env: NodeJS.ProcessEnv): boolean {
  const key = name.replaceAll('-', '_');
  const local = env['npm_config_local_prefix'];
  const files = [env['npm_config_userconfig'], env['npm_config_globalconfig'], local && path.join(local, '.npmrc')];
  const line = new RegExp(`^\\s*(?:${name}|${key})\\s*=`, 'm');
  return (
    env[`NPM_CONFIG_${key.toUpperCase()}`] !== undefined || files.some((file) => file && line.test(readText(file)))
  );
}

function readText(file: string): string {
  try {
    return getDisk().readText(file);
  } catch {
    return '';
  }
}
