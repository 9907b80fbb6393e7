// The words of a match: its players' names, the words for roles and powers, and the words for identities.
import { isSingleWord } from '../../state/name-reader.ts';
import { roles } from '../../state/roles/index.ts';
import { getCountedSide, type Role } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createWordSet } from './syntax-patterns.ts';

export interface RoleWord {
  role: Role;
  isPlural: boolean;
}

/** The acts that a word may mean on a board. */
export interface ActWord {
  /** Verbs of powers and last acts. */
  verbs: readonly string[];
  isCheck: boolean;
  /**
   * Whether the act is to protect or to save. Players also use these verbs in other senses, e.g. for protecting
   * somebody with words or votes.
   */
  isShield: boolean;
}

export interface TableLexicon {
  players: readonly string[];
  /** Name (also in capitals) → seat. */
  seats: ReadonlyMap<string, number>;
  /** Names that are not a single word of letters. `findNames` searches texts for them. */
  longNames: readonly string[];
  /** Lower-case word → role. */
  roles: ReadonlyMap<string, RoleWord>;
  /** All roles that words can mean, including those that are not on this board. */
  register: readonly Role[];
  /** Past form → acts. */
  past: ReadonlyMap<string, ActWord>;
  /** Infinitive → acts. */
  infinitive: ReadonlyMap<string, ActWord>;
  /** Gerund ("checking") → acts. */
  gerund: ReadonlyMap<string, ActWord>;
  /** Whether a check reveals only the side. */
  checksTellTeam: boolean;
}

const known = new WeakMap<PublicSetup, TableLexicon>();

