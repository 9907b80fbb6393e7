// Writes recorded matches in the formats of other tools: `npm run export -- lies runs --out bank`.
import { formatWhole } from '../report/format.ts';
import { inspectFormat } from '../report/inspect-log.ts';
import { nameCommand } from '../state/command-name.ts';
import {
  type CommandIO,
  type CommandPart,
  createCommandPart,
  exitCodes,
  modelsFileOption,
  runCommandPart,
  runScript,
} from './command/command-line.ts';
import { tellForksLeftOut } from './command/match-folder.ts';
import { addJudgeOptions, resolveJudges, type TypedJudge } from './command/judge-options.ts';
import { writeLies, summarizeBank } from './export/write-lies.ts';
import { type LogOptions, writeChats, writeInspect, type WrittenLogs } from './export/write-logs.ts';
import { chooseJudge } from './report/choose-judge.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';
import { tellOpenStudies } from './study/open-study.ts';

interface LiesFlags extends TypedJudge {
  out: string;
  models?: string;
  errors?: string;
  license?: string;
  withJudgments?: boolean;
  cache: boolean;
}

async function runLies(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = createCommandPart(
    'export',
    'lies',
    'Write the public statements of finished matches with their verified claims as a bank for lie detectors: JSON Lines, Parquet, a card and a hash. Makes no calls. See docs/reference/export.md.',
    io,
  )
    .argument('<records...>', 'folders of matches, or folders that contain some, e.g. runs')
    .requiredOption('--out <folder>', 'folder for the bank; an existing bank is replaced')
    .option('--license <words>', 'license of the texts, for the card, e.g. CC-BY-4.0')
    .option('--with-judgments', 'add a table of listeners’ and annotators’ judgments of each statement')
    .option(
      '--judge <models...>',
      'judge whose cached answers give the claims (default: the judge that all the matches name)',
    )
    .option('--no-judge', 'let the rules extract the claims, whatever judge the matches name')
    .option(
      '--errors <file>',
      'file of the judge’s measured errors, for the card (the errors of the rules are built in)',
    )
    .option(...modelsFileOption)
    .option(...noCacheOption);
  addJudgeOptions(program).parse(argv, { from: 'user' });
  const {
    out,
    judge: typed,
    judgePer,
    repeat,
    guard,
    models,
    errors,
    license,
    withJudgments = false,
    cache,
  } = program.opts<LiesFlags>();
  const how = { judgePer, repeat, guard };
  const folders = program.args;
  tellForksLeftOut(folders, io);
  tellOpenStudies(folders, io);
  const judge = await chooseJudge({ judge: resolveJudges(typed, models), ...how }, { folders, tellsRules: true }, io);
  const kept = cache ? new MeasurementCache(chooseCache(io)) : null;
  const record = await writeLies({ folders, out, judge, errors, license, withJudgments, cache: kept }, io);
  io.stdout.write(summarizeBank(out, record));
  return Object.keys(record.left_out).length === 0 ? exitCodes.done : exitCodes.other;
}

/** The common options and steps of the parts `inspect` and `chat`. */
interface LogPart {
  name: string;
  about: string;
  /** The option --out: its flags and its help text. */
  out: [flags: string, about: string];
  write: (options: LogOptions, io: CommandIO) => Promise<WrittenLogs>;
  tell: (written: WrittenLogs, out: string) => string;
}

const logParts: Readonly<Record<'inspect' | 'chat', LogPart>> = {
  inspect: {
    name: 'inspect',
    about: `Write finished matches as logs of Inspect (version ${inspectFormat.version} of its format), which \`inspect view\` opens: a match is a sample, its scores are the verdicts of its statements. Makes no calls. See docs/reference/export.md.`,
    out: ['--out <folder>', 'folder for the logs'],
    write: writeInspect,
    tell: ({ files, count }, out) =>
      `${formatWhole(count)} matches in ${formatWhole(files.length)} logs. To see them: inspect view --log-dir ${out}\n`,
  },
  chat: {
    name: 'chat',
    about:
      'Write one line of JSON for each seat of finished matches: its questions and answers as chat messages, and the rewards of its play. Makes no calls. See docs/reference/export.md.',
    out: ['--out <file>', 'file to write; an existing file is replaced'],
    write: writeChats,
    tell: ({ count }, out) => `${formatWhole(count)} seats in ${out}.\n`,
  },
};

interface LogFlags extends TypedJudge {
  out: string;
  models?: string;
  cache: boolean;
}

const createLogPart =
  ({ name, about, out: [outFlags, outAbout], write, tell }: LogPart): CommandPart =>
  async (argv, io) => {
    const program = createCommandPart('export', name, about, io)
      .argument('<records...>', 'folders of matches, or folders that contain some, e.g. runs')
      .requiredOption(outFlags, outAbout)
      .option(
        '--judge <models...>',
        'judge whose cached answers give the claims (default: the judge that all the matches name)',
      )
      .option('--no-judge', 'let the rules extract the claims, whatever judge the matches name')
      .option(...modelsFileOption)
      .option(...noCacheOption);
    addJudgeOptions(program).parse(argv, { from: 'user' });
    const { out, judge: typed, judgePer, repeat, guard, models, cache } = program.opts<LogFlags>();
    const folders = program.args;
    tellForksLeftOut(folders, io);
    tellOpenStudies(folders, io);
    const how = { judgePer, repeat, guard };
    const judge = await chooseJudge({ judge: resolveJudges(typed, models), ...how }, { folders, tellsRules: true }, io);
    const kept = cache ? new MeasurementCache(chooseCache(io)) : null;
    const written = await write({ folders, out, judge, cache: kept }, io);
    io.stdout.write(tell(written, out));
    return written.leftOut === 0 ? exitCodes.done : exitCodes.other;
  };

const formatHelp = () => `Usage: ${nameCommand('export')} PART [arguments]

Writes finished matches in the formats of other tools. Makes no calls.
See docs/reference/export.md.

  lies RECORDS --out BANK     a bank of verified lies, for lie detectors
  inspect RECORDS --out LOGS  logs that \`inspect view\` opens
  chat RECORDS --out FILE     each seat as a chat with rewards, one JSON line each

${nameCommand('export')} PART --help lists the arguments of each.

Exit codes: 0 done, 1 records left out or another error, 2 wrong usage.
`;

/** Parts of the command: name → function that runs the part with the arguments after its name. */
const parts: Readonly<Record<string, CommandPart>> = {
  lies: runLies,
  inspect: createLogPart(logParts.inspect),
  chat: createLogPart(logParts.chat),
};

/** Names of the parts, each with its own options. */
export const exportParts: readonly string[] = Object.keys(parts);

/** Runs the part that the first argument names. Throws a UsageError for an unknown part. */
export const runExport = (argv: readonly string[], io: CommandIO): Promise<number> =>
  runCommandPart({ name: 'export', parts, formatHelp }, argv, io);

if (import.meta.main) await runScript(runExport);
