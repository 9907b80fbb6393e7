// The schema of the table that every page of a study begins with: a row for each model or entrant, a cell for each question.
// Every field is defined in docs/reference/reports.md.
import { z } from 'zod';

/** In the order of the columns. */
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

/** What a cell holds, or why it holds nothing. */
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

const AnswerCell = z.strictObject({
  question: z.enum(answerQuestions),
  state: z.enum(answerStates),
  value: figure,
  /** The 95 % interval. */
  low: figure,
  high: figure,
  /** Bounds had all that was not read come out so. */
  lowest: figure,
  highest: figure,
  /** What was counted, and of how many. */
  counted: count,
  of: count,
  deals: count,
  /** Whether it may be held against the same cell of others. */
  is_compared: z.boolean(),
});
export type AnswerCell = z.infer<typeof AnswerCell>;

const AnswerRow = z.strictObject({ model: z.string(), cells: z.array(AnswerCell) });
export type AnswerRow = z.infer<typeof AnswerRow>;

const AnswerDifference = z.strictObject({
  question: z.enum(answerQuestions),
  models: z.tuple([z.string(), z.string()]),
  a: figure,
  b: figure,
  difference: figure,
  low: figure,
  high: figure,
  p_adjusted: figure,
  deals: z.number().int().min(0),
});
export type AnswerDifference = z.infer<typeof AnswerDifference>;

const UnknownAnswer = z.strictObject({
  question: z.enum(answerQuestions),
  reason: z.string(),
  /** The command that would fill it. */
  command: z.string().nullable(),
});
export type UnknownAnswer = z.infer<typeof UnknownAnswer>;

/** The answers of a study under one condition. */
export const AnswerTable = z.strictObject({
  condition: z.string().nullable(),
  matches: z.number().int().min(0),
  deals: z.number().int().min(0),
  /** What must be known before anything else. */
  cautions: z.array(z.string()),
  rows: z.array(AnswerRow),
  differences: z.array(AnswerDifference),
  unknown: z.array(UnknownAnswer),
});
export type AnswerTable = z.infer<typeof AnswerTable>;

/** What documentation says of the tables in a file. */
export const aboutAnswerTables =
  '[the table](reports.md#the-table) that pages begin with, one for each condition: `condition` (null if there is one), `matches`, `deals`, `cautions`, `rows`, `differences` between models and what is `unknown`';
