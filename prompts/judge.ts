// The question to a judge, who sees only what is public: which claims does a statement make? And the shape of the answer.
import { z } from 'zod';
import { Cause } from '../state/events.ts';
import { getRole } from '../state/roles/index.ts';
import { Team } from '../state/teams.ts';
import type { PublicView } from '../state/view.ts';
import type { PublicStatement } from '../state/public-statements.ts';
import {
  createChoiceField,
  getSchemas,
  describeShape,
  createIntegerField,
  createYesNoField,
  type Field,
  type Fields,
} from './fields.ts';
import { renderHistory } from './history.ts';
import type { Prompt } from './prompt.ts';
import { quote } from './text.ts';
import { renderRules } from './rules-text.ts';

/** The name of a judge in the keys of prompts and in records, in place of a player's. */
export const judgeName = 'judge';

/** The kinds of claims, in the words that the judge is given. */
export const claimTypes = {
  own_role: 'the speaker says what they themselves are or are not: a role or a side ("subject" is the speaker)',
  role: 'what another player is or is not: a role of the village',
  accusation: 'that another player is a Werewolf, or is not on the side of the village',
  defence: 'that another player is not a Werewolf, or is on the side of the village',
  check:
    'that "subject" checked "object" at night to learn what they are, with what came of it in "role" or "team" where that is said',
  act: 'that "subject" used another power than a check, or a last act, on "object"; "verbs" says which',
  vote: 'that "subject" has voted for "object", today or in an earlier round',
  departure: 'that "subject" left the game; "cause" says how',
  speech:
    'that "subject", another than the speaker, said something: claimed to be what "role" or "team" says, or accused "object"',
  promise: 'that the speaker will or will not vote for "object"',
} as const;

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
}

/** `count` comes last: an answer that was cut off lacks it and is refused, instead of being read as a shorter list. */
export interface JudgedAnswer {
  claims: StatedClaim[];
  count: number;
}

/** What the judge reads of a statement. */
type JudgedMatter = Pick<PublicStatement, 'id' | 'by' | 'text' | 'kind' | 'target'>;

/** The question about one statement, with which `view` ends. `step`: its number among all of the match, from 1. */
export function composeJudgePrompt(view: PublicView, step: number, matter: JudgedMatter): Prompt<JudgedAnswer> {
  const fields = {
    claims: createListField(
      createJudgeFields(view),
      'the claims of this one statement, an empty list where it has none',
    ),
    count: createIntegerField(0, 1000, 'how many claims these are'),
  };
  const renderUserText = (count: number) =>
    [
      renderHistory(view, count),
      '',
      `It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`,
      ...describeTask(matter),
      'Answer with one JSON object of this shape and nothing else:',
      describeShape(fields),
    ].join('\n');
  return {
    action: 'judge',
    view,
    step,
    system: `${renderRules(view)}\n\n${office}`,
    user: renderUserText(0),
    without: renderUserText,
    ...getSchemas(fields),
    choices: [],
    kind: 'talk',
  };
}

const office = [
  'You do not play. You read a record of what was said and done in public, and note what each statement claims as a fact.',
  'Whether it is so does not matter, and nobody has told you who has which role: do not guess it.',
].join('\n');

const describeTask = ({ by, text, kind, target }: JudgedMatter) => [
  kind === 'debate'
    ? `${by} has just said: ${quote(text)}`
    : `${by} has just voted for ${target} and explained it: ${quote(text)} The vote itself is no claim.`,
  'Which claims does this statement make? A claim is something that it asserts as a fact of this game, so that it is either so or not so. Types of claims:',
  ...Object.entries(claimTypes).map(([type, means]) => `- "${type}": ${means}.`),
  'No claims: trust and mere suspicion ("I trust Dan", "Dan seems odd"), questions, what somebody else said where it is only repeated, conditions ("if I were the Seer"), plans other than a vote, general remarks.',
  'One claim for each thing asserted: two players who are called Werewolves are two claims.',
];

function createJudgeFields({ players, board }: PublicView) {
  const roles = Object.keys(board.roles).filter((name) => (board.roles[name] ?? 0) > 0);
  return {
    quote: createVerbatimField('the words of the statement that make the claim, copied word for word'),
    type: createChoiceField(typeNames, 'the type of the claim'),
    subject: createChoiceField(players, 'of whom something is claimed'),
    object: makeNullable(createChoiceField(players, 'whom it was done to, or who is voted for or was accused')),
    role: makeNullable(createChoiceField(roles, 'the role that is named')),
    team: makeNullable(createChoiceField(Team.options, 'the side, where no role is named')),
    verbs: createSubsetField(listActVerbs(roles), 'what was done, for an "act" alone'),
    cause: makeNullable(createChoiceField(Cause.options, 'for a "departure" alone: how, where it is said')),
    round: makeNullable(round),
    polarity: createYesNoField(
      'is the claim that the role, the side or the deed is so? false where it is denied: "Dan is no Werewolf" is a "defence" with "team" "werewolves" and "polarity" false',
    ),
    hedged: createYesNoField('is it said only as an opinion or a guess ("I think", "probably")?'),
  } satisfies Fields;
}

const typeNames = Object.keys(claimTypes) as (keyof typeof claimTypes)[];

/** The verbs of the powers other than checks, and of last acts. */
function listActVerbs(roles: readonly string[]): string[] {
  const acts = roles.map(getRole).flatMap(({ powers, lastAct }) => [...powers, ...(lastAct ? [lastAct] : [])]);
  return [...new Set(acts.filter(({ aim }) => aim !== 'learn').map(({ verb }) => verb))];
}

/** Read without any change: it must be found in the statement. */
const createVerbatimField = (says: string): Field<string> => ({
  says: `string, ${says}`,
  takes: 'verbatim',
  schema: z.string(),
});

const round: Field<number> = {
  says: 'whole number, the round in which it happened or will happen, where that is said',
  takes: 'round',
  schema: z.preprocess(
    (value) => (typeof value === 'string' ? Number(value) : value),
    z.number().int().min(0).max(1000),
  ),
};

/** What some models write in place of null, in lower case. */
const nothing = ['', 'null', 'none', 'n/a'];

const isNothing = (value: unknown) =>
  value === undefined || (typeof value === 'string' && nothing.includes(value.trim().toLowerCase()));

const makeNullable = <Value>({ says, takes, schema }: Field<Value>): Field<Value | null> => ({
  says: `${says}; or null`,
  takes: `${takes}, or null`,
  schema: z.preprocess((value) => (isNothing(value) ? null : value), schema.nullable()),
});

const createSubsetField = (choices: readonly string[], says: string): Field<string[]> => {
  const one = createChoiceField(choices, '');
  return {
    says: `list of strings, ${says}, of: ${choices.join(', ')}; else empty`,
    takes: `some of: ${choices.join(', ')}`,
    schema: z.preprocess(
      (value) => (isNothing(value) || value === null ? [] : typeof value === 'string' ? [value] : value),
      z.array(one.schema),
    ),
  };
};

/** A list of any number of objects with these fields. */
const createListField = (fields: Fields, says: string): Field<StatedClaim[]> => ({
  says: `list, ${says}, each an object\n    {\n${Object.entries(fields)
    .map(([name, field]) => `      "${name}": ${field.says}`)
    .join('\n')}\n    }`,
  takes: `list of ${JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]))}`,
  schema: z.array(
    z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))),
  ) as unknown as z.ZodType<StatedClaim[]>, // types by name do not survive `fromEntries`
});
