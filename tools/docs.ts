// Prints the tables of fields in docs/ from the schemas' own descriptions: `npm run docs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable } from 'markdown-table';
import { format, resolveConfig } from 'prettier';
import type { Command } from 'commander';
import { z } from 'zod';
import { ExtractorErrors } from '../deception/claims/extractor-errors.ts';
import { BankRecord } from '../deception/bank/bank-record.ts';
import { BankClaim, bankSchemas } from '../deception/bank/bank-rows.ts';
import { roundOutward } from '../deception/statistics/round-outward.ts';
import { AnalysisPlan, Endpoint } from '../deception/comparison/analysis-plan.ts';
import { Comparison, Difference } from '../deception/comparison/comparison-schema.ts';
import { AnswerCell, AnswerDifference, UnknownAnswer } from '../deception/metrics/answer-table-schema.ts';
import { metrics } from '../deception/metrics/index.ts';
import { type Metric, type MetricSection, metricSections } from '../deception/metrics/metric.ts';
import { CallFigures, CallSummary } from '../deception/record/call-figures.ts';
import {
  LabelAgreement,
  DeceptionSummary,
  OccasionFigures,
  PlayerFigures,
  TypeFigures,
  VerdictCounts,
  VerdictFigures,
} from '../deception/summary/match-summary-schema.ts';
import { PoolEntry, PoolRecord } from '../deception/experience/pool-entry.ts';
import { Leaderboard, RatedEntrant, Rating } from '../deception/ratings/leaderboard-schema.ts';
import { CorrectedRate, leftOutReasons, Report, ReportedFigure } from '../deception/summary/report-schema.ts';
import { Entrant, StopPlan, TournamentFile } from '../deception/tournament-plan/tournament-plan.ts';
import { TournamentRecord } from '../deception/tournament-plan/tournament-record.ts';
import { tableSchemas } from '../deception/tables/match-tables.ts';
import { ModelOptions } from '../models/model-options.ts';
import { providers } from '../models/providers/index.ts';
import { KeptAnswer } from '../models/record/annotation-log.ts';
import { audienceKinds, eventDescriptions } from '../state/event-descriptions.ts';
import { GameEvent } from '../state/events.ts';
import { RecordedCall } from '../graph/import/imported-match.ts';
import { discrepancyKinds } from '../graph/import/recorded-game-replay.ts';
import { VectorRecord } from '../graph/experience/pool-folder.ts';
import { ExperienceSettings, ExperienceSetup, rewardMeanings } from '../state/experience-setup.ts';
import { renderPaperPart } from '../report/papers/paper-register.ts';
import { bankParts } from '../scripts/bank.ts';
import { exportParts } from '../scripts/export.ts';
import { poolParts } from '../scripts/pool.ts';
import { readExtractorErrors } from '../scripts/report/read-extractor-errors.ts';
import { formatDecimal } from '../report/format.ts';
import { commandNames, commandsAbout, runWolfgraph } from '../scripts/wolfgraph.ts';
import { AnswerLine, Manifest, Seal } from '../state/record.ts';
import { statementCodes } from '../state/statement-codes.ts';
import { papers } from '../state/papers.ts';
import {
  printBoards,
  printChoices,
  printDepartures,
  printPresets,
  printRules,
  printSizes,
  printVersions,
} from './docs/print-rules.ts';
import { readShape, printMeanings, printTable, quoteCode, type Shape } from './docs/print-table.ts';

/** A command or subcommand, with the words that users type for it. */
interface DescribedCommand {
  name: string;
  command: Command;
}

/** Commands that have subcommands, and these subcommands. */
const commandParts: Readonly<Record<string, readonly string[]>> = {
  pool: poolParts,
  export: exportParts,
  bank: bankParts,
};

/**
 * Every command that the help lists, with the command's own declaration. Subcommands are listed instead of their
 * command.
 */
const describedCommands: readonly DescribedCommand[] = await Promise.all(
  commandNames
    .flatMap((name) => commandParts[name]?.map((part) => `${name} ${part}`) ?? [name])
    .map(async (name) => ({ name, command: await catchCommand(name) })),
);

