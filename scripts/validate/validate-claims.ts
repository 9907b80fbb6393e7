// Compares an extractor's claims with labeled statements: `npm run validate -- --claims`.
import path from 'node:path';
import type { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import { formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { roundOutward } from '../../deception/statistics/round-outward.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { UsageError } from '../../state/usage-error.ts';
import { askJudges, dryNotice, estimateJudging } from '../run/ask-judges.ts';
import { type CommandIO, writeFile } from '../command/command-line.ts';
import { listJudgedMatches, readJudgedCorpora } from './corpora/read-judged-corpora.ts';
import {
  drawByRules,
  type DrawnClaims,
  type FoundClaims,
  judgeAtMoments,
  readLabels,
} from './corpora/judge-at-moment.ts';
import {
  compareStatements,
  type ComparedStatement,
  measureClaims,
  type ShareOverMoments,
} from './corpora/score-claims.ts';
import {
  type Corpus,
  type CorpusName,
  corporaFolder,
  type LabelPass,
  readCorpus,
  type CorpusSplit,
} from './corpora/read-corpus.ts';
import { type MeasuredExtractor, renderAccuracy } from './corpora/render-accuracy.ts';

/** Name of the extractor in reports if the rules extract the claims. */
const rules = 'rules';

export interface ClaimsOptions {
  corpora: readonly CorpusName[];
  split: CorpusSplit | 'both';
  /** Judge whose claims are compared; absent for the rules. */
  judge?: JudgePlan | undefined;
  /** Folder of judges' answers. */
  answers: string;
  maxCost?: number | undefined;
  isDry: boolean;
  isJson: boolean;
  /** File for the measured errors. Absent to write none. */
  out?: string | undefined;
}

/** Default folder of a judge's answers. */
export const defaultAnswersFolder = path.join(corporaFolder, 'answers');

/** Prints an extractor's accuracy. Writes its errors if `out` names a file. Throws the errors of the judge's calls. */
export async function validateClaims(options: ClaimsOptions, io: CommandIO): Promise<void> {
  const corpora = options.corpora.map((name) => readCorpus(name));
  for (const { name, labels } of corpora)
    if (labels.first === null) throw new UsageError(`The corpus "${name}" has no labels yet. Remove it from --corpus.`);
  const { judge } = options;
  if (judge && options.isDry) {
    const matches = listJudgedMatches(corpora, options).map(
      ({ judged }) =>
        () =>
          judged,
    );
    io.stdout.write(`${await estimateJudging(matches, judge, options, io)}${dryNotice}`);
    return;
  }
  const found = judge ? await measureJudges(corpora, { ...options, judge }, io) : measureRules(corpora, options);
  io.stdout.write(options.isJson ? `${JSON.stringify(found, null, 2)}\n` : renderAccuracy(found));
  if (options.out !== undefined)
    writeFile(options.out, `${JSON.stringify(createErrors(found, options.split), null, 2)}\n`);
}

/**
 * Measures the accuracy of the rules.
 *
 * @example measureRules([readCorpus('voices')], { split: 'test' }).measured.claims.recall
 */
export const measureRules = (corpora: readonly Corpus[], part: Pick<ClaimsOptions, 'split'>): MeasuredExtractor => ({
  ...describePart(corpora, part, rules),
  measured: measureClaims(compareAll(corpora, part, ({ statements }) => drawByRules(statements))),
  judge: null,
});

async function measureJudges(
  corpora: readonly Corpus[],
  options: ClaimsOptions & { judge: JudgePlan },
  io: CommandIO,
): Promise<MeasuredExtractor> {
  const { judge } = options;
  const matches = listJudgedMatches(corpora, options);
  const sources = matches.map(
    ({ judged }) =>
      () =>
        judged,
  );
  io.stderr.write(await estimateJudging(sources, judge, options, io));
  for (const { judged } of matches) getDisk().makeFolder(judged.folder);
  await askJudges(sources, judge, { ...options, maxFallbacks: 1 }, io); // unreadable statements are measured too
  const measure = (plan: JudgePlan) => {
    const { drawn, ...rest } = readJudgedCorpora(matches, plan);
    return { measured: measureClaims(compareAll(corpora, options, () => drawn)), ...rest };
  };
  const { measured, ...about } = measure(judge);
  const each = judge.models.length < 2 ? [] : judge.models;
  return {
    ...describePart(corpora, options, formatJudges(judge)),
    measured,
    judge: {
      ...about,
      unguarded: judge.isGuarded === false ? measured : measure({ ...judge, isGuarded: false }).measured,
      repeats: judge.repeat ?? 1,
      each: each.map((model) => ({ model, ...measure({ ...judge, models: [model] }) })),
    },
  };
}

const describePart = (corpora: readonly Corpus[], { split }: Pick<ClaimsOptions, 'split'>, extractor: string) => ({
  extractor,
  corpora: corpora.map(({ name }) => name),
  split,
  readers: compareReaders(corpora, { split }),
});

/** Lists the statements of the chosen split, each with its first labels and the claims that `draw` extracts. */
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

/** Measures the second labels against the first labels. Null if no corpus is labeled twice. */
export function compareReaders(corpora: readonly Corpus[], part: Pick<ClaimsOptions, 'split'>) {
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
 * Converts measured errors to the form of `report --errors`.
 *
 * @example createErrors(measureRules([readCorpus('voices')], { split: 'test' }), 'test').reach
 */
export function createErrors(
  { extractor, corpora, measured }: MeasuredExtractor,
  split: ClaimsOptions['split'],
): ExtractorErrors {
  const { statements, moments, claims, lies, types, writers, errors, reach } = measured;
  const accuracy = ({ precision, recall }: typeof claims) => ({
    precision: createErrorShare(precision),
    recall: createErrorShare(recall),
  });
  const rates = ({ sensitivity, specificity }: (typeof errors)['lie_rate']) => ({
    sensitivity: createErrorShare(sensitivity) ?? unknown,
    specificity: createErrorShare(specificity) ?? unknown,
  });
  const lieRates = (of: typeof errors) => ({
    lie_rate: rates(of.lie_rate),
    lie_statement_rate: rates(of.lie_statement_rate),
    lie_turn_rate: rates(of.lie_turn_rate),
  });
  const reached = ({ right, of }: ShareOverMoments) => ({ drawn: right, of });
  return {
    schema_version: 1,
    ...{ extractor, corpora: [...corpora], split, statements, moments },
    claims: accuracy(claims),
    lies: accuracy(lies.statements),
    types: Object.fromEntries(Object.entries(types).map(([type, { plain }]) => [type, accuracy(plain)])),
    writers: Object.fromEntries(
      Object.entries(writers).map(([writer, one]) => [
        writer,
        { ...accuracy(one.claims), lie_rates: lieRates(one.errors) },
      ]),
    ),
    lie_rates: lieRates(errors),
    reach: { lies: reached(reach.lies), truths: reached(reach.truths) },
  };
}

/** Error rate for which nothing was counted, so that any value is possible. */
const unknown = { right: 0, of: 0, low: 0, high: 1 };

const createErrorShare = ({ right, of, low, high }: ShareOverMoments) =>
  of === 0 ? null : { right, of, ...roundOutward({ low: low ?? 0, high: high ?? 1 }, 3) };
