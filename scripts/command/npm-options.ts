// Options that were typed without `--`: npm keeps those for itself and starts the script without them, so that a forgotten
// `--` would turn a dry run into a paid one.
import path from 'node:path';
import type { Command, Option } from 'commander';
import { getDisk } from '../../models/machine/machine.ts';
import { UsageError } from '../../state/usage-error.ts';

/** npm's own short words, which arrive as another setting. */
const aliases: Readonly<Record<string, readonly [setting: string, value: string]>> = { quiet: ['loglevel', 'warn'] };

/**
 * Throws a UsageError with the corrected command where npm took an option of `program`, which the script `name` runs.
 * What npm's own files or variables set is no option that was typed.
 *
 * @example checkNpmOptions(program, 'match', ['plan.yaml'], { npm_lifecycle_event: 'match', npm_config_dry_run: 'true' }) // throws
 */
export function checkNpmOptions(program: Command, name: string, argv: readonly string[], env: NodeJS.ProcessEnv): void {
  if (env['npm_lifecycle_event'] !== name) return;
  const taken = program.options.flatMap((option) => {
    const value = findTakenValue(option, env);
    return value === null ? [] : [{ option, value }];
  });
  if (taken.length === 0) return;
  const { args, values } = restoreValues(taken, argv);
  const options = taken.map(({ option }, place) => [option.long, values[place]].filter(Boolean).join(' '));
  throw new UsageError(
    [
      `npm took ${taken.map(({ option }) => option.long).join(', ')} for itself, so nothing was started. Options stand after --:`,
      `  ${['npm run', name, '--', ...args, ...options].join(' ')}`,
    ].join('\n'),
  );
}

interface TakenOption {
  option: Option;
  value: string;
}

/** What npm made of an option, or null where it did not take it. */
function findTakenValue(option: Option, env: NodeJS.ProcessEnv): string | null {
  const long = option.long!.replace(/^--(?:no-)?/, '');
  const [setting, expected] = aliases[long] ?? [long, undefined];
  const key = setting.replaceAll('-', '_');
  const value = env[`npm_config_${key}`];
  const isTaken = expected !== undefined ? value === expected : option.negate ? value === '' : Boolean(value);
  return isTaken && !isSetElsewhere(setting, key, env) ? value! : null;
}

/** Whether a variable or one of npm's files sets it. */
function isSetElsewhere(setting: string, key: string, env: NodeJS.ProcessEnv): boolean {
  const local = env['npm_config_local_prefix'];
  const files = [env['npm_config_userconfig'], env['npm_config_globalconfig'], local && path.join(local, '.npmrc')];
  const line = new RegExp(`^\\s*(?:${setting}|${key})\\s*=`, 'm');
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

/**
 * Values follow `=` or were left among the arguments. Where it is not clear which those are, the last ones are left out and
 * what is expected stands in their place.
 */
function restoreValues(taken: readonly TakenOption[], argv: readonly string[]) {
  const takesValue = ({ required, optional }: Option) => required || optional;
  const lost = taken.filter(({ option, value }) => takesValue(option) && value === 'true');
  const fitting = argv.filter((arg) => lost.every(({ option }) => isReadable(option, arg)));
  const found = lost.length === 1 && fitting.length === 1 ? fitting[0] : undefined;
  return {
    args:
      found === undefined ? argv.slice(0, Math.max(0, argv.length - lost.length)) : argv.filter((arg) => arg !== found),
    values: taken.map((each) => {
      if (lost.includes(each)) return found ?? /<.*>|\[.*\]/.exec(each.option.flags)?.[0];
      return takesValue(each.option) ? each.value : undefined;
    }),
  };
}

const isReadable = ({ parseArg }: Option, arg: string) => {
  try {
    parseArg?.(arg, undefined);
    return true;
  } catch {
    return false;
  }
};
