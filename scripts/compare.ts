// Says whether two sets of matches, two models, or two annotators differ, and in a crossed design whose doing it is:
// `npm run compare -- <a> [b]`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  type Arms,
  countBotSeats,
  createConditionSides,
  createModelSides,
  findSwappedModels,
  hasSameModels,
  listAnnotators,
  listContrasts,
  narrowToAnnotator,
  narrowToModel,
  pairArms,
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
import {
  CrossedCollection,
  listCrossedArms,
  listPartContrasts,
  listPartNames,
  narrowToSides,
  pairCrossed,
} from '../deception/comparison/crossed.ts';
import { getDealKey } from '../deception/comparison/schedule.ts';
import { computeDifferences, type Contrasted } from '../deception/comparison/differences.ts';
import { rulesExtractor } from '../deception/metrics/comparability.ts';
import { formatJudges } from '../deception/claims/majority-claims.ts';
import { metrics } from '../deception/metrics/index.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import { createResampling, DEFAULT_RESAMPLES } from '../deception/statistics/bootstrap.ts';
import type { LeftOut } from '../deception/summary/report-schema.ts';
import type { MatchTables } from '../deception/tables/row-schemas.ts';
import { RecordError } from '../models/record/ndjson.ts';
import { renderComparison } from '../report/comparison-page.ts';
import { describeIssue, UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, readCount, readWhole, runScript, writeFile } from './command/command-line.ts';
import { addJudgeOptions, chooseJudge, type TypedJudge } from './command/judge-options.ts';
import { findMatches } from './command/match-folder.ts';
import { readFirstSound, type SoundMatch, takeInventory, type WantedMatches } from './report/match-inventory.ts';

interface Readable {
  /** Sorted by id, each once. */
  matches: readonly SoundMatch[];
  leftOut: readonly LeftOut[];
}

/** Throws a UsageError for a folder without matches, and a RecordError where no record in them can be used. */
async function readMatches(folders: readonly string[], wanted: WantedMatches): Promise<Readable> {
  const inventory = takeInventory(findMatches(folders));
  const leftOut = [...inventory.leftOut];
  const matches: SoundMatch[] = [];
  for (const match of inventory.matches) {
    const read = await readFirstSound(match, wanted);
    leftOut.push(...read.leftOut);
    if (read.sound) matches.push(read.sound);
  }
  if (matches.length === 0)
    throw new RecordError(`No match in ${folders.join(', ')} can be compared. ${leftOut[0]?.message ?? ''}`);
  return { matches, leftOut };
}

/** What is known before anything is added up, as it stands in the comparison. */
type Head = Pick<Comparison, 'by' | 'a' | 'b' | 'crossed' | 'unpaired' | 'notes' | 'judgements' | 'contrasts' | 'bots'>;

interface ComparisonSources extends Head {
  deals: readonly string[];
  /** What a plan can name. */
  metrics: readonly Metric[];
  notCompared: readonly NotCompared[];
  /** What else decides about a plan. */
  design: Parameters<typeof checkPlan>[3];
  /** Matches in which there is nothing to compare. */
  leftOut: readonly LeftOut[];
  /** Adds up what each arm has of each deal. */
  listContrasted: () => Contrasted[];
}

/** The head of a comparison of two arms. */
const describeArms = (names: readonly [string, string], arms: Arms, alone: Record<'a' | 'b', readonly string[]>) => ({
  a: { name: names[0], matches: arms.a.length },
  b: { name: names[1], matches: arms.b.length },
  crossed: null,
  unpaired: { a: [...alone.a], b: [...alone.b] },
  contrasts: listContrasts(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
  bots: countBotSeats([...new Set([...arms.a, ...arms.b])]),
});

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
    ...describeArms(swapped ?? names, arms, pairing.alone),
    deals: pairing.deals,
    by: swapped ? 'model' : 'condition',
    metrics: comparable,
    notCompared,
    design: { isOfTwoModels: swapped !== null },
    notes: [...(isWithinModels ? [noteOnStyle(extractor)] : []), ...(swapped ? [noteOnJoint] : [])],
    judgements: null,
    leftOut: [],
    listContrasted: () => {
      for (const arm of ['a', 'b'] as const) for (const match of matches[arm]) sides.add(arm, match);
      return sides.listContrasted(pairing.deals);
    },
  };
}

const noteOnJoint =
  'Two models that only changed sides met each other alone: what depends on who listens, votes or plays against a model is joint with the opponent, and no difference in it is one model’s doing. A crossed design tells the parts apart, a common panel of annotators compares how models detect.';

/**
 * All ordered pairs of models that there are, on the same deals. Throws a UsageError where they share no deal or no part can
 * be told.
 */
