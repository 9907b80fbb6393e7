// The questions to a judge, who sees only what is public: which claims does a statement make? And the shape of the answers.
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
import type { Prompt } from './prompt.ts';
import { flattenToOneLine } from '../state/text.ts';
import { breakTags, quote } from './text.ts';
import { renderRules } from './rules-text.ts';

/** The name of a judge in the keys of prompts and in records, in place of a player's. */
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

/** `count` comes last: an answer that was cut off lacks it and is refused, instead of being read as a shorter list. */
export interface JudgedAnswer {
  claims: StatedClaim[];
  count: number;
}

/** The claims of statements that were read in one call, each with its number in the prompt. */
export interface JudgedDay {
  statements: (JudgedAnswer & { statement: number })[];
}

/** What the judge reads of a statement. */
export type JudgedMatter = Pick<PublicStatement, 'id' | 'by' | 'text' | 'kind' | 'target'>;

/** The question about one statement, made just after what `view` holds. `step`: its number among all of the match, from 1. */
export function composeJudgePrompt(view: PublicView, step: number, matter: JudgedMatter): Prompt<JudgedAnswer> {
  const question = ['Which claims does this statement make?'];
  return { action: 'judge', ...createQuestion(view, step, tellMatter(matter), question, createAnswerFields(view)) };
}

/**
 * The question about several statements of a day, made just after what `view` holds, with nothing else in public between
 * them. `step`: the number of the first among all of the match, from 1.
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

/** Whether the statement makes each of some claims: the fields `claim_1` and on. */
export type ConfirmedClaims = Record<string, boolean>;

/** The words of each of some claims: the fields `claim_1` and on; empty where the statement does not make it. */
export type QuotedWords = Record<string, string>;

/** The field that answers for the claim at this place, from 0. */
export const getClaimField = (index: number) => `claim_${index + 1}`;

/** A claim about which a judge is asked. */
type GivenClaim = Omit<StatedClaim, 'hedged' | 'presupposed'>;

/** The second question about a statement: whether it makes claims that the judge has not named and the rules have drawn. */
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

/** The question for the words of claims that were noted with words that do not stand in the statement. */
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

/** How a statement is introduced. @example describeSaying({ kind: 'debate', target: null }) // 'said' */
export const describeSaying = ({ kind, target }: Pick<JudgedMatter, 'kind' | 'target'>) =>
  kind === 'debate' ? 'said' : `voted for ${target} (the vote itself is no claim) and explained`;

/** In quotation marks and in one line, whatever it holds: with a sign where a line ends. */
const quoteStatement = (text: string) => quote(text.trim().replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ⏎ '));

/** Rules that say nothing about what a statement can claim: of bids, of private questions and memories, of lengths. */
const idleRules: readonly string[] = [
  ...['bidScale', 'memory', 'historyK', 'thoughts', 'maxWords'],
  ...['analysis', 'scores', 'beliefs', 'syntheticVotes'],
];

/** From what all matches share to what this question alone has, so that a provider's cache keeps as much as possible. */
function createQuestion<Types extends Fields>(
  view: PublicView,
  step: number,
  told: readonly string[],
  question: readonly string[],
  fields: Types,
) {
  const rules = renderRules(view, { leftOut: idleRules });
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

// The fields of answers. What they mean stands in the office, so they say nothing here.

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

/** Read without any change: it must be found in the statement. */
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

/** A list of any number of objects with these fields. */
const createListField = <Row>(fields: Fields): Field<Row[]> => ({
  says: '',
  takes: `list of ${JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]))}`,
  schema: z.array(
    z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))),
  ) as unknown as z.ZodType<Row[]>, // types by name do not survive `fromEntries`
});
