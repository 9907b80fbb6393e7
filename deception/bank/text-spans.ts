// Finds the words of a claim in the statement, and in the raw answer that holds the statement. Positions count
// characters (Unicode code points), as Python and SQL do. JavaScript counts an emoji as two.
import { flattenToOneLine } from '../../state/text.ts';

/** A piece of a text. `from` is its first character; `to` is the character after its last. */
export interface TextSpan {
  from: number;
  to: number;
}

/**
 * Converts a span from UTF-16 units to characters.
 *
 * @example countCharacters('😀 I am the Seer', { from: 3, to: 16 }) // { from: 2, to: 15 }
 */
export function countCharacters(text: string, { from, to }: TextSpan): TextSpan {
  const before = [...text.slice(0, from)].length;
  return { from: before, to: before + [...text.slice(from, to)].length };
}

/** Matches the strings of a JSON text, including their quotation marks. The last string may be cut off. */
const stringPattern = /"((?:[^"\\]|\\[^])*)(?:"|$)/g;

/** The mark at the end of a truncated statement. */
const cutMark = / …$/;

/**
 * Finds the part of a raw answer that holds a statement: the JSON string whose value is the statement, or the
 * statement's own words. Null if neither is found, for example where a speech was assembled from several parts of the
 * answer.
 *
 * @example findStatementPart('{"say":"I am Seer"}', 'I am Seer') // { from: 8, to: 17 }
 */
export function findStatementPart(raw: string, text: string): TextSpan | null {
  const said = text.replace(cutMark, '');
  const isIt = (value: string) => {
    const line = flattenToOneLine(value);
    return said === text ? line === text : line.startsWith(said);
  };
  const strings = [...raw.matchAll(stringPattern)].map(({ 1: inside = '', index }) => ({ inside, from: index + 1 }));
  const found = strings.findLast(({ inside }) => {
    const value = unescapeText(inside);
    return value !== null && isIt(value);
  });
  if (found) return { from: found.from, to: found.from + found.inside.length };
  const place = raw.lastIndexOf(said);
  return place < 0 || said === '' ? null : { from: place, to: place + said.length };
}

function unescapeText(inside: string): string | null {
  try {
    return JSON.parse(`"${inside.replace(/[\n\r\t]/g, ' ')}"`) as string;
  } catch {
    return null;
  }
}

const findAll = (words: string, text: string): number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
};

/**
 * Finds the words of a span in the raw answer, in UTF-16 units. Null where the raw answer does not contain them
 * verbatim (because of an escape or a line break), or contains them in several possible places. `part`: the part that
 * holds the statement.
 *
 * @example findRawSpan('{"say":"I am Seer"}', { from: 8, to: 17 }, 'I am Seer', { from: 5, to: 9 }) // { from: 13, to: 17 }
 */
export function findRawSpan(raw: string, part: TextSpan, text: string, span: TextSpan): TextSpan | null {
  const words = text.slice(span.from, span.to);
  if (words === '') return null;
  const inStatement = findAll(words, text);
  const inside = raw.slice(part.from, part.to);
  const inRaw = findAll(words, inside);
  const place = inRaw[inStatement.indexOf(span.from)];
  if (place === undefined || (inRaw.length !== inStatement.length && !isSameBefore(inside, place, text, span)))
    return null;
  return { from: part.from + place, to: part.from + place + words.length };
}

/**
 * Whether the words stand at the same position in both texts, after the same beginning. Then only the end of the text
 * can have been truncated.
 */
const isSameBefore = (inside: string, place: number, text: string, span: TextSpan) =>
  place === span.from && inside.slice(0, place) === text.slice(0, span.from);