/**
 * Runs a command with --help, and returns the command's declaration, which is intercepted when the help is printed.
 * Throws an Error if it prints no help.
 */
async function catchCommand(name: string): Promise<Command> {
  const silent = { write: () => true };
  let caught: Command | undefined;
  await runWolfgraph([...name.split(' '), '--help'], {
    stdout: silent,
    stderr: silent,
    env: {},
    listenToSignals: () => new AbortController().signal,
    releaseSignals: () => undefined,
    onHelp: (command) => (caught = command),
  });
  if (caught === undefined) throw new Error(`wolfgraph ${name} --help prints no help of its own.`);
  return caught;
}

/** Page → the tables in it, between `<!-- name -->` and `<!-- end -->`. */
export const pages: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'reference/commands.md': {
    commands: () => printCommandList(),
    options: () => printCommands(),
  },
  'reference/data.md': {
    manifest: () => printFields(Manifest, 2),
    experience: () => printFields(ExperienceSetup),
    answers: () => printFields(AnswerLine),
    'kept answers': () => printFields(KeptAnswer, 1, Object.keys(AnswerLine.shape)),
    'every event': () =>
      printFields(
        GameEvent.options.find(({ shape }) => shape.type.value === 'quiet_night')!,
        1,
        ['type'],
      ),
    events: () => printEvents(),
    assessment: () =>
      printFields(
        GameEvent.options.find(({ shape }) => shape.type.value === 'assessment')!,
        1,
        ['round', 'phase', 'audience', 'type'],
      ),
    summary: () => printFields(DeceptionSummary),
    players: () => printFields(PlayerFigures),
    types: () => printFields(TypeFigures),
    occasions: () => printFields(OccasionFigures),
    agreement: () => printFields(LabelAgreement),
    'verdict counts': () => printFields(VerdictCounts),
    verdicts: () => printFields(VerdictFigures),
    seal: () => printFields(Seal),
    'call summary': () => printFields(CallSummary),
    calls: () => printFields(CallFigures),
    ...Object.fromEntries(
      Object.entries(tableSchemas).map(([name, schema]) => [`table ${name}`, () => printFields(schema)]),
    ),
    rules: () => printRules(),
  },
  'reference/boards.md': { boards: () => printBoards(), sizes: () => printSizes(), presets: () => printPresets() },
  'reference/import.md': {
    differences: () => printMeanings('kind', discrepancyKinds),
    'imported calls': () => printFields(RecordedCall),
  },
  'reference/presets.md': Object.fromEntries(
    Object.keys(papers).flatMap((name) => [
      [`choices ${name}`, () => printChoices(name)],
      [`versions ${name}`, () => printVersions(name)],
    ]),
  ),
  'reference/providers.md': { providers: () => printProviders(), options: () => printModelOptions() },
  'reference/reports.md': {
    'answer cell': () => printFields(AnswerCell),
    'answer difference': () => printFields(AnswerDifference),
    'unknown answer': () => printFields(UnknownAnswer),
    'left out': () => printMeanings('reason', leftOutReasons),
    corrected: () => printFields(CorrectedRate),
    figure: () => printFields(ReportedFigure),
    report: () => printFields(Report),
  },
  'reference/export.md': {
    ...Object.fromEntries(
      Object.entries(bankSchemas).map(([name, schema]) => [`bank ${name}`, () => printFields(schema)]),
    ),
    'bank claims': () => printFields(BankClaim),
    'bank record': () => printFields(BankRecord),
  },
  'evidence/accuracy.md': {
    rules: () => printRuleAccuracy(),
    judge: () => printJudgeCounts(),
    errors: () => printFields(ExtractorErrors),
  },
  'reference/plan.md': { plan: () => printFields(AnalysisPlan), endpoint: () => printFields(Endpoint) },
  'guides/tournaments.md': {
    tournament: () => printFields(TournamentFile),
    entrant: () => printFields(Entrant),
    stop: () => printFields(StopPlan),
    'tournament record': () => printFields(TournamentRecord),
  },
  'guides/experience.md': {
    pool: () => printFields(PoolRecord),
    'pool entry': () => printFields(PoolEntry),
    rewards: () => printMeanings('reward', rewardMeanings),
    'experience settings': () => printFields(ExperienceSettings),
    'pool vectors': () => printFields(VectorRecord),
  },
  'reference/metrics.md': Object.fromEntries(
    metricSections.map((section) => [`metrics ${section}`, () => printMetrics(section)]),
  ),
  'reference/ratings.md': {
    leaderboard: () => printFields(Leaderboard),
    rating: () => printFields(Rating),
    'rated entrant': () => printFields(RatedEntrant),
  },
  'reference/annotate.md': { codes: () => printCodes() },
  'evidence/papers.md': {
    ...Object.fromEntries(Object.keys(papers).map((name) => [`${name} departures`, () => printDepartures(name)])),
    'arena items': () => renderPaperPart('arena'),
    'wolf items': () => renderPaperPart('wolf'),
    'plus items': () => renderPaperPart('plus'),
  },
  'reference/compare.md': { comparison: () => printFields(Comparison), difference: () => printFields(Difference) },
};

