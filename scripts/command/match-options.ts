// The options of `npm run match`, as typed or from a YAML file or manifest, and their help.
import path from 'node:path';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { describeModels, normalizeModelSpec } from '../../models/providers/index.ts';
import { ModelOptions } from '../../models/model-options.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { Board, boards, readBoard } from '../../state/boards.ts';
import { defaultPlan } from '../../state/game.ts';
import {
  ExperienceArm,
  ExperienceRetriever,
  ExperienceRoles,
  ExperienceSeat,
  ExperienceMethod,
  ExperienceMoment,
  ExperienceRank,
  ExperienceReward,
  ExperienceSettings,
  ExperienceSource,
} from '../../state/experience-setup.ts';
import { formatCommand, nameCommand } from '../../state/command-name.ts';
import { presetNames, presets, listPresetNames, resolvePreset } from '../../state/presets.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { describeMissingRole, rulebook } from '../../state/rulebook.ts';
import { defineKnownOnly, describeIssue, UsageError } from '../../state/usage-error.ts';
import { Variant } from '../../state/variants.ts';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  exitCodes,
  modelsFileOption,
  readCount,
  readWhole,
} from './command-line.ts';
import { addLimitOptions, matchLimitWords } from './limit-options.ts';
import { modelsForm } from '../../models/providers/models-file.ts';
import { parseYaml, readUserFile } from '../../models/yaml-file.ts';

const model = z.string({ error: 'must be a model such as "openai:gpt-4o"' }).transform(normalizeModelSpec);

const ruleValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a word, a number, true, false or null',
});

/** A seat. YAML files may contain only the model instead of an object. */
const seat = z.preprocess(
  (value) => (typeof value === 'string' ? { model: value } : value),
  defineKnownOnly({ model: model.optional(), persona: z.string().max(500).optional() }),
);

/** A pool. YAML files may contain only the folder instead of an object. */
const experience = z.preprocess(
  (value) => (typeof value === 'string' ? { pool: value } : value),
  defineKnownOnly({
    pool: z.string({ error: 'must be the folder of a pool' }).min(1).optional(),
    seats: z.array(z.string().min(1)).min(1).optional(),
    arm: ExperienceArm.optional(),
    k: ExperienceSettings.shape.k.unwrap().optional(),
    threshold: ExperienceSettings.shape.threshold.unwrap().optional(),
    good: ExperienceSettings.shape.good.unwrap().optional(),
    from: ExperienceSource.optional(),
    role: ExperienceRoles.optional(),
    seat: ExperienceSeat.optional(),
    rank: ExperienceRank.optional(),
    moments: z.array(ExperienceMoment).min(1).optional(),
    method: ExperienceMethod.optional(),
    retriever: ExperienceRetriever.optional(),
    embedder: z.string().min(1).optional(),
    grow: z.number().int().min(1).optional(),
    reward: ExperienceReward.optional(),
  }),
);

