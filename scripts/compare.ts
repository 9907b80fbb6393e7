// Says whether two sets of matches, two models, or two annotators differ: `npm run compare -- <a> [b]`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  type Arms,
  computeDifferences,
  countBotSeats,
  createConditionSides,
  createModelSides,
  findSwappedModels,
  getDealKey,
  hasSameModels,
  listAnnotators,
  listContrasts,
  narrowToAnnotator,
  narrowToModel,
  pairArms,
  type Paired,
  type Pairing,
  selectComparable,
  selectSharedJudgements,
} from '../deception/comparison/compare.ts';
import {
  AnalysisPlan,
  checkPlan,
  type Comparison,
  comparisonVersion,
  type NotCompared,
} from '../deception/comparison/comparison-schema.ts';
import { rulesExtractor } from '../deception/metrics/comparability.ts';
import { formatJudges } from '../deception/claims/majority-claims.ts';
import { metrics } from '../deception/metrics/index.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import { createResampling, DEFAULT_RESAMPLES } from '../deception/statistics/bootstrap.ts';
import type { LeftOut } from '../deception/summary/report-schema.ts';
import type { MatchTables } from '../deception/tables/row-schemas.ts';
import { RecordError } from '../models/record/ndjson.ts';
import { renderComparison } from '../report/comparison-page.ts';
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, readCount, readWhole, runScript, writeFile } from './command/command-line.ts';
import { addJudgeOptions, type JudgeFlags, readJudgePlan } from './command/judge-options.ts';
import { findMatches } from './command/match-folder.ts';
import { readFirstSound, type SoundMatch, takeInventory, type WantedMatches } from './report/match-inventory.ts';

interface Readable {
  /** Sorted by id, each once. */
  matches: readonly SoundMatch[];
  leftOut: readonly LeftOut[];
}

/** Throws a UsageError for a folder without matches, and a RecordError where no record in it can be used. */
async function readMatches(folder: string, wanted: WantedMatches): Promise<Readable> {
  const inventory = takeInventory(findMatches([folder]));
  const leftOut = [...inventory.leftOut];
  const matches: SoundMatch[] = [];
  for (const match of inventory.matches) {
    const read = await readFirstSound(match, wanted);
    leftOut.push(...read.leftOut);
    if (read.sound) matches.push(read.sound);
  }
  if (matches.length === 0)
    throw new RecordError(`No match in ${folder} can be compared. ${leftOut[0]?.message ?? ''}`);
  return { matches, leftOut };
}

interface ComparisonSources extends Pairing {
  by: Comparison['by'];
  names: readonly [string, string];
  arms: Arms;
  /** What a plan can name. */
  metrics: readonly Metric[];
  notCompared: readonly NotCompared[];
  notes: readonly string[];
  judgements: Comparison['judgements'];
  /** Matches in which there is nothing to compare. */
  leftOut: readonly LeftOut[];
  /** Adds up what either arm has of each deal. */
  pairs: () => Paired[];
}

/** What the models cost and left unanswered stands in reports: as endpoints they would only add to what is adjusted for. */
const endpoints = metrics.filter(({ section }) => section !== 'reliability');

/**
 * Throws a UsageError where the folders share no deal, and where models are wanted that did not change sides.
 */
