// Decides which tournament to play and how: the plan of a YAML file, and the options.
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { checkTournament } from '../../deception/tournament-plan/check-tournament.ts';
import {
  type Entrant,
  type ExperiencePart,
  crossedFormat,
  TournamentFile,
  type TournamentPlan,
} from '../../deception/tournament-plan/tournament-plan.ts';
import { readPool } from '../../graph/experience/pool-folder.ts';
import { normalizeModelSpec, readModelSpec } from '../../models/providers/index.ts';
import { dropUndefined } from '../../models/model-options.ts';
import { type NamedModels, readModelsFile, readNamedModels, resolveModel } from '../../models/providers/models-file.ts';
import { type Board, readBoard } from '../../state/boards.ts';
import { formatCommand, nameCommand } from '../../state/command-name.ts';
import { resolvePreset } from '../../state/presets.ts';
import { UsageError } from '../../state/usage-error.ts';
import { allowKeyOption, type CommandIO, createCommand, defaultOut, exitCodes } from './command-line.ts';
import { addLimitOptions, matchLimitWords } from './limit-options.ts';
import { databaseOption, findDatabase } from './database-option.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { checkContents, isBoardFile, readBoardFile, readYaml } from './match-options.ts';
import { explainFault } from './analysis-plan-file.ts';
import { checkOutOfFile } from './own-folder.ts';

interface TournamentFlags extends CallLimits {
  out?: string;
  dryRun?: boolean;
  mixWordings?: boolean;
  precision?: number;
  status?: boolean;
  database?: string | false;
  detach?: boolean;
  collect?: boolean;
  remove?: boolean;
  force?: boolean;
  requeue?: string[];
  json?: boolean;
  quiet?: boolean;
  /** Whether a judged tournament ends with a report. Default: true. */
  report?: boolean;
  allowKey?: readonly string[];
}

export interface TournamentCommand {
  plan: TournamentPlan;
  /** Folder of the tournament. */
  out: string;
  limits: CallLimits;
  /** The typed cap in USD. Null removes an earlier cap. Undefined if no cap was typed. */
  cap: number | null | undefined;
  flags: Pick<
    TournamentFlags,
    | 'dryRun'
    | 'mixWordings'
    | 'precision'
    | 'status'
    | 'detach'
    | 'collect'
    | 'remove'
    | 'force'
    | 'requeue'
    | 'json'
    | 'quiet'
    | 'report'
  >;
  /** Address of the database through which workers play the tournament; undefined if this process plays it. */
  database: string | undefined;
}

const about =
  'Play a tournament between models from one plan: every pairing on the same deals, in an order that is balanced wherever it stops. Run the same command again to resume. See docs/guides/tournaments.md.';

function readHalfWidth(text: string): number {
  const value = Number(text);
  if (!(value >= 0.001 && value < 1))
    throw new InvalidArgumentError('It must be a number of at least 0.001 and below 1.');
  return value;
}

/** Option → typed name, for options that are not allowed if the command only queues a tournament. */
const workerOptions = { maxFallbacks: '--max-fallbacks', maxWait: '--max-wait', concurrency: '--concurrency' };

function omitCap(plan: TournamentPlan): TournamentPlan {
  const uncapped = { ...plan };
  delete uncapped.maxCost;
  return uncapped;
}

function createTournamentCommand(io: CommandIO) {
  return addLimitOptions(
    createCommand('tournament', about, io)
      .argument('<plan>', 'YAML file of the plan')
      .option('--mix-wordings', 'allow matches in a folder that contains matches with another wording of the prompts')
      .option('--dry-run', 'only print the estimate and the expected precision; make no calls and write nothing')
      .option(
        '--precision <half-width>',
        'with --dry-run: print the number of deals that gives the difference of two scores (0 to 1) this half-width',
        readHalfWidth,
      )
      .option('--status', 'only print the progress; make no calls and write nothing')
      .option(...allowKeyOption)
      .option(...databaseOption)
      .option('--no-database', 'play it here, even if the environment names a database')
      .option('--detach', 'with a database: only queue it')
      .option('--collect', 'with a database: only write finished matches to the folder, and list what is missing')
      .option(
        '--remove',
        'with a database: remove the tournament from it (not its folders), unless workers hold matches',
      )
      .option(
        '--requeue <id>',
        'with a database: discard the record and answers of this match and let workers play it again; repeatable',
        (id: string, before: string[] = []) => [...before, id],
      )
      .option('--no-report', 'write no report at the end, if the plan names a judge')
      .option(
        '--force',
        'with --remove: remove the tournament even if workers hold matches or records are not collected',
      )
      .option('--out <folder>', 'folder of the tournament (default: runs/NAME)'),
    {
      ...matchLimitWords,
      maxCost:
        'start no call once this much is spent, in place of the plan’s maxCost; none: no cap (with a database, the last given cap stays until another is given)',
      concurrency: matchLimitWords.concurrency.replace('default:', 'default: the plan’s, else'),
      isCapOptional: true,
    },
  )
    .option('--json', 'print one JSON object per match as it ends, or a single one with --dry-run and --status')
    .option('--quiet', 'print errors only')
    .addHelpText('after', formatHelp);
}