export const MatchFile = defineKnownOnly({
  /** The name of a board, the path of a YAML file, or a complete board. */
  board: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  rules: z.string().optional(),
  rule: z.record(z.string(), ruleValue).optional(),
  seed: z.number().int().optional(),
  /** Named models, which can be used wherever a model is named: the path of a YAML file, or a complete list. */
  models: z
    .union([z.string().min(1), z.record(z.string(), z.unknown())], {
      error: `must be a models file, or ${modelsForm}`,
    })
    .optional(),
  model: model.optional(),
  villagers: model.optional(),
  werewolves: model.optional(),
  roles: z.record(z.string(), model).optional(),
  seats: z.record(z.string(), seat).optional(),
  /** Experience from earlier matches: the folder of a pool, or an object with the folder and settings. */
  experience: experience.optional(),
  /** Judge that extracts the claims of each match as soon as the match ends. Reports then use the judge's claims. */
  judge: model.optional(),
  /** Whether a judged study ends with a report and a comparison. Default: true. */
  report: z.boolean().optional(),
  /** File of an analysis plan, which must be written before the first call. */
  plan: z.string().min(1).optional(),
  out: z.string().min(1).optional(),
  id: z.string().optional(),
  /** Models of a crossed design. All ordered pairs of these models play the same deals. */
  crossed: z.array(model).min(2).optional(),
  /** Rule → crossed values. All combinations of values play the same deals. */
  crossRules: z.record(z.string(), z.array(ruleValue).min(1)).optional(),
  /** Number of variants of each deal. Each deal is also played without a variant. */
  variants: z.number().int().min(1).optional(),
  /** Variant of every match. */
  variant: Variant.optional(),
  /** Number of matches. Each match has the next seed. In a crossed design, the number of matches per arm. */
  matches: z.number().int().min(1).max(100_000).optional(),
  /** Number of times each deal is played with the same seats. */
  replicates: z.number().int().min(1).max(1000).optional(),
  dryRun: z.boolean().optional(),
  /** Whether the folder may contain matches with another wording of the prompts. */
  mixWordings: z.boolean().optional(),
  /** Maximum cost in USD. */
  maxCost: z.number().min(0).optional(),
  /** Maximum share of each model's questions that may be answered by a fallback. */
  maxFallbacks: z.number().min(0).max(1).optional(),
  /** Maximum time to wait for a provider, in seconds. */
  maxWait: z.number().min(0).max(86_400).optional(),
  concurrency: z.number().int().min(1).max(1000).optional(),
  reveal: z.boolean().optional(),
  /** Whether this process serves pages on which people play. */
  serve: z.boolean().optional(),
  /** Port of the pages for people. Default: any free port. */
  port: z.number().int().min(0).max(65_535).optional(),
  /** Host that serves the pages for people. Default: only this machine. */
  host: z.string().min(1).optional(),
  /** Whether the terminal may show secrets of a match in which people play. */
  operator: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});
export type MatchFile = z.infer<typeof MatchFile>;

/**
 * Reads a match file. Throws a UsageError that names the file and its errors, or a RecordError for an unusable
 * manifest.
 */
export function readMatchFile(file: string): { plan: MatchFile; manifest?: Manifest } {
  if (path.basename(file) === recordFiles.manifest) return { plan: {}, manifest: readManifest(file) }; // a manifest is never a pipe
  const value = readYaml(file);
  if (isManifest(value)) return { plan: {}, manifest: readManifest(file) };
  const plan = checkContents(file, MatchFile, value ?? {});
  if (typeof plan.board === 'object') checkContents(`${file}, board,`, Board, plan.board);
  return { plan };
}

/** Returns whether the board is given as the path of a file. */
export const isBoardFile = (board: unknown): board is string =>
  typeof board === 'string' && /\.(ya?ml|json)$/i.test(board);

/**
 * Reads the board if the given value names a file; otherwise returns the value. Throws a UsageError that names the file
 * and its errors.
 */
export const readBoardFile = <Given>(board: Given): Given | Board =>
  isBoardFile(board) ? checkContents(board, Board, readYaml(board)) : board;

/** Whether the value is a manifest of any version. Manifests of other versions cause a separate error. */
const isManifest = (value: unknown) => typeof value === 'object' && value !== null && 'schema_version' in value;

/** Reads a YAML file. Throws a UsageError for a file that does not exist or is not YAML. */
export function readYaml(file: string): unknown {
  return parseYaml(file, readUserFile(file, 'a YAML file, or the manifest.json of a match'));
}

/** Limits of error texts: characters of a value, characters of a message, and number of errors. */
const told = { value: 80, message: 400, faults: 20 };

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Validates a value by the schema and returns it. Throws a UsageError that names `what` and every error in it. */
export function checkContents<Contents>(what: string, schema: z.ZodType<Contents>, value: unknown): Contents {
  const read = schema.safeParse(value, { error: describeIssue, reportInput: true });
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message, input }) => {
    const shown = input === undefined || typeof input === 'object' ? '' : ` ${cut(JSON.stringify(input), told.value)}`;
    const words = cut(message, told.message);
    return path.length === 0 ? `  ${words}` : `  ${cut(path.join('.'), told.value)}${shown}: ${words}`;
  });
  const more = faults.length > told.faults ? [`  and ${faults.length - told.faults} more`] : [];
  throw new UsageError([`${what} cannot be used:`, ...faults.slice(0, told.faults), ...more].join('\n'));
}

