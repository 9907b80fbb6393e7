// Tests whether two sets of matches, two models, or two annotators differ: `npm run compare -- <a> [b]`. In a crossed
// design it also separates the effects of speaker and listener models.
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { CountedAnswers } from '../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../deception/answers/build-answer-tables.ts';
import { listUnjudgedCautions, type NamedStudy } from '../deception/answers/unknown-answers.ts';
import { checkPlan, defaultAlpha, evaluatePreregistration } from '../deception/comparison/analysis-plan.ts';
import { type Comparison, comparisonVersion } from '../deception/comparison/comparison-schema.ts';
import { type NamedMargins, testEquivalence } from '../deception/comparison/equivalence.ts';
import { computeDifferences, type Resampled, type RowListener } from '../deception/comparison/differences.ts';
import { listDifferenceExamples } from '../deception/comparison/difference-examples.ts';
import { metrics } from '../deception/metrics/index.ts';
import { createLieCorrection, type LieCorrection, listCorrectedModels } from '../deception/metrics/lie-correction.ts';
import { createResampling, DEFAULT_RESAMPLES } from '../deception/statistics/bootstrap.ts';
import type { LeftOut } from '../deception/summary/report-schema.ts';
import { checkNoLink } from '../models/record/ndjson.ts';
import { readModelsFile } from '../models/providers/models-file.ts';
import { renderComparisonCsv, renderPictureCsv } from '../report/csv.ts';
import { describeSoFar, renderProgressText } from '../report/progress-page.ts';
import { renderComparisonHtml } from '../report/comparison-html.ts';
import { renderComparison, tellComparison } from '../report/comparison-markdown.ts';
import { comparisonPictureNames, drawComparison, listDrawnRows } from '../report/pictures/comparison-pictures.ts';
import { renderSvgFile } from '../report/pictures/picture-drawing.ts';
import { listPictureFiles, picturesFolder } from '../report/pictures/picture-html.ts';
import { nameModels, replaceIdentities } from '../report/shown-models.ts';
import { formatCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  type CommandIO,
  createCommand,
  modelsFileOption,
  readCount,
  readWhole,
  runScript,
} from './command/command-line.ts';
import { tellForksLeftOut } from './command/match-folder.ts';
import { soFarOption } from './command/so-far-option.ts';
import { createCsvOption, type CsvFlag } from './command/csv-option.ts';
import { replaceFolder } from './command/replace-folder.ts';
import { addJudgeOptions, resolveJudges, type TypedJudge } from './command/judge-options.ts';
import { chooseJudge } from './report/choose-judge.ts';
import { explainFault, readPlanFile, type ReadPlan } from './command/analysis-plan-file.ts';
import { checkComparisonFolder, chooseComparisonFolder } from './compare/comparison-folder.ts';
import { type ComparedRecords, type ComparisonSources, readComparedRecords } from './compare/comparison-sources.ts';
import {
  describeLeftOut,
  findUnusedJudge,
  hasPresupposed,
  nameExtractor,
  type WantedMatches,
} from './report/match-inventory.ts';
import { KnownManifests } from './report/known-manifests.ts';
import { addPageLinks } from './report/match-pages.ts';
import { type KnownPrices, priceOption } from './report/known-prices.ts';
import { readErrors } from './report/read-extractor-errors.ts';
import { listLabeledModels, measureGold } from './compare/gold-sheet.ts';
import type { JudgePlan } from '../deception/claims/majority-claims.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';
import { quoteActingName } from '../state/text.ts';

interface Manner extends CsvFlag {
  /** File of an analysis plan. */
  plan?: string | undefined;
  /** A models file. */
  models?: string | undefined;
  /** The typed extractor of claims. */
  typed: TypedJudge;
  /** File of the judge's measured errors. */
  errors?: string | undefined;
  /** File of a gold sample that people have labeled. */
  gold?: string | undefined;
  out: string;
  seed: number;
  resamples: number;
  /** Whether to show figures of an incomplete study. */
  soFar?: boolean | undefined;
  /** Whether untested rows also get a p-value and an interval. */
  resampleAll?: boolean | undefined;
  cache: boolean;
  /** Metric → margin. */
  equivalent?: NamedMargins | undefined;
  /** Manifests that the command has found in the folders. */
  known: KnownManifests;
}

type Options = ComparedRecords & Manner;

/**
 * Compares the records and writes the pages. Returns the paths of the written files, a warning for each record left
 * out, and the summary for the console. Throws a UsageError for an unusable plan and for arms with nothing in common.
 * Throws a RecordError if no record can be used or a file cannot be written.
 */
