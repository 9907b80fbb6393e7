// The forms in which players tell what somebody did with a power, made of the words that the roles declare.
import { inserted, object, subject } from './reading.ts';
import type { Deed, TableWords } from './table-words.ts';

export interface DeedPattern {
  pattern: RegExp;
  /** What the words mean; undefined where they are no deed. */
  deedOf: (groups: Readonly<Record<string, string | undefined>>) => Deed | undefined;
}

const adverbs =
  'also|already|just|even|personally|then|first|in fact|successfully|secretly|only|really|indeed|specifically|actually|wisely|immediately|tonight|again|myself|quietly|proudly|gladly|definitely|certainly|clearly|simply|still|always|later|instead|yesterday|once|twice|wrongly|rightly|correctly|eventually|finally|, in fact ,|, myself ,|, of course ,|, as the #\\S+ ,|, the #\\S+ ,';
const nights =
  'last night|on night \\d+|on both nights|on the (?:first|second|third) night|the first night|the night before|(?:two|three) nights ago';
const chosen =
  'chose to|decided to|managed to|opted to|elected to|made sure to|got to|was able to|was sent to|was free to|had the chance to|took the (?:chance|opportunity) to|used (?:my|the|our|his|her) [a-z ]{1,20}? to|used it to|went ahead and|went and';
const presented = '(?:am|was) the (?:one|person|#\\S+) (?:who|that|and)|am a #\\S+ and|am the #\\S+ and';
const aside = `(?:have|has|had|did|do|${adverbs}|${nights}|${chosen}|${presented}|${inserted}) `;
/** "It was me who …" */
const doer = subject.replace('(?<subject>', '(?:it was )?(?<subject>me(?= (?:who|that) )|');
const gap = '…';

/** Compiled once for all tables: the words of most are the same. */
const compiled = new Map<string, RegExp>();

function regExp(source: string): RegExp {
  const before = compiled.get(source);
  if (before) return before;
  const made = new RegExp(source, 'g');
  compiled.set(source, made);
  return made;
}

const known = new WeakMap<TableWords, readonly DeedPattern[]>();

/** `between` of what they find holds what stands before the verb. */
export function deedPatterns(words: TableWords): readonly DeedPattern[] {
  const before = known.get(words);
  if (before) return before;
  const { past, infinitive, gerund } = words;
  const told = new Map([...infinitive, ...past]);
  const patterns = [
    ...[...told.keys()].flatMap((form) => (form.includes(gap) ? [active(form, past, infinitive)] : [])),
    active(solid(told.keys()), past, infinitive),
    {
      pattern: regExp(
        `(?<![^ ])${doer} (?<between>(?:${aside}|not |never )*)(?:was|were|have been|has been|had been|spent (?:the |last |that |both |every )?(?:first |second |third )?nights?(?: \\d+| one| two| three)?|kept busy) (?<late>(?:not |never |busy |indeed |actually |already )*)(?<deed>${solid(gerund.keys())}) ${object}(?= |$)`,
      ),
      deedOf: ({ deed }: Groups) => gerund.get(deed!),
    },
    {
      pattern: regExp(
        `(?<![^ ])(?<object>@[\\d+]+|i|you|he|she|they) (?:was|were|has been|have been|had been|got) (?<between>(?:${adverbs}|${nights}|not|never) )*(?<deed>${solid(past.keys())}) (?:last night |that night |on night \\d+ )?by (?<subject>@\\d+|me)(?= |$)`,
      ),
      deedOf: ({ deed }: Groups) => past.get(deed!),
    },
  ];
  known.set(words, patterns);
  return patterns;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Forms = TableWords['past'];

const solid = (forms: Iterable<string>) => [...forms].filter((form) => !form.includes(gap)).join('|');

/** `form`: the verbs, or one verb with the place of its object between its words. */
function active(form: string, past: Forms, infinitive: Forms): DeedPattern {
  const [verb, rest] = form.split(` ${gap} `);
  return {
    pattern: regExp(
      `(?<![^ ])${doer} (?<between>(?:${aside}|not |never )*)(?<deed>${verb}) ${rest === undefined ? `(?:on |into |out )?${object}` : `${object} ${rest}`}(?= |$)`,
    ),
    deedOf: ({ between = '', deed }) => {
      const takesInfinitive = /(?:(?:did|do)(?: not| never)?(?: [a-z]+)?|to) $/.test(between);
      return (takesInfinitive ? infinitive : past).get(rest === undefined ? deed! : `${deed} ${gap} ${rest}`);
    },
  };
}
