// Reports matches from their records only: `npm run report -- <folders>`.
import path from 'node:path';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  describeError,
  exitCodes,
  modelsFileOption,
  readCount,
  readWhole,
  runScript,
} from './command/command-line.ts';
import { addJudgeOptions, readJudgePlan, resolveJudges, type TypedJudge } from './command/judge-options.ts';
import { addLimitOptions, recordLimitWords } from './command/limit-options.ts';
import { type CallLimits, selectLimits } from '../models/call-limits.ts';
import { chooseJudge } from './report/choose-judge.ts';
import type { JudgingLimits } from './run/ask-judges.ts';
import { soFarOption } from './command/so-far-option.ts';
import { createCsvOption, type CsvFlag } from './command/csv-option.ts';
import { databaseOption, findDatabase } from './command/database-option.ts';
import { findMatches, isMatch, stripManifest, tellForksLeftOut } from './command/match-folder.ts';
import { getUsualFolder } from './report/baseline-cache.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';
import { type KnownPrices, priceOption } from './report/known-prices.ts';
import type { ReportOptions } from './report/make-report.ts';
import { sanitizeText } from '../report/format.ts';
import { formatCommand, nameCommand } from '../state/command-name.ts';
import { identifyModel } from '../state/model-identity.ts';
import { UsageError } from '../state/usage-error.ts';
import { DEFAULT_RESAMPLES } from '../deception/statistics/bootstrap.ts';
import { quoteActingName } from '../state/text.ts';

interface Typed extends TypedJudge, CallLimits, CsvFlag {
  models?: string;
  out?: string;
  dryRun?: boolean;
  retryUnread?: boolean;
  errors?: string;
  presupposed?: boolean;
  gold?: string;
  database?: string | false;
  seed: number;
  resamples: number;
  tables: boolean;
  leaderboard?: boolean;
  pooled?: boolean;
  soFar?: boolean;
  price?: KnownPrices;
  matchPages?: boolean;
  /** Folder of the chance baselines; false for a report without baselines. */
  baselines?: string | false;
  cache: boolean;
  allowKey?: readonly string[];
  /** Name of a paper's table. True means that no name was given; the command then lists all tables. */
  table?: string | true;
}

/**
 * The matches to report: a single match's folder, or several folders together. `isTold`: whether --no-judge was typed.
 * `limits`: limits of the judge's calls.
 */
type ReportCommand =
  | ({ match: string; isTold: boolean } & CsvFlag)
  | { isListing: true }
  | {
      many: ReportOptions;
      /** Name of a paper's table, which is printed instead of a report. */
      table?: string;
      limits: JudgingLimits;
      isDry: boolean;
      /** Whether the command line names the judge. A judge that only the matches name is not called. */
      isAsked: boolean;
      /** File of a gold sample that people have labeled; undefined without one. */
      gold: string | undefined;
      /** Whether to show figures of an incomplete study. */
      isSoFar: boolean;
    };

const about =
  'Report matches from their records only. For one match, write deception_summary.json, deception_summary.md and its tables as CSV to its folder, by the rules. For several, or for a folder that contains matches, write figures over all of them (report.json, report.md) and the tables (CSV and Parquet) to a folder of their own. See docs/reference/reports.md.';