function betweenFolders(
  names: readonly [string, string],
  matches: Record<'a' | 'b', readonly MatchTables[]>,
  extractor: string,
  by?: 'condition' | 'model',
): ComparisonSources {
  const arms: Arms = { a: matches.a.map(({ match }) => match), b: matches.b.map(({ match }) => match) };
  const pairing = pairArms(arms);
  if (pairing.deals.length === 0)
    throw new UsageError(
      `${names[0]} and ${names[1]} share no deal: no two matches have the same board, names, seats and roles. Play both with the same --board and --seed.`,
    );
  const models = findSwappedModels(arms);
  if (by === 'model' && !models)
    throw new UsageError(
      `--by model compares two models that changed sides: all matches of ${names[0]} with X as village and Y as Werewolves, all of ${names[1]} the other way round. Here are: ${[...sidesIn(arms.a), ...sidesIn(arms.b)].join('; ')}.`,
    );
  const swapped = by === 'condition' ? null : models;
  const narrowed = swapped ? endpoints.flatMap((metric) => narrowToModel(metric, swapped[0]) ?? []) : endpoints;
  const isWithinModels = !swapped && hasSameModels(matches, pairing.deals);
  const { comparable, notCompared } = isWithinModels
    ? { comparable: narrowed, notCompared: [] }
    : selectComparable(narrowed, extractor);
  const counted = endpoints.filter(({ name }) => comparable.some((metric) => metric.name === name));
  const sides = swapped ? createModelSides(counted, swapped) : createConditionSides(counted);
  return {
    ...pairing,
    by: swapped ? 'model' : 'condition',
    names: swapped ?? names,
    arms,
    metrics: comparable,
    notCompared,
    notes: isWithinModels ? [noteOnStyle(extractor)] : [],
    judgements: null,
    leftOut: [],
    pairs: () => {
      for (const arm of ['a', 'b'] as const) for (const match of matches[arm]) sides.add(arm, match);
      return sides.listPairs(pairing.deals);
    },
  };
}

const noteOnPresupposed = 'Claims that a statement only takes for granted count too (--presupposed).';

/** Within the same models claims are compared, whoever drew them. */
const noteOnStyle = (extractor: string) =>
  `The same models sit in the same seats of both arms, so figures made of claims are compared too. ${extractor === rulesExtractor ? 'Rules drew them, without a judge' : `${extractor} drew them`}: where a condition changes how models speak, it changes what is understood of them, and a difference may be one of style.`;

const sidesIn = (rows: Arms['a']) => [
  ...new Set(rows.map((row) => `${row.villagers_model ?? 'several'} against ${row.werewolves_model ?? 'several'}`)),
];

/** Throws a UsageError for an annotator that judged none of these matches, and for two that judged nothing in common. */
function betweenAnnotators(
  folder: string,
  names: readonly [string, string],
  matches: readonly SoundMatch[],
  extractor: string,
): ComparisonSources {
  const known = listAnnotators(matches.map(({ tables }) => tables));
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(
        `--annotators: "${name}" has annotated no match in ${folder}. ${known.length === 0 ? 'Nobody has: see docs/annotate.md' : `Annotators there: ${known.join(', ')}`}.`,
      );
  const judged = matches.map(({ folder: at, tables }) => ({
    at,
    match: tables.match,
    ...selectSharedJudgements(tables, names),
  }));
  const shared = judged.filter(({ both }) => both > 0);
  if (shared.length === 0)
    throw new UsageError(
      `--annotators: ${names.join(' and ')} have judged no statement in ${folder} from the view of the same listener. Annotate with the same --listeners.`,
    );
  const by = (arm: 'a' | 'b') => judged.filter(({ both, alone }) => both + alone[arm] > 0);
  const idsOf = (arm: 'a' | 'b') =>
    by(arm)
      .filter(({ both }) => both === 0)
      .map(({ match }) => match.match_id);
  const total = (count: (one: (typeof judged)[number]) => number) => judged.reduce((all, one) => all + count(one), 0);
  const { comparable: own, notCompared } = selectComparable(
    endpoints.flatMap((metric) => narrowToAnnotator(metric) ?? []),
    extractor,
  );
  const deals = [...new Set(shared.map(({ match }) => getDealKey(match)))];
  return {
    by: 'annotator',
    names,
    arms: { a: by('a').map(({ match }) => match), b: by('b').map(({ match }) => match) },
    deals,
    alone: { a: idsOf('a'), b: idsOf('b') },
    metrics: own,
    notCompared,
    notes: [],
    judgements: {
      both: total(({ both }) => both),
      alone: { a: total(({ alone }) => alone.a), b: total(({ alone }) => alone.b) },
    },
    leftOut: judged
      .filter(({ both, alone }) => both + alone.a + alone.b === 0)
      .map(({ at }) => ({
        folder: at,
        reason: 'not judged',
        message: `Neither ${names.join(' nor ')} has judged it.`,
      })),
    pairs: () => {
      const sides = createConditionSides(own);
      for (const one of shared) for (const arm of ['a', 'b'] as const) sides.add(arm, one[arm]);
      return sides.listPairs(deals);
    },
  };
}

