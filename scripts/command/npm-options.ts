// Options that were typed without `--`: npm keeps those for itself and starts the script without them, so that a forgotten
// `--` would turn a dry run into a paid one.
import path from 'node:path';
import type { Command, Option } from 'commander';
import { getDisk } from '../../models/machine/machine.ts';
import { quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';

type Setting = readonly [name: string, value: string];

/** What arrives as other settings, all of these: npm's own short words, its long ones begun, and letters run together. */
const aliases: Readonly<Record<string, readonly Setting[]>> = {
  quiet: [['loglevel', 'warn']],
  by: [['bypass-2fa', 'true']],
  plan: ['all', 'long', 'parseable'].map((name) => [name, 'true']),
};

/**
 * Throws a UsageError with the corrected command where npm took an option of `program`, which is run by the script `name`, by
 * `npm exec`, or by a script of the user's that calls wolfgraph. What npm's own files or variables set is no option that
 * was typed.
 *
 * @example checkNpmOptions(program, 'match', ['plan.yaml'], { npm_lifecycle_event: 'match', npm_config_dry_run: 'true' }) // throws
 */
export function checkNpmOptions(program: Command, name: string, argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const start = findStart(program, name, argv, env);
  if (start === null) return;
  const taken = program.options.flatMap((option) => {
    const values = findTakenValues(option, env);
    return values === null ? [] : [{ option, values }];
  });
  if (taken.length === 0) return;
  const { args, options } = restoreValues(taken, start.args);
  throw new UsageError(
    [
      `npm took ${taken.map(({ option }) => option.long).join(', ')} for itself, so nothing was started. Options stand after ${start.after}:`,
      `  ${[start.command, ...args.map(quoteForShell), ...options].join(' ')}`,
    ].join('\n'),
  );
}

/** A script that calls wolfgraph, be it in a package or in a clone. */
const callsWolfgraph = /(?:^|[\s"'/;&|])wolfgraph(?:\.mjs)?(?=["'\s]|$)/;

/** How the command was started, and with what of its arguments; null where npm was not between. */
function findStart(program: Command, name: string, argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { npm_lifecycle_event: event = '', npm_lifecycle_script: script = '' } = env;
  if (callsWolfgraph.test(script) && event !== 'npx') {
    const words = script.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
    const typed = argv.findIndex((arg) => !words.includes(arg));
    return { command: `npm run ${event} --`, after: '--', args: typed < 0 ? [] : argv.slice(typed) };
  }
  const own = program.name().replace(/^npm run /, '');
  if (callsWolfgraph.test(script))
    return { command: `npx wolfgraph ${own.replace(/ --(?= |$)/, '')}`, after: 'the command', args: argv };
  return event === name ? { command: program.name(), after: '--', args: argv } : null;
}

interface TakenOption {
  option: Option;
  /** "true" where a value was left among the arguments. */
  values: readonly string[];
}

/** What npm made of an option, or null where it did not take it. */
function findTakenValues(option: Option, env: NodeJS.ProcessEnv): string[] | null {
  const long = option.long!.replace(/^--(?:no-)?/, '');
  const settings = aliases[long];
  if (settings) {
    const isTaken = settings.every(([name, value]) => getSetting(name, env) === value && !isSetElsewhere(name, env));
    return isTaken ? ['true'] : null;
  }
  const value = getSetting(long, env);
  const isTaken = option.negate ? value === '' : Boolean(value);
  return isTaken && !isSetElsewhere(long, env) ? value!.split(/\n+/) : null;
}

const getSetting = (name: string, env: NodeJS.ProcessEnv) => env[`npm_config_${name.replaceAll('-', '_')}`];

/** Whether a variable or one of npm's files sets it. */
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

const takesValue = ({ required, optional }: Option) => required || optional;

/** How many of its values are among the arguments. */
const countLost = ({ option, values }: TakenOption) =>
  takesValue(option) ? values.filter((value) => value === 'true').length : 0;

/**
 * The arguments without the values that were left among them, and the options with theirs. Where it is not clear which those
 * are, the last ones are left out and what is expected stands in their place.
 */
function restoreValues(taken: readonly TakenOption[], argv: readonly string[]) {
  let args = [...argv];
  const found = new Map<TakenOption, string[]>();
  const take = (each: TakenOption, values: string[]) => {
    found.set(each, values);
    args = args.filter((arg) => !values.includes(arg));
  };
  const lost = taken.filter((each) => countLost(each) > 0);
  const listLeft = () => lost.filter((each) => !found.has(each));
  const findClear = () =>
    listLeft().find((each) => !each.option.variadic && listFitting(each, listLeft(), args).length === countLost(each));
  for (let clear = findClear(); clear; clear = findClear()) take(clear, listFitting(clear, listLeft(), args));
  const [several] = listLeft();
  if (several?.option.variadic && listLeft().length === 1)
    take(
      several,
      args.filter((arg) => !isFile(arg)),
    );
  const unclear = listLeft().reduce((count, each) => count + countLost(each), 0);
  return {
    args: args.slice(0, Math.max(0, args.length - unclear)),
    options: taken.flatMap((each) => {
      const { option, values } = each;
      if (!takesValue(option)) return [option.long!];
      const expected = /<.*>|\[.*\]/.exec(option.flags)![0];
      const restored = found.get(each)?.map(quoteForShell) ?? Array<string>(countLost(each)).fill(expected);
      const all = [...restored, ...values.filter((value) => value !== 'true').map(quoteForShell)];
      return option.variadic ? [option.long!, ...all] : all.map((value) => `${option.long!} ${value}`);
    }),
  };
}

/** The arguments that this option can have, and none of the others that lost a value by their form. */
const listFitting = ({ option }: TakenOption, lost: readonly TakenOption[], args: readonly string[]) =>
  args.filter(
    (arg) =>
      isReadable(option, arg) &&
      lost.every(
        (other) =>
          other.option === option || hasForm(option) || !hasForm(other.option) || !isReadable(other.option, arg),
      ),
  );

/** Whether not everything can be its value. */
const hasForm = ({ parseArg, flags }: Option) => flags.includes('=') || parseArg !== undefined;

const isFile = (arg: string) => /\.(?:ya?ml|json)$/i.test(arg);

function isReadable({ parseArg, flags }: Option, arg: string): boolean {
  if (/[<[]\w+=/.test(flags) && !/^[^=]+=/.test(arg)) return false;
  try {
    parseArg?.(arg, undefined);
    return true;
  } catch {
    return false;
  }
}
