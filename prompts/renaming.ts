// The renamed game: the same game under other names. Words are put in when a prompt is sent and taken back when its answer
// is read, so that everything between knows one vocabulary.
//
// Each word changes places with its counterpart, so that nothing is lost: doing it twice gives the same text again. A
// player of the renamed game who says "Werewolf" is recorded as having said "Saboteur", and is heard saying "Werewolf".
import type { View } from '../state/view.ts';
import { UsageError } from '../state/usage-error.ts';

/**
 * Usual word → word of the renamed game, in lower case. Those of one row need the same article, a or an. No word stands
 * in two rows, and none of the renamed game in a prompt of ours.
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

const counterparts = new Map(
  Object.entries(renamedWords).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/** A word of plain letters; digits, hyphens, apostrophes and underscores end it, letters with marks do not. */
const word = /(?<![\p{L}\p{M}])[A-Za-z]+(?![\p{L}\p{M}])/gu;

/** Puts the words of the renamed game in place of the usual ones, and the other way round. */
export const replaceGameWords = (text: string) => text.replace(word, swapWord);

function swapWord(said: string): string {
  const other = counterparts.get(said.toLowerCase());
  if (other === undefined) return said;
  const changed = copyCase(said, other);
  return copyCase(changed, said.toLowerCase()) === said ? changed : said; // what could not be taken back stays
}

/** Capitals as in `from`: all of them, or letter by letter. */
function copyCase(from: string, to: string): string {
  if (from === from.toUpperCase()) return to.toUpperCase();
  return [...to].map((letter, at) => (isCapital(from.charAt(at)) ? letter.toUpperCase() : letter)).join('');
}

const isCapital = (letter: string) => letter !== letter.toLowerCase();

/** How a match is told to its players: what is done to every text that they are sent or send. */
export type Renamer = (text: string) => string;

const keepAsIs: Renamer = (text) => text;

/** The telling of a match; doing it twice gives the same text again. */
export const getRenamer = (view: Pick<View, 'variant'> | undefined): Renamer =>
  view?.variant === 'renamed' ? replaceGameWords : keepAsIs;

/** A JSON value with all its texts told, keys too. */
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

/** Throws a UsageError for a player who is called by a word that the renamed game changes. */
export function checkRenamedNames(names: readonly string[]): void {
  const taken = names.find((name) => replaceGameWords(name) !== name);
  if (taken !== undefined)
    throw new UsageError(
      `In the renamed game nobody can be called "${taken}", since that is a word of the game there. Name the player otherwise, or play another variant.`,
    );
}
