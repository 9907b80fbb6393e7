// Composes prompts. Shared parts come first, since caches serve prefixes of prompts: rules, terms and shapes of
// answers; names and role; what the player has seen; experiences; and last the question. Also creates the messages that
// ask a model again.
import { getRole } from '../state/roles/index.ts';
import { getCountedSide } from '../state/roles/role.ts';
import { findLivingSheriff } from '../state/sheriff.ts';
import { latestReading, type Reading } from '../state/record.ts';
import { teams } from '../state/teams.ts';
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { dropThoughts } from '../state/thoughts.ts';
import type { View } from '../state/view.ts';
import { createFamilySchema, describeShape, type Fields, type FieldValues, getSchemas } from './fields.ts';
import { renderHistory } from './history.ts';
import { getWording, replaceByParaphrase } from './paraphrase.ts';
import type { Prompt } from './prompt.ts';
import { renderRemembered } from './remembered.ts';
import { departed, renderNames, renderRules } from './rules-text.ts';
import {
  type Family,
  findFamily,
  isAskedIn,
  isDescribedInSchema,
  listBranches,
  renderFamily,
  type ShapesPlace,
} from './shapes.ts';
import { breakTags, memoize } from './text.ts';

/** The part of a prompt that is specific to its question. */
interface PromptTask<F extends Fields> {
  action: string;
  view: View;
  /**
   * The task, one string per line. A function receives the number of speeches that are left out, and returns the task.
   */
  task: string[] | ((leftOut: number) => string[]);
  fields: F;
  kind: Prompt['kind'];
  /** Step of the prompt; see `Prompt.step`. Default: the step of the view. */
  step?: number;
  /** Legal targets; see `Prompt.choices`. Default: none. */
  choices?: readonly string[];
  /** Names that the answer may have, in display order. Default: none. */
  shown?: readonly string[];
  /** Names of fields in a special order. Default: the order of the shape. */
  order?: readonly string[];
  fallback?: Prompt<FieldValues<F>>['fallback'];
}

/**
 * Composes a prompt. The shape of the answer in words, its zod schema and its JSON schema all come from `fields`.
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
  step,
  choices,
  shown = [],
  order,
  fallback,
}: PromptTask<F>): Prompt<FieldValues<F>> {
  const wording = getWording(view);
  const family = findFamily(action);
  const asked = isAskedIn(view, action) ? undefined : action;
  const schemas = getSchemas(fields);
  const shape = replaceByParaphrase(describeShape(fields), wording);
  // The history names the living players; only a question about each of them repeats the names.
  const living = 'p_werewolf_of' in fields ? ` Still in the game: ${view.alive.join(', ')}.` : '';
  const names = shown.length > 0 ? [`Names to choose from: ${shown.join(', ')}.`] : [];
  const renderUserText = (count: number) => {
    const history = renderHistory(view, count, { namesLiving: true });
    return [
      ...(history === '' ? [] : [history, '']),
      ...renderRemembered(view),
      wording(`It is ${view.phase} ${view.round}.${living}`),
      ...renderSheriff(view).map(wording),
      ...(typeof task === 'function' ? task(count) : task).map(wording),
      ...names.map(wording),
      ...(order ? [wording(`The order of the fields: ${order.join(', ')}.`)] : []),
      ...(family === null
        ? [wording('Answer with one JSON object of this shape and nothing else:'), shape]
        : [wording(`Answer: kind "${action}".`)]),
    ].join('\n');
  };
  return {
    action,
    view,
    step: step ?? view.step,
    system: renderSystemText(view, family, asked, 'prompt'),
    user: renderUserText(0),
    task: typeof task === 'function' ? task(0) : task,
    without: renderUserText,
    answer: schemas.answer,
    get schema() {
      return schemas.schema;
    },
    heard: schemas.heard,
    ...(family === null ? {} : { shape }),
    ...(family !== null && order === undefined
      ? {
          family: {
            name: family,
            names: listFamilyNames(fields),
            // Created when the prompt is sent, because bots never need it.
            get schema() {
              return getFamilySchema(family, view, asked);
            },
            get system() {
              return renderSystemText(view, family, asked, 'schema');
            },
            get described() {
              return renderSystemText(view, family, asked, 'family');
            },
          },
        }
      : {}),
    choices: choices ?? [],
    kind,
    ...(fallback ? { fallback } : {}),
  };
}

/**
 * Number of cached beginnings of prompts. A player's prompts have two beginnings, and the cache has room for the
 * beginnings of all matches being played.
 */
const keptTexts = 4000;

const renderSystemText = memoize(
  keptTexts,
  (
    { board, rules, players, me, role, persona, variant }: View,
    family: Family | null,
    asked: string | undefined,
    shapes: ShapesPlace,
  ) => JSON.stringify([board, rules, players, me, role, persona, variant, family, asked, shapes]),
  (view, family, asked, shapes) =>
    [renderConstantText(view, family, asked, shapes), renderIdentity(view, { hasSharedLines: family === null })].join(
      '\n\n',
    ),
);

/**
 * Rules that do not affect how statements are analyzed: about bids, memory, lengths, and things that the question
 * itself says.
 */