/** Typed options, without defaults. */
export type MatchFlags = Omit<
  MatchFile,
  'board' | 'models' | 'rule' | 'crossRules' | 'roles' | 'seats' | 'experience'
> & {
  board?: string;
  /** Whether to print only the progress of a folder's matches. */
  status?: boolean;
  /** Folder of a pool. */
  experience?: string;
  experienceSeats?: readonly string[];
  experienceGrow?: number;
  models?: string;
  /** Allowed keys, each as `NAME@HOST`. */
  allowKey?: readonly string[];
  /** Rules, each as `key=value`. */
  rule?: readonly string[];
  /** Crossed rules, each as `key=value,value`. */
  crossRules?: readonly string[];
  /** Role → model. */
  role?: Readonly<Record<string, string>>;
  /** Name → model. */
  seat?: Readonly<Record<string, string>>;
};

/** Throws for a key that is given twice, because the last value would silently replace the first. */
function refuseTwice(key: string, before: readonly string[]): void {
  if (before.includes(key)) throw new InvalidArgumentError(`${key} is given twice: remove one.`);
}

const getKey = (text: string) => text.split('=')[0]!;

const addRule = (text: string, before: readonly string[] = []) => {
  refuseTwice(getKey(text), before.map(getKey));
  return [...before, text];
};

/** Reads the folder of an option. Throws if the text is another option, because the folder is then missing. */
function readFolder(text: string): string {
  if (text.startsWith('-')) throw new InvalidArgumentError('It must be the folder of a pool.');
  return text;
}

const addModel = (text: string, before: Readonly<Record<string, string>> = {}) => {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=MODEL, e.g. Seer=bot:random.');
  refuseTwice(key, Object.keys(before));
  return { ...before, [key]: value };
};

const about =
  'Play one or more Werewolf matches and write their records and deception summaries. Run the same command again to resume.';

/** Names of the most used options, which --help shows. --help-all shows all options. */
const common = [
  ...['board', 'rules', 'rule', 'seed', 'model', 'villagers', 'werewolves', 'seat'],
  ...['out', 'matches', 'judge', 'dry-run', 'max-cost', 'help-all'],
].map((name) => `--${name}`);

function createMatchCommand(argv: readonly string[], io: CommandIO): Command {
  const program = addMatchOptions(createCommand('match', about, io)).addHelpText('after', formatHelp);
  program.configureHelp({ visibleOptions: () => program.options.filter(({ long }) => common.includes(long!)) });
  return program.on('option:help-all', () => {
    program.configureHelp({ visibleOptions: () => [...program.options] });
    io.stdout.write(`${program.helpInformation()}${formatAllHelp(findKnownBoard(argv))}\n`);
    throw new CommanderError(exitCodes.done, 'commander.help', '');
  });
}

