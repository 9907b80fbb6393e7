// Puts a prompt together: rules, identity, what the player has seen, the task, the shape of the answer. Also the messages
// by which a model is asked again.
import { getRole } from '../state/roles/index.ts';
import { listSpecialRoles } from '../state/rulebook.ts';
import { findLivingSheriff } from '../state/sheriff.ts';
import { latestReading, type Reading } from '../state/record.ts';
import { teams } from '../state/teams.ts';
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { dropThoughts } from '../state/thoughts.ts';
import type { View } from '../state/view.ts';
import { describeShape, type Fields, type FieldValues, getSchemas } from './fields.ts';
import { renderHistory } from './history.ts';
import { getWording, replaceByParaphrase } from './paraphrase.ts';
import type { Prompt } from './prompt.ts';
import { renderRemembered } from './remembered.ts';
import { renderRules } from './rules-text.ts';
import { breakTags, memoize } from './text.ts';

/** What a question puts into a prompt of its own. */
interface PromptTask<F extends Fields> {
  action: string;
  view: View;
  /** The task in words, a line each; a function where they depend on how many pieces of speech are left out. */
  task: string[] | ((leftOut: number) => string[]);
  fields: F;
  kind: Prompt['kind'];
  /** What words of the task mean, for all questions of its kind: after the rules, where a cache of prefixes keeps it. */
  terms?: readonly string[];
  /** See `Prompt.step`; absent: that of the view. */
  step?: number;
  /** See `Prompt.choices`; absent: none. */
  choices?: readonly string[];
  fallback?: Prompt<FieldValues<F>>['fallback'];
}

/**
 * Puts a prompt together. The shape of the answer in words, its zod schema and its JSON schema all come from `fields`.
 *
 * @example
 * compose({ action: 'summarize', view, kind: 'talk', task: ['The round is over.'], fields: { reasoning, summary } }).user
 */
export function compose<F extends Fields>({
  action,
  view,
  task,
  fields,
  kind,
  terms = [],
  step,
  choices,
  fallback,
}: PromptTask<F>): Prompt<FieldValues<F>> {
  const wording = getWording(view);
  const shape = replaceByParaphrase(describeShape(fields), wording);
  const renderUserText = (count: number) => {
    const history = renderHistory(view, count);
    return [
      ...renderRemembered(view),
      ...(history === '' ? [] : [history, '']),
      wording(`It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`),
      ...renderSheriff(view).map(wording),
      ...(typeof task === 'function' ? task(count) : task).map(wording),
      wording('Answer with one JSON object of this shape and nothing else:'),
      shape,
    ].join('\n');
  };
  return {
    action,
    view,
    step: step ?? view.step,
    system: renderSystemText({ view, terms }),
    user: renderUserText(0),
    without: renderUserText,
    ...getSchemas(fields),
    choices: choices ?? [],
    kind,
    ...(fallback ? { fallback } : {}),
  };
}

/** Prompts of a player begin with one of two texts, with terms and without: both are kept in the matches being played. */
const keptTexts = 4000;

const renderSystemText = memoize(
  keptTexts,
  ({ view, terms }: { view: View; terms: readonly string[] }) => {
    const { board, rules, players, me, role, persona, variant } = view;
    return JSON.stringify([board, rules, players, me, role, persona, variant, terms]);
  },
  ({ view, terms }) =>
    [
      replaceByParaphrase(renderRules(view), getWording(view)),
      ...(terms.length > 0 ? [terms.map(getWording(view)).join('\n')] : []),
      renderIdentity(view),
    ].join('\n\n'),
);

function renderSheriff({ events, alive, me }: View): string[] {
  const sheriff = findLivingSheriff(events, alive);
  if (sheriff === null) return [];
  return [sheriff === me ? 'You are the Sheriff.' : `The Sheriff is ${sheriff}.`];
}

/** Who a player is: name, role, team, aim, advice under `coaching=paper`, and persona. */
export function renderIdentity(view: View): string {
  const { me, role: name, persona, rules, board } = view;
  const role = getRole(name);
  const side = teams[role.team];
  const character = persona === undefined ? [] : [`Your character: ${breakTags(flattenToOneLine(persona))}`];
  const [wording, told] = [
    getWording(view),
    [
      `You are ${me}`,
      `Your role is ${role.name}; you are on the side of ${side.label}. ${role.does(rules, board.roles[name]) ?? 'You have no power at night.'}`,
      `Your aim: your side wins, whether or not you are still in the game then. ${side.wins(rules, listSpecialRoles(board))}`,
      ...(rules.coaching === 'paper' ? [`Advice: ${role.advice}`] : []),
    ],
  ];
  return [
    ...told.map(wording),
    ...character, // in the words of whoever gave it
    wording('Speak as a player of this game, in plain English.'),
  ].join('\n');
}

// Asking again.

/** How much of an unusable answer the model is shown again, in bytes of UTF-8. */
const shownAgain = 600;

/**
 * The messages that follow an answer that could not be used: the answer itself, and what was wrong with it. They are
 * part of later prompts and of their hashes, so each `reading` keeps its own.
 *
 * @example createCorrection('{"vote":"Zoe"}', 'vote must be one of: Dan, Leah.').map(({ role }) => role) // ['assistant', 'user']
 */
export const createCorrection = (raw: string, error: string, reading: Reading = latestReading) =>
  [
    { role: 'assistant', content: shortenAnswer(raw.toWellFormed(), reading) }, // servers refuse halves of characters
    {
      role: 'user',
      content: `Your answer could not be used: ${error} Answer again with one JSON object of the shape given above and nothing else.`,
    },
  ] as const;

function shortenAnswer(raw: string, reading: Reading) {
  // From the second reading on, without thoughts: they would take up all that is shown.
  const shown = reading === 1 ? raw : dropThoughts(raw, reading);
  if (shown === '') return '(nothing)';
  const first = truncateBytes(shown, shownAgain);
  return first === shown ? shown : `${first} …`;
}