const idleInAnalyses: readonly string[] = [
  ...['debateTurns', 'bidScale', 'turn', 'syntheticVotes', 'analysis', 'maxWords', 'maxRounds'],
  ...['memory', 'voteSummary', 'historyK', 'thoughts', departed],
];

/**
 * Rules whose sentences the prompts of a family leave out. In play, the shape of a statement already states `maxWords`.
 */
const leftOut: Readonly<Record<Family, readonly string[]>> = { play: ['maxWords'], analysis: idleInAnalyses };

/** Number of cached texts, one for each match and family. */
const keptFamilies = 400;

/** Renders the text that comes first in the prompts of all matches under the same rules. */
const renderConstantText = memoize(
  keptFamilies,
  ({ board, rules, players, variant }: View, family: Family | null, asked: string | undefined, shapes: ShapesPlace) =>
    JSON.stringify([board, rules, players, variant, family, asked, shapes]),
  (view, family, asked, shapes) =>
    replaceByParaphrase(
      [
        renderRules(view, { hasNames: false, leftOut: family === null ? [] : leftOut[family] }),
        ...(family === 'play' ? ['', ...sharedLines] : []),
        ...(family === null ? [] : ['', ...renderFamily(family, view, { asked, shapes, word: getWording(view) })]),
      ].join('\n'),
      getWording(view),
    ),
);

const getFamilySchema = memoize(
  keptFamilies,
  (family: Family, { board, rules, players, variant }: View, asked?: string) =>
    JSON.stringify([family, board.roles, rules, players, variant, asked]),
  (family, view, asked) =>
    createFamilySchema(listBranches(family, view, asked), {
      word: getWording(view),
      isDescribed: isDescribedInSchema(family),
    }),
);

const listFamilyNames = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { familyName }]) => (familyName === undefined ? [] : [[familyName, name]])),
  );

function renderSheriff({ events, alive, me }: View): string[] {
  const sheriff = findLivingSheriff(events, alive);
  if (sheriff === null) return [];
  return [sheriff === me ? 'You are the Sheriff.' : `The Sheriff is ${sheriff}.`];
}

const aimLine = 'Your aim: your side wins, whether or not you are still in the game then.';
const speechLine = 'Speak as a player of this game, in plain English.';

/**
 * Lines that all players have in common. In questions of play they precede the names, so that matches can share cached
 * prompts. Analyses do not need these lines, because nobody hears an analysis.
 */
const sharedLines = [aimLine, speechLine];

/**
 * Describes the players and the asked player's identity: name, role, team, advice under `coaching=paper`, and persona.
 * `hasSharedLines`: whether to include the aim and the manner of speech. Leave them out if they precede the names, or
 * are not needed.
 */
export function renderIdentity(view: View, { hasSharedLines = true }: { hasSharedLines?: boolean } = {}): string {
  const { me, role: name, persona, rules, board } = view;
  const role = getRole(name);
  const side = teams[role.team];
  const character = persona === undefined ? [] : [`Your character: ${breakTags(flattenToOneLine(persona))}`];
  const hasPower = role.does(rules, board.roles[name]) !== null; // the rules say which power
  const [wording, told] = [
    getWording(view),
    [
      renderNames(view),
      `You are ${me}`,
      `Your role is ${role.name}; you ${getCountedSide(role) === role.team ? 'are on the side of' : 'win with'} ${side.label}.${hasPower ? '' : ' You have no power at night.'}`,
      ...(hasSharedLines ? [aimLine] : []),
      ...(rules.coaching === 'paper' ? [`Advice: ${role.advice}`] : []),
    ],
  ];
  return [
    ...told.map(wording),
    ...character, // in its author's own words
    ...(hasSharedLines ? [wording(speechLine)] : []),
  ].join('\n');
}

// Messages that ask a model again.

/** Maximum number of UTF-8 bytes of an unusable answer that the model is shown again. */
const shownAgain = 600;

/**
 * Returns the messages that follow an unusable answer: the answer itself, and its fault. These messages are part of
 * later prompts and their hashes, so each version of the parsing rules (`reading`) keeps its own wording. `shape`: the
 * question's shape in words, unless the prompt has it.
 *
 * @example createCorrection('{"vote":"Zoe"}', 'vote must be one of: Dan, Leah.').map(({ role }) => role) // ['assistant', 'user']
 */
export const createCorrection = (raw: string, error: string, reading: Reading = latestReading, shape?: string) =>
  [
    { role: 'assistant', content: shortenAnswer(raw.toWellFormed(), reading) }, // servers reject unpaired surrogates
    {
      role: 'user',
      content: `Your answer could not be used: ${error} Answer again with one JSON object of ${shape === undefined ? 'the shape given above and nothing else.' : `this shape and nothing else:\n${shape}`}`,
    },
  ] as const;

function shortenAnswer(raw: string, reading: Reading) {
  // From version 2 of the parsing rules on, thoughts are removed, because they would use up all the space.
  const shown = reading === 1 ? raw : dropThoughts(raw, reading);
  if (shown === '') return '(nothing)';
  const first = truncateBytes(shown, shownAgain);
  return first === shown ? shown : `${first} …`;
}