function createReportCommand(io: CommandIO) {
  const program = createCommand('report', about, io)
    .argument('[folders...]', 'folders of matches, or folders that contain some, e.g. runs')
    .option(
      '--out <folder>',
      'folder for figures over matches; a single match is reported in this way with --out, --judge, --errors, --presupposed or --match-pages (default: report, in the folder that contains the first match)',
    )
    .option(
      '--judge <models...>',
      'judges whose claims decide the verdicts (with several, claims that most of them extract); asked about anything they have not answered yet (default: the cached answers of the judge that all the matches name, if complete)',
    )
    .option('--no-judge', 'let the rules extract the claims, whatever judge the matches name')
    .option(...modelsFileOption)
    .option(...allowKeyOption)
    .option(...databaseOption)
    .option('--no-database', 'collect nothing from a database, even if the environment names one');
  return addLimitOptions(
    addJudgeOptions(program)
      .option('--retry-unread', 'ask a judge again where it gave no readable answer')
      .option('--dry-run', 'only estimate the judges’ open questions; make no calls and write nothing')
      .option(
        '--errors <file>',
        'measured errors of the extractor, written by `validate --claims --out`, which correct lie rates (default: the rules’ own; none for a judge)',
      )
      .option('--presupposed', 'also count claims that a statement only presupposes (default with a judge)')
      .option('--no-presupposed', 'do not count presupposed claims (default with the rules)')
      .option(
        '--gold <sheet>',
        'sheet written by `label` and filled in by people: print the extractor’s agreement with them, and correct the shares of lies (docs/guides/judging.md)',
      ),
    { ...recordLimitWords, maxCost: 'stop asking the judge once this much is spent' },
  )
    .option('--seed <n>', 'seed of the resampling behind intervals', readWhole, 1)
    .option('--resamples <n>', 'number of resamples', readCount, DEFAULT_RESAMPLES)
    .option('--no-tables', 'write no tables')
    .addOption(createCsvOption())
    .option(
      '--table [name]',
      'instead of a report, print one table of a paper, or write one of its figures to papers/ in the report’s folder; without a name, list them (docs/evidence/papers.md)',
    )
    .option('--leaderboard', 'also rate the models of matches outside a tournament')
    .option('--pooled', 'on a leaderboard with several conditions, also rate all of them together')
    .option(...soFarOption)
    .option(...priceOption)
    .option(
      '--match-pages',
      'write match.html, a page to watch the match, next to each record with an example in the report, and link to it',
    )
    .option(
      '--baselines <folder>',
      'folder of chance baselines for each board under its rules; missing ones are played once (default: wolfgraph/baselines in the user’s cache folder)',
    )
    .option('--no-baselines', 'leave out chance baselines')
    .option(...noCacheOption)
    .addHelpText(
      'after',
      `
Unfinished matches and unusable records are listed with the
reason and left out. A match named twice counts once.

Examples:
  ${nameCommand('report')} runs/classic-8-7-1a2b3c4d
  ${nameCommand('report')} runs
  ${nameCommand('report')} runs/first runs/second --out both
  ${nameCommand('report')} runs/plus-12 --table plus-2

Exit codes: 0 written, 2 wrong usage or no match found, 1 another error; 129
and above stopped by a signal. With a judge also 3 provider failure, 4 budget
reached, 5 the judge does not read reliably.`,
    );
}

