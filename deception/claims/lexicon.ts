// The lexicon of a table: its players' names, the words for roles and powers, and the words that say what somebody is.
import { roles } from '../../state/roles/index.ts';
import type { Role } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';

/** A role as a word: `isExact` where it was written as a name, with a capital letter. */
export interface RoleWord {
  role: Role;
  isPlural: boolean;
}

/** Acts that a word may mean on a board. */
export interface ActWord {
  /** Verbs of powers and last acts. */
  verbs: readonly string[];
  isCheck: boolean;
  /** To protect or to save, which is also said of words and votes. */
  isShield: boolean;
}

export interface TableLexicon {
  players: readonly string[];
  /** Name, also in capitals → seat. */
  seats: ReadonlyMap<string, number>;
  /** Lower case → role. */
  roles: ReadonlyMap<string, RoleWord>;
  /** All roles there are, on this board or not. */
  register: readonly Role[];
  /** Past form → acts. */
  past: ReadonlyMap<string, ActWord>;
  /** Infinitive → acts. */
  infinitive: ReadonlyMap<string, ActWord>;
  /** "checking" → acts. */
  gerund: ReadonlyMap<string, ActWord>;
  /** Whether a check tells the side and no more. */
  checksTellTeam: boolean;
}

const known = new WeakMap<PublicSetup, TableLexicon>();

export function createLexicon(table: PublicSetup): TableLexicon {
  const before = known.get(table);
  if (before) return before;
  const register = [...roles.values()];
  const onBoard = register.filter(({ name }) => (table.board.roles[name] ?? 0) > 0);
  const indexActs = (form: (of: [infinitive: string, past: string]) => string) => {
    const all = [onBoard, register].flatMap((some) => listActWords(some, form));
    // A word that the board has a use for means nothing else.
    return new Map(all.reverse());
  };
  const words: TableLexicon = {
    players: table.players,
    seats: new Map(table.players.flatMap((name, seat) => [[name.toUpperCase(), seat], [name, seat]] as const)),
    roles: new Map(register.flatMap(listRoleNames)),
    register,
    past: indexActs(([, past]) => past),
    infinitive: indexActs(([infinitive]) => infinitive),
    gerund: indexActs(([infinitive]) => inflectGerund(infinitive)),
    checksTellTeam: table.rules['checkTells'] === 'team',
  };
  known.set(table, words);
  return words;
}

/** Of regular verbs; the last consonant is doubled after a single short vowel. */
const inflectGerund = (infinitive: string) => {
  const [verb = '', ...rest] = infinitive.split(' ');
  const stem = verb.replace(/e$/, '').replace(/(?<=^[^aeiou]+[aeiou])([bgmnpt])$/, '$1$1');
  return [`${stem}ing`, ...rest].join(' ');
};

const listRoleNames = (role: Role): [string, RoleWord][] =>
  [[role.name, role.plural] as const, ...Object.entries(role.nicknames ?? {})].flatMap(
    ([singular, plural]): [string, RoleWord][] => [
      [singular.toLowerCase(), { role, isPlural: false }],
      [plural.toLowerCase(), { role, isPlural: true }],
    ],
  );