/** Throws a UsageError for conflicting options. */
function checkFlags(
  { precision, dryRun, status, detach, collect, remove, requeue, force, ...others }: TournamentFlags,
  database: string | undefined,
): void {
  if (precision !== undefined && !dryRun) throw new UsageError('--precision needs --dry-run. Add --dry-run.');
  const [lone] = Object.entries({ detach, collect, remove, requeue }).flatMap(([name, isGiven]) =>
    isGiven ? [name] : [],
  );
  if (lone !== undefined && database === undefined)
    throw new UsageError(
      `--${lone} is about a tournament that workers play. Name their database: --database postgres://…, or WOLFGRAPH_DATABASE.`,
    );
  if ([detach, collect, remove, requeue, dryRun, status].filter(Boolean).length > 1)
    throw new UsageError(
      '--detach, --collect, --remove, --requeue, --dry-run and --status exclude each other. Keep one.',
    );
  if (force && !remove) throw new UsageError('--force needs --remove. Add --remove, or remove --force.');
  const [foreign] = Object.entries(workerOptions).flatMap(([name, option]) =>
    Object.hasOwn(others, name) ? option : [],
  );
  if (foreign !== undefined && database !== undefined && !dryRun && !status)
    throw new UsageError(
      `${foreign} is an option of the workers that play the matches. Give it to them: ${nameCommand('worker')} ${foreign} …; or play here: --no-database.`,
    );
}

/**
 * Parses the command line and the plan. Throws a UsageError or CommanderError that names the value and the expected
 * one.
 */
export function readTournamentCommand(argv: readonly string[], io: CommandIO): TournamentCommand {
  const program = createTournamentCommand(io).parse(argv, { from: 'user' });
  const flags = program.opts<TournamentFlags>();
  const {
    out,
    dryRun,
    mixWordings,
    precision,
    status,
    database: typed,
    detach,
    collect,
    remove,
    force,
    requeue,
    json,
    quiet,
    report,
    maxCost: typedCap,
    allowKey,
    ...limits
  } = flags;
  void allowKey; // was already read when the command started
  const database = findDatabase(typed, io.env);
  checkFlags(flags, database);
  const file = program.args[0]!;
  const { plan: written, out: planned, concurrency, maxCost: own } = readTournamentFile(file);
  if (planned !== undefined && out === undefined) checkOutOfFile(file, resolveNear(file, planned));
  const cap = typedCap === Infinity ? null : typedCap;
  const plan = cap === null ? omitCap(written) : written;
  const maxCost = cap === null ? undefined : (cap ?? own);
  return {
    plan,
    cap,
    out: out ?? (planned === undefined ? path.join(defaultOut, plan.name) : resolveNear(file, planned)),
    limits: { ...dropUndefined({ concurrency, maxCost }), ...limits },
    database,
    flags: {
      dryRun,
      mixWordings,
      precision,
      status,
      detach,
      collect,
      remove,
      force,
      requeue,
      json,
      quiet,
      report,
    } as TournamentCommand['flags'],
  };
}

/** Resolves a path in a file relative to the file's folder. */
const resolveNear = (file: string, named: string) =>
  path.isAbsolute(named) ? named : path.join(path.dirname(file), named);

/**
 * Reads a tournament file: the plan with complete boards and models, and the settings of play. Throws a UsageError that
 * names the file, the field, and the expected value.
 *
 * @example const { plan } = readTournamentFile('frontier.yaml');
 */