const folder = path.join(import.meta.dirname, '../docs');

/** Paths of the pages within docs/, except the example. */
export const docPages: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^example-(?:report|bank)/.test(name))
  .sort();

/**
 * Prints a page's tables again, not yet formatted. Throws an Error for a table that has no place on the page, and for a
 * field without a description.
 *
 * @example printPage('reference/data.md', readFileSync('docs/reference/data.md', 'utf8'))
 */
export const printPage = (name: keyof typeof pages, text: string): string =>
  Object.entries(pages[name]!).reduce((page, [table, print]) => {
    const start = page.indexOf(`<!-- ${table} -->`);
    const end = page.indexOf('<!-- end -->', start);
    if (start < 0 || end < 0)
      throw new Error(`docs/${name} has no place "<!-- ${table} --> … <!-- end -->" for a table.`);
    return `${page.slice(0, start)}<!-- ${table} -->\n\n${resolveLinks(print(), name)}\n\n${page.slice(end)}`;
  }, text);

/**
 * Completes the links in printed text, so that a page in one folder of docs/ can link to pages in other folders. In
 * descriptions, a link contains only the page's file name, or `../FILE` for a file outside docs/.
 */
function resolveLinks(printed: string, page: string): string {
  const from = path.dirname(page);
  return printed.replaceAll(/\]\(((?:\.\.\/)?[\w-]+\.md)/gi, (link, target: string) => {
    const found = target.startsWith('../') ? target : docPages.find((name) => path.basename(name) === target);
    return found === undefined ? link : `](${path.relative(from, found)}`;
  });
}

/** Prints the measured errors of the rules that extract claims. */
function printRuleAccuracy(): string {
  const errors = readExtractorErrors(undefined, undefined);
  if (errors === null)
    throw new Error(
      'The error rates of the rules that extract claims are not measured. Run npm run validate -- --claims --out FILE.',
    );
  const { statements, moments, claims, lies, writers = {} } = errors;
  const format = (share: (typeof claims)['precision'] | undefined) => {
    if (share == null) return '–';
    const { low, high } = roundOutward(share, 2);
    return `${formatDecimal(share.right / share.of)} (${share.right}/${share.of}; ${formatDecimal(low)}–${formatDecimal(high)})`;
  };
  const own = Object.values(writers);
  const formatRange = (name: 'precision' | 'recall') => {
    const shares = own.flatMap((writer) => (writer[name] === null ? [] : [writer[name].right / writer[name].of]));
    return `${formatDecimal(Math.min(...shares))} to ${formatDecimal(Math.max(...shares))}`;
  };
  return markdownTable([
    ['what', 'precision', 'recall'],
    [`claims in ${statements} statements at ${moments} moments`, format(claims.precision), format(claims.recall)],
    [`the same, lowest and highest of ${own.length} writers`, formatRange('precision'), formatRange('recall')],
    ['statements whose gravest claim is a lie', format(lies?.precision), format(lies?.recall)],
  ]);
}