function listActWords(some: readonly Role[], form: (of: [string, string]) => string): [string, ActWord][] {
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

// What words say somebody is: a role, or a side.

export interface Identity {
  role: Role | null;
  team: Team;
}

const village = [
  'on the side of the (?:village|villagers|#ts\\d+|#vs\\d+)', "on the (?:village|villagers) 's (?:side|team)", '(?:fully |firmly |truly )?with the (?:village|villagers|#ts\\d+)',
  '(?:an? )?(?:loyal |true |real |honest |good |trustworthy )?(?:member|part) of (?:the|this|our) village', 'one of the good (?:guys|ones|people)', 'on (?:your|our) side', 'on the (?:good|right) side', 'innocent', 'not guilty',
  '(?:an? )?innocent(?: (?:player|villager|person|man|woman|#t\\d+))?', '(?:an? )?(?:village|villager|#t\\d+) aligned', 'aligned with the (?:village|villagers|#ts\\d+)', 'pro village', 'on team village', 'on the village side', 'on the village team', '(?:one of )?(?:the )?innocents',
  'one of us(?! (?:is|are|was|who|must|has|have|will|can|left|here|two|three|four|five))', 'one of ours',
  'one of you(?= (?:[.,;!—)])|$)', 'clean(?= (?:[.,;:!—)]|and|as|so|because|too|,)|$)', 'clear(?:ed)?(?= (?:[.,;:!—)]|too)|$)', 'good(?= [.;:!—)]|$)', 'town(?= [.,;:!—)]|$)', '(?:on |with )(?:the )?good side', 'no (?:threat|enemy) to the village',
]; // prettier-ignore
const pack = [
  'on the side of the #ws\\d+', "on the #ws\\d+ (?:' )?(?:side|team)", 'with the #ws\\d+', '(?:an? )?(?:member|part) of the (?:pack|#w\\d+ pack|#w\\d+ team)', 'guilty', 'evil', 'aligned with the #ws\\d+', 'on team #w\\d+',
  'one of the (?:pack|bad guys|killers)', 'in the pack', 'in league with the #ws\\d+', 'on the pack \'s side', 'on the side of the pack',
]; // prettier-ignore

const sides = { villagers: village.join('|'), werewolves: pack.join('|') };

const predicate = new RegExp(
  `^(?:(?<village>${sides.villagers})|(?<pack>${sides.werewolves})|(?<role>#[wvt]s?\\d+)(?: player)?)(?= |$)`,
);

/** "A simple …" means the role without powers, "a loyal …" anybody of the village. */
export type Manner = 'plain' | 'loyal' | null;

/** What the code says from its beginning on, and how long it is; null: neither a role nor a side. */
export function parseIdentity(
  code: string,
  manner: Manner,
  words: TableLexicon,
): { is: Identity; length: number } | null {
  const found = predicate.exec(code);
  if (!found) return null;
  const { groups = {} } = found;
  if (groups['role'] === undefined)
    return {
      is: { role: null, team: groups['village'] === undefined ? 'werewolves' : 'villagers' },
      length: found[0].length,
    };
  const role = words.register[Number(/\d+/.exec(groups['role'])![0])]!;
  const isCommon = groups['role'].startsWith('#t');
  const isAnyOfThem =
    role.team === 'villagers' && !role.special && (manner === 'loyal' || (isCommon && manner === null));
  const isSide = role.team === 'werewolves' || isAnyOfThem;
  return { is: { role: isSide ? null : role, team: role.team }, length: found[0].length };
}

const be = ['am', 'is', 'are', 'was', 'were'];
const sure = [
  'really', 'indeed', 'actually', 'clearly', 'obviously', 'definitely', 'certainly', 'truly', 'simply', 'just', 'also', 'both', 'still', 'in', 'fact', 'surely',
  'undoubtedly', 'absolutely', 'again', 'plainly', 'truth', 'all', 'myself', 'in', ',', 'been', 'only', 'too', 'without', 'doubt', 'a', 'an', 'the', 'one', 'of', 'your', 'our', 'this', 'real', 'actual', 'other',
  'second', 'last', 'remaining', 'hidden', 'single', 'fellow', 'but', 'nothing', 'always', 'and', 'have', 'was', 'has', 'exactly', ':', '—', 'now', 'then', 'himself', 'herself', 'all', 'along', 'from', 'start', 'beginning', 'old', 'poor', 'clever', 'quiet', 'card', 'carrying', 'confirmed', 'proven', 'known', 'dangerous', 'loyal', 'true', 'honest', 'good', 'trustworthy', 'village', "'s", 'two', 'three', 'four', 'pack', '100',
]; // prettier-ignore
const plainly = [
  'plain',
  'simple',
  'ordinary',
  'regular',
  'humble',
  'normal',
  'common',
  'mere',
  'just',
  'vanilla',
  'basic',
  'only',
  'nothing',
  'boring',
  'powerless',
];
const loyally = ['fellow', 'loyal', 'true', 'honest', 'proven', 'confirmed', 'good', 'trustworthy'];
const leaning = ['probably', 'likely', 'most', 'very', 'quite', 'presumably', 'apparently', 'almost'];
const denying = ['not', 'never', 'no', 'neither', 'anything', 'hardly'];
/** Not "not only a Villager". */
const blurring = [
  'only',
  'just',
  'simply',
  'both',
  'all',
  'one',
  'really',
  'still',
  'again',
  'last',
  'other',
  'second',
  'obviously',
  'clearly',
  'definitely',
  'certainly',
  'necessarily',
];
const seeming =
  /^(?:must be|has to be|have to be|seems to be|seem to be|appears to be|looks like|look like|sounds like|looks to be|could only be|can only be|can not be|could not be)(?= )/;
const having =
  /^(?:(?:has|have) (?:(?:never|not|always|truly|only|ever) )*been|(?:has |have )?(?:turned out|proved|proven|turns out|ended up)(?: to be| being)?|(?:was|were) revealed (?:as|to be)|happens? to be|(?:do|does) happen to be|remains?|(?:am|is|are) (?:, )?and (?:always |have |has )*(?:been|was|will be|remains?))(?= )/;

export interface Copula {
  length: number;
  isDenied: boolean;
  isHedged: boolean;
  manner: Manner;
}

/** What links a subject to what it is, from the beginning of the code: "is definitely not a"; null: nothing does. */
export function parseCopula(code: string, isIdentity: (rest: string) => boolean): Copula | null {
  const opening = seeming.exec(code) ?? having.exec(code);
  const tokens = code.split(' ', 12);
  const seen: string[] = opening ? opening[0].split(' ') : [];
  let hasVerb = opening !== null;
  for (let at = seen.length; at < tokens.length; at++) {
    const length = tokens.slice(0, at).join(' ').length + 1;
    if (hasVerb && isIdentity(code.slice(length)))
      return createCopula(seen, length, opening !== null && seeming.test(code));
    const token = tokens[at]!;
    const isVerb = be.includes(token) && !hasVerb;
    if (!isVerb && ![...sure, ...plainly, ...leaning, ...denying].includes(token)) return null;
    hasVerb ||= isVerb;
    seen.push(token);
  }
  return null;
}

function createCopula(seen: readonly string[], length: number, isSeeming: boolean): Copula | null {
  const isDenied = seen.some((token) => denying.includes(token));
  const behind = seen.slice(seen.findIndex((token) => denying.includes(token)) + 1);
  if (
    isDenied &&
    behind.some((token) => blurring.includes(token)) &&
    !/^one of (?:the|your|our)/.test(behind.join(' '))
  )
    return null;
  return {
    length,
    isDenied,
    isHedged: isSeeming || seen.some((token) => leaning.includes(token)),
    manner: findManner(seen),
  };
}

/** How the words before a role put it. */
export function findManner(tokens: readonly string[]): Manner {
  if (tokens.some((token) => loyally.includes(token))) return 'loyal';
  return tokens.some((token) => plainly.includes(token)) ? 'plain' : null;
}
