// The question to a judge, who sees only what is public: which claims does a statement make? And the shape of the answer.
import { z } from 'zod';
import { Cause } from '../state/events.ts';
import { getRole } from '../state/roles/index.ts';
import { everybody } from '../state/player-names.ts';
import { Team } from '../state/teams.ts';
import type { PublicView } from '../state/view.ts';
import type { PublicStatement } from '../state/public-statements.ts';
import {
  createChoiceField,
  getSchemas,
  describeShape,
  createIntegerField,
  createSubsetField,
  createYesNoField,
  isNothing,
  type Field,
  type Fields,
} from './fields.ts';
import { renderHistory } from './history.ts';
import type { Prompt } from './prompt.ts';
import { flattenToOneLine } from '../state/text.ts';
import { breakTags, quote } from './text.ts';
import { renderRules } from './rules-text.ts';

/** The name of a judge in the keys of prompts and in records, in place of a player's. */
export const judgeName = 'judge';

/** The kinds of claims, in the words that the judge is given. */
export const claimTypes = {
  own_role:
    'what the speaker is or is not, a role or a side ("I\'m the Seer", "Claim: Seer", "as a fellow Villager, I", "I\'m no wolf"); "subject" is the speaker',
  role: 'that another player has or had a role of the village, or has not ("Dan (Guard)", "Dan flipped Seer", "Dan\'s Seer claim is fake"); a "plain" or "simple" Villager is the role Villager',
  accusation: 'that another player is on the Werewolves\' side ("Dan is a wolf", "Dan flipped WW")',
  defence: 'that another player is not, or is on the village\'s side ("Dan is town", "innocent Dan", "Dan is no wolf")',
  check:
    'that "subject" checked "object" at night to learn what they are, with the result in "role" or "team" where it is said',
  act: 'that "subject" used another power than a check, or a last act, on "object"; "verbs" says which ("my save went to Dan")',
  vote: 'that "subject" voted for "object" in a vote for exile that is over ("Bob was on Dan yesterday", "Ann/Bob piled on Dan", "Bob\'s vote put Dan out"); "everybody" only for "we all voted for Dan", "a unanimous vote"',
  departure: 'that "subject" left the game; "cause" says how, where that is said or the words imply it',
  speech:
    'that "subject", another than the speaker, claimed to be what "role" or "team" says, or accused "object" of being a Werewolf',
  promise:
    'that the speaker will or will not vote for "object" ("I\'m voting Dan", "Vote: Dan", "we vote Dan today", "vote Dan with me"), also with a way out ("unless he explains, my vote is Dan", "otherwise I vote Dan")',
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
  const fields = createAnswerFields(view);
  const question = ['Which claims does this statement make?'];
  return { action: 'judge', ...createStatementQuestion(view, step, matter, question, fields) };
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
  const rows = createListField<JudgedDay['statements'][number]>(
    { statement: createIntegerField(1, matters.length, 'its number'), ...createAnswerFields(view) },
    'an entry for every statement, in their order, also for one without claims',
  );
  const isEach = (entries: JudgedDay['statements']) =>
    entries.length === matters.length && new Set(entries.map(({ statement }) => statement)).size === matters.length;
  const schema = rows.schema.refine(
    isEach,
    `must have one entry for each statement from 1 to ${matters.length}, none left out and none twice`,
  );
  const fields = { statements: { ...rows, schema } };
  const told = [
    'Then this was said, in this order; explanations of votes are given at the same time, so that nobody knows the others:',
    ...matters.map(
      (matter, index) => `Statement ${index + 1}: ${matter.by} ${describeSaying(matter)}: ${quote(matter.text)}`,
    ),
  ];
  const question = [
    'Which claims does each of these statements make? Read each by itself and by what came before it alone, never by a later one. Quote a statement only in its own entry.',
  ];
  return { action: 'judge_day', ...createQuestion(view, step, told, question, fields) };
}

/** Whether the statement makes each of some claims: the fields `claim_1` and on. */
export type ConfirmedClaims = Record<string, boolean>;

/** The field that answers for the claim at this place, from 0. */
export const getConfirmField = (index: number) => `claim_${index + 1}`;

/** The second question about a statement: whether it makes claims that the judge has not named and the rules have drawn. */
export function composeConfirmPrompt(
  view: PublicView,
  step: number,
  matter: JudgedMatter,
  drawn: readonly Omit<StatedClaim, 'hedged' | 'presupposed'>[],
): Prompt<ConfirmedClaims> {
  const fields = Object.fromEntries(
    drawn.map((_claim, index) => [getConfirmField(index), createYesNoField('does it make this claim?')]),
  );
  const question = [
    'Does this statement make these claims, as you are to note them? What it only takes for granted is made too.',
    ...drawn.map(
      (claim, index) =>
        `- ${getConfirmField(index)}: ${breakTags(flattenToOneLine(JSON.stringify(dropEmptyFields(claim))))}`,
    ),
  ];
  return { action: 'judge_confirm', ...createStatementQuestion(view, step, matter, question, fields) };
}