async function compareRecords(
  options: Options,
  argv: readonly string[],
  io: CommandIO,
): Promise<{ files: string[]; warnings: string[]; summary: string }> {
  const { known } = options;
  const named = options.models === undefined ? undefined : readModelsFile(options.models);
  const plan = options.plan === undefined ? null : readPlanFile(options.plan, named);
  const planned = plan?.plan.judge === undefined ? undefined : { file: plan.file, judge: plan.plan.judge };
  const kept = options.cache ? chooseCache(io) : null;
  const judge = await chooseJudge(
    options.typed,
    {
      ...{ folders: listFolders(options), planned, cache: kept, presupposed: options.presupposed },
      keepsNamed: !('annotators' in options),
      known,
    },
    io,
  );
  const isUnreadShown = options.typed.judge === undefined && planned === undefined;
  const cache = kept && new MeasurementCache(kept);
  checkComparisonFolder(options.out);
  const { findOpenStudies, describeOpenStudies, createProgressPage } = await import('./study/open-study.ts');
  const open = findOpenStudies(listFolders(options), cache, known, io.step);
  if (open.length > 0 && options.soFar !== true) {
    const { writeProgressPages } = await import('./report/write-reports.ts');
    const page = createProgressPage('Comparison', open, ['compare', ...argv]);
    const outdated = [...['comparison.json', 'comparison.csv'], ...listPictureFiles(comparisonPictureNames)];
    const files = writeProgressPages(options.out, 'comparison', { page, outdated });
    return { files, warnings: [], summary: renderProgressText(page) };
  }
  const soFar = open.length === 0 ? undefined : describeSoFar(describeOpenStudies(open));
  const { measured, correction } = await findMeasuredModels(options, judge);
  const { sources, answered, isOfEntrants, entrantNames, records, recordNotes, leftOut, isJudged, unjudged } =
    await readComparedRecords(
      { ...options, judge, measured, correction, isUnreadShown },
      { cache, known, onStep: io.step },
    );
  cache?.trim();
  const comparison = compareSources(
    { ...options, judge },
    { ...sources, notes: [...(soFar === undefined ? [] : [soFar]), ...recordNotes, ...sources.notes] },
    records,
    leftOut,
    plan,
    {
      ...{ answered, unjudged, soFar, study: { folders: listFolders(options), isOfEntrants } },
      onRow: (place, rows) => io.step?.('rows of figures compared', place, rows),
    },
  );
  io.step?.('Making the pages', 0, 0);
  const found = sources.arms
    ? listDifferenceExamples(listDrawnRows(comparison, metrics), sources.arms, options.seed)
    : [];
  const typed = nameModels([comparison, found] as const, comparison.answers);
  const [shown, examples] = replaceIdentities(typed, entrantNames);
  const pictures = drawComparison(shown, metrics);
  const files = {
    'comparison.md': renderComparison(shown, metrics),
    'comparison.html': renderComparisonHtml(
      ...([shown, metrics, pictures, addPageLinks(examples, options.out)] as const),
      judge || isJudged ? nameExtractor(judge) : null,
    ),
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
    'comparison.csv': renderComparisonCsv(comparison),
  };
  checkNoLink(path.join(options.out, picturesFolder));
  const drawn = pictures.flatMap(({ name, svg, data }): [string, string][] => [
    [`${picturesFolder}/${name}.svg`, renderSvgFile(svg)],
    [`${picturesFolder}/${name}.csv`, renderPictureCsv(data)],
  ]);
  const outdated = listPictureFiles(comparisonPictureNames).filter((name) => !drawn.some(([known]) => known === name));
  replaceFolder(options.out, [...Object.entries(files), ...drawn], { outdated, csv: options.csv });
  return {
    files: Object.keys(files).map((name) => path.join(options.out, name)),
    summary: tellComparison(shown, metrics),
    warnings: leftOut.map(describeLeftOut),
  };
}

/**
 * Finds the models whose statements were used to measure this judge's errors. A file of errors names them, or they made
 * the statements that people labeled.
 */
async function findMeasuredModels(
  options: Options,
  judge: JudgePlan | undefined,
): Promise<{ measured: string[]; correction: LieCorrection | undefined }> {
  const { errors, gold, presupposed } = options;
  const known = errors === undefined ? null : readErrors(errors, judge);
  const labeled = gold === undefined ? null : await measureGold(gold, listFolders(options), { judge, presupposed });
  const byWriter = known?.byWriter ?? {};
  return {
    measured: [...listCorrectedModels(byWriter), ...(labeled ? listLabeledModels(labeled) : [])],
    correction: createLieCorrection({ byWriter, gold: labeled?.imputed }),
  };
}

