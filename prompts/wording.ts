// What a match's questions say, as a hash for each: made by putting every question that the set-up can ask, so it is of the words
// that run, whatever else has changed.
import { createDealEvents, createInitialState, deal } from '../state/deal.ts';
import type { Game, Setup } from '../state/game.ts';
import { hashText } from '../state/hash-text.ts';
import { draw } from '../state/random.ts';
import { getRole, lastActs, powers, roles } from '../state/roles/index.ts';
import { readRules } from '../state/rulebook.ts';
import type { Rules } from '../state/rules/common-rules.ts';
import { createView } from '../state/view.ts';
import { bid } from './debate.ts';
import { composeLaterQuestions, renderSampleHistory } from './later-moments.ts';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from './night-actions.ts';
import { paraphrases } from './paraphrase-texts.ts';
import { type AnyPrompt, templatesHash } from './prompt.ts';
import { renamedWords } from './renaming.ts';
import { memoize } from './text.ts';
import { isAskedIn } from './shapes.ts';
import { candidacy } from './sheriff.ts';
import { composeLongestFirstDay } from './worst-case-prompt.ts';

/** Sets of rules and boards whose hashes are kept. */
const keptHashes = 200;

type HashedSetup = Pick<Setup, 'board' | 'rules' | 'players' | 'variant'>;

/** The name under which the lines of what players have seen are hashed. */
const historyName = 'history';

/**
 * Question → the first 12 digits of the SHA-256 of its prompts and schemas, for every question that a match of this set-up can
 * ask, and `history` for the lines of what players have seen. Rules and roles are those of the set-up, names and seed are not: two
 * matches of the same rules on the same board have the same. A question is named by its action, and where that is asked in other
 * words later on also by the moment, e.g. `vote after a tie`.
 *
 * @example hashQuestions(setup)['vote'] // '3f0c5b8a9e7d'
 */
export const hashQuestions = memoize(
  keptHashes,
  ({ board, rules, players, variant }: HashedSetup) =>
    JSON.stringify([board.roles, rules, players.map(({ role }) => role).sort(), variant]),
  (setup): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(listWordedTexts(setup)).map(([name, texts]) => [
        name,
        hashText(JSON.stringify(texts)).slice(0, 12),
      ]),
    ),
);

/**
 * What is hashed of each question of a set-up, under its name. Names of players are `Seata`, `Seatb` and so on.
 *
 * @example listWordedTexts(setup)['history'] // lines of all kinds
 */
export function listWordedTexts({ board, rules, players, variant }: HashedSetup): Readonly<Record<string, unknown[]>> {
  const roles = players.map(({ role }) => role).sort();
  const sample: Setup = {
    ...{ board: { name: 'sample', roles: board.roles }, rules, seed: 1 },
    ...(variant === undefined ? {} : { variant }),
    players: roles.map((role, seat) => ({
      ...{ name: `Seat${String.fromCharCode('a'.charCodeAt(0) + seat)}`, role },
      team: getRole(role).team,
    })),
  };
  const holders = [...new Map(sample.players.map(({ role, name }) => [role, name]))];
  // The first day and night alone for questions that are asked then, as earlier versions hashed them.
  const questions = [
    ...holders.flatMap(([role, me]) => composeAll(sample, role, me).map((prompt) => [prompt.action, prompt] as const)),
    ...holders.flatMap(([role, me]) => composeLaterQuestions(sample, role, me)),
  ];
  const named = [...Map.groupBy(questions, ([name]) => name)].map(
    ([name, some]) => [name, some.map(([, prompt]) => listTexts(prompt))] as const,
  );
  return { ...Object.fromEntries(named), [historyName]: renderSampleHistory(sample) };
}

/** Rules that between them ask every question, on a board with every role. */
const listSampleRules = (): Rules[] => [
  readRules('wolf', { syntheticVotes: true, beliefs: 'each-statement', coaching: 'paper', honesty: 'permitted' }),
  readRules('arena', { analysis: 'both', questions: 'paper', beliefs: 'each-round', scores: 'numbers' }),
  readRules('plus', { sheriff: true, sheriffCandidates: 'volunteers', voteSummary: true }),
];

const sampleBoard = {
  name: 'sample',
  roles: Object.fromEntries(
    [...roles.values()].map(({ name, special, team }) => [name, special && team === 'villagers' ? 1 : 2]),
  ),
};

/** What `hashRunningWords` gives where prompts are those of `templatesHash`. */
export const usualWords = '97944d0151f6fd18ff2830f397df16e357d8384a18f80a839339841a91c0ccce';

let running: string | undefined;

/** Matches that between them can ask every question, of every role. */
export const dealWordedSamples = (): Setup[] =>
  listSampleRules().map((rules) => deal({ board: sampleBoard, rules, seed: 1 }));

/** SHA-256 over the words of every question as this process puts them. */
export function hashRunningWords(): string {
  const setups = dealWordedSamples();
  return hashText(JSON.stringify([setups.map(listWordedTexts), paraphrases, renamedWords]));
}

/**
 * The hash by which the wording of all prompts is named in records: `templatesHash`, unless the words that run were edited since
 * that was committed.
 *
 * @example readTemplatesHash() === templatesHash // in an unchanged checkout
 */
export function readTemplatesHash(): string {
  running ??= hashRunningWords();
  return running === usualWords ? templatesHash : running;
}

const listTexts = ({ system, user, schema, shape, family }: AnyPrompt) => [
  ...[system, user, schema, shape],
  family === undefined ? null : [family.system, family.schema],
];

/** All questions of a first day and night to a player of this role, who is `me`. */
function composeAll(sample: Setup, role: string, me: string): AnyPrompt[] {
  const seeAt = (phase: 'day' | 'night') => {
    const game = { ...(createInitialState(sample) as Game), gameLogs: createDealEvents(sample), roundNum: 1, phase };
    return createView(game, me);
  };
  const [night, day, options] = [seeAt('night'), seeAt('day'), draw(1, 'options')];
  const held = powers.filter((power) => power.role.name === role && power.choices(night).length > 0);
  return [
    ...composeLongestFirstDay(sample, { role }),
    ...(isAskedIn(day, 'bid') ? [bid.put(day, options)] : []),
    ...(isAskedIn(day, 'candidacy') ? [candidacy.put(day, options)] : []),
    ...held.map((power) =>
      power.actor === 'team'
        ? createProposalQuestion(power).put(night, options)
        : createActQuestion(power).put(night, options),
    ),
    ...lastActs.filter((last) => last.role.name === role).map((last) => createLastActQuestion(last).put(day, options)),
  ];
}