const addMatchOptions = (program: Command) =>
  addLimitOptions(
    program
      .argument(
        '[file]',
        'a YAML file with these options, or the manifest of a match; options on the command line override it',
      )
      .option('--board <name|file>', 'name of a board, or a YAML file (default: classic-8)')
      .option('--rules <preset>', `the rules of a paper: ${listPresetNames()} (default: wolf)`)
      .option('--rule <key=value>', 'a single rule; repeatable', addRule)
      .option('--seed <n>', 'seed of names, roles, seats and all draws (default: random; 1 with --matches)', readWhole)
      .option('--model <model>', 'model for all seats, e.g. openai:gpt-4o?temperature=0.5 (default: bot:classic)')
      .option(...modelsFileOption)
      .option(...allowKeyOption)
      .option('--villagers <model>', 'model for the village')
      .option('--werewolves <model>', 'model for the Werewolves')
      .option('--role <role=model>', 'model for a role; repeatable', addModel)
      .option('--seat <name=model>', 'model for a player, who is then at the table; repeatable', addModel)
      .option(
        '--experience <pool>',
        'let players remember decisions of earlier matches from this pool; see docs/guides/experience.md',
        readFolder,
      )
      .option(
        '--experience-seats <who>',
        'who remembers: players, roles, sides or models, with commas between (default: everybody)',
        (text: string) => text.split(',').map((word) => word.trim()),
      )
      .option(
        '--experience-grow <n>',
        'with --matches: add the played decisions to the pool after every N deals',
        readCount,
      )
      .option('--judge <model>', 'model that reads each match once it is over and extracts its claims')
      .option('--no-report', 'with --judge and --matches: write no report and no comparison at the end')
      .option(
        '--plan <file>',
        'analysis plan of these matches, whose hash goes into every manifest; see docs/reference/plan.md (its deals are the default of --matches)',
      )
      .option('--out <folder>', 'folder that contains the folders of matches (default: runs)')
      .option('--id <id>', 'name of the match and its folder (default: made from board, seed and set-up)')
      .option('--matches <n>', 'number of matches, with the seeds from --seed up', readWhole)
      .option(
        '--replicates <n>',
        'with --matches: play each deal this many times with the same seats, but other draws of bots and other seeds for providers; see docs/reference/compare.md',
        readCount,
      )
      .option(
        '--crossed <models...>',
        'play the same --matches deals with every ordered pair of these models, each in its own folder',
      )
      .option(
        '--cross-rules <key=values...>',
        'play the same --matches deals with every combination of these values, each in its own folder, e.g. analysis=both,off scores=bands,hidden',
      )
      .option(
        '--variants <n>',
        `play each deal as it is and in this many variants (${Variant.options.join(', ')}), each in its own folder`,
        readWhole,
      )
      .option('--variant <name>', 'play only this variant')
      .option('--mix-wordings', 'allow matches in a folder that contains matches with another wording of the prompts')
      .option('--dry-run', 'only estimate calls, tokens, cost and time; make no calls and write nothing')
      .option('--status', 'only print the progress of the matches in --out; make no calls and write nothing'),
    matchLimitWords,
  )
    .option('--reveal', 'show roles and secret events')
    .option('--serve', 'give each person (human) a page, and print its address, which opens the seat once')
    .option('--port <n>', 'with --serve: port of the pages (default: a free one)', readWhole)
    .option(
      '--host <host>',
      'with --serve: host of the pages, e.g. 0.0.0.0 for a network (default: this machine alone)',
    )
    .option('--operator', 'with people: show seed and models, and allow --reveal and traces; no player may see them')
    .option('--json', 'print one JSON object per match instead of the story')
    .option('--quiet', 'print errors only')
    .option('--help-all', 'list all options, models, rules and exit codes');

/**
 * Parses the command line. Throws a CommanderError for help, and for a wrong value. The error names the wrong and the
 * expected value.
 */
export function readMatchFlags(
  argv: readonly string[],
  io: CommandIO,
): { flags: MatchFlags; file: string | undefined } {
  const program = createMatchCommand(argv, io).parse(argv, { from: 'user' });
  return { flags: program.opts<MatchFlags>(), file: program.args[0] };
}

/** Width of the list of options, in characters. */
const width = 80;

const formatExamples = () => `Examples:
  ${formatCommand('match')}
  ${nameCommand('match')} --villagers openai:gpt-4o --werewolves openai:gpt-4o-mini
  ${nameCommand('match')} --rules arena --rule debateTurns=4 --seed 7 --id first
  ${nameCommand('match')} --id first  resumes it
  ${nameCommand('match')} runs/first/manifest.json --out again
  ${formatCommand('match', '--json')}  prints only JSON
  ${nameCommand('match')} --matches 100 --model openai:gpt-4o --max-cost 50
  ${nameCommand('match')} --matches 100 --model openai:gpt-4o --dry-run
  ${nameCommand('match')} --crossed openai:gpt-4o bot:classic --matches 50 --judge openai:gpt-4o --out study
  ${nameCommand('match')} --crossed openai:gpt-4o bot:classic --matches 50 --replicates 2
  ${nameCommand('match')} --cross-rules analysis=both,off --matches 50 --out measured`;