/** Data for the table at the top of the pages, and the listener that receives progress. */
interface AnswerSources {
  answered: readonly CountedAnswers[];
  /** Number of matches that the judge has not read to their end. */
  unjudged: number;
  soFar: string | undefined;
  study: NamedStudy;
  onRow: RowListener;
}

function compareSources(
  { judge, presupposed, seed, resamples, resampleAll, equivalent = {}, known }: Options,
  sources: ComparisonSources,
  records: Comparison['records'],
  leftOut: readonly LeftOut[],
  plan: ReadPlan | null,
  { answered, unjudged, soFar, study, onRow }: AnswerSources,
): Comparison {
  const { by, a, b, crossed, deals, unpaired, judgements, contrasts, notes, bots } = sources;
  const { metrics: compared, notCompared, design, rows } = sources;
  if (plan) explainFault(`${plan.file},`, () => checkPlan(plan.plan, compared, notCompared, design));
  const resampling = createResampling(deals.length, resamples, seed);
  const preregistration = evaluatePreregistration(plan && { ...plan.plan, sha256: plan.sha256 }, rows, deals.length);
  const isConfirmatory = preregistration.status === 'preregistered' && preregistration.sample === 'reached';
  const contrasted = sources.listContrasted();
  const complete: Resampled = resampleAll ? 'all' : 'tested';
  const resampled = soFar === undefined ? complete : 'none'; // tests of an unfinished study find differences that do not exist
  const { primary, secondary } = computeDifferences(
    contrasted,
    plan?.plan.endpoints ?? [],
    resampling,
    undefined,
    resampled,
    onRow,
  );
  const tested = testEquivalence(contrasted, plan && plan.plan, equivalent, resampling);
  const equivalence = soFar === undefined ? tested : [];
  return {
    ...{ schema_version: comparisonVersion, by, a, b, crossed, deals: deals.length, unpaired },
    answers: buildAnswerTables(answered, {
      ...{ resamples, seed, study, reading: sources.reading, claims: sources.claims },
      // The plan's `effect` is the difference that the study looks for. If equality within this effect is not shown,
      // that is not worth stating.
      equivalence: equivalence.filter((one) => one.named_in !== 'effect' || one.is_equivalent === true),
      ...(soFar !== undefined && { soFar }),
      cautions: listUnjudgedCautions({ judge, named: findUnusedJudge(judge, study.folders, known), folders: study.folders, unjudged, matches: answered.length }), // prettier-ignore
    }),
    records,
    left_out: [...leftOut],
    ...{ judgements, contrasts, claims_by: nameExtractor(judge) },
    notes: [...notes, ...(hasPresupposed({ judge, presupposed }) ? [noteOnPresupposed] : [])],
    not_compared: [...notCompared],
    plan: plan && {
      question: plan.plan.question ?? null,
      sha256: plan.sha256,
      endpoints: plan.plan.endpoints.length,
      alpha: plan.plan.alpha ?? defaultAlpha,
    },
    preregistration,
    ...{ bots, resamples, seed },
    equivalence,
    primary: primary.map((row) => ({ ...row, confirmatory: isConfirmatory })),
    secondary,
  };
}

/** Reads `METRIC=MARGIN`. */
function readMargin(text: string, before: NamedMargins = {}): NamedMargins {
  const [, metric, margin] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (metric === undefined || !(Number(margin) > 0) || Number(margin) === Infinity)
    throw new InvalidArgumentError('Expected METRIC=MARGIN with a number above 0, e.g. belief_brier=.02.');
  if (Object.hasOwn(before, metric))
    throw new InvalidArgumentError(`--equivalent names ${metric} twice. Give each metric one margin.`);
  return { ...before, [metric]: Number(margin) };
}

const noteOnPresupposed = 'Claims that a statement only presupposes count too (--no-presupposed leaves them out).';

const listFolders = (options: ComparedRecords): readonly string[] =>
  'folders' in options ? options.folders : 'crossed' in options ? options.crossed : [options.folder];

interface Flags extends Omit<Manner, 'typed' | 'out' | 'known'>, Pick<WantedMatches, 'presupposed'>, TypedJudge {
  price?: KnownPrices;
  by?: 'condition' | 'model' | 'crossed';
  annotators?: readonly string[];
  out?: string;
}

/**
 * Reads from the arguments what to compare: two folders, one folder with two annotators, or the folders of a crossed
 * design. Throws a UsageError for any other arguments.
 */
