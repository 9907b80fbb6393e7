// What a match's questions say, as a hash for each: made by putting every question that the set-up can ask, so it is of the words
// that run, whatever else has changed.
import { createDealEvents, createInitialState } from '../state/deal.ts';
import type { Game, Setup } from '../state/game.ts';
import { hashText } from '../state/hash-text.ts';
import { draw } from '../state/random.ts';
import { getRole, lastActs, powers } from '../state/roles/index.ts';
import { createView } from '../state/view.ts';
import { bid } from './debate.ts';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from './night-actions.ts';
import type { AnyPrompt } from './prompt.ts';
import { memoize } from './text.ts';
import { isAskedIn } from './shapes.ts';
import { candidacy } from './sheriff.ts';
import { composeLongestFirstDay } from './worst-case-prompt.ts';

/** Sets of rules and boards whose hashes are kept. */
const keptHashes = 200;

type HashedSetup = Pick<Setup, 'board' | 'rules' | 'players' | 'variant'>;

/**
 * Action → the first 12 digits of the SHA-256 of its prompts and schemas on a first day and night, for every question that a match of
 * this set-up can ask then: rules and roles are those of the set-up, names and seed are not. Two matches of the same rules on the same
 * board have the same.
 *
 * @example hashQuestions(setup)['vote'] // '3f0c5b8a9e7d'
 */
export const hashQuestions = memoize(
  keptHashes,
  ({ board, rules, players, variant }: HashedSetup) =>
    JSON.stringify([board.roles, rules, players.map(({ role }) => role).sort(), variant]),
  ({ board, rules, players, variant }): Readonly<Record<string, string>> => {
    const roles = players.map(({ role }) => role).sort();
    const sample: Setup = {
      ...{ board: { name: 'sample', roles: board.roles }, rules, seed: 1 },
      ...(variant === undefined ? {} : { variant }),
      players: roles.map((role, seat) => ({
        ...{ name: `Seat${String.fromCharCode('a'.charCodeAt(0) + seat)}`, role },
        team: getRole(role).team,
      })),
    };
    const holders = new Map(sample.players.map(({ role, name }) => [role, name]));
    const prompts = [...holders].flatMap(([role, me]) => composeAll(sample, role, me));
    const told = Map.groupBy(prompts, ({ action }) => action);
    return Object.fromEntries(
      [...told].map(([action, some]) => [action, hashText(JSON.stringify(some.map(listTexts))).slice(0, 12)]),
    );
  },
);

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