const dropEmptyFields = (claim: object) =>
  Object.fromEntries(
    Object.entries(claim).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );

/** A question about one statement to somebody who sees only what is public. `task`: what is to be done, a judge's unless told. */
export const createStatementQuestion = <Types extends Fields>(
  view: PublicView,
  step: number,
  matter: JudgedMatter,
  question: readonly string[],
  fields: Types,
  task?: string,
) =>
  createQuestion(
    view,
    step,
    [`Then ${matter.by} ${describeSaying(matter)}:`, quote(matter.text)],
    question,
    fields,
    task,
  );

const describeSaying = ({ kind, target }: JudgedMatter) =>
  kind === 'debate' ? 'said' : `voted for ${target} (the vote itself is no claim) and explained`;

function createQuestion<Types extends Fields>(
  view: PublicView,
  step: number,
  told: readonly string[],
  question: readonly string[],
  fields: Types,
  task = office,
) {
  const renderUserText = (count: number) =>
    [
      renderHistory(view, count),
      '',
      `It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`,
      ...told,
      '',
      ...question,
      'Answer with one JSON object of this shape and nothing else:',
      describeShape(fields),
    ].join('\n');
  return {
    view,
    step,
    system: `${renderRules(view)}\n\n${task}`,
    user: renderUserText(0),
    without: renderUserText,
    ...getSchemas(fields),
    choices: [],
    kind: 'talk' as const,
  };
}

/** Who said what, and its claims: from the development part of the labelled statements, shortened, with other names. */
const examples: readonly (readonly [by: string, text: string, ...claims: string[]])[] = [
  [
    'Dan',
    'Sam is town. Leah (Seer) checked Sam: no wolf. Paul asks what we have seen: voted Ginger when five of us were on Bert. Vote: Paul.',
    'role Leah Seer',
    'check by Leah of Sam, villagers',
    'vote by Paul for Ginger',
    'promise for Paul',
  ],
  [
    'Sam',
    'Claim: Doctor. N1 on myself, bad luck for David. N2 nobody died. Derek stays my suspect: gut only.',
    'own_role Doctor',
    'act by Sam on Sam, protect, round 1',
  ],
  [
    'Bert',
    "Alright, I'm no Seer, I panicked. Sam called me a Werewolf. Truth is, I'm your Doctor: last night I was with Isaac.",
    'own_role Seer, polarity false',
    'speech by Sam, object Bert',
    'own_role Doctor',
    'act by Bert on Isaac, protect, this round',
  ],
  [
    'Mason',
    'Harold says "I am the Witch". That claim smells. I know how it feels to get called a Werewolf: Leah did it to me, hi, still not one.',
    'speech by Harold, Witch',
    'speech by Leah, object Mason',
    'own_role villagers',
  ],
  [
    'Paul',
    "On day 1 I did not vote for Will; my vote was cast for Mason, beside Leah. Is that usual for a Werewolf? I shall vote for Ginger and ask for Dan's support.",
    'vote by Paul for Will, round 1, polarity false',
    'vote by Paul for Mason, round 1',
    'vote by Leah for Mason, round 1',
    'promise for Ginger',
  ],
  [
    'David',
    'Leah has spoken as the Seer. The exile of Will has cost us the Witch. If Harold is a Werewolf, Sam is too.',
    'speech by Leah, Seer',
    'departure Will, exile, presupposed',
    'role Will Witch',
  ],
  [
    'Jackson',
    'Dan, when Leah was sent away you spoke last. Do you ever walk in front? I accuse nobody yet. I want answers before a single vote is cast.',
    'departure Leah, exile, presupposed',
  ],
  [
    'Ginger',
    "Paul says he checked Sam: Werewolf. David was the Seer, we all saw it, and there is no second; hence Paul's claim is false, and I think Paul is a wolf. Paul goes today.",
    'speech by Paul, object Sam',
    'role David Seer',
    'role Paul Seer, polarity false',
    'accusation Paul, hedged',
  ],
  [
    'Jacob',
    "I named Mason and expect to be asked why. Bert, where was that worry yesterday? My vote leans Mason's way; let's hear Harold first.",
  ],
];