const MeasuredCount = z.union([
  z.strictObject({
    right: z.number().int(),
    of: z.number().int().min(1),
    by_model: z.tuple([z.number(), z.number()]).optional(),
  }),
  z.strictObject({ share: z.number(), by_model: z.tuple([z.number(), z.number()]).optional() }),
]);
const JudgeCounts = z.strictObject({
  readers: z.array(z.strictObject({ who: z.string(), precision: MeasuredCount, recall: MeasuredCount })),
});

/** Prints the measured counts of a judge whose answers are no longer stored. */
function printJudgeCounts(): string {
  const { readers } = JudgeCounts.parse(
    JSON.parse(readFileSync(path.join(folder, 'evidence/judge-counts.json'), 'utf8')),
  );
  const format = (found: z.infer<typeof MeasuredCount>) => {
    const count = 'of' in found ? `${formatDecimal(found.right / found.of)} (${found.right}/${found.of})` : formatDecimal(found.share); // prettier-ignore
    const [least, most] = found.by_model ?? [];
    return least === undefined || most === undefined ? count : `${count}, by model ${formatDecimal(least)} to ${formatDecimal(most)}`; // prettier-ignore
  };
  return markdownTable([
    ['who reads', 'precision', 'recall'],
    ...readers.map(({ who, precision, recall }) => [who, format(precision), format(recall)]),
  ]);
}

/**
 * Prints a table with one row for each field. Adjacent fields with the same meaning share a row. `depth`: levels of
 * nested fields to print.
 */
function printFields(schema: z.ZodType, depth = 1, without: readonly string[] = []): string {
  const rows: { names: string[]; meaning: string }[] = [];
  for (const [name, meaning] of describeFields(readShape(schema), depth, without)) {
    const last = rows.at(-1);
    if (last?.meaning === meaning) last.names.push(name);
    else rows.push({ names: [name], meaning });
  }
  return printTable(
    ['field', 'meaning'],
    rows.map(({ names, meaning }) => [names.map(quoteCode).join(', '), meaning]),
  );
}

const describeFields = (
  { properties = {} }: Shape,
  depth: number,
  without: readonly string[],
  prefix = '',
): [name: string, meaning: string][] =>
  Object.entries(properties).flatMap(([name, shape]) => {
    if (without.includes(name)) return [];
    if (shape.description === undefined) throw new Error(`The field ${prefix}${name} has no description.`);
    const inner = depth > 1 ? describeFields(shape, depth - 1, [], `${prefix}${name}.`) : [];
    return [[prefix + name, shape.description], ...inner];
  });

const printEvents = () =>
  printTable(
    ['`type`', 'audience', 'what happened, and further fields'],
    Object.entries(eventDescriptions).map(([type, { audience, tells }]) => [
      quoteCode(type),
      audienceKinds[audience],
      tells,
    ]),
  );

const printProviders = () =>
  printTable(
    ['provider', 'who answers, and what it reads'],
    providers.map(({ name, aliases = [], about }) => [
      [name, ...aliases].map((word) => quoteCode(`${word}:…`)).join(', '),
      Object.entries(about)
        .map(([model, words]) => (model === 'MODEL' ? words : `${quoteCode(`${name}:${model}`)}: ${words}`))
        .join('; '),
    ]),
  );

/** Prints the options of model strings, each with the providers that do not support it. */
function printModelOptions(): string {
  const takers = providers.flatMap(({ name, models, options }) =>
    models === undefined ? [{ name, taken: Object.keys(readShape(options).properties ?? {}) }] : [],
  );
  return printTable(
    ['option', 'value', 'not for'],
    Object.entries(readShape(ModelOptions).properties ?? {}).map(([name, { description = '' }]) => {
      const without = takers.filter(({ taken }) => !taken.includes(name)).map((taker) => quoteCode(taker.name));
      const takenBy = takers.filter(({ taken }) => taken.includes(name)).map((taker) => quoteCode(taker.name));
      const words = without.length > takenBy.length ? `all but ${takenBy.join(', ')}` : without.join(', ');
      return [quoteCode(name), description, words];
    }),
  );
}