interface Options {
  /** The file of an analysis plan. */
  plan?: string | undefined;
  judge?: WantedMatches['judge'];
  presupposed?: WantedMatches['presupposed'];
  out: string;
  seed: number;
  resamples: number;
}

/** Two folders of matches. */
interface FolderOptions extends Options {
  folders: readonly [string, string];
  by?: 'condition' | 'model' | undefined;
}

/** Two that annotated the matches of one folder, by their model strings. */
interface AnnotatorOptions extends Options {
  folder: string;
  annotators: readonly [string, string];
}

/**
 * Returns the paths of the files, and what was left out and why. Throws a UsageError for a plan that cannot be used and
 * where nothing is common to the arms, and a RecordError where no record can be used or a file cannot be written.
 */
async function compareRecords(
  options: FolderOptions | AnnotatorOptions,
): Promise<{ files: string[]; warnings: string[] }> {
  const plan = options.plan === undefined ? null : readPlan(options.plan);
  const judge = chooseJudge(options, plan);
  const { sources, leftOut } =
    'folders' in options ? await readFolders({ ...options, judge }) : await readAnnotators({ ...options, judge });
  const comparison = compareSources({ ...options, judge }, sources, leftOut, plan);
  const files = {
    'comparison.md': renderComparison(comparison, metrics),
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
  };
  mkdirSync(options.out, { recursive: true });
  return {
    files: Object.entries(files).map(([name, text]) => writeFile(path.join(options.out, name), text)),
    warnings: leftOut.map(({ folder, message }) => `Left out: ${folder}: ${message}`),
  };
}

interface Prepared {
  sources: ComparisonSources;
  leftOut: readonly LeftOut[];
}

async function readFolders({ folders, by, judge, presupposed }: FolderOptions): Promise<Prepared> {
  const a = await readMatches(folders[0], { judge, presupposed });
  const b = await readMatches(folders[1], { judge, presupposed });
  const tables = ({ matches }: Readable) => matches.map((match) => match.tables);
  const sources = betweenFolders(folders, { a: tables(a), b: tables(b) }, nameExtractor(judge), by);
  return { sources, leftOut: [...a.leftOut, ...b.leftOut] };
}

async function readAnnotators({ folder, annotators, judge, presupposed }: AnnotatorOptions): Promise<Prepared> {
  const { matches, leftOut } = await readMatches(folder, { judge, presupposed });
  const sources = betweenAnnotators(folder, annotators, matches, nameExtractor(judge));
  return { sources, leftOut: [...leftOut, ...sources.leftOut] };
}

