// The command line of `npm run match`, as it was typed; what it means is settled in match-command.ts.
import { Command, InvalidArgumentError } from 'commander';
import { wholeFlag } from './number-flags.ts';

/** What was typed; nothing is filled in. */
export interface Flags {
  board?: string;
  rules?: string;
  /** Each `key=value`. */
  rule?: readonly string[];
  seed?: number;
  model?: string;
  villagers?: string;
  werewolves?: string;
  /** Role → model. */
  role?: Readonly<Record<string, string>>;
  /** Name → model. */
  seat?: Readonly<Record<string, string>>;
  out?: string;
  id?: string;
  matches?: number;
  dryRun?: boolean;
  maxCost?: number;
  concurrency?: number;
  reveal?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const number = (text: string) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
};

const each = (text: string, before: readonly string[] = []) => [...before, text];

const keyed = (text: string, before: Readonly<Record<string, string>> = {}) => {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=MODEL, e.g. Seer=bot:random.');
  return { ...before, [key]: value };
};

const command = () =>
  new Command('npm run match --')
    .description(
      'Plays a match of Werewolf, or many, and writes records and deception summaries. The same command goes on with what was stopped.',
    )
    .argument('[file]', 'a YAML file that says what these options say, or the manifest of a match; options override it')
    .option('--board <name|file>', 'a board by name or a YAML file (default: classic-8)')
    .option('--rules <preset>', 'a preset of rules: wolf or arena (default: wolf)')
    .option('--rule <key=value>', 'a single rule; repeatable', each)
    .option(
      '--seed <n>',
      'decides names, roles, seats and all draws (default: drawn at random; 1 with --matches)',
      wholeFlag,
    )
    .option('--model <model>', 'for all seats, e.g. openai:gpt-4o?temperature=0.5 (default: bot:classic)')
    .option('--villagers <model>', 'for the village')
    .option('--werewolves <model>', 'for the Werewolves')
    .option('--role <role=model>', 'for a role; repeatable', keyed)
    .option('--seat <name=model>', 'for a player, who is then at the table; repeatable', keyed)
    .option('--out <folder>', 'where the folders of matches are (default: runs)')
    .option('--id <id>', 'the name of the match and its folder (default: made from board, seed and set-up)')
    .option('--matches <n>', 'play so many matches, with the seeds from --seed on', wholeFlag)
    .option('--dry-run', 'only estimate calls, tokens, cost and time; call and write nothing')
    .option('--max-cost <usd>', 'start no call once so much is spent, on all matches together', number)
    .option('--concurrency <n>', 'calls under way at the same time, of all matches (default: 32)', wholeFlag)
    .option('--reveal', 'show roles and what happens in secret')
    .option('--json', 'print one JSON object a match instead of the story')
    .option('--quiet', 'print nothing but errors')
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride();

/**
 * Reads the command line; `more` stands below the list of options in the help. Throws a CommanderError that names the
 * value and what was expected, or for the help itself.
 */
export function readFlags(argv: readonly string[], more = ''): { flags: Flags; file: string | undefined } {
  const program = command().addHelpText('after', more).parse(argv, { from: 'user' });
  return { flags: program.opts<Flags>(), file: program.args[0] };
}

export const asksForHelp = (argv: readonly string[]) => argv.includes('--help') || argv.includes('-h');