/** Throws a CommanderError for a wrong command line, or for help. */
async function readReportCommand(argv: readonly string[], io: CommandIO): Promise<ReportCommand> {
  const program = createReportCommand(io).parse(argv, { from: 'user' });
  const folders = program.args.map(stripManifest);
  const {
    table,
    out,
    tables,
    leaderboard,
    pooled,
    soFar = false,
    price: prices,
    matchPages,
    database,
    dryRun = false,
    retryUnread = false,
    baselines: named,
    cache,
    judge: judges,
    models,
    judgePer,
    repeat,
    guard,
    gold,
    ...options
  } = program.opts<Typed>();
  if (table === true) return { isListing: true };
  const needsFolders = table === undefined || (await needsStudy(table));
  if (needsFolders && folders.length === 0)
    program.error("error: missing required argument 'folders'", { code: 'commander.missingArgument', exitCode: 1 });
  const typed = resolveJudges(judges, models);
  const first = folders[0] ?? '';
  const isOne =
    folders.length === 1 &&
    [table, out, typed || undefined, options.errors, options.presupposed, gold, leaderboard, pooled, matchPages].every(
      (value) => value === undefined,
    );
  const isOwn = isOne && isMatch(first);
  const how = { judgePer, repeat, guard };
  const isAsked = Array.isArray(typed);
  if (dryRun && (isOwn || !isAsked))
    throw new UsageError(
      `--dry-run estimates what a judge costs${isOwn ? ', but the report of a single match uses the rules and no judge' : ''}. Name a judge with --judge.`,
    );
  if (retryUnread && !isAsked) throw new UsageError('--retry-unread asks a judge again. Name it with --judge.');
  const address = findDatabase(database, io.env);
  if (address !== undefined && !isOwn && !dryRun && needsFolders)
    await collectQueued(folders, { address, isTyped: typeof database === 'string' }, io);
  const kept = cache ? chooseCache(io) : null;
  const { KnownManifests } = await import('./report/known-manifests.ts');
  const known = new KnownManifests();
  const judge =
    isOwn || !needsFolders
      ? readJudgePlan(undefined, how)
      : await chooseJudge({ judge: typed, ...how }, { folders, cache: kept, presupposed: options.presupposed, keepsNamed: true, known }, io); // prettier-ignore
  if (isOwn) return { match: first, isTold: typed === false, csv: options.csv };
  const holder = isMatch(first) ? path.dirname(path.normalize(first)) : first;
  const tell = (line: string) => void io.stderr.write(`${line}\n`);
  const baselines = named === false ? null : { folder: named ?? getUsualFolder(io), tell };
  return {
    ...(table !== undefined && { table }),
    many: {
      ...{ ...options, judge, folders, out: out ?? path.join(holder, 'report'), isTabled: tables, baselines },
      ...{ isRated: leaderboard, isPooled: pooled, hasMatchPages: matchPages },
      ...(prices && { prices }),
      isUnreadShown: typed === undefined,
      cache: kept,
      known,
      warn: (message) => tell(describeError(message)),
    },
    limits: { ...selectLimits(options), retriesUnread: retryUnread },
    isDry: dryRun,
    isAsked,
    gold,
    isSoFar: soFar,
  };
}

/** Whether the table needs recorded matches. Throws a UsageError for an unknown name. */
async function needsStudy(table: string): Promise<boolean> {
  const { findPaperItem } = await import('./report/paper-tables.ts');
  return findPaperItem(table).source !== 'nothing';
}

/**
 * Writes matches that workers finished into the folders of their tournaments, so that the report includes these
 * matches.
 */
async function collectQueued(
  folders: readonly string[],
  database: { address: string; isTyped: boolean },
  io: CommandIO,
): Promise<void> {
  const { collectForReport } = await import('./run/run-queued-tournament.ts');
  await collectForReport(folders, database, io);
}

/** Prints that the built-in rules extract the claims of a single match, although the match names a judge. */
async function tellPassedOver(folder: string, { stderr }: CommandIO): Promise<void> {
  const { findNamedJudges } = await import('./report/match-inventory.ts');
  const { judge } = findNamedJudges([folder]);
  if (judge === undefined) return;
  const identity = identifyModel(judge);
  stderr.write(
    `${sanitizeText(`The built-in rules extract the claims, as for any single match, although the match names the judge ${identity}. For the claims of that judge: ${formatCommand('report', folder, '--judge', identity)}`)}\n`,
  );
}

/** Returns the extractor's accuracy against people's labels, and the models with enough labels. */
async function measureSheet(sheet: string, { folders, judge, presupposed }: ReportOptions) {
  const { listLabeledModels, measureGold } = await import('./compare/gold-sheet.ts');
  const { nameExtractor } = await import('./report/match-inventory.ts');
  const found = await measureGold(sheet, folders, { judge, presupposed });
  const { agreement, kappaOfPeople, rates, labeled, rows, imputed } = found;
  return {
    measured: listLabeledModels(found),
    imputed,
    gold: {
      ...{ extractor: nameExtractor(judge), rows, labeled, kappa_of_people: kappaOfPeople, agreement },
      rates: rates.map(({ model, team, rate: { value, low, high, uncorrected, labeled: count } }) => ({
        ...{ model, team, value, low, high, uncorrected, labeled: count },
      })),
    },
  };
}

