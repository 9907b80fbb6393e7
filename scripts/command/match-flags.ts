// The command line of `npm run match`, as it was typed; what it means is settled in match-command.ts.
import { InvalidArgumentError } from 'commander';
import { createCommand, readNumber, readWhole } from './command-line.ts';
import type { CommandIO } from './exit.ts';

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

const addText = (text: string, before: readonly string[] = []) => [...before, text];

const addModel = (text: string, before: Readonly<Record<string, string>> = {}) => {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=MODEL, e.g. Seer=bot:random.');
  return { ...before, [key]: value };
};

const about =
  'Plays a match of Werewolf, or many, and writes records and deception summaries. The same command goes on with what was stopped.';

const createMatchCommand = (io: CommandIO) =>
  createCommand('match', about, io)
    .argument('[file]', 'a YAML file that says what these options say, or the manifest of a match; options override it')
    .option('--board <name|file>', 'a board by name or a YAML file (default: classic-8)')
    .option('--rules <preset>', 'a preset of rules: wolf or arena (default: wolf)')
    .option('--rule <key=value>', 'a single rule; repeatable', addText)
    .option(
      '--seed <n>',
      'decides names, roles, seats and all draws (default: drawn at random; 1 with --matches)',
      readWhole,
    )
    .option('--model <model>', 'for all seats, e.g. openai:gpt-4o?temperature=0.5 (default: bot:classic)')
    .option('--villagers <model>', 'for the village')
    .option('--werewolves <model>', 'for the Werewolves')
    .option('--role <role=model>', 'for a role; repeatable', addModel)
    .option('--seat <name=model>', 'for a player, who is then at the table; repeatable', addModel)
    .option('--out <folder>', 'where the folders of matches are (default: runs)')
    .option('--id <id>', 'the name of the match and its folder (default: made from board, seed and set-up)')
    .option('--matches <n>', 'play so many matches, with the seeds from --seed on', readWhole)
    .option('--dry-run', 'only estimate calls, tokens, cost and time; call and write nothing')
    .option('--max-cost <usd>', 'start no call once so much is spent, on all matches together', readNumber)
    .option('--concurrency <n>', 'calls under way at the same time, of all matches (default: 32)', readWhole)
    .option('--reveal', 'show roles and what happens in secret')
    .option('--json', 'print one JSON object a match instead of the story')
    .option('--quiet', 'print nothing but errors');

/**
 * Reads the command line; `more` stands below the list of options in the help. Throws a CommanderError that names the
 * value and what was expected, or for the help itself.
 */
export function readFlags(
  argv: readonly string[],
  io: CommandIO,
  more = '',
): { flags: Flags; file: string | undefined } {
  const program = createMatchCommand(io).addHelpText('after', more).parse(argv, { from: 'user' });
  return { flags: program.opts<Flags>(), file: program.args[0] };
}

export const asksForHelp = (argv: readonly string[]) => argv.includes('--help') || argv.includes('-h');