function compareSources(
  { judge, presupposed, seed, resamples }: Options,
  sources: ComparisonSources,
  leftOut: readonly LeftOut[],
  plan: ReadPlan | null,
): Comparison {
  const { by, names, arms, deals, alone, judgements, metrics: compared, notCompared, notes } = sources;
  if (plan) explainFault(`${plan.file},`, () => checkPlan(plan, compared, notCompared));
  return {
    schema_version: comparisonVersion,
    by,
    a: { name: names[0], matches: arms.a.length },
    b: { name: names[1], matches: arms.b.length },
    deals: deals.length,
    unpaired: { a: [...alone.a], b: [...alone.b] },
    left_out: [...leftOut],
    judgements,
    contrasts: listContrasts(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    claims_by: nameExtractor(judge),
    notes: [...notes, ...(presupposed ? [noteOnPresupposed] : [])],
    not_compared: [...notCompared],
    plan: plan && { question: plan.question ?? null, sha256: plan.sha256, endpoints: plan.endpoints.length },
    bots: countBotSeats([...new Set([...arms.a, ...arms.b])]),
    resamples,
    seed,
    ...computeDifferences(sources.pairs(), plan?.endpoints ?? [], createResampling(deals.length, resamples, seed)),
  };
}

interface ReadPlan extends AnalysisPlan {
  file: string;
  sha256: string;
}

/** Throws a UsageError that names the file, the field and what was expected. */
function readPlan(file: string): ReadPlan {
  const text = explainFault(`${file} cannot be read:`, () => readFileSync(file));
  const read = AnalysisPlan.safeParse(explainFault(`${file} is not YAML:`, () => parse(text.toString()) as unknown));
  if (!read.success) throw new UsageError(`${file} is no analysis plan: ${z.prettifyError(read.error)}`);
  return { ...read.data, file, sha256: createHash('sha256').update(text).digest('hex') };
}

function explainFault<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${what} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const nameExtractor = (judge: WantedMatches['judge']) => (judge ? formatJudges(judge) : rulesExtractor);

/** Throws a UsageError where the plan names another judge than the command line. */
function chooseJudge({ judge }: Options, plan: ReadPlan | null): WantedMatches['judge'] {
  if (plan?.judge === undefined) return judge;
  const planned = { models: [plan.judge] };
  if (judge && formatJudges(judge) !== formatJudges(planned))
    throw new UsageError(
      `--judge ${formatJudges(judge)} is not the judge that ${plan.file} names, ${plan.judge}. Leave out one of the two, or name the same.`,
    );
  return judge ?? planned;
}

interface Flags extends Omit<FolderOptions, 'folders' | 'judge'>, JudgeFlags {
  annotators?: readonly string[];
  judge?: readonly string[];
}

/** Two folders, or one and two annotators; a UsageError for anything else. */
function readOptions(
  [a, b]: readonly (string | undefined)[],
  { annotators, judge: models, judgePer, repeat, guard, ...rest }: Flags,
): FolderOptions | AnnotatorOptions {
  const flags = { ...rest, judge: readJudgePlan(models, { judgePer, repeat, guard }) };
  if (annotators === undefined) {
    if (a === undefined || b === undefined)
      throw new UsageError('Name two folders of matches, or one with --annotators X Y. (--help lists all options)');
    return { ...flags, folders: [a, b] };
  }
  const [x, y, ...more] = annotators;
  if (x === undefined || y === undefined || x === y || more.length > 0 || a === undefined || b !== undefined)
    throw new UsageError(
      `--annotators compares two different annotators of one folder, which is named before it: npm run compare -- runs/my-set --annotators X Y. Here are the folders ${wordsIn([a, b])} and the annotators ${wordsIn(annotators)}.`,
    );
  return { ...flags, folder: a, annotators: [x, y] };
}

const wordsIn = (names: readonly (string | undefined)[]) =>
  names.filter((name) => name !== undefined).join(', ') || '(none)';

const about =
  'Compares two sets of matches deal by deal, or two annotators of one set, and writes comparison.md and comparison.json. See docs/compare.md.';

export async function runCompare(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('compare', about, io)
    .argument('[a]', 'a folder of matches, e.g. runs/xy')
    .argument('[b]', 'a folder with matches of the same deals')
    .option('--plan <file>', 'an analysis plan: at most five primary endpoints, named beforehand')
    .addOption(
      new Option(
        '--by <what>',
        'what is set against what (default: models where they changed sides, else the folders)',
      ).choices(['condition', 'model']),
    )
    .addOption(
      new Option(
        '--annotators <models...>',
        'two models that annotated the matches of one folder: what both judged is compared',
      ).conflicts('by'),
    )
    .option(
      '--judge <models...>',
      'whose claims stand behind verdicts, in place of the rules’; `report --judge` has asked them, in the same way',
    );
  addJudgeOptions(program)
    .option('--presupposed', 'count claims, too, that a statement only takes for granted')
    .option('--out <folder>', 'where the files go', 'comparison')
    .option('--seed <n>', 'of the swaps', readWhole, 1)
    .option('--resamples <n>', 'random swaps behind each p and interval', readCount, DEFAULT_RESAMPLES)
    .parse(argv, { from: 'user' });
  const options = readOptions(program.args, program.opts<Flags>());
  const { files, warnings } = await compareRecords(options);
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  for (const file of files) io.stdout.write(`${file}\n`);
}

if (import.meta.main) await runScript(runCompare);
