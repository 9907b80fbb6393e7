// Schema of the table at the top of a study's pages: a row for each model or entrant, a cell for each question. Every
// field is defined in docs/reference/reports.md.
import { z } from 'zod';

/** Questions in the order of the columns. */
export const answerQuestions = [
  'lies',
  'believed',
  'catches',
  'false_alarms',
  'wins_as_werewolf',
  'wins_as_village',
  'score',
  'read',
  'cost',
] as const;
export type AnswerQuestion = (typeof answerQuestions)[number];

/** States of a cell: a value is known, or the reason why there is no value. */
export const answerStates = [
  'known',
  'at least',
  'not identified',
  'not asked',
  'not read',
  'too few',
  'no price',
] as const;
export type AnswerState = (typeof answerStates)[number];

const figure = z.number().nullable();
const count = z.number().int().min(0).nullable();

const pair = 'figures of the two models';
const differenceInterval = 'difference `a` − `b` and its 95% interval';
const interval = 'the figure and its 95% interval; null in other states';
const bounds = 'bounds if none, or all, of the unread statements held a lie; for lies only';
const counts = 'number counted, number of opportunities, and number of deals with data';

export const AnswerCell = z.strictObject({
  question: z
    .enum(answerQuestions)
    .describe(
      '`lies`: share of debate statements as Werewolf with a lie; `believed`: share of its lies called honest by listeners who could not know; `catches`: AUC over matched pairs (`paired_detection`); `false_alarms`: share of true claims it flags; `wins_as_werewolf`; `wins_as_village`; `score`: mean of both sides’ wins, where wins by side are not identified; `read`: share of its statements that the judge read; `cost`: USD per match',
    ),
  state: z
    .enum(answerStates)
    .describe(
      '`known`; `at least`: a lower bound, since rules extract lies or some prices are unknown; `not identified`: the models did not all meet the same opponents, so play a crossed design; `not asked`: `analysis=off`; `not read`: no judge, or it read under 95%; `too few`: no interval; `no price`',
    ),
  value: figure.describe(interval),
  low: figure.describe(interval),
  high: figure.describe(interval),
  lowest: figure.describe(bounds),
  highest: figure.describe(bounds),
  counted: count.describe(counts),
  of: count.describe(counts),
  deals: count.describe(counts),
  chance: figure
    .default(null)
    .describe('for wins: the share by chance on the matches’ boards under their rules; null if unknown'),
  as_found: figure
    .default(null)
    .describe('for lies that a gold sample or measured errors correct: the share by the judge alone; else null'),
  is_compared: z.boolean().describe('whether it may be compared with the same cell of another model'),
});
export type AnswerCell = z.infer<typeof AnswerCell>;

const AnswerRow = z.strictObject({ model: z.string(), cells: z.array(AnswerCell) });
export type AnswerRow = z.infer<typeof AnswerRow>;

export const AnswerDifference = z.strictObject({
  question: z.enum(answerQuestions).describe('question of the cells'),
  models: z.tuple([z.string(), z.string()]).describe('the two models'),
  a: figure.describe(pair),
  b: figure.describe(pair),
  difference: figure.describe(differenceInterval),
  low: figure.describe(differenceInterval),
  high: figure.describe(differenceInterval),
  p_adjusted: figure.describe(
    'p adjusted by Holm’s procedure over all questions and pairs of the table; `score` is adjusted separately',
  ),
  deals: z.number().int().min(0).describe('deals with data of both'),
  equivalence: z
    .strictObject({ margin: z.number(), low: figure, high: figure, is_equivalent: z.boolean().nullable() })
    .nullable()
    .default(null)
    .describe(
      'whether they are equal (`is_equivalent`) within the `margin` named for `compare`, by the 90% interval (`low`, `high`); null without a margin',
    ),
  as_found: figure
    .default(null)
    .describe('for lies that a gold sample or measured errors correct: the difference by the judge alone; else null'),
});
export type AnswerDifference = z.infer<typeof AnswerDifference>;

export const UnknownAnswer = z.strictObject({
  question: z.enum(answerQuestions).describe('question without an answer'),
  reason: z.string().describe('why it has none'),
  command: z.string().nullable().describe('command that answers it; null if none does'),
});
export type UnknownAnswer = z.infer<typeof UnknownAnswer>;

/**
 * Variance of a match's figure between deals, and variance within deals, which is the variance between a deal's
 * replicates.
 */
const ReplicatedVariance = z.strictObject({
  question: z.enum(answerQuestions),
  /** Number of deals that were played several times. */
  deals: z.number().int().min(0),
  /** Mean number of times that each of these deals was played. */
  replicates: z.number(),
  between: z.number(),
  within: z.number(),
});
export type ReplicatedVariance = z.infer<typeof ReplicatedVariance>;

/** Facts about the matches behind a table. Every page begins with these facts. */
const StudyFacts = z.strictObject({
  board: z.string().nullable().describe('board; null if it is not known'),
  rules: z.string().nullable().describe('the most similar preset, and the rules that differ from it'),
  is_crossed: z.boolean().describe('whether each model played each side against each model'),
  extractors: z.array(z.string()).describe('`rules`, or the judges that read the matches'),
  read: figure.describe('share of all statements that the judge read; null without a judge'),
});
export type StudyFacts = z.infer<typeof StudyFacts>;

/** The answers of a study under one condition. */
export const AnswerTable = z.strictObject({
  condition: z.string().nullable(),
  matches: z.number().int().min(0),
  deals: z.number().int().min(0),
  facts: StudyFacts.nullable().default(null),
  /** Warnings shown above the table. */
  cautions: z.array(z.string()),
  rows: z.array(AnswerRow),
  differences: z.array(AnswerDifference),
  unknown: z.array(UnknownAnswer),
  replicated: z.array(ReplicatedVariance).default([]),
  /** Model → the name that its user typed, if the model's full identity is longer. Sentences use the typed names. */
  names: z.record(z.string(), z.string()).default({}),
});
export type AnswerTable = z.infer<typeof AnswerTable>;

/** Text of the documentation about these tables. */
export const aboutAnswerTables =
  '[the table](reports.md#the-table) that pages begin with, one for each condition: `condition` (null if there is one), `matches`, `deals`, the `facts` of its head (`board`, `rules`, `is_crossed`, `extractors`, `read`: the share that a judge read), `cautions`, `rows`, `differences` between models, what is `unknown`, and where deals have replicates the variance of a match `between` and `within` deals, and how often a deal was played (`replicates`, in `replicated`), and the `names` of models as typed, where their identity says more';
