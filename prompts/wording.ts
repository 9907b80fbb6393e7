// Hashes of the wording of a match's questions. Every question that the set-up can ask is rendered, so the hashes
// describe the words in use, even if the code was edited.
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
import { renderNames } from './rules-text.ts';
import { memoize } from './text.ts';
import { isAskedIn } from './shapes.ts';
import { candidacy } from './sheriff.ts';
import { composeLongestFirstDay } from './worst-case-prompt.ts';

/** Number of combinations of rules and board whose hashes are cached. */
const keptHashes = 200;

type HashedSetup = Pick<Setup, 'board' | 'rules' | 'players' | 'variant'>;

/** Name of the hash of the lines that players have seen. */
const historyName = 'history';

/** Name of the hash of the sentences about who is human, under the rule `disclose`. */
const peopleName = 'people';

/**
 * Returns the first 12 digits of the SHA-256 of prompts and schemas, for every question that a match of this set-up can
 * ask. `history` is the hash of the lines that players have seen, `people` the hash of the sentences about who is
 * human. The hashes depend on the set-up's rules and roles, but not on names and seed: matches with the same rules and
 * board have the same hashes. Keys are the questions' actions. If a question is worded differently at a later moment,
 * that moment has its own key, e.g. `vote after a tie`.
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
 * Returns the hashed texts of each question of a set-up, by name. Players are named `Seata`, `Seatb` and so on.
 *
 * @example listWordedTexts(setup)['history'] // lines of all kinds
 */
export function listWordedTexts({ board, rules, players, variant }: HashedSetup): Readonly<Record<string, unknown[]>> {
  const roles = players.map(({ role }) => role).sort();
  const sample: Setup = {
    ...{ board: { name: 'sample', roles: board.roles }, rules, seed: 1 },
    ...(variant === undefined ? {} : { variant }),
    ...(rules.disclose ? { people: ['Seata'] } : {}),
    players: roles.map((role, seat) => ({
      ...{ name: `Seat${String.fromCharCode('a'.charCodeAt(0) + seat)}`, role },
      team: getRole(role).team,
    })),
  };
  const holders = [...new Map(sample.players.map(({ role, name }) => [role, name]))];
  // For these actions only the prompts of the first day and night are hashed here, as in earlier versions.
  const questions = [
    ...holders.flatMap(([role, me]) => composeAll(sample, role, me).map((prompt) => [prompt.action, prompt] as const)),
    ...holders.flatMap(([role, me]) => composeLaterQuestions(sample, role, me)),
  ];
  const named = [...Map.groupBy(questions, ([name]) => name)].map(
    ([name, some]) => [name, some.map(([, prompt]) => listTexts(prompt))] as const,
  );
  const all = sample.players.map(({ name }) => name);
  const disclosed = [[], all].map((people) => renderNames({ players: all, people }));
  return {
    ...Object.fromEntries(named),
    [historyName]: renderSampleHistory(sample),
    ...(rules.disclose ? { [peopleName]: disclosed } : {}),
  };
}

/** Lists sets of rules under which, together, every question is asked on a board with every role that is not local. */
const listSampleRules = (): Rules[] => [
  readRules('wolf', { syntheticVotes: true, beliefs: 'each-statement', coaching: 'paper', honesty: 'permitted' }),
  readRules('arena', { turn: 'draft', analysis: 'both', questions: 'paper', beliefs: 'each-round', scores: 'numbers' }),
  readRules('plus', { sheriff: true, sheriffCandidates: 'volunteers', voteSummary: true }),
];

const sampleBoard = {
  name: 'sample',
  roles: Object.fromEntries(
    [...roles.values()]
      .filter(({ isLocal }) => isLocal !== true)
      .map(({ name, special, team }) => [name, special && team === 'villagers' ? 1 : 2]),
  ),
};

/** Result of `hashRunningWords` for the committed prompts, which `templatesHash` identifies in records. */
export const usualWords = '1c46e57fce132384521f0bebf9343d798489a4e08ce94d89a590faa62c9ac608';

let running: string | undefined;

/** Deals matches that together can ask every question to every role. */
export const dealWordedSamples = (): Setup[] =>
  listSampleRules().map((rules) => deal({ board: sampleBoard, rules, seed: 1 }));

/** Returns the SHA-256 over the words of every question, as this process would ask it. */
export function hashRunningWords(): string {
  const steps = hashRunningWordsInSteps();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* hashRunningWordsInSteps(): Generator<undefined, string> {
  const worded = [];
  for (const setup of dealWordedSamples()) {
    worded.push(listWordedTexts(setup));
    yield;
  }
  return hashText(JSON.stringify([worded, paraphrases, renamedWords]));
}

/**
 * Returns the hash that identifies the wording of all prompts in records: `templatesHash`, unless the prompts were
 * edited since that constant was committed.
 *
 * @example readTemplatesHash() === templatesHash // in an unchanged checkout
 */
export function readTemplatesHash(): string {
  running ??= hashRunningWords();
  return running === usualWords ? templatesHash : running;
}

/**
 * Computes the result of `readTemplatesHash`, if it is not yet known, in steps of about 60 ms of CPU time. A caller can
 * let other work run between them.
 */
export function* computeTemplatesHash(): Generator<undefined, void> {
  if (running === undefined) running = yield* hashRunningWordsInSteps();
}

const listTexts = ({ system, user, schema, shape, family }: AnyPrompt) => [
  ...[system, user, schema, shape],
  family === undefined ? null : [family.system, family.described, family.schema],
];

/** Composes all questions of a first day and night to the player `me` with this role. */
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