/** Formats the help that most people need, which fits on two screens. */
const formatHelp = (): string => `
${wrap(`Boards: ${Object.keys(boards).join(', ')}.`)}
${wrap('Models: PROVIDER:MODEL?option=value&…, as openai:gpt-4o, anthropic:claude-sonnet-4-5, vertexai:gemini-2.5-pro, ollama:qwen3:8b, bot:classic.')}
Other options, all providers, all rules and exit codes: --help-all

${formatExamples()}`;

/** Returns the board of the command line if it is a built-in board, otherwise the default board. */
function findKnownBoard(argv: readonly string[]): Board {
  const at = argv.findLastIndex((word) => word === '--board' || word.startsWith('--board='));
  const name = argv[at]?.split('=')[1] ?? argv[at + 1] ?? '';
  return readBoard(at >= 0 && Object.hasOwn(boards, name) ? name : defaultPlan.board);
}

/** Formats one rule with its values and default. */
const formatRule = (name: string): string[] => {
  const rule = Object.hasOwn(rulebook, name) ? rulebook[name] : undefined;
  if (rule === undefined) return [];
  return [wrap(`${name}=${formatValues(rule.schema)} (${String(rule.default)})  ${rule.about}`, '  ', '      ')];
};

/** Lists the rules about roles that the current board lacks, and the option that explains them. */
function formatRulesElsewhere(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `\n${wrap(`Rules of roles that this board does not have (--board NAME --help-all explains them): ${names.join(', ')}.`)}`;
}

/** Formats the complete help, with the rules of the board's roles. */
function formatAllHelp(board: Board): string {
  const [here, elsewhere] = [true, false].map((isHere) =>
    Object.keys(rulebook).filter((name) => (describeMissingRole(board, name) === null) === isHere),
  ) as [string[], string[]];
  return `
Models are written PROVIDER:MODEL?option=value&…; the most specific option wins:
${describeModels()
  .map(({ name, about }) => wrap(about, `  ${name.padEnd(22)}`, ' '.repeat(24)))
  .join('\n')}
${wrap(`Options of models: ${Object.keys(ModelOptions.shape).join(', ')}.`)}

Rules on the board ${board.name}, with their defaults:
${here.flatMap(formatRule).join('\n')}${formatRulesElsewhere(elsewhere)}
${presetNames.map((name) => wrap(`The preset ${name}: ${formatSettings(presets[resolvePreset(name)]!)}.`)).join('\n')}

${wrap(`A YAML file takes ${Object.keys(MatchFile.shape).join(', ')}; a seat may have a persona:`)}
  rule: { debateTurns: 4, honesty: forbidden }
  roles: { Seer: openai:gpt-4o }
  seats: { Ginger: { model: openai:gpt-4o-mini, persona: Speaks little. } }
  experience: { pool: pool, k: 3, from: own, seats: [werewolves] }
Paths in it (board, models, plan, out, experience) are relative to the file.

With --matches, seeds count up from --seed (default 1), and each match has its
own folder. Run the same command again to play what is left; nothing is played
twice. --json prints one line per match as it ends: id, folder, and summary or
error.

Exit codes: 0 played to its end, 2 wrong usage, 3 provider failure, 4 budget
reached, 5 too many unreadable answers, 128 + N stopped by signal N: 129
hung up, 130 interrupted, 143 terminated (after any of these, run the same
command again to resume), 1 another error. If several matches fail, the exit
code is the first of: 129 and above, 4, 3, 5, 1.`;
}

/** Formats settings as typed on the command line. */
const formatSettings = (rules: object) =>
  Object.entries(rules)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
}

/** Formats the possible values of a rule, e.g. "wolf|arena" or "1…40". */
function formatValues(schema: z.ZodType): string {
  const words = ({ type, enum: listed, anyOf, minimum, maximum }: JsonSchema): string => {
    if (anyOf) return anyOf.map(words).join('|');
    if (listed) return listed.map(String).join('|');
    if (type === 'boolean') return 'true|false';
    return minimum === undefined ? String(type) : `${minimum}…${maximum}`;
  };
  return words(z.toJSONSchema(schema) as JsonSchema);
}

/** Wraps a text. `indent` begins the first line; `hanging` begins each further line. */
function wrap(text: string, indent = '', hanging = indent): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length + word.length > width) {
      lines.push(line.trimEnd());
      line = hanging;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}