export function createLexicon(table: PublicSetup): TableLexicon {
  const before = known.get(table);
  if (before) return before;
  const isSeated = ({ name }: Role) => (table.board.roles[name] ?? 0) > 0;
  const register = [...roles.values()].filter((role) => role.isLocal !== true || isSeated(role));
  const onBoard = register.filter(isSeated);
  const indexActs = (form: (of: [infinitive: string, past: string]) => string) => {
    const all = [onBoard, register].flatMap((some) => listActWords(some, form));
    // Later entries override earlier ones, so the words that have a meaning on this board are last.
    return new Map(all.reverse());
  };
  const words: TableLexicon = {
    players: table.players,
    seats: new Map(table.players.flatMap((name, seat) => [name, name.toUpperCase()].map((said) => [said, seat]))),
    longNames: table.players.filter((name) => !isSingleWord(name)),
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

/** Forms the gerund of a regular verb. The last consonant doubles after a single short vowel. */
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

// Words for identities: roles and sides.

export interface ParsedIdentity {
  role: Role | null;
  team: Team;
}

const closed = '(?= (?:[.,;:!—=]|and|as|so|because|to|by|in|for|who|while|but|with)|$)';
const village = [
  "(?:up |back )?on (?:the side of )?(?:the |your |our )?(?:village|villagers|good|right|town|#ts\\d+|#vs\\d+)(?: 's)?(?: (?:side|team))?", 'on (?:your|our) side', 'on team (?:village|town)',
  '(?:fully |firmly |aligned )?with the (?:village|villagers|town|#ts\\d+|good side)', '(?:an? )?(?:loyal |real |honest |good |trustworthy )?(?:member|part) of (?:the|this|our) (?:village|town)',
  'one of the good (?:guys|ones|people)', '(?:an? )?good guy', 'not guilty', '(?:an? )?innocent(?: (?:player|villager|person|man|woman|#t\\d+))?', '(?:an? )?(?:village|villager|town|#t\\d+) aligned', 'pro village', '(?:one of )?(?:the )?innocents',
  'one of us(?! (?:is|are|was|who|must|has|have|will|can|left|here|two|three|four|five))', 'one of ours', 'one of you(?= (?:[.,;!—)])|$)', `(?:clean|clear|cleared)${closed}`, 'good(?= [.;:!—)]|$)',
  `(?:an? )?(?:town|townie|village)(?: player| member)?${closed}`, 'no (?:threat|enemy) to the (?:village|town)',
]; // prettier-ignore
const pack = [
  "(?:on|with|in league with|aligned with|on the side of)(?: the| team)? (?:#ws?\\d+|pack)(?: ')?(?: 's)?(?: (?:side|team|pack))?", '(?:an? )?(?:member|part) of the (?:pack|#w\\d+ pack|#w\\d+ team)', 'guilty', 'evil', 'one of the (?:pack|bad guys|killers)', 'in the pack', "#w\\d+ aligned",
]; // prettier-ignore

const sides = { villagers: village.join('|'), werewolves: pack.join('|') };

const predicate = new RegExp(
  `^(?:(?<village>${sides.villagers})|(?<pack>${sides.werewolves})|(?<role>#[wvt]s?\\d+)(?: player)?)(?= |$)`,
);

/**
 * Qualifier of an identity. "A simple …" means the role without powers; "a loyal …" means any member of the village.
 */
export type IdentityManner = 'plain' | 'loyal' | null;

/** Parses the identity at the beginning of the code and returns its length; null if it is neither a role nor a side. */
export function parseIdentity(
  code: string,
  manner: IdentityManner,
  words: TableLexicon,
): { identity: ParsedIdentity; length: number } | null {
  const found = predicate.exec(code);
  if (!found) return null;
  const { groups = {}, 0: said } = found;
  const { length } = said;
  if (groups['role'] === undefined)
    return { identity: { role: null, team: groups['village'] === undefined ? 'werewolves' : 'villagers' }, length };
  const role = words.register[Number(/\d+/.exec(groups['role'])![0])]!;
  const isCommon = groups['role'].startsWith('#t');
  const isAnyOfThem =
    role.team === 'villagers' && !role.special && (manner === 'loyal' || (isCommon && manner === null));
  const side = getCountedSide(role);
  return { identity: { role: side === 'werewolves' || isAnyOfThem ? null : role, team: side }, length };
}

/** Words allowed between the verb and the identity. */
const filling = createWordSet(
  "in fact , been without doubt a an the one of your our this real actual other second last remaining hidden single fellow but nothing always and have was has exactly : — himself herself all along from start beginning old poor clever quiet card carrying confirmed proven known dangerous loyal true honest good trustworthy village 's two three four pack 100 absolutely both too myself again simply just only as to be clearly truth wolf my partner full cornered your nothing town",
);
const plainly = createWordSet(
  'plain simple ordinary regular humble normal common mere just vanilla basic only nothing boring powerless',
);
const loyally = createWordSet('fellow loyal true honest proven confirmed good trustworthy');
const leaning = createWordSet('probably likely most very quite presumably apparently almost');
const denying = createWordSet('not never no anything hardly');
/** Words after which "not" does not deny an identity: "not only a Villager". */
const blurring = createWordSet('only just simply both all one really still again last other second necessarily');
/** Verbs that present an identity as a conclusion, and so as an opinion. A mere impression makes no claim. */
const seeming = /^(?:could only be|can only be|can not be|could not be)(?= )/;
const shown =
  '(?:shown|revealed|exposed|unmasked|confirmed|proven|known|found|announced)(?: (?:as|to be|to have been|to us as))?';
const having = new RegExp(
  `^(?:(?:has|have|had) (?:(?:never|not|always|truly|only|ever) )*been(?: ${shown})?|(?:has |have )?(?:turned out|proved|proven|turns out|ended up)(?: to be| to have been| being)?|(?:was|were|is|are) ${shown}|(?<flip>(?:flip|flips|flipped|flipping)(?: as)?)|happens? to be|(?:do|does) happen to be|remains?|must (?:be|have been)|(?:has|have) to be|(?:am|is|are) (?:, )?and (?:always |have |has )*(?:been|was|will be|remains?))(?= )`,
);

export interface Copula {
  length: number;
  isDenied: boolean;
  isHedged: boolean;
  manner: IdentityManner;
}

/**
 * Parses the words at the beginning of the code that link a subject to its identity, such as "is definitely not a".
 * Null if there are none.
 */
export function parseCopula(code: string, isIdentity: (rest: string) => boolean): Copula | null {
  const opening = seeming.exec(code) ?? having.exec(code);
  const tokens = code.split(' ', 12);
  const seen: string[] = opening ? opening[0].split(' ') : [];
  let hasVerb = opening !== null;
  for (let at = seen.length; at < tokens.length; at++) {
    const length = tokens.slice(0, at).join(' ').length + 1;
    if (hasVerb && isIdentity(code.slice(length))) return createCopula(seen, length, seeming.test(code));
    const token = tokens[at]!;
    const isVerb = /^(?:am|is|are|was|were)$/.test(token) && !hasVerb;
    if (!isVerb && ![filling, plainly, leaning, denying].some((some) => some.has(token))) return null;
    hasVerb ||= isVerb;
    seen.push(token);
  }
  return null;
}

function createCopula(seen: readonly string[], length: number, isSeeming: boolean): Copula | null {
  const isDenied = seen.some((token) => denying.has(token));
  const behind = seen.slice(seen.findIndex((token) => denying.has(token)) + 1);
  if (isDenied && behind.some((token) => blurring.has(token)) && !/^one of (?:the|your|our)/.test(behind.join(' ')))
    return null;
  return {
    length,
    isDenied,
    isHedged: isSeeming || seen.some((token) => leaning.has(token)),
    manner: seen.some((token) => /^flip|^turn|^reveal|^shown/.test(token)) ? 'plain' : findManner(seen),
  };
}

/** Finds how the words before a role qualify it. */
export function findManner(tokens: readonly string[]): IdentityManner {
  if (tokens.some((token) => loyally.has(token))) return 'loyal';
  return tokens.some((token) => plainly.has(token)) ? 'plain' : null;
}
