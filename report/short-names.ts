// Short forms of names for pictures: a long model name is truncated, but never so that two names look alike.
import { sanitizeText } from './format.ts';

/** Maximum number of characters of a short name. */
export const maxNameLength = 32;

/** Returns the short form of a name. */
export type ShortenName = (name: string) => string;

/**
 * Creates unique short names for all of `names`. A long name is shortened to its beginning and end. If another name
 * would get the same form, both are shortened to the part that differs. Names that are short enough are unchanged.
 * `most`: maximum number of characters.
 *
 * @example
 * const shorten = truncateNames(['vertexai:gemini-2.5-pro?temperature=0', 'vertexai:gemini-2.5-flash?temperature=0']);
 * shorten('vertexai:gemini-2.5-pro?temperature=0'); // 'vertexai:gemini-2.5-pro?temper…'
 */
export function truncateNames(names: Iterable<string>, most = maxNameLength): ShortenName {
  const texts = [...new Set(names)].map((name) => ({ name, text: sanitizeText(name) }));
  const short = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, form } of separate(texts, most)) {
    let own = form;
    // Names that cannot be distinguished by letters are numbered.
    for (let number = 2; taken.has(own); number++) own = `${form} (${number})`;
    taken.add(own);
    short.set(name, own);
  }
  return (name) => short.get(name) ?? sanitizeText(name);
}

interface NamedText {
  name: string;
  text: string;
}

/** Keeps the beginning of a text (about three fifths) and its end. */
function keepEnds(text: string, most: number): string {
  const start = Math.round(0.6 * most);
  return text.length <= most ? text : `${text.slice(0, start)}…${text.slice(-(most - start - 1))}`;
}

/**
 * Shortens names to their beginnings and ends, or to the text around the place `shown`. Names that become equal are
 * shortened again, around the first place where they differ.
 */
function separate(
  texts: readonly NamedText[],
  most: number,
  shown: number | null = null,
): { name: string; form: string }[] {
  const groups = Map.groupBy(texts, ({ text }) =>
    shown === null ? keepEnds(text, most) : keepPlace(text, shown, most),
  );
  return [...groups].flatMap(([form, alike]) => {
    const place = findDifference(alike.map(({ text }) => text));
    const isStuck = groups.size === 1 && shown !== null; // a form that shows the difference makes each group smaller
    return alike.length === 1 || place === null || isStuck
      ? alike.map(({ name }) => ({ name, form }))
      : separate(alike, most, place);
  });
}

/** Finds the first place where the texts differ; null if they are equal. */
function findDifference([first = '', ...others]: readonly string[]): number | null {
  for (let place = 0; place <= first.length; place++)
    if (others.some((text) => text[place] !== first[place])) return place;
  return null;
}

/**
 * Keeps the text around a place and the start of the name. If the provider's name does not fit, the start of the
 * model's own name is kept.
 */
function keepPlace(text: string, place: number, most: number): string {
  const room = most - 2; // without the ellipses
  const shown = place + 8; // with some of the text that follows
  const own = [...text.split('?')[0]!.matchAll(/[:/]/g)].at(-1)?.index ?? -1;
  for (const start of [0, own + 1])
    if (start <= place && shown <= start + room) return `${start === 0 ? '' : '…'}${cutAt(text, start, room)}`;
  const head = text.slice(own < place ? own + 1 : 0).slice(0, 11);
  const left = room - head.length - 1;
  const parts = [...text.matchAll(/[:/?&,]/g)].map(({ index }) => index + 1);
  const start = parts.find((at) => at <= place && shown <= at + left) ?? place - 6;
  return `${head}…${cutAt(text, start, left)}`;
}

const cutAt = (text: string, start: number, length: number) =>
  `${text.slice(start, start + length)}${start + length < text.length ? '…' : ''}`;
