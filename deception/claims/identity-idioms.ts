// What somebody is, said otherwise than by "is": in a capacity, by an apposition, by pointing at a role named before.
import type { Draft } from './claim.ts';
import { identity } from './identities.ts';
import { identityAt, mannerOf } from './identity-words.ts';
import { draftsBy, subject, whoIs, type Found, type Reading } from './reading.ts';

const plain = 'plain|simple|ordinary|regular|humble|mere|lowly|boring|powerless|vanilla';
const manner = `(?:(?:${plain}|fellow|real|true|only|actual|village|loyal|honest|good|last|one) )*`;
const article = '(?:an? |the |your |our |one of the |just an? |only an? |nothing but an? )?';
const role = String.raw`(?<role>#[wvt]s?\d+)`;
const lone = String.raw`(?<role>#[wvt]\d+)`;
const form = (pattern: string) => new RegExp(`(?<![^ ])${pattern}(?= |$)`, 'g');

/** What the speaker says to be. */
const own = [
  new RegExp(
    `(?<![^ ])(?:(?:speaking|and|but|so|now|,) )?(?:as|being) ${article}${manner}${role}(?=(?: (?!in |on |at |if )[a-z ]{1,40})?(?: ,)? (?:my|i (?!would|could|might|should)))`,
    'g',
  ),
  form(
    `(?:my (?:true |real |actual )?role is|i (?:(?:now|hereby|also|am|must|will|want to|have to|need to) )*(?:hard )?(?:claim|claiming|come (?:forward|out) as|coming (?:forward|out) as|came (?:forward|out) as|reveal myself as|revealing myself as)(?: to be)?)(?: (?:an?|the|your|that of an?|that of the|plain|simple))* ${lone}(?: 's role| role)?`,
  ),
  new RegExp(`(?<![^ ])i , (?:as )?(?:the|your|a) ${manner}${lone}(?= ,)`, 'g'),
  form(
    `i (?:(?:have|had|was|did|also|have been|just) )*(?:drew|draw|drawn|got|been|dealt|given|assigned|handed|hold|holding|have|received) (?:been )?(?:the |a )?(?:(?:role|card|part|job) of (?:an? |the )?)?${manner}${lone}(?: card| role| 's card|(?=(?: (?:at the (?:start|beginning)|this (?:game|time)|from the start))? [.,;!—]))`,
  ),
  form(
    `my (?:card|role card|secret role|role|job|identity) (?:is|says|said|reads|was|has always been|has been) (?:an? |the |that of (?:an? |the )?)?${manner}${lone}`,
  ),
  form(`this is (?:the|your|our) ${manner}${lone} (?:speaking|talking)`),
  form(
    `you (?:are|have been) (?:looking at|talking to|listening to|speaking to|speaking with|talking with|staring at|facing|about to (?:exile|hang|lynch|lose|vote out)) (?:the|your|our) ${manner}${lone}`,
  ),
  form(
    `the ${manner}${lone} is [a-z ,]{0,40}?(?:talking to you|speaking to you|speaking now|right here|standing (?:right )?(?:here|before you|in front of you)|sitting (?:right )?here|addressing you|asking you|telling you)`,
  ),
];

/** The same where what may follow is part of the pattern. */
const fragments = [
  // "I would not know, being a …"
  new RegExp(
    String.raw`(?<![^ ])i [^;:—.!?@]*, (?:being|as) ${article}${manner}${lone}(?= (?:[.!]|and |myself ))`,
    'g',
  ),
  // "Just a humble … doing what I can."
  new RegExp(
    String.raw`^(?:(?:just|only|simply|merely) an? (?:(?:${plain}) )*|an? (?:${plain}) )(?<role>#[vt]\d+)(?= (?:[.,;:!—]|here|[a-z]+ing |who |with ))`,
    'g',
  ),
  new RegExp(String.raw`^(?:your )?(?:${manner})(?<role>#[vt]\d+) (?:here|speaking)(?= [.,;:!—])`, 'g'),
];

/** "I am", "it is me" and "it is not me", of a role named shortly before. */
const pointed = [
  /(?<![^ ])(?:it|that) (?:is|was|has to be|must be|would be) (?<denied>(?:certainly |definitely |simply )?not )?(?:me|myself)(?= (?:[.,;!—)]|and |because |$))/g,
  /(?<= not (?:an?|the|your|our) (?:real |true )?#[wvt]\d+ (?:[,;.—] )(?:(?:because|and|but|since|for) )?)i am(?= [.,;!—])/g,
];

/** "One wolf is left, and it is Dan". */
const pointedAt = /(?<![^ ])(?:it|that) (?:is|was|has to be|must be) (?<object>@\d+)(?= (?:[.,;!—)]|and |because |$))/g;

/** "Dan, the real …,", "the …, Dan,". */
const apposed = [
  new RegExp(
    `(?<![^ ])(?<object>@\\d+) , (?:the|our|a|your|another) ${manner}${lone} (?=[.;!—]|, (?!perhaps|maybe|if|or|possibly|probably|supposedly|allegedly|i think))`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])(?:the|our|your) ${manner}${lone} , (?<object>@\\d+) (?=[.;!—]|, (?!perhaps|maybe|if|or|possibly|probably|supposedly|allegedly|i think))`,
    'g',
  ),
];

/** "I accuse Dan of being a …". */
const accusing = form(
  `i (?:(?:hereby|formally|openly|now|am|therefore) )*(?:accuse|accusing|call|calling|name|naming) (?<object>@\\d+|you|him|her) (?:of being |out as |as |to be )?(?:an?|the|one of the) (?<role>#ws?\\d+)`,
);

