// Seat letters: the players of an earlier match as `[A]`, `[B]` … in the order of seats, so that no name of it gets into
// another match.
import { isConfusable } from '../../state/player-names.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createLexicon } from '../claims/lexicon.ts';
import { tokenize } from '../claims/tokenize.ts';

/**
 * The letter of a seat, counted from 0.
 *
 * @example getSeatLetter(2) // 'C'
 */
export const getSeatLetter = (seat: number): string =>
  seat < 26 ? String.fromCharCode(65 + seat) : `${getSeatLetter(Math.floor(seat / 26) - 1)}${getSeatLetter(seat % 26)}`;

/** The player as it stands in texts of a pool; a word that is no player's stays. */
export function nameSeat(name: string, players: readonly string[]): string {
  const seat = players.indexOf(name);
  return seat < 0 ? name : `[${getSeatLetter(seat)}]`;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Names that are words too: in small letters they are read as the word. */
const words = new Set(
  'amber april art august autumn bill bob can chance chase dawn drew faith grace grant hope hunter iris ivy jack jade jasmine joy june lily mark max may miles pat pearl penny ray rich rob rose ruby sandy sky sue summer victor violet will'.split(
    ' ',
  ),
);

/**
 * The text with seat letters in place of the players' names, as the reader of claims reads names: "Will you vote?" asks
 * nobody called Will. Names in small letters are replaced too, unless they are words.
 *
 * @example replaceNames('Will, vote for Dan.', { board, rules, players: ['Dan', 'Will'] }) // '[B], vote for [A].'
 */
export function replaceNames(text: string, table: PublicSetup): string {
  const lexicon = createLexicon(table);
  const plain = text.replace(/[’‘]/g, "'").replace(/[*_`~#>|"“”]/g, ' '); // every other character in its place
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
    .reduce((rest, { from, to, seat }) => `${rest.slice(0, from)}[${getSeatLetter(seat)}]${rest.slice(to)}`, text);
  const plainly = table.players.reduce((rest, name, seat) => {
    const small = name.toLowerCase();
    return words.has(small)
      ? rest
      : rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${small}(?![\\p{L}\\p{N}])`, 'giu'), `[${getSeatLetter(seat)}]`);
  }, read);
  return replaceDisguised(plainly, table.players);
}

/** Letters of other scripts that look like Latin ones, with these. */
const lookalikes = new Map(
  [...'аАаВеЕсСоОрРхХуУкКмМнНтТіІјЈѕЅԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν'].map((letter, at) => [
    letter,
    'aAaBeEcCoOpPxXyYkKmMhHtTiIjJsSdhqwABEZHIKMNOPTYXoav'[at]!,
  ]),
);

/**
 * Names that no reader of claims takes for such: in the plural ("the Dans"), written together ("DanAndLeah"), or with letters
 * that look alike ("Dán", "Dаn" with a Cyrillic а).
 */
function replaceDisguised(text: string, players: readonly string[]): string {
  const findSeat = (word: string): string | null => {
    const latin = [...word.normalize('NFC')].map((letter) => lookalikes.get(letter) ?? letter).join('');
    const seat = players.findIndex((name) => isConfusable(name, latin) && (!isWord(latin) || word !== latin));
    return seat < 0 ? null : `[${getSeatLetter(seat)}]`;
  };
  return text.replace(/(?<!\[)[\p{L}\p{M}]{2,}(?!\])/gu, (word) => {
    const parts = word.match(/\p{Lu}[\p{Ll}\p{M}]+/gu) ?? [];
    if (parts.length > 1 && parts.join('') === word) return parts.map((part) => findSeat(part) ?? part).join('');
    const plural = /^(\p{Lu}[\p{L}\p{M}]+)s$/u.exec(word);
    const many = plural && !isWord(word) ? findSeat(plural[1]!) : null;
    return findSeat(word) ?? (many === null ? word : `${many}s`);
  });
}

/** Whether a text in Latin letters is a word besides a name. */
const isWord = (latin: string) => words.has(latin.toLowerCase());
