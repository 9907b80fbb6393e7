// The words of a table: its players, and how players call roles and speak of powers, as the roles declare.
import type { Role } from '../../state/role.ts';
import { roles } from '../../state/roles/index.ts';
import type { PublicSetup } from '../../state/view.ts';

/** A role as a word: `isExact` where it was written as a name, with a capital letter. */
export interface RoleWord {
  role: Role;
  isPlural: boolean;
}

/** Acts that a word may mean on a board. */
export interface Deed {
  /** Verbs of powers and last acts. */
  verbs: readonly string[];
  isCheck: boolean;
  /** To protect or to save, which is also said of words and votes. */
  isShield: boolean;
}

export interface TableWords {
  players: readonly string[];
  /** Lower case → role. */
  roles: ReadonlyMap<string, RoleWord>;
  /** All roles there are, on this board or not. */
  register: readonly Role[];
  /** Past form → acts. */
  past: ReadonlyMap<string, Deed>;
  /** Infinitive → acts. */
  infinitive: ReadonlyMap<string, Deed>;
  /** "checking" → acts. */
  gerund: ReadonlyMap<string, Deed>;
  /** Whether a check tells the side and no more. */
  checksTellTeam: boolean;
}

const known = new WeakMap<PublicSetup, TableWords>();

export function wordsOf(table: PublicSetup): TableWords {
  const before = known.get(table);
  if (before) return before;
  const register = [...roles.values()];
  const onBoard = register.filter(({ name }) => (table.board.roles[name] ?? 0) > 0);
  const acts = (form: (of: [infinitive: string, past: string]) => string) => {
    const all = [onBoard, register].flatMap((some) => deedsOf(some, form));
    // A word that the board has a use for means nothing else.
    return new Map(all.reverse());
  };
  const words: TableWords = {
    players: table.players,
    roles: new Map(register.flatMap(namesOf)),
    register,
    past: acts(([, past]) => past),
    infinitive: acts(([infinitive]) => infinitive),
    gerund: acts(([infinitive]) => gerundOf(infinitive)),
    checksTellTeam: table.rules['checkTells'] === 'team',
  };
  known.set(table, words);
  return words;
}

/** Of regular verbs; the last consonant is doubled after a single short vowel. */
const gerundOf = (infinitive: string) => {
  const [verb = '', ...rest] = infinitive.split(' ');
  const stem = verb.replace(/e$/, '').replace(/(?<=^[^aeiou]+[aeiou])([bgmnpt])$/, '$1$1');
  return [`${stem}ing`, ...rest].join(' ');
};

const namesOf = (role: Role): [string, RoleWord][] =>
  [[role.name, role.plural] as const, ...Object.entries(role.nicknames ?? {})].flatMap(
    ([singular, plural]): [string, RoleWord][] => [
      [singular.toLowerCase(), { role, isPlural: false }],
      [plural.toLowerCase(), { role, isPlural: true }],
    ],
  );

function deedsOf(some: readonly Role[], form: (of: [string, string]) => string): [string, Deed][] {
  const acts = some.flatMap(({ powers, lastAct }) => [...powers, ...(lastAct ? [lastAct] : [])]);
  const spoken = acts.flatMap(({ verb, aim, saidAs: how = {} }) =>
    Object.entries(how).map((of) => ({ word: form(of), verb, aim })),
  );
  return [...Map.groupBy(spoken, ({ word }) => word)].map(([word, of]) => [
    word,
    {
      verbs: [...new Set(of.map(({ verb }) => verb))],
      isCheck: of.every(({ aim }) => aim === 'learn'),
      isShield: of.some(({ aim }) => aim === 'shield'),
    },
  ]);
}
