// Seat letters name the players of an earlier match as `[A]`, `[B]` … in seat order, so that none of the match's names
// appears in another match.
import { boards } from '../../state/boards.ts';
import { isConfusable, namePool } from '../../state/player-names.ts';
import { roles } from '../../state/roles/index.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createLexicon } from '../claims/lexicon.ts';
import { tokenize } from '../claims/tokenize.ts';

/**
 * Returns the letter of a seat, counted from 0.
 *
 * @example getSeatLetter(2) // 'C'
 */
export const getSeatLetter = (seat: number): string =>
  seat < 26 ? String.fromCharCode(65 + seat) : `${getSeatLetter(Math.floor(seat / 26) - 1)}${getSeatLetter(seat % 26)}`;

/** Returns a player's letter; any other word is returned unchanged. */
export function nameSeat(name: string, players: readonly string[]): string {
  const seat = players.indexOf(name);
  return seat < 0 ? name : `[${getSeatLetter(seat)}]`;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Names that are also ordinary words. In lower case they are read as words, except where only a name is possible. */
const words = new Set(
  'amber angel april art ash august autumn basil bill bob brook bud can carol chance charity chase chip clay cliff cole crystal daisy dale dawn dean destiny dick don drew earl eve faith fay forest frank gene glen grace grant guy harmony harry hazel heath heather holly honor hope hunter iris ivy jack jade jasmine jay jean jewel jimmy josh joy june justice kit lance lane laurel lee lily major mark marsh max may melody mercy merry miles misty nick norm olive paige pansy pat patience patsy pearl peg penny piper poppy ray reed rich rob robin rocky rod rose ruby rusty sage sandy scout serenity skip sky star stone sue summer sunny sunshine tanner tiffany tony trinity van victor violet wade ward warren will wren'.split(
    ' ',
  ),
);

/** Returns whether a name in Latin letters is also an ordinary English word. */
const isWord = (latin: string) => words.has(latin.toLowerCase());

/**
 * Nicknames of the names that Werewolf Arena gives to players. Nicknames that only add -y, -ie or -o are found by rule.
 */
const nicknames: Readonly<Record<string, readonly string[]>> = {
  Bert: ['Bertram'],
  Dan: ['Daniel'],
  David: ['Dave', 'Davey', 'Davie'],
  Derek: ['Del', 'Derry'],
  Ginger: ['Ginny', 'Ging'],
  Harold: ['Harry', 'Hal'],
  Hayley: ['Hales'],
  Isaac: ['Ike', 'Zac', 'Zack', 'Izzy'],
  Jackson: ['Jack', 'Jax', 'Jacks'],
  Jacob: ['Jake', 'Jakey', 'Jay', 'Coby'],
  Mason: ['Mase'],
  Paul: ['Pauly'],
  Sam: ['Sammy', 'Sammie', 'Samuel', 'Samantha'],
  Scott: ['Scotty', 'Scottie'],
  Tyler: ['Ty', 'Tye'],
  Will: ['Bill', 'Billy', 'Willy', 'Willie', 'William', 'Liam'],
};

/** The players at the table, followed by all other names that the deal could have used instead. */
interface NamedTable extends PublicSetup {
  seated: number;
}

const tables = new WeakMap<object, Map<string, NamedTable>>();

function extendTable({ board, rules, players }: PublicSetup): NamedTable {
  const ofRules = tables.get(rules) ?? new Map<string, NamedTable>();
  tables.set(rules, ofRules);
  const key = JSON.stringify([board.name, players]);
  const known = ofRules.get(key);
  if (known) return known;
  const others = [...namePool, ...(boards[board.name]?.names ?? [])].filter((name) => !players.includes(name));
  const table = { board, rules, players: [...players, ...new Set(others)], seated: players.length };
  ofRules.set(key, table);
  return table;
}

/** Returns the text that replaces a name. `index`: index of the name among the players of an extended table. */
const nameIndex = (index: number, { seated }: NamedTable) => (index < seated ? `[${getSeatLetter(index)}]` : '[?]');

/**
 * Replaces players' names by seat letters. Names are recognized as in the claim extractor: "Will you vote?" asks nobody
 * called Will. Also replaces names in lower case, disguised names and nicknames, unless they are words. Names from
 * similar tables become `[?]`, and typed square brackets become round brackets.
 *
 * @example replaceNames('Will, vote for Dan.', { board, rules, players: ['Dan', 'Will'] }) // '[B], vote for [A].'
 */
export function replaceNames(typed: string, table: PublicSetup): string {
  const extended = extendTable(table);
  const { players } = extended;
  const text = joinLetters(normalize(typed), extended);
  const lexicon = createLexicon(extended);
  const plain = text.replace(/[’‘]/g, "'").replace(/[*_`~#>|"“”]/g, ' '); // every other character keeps its position
  const places = [...sentences.segment(plain)].flatMap(({ segment, index }) =>
    tokenize(segment, index, lexicon).flatMap(({ code, from, to }) => {
      const [, seat] = /^@(\d+)$/.exec(code) ?? [];
      return seat === undefined
        ? []
        : [{ from, to: plain.slice(from, to).endsWith("'s") ? to - 2 : to, seat: Number(seat) }];
    }),
  );
  const read = places
    .toReversed()
    .reduce((rest, { from, to, seat }) => `${rest.slice(0, from)}${nameIndex(seat, extended)}${rest.slice(to)}`, text);
  const plainly = players.reduce((rest, name, index) => {
    const found = isWord(name)
      ? findWhereNamesStand(name)
      : new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu');
    return rest.replace(found, nameIndex(index, extended));
  }, read);
  return replaceDisguised(plainly, extended);
}

/**
 * Replaces compatibility characters, removes zero-width characters, and turns square brackets into round ones, because
 * square brackets are reserved for seats.
 */
const normalize = (typed: string) =>
  typed
    .replace(/[^…]+/gu, (part) => part.normalize('NFKC'))
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/gu, '')
    .replaceAll('[', '(')
    .replaceAll(']', ')');

/** Short words that could join to form a name: "As a Villager" does not contain Asa. */
const smallWords = new Set('a al am an as at be by da do ed en go he i id if in is it la le ma me my no of oh ok on or so to up us we'.split(' ')); // prettier-ignore

/** Joins names whose letters are separated, as in "D.a.n" and "Da n". */
function joinLetters(text: string, { players }: NamedTable): string {
  return players.reduce((rest, name) => {
    const [first, ...small] = [...name];
    const others = small.map((letter) => `[${letter}${letter.toUpperCase()}]`);
    const parted = new RegExp(
      `(?<![\\p{L}\\p{N}'’])${first}(?:[ .·*_~-]?${others.join('[ .·*_~-]?')})(?![\\p{L}\\p{N}])`,
      'gu',
    );
    return rest.replace(parted, (found) => {
      const parts = found.split(/[^\p{L}]/u).map((part) => part.toLowerCase());
      return parts.length === 1 || parts.every((part) => smallWords.has(part) || isWord(part)) ? found : name;
    });
  }, text);
}

const verbsOfNames =
  '(?:vote|trust|suspect|accuse|believe|exile|eliminate|protect|guard|save|check|unmask|poison|shoot|follow|target|doubt|defend)(?:s|d|ed|ing)?(?: for| on)?|voting(?: for| on)?|against';

/**
 * Finds lower-case names that are also words, in places where only a name is possible: "i vote grace", "the seer is
 * grace.", "vote: will".
 */
const findWhereNamesStand = (name: string) =>
  new RegExp(
    `(?<=(?:(?<!\\p{L})(?:${verbsOfNames}|(?:seer|doctor|guard|witch|hunter|wol(?:f|ves)|werewol(?:f|ves)|sheriff) (?:is|was))|\\p{L}:) ?)(?<=[ :])${name.toLowerCase()}(?=\\s*(?:[.,;:!?)]|$))`,
    'gu',
  );

/** Letters of other scripts that look like Latin letters, each with the Latin letter. */
const lookalikes = new Map(
  [...'аАаВеЕсСоОрРхХуУкКмМнНтТіІјЈѕЅԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν'].map((letter, at) => [
    letter,
    'aAaBeEcCoOpPxXyYkKmMhHtTiIjJsSdhqwABEZHIKMNOPTYXoav'[at]!,
  ]),
);

/**
 * Replaces names that the claim extractor does not recognize: plurals ("the Dans"), joined names ("DanAndLeah"),
 * look-alike letters ("Dán", "Dаn" with a Cyrillic а) and nicknames ("Danny").
 */
function replaceDisguised(text: string, table: NamedTable): string {
  const { players } = table;
  const nicknamed = findNicknames(table);
  const findSeat = (word: string, isName: boolean): string | null => {
    const latin = [...word.normalize('NFC')].map((letter) => lookalikes.get(letter) ?? letter).join('');
    const seat = players.findIndex((name) => isConfusable(name, latin) && (isName || !isWord(latin) || word !== latin));
    return seat < 0 ? null : nameIndex(seat, table);
  };
  return text.replace(/(?<!\[)[\p{L}\p{M}]{2,}(?!\])/gu, (word: string, at: number) => {
    const parts = word.match(/\p{Lu}[\p{Ll}\p{M}]+/gu) ?? [];
    if (parts.length > 1 && parts.join('') === word) return parts.map((part) => findSeat(part, true) ?? part).join('');
    const isInside = /[\p{L}\p{N},'\])] $/u.test(text.slice(Math.max(0, at - 2), at)); // inside a sentence, where a capital marks a name
    const plural = /^(\p{Lu}[\p{L}\p{M}]+)s$/u.exec(word);
    const many = plural && !isWord(word) ? findSeat(plural[1]!, isInside) : null;
    const nickname = isWord(word) && !isInside ? undefined : nicknamed.get(word);
    return findSeat(word, false) ?? (many === null ? (nickname ?? word) : `${many}s`);
  });
}

const knownNicknames = new WeakMap<NamedTable, ReadonlyMap<string, string>>();

/**
 * Maps each nickname to the text that replaces it. If a player and another name share a nickname, the nickname means
 * the player. Ambiguous nicknames are left out.
 */
function findNicknames(table: NamedTable): ReadonlyMap<string, string> {
  const known = knownNicknames.get(table);
  if (known) return known;
  const listed = table.players.flatMap((name, index) => {
    const last = name.at(-1)!;
    const stems = [name, `${name}${last}`, name.replace(/[aeiouy]$/, '')];
    const endings = stems.flatMap((stem) => ['y', 'ie', 'o', 'ey'].map((ending) => `${stem}${ending}`));
    return [...new Set([...endings, ...(nicknames[name] ?? [])])].map((nickname) => ({ nickname, index }));
  });
  const found = new Map<string, string>();
  for (const [nickname, all] of Map.groupBy(listed, (one) => one.nickname)) {
    if (table.players.includes(nickname)) continue;
    const seated = all.filter(({ index }) => index < table.seated);
    const of = seated.length > 0 ? seated : all;
    found.set(nickname, of.length === 1 ? nameIndex(of[0]!.index, table) : '[?]');
  }
  knownNicknames.set(table, found);
  return found;
}

/** Pattern of capitalized words inside a sentence, which may be names that were missed. */
const capitalised = /(?<=[\p{L}\p{N},'\])] )\p{Lu}\p{Ll}[\p{L}\p{M}]*/gu;

/** Words that the game capitalizes. */
const capitals = new Set(
  [...roles.values()]
    .flatMap(({ name, plural }) => [name, plural])
    .concat(
      'Day',
      'Days',
      'Night',
      'Nights',
      'Round',
      'Rounds',
      'Sheriff',
      'Votes',
      'Pseudo',
      'Proposals',
      'You',
      'Your',
    )
    .concat('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'English', 'God')
    .flatMap((word) => word.split(' ')),
);

/**
 * Finds words in a pool's texts that may still be names, with their counts. Such a word is capitalized inside a
 * sentence, unknown to the game, and never in lower case.
 *
 * @example findPossibleNames(entries.map(renderEntry)) // [['Dannyboy', 2]]
 */
export function findPossibleNames(texts: readonly string[]): [word: string, count: number][] {
  const small = new Set(texts.flatMap((text) => text.match(/(?<![\p{L}'’])\p{Ll}+/gu) ?? []));
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(capitalised))
      if (!capitals.has(word) && !small.has(word.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}