const printCommandList = () =>
  printTable(
    ['command', 'purpose'],
    Object.entries(commandsAbout).map(([name, about]) => [
      (commandParts[name]?.map((part) => `${name} ${part}`) ?? [name])
        .map((words) => `[\`${words}\`](#${words.replace(' ', '-')})`)
        .join(', '),
      about,
    ]),
  );

const printCommands = () => describedCommands.map(printCommand).join('\n\n');

/** Prints a command's description, usage, arguments and options. */
function printCommand({ name, command }: DescribedCommand): string {
  const help = command.createHelp();
  const rows = [
    ...command.registeredArguments.map((one) => [one.name(), help.argumentDescription(one)] as const),
    ...command.options.map((one) => [one.flags, help.optionDescription(one)] as const),
  ];
  return [
    `## ${name}`,
    linkPages(command.description()),
    `\`\`\`sh\nwolfgraph ${name} ${command.usage()}\n\`\`\``,
    printTable(
      ['option', 'meaning'],
      rows.map(([term, meaning]) => [quoteCode(term), linkPages(meaning)]),
    ),
  ].join('\n\n');
}

/** Adds links to the pages that a help text names. */
const linkPages = (text: string) => text.replaceAll(/docs\/[\w-]+\/([\w-]+\.md)/g, '[$1]($1)').replaceAll('<', '\\<');

/** Prints an entry for each metric of a section, in the register's order. */
const printMetrics = (section: MetricSection): string =>
  metrics
    .filter((metric) => metric.section === section)
    .map(printMetric)
    .join('\n\n');

function printMetric({ name, title, definition, notes, unit, range, strata, bounds, hasBaseline }: Metric): string {
  const [least, most] = range;
  const facts = [
    title,
    unit,
    `${least}…${most ?? '∞'}`.replace('-', '−'),
    ...(strata.length === 0 ? [] : [`never pooled: ${strata.map(quoteCode).join(', ')}`]),
    ...(bounds ? ['has bounds'] : []),
    ...(hasBaseline ? ['has a chance value'] : []),
  ];
  const about = `_${facts.join(' · ')}_`;
  return [`### ${quoteCode(name)}`, about, definition, ...(notes === undefined ? [] : [notes])].join('\n\n');
}

const printCodes = () =>
  printTable(
    ['group', 'code', 'the words of the statement'],
    Object.entries(statementCodes).map(([code, { group, means }]) => [group, quoteCode(code), means]),
  );

/**
 * Counts the words of a page that people wrote: without printed tables, code blocks and addresses of links.
 *
 * @example countHandWrittenWords('Two words\n\n<!-- fields -->\n\n| a | b |\n\n<!-- end -->\n') // 2
 */
export const countHandWrittenWords = (page: string): number =>
  page
    .replaceAll(/<!-- (?!end)[^>]* -->[^]*?<!-- end -->/g, '')
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Prints the hand-written words of each page and folder of docs/. */
function printCounts(): void {
  const counts = docPages.map((name) => ({
    name,
    words: countHandWrittenWords(readFileSync(path.join(folder, name), 'utf8')),
  }));
  for (const { name, words } of counts) process.stdout.write(`${String(words).padStart(6)} ${name}\n`);
  for (const [part, pages] of Map.groupBy(counts, ({ name }) => path.dirname(name)))
    process.stdout.write(`${String(pages.reduce((sum, { words }) => sum + words, 0)).padStart(6)} in ${part}/\n`);
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--count')) printCounts();
else if (process.argv[1] === import.meta.filename)
  for (const name of Object.keys(pages)) {
    const file = path.join(folder, name);
    const printed = printPage(name, readFileSync(file, 'utf8'));
    writeFileSync(file, await format(printed, { ...(await resolveConfig(file)), parser: 'markdown' }));
  }