function betweenCrossed(
  folders: readonly string[],
  matches: readonly MatchTables[],
  extractor: string,
): ComparisonSources {
  const rows = matches.map(({ match }) => match);
  const arms = listCrossedArms(rows);
  const { identified, missing } = listPartContrasts(arms);
  if (identified.length === 0)
    throw new UsageError(
      `${folders.join(', ')}: no model’s part can be told. Here are: ${sidesIn(rows).join('; ')}. ${missing.map(({ models: [x, y], part, needs }) => `The ${part} part of ${x} and ${y} needs ${needs}.`).join(' ')} Play them all with npm run match -- --crossed X Y --matches N --out FOLDER.`,
    );
  const { deals, alone } = pairCrossed(rows, arms);
  if (deals.length === 0)
    throw new UsageError(
      `${folders.join(', ')}: no deal was played by all of: ${sidesIn(rows).join('; ')}. Play every pair with the same --board and --seed, as npm run match -- --crossed does.`,
    );
  const narrowed = endpoints.flatMap((metric) => narrowToSides(metric) ?? []);
  const { comparable, notCompared } = selectComparable(narrowed, extractor);
  const [first, ...others] = arms.map((arm) =>
    rows.filter((row) => row.werewolves_model === arm.werewolves && row.villagers_model === arm.villagers),
  );
  const contrasts = listContrasts({ a: first!, b: others.flat() });
  return {
    ...{ by: 'crossed', a: null, b: null, crossed: { arms, not_identified: missing }, deals },
    unpaired: { a: alone, b: [] },
    contrasts: contrasts
      .filter(({ what }) => !what.startsWith('model of'))
      .map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    bots: countBotSeats(rows),
    metrics: comparable,
    notCompared,
    design: {
      crossed: {
        pairs: [...new Map(identified.map(({ models }) => [models.join('\n'), models])).values()],
        listParts: listPartNames,
      },
    },
    notes: [],
    judgements: null,
    leftOut: [],
    listContrasted: () => {
      const collection = new CrossedCollection(comparable, arms);
      for (const match of matches) collection.add(match);
      return collection.listContrasted(identified, deals);
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
  const arms: Arms = { a: by('a').map(({ match }) => match), b: by('b').map(({ match }) => match) };
  return {
    ...describeArms(names, arms, { a: idsOf('a'), b: idsOf('b') }),
    by: 'annotator',
    deals,
    metrics: own,
    notCompared,
    design: {},
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
    listContrasted: () => {
      const sides = createConditionSides(own);
      for (const one of shared) for (const arm of ['a', 'b'] as const) sides.add(arm, one[arm]);
      return sides.listContrasted(deals);
    },
  };
}

interface Options {
  /** The file of an analysis plan. */
  plan?: string | undefined;
  /** Who draws the claims; the rules where undefined. */
  judge?: WantedMatches['judge'];
  /** The same as it was typed. */
  typed: TypedJudge;
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

/** The folders of a crossed design. */
interface CrossedOptions extends Options {
  crossed: readonly string[];
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
  options: FolderOptions | CrossedOptions | AnnotatorOptions,
  io: CommandIO,
): Promise<{ files: string[]; warnings: string[] }> {
  const plan = options.plan === undefined ? null : readPlan(options.plan);
  const planned = plan?.judge === undefined ? undefined : { file: plan.file, judge: plan.judge };
  const judge = await chooseJudge(options.typed, { folders: listFolders(options), planned }, io);
  const { sources, leftOut } = await readSources({ ...options, judge });
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

const readSources = (options: FolderOptions | CrossedOptions | AnnotatorOptions): Promise<Prepared> => {
  if ('folders' in options) return readFolders(options);
  return 'crossed' in options ? readCrossed(options) : readAnnotators(options);
};

/** A match that stands in several of the folders counts once. */
async function readCrossed({ crossed: folders, judge, presupposed }: CrossedOptions): Promise<Prepared> {
  const { matches, leftOut } = await readMatches(folders, { judge, presupposed });
  const sources = betweenCrossed(
    folders,
    matches.map(({ tables }) => tables),
    nameExtractor(judge),
  );
  return { sources, leftOut };
}

async function readFolders({ folders, by, judge, presupposed }: FolderOptions): Promise<Prepared> {
  const a = await readMatches([folders[0]], { judge, presupposed });
  const b = await readMatches([folders[1]], { judge, presupposed });
  const tables = ({ matches }: Readable) => matches.map((match) => match.tables);
  const sources = betweenFolders(folders, { a: tables(a), b: tables(b) }, nameExtractor(judge), by);
  return { sources, leftOut: [...a.leftOut, ...b.leftOut] };
}

async function readAnnotators({ folder, annotators, judge, presupposed }: AnnotatorOptions): Promise<Prepared> {
  const { matches, leftOut } = await readMatches([folder], { judge, presupposed });
  const sources = betweenAnnotators(folder, annotators, matches, nameExtractor(judge));
  return { sources, leftOut: [...leftOut, ...sources.leftOut] };
}

function compareSources(
  { judge, presupposed, seed, resamples }: Options,
  sources: ComparisonSources,
  leftOut: readonly LeftOut[],
  plan: ReadPlan | null,
): Comparison {
  const { by, a, b, crossed, deals, unpaired, judgements, contrasts, notes, bots } = sources;
  const { metrics: compared, notCompared, design } = sources;
  if (plan) explainFault(`${plan.file},`, () => checkPlan(plan, compared, notCompared, design));
  const resampling = createResampling(deals.length, resamples, seed);
  return {
    ...{ schema_version: comparisonVersion, by, a, b, crossed, deals: deals.length, unpaired },
    left_out: [...leftOut],
    ...{ judgements, contrasts, claims_by: nameExtractor(judge) },
    notes: [...notes, ...(presupposed ? [noteOnPresupposed] : [])],
    not_compared: [...notCompared],
    plan: plan && { question: plan.question ?? null, sha256: plan.sha256, endpoints: plan.endpoints.length },
    ...{ bots, resamples, seed },
    ...computeDifferences(sources.listContrasted(), plan?.endpoints ?? [], resampling),
  };
}

interface ReadPlan extends AnalysisPlan {
  file: string;
  sha256: string;
}

/** Throws a UsageError that names the file, the field and what was expected. */
function readPlan(file: string): ReadPlan {
  const text = explainFault(`${file} cannot be read:`, () => readFileSync(file));
  const read = AnalysisPlan.safeParse(
    explainFault(`${file} is not YAML:`, () => parse(text.toString()) as unknown),
    { error: describeIssue },
  );
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

const listFolders = (options: FolderOptions | CrossedOptions | AnnotatorOptions): readonly string[] =>
  'folders' in options ? options.folders : 'crossed' in options ? options.crossed : [options.folder];

interface Flags extends Omit<Options, 'judge' | 'typed'>, TypedJudge {
  by?: 'condition' | 'model' | 'crossed';
  annotators?: readonly string[];
}

/** Two folders, or one and two annotators, or those of a crossed design; a UsageError for anything else. */
function readOptions(
  folders: readonly string[],
  { annotators, judge, judgePer, repeat, guard, by, ...rest }: Flags,
): FolderOptions | CrossedOptions | AnnotatorOptions {
  const flags = { ...rest, typed: { judge, judgePer, repeat, guard } };
  const [a, b] = folders;
  if (a === undefined)
    throw new UsageError(
      'Name two folders of matches, or one: that of a crossed design, or with --annotators X Y. (--help lists all options)',
    );
  if (annotators === undefined) {
    if (by === 'crossed' || (by === undefined && folders.length !== 2)) return { ...flags, crossed: folders };
    if (b === undefined || folders.length > 2)
      throw new UsageError(`--by ${by} compares two folders, not ${folders.length}: ${folders.join(', ')}.`);
    if (path.resolve(a) === path.resolve(b))
      throw new UsageError(`${a} and ${b} are one folder: name two, or one with --annotators X Y.`);
    return { ...flags, folders: [a, b], by };
  }
  const [x, y, ...more] = annotators;
  if (x === undefined || y === undefined || x === y || more.length > 0 || b !== undefined)
    throw new UsageError(
      `--annotators compares two different annotators of one folder, which is named before it: npm run compare -- runs/my-set --annotators X Y. Here are the folders ${wordsIn(folders)} and the annotators ${wordsIn(annotators)}.`,
    );
  return { ...flags, folder: a, annotators: [x, y] };
}

const wordsIn = (names: readonly string[]) => names.join(', ') || '(none)';

const about =
  'Compares two sets of matches deal by deal, all models of a crossed design, or two annotators of one set, and writes comparison.md and comparison.json. See docs/compare.md.';

export async function runCompare(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('compare', about, io)
    .argument(
      '[folders...]',
      'two folders with matches of the same deals, or that of a crossed design, e.g. runs/study',
    )
    .option('--plan <file>', 'an analysis plan: at most five primary endpoints, named beforehand')
    .addOption(
      new Option(
        '--by <what>',
        'what is set against what (default: for two folders models where they changed sides, else the folders; for one, all pairs of models)',
      ).choices(['condition', 'model', 'crossed']),
    )
    .addOption(
      new Option(
        '--annotators <models...>',
        'two models that annotated the matches of one folder: what both judged is compared',
      ).conflicts('by'),
    )
    .option(
      '--judge <models...>',
      'whose claims stand behind verdicts, in place of the rules’; `report --judge` has asked them, in the same way (default: the judge that all the matches name)',
    )
    .option('--no-judge', 'the rules draw the claims, whatever judge the matches name');
  addJudgeOptions(program)
    .option('--presupposed', 'count claims, too, that a statement only takes for granted')
    .option('--out <folder>', 'where the files go', 'comparison')
    .option('--seed <n>', 'of the swaps', readWhole, 1)
    .option('--resamples <n>', 'random swaps behind each p and interval', readCount, DEFAULT_RESAMPLES)
    .parse(argv, { from: 'user' });
  const options = readOptions(program.args, program.opts<Flags>());
  const { files, warnings } = await compareRecords(options, io);
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  for (const file of files) io.stdout.write(`${file}\n`);
}

if (import.meta.main) await runScript(runCompare);