const office = [
  'You do not play. You read a record of what was said and done in public, and note what each statement claims as a fact.',
  'Whether it is so does not matter, and nobody has told you who has which role: do not guess it.',
  '',
  'A claim is something that the speaker asserts as a fact of this game, so that it is either so or not so. Read sentence by sentence, headings, labels, bullets and brackets too. Types of claims:',
  ...Object.entries(claimTypes).map(([type, means]) => `- "${type}": ${means}.`),
  '',
  'How to note them:',
  '- One claim for each thing asserted: "Ann/Bob voted for Dan" is two votes, "we exiled Dan, a Villager" a departure and a role. What is said twice is noted once. Facts that all know, said in passing, are claims like any other.',
  '- "wolf", "WW", "evil", and "clear", "innocent", "town", "good", "one of us" tell a side, never a role.',
  '- The result of a check belongs to the check, also where it stands in another sentence: "I checked Dan. He is a wolf." is one check. "Bob checked Dan" as a fact is a check by Bob; "Bob says he checked Dan: wolf" is a speech by Bob with object Dan.',
  '- "The wolves killed Dan" is a departure by night; "Bob shot Dan" an act. "We voted Dan out" is a departure by exile; "most of us voted for Dan" and "Dan got three votes" name no voter and are no claim.',
  '- "you" and "he" count where only one player can be meant. A role or a description without the name names nobody: "losing our Seer", "we exiled a Villager", "the Doctor saved us" are no claims, even where the record tells who is meant.',
  '- A result that the game has shown is said beside the check: "N1 Dan: Villager (dead, confirmed)" is a check, a departure and a role. Nights that a statement counts from N0 are one less than those of the record: its N0 is round 1.',
  '- "hedged": "I think", "probably", "likely", "I\'m fairly sure" before a claim. "I\'m sure", "clearly", "must be" do not hedge.',
  '- "presupposed": what a noun, a gerund, a clause of time or reason, or a question takes for granted: "losing Dan", "the exile of Dan" (departure), "Bob\'s vote on Dan", "why did you vote for Dan?" (vote), "Bob\'s Seer claim", "when Bob claimed Seer" (speech), "since Dan flipped Villager" (role), "my check on Dan" (check). Appositions, brackets and relative clauses assert and are not presupposed: "our Seer Dan", "Dan (Seer)", "Dan, who was exiled".',
  '',
  'No claims:',
  '- Trust, doubt and suspicion, however strong: "I trust Dan", "Dan looks like a wolf", "Dan is my top suspect", "sus", "leaning Dan", "Dan is lying". But if it is said what the lie is ("the fake Seer Dan"), it is a role with polarity false.',
  '- Possibility ("might be the Seer", "either Bob or Dan is a wolf"), conditions, suppositions and all that hangs on them, questions, rules, numbers, general remarks, irony.',
  '- Proposals and leaning votes, and votes under a condition: "let\'s exile Dan", "vote Dan!", "we should vote Dan", "I\'d vote Dan", "leaning Dan", "if Bob is a wolf I vote Dan".',
  '- What stands in quotation marks or is told as what another said is not the speaker\'s own claim; that it was said is a speech if it was a role claim or an accusation. "Defended", "pushed", "went after", "was quiet", "doubts" are no claim. What speakers say of their own earlier words ("as I told you, I\'m the Seer") claims it anew.',
  '',
  'Examples of other games, in short:',
  ...examples.map(([by, text, ...claims]) => `- ${by}: ${quote(text)} → ${claims.join('; ') || 'no claim'}`),
].join('\n');

const createAnswerFields = (view: PublicView) => ({
  claims: createListField<StatedClaim>(
    createJudgeFields(view),
    'the claims of this one statement, an empty list where it has none',
  ),
  count: createIntegerField(0, 1000, 'how many claims these are'),
});

function createJudgeFields({ players, board }: PublicView) {
  const roles = Object.keys(board.roles).filter((name) => (board.roles[name] ?? 0) > 0);
  return {
    quote: createVerbatimField('the words of the statement that make the claim, copied word for word'),
    type: createChoiceField(typeNames, 'the type of the claim'),
    subject: createChoiceField([...players, everybody], 'of whom something is claimed'),
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
    presupposed: createYesNoField('is it only taken for granted ("losing Dan"), not asserted?'),
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

const makeNullable = <Value>({ says, takes, schema }: Field<Value>): Field<Value | null> => ({
  says: `${says}; or null`,
  takes: `${takes}, or null`,
  schema: z.preprocess((value) => (isNothing(value) ? null : value), schema.nullable()),
});

/** A list of any number of objects with these fields. */
const createListField = <Row>(fields: Fields, says: string): Field<Row[]> => ({
  says: `list, ${says}, each an object\n    {\n${Object.entries(fields)
    .map(([name, field]) => `      "${name}": ${field.says.replaceAll('\n', '\n    ')}`)
    .join('\n')}\n    }`,
  takes: `list of ${JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]))}`,
  schema: z.array(
    z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))),
  ) as unknown as z.ZodType<Row[]>, // types by name do not survive `fromEntries`
});
