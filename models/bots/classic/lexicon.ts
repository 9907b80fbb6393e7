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
  aims: readonly Power['aim'][];
}

export interface Lexicon {
  players: readonly string[];
  roles: readonly BoardRole[];
  /** The role by which the pack is called. */
  pack: BoardRole;
  /** A village role without powers, where the board has one. */
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
      const { plural, team, special, powers } = roleNamed(name);
      return { name, plural, team, special, count, aims: powers.map(({ aim }) => aim) };
    });
  const pack = roles.filter(({ team }) => team === 'werewolves');
  return {
    roles,
    pack: pack[0]!,
    plain: roles.find(({ team, aims }) => team === 'villagers' && aims.length === 0),
    packSize: pack.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The village's roles with a power of this aim. */
export const rolesThat = (aim: Power['aim'], { roles }: Lexicon) =>
  roles.filter(({ team, aims }) => team === 'villagers' && aims.includes(aim));

/** "the X" where there is one, else "a X" or "an X". */
export const withArticle = ({ name, count }: BoardRole) =>
  `${count === 1 ? 'the' : /^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
