// The questions to a judge, who sees only public information: which claims does a statement make? The shapes of the
// answers are also here.
import { z } from 'zod';
import { Cause } from '../state/events.ts';
import { everybody } from '../state/player-names.ts';
import { Team } from '../state/teams.ts';
import type { PublicView } from '../state/view.ts';
import type { PublicStatement } from '../state/public-statements.ts';
import {
  createChoiceField,
  getSchemas,
  createIntegerField,
  createSubsetField,
  createYesNoField,
  isNothing,
  type Field,
  type Fields,
} from './fields.ts';
import { renderHistory } from './history.ts';
import { claimTypes, judgeOffice, listActVerbs } from './judge-office.ts';
import { renderJudgeRules } from './judge-rules.ts';
import type { Prompt } from './prompt.ts';
import { flattenToOneLine } from '../state/text.ts';
import { breakTags, quote } from './text.ts';

/** Name of a judge in the keys of prompts and in records, where a player's name would be. */
export const judgeName = 'judge';

/** A claim as the judge states it. */
export interface StatedClaim {
  quote: string;
  type: keyof typeof claimTypes;
  subject: string;
  object: string | null;
  role: string | null;
  team: Team | null;
  verbs: string[];
  cause: Cause | null;
  round: number | null;
  polarity: boolean;
  hedged: boolean;
  presupposed: boolean;
}

/**
 * The claims of a statement. `count` comes last, so an answer that was cut off lacks it and is rejected instead of
 * being read as a shorter list.
 */
export interface JudgedAnswer {
  claims: StatedClaim[];
  count: number;
}

/** The claims of statements that were read in one call, each with its number in the prompt. */
export interface JudgedDay {
  statements: (JudgedAnswer & { statement: number })[];
}

/** The part of a statement that the judge reads. */
export type JudgedMatter = Pick<PublicStatement, 'id' | 'by' | 'text' | 'kind' | 'target'>;

/**
 * Composes the question about one statement. `view` ends right before the statement. `step`: number of the statement in
 * the match, from 1.
 */
export function composeJudgePrompt(view: PublicView, step: number, matter: JudgedMatter): Prompt<JudgedAnswer> {
  const question = ['Which claims does this statement make?'];
  return { action: 'judge', ...createQuestion(view, step, tellMatter(matter), question, createAnswerFields(view)) };
}

/**
 * Composes the question about several statements of a day, with no other public event between them. `view` ends right
 * before the first of them. `step`: number of the first statement in the match, from 1.
 */
export function composeJudgeDayPrompt(
  view: PublicView,
  step: number,
  matters: readonly JudgedMatter[],
): Prompt<JudgedDay> {
  const rows = createListField<JudgedDay['statements'][number]>({
    statement: createIntegerField(1, matters.length, ''),
    ...createAnswerFields(view),
  });
  const isEach = (entries: JudgedDay['statements']) =>
    entries.length === matters.length && new Set(entries.map(({ statement }) => statement)).size === matters.length;
  const schema = rows.schema.refine(
    isEach,
    `must have one entry for each statement from 1 to ${matters.length}, none left out and none twice`,
  );
  const told = [
    'Then this was said, in this order; explanations of votes are given at the same time, so that nobody knows the others:',
    ...matters.map(
      (matter, index) =>
        `Statement ${index + 1}: ${matter.by} ${describeSaying(matter)}: ${quoteStatement(matter.text)}`,
    ),
  ];
  const question = [
    `Which claims does each of these ${matters.length} statements make? Read each by itself and by what came before it alone, never by a later one. Quote a statement only in its own entry.`,
  ];
  return { action: 'judge_day', ...createQuestion(view, step, told, question, { statements: { ...rows, schema } }) };
}

/** Whether the statement makes each of the given claims, in the fields `claim_1`, `claim_2` and so on. */
export type ConfirmedClaims = Record<string, boolean>;

/**
 * The words in which a statement makes each of the given claims, in the fields `claim_1`, `claim_2` and so on. A field
 * is empty if the statement does not make that claim.
 */
export type QuotedWords = Record<string, string>;

/** Returns the field for the claim at this index, from 0. */
export const getClaimField = (index: number) => `claim_${index + 1}`;

/** A claim about which a judge is asked. */
type GivenClaim = Omit<StatedClaim, 'hedged' | 'presupposed'>;

/**
 * Composes the second question about a statement: whether it makes claims that the rules extracted and the judge did
 * not name.
 */
export function composeConfirmPrompt(
  view: PublicView,
  step: number,
  matter: JudgedMatter,
  drawn: readonly GivenClaim[],
): Prompt<ConfirmedClaims> {
  const question = [
    'Does this statement make these claims, as you are to note them? What it only takes for granted is made too.',
    ...listGiven(drawn),
  ];
  const fields = createFieldForEach(drawn, createYesNoField(''));
  return { action: 'judge_confirm', ...createQuestion(view, step, tellMatter(matter), question, fields) };
}

