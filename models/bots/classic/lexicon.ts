// The words of a board: its roles by what they declare, so that speech and hearing name none on their own account.
import type { Power } from '../../../state/role.ts';
import { roleNamed } from '../../../state/roles/index.ts';
import type { Team } from '../../../state/teams.ts';
import type { View } from '../../../state/view.ts';

export interface BoardRole {
  name: string;
  plural: string;
  team: Team;
  special: boolean;
  /** How many players were dealt it. */
  count: number;
  powers: readonly Power[];
  aims: readonly Power['aim'][];
  /** Whether it may take somebody along on leaving the game. */
  avenges: boolean;
}

export interface Lexicon {
  players: readonly string[];
  roles: readonly BoardRole[];
  /** The role by which the pack is called. */
  pack: BoardRole;
  /** The village role with nothing special to it, where the board has one. */
  plain: BoardRole | undefined;
  /** How many players are on the side of the Werewolves. */
  packSize: number;
}

const boards = new WeakMap<View['board'], Omit<Lexicon, 'players'>>();

export function lexiconOf({ board, players }: Pick<View, 'board' | 'players'>): Lexicon {
  const words = boards.get(board) ?? wordsOf(board);
  boards.set(board, words);
  return { ...words, players };
}

function wordsOf(board: View['board']): Omit<Lexicon, 'players'> {
  const roles = Object.entries(board.roles)
    .filter(([, count]) => count > 0)
    .map(([name, count]): BoardRole => {
      const { plural, team, special, powers, lastAct } = roleNamed(name);
      const aims = powers.map(({ aim }) => aim);
      return { name, plural, team, special, count, powers, aims, avenges: lastAct?.aim === 'harm' };
    });
  const pack = roles.filter(({ team }) => team === 'werewolves');
  return {
    roles,
    pack: pack[0]!,
    plain: roles.find(({ team, special }) => team === 'villagers' && !special),
    packSize: pack.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The village's roles with a power of this aim. */
export const rolesThat = (aim: Power['aim'], { roles }: Lexicon) =>
  roles.filter(({ team, aims }) => team === 'villagers' && aims.includes(aim));

/** How many players were dealt a role of the village with a power of this aim. */
export const holdersOf = (aim: Power['aim'], lexicon: Lexicon) =>
  rolesThat(aim, lexicon).reduce((sum, { count }) => sum + count, 0);

/** The village role that would say of itself to have done this to somebody, e.g. "protected". */
export function roleThatDid(deed: string, aim: Power['aim'], lexicon: Lexicon): BoardRole | undefined {
  const past = ({ verb }: Power) => (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
  const able = rolesThat(aim, lexicon);
  const first = (role: BoardRole) =>
    Math.min(...role.powers.filter((power) => power.aim === aim).map(({ wave }) => wave));
  return (
    able.find(({ powers }) => powers.some((power) => past(power) === deed)) ??
    [...able].sort((one, other) => first(one) - first(other))[0]
  );
}

/** "the X" where there is one, else "a X" or "an X". */
export const withArticle = ({ name, count }: BoardRole) =>
  `${count === 1 ? 'the' : /^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
