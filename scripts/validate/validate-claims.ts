// Holds what an extractor draws against labelled statements: `npm run validate -- --claims`.
import path from 'node:path';
import type { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import { mean } from '../../deception/statistics/sums.ts';
import type { AnyAnnotationItem } from '../../graph/annotation/annotation-run.ts';
import { checkPrices } from '../../graph/play-match.ts';
import type { PlayerModel } from '../../models/model.ts';
import { openModel } from '../../models/providers/index.ts';
import { UsageError } from '../../state/usage-error.ts';
import { addMissingKeys, type CommandIO, describeError, writeFile } from '../command/command-line.ts';
import { formatEffort } from '../console/estimate-text.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';
import {
  askQuestions,
  addConfirmedClaims,
  type JudgeQuestions,
  listGuardQuestions,
  listJudgeQuestions,
  readAnswers,
  surveyQuestions,
} from './corpora/ask-judge.ts';
import {
  drawByRules,
  type DrawnClaims,
  type FoundClaims,
  judgeAtMoments,
  readLabels,
} from './corpora/judge-at-moment.ts';
import { compareStatements, type ComparedStatement, measureClaims, type ShareOverMoments } from './corpora/measure.ts';
import {
  type Corpus,
  type CorpusName,
  corporaFolder,
  type LabelPass,
  readCorpus,
  type Split,
} from './corpora/read-corpus.ts';
import { type MeasuredExtractor, renderAccuracy } from './corpora/render-accuracy.ts';

/** The name of the rules as an extractor. */
const rules = 'rules';

export interface ClaimsOptions {
  corpora: readonly CorpusName[];
  split: Split | 'both';
  /** A model string; the rules without one. */
  judge?: string | undefined;
  repeat: number;
  /** The folder of a judge's answers. */
  answers: string;
  maxCost?: number | undefined;
  /** Whether the judge is asked again about claims that the rules draw and it lacks. */
  isGuarded: boolean;
  isDry: boolean;
  isJson: boolean;
  /** The file of errors. */
  out?: string | undefined;
}

/** Where a judge's answers are kept unless told otherwise. */
export const usualAnswers = path.join(corporaFolder, 'answers');

/** Prints how well an extractor draws claims, and writes its errors where a file is named. Throws as a judge's calls do. */
export async function validateClaims(options: ClaimsOptions, io: CommandIO): Promise<void> {
  const corpora = options.corpora.map((name) => readCorpus(name));
  for (const { name, labels } of corpora)
    if (labels.first === null)
      throw new UsageError(`The corpus "${name}" has no labels yet. Leave it out of --corpus.`);
  if (options.isDry && options.judge !== undefined) {
    const questions = listJudgeQuestions(corpora, options);
    const model = await openJudge(options.judge, addMissingKeys(options.judge, io.env));
    io.stdout.write(
      `${formatEffort(surveyQuestions(questions, model), options.maxCost)}\nNothing was called or written.\n`,
    );
    return;
  }
  const found = options.judge === undefined ? measureRules(corpora, options) : await measureJudge(corpora, options, io);
  io.stdout.write(options.isJson ? `${JSON.stringify(found, null, 2)}\n` : renderAccuracy(found));
  if (options.out !== undefined)
    writeFile(options.out, `${JSON.stringify(createErrors(found, options.split), null, 2)}\n`);
}

/**
 * Measures the rules.
 *
 * @example measureRules([readCorpus('voices')], { split: 'test' }).measured.claims.recall
 */
export const measureRules = (corpora: readonly Corpus[], part: Pick<ClaimsOptions, 'split'>): MeasuredExtractor => ({
  ...describePart(corpora, part, rules),
  measured: measureClaims(compareAll(corpora, part, ({ statements }) => drawByRules(statements))),
  judge: null,
});

async function measureJudge(
  corpora: readonly Corpus[],
  options: ClaimsOptions,
  io: CommandIO,
): Promise<MeasuredExtractor> {
  const judge = options.judge!;
  const questions = listJudgeQuestions(corpora, options);
  await askWhatIsLeft(questions, judge, options, io);
  const { drawn, dropped, effort } = readAnswers(questions, judge);
  const found: DrawnClaims = drawn[0] ?? new Map();
  const guarding = options.isGuarded ? listGuardQuestions(questions, found) : [];
  await askWhatIsLeft(guarding, judge, options, io);
  const guarded = addConfirmedClaims(found, guarding, judge);
  const byRepeat = drawn.map((some) => compareAll(corpora, options, () => some));
  const [first, ...others] = byRepeat as [ComparedStatement[], ...ComparedStatement[][]];
  const retests = others.flatMap((other) => measureClaims(takeForLabels(first, other)).withPresupposed.f1 ?? []);
  return {
    ...describePart(corpora, options, judge),
    measured: measureClaims(compareAll(corpora, options, () => guarded)),
    judge: {
      unguarded: measureClaims(compareAll(corpora, options, () => found)),
      ...{ retest: mean(retests), repeats: drawn.length, dropped, effort },
    },
  };
}

/** One answer in the place of labels. */
const takeForLabels = (labels: readonly ComparedStatement[], others: readonly ComparedStatement[]) =>
  others.map((one, index): ComparedStatement => ({ ...one, labelled: labels[index]!.drawn ?? [] }));

async function askWhatIsLeft(
  questions: readonly JudgeQuestions<AnyAnnotationItem>[],
  judge: string,
  { maxCost }: ClaimsOptions,
  io: CommandIO,
): Promise<void> {
  const blind = await openJudge(judge, addMissingKeys(judge, io.env));
  const left = surveyQuestions(questions, blind);
  if (questions.every(({ items }) => items.length === 0)) return;
  io.stderr.write(`${formatEffort(left, maxCost)}\n`);
  if (left.every(({ left: { calls } }) => calls === 0)) return; // kept answers need no key
  const model = await openJudge(judge, io.env);
  if (maxCost !== undefined) checkPrices({ seat: { choice: model, talk: model } }, maxCost);
  const progress = countCalls(hasTerminal(io));
  try {
    await askQuestions(questions, model, {
      maxCost,
      env: io.env,
      signal: io.listenToSignals(),
      onWarning: (message) => io.stderr.write(`${describeError(message)}\n`),
      onCalls: (more) => progress.add(more),
      onAnswer: (line, isRecorded) => void (isRecorded || progress.answer(line)),
    });
  } finally {
    progress.stop();
  }
}

/** Throws a UsageError for a bot. */
async function openJudge(spec: string, env: NodeJS.ProcessEnv): Promise<PlayerModel> {
  const model = await openModel(spec, { temperature: 0, env });
  if (model.isBot)
    throw new UsageError(`${spec} cannot be the judge: built-in bots read no statements. Name a language model.`);
  return model;
}

const describePart = (corpora: readonly Corpus[], { split }: Pick<ClaimsOptions, 'split'>, extractor: string) => ({
  extractor,
  corpora: corpora.map(({ name }) => name),
  split,
  readers: compareReaders(corpora, { split }),
});

/** The statements of that part, each with its first labels and what `draw` gives of it. */
const compareAll = (
  corpora: readonly Corpus[],
  part: Pick<ClaimsOptions, 'split'>,
  draw: (corpus: Corpus) => DrawnClaims,
): ComparedStatement[] =>
  corpora.flatMap((whole) => {
    const corpus = selectSplit(whole, part);
    return compareStatements(
      corpus.statements,
      takeLabels(corpus, 'first'),
      judgeAtMoments(corpus.statements, draw(corpus)),
    );
  });

/** Null where no corpus is labelled twice. */
function compareReaders(corpora: readonly Corpus[], part: Pick<ClaimsOptions, 'split'>) {
  const compared = corpora.flatMap((whole) => {
    const corpus = selectSplit(whole, part);
    return compareStatements(corpus.statements, takeLabels(corpus, 'first'), takeLabels(corpus, 'second'));
  });
  return compared.length === 0 ? null : measureClaims(compared);
}

const takeLabels = (corpus: Corpus, pass: LabelPass): FoundClaims => readLabels(corpus, pass) ?? new Map();

const selectSplit = (corpus: Corpus, { split }: Pick<ClaimsOptions, 'split'>): Corpus => ({
  ...corpus,
  statements: corpus.statements.filter((statement) => split === 'both' || statement.split === split),
});

/**
 * The errors as `report --errors` takes them.
 *
 * @example createErrors(measureRules([readCorpus('voices')], { split: 'test' }), 'test').reach
 */
export function createErrors(
  { extractor, corpora, measured }: MeasuredExtractor,
  split: ClaimsOptions['split'],
): ExtractorErrors {
  const { statements, moments, claims, types, opportunities, reach } = measured;
  const accuracy = ({ precision, recall }: typeof claims) => ({
    precision: createErrorShare(precision),
    recall: createErrorShare(recall),
  });
  const rates = ({ sensitivity, specificity }: (typeof opportunities)['lie_rate']) => ({
    sensitivity: createErrorShare(sensitivity) ?? unknown,
    specificity: createErrorShare(specificity) ?? unknown,
  });
  const reached = ({ right, of }: ShareOverMoments) => ({ drawn: right, of });
  return {
    schema_version: 1,
    ...{ extractor, corpora: [...corpora], split, statements, moments },
    claims: accuracy(claims),
    types: Object.fromEntries(Object.entries(types).map(([type, { plain }]) => [type, accuracy(plain)])),
    lie_rates: {
      lie_rate: rates(opportunities.lie_rate),
      lie_statement_rate: rates(opportunities.lie_statement_rate),
    },
    reach: { lies: reached(reach.lies), truths: reached(reach.truths) },
  };
}

/** Nothing was counted: anything may be. */
const unknown = { right: 0, of: 0, low: 0, high: 1 };

const round = (bound: number) => Number(bound.toFixed(3));

const createErrorShare = ({ right, of, low, high }: ShareOverMoments) =>
  of === 0 ? null : { right, of, low: round(low ?? 0), high: round(high ?? 1) };