function readOptions(
  folders: readonly string[],
  { annotators, judge, judgePer, repeat, guard, by, price: prices, ...rest }: Flags,
): Options {
  const flags = {
    ...rest,
    prices,
    known: new KnownManifests(),
    out: rest.out ?? chooseComparisonFolder(folders, { annotators }),
    typed: { judge: resolveJudges(judge, rest.models), judgePer, repeat, guard },
  };
  const [a, b] = folders;
  if (a === undefined)
    throw new UsageError(
      'Name two folders of matches, one folder of a crossed design, or one folder with --annotators X Y. (--help lists all options)',
    );
  if (annotators === undefined) {
    if (by === 'crossed' || (by === undefined && folders.length !== 2)) return { ...flags, crossed: folders, by };
    if (b === undefined || folders.length > 2)
      throw new UsageError(`--by ${by} compares two folders, not ${folders.length}: ${folders.join(', ')}.`);
    if (path.resolve(a) === path.resolve(b))
      throw new UsageError(`${a} and ${b} are the same folder. Name two, or one with --annotators X Y.`);
    return { ...flags, folders: [a, b], by };
  }
  const [x, y, ...more] = annotators;
  if (x === undefined || y === undefined || x === y || more.length > 0 || b !== undefined)
    throw new UsageError(
      `--annotators compares two different annotators of one folder: ${formatCommand('compare', 'runs/my-set', '--annotators', 'X', 'Y')}. Given: folders ${listGiven(folders)}; annotators ${listGiven(annotators)}.`,
    );
  return { ...flags, folder: a, annotators: [x, y] };
}

const listGiven = (names: readonly string[]) => names.join(', ') || '(none)';

const about =
  'Compare two sets of matches deal by deal, all models of a crossed design, or two annotators of one set. Write comparison.md, comparison.html, comparison.csv and comparison.json. See docs/reference/compare.md.';

export async function runCompare(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('compare', about, io)
    .argument(
      '[folders...]',
      'two folders with matches of the same deals, or one folder of a crossed design, e.g. runs/study',
    )
    .option('--plan <file>', 'analysis plan, written beforehand, with at most five primary endpoints')
    .option(
      '--equivalent <metric=margin>',
      'test whether this metric is equal within ± the margin (in its unit, chosen before seeing the data); repeatable (default: the effects of the plan’s endpoints)',
      readMargin,
    )
    .addOption(
      new Option(
        '--by <what>',
        'what to compare (default for two folders: the models if they changed sides, else the folders; for one folder: all pairs of models)',
      ).choices(['condition', 'model', 'crossed']),
    )
    .addOption(
      new Option(
        '--annotators <models...>',
        'compare two models that annotated the matches of one folder, on the statements that both judged',
      ).conflicts('by'),
    )
    .option(
      '--judge <models...>',
      'judges whose claims decide the verdicts, asked before by `report --judge` in the same way (default: the judge that all the matches name, if it has answered about any of them; else the rules)',
    )
    .option('--no-judge', 'let the rules extract the claims, whatever judge the matches name')
    .option(...modelsFileOption);
  addJudgeOptions(program)
    .option('--presupposed', 'also count claims that a statement only presupposes (default with a judge)')
    .option('--no-presupposed', 'do not count presupposed claims (default with the rules)')
    .option(
      '--errors <file>',
      'measured errors of the judge, written by `validate --claims --judge --out`; it corrects the share of lies of the models whose statements it covers, in every row, p-value and endpoint',
    )
    .option(
      '--gold <sheet>',
      'sheet written by `label` and filled in by people; with ten labels of each model and side, it corrects their shares of lies in every row, p-value and endpoint',
    )
    .option('--out <folder>', 'folder for the files (default: FOLDER/comparison; for two folders, A/comparison-with-B)')
    .option('--seed <n>', 'seed of the random swaps', readWhole, 1)
    .option('--resamples <n>', 'number of random swaps behind each p and interval', readCount, DEFAULT_RESAMPLES)
    .option('--resample-all', 'also compute p and interval for figures that no test uses; takes many times as long')
    .option(...soFarOption)
    .option(...priceOption)
    .addOption(createCsvOption())
    .option(...noCacheOption)
    .addHelpText(
      'after',
      `
Exit codes: 0 written, 2 wrong usage, 5 the judge does not read reliably
(nothing is written), 1 another error.`,
    )
    .parse(argv, { from: 'user' });
  const options = readOptions(program.args, program.opts<Flags>());
  tellForksLeftOut(listFolders(options), io, options.known);
  const { files, warnings, summary } = await compareRecords(options, argv, io);
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  io.stdout.write(summary);
  for (const file of files) io.stdout.write(`${quoteActingName(file)}\n`);
}

if (import.meta.main) await runScript(runCompare);
