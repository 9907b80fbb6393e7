// The renamed game: the same game under other names. Words are replaced when a prompt is sent and restored when its
// answer is parsed, so that all code in between uses one vocabulary.
//
// Each word is exchanged with its counterpart, so that nothing is lost: doing it twice restores the text. A player of
// the renamed game who says "Werewolf" is recorded as having said "Saboteur", and is heard saying "Werewolf".
import { getRole } from '../state/roles/index.ts';
import type { Role } from '../state/roles/role.ts';
import type { View } from '../state/view.ts';
import { UsageError } from '../state/usage-error.ts';
import { memoize } from './text.ts';

/** Converts every text sent to or received from players. */
export type Renamer = (text: string) => string;

/**
 * Usual word → word of the renamed game, in lower case. Both words of a row need the same article, a or an. No word may
 * occur in two rows, and no word of the renamed game may occur in this program's prompts.
 */
export const renamedWords: Readonly<Record<string, string>> = {
  werewolf: 'saboteur',
  werewolves: 'saboteurs',
  wolf: 'mole',
  wolves: 'moles',
  ww: 'sab',
  wws: 'sabs',
  pack: 'cabal',
  packs: 'cabals',
  village: 'colony',
  villages: 'colonies',
  villager: 'colonist',
  villagers: 'colonists',
  seer: 'surveyor',
  seers: 'surveyors',
  doctor: 'warden',
  doctors: 'wardens',
  doc: 'ward',
  docs: 'wards',
  guard: 'shepherd',
  guards: 'shepherds',
  guarded: 'shepherded',
  guarding: 'shepherding',
  witch: 'chemist',
  witches: 'chemists',
  hunter: 'ranger',
  hunters: 'rangers',
  idiot: 'envoy',
  idiots: 'envoys',
  sheriff: 'captain',
  sheriffs: 'captains',
  badge: 'sash',
  badges: 'sashes',
  antidote: 'elixir',
  antidotes: 'elixirs',
  potion: 'flask',
  potions: 'flasks',
  poison: 'dose',
  poisons: 'doses',
  poisoned: 'dosed',
  poisoning: 'dosing',
};

type Counterparts = ReadonlyMap<string, string>;

const exchangeWords = (words: Readonly<Record<string, string>>): Counterparts =>
  new Map(
    Object.entries(words).flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ]),
  );

const usualCounterparts = exchangeWords(renamedWords);

/** A word of plain letters. Digits, hyphens, apostrophes and underscores end it; letters with diacritics do not. */
const word = /(?<![\p{L}\p{M}])[A-Za-z]+(?![\p{L}\p{M}])/gu;

/** Replaces usual words with the words of the renamed game, and vice versa. */
export const replaceGameWords: Renamer = createRenamer(usualCounterparts);

function createRenamer(counterparts: Counterparts): Renamer {
  return (text) => text.replace(word, (said) => swapWord(said, counterparts));
}

function swapWord(said: string, counterparts: Counterparts): string {
  const other = counterparts.get(said.toLowerCase());
  if (other === undefined) return said;
  const changed = copyCase(said, other);
  return copyCase(changed, said.toLowerCase()) === said ? changed : said; // words that could not be restored stay
}

/** Returns `to` with capitals as in `from`: all letters in capitals, or capitals letter by letter. */
function copyCase(from: string, to: string): string {
  if (from === from.toUpperCase()) return to.toUpperCase();
  return [...to].map((letter, at) => (isCapital(from.charAt(at)) ? letter.toUpperCase() : letter)).join('');
}

const isCapital = (letter: string) => letter !== letter.toLowerCase();

const keepAsIs: Renamer = (text) => text;

/**
 * Returns the converter of a match; applying it twice restores the text. Without a `board`, words of local roles stay.
 */
export function getRenamer(view: (Pick<View, 'variant'> & Partial<Pick<View, 'board'>>) | undefined): Renamer {
  if (view?.variant !== 'renamed') return keepAsIs;
  const dealt = Object.entries(view.board?.roles ?? {}).filter(([, count]) => count > 0);
  const local = dealt.map(([name]) => getRole(name)).filter(({ renamedAs }) => renamedAs !== undefined);
  return local.length === 0 ? replaceGameWords : createLocalRenamer(local);
}

/** Number of cached converters, one for each set of local roles. */
const keptRenamers = 20;

const createLocalRenamer = memoize(
  keptRenamers,
  (local: readonly Role[]) => local.map(({ name }) => name).join(),
  (local) =>
    createRenamer(exchangeWords(local.reduce((words, { renamedAs }) => ({ ...words, ...renamedAs }), renamedWords))),
);

/** Converts all texts in a JSON value, including keys. `tell`: converts one text. */
export function replaceInValue<Value>(value: Value, tell: Renamer): Value {
  if (tell === keepAsIs) return value;
  const change = (one: unknown): unknown => {
    if (typeof one === 'string') return tell(one);
    if (Array.isArray(one)) return one.map(change);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [tell(key), change(inner)]));
  };
  return change(value) as Value;
}

/** Throws a UsageError if a player's name is a word that the renamed game replaces. */
export function checkRenamedNames(names: readonly string[]): void {
  const taken = names.find((name) => replaceGameWords(name) !== name);
  if (taken !== undefined)
    throw new UsageError(
      `In the renamed game nobody can be called "${taken}", since that is a word of the game there. Name the player otherwise, or play another variant.`,
    );
}