export async function runReport(argv: readonly string[], io: CommandIO): Promise<number | void> {
  const command = await readReportCommand(argv, io);
  const tell = (files: readonly string[]) => files.forEach((file) => io.stdout.write(`${quoteActingName(file)}\n`));
  if ('isListing' in command) {
    const { listPaperItems } = await import('../report/papers/paper-register.ts');
    io.stdout.write(listPaperItems());
    return;
  }
  if ('match' in command) {
    findMatches([command.match]); // throws a UsageError for a fork
    if (!command.isTold) await tellPassedOver(command.match, io);
    const { writeReport } = await import('./report/write-reports.ts');
    const warn = (message: string) => void io.stderr.write(`${sanitizeText(message)}\n`);
    tell(await writeReport(command.match, warn, command.csv));
    return;
  }
  const { many: typed, limits, isDry, isAsked, table, gold: sheet, isSoFar } = command;
  if (sheet !== undefined) (await import('./compare/gold-sheet.ts')).readGoldSheet(sheet); // throws for a faulty sheet before judges are paid
  let many = typed;
  tellForksLeftOut(many.folders, io, many.known);
  const { checkReportOptions, reportMany } = await import('./report/write-reports.ts');
  const errors = checkReportOptions(many);
  if (many.judge !== undefined && isAsked) {
    const { judgeRecords } = await import('./report/judge-records.ts');
    await judgeRecords({ ...many, judge: many.judge }, { ...limits, isDry }, io);
    if (isDry) return;
    const { KnownManifests } = await import('./report/known-manifests.ts');
    many = { ...many, known: new KnownManifests() }; // matches may have ended meanwhile
  }
  const { findOpenStudies, describeOpenStudies, createProgressPage } = await import('./study/open-study.ts');
  const open = findOpenStudies(many.folders, many.cache ? new MeasurementCache(many.cache) : null, many.known, io.step);
  if (open.length > 0 && !isSoFar) {
    const { renderProgressText } = await import('../report/progress-page.ts');
    const { writeProgressReport } = await import('./report/write-reports.ts');
    const page = createProgressPage('Report', open, ['report', ...argv]);
    io.stdout.write(renderProgressText(page));
    if (table === undefined) tell(await writeProgressReport(many.out, page));
    return;
  }
  if (open.length > 0) many = { ...many, soFar: describeOpenStudies(open) };
  if (table !== undefined) {
    const { findPaperItem, printPaperItem } = await import('./report/paper-tables.ts');
    await printPaperItem(findPaperItem(table), { ...many, signals: io }, io);
    return;
  }
  if (sheet !== undefined) many = { ...many, ...(await measureSheet(sheet, many)) };
  const { renderReportFindings, renderReportNotice } = await import('../report/report-markdown.ts');
  const { nameModels } = await import('../report/shown-models.ts');
  const {
    report: recorded,
    leaderboard: rated,
    files,
  } = await reportMany({ ...many, signals: io, onStep: io.step }, errors);
  const [report, leaderboard] = nameModels([recorded, rated] as const, recorded.answers);
  io.stderr.write(renderReportNotice(report));
  io.stdout.write(renderReportFindings(report));
  if (leaderboard) {
    const { summarizeLeaderboard } = await import('../report/leaderboard-markdown.ts');
    io.stdout.write(`\n${summarizeLeaderboard(leaderboard)}`);
  }
  const first = path.join(many.out, 'report.md');
  io.stdout.write(`${sanitizeText(`First page: ${first}. ${files.length} files in ${many.out}.`)}\n`);
  return report.judge_reading === 'not reading' ? exitCodes.unreadable : exitCodes.done;
}

if (import.meta.main) await runScript(runReport);