/** "I am neither the … nor the …". */
const neither = form(
  `${subject} (?:am|is|are|was|were) neither (?:an?|the) #[wvt]\\d+(?:(?: ,)? nor (?:an?|the) #[wvt]\\d+)+`,
);

/** "Neither Dan nor I am a …". */
const nobodyOf = form(
  `neither (?<one>@\\d+|i) nor (?<other>@\\d+|i|me) (?:is|am|was|are|were) (?:an?|the|one of the) (?<role>#[wvt]s?\\d+)`,
);

/** What is said to be no truth of somebody's claim. */
const exposed = [
  form(
    `(?<object>@\\d+) 's (?:claim (?:to be|of being) (?:an? |the )?${lone}|${lone} (?:claim|story|act|tale)) (?:is|was) (?:(?:simply|clearly|obviously|just|plainly|completely|totally|entirely|all|pure|a complete|a total|an outright) )*(?:a lie|lies|fake|false|bogus|fraud|a fraud|a fabrication|fabricated|made up|invented|untrue|nonsense|a sham|a bluff|fiction)`,
  ).source,
  form(
    `(?<object>@\\d+|you|he|she) (?:is|are|was|were) (?<denied>not )?(?:just |clearly |obviously |simply )?(?:lying about being|lying when (?:he|she|you) (?:say|says) (?:he|she|you) (?:is|are)|falsely claiming to be|only pretending to be|pretending to be) (?:an? |the |our )?${lone}`,
  ).source,
  form(`(?<object>@\\d+|you|he|she) (?:lied) about being (?:an? |the |our )?${lone}`).source,
  form(
    `(?<object>@\\d+|you|he|she) (?:is|are|was|were) (?:an?|the) (?:fake|false|phony|phoney|bogus|pretend|fraudulent|would - be|counterfeit) ${lone}`,
  ).source,
].map((source) => new RegExp(source, 'g'));

/** Claims about what somebody is in any of these forms. */
export function idiomsIn(reading: Reading): Draft[] {
  const { by } = reading.statement;
  const isOf = (found: Found, code: string, isSo: boolean) => {
    const is = identityAt(code, mannerOf(found.match[0].split(' ')), reading.words);
    return is ? (name: string) => [{ ...identity(name, is.is, by, isSo), hedged: found.frame.isHedged }] : () => [];
  };
  return [
    ...[...own, ...fragments].flatMap((pattern) =>
      draftsBy(
        reading,
        pattern,
        (found) =>
          isOf(
            found,
            found.groups['role']!,
            !found.frame.isDenied,
          )(by).filter(({ team, polarity }) => (team === 'werewolves') !== polarity || team === null),
        !fragments.includes(pattern),
      ),
    ),
    ...pointed.flatMap((pattern) =>
      draftsBy(reading, pattern, (found) => {
        const before = roleBefore(found);
        const isSo = (found.groups['denied'] === undefined) !== found.frame.isDenied;
        if (before === null || isSo === before.startsWith('#w')) return []; // "it is not me" is said of the pack
        return isOf(found, before, isSo)(by);
      }),
    ),
    ...draftsBy(reading, neither, (found) =>
      whoIs(found.groups['subject']!, found.place).flatMap((name) =>
        (found.match[0].match(/#[wvt]\d+/g) ?? []).flatMap((code) => isOf(found, code, found.frame.isDenied)(name)),
      ),
    ),
    ...draftsBy(reading, nobodyOf, (found) =>
      [found.groups['one']!, found.groups['other']!]
        .flatMap((word) => whoIs(word, found.place))
        .flatMap(isOf(found, found.groups['role']!, found.frame.isDenied)),
    ),
    ...draftsBy(reading, pointedAt, (found) => {
      const before = roleBefore(found);
      return before?.startsWith('#w') === true && !found.frame.isDenied
        ? whoIs(found.groups['object']!, found.place).flatMap(isOf(found, before, true))
        : [];
    }),
    ...[...apposed, accusing].flatMap((pattern) =>
      draftsBy(reading, pattern, (found) =>
        whoIs(found.groups['object']!, found.place).flatMap(isOf(found, found.groups['role']!, !found.frame.isDenied)),
      ),
    ),
    ...exposed.flatMap((pattern) =>
      draftsBy(reading, pattern, (found) =>
        whoIs(found.groups['object']!, found.place).flatMap(
          isOf(found, found.groups['role']!, (found.groups['denied'] !== undefined) !== found.frame.isDenied),
        ),
      ),
    ),
  ];
}

/** The role last named shortly before, with nobody's name between; null where somebody did something to it. */
function roleBefore({ sentence, start, place }: Found): string | null {
  const earlier = place.reading.sentences[place.index - 1]?.code ?? '';
  const found = /([^.,;:—]*)(#[wvt]\d+)[^@#]{0,80}$/.exec(`${earlier} ${sentence.code.slice(0, start)}`);
  return found === null || /(?:^| )(?:against|for|with|vot\w+|kill\w*|accus\w+|by|like|want\w*) /.test(found[1]!)
    ? null
    : found[2]!;
}
