// Time expressions that players use: "last night", "D2", "on the first night".

/** A stated time: the kind of expression, and the round that it means. The round is null if uncertain. */
export interface ToldTime {
  kind: 'night' | 'day' | 'any' | 'yesterday' | 'today' | 'tomorrow' | 'unclear';
  round: number | null;
}

/** A form of time expression: its pattern and its kind. */
interface TimeForm {
  form: string;
  kind: 'last night' | 'some night' | 'today' | 'yesterday' | 'tomorrow' | 'ago' | 'numbered' | 'unclear';
}

const ordinal = '(?:very )?(?:first|second|third|fourth|fifth|sixth|opening)';
const number = '(?:\\d{1,2}|zero|one|two|three|four|five|six)';
const at = '(?:(?:on|in|during|of|from|for|by|at|since|over) )?';

const timeForms: readonly TimeForm[] = [
  { form: '(?:two|three|four|2|3|4) (?:nights|days|rounds) ago', kind: 'ago' },
  { form: `${at}(?:the )?${ordinal} (?:night|day|round)(?! of)`, kind: 'numbered' },
  { form: `${at}(?:night|day|round)[ -]?#?${number}`, kind: 'numbered' },
  { form: `${at}[nd]\\d(?!\\d)`, kind: 'numbered' },
  { form: `(?:on|in) the ${ordinal}(?= (?:at|over|with|i|to)\\b|[,.;:]|$| and (?:on |in )?the)`, kind: 'numbered' },
  { form: `${at}(?:last night|this morning|tonight|overnight|the night just past)`, kind: 'last night' },
  { form: '(?:during|in) the night(?! \\d)', kind: 'some night' },
  { form: `${at}(?:yesterday(?: evening| morning)?|(?:the )?(?:last|previous|prior) (?:round|day)|the day before)`, kind: 'yesterday' },
  { form: `${at}(?:today|this (?:round|day))`, kind: 'today' },
  { form: `${at}(?:tomorrow)`, kind: 'tomorrow' },
  { form: `${at}(?:the night before(?: last)?|the previous night|that (?:same )?(?:night|day)|(?:both|all|most|these|two|successive) (?:nights|days)|all night(?: long)?|all day|earlier|the (?:runoff|tie|revote|tiebreak|final vote))`, kind: 'unclear' },
]; // prettier-ignore

/** Pattern of any time expression. */
export const timePattern = `(?:${timeForms.map(({ form }) => form).join('|')})(?:'s)?`;
const compiled = timeForms.map(({ form, kind }) => ({ kind, form: new RegExp(`^(?:${form})(?:'s)?$`, 'iu') }));
/** Returns whether the words are a time expression and nothing else. */
export const isTime = (said: string) => compiled.some(({ form }) => form.test(said));

const numberWords = 'zero|one first opening|two second|three third|four fourth|five fifth|six sixth'.split('|');
const numbers = new Map(numberWords.flatMap((some, value) => some.split(' ').map((word) => [word, value] as const)));
const numberWord = new RegExp(`\\b(?:${[...numbers.keys()].join('|')})\\b`);

interface TimeReading {
  round: number;
  /** Number that this statement uses for the first night, 0 or 1. */
  firstNight: number;
  /** Kind of the previous time expression, which "on the second" continues. */
  kind: ToldTime['kind'];
}

/**
 * Returns the time that words such as "last night" mean: its kind and its round. A night and the following day are one
 * round.
 */
export function parseTime(phrase: string, { round, firstNight, kind: before }: TimeReading): ToldTime {
  const told = compiled.find(({ form }) => form.test(phrase))?.kind ?? 'unclear';
  const word = /\d+/.exec(phrase)?.[0] ?? numberWord.exec(phrase)?.[0] ?? '';
  const number = numbers.get(word) ?? Number(word);
  const of = (kind: ToldTime['kind'], which: number): ToldTime => ({ kind, round: which > 0 ? which : null });
  switch (told) {
    case 'some night':
      return { kind: 'night', round: null };
    case 'last night':
      return of('night', round);
    case 'today':
    case 'yesterday':
    case 'tomorrow':
      return of(told, round + { today: 0, yesterday: -1, tomorrow: 1 }[told]);
    case 'ago':
      return phrase.includes('night') ? of('night', round - number + 1) : of('day', round - number);
    case 'numbered': {
      const [isNight, isDay] = [/night|\bn\d/, /day|\bd\d/].map((form) => form.test(phrase));
      const kind = isNight ? 'night' : isDay ? 'day' : phrase.includes('round') ? 'any' : before;
      const isOrdinal = /^(?:first|second|third|fourth|fifth|sixth|opening)$/.test(word);
      return of(kind, kind === 'night' && !isOrdinal ? number + 1 - firstNight : number);
    }
    case 'unclear':
      return { kind: 'unclear', round: null };
  }
}