export function readTournamentFile(
  file: string,
): { plan: TournamentPlan } & Pick<TournamentFile, 'out' | 'concurrency' | 'maxCost'> {
  const written = checkContents(file, TournamentFile, readYaml(file) ?? {});
  const { models, boards, rules, entrants, baseline, judge, out, concurrency, experience, conditions, ...others } =
    written;
  const { replicates = 1, format, ...rest } = others;
  if (format === crossedFormat && rest.design === 'cyclic')
    throw new UsageError(
      `${file}: "design: cyclic" plays some pairs on each deal, but "format: crossed" plays all of them. Remove "design", or write "format: round-robin".`,
    );
  const named = readModels(file, models);
  const resolve = (what: string, entrant: Entrant) =>
    explainFault(`${file}, ${what}:`, () => resolveEntrant(entrant, named));
  const resolved = Object.fromEntries(
    Object.entries(entrants).map(([name, entrant]) => [name, resolve(`entrants.${name}`, entrant)]),
  );
  const isEntrant = baseline !== undefined && Object.hasOwn(resolved, baseline.model);
  const plan: TournamentPlan = {
    ...rest,
    ...(format === crossedFormat ? { format: 'round-robin', selfPlay: true } : { format }),
    ...(replicates > 1 && { replicates }), // leaves out 1, so that 1 and no value give the same plan
    entrants: resolved,
    ...(baseline && { baseline: isEntrant ? resolved[baseline.model]! : resolve('baseline', baseline) }),
    ...(judge !== undefined && {
      judge: explainFault(`${file}, judge:`, () => normalizeModelSpec(resolveModel(judge, named))),
    }),
    boards: boards.map((board) => explainFault(`${file}, boards:`, () => readPlannedBoard(file, board))),
    rules: explainFault(`${file}, rules:`, () => [rules].flat().map(resolvePreset)),
    ...(experience && { experience: readPart(file, experience) }),
    ...(conditions && {
      conditions: Object.fromEntries(
        Object.entries(conditions).map(([name, values]) => [
          name,
          values.map((value) => (typeof value === 'object' && value !== null ? readPart(file, value) : value)),
        ]),
      ),
    }),
  };
  explainFault(`${file}:`, () => checkTournament(plan));
  return { plan, ...dropUndefined({ out, concurrency, maxCost: written.maxCost }) };
}

/** Adds the hash of the pool to experience settings. The pool's folder is relative to the file. */
function readPart(file: string, part: ExperiencePart): ExperiencePart {
  if (part.pool === undefined) return part;
  const pool = resolveNear(file, part.pool);
  return { ...part, pool, sha256: explainFault(`${file}, experience:`, () => readPool(pool).sha256) };
}

function readModels(file: string, models: TournamentFile['models']): NamedModels {
  if (models === undefined) return new Map();
  return typeof models === 'string'
    ? readModelsFile(resolveNear(file, models))
    : readNamedModels(`${file}, models,`, models);
}

function resolveEntrant({ model, roles, ...entrant }: Entrant, named: NamedModels): Entrant {
  const resolve = (text: string) => readModelSpec(normalizeModelSpec(resolveModel(text, named))).text;
  return {
    model: resolve(model),
    ...entrant,
    ...(roles && { roles: Object.fromEntries(Object.entries(roles).map(([role, text]) => [role, resolve(text)])) }),
  };
}

const readPlannedBoard = (file: string, board: string): Board =>
  readBoard(readBoardFile(isBoardFile(board) ? resolveNear(file, board) : board));

const formatHelp = () => `
A plan:
  name: frontier
  entrants:
    gpt: openai:gpt-4o
    gemini: vertexai:gemini-2.5-pro
    classic: bot:classic
  format: round-robin        (or crossed, self-play, head-to-head, mixed, by-role)
  deals: 20
Also: ${Object.keys(TournamentFile.shape)
  .filter((name) => !['name', 'entrants', 'format', 'deals'].includes(name))
  .join(', ')}.
Paths in it (boards, models, out) are relative to the file.

Examples:
  ${nameCommand('tournament')} plan.yaml --dry-run
  ${nameCommand('tournament')} plan.yaml --dry-run --precision 0.05
  ${nameCommand('tournament')} plan.yaml
  ${nameCommand('tournament')} plan.yaml --status
  ${nameCommand('report')} runs/frontier
  WOLFGRAPH_DATABASE=postgres://… ${nameCommand('tournament')} plan.yaml     (workers play it: ${formatCommand('worker')})

Exit codes: those of ${formatCommand('match')}; ${exitCodes.done} also if the plan’s stopping rule ended the tournament.`;
