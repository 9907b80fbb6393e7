// When something is said to have happened: nights and days in words, as the round they belong to.

import type { Place } from './reading.ts';

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  one: 1,
  second: 2,
  two: 2,
  third: 3,
  three: 3,
  fourth: 4,
  four: 4,
};

const numbered = /(?:^| )(?:night|day|round) (\d+|one|two|three|four)(?: |$)/;
const ordinal = /(?:^| )(?:the )?(?:very )?(first|second|third|fourth) (?:night|day|round)(?: |$)/;

/**
 * The round that the words around a claim name, or null. A night and the day after it are one round: "last night" is of
 * the current one, "yesterday" of the one before. Null too where they name several.
 */
function roundIn(code: string, round: number, isOfNight: boolean): number | null {
  const ago = /(?:^| )(two|three|four|2|3|4) (nights|days|rounds) ago(?: |$)/.exec(code);
  if (ago) {
    const back = (ordinals[ago[1]!] ?? Number(ago[1])) - (ago[2] === 'nights' && isOfNight ? 1 : 0);
    return round - back > 0 ? round - back : null;
  }
  const found = [numbered, ordinal].flatMap((form) => {
    const word = form.exec(code)?.[1];
    return word === undefined ? [] : [ordinals[word] ?? Number(word)];
  });
  if (/(?:^| )(?:last night|this morning|tonight|overnight)(?: |$)/.test(code)) found.push(isOfNight ? round : NaN);
  if (/(?:^| )(?:yesterday|(?:the )?(?:last|previous) (?:round|day)|the day before)(?: |$)/.test(code))
    found.push(isOfNight ? NaN : round - 1);
  if (/(?:^| )(?:the night before(?: last)?|the previous night)(?: |$)/.test(code)) found.push(NaN);
  if (/(?:^| )(?:today|this round)(?: |$)/.test(code) && !isOfNight) found.push(round);
  const [only] = found;
  return found.length === 1 && only !== undefined && only > 0 ? only : null;
}

/** What stands behind a claim in its own clause. */
export const tail = (after: string) => ` ${after} `.split(joint, 1)[0]!;

const joint = / (?:and|but|because|so|;|—|@\S+) /;

/** The clause in which the words between two places of a sentence's code stand. */
export const clauseAround = (code: string, start: number, end: number) =>
  ` ${code.slice(0, start)} `.split(wide).at(-1)! + code.slice(start, end) + ` ${code.slice(end)} `.split(wide, 1)[0]!;

const wide = / (?:,|and|but|because|so|;|—|:) /;

/** The round named in the claim's own clause, before it or behind it. */
export function roundNear(
  { sentence, start, end, place }: { sentence: { code: string }; start: number; end: number; place: Place },
  isOfNight: boolean,
): number | null {
  const { round } = place.reading.statement;
  const own = sentence.code.slice(start, end);
  const before = ` ${sentence.code.slice(0, start)} `;
  const near = before.split(wide).at(-1)!;
  return [own, near, tail(sentence.code.slice(end)), before.split(joint).at(-1)!].reduce<number | null>(
    (found, code) => found ?? roundIn(code.trim(), round, isOfNight),
    null,
  );
}