/**
 * Composes the question for the exact words of claims, asked if the words that the judge quoted do not occur in the
 * statement.
 */
export function composeQuotePrompt(
  view: PublicView,
  step: number,
  matter: JudgedMatter,
  stated: readonly GivenClaim[],
): Prompt<QuotedWords> {
  const question = [
    'You noted these claims with words that do not stand in this statement. Which words of it make each of them? Copy them from the statement as they stand, at least one whole word; leave it empty where the statement does not make the claim.',
    ...listGiven(stated),
  ];
  const fields = createFieldForEach(stated, verbatim);
  return { action: 'judge_quote', ...createQuestion(view, step, tellMatter(matter), question, fields) };
}

const listGiven = (claims: readonly GivenClaim[]) =>
  claims.map(
    (claim, index) =>
      `- ${getClaimField(index)}: ${breakTags(flattenToOneLine(JSON.stringify(dropEmptyFields(claim))))}`,
  );

const dropEmptyFields = (claim: object) =>
  Object.fromEntries(
    Object.entries(claim).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );

const createFieldForEach = <Value>(claims: readonly GivenClaim[], field: Field<Value>) =>
  Object.fromEntries(claims.map((_claim, index) => [getClaimField(index), field]));

const tellMatter = (matter: JudgedMatter) => [
  `Then ${matter.by} ${describeSaying(matter)}:`,
  quoteStatement(matter.text),
];

/** Describes how a statement was made. */
export const describeSaying = ({ kind, target }: Pick<JudgedMatter, 'kind' | 'target'>) =>
  kind === 'debate' ? 'said' : `voted for ${target} (the vote itself is no claim) and explained`;

/** Quotes a statement in one line, marking its line ends with a sign. */
const quoteStatement = (text: string) => quote(text.trim().replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ⏎ '));

/**
 * Creates the question. The parts that all matches share come first, and the parts of this question last, so that a
 * provider can cache as much as possible.
 */
function createQuestion<Types extends Fields>(
  view: PublicView,
  step: number,
  told: readonly string[],
  question: readonly string[],
  fields: Types,
) {
  const rules = renderJudgeRules(view);
  const renderUserText = (count: number) => {
    const history = renderHistory(view, count);
    return [
      rules,
      '',
      ...(history === '' ? [] : [history, '']),
      `It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`,
      ...told,
      '',
      ...question,
    ].join('\n');
  };
  return {
    ...{ view, step, system: judgeOffice, user: renderUserText(0), without: renderUserText },
    ...getSchemas(fields),
    ...{ choices: [], kind: 'talk' as const },
  };
}

// Fields of a claim in an answer. The system message explains their meaning, so they have no descriptions here.

const createAnswerFields = (view: PublicView) => ({
  claims: createListField<StatedClaim>(createClaimFields(view)),
  count: createIntegerField(0, 1000, ''),
});

function createClaimFields({ players, board }: PublicView) {
  const roles = Object.keys(board.roles).filter((name) => (board.roles[name] ?? 0) > 0);
  return {
    quote: verbatim,
    type: createChoiceField(Object.keys(claimTypes) as (keyof typeof claimTypes)[], ''),
    subject: createChoiceField([...players, everybody], ''),
    object: makeNullable(createChoiceField(players, '')),
    role: makeNullable(createChoiceField(roles, '')),
    team: makeNullable(createChoiceField(Team.options, '')),
    verbs: createSubsetField(listActVerbs(roles), ''),
    cause: makeNullable(createChoiceField(Cause.options, '')),
    round: makeNullable(round),
    polarity: createYesNoField(''),
    hedged: createYesNoField(''),
    presupposed: createYesNoField(''),
  } satisfies Fields;
}

/** A text that is not changed when parsed, since it must be found in the statement. */
const verbatim: Field<string> = { says: '', takes: 'verbatim', schema: z.string() };

const round: Field<number> = {
  says: '',
  takes: 'round',
  schema: z.preprocess(
    (value) => (typeof value === 'string' ? Number(value) : value),
    z.number().int().min(0).max(1000),
  ),
};

const makeNullable = <Value>({ takes, schema }: Field<Value>): Field<Value | null> => ({
  says: '',
  takes: `${takes}, or null`,
  schema: z.preprocess((value) => (isNothing(value) ? null : value), schema.nullable()),
});

/** Creates a field for a list of any number of objects with these fields. */
const createListField = <Row>(fields: Fields): Field<Row[]> => ({
  says: '',
  takes: `list of ${JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]))}`,
  schema: z.array(
    z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))),
  ) as unknown as z.ZodType<Row[]>, // `fromEntries` loses the types of the names
});
