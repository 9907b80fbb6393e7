// Finds claims about what somebody is: the speaker's own role, another player's, accusations and defences; said with a
// form of "to be" or by an idiom.
import type { Claim, ClaimDraft } from './claim.ts';
import {
  attributeWords,
  type DiscourseContext,
  extractDrafts,
  type PatternMatch,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';
import { findManner, type Identity, parseCopula, parseIdentity } from './lexicon.ts';
import { decodePlayers, type Sentence } from './normal-form.ts';

/** "I am the …", "Dan and Leah are …". */
export function extractIdentities(reading: DiscourseContext): ClaimDraft[] {
  return [
    ...extractPredicated(reading),
    ...extractInverted(reading),
    ...extractLabelled(reading),
    ...extractTitles(reading),
  ];
}

const subjects = new RegExp(`(?<![^ ])${subjectPattern} `, 'g');

function extractPredicated(reading: DiscourseContext): ClaimDraft[] {
  const { words, sentences } = reading;
  return sentences.flatMap((sentence, index) =>
    [...sentence.code.matchAll(subjects)].flatMap((match): ClaimDraft[] => {
      const start = match.index;
      const rest = sentence.code.slice(start + match[0].length);
      const copula = parseCopula(rest, (code) => parseIdentity(code, null, words) !== null);
      const found = copula && parseIdentity(rest.slice(copula.length), copula.manner, words);
      if (!found) return [];
      const end = start + match[0].length + copula.length + found.length;
      const frame = attributeWords(sentence, start, end);
      if (
        frame?.isPresupposed &&
        !/^flip/.test(rest) &&
        !/(?:^| )(?:since|given that|now that) [^,;:—]*$/.test(sentence.code.slice(0, start))
      )
        return [];
      if (!frame || isTakenBack(sentence.code.slice(0, start), rest) || isOfBefore(rest, copula.length + found.length))
        return [];
      const who = resolvePlayers(match.groups!['subject']!, { reading, index, at: start });
      const isOne = /^(?:is|was|has|seems|looks|appears) /.test(rest);
      return (isOne ? who.slice(-1) : who)
        .map((name) => createIdentityClaim(name, found.is, reading.statement.by, copula.isDenied === frame.isDenied))
        .filter((draft) => !isIronic(draft, sentence, start))
        .map((draft) => ({
          ...draft,
          hedged: frame.isHedged || copula.isHedged,
          ...(frame.isPresupposed ? { presupposed: true } : {}),
          ...sentence.span(frame.from, end),
        }));
    }),
  );
}

/** "Of course, I am a …": of the pack one is in irony, unless one says it and nothing else. */
function isIronic(
  { type, team, polarity }: Pick<ClaimDraft, 'type' | 'team' | 'polarity'>,
  { code }: Sentence,
  start: number,
) {
  const isConfession = type === 'own_role' && team !== null && (team === 'werewolves') === polarity;
  return isConfession && (!confessing.test(code.slice(0, start)) || !/ [.!]$/.test(code) || / because /.test(code));
}

/** "I said I was the …": that one is so now is not said. */
const isTakenBack = (before: string, rest: string) =>
  /^was /.test(rest) &&
  /(?:^| )i (?:[a-z]+ ){0,3}(?:said|claimed|told|explained|mentioned)(?: [a-z]+){0,3} $/.test(before);

/** "I was the … last time": another game is meant. */
const isOfBefore = (rest: string, length: number) =>
  /^was /.test(rest) && /^ ?,? ?(?:the )?last time(?: |$)/.test(rest.slice(length));

const confessing =
  /^(?:(?:yes|well|fine|okay|ok|very well|all right|listen|everyone|everybody|friends|villagers|enough|there|the truth is|it is true|the game is over|(?:i (?:confess|admit|have to admit|must confess|will admit)(?: it)?(?: that)?)|[,:—!.]) )*$/;

const inverted =
  /(?<![^ ])(?:the|our|your|one of the) (?:(?:real|true|actual|only|other|last|remaining|two|second|third|hidden|first|one|final) )*(?<role>#[wv]s?\d+) (?:(?:left|here|among us|at this table|in this (?:village|room|game|town)) )?(?<verb>is|are|was|were|has to be|must be|is none other than|is and was|:) (?:not )?(?<object>@[\d+]+|me|you)(?= |$)(?! (?:, @|or |, you |\?))/g;

/** "The … is Dan", "one of the … is Leah". */
function extractInverted(reading: DiscourseContext): ClaimDraft[] {
  return extractDrafts(reading, inverted, ({ groups, frame, place, match }) => {
    const found = parseIdentity(groups['role']!, 'plain', reading.words)!;
    return resolvePlayers(groups['object']!, place).map((name) => ({
      ...createIdentityClaim(name, found.is, reading.statement.by, / not /.test(match[0]) === frame.isDenied),
      hedged: frame.isHedged,
    }));
  });
}

const left =
  '(?:exiled|killed|dead|gone|nk|nked|lost|lynched|murdered|taken|by our (?:own )?(?:votes?|hands?)|in the night(?: after)?)';
const plural = '(?:both|each|all|two|three)(?: of (?:whom|them))?';
const labelled = new RegExp(`(?:(?<=^|[.,;:!—→] |(?:^| )(?:and|then|poor) )|(?=@\\d+\\+[\\d+]+ , ${plural} ))(?<object>@[\\d+]+) (?<sign>(?:(?:[=:→—,]|${left}|${plural}|were|proved to be|being) )*)(?:(?:an?|another|the|our|also|my|just|confirmed|cleared|known|revealed|dead|still|plain|simple|honest|good) )*(?<what>no #w\\d+|not an? #w\\d+|#[wvt]s?\\d+|town|village|innocent|clean|clear|evil|guilty|#w\\d+ last|last #w\\d+)(?: (?:confirmed|read|dead|too|as well|again|for sure))?(?= (?:[.,;:!—]|and|so)|$)`, 'g'); // prettier-ignore

/** "Dan = town", "Leah: Werewolf, confirmed.", "Dan/Leah Villagers". */
function extractLabelled(reading: DiscourseContext): ClaimDraft[] {
  return extractDrafts(reading, labelled, ({ groups, frame, place, sentence, start }) => {
    const what = groups['what']!;
    const denied = /^(?:no|not an?) (.*)/.exec(what)?.[1];
    const found = parseIdentity((denied ?? what).replace(/ ?last ?/, ''), 'plain', reading.words);
    const about = `${sentence.heading} ${sentence.code.slice(0, start)}`;
    if (
      !found ||
      (isNoLabel.test(about) && !/^, (?:both|each|all|two|three) /.test(groups['sign']!)) ||
      (groups['sign']!.includes(',') && !/^#/.test(what))
    )
      return [];
    const isOfClaims = groups['sign'] === ': ' && /(?:^| )claims?(?: |$)/.test(sentence.heading);
    return resolvePlayers(groups['object']!, place).map((name) => ({
      ...createIdentityClaim(name, found.is, reading.statement.by, (denied === undefined) !== frame.isDenied),
      ...(isOfClaims ? { type: 'speech' as const } : {}),
      hedged: frame.isHedged,
    }));
  });
}

/** Where results of checks or suspicions are listed, a label is one of them. */
const isNoLabel =
  /(?:^| )(?:checks?|checked|results?|inspect\w*|leans?|suspects?|sus|claimed|lists?|called|calls|vote[sd]?|either|or|between|as|named|had|have|has)(?: |$)/;

/** "Dan (Seer)", "our Seer Dan": what stands beside a name is the speaker's, whatever the sentence is of. */
function extractTitles({ sentences, words, statement }: DiscourseContext): ClaimDraft[] {
  return sentences.flatMap(({ attributes, code }) =>
    attributes.flatMap(({ player, identity, at, from, to }): ClaimDraft[] => {
      const found = parseIdentity(identity, 'plain', words) ?? {
        is: { role: null, team: identity === 'bad' ? ('werewolves' as const) : ('villagers' as const) },
      };
      const [name = ''] = decodePlayers(player, words);
      const before = code.slice(0, at);
      if (
        /(?:^| )(?:if|suppose|imagine|leans?|leaning|suspects?|sus|maybe|probably|could|might|team|teams|possible|claims?|claimed|calls?|called|says|said|either|check(?:s|ed)?|investigated|inspected|unmasked|looked)(?: [^.;:!—]*)? $/.test(
          before,
        )
      )
        return [];
      return [{ ...createIdentityClaim(name, found.is, statement.by, true), from, to }];
    }),
  );
}

/** The claim that somebody is so, or is not. */
function createIdentityClaim(
  name: string,
  { role, team }: Identity,
  by: string,
  isSo: boolean,
): Pick<Claim, 'type' | 'subject' | 'role' | 'team' | 'polarity'> {
  const accuses = (team === 'werewolves') === isSo;
  const type = name === by ? 'own_role' : role ? 'role' : accuses ? 'accusation' : 'defence';
  return { type, subject: name, role: role?.name ?? null, team: role ? null : team, polarity: isSo };
}

// What somebody is, said otherwise than by "is": in a capacity, by an apposition, by pointing at a role named before.

const plain = 'plain|simple|ordinary|regular|humble|mere|lowly|boring|powerless|vanilla';
const manner = `(?:(?:${plain}|fellow|real|true|only|actual|village|loyal|honest|good|last|one) )*`;
const article = '(?:an? |the |your |our |one of the |just an? |only an? |nothing but an? )?';
const role = String.raw`(?<role>#[wvt]s?\d+)`;
const lone = String.raw`(?<role>#[wvt]\d+)`;
const compileForm = (pattern: string) => new RegExp(`(?<![^ ])${pattern}(?= |$)`, 'g');

/** What the speaker says to be. */
const own = [
  new RegExp(`(?<![^ ])(?:(?:speaking|and|but|so|now|,) )?(?:as|being) ${article}${manner}${role}(?=(?: (?!in |on |at |if )[a-z ]{1,40})?(?: ,)? (?:my|i (?!would|could|might|should)))`, 'g'),
  compileForm(`(?:my (?:true |real |actual )?role is|i (?:(?:now|hereby|also|am|must|will|want to|have to|need to) )*(?:hard )?(?:claim|claiming|come (?:forward|out) as|coming (?:forward|out) as|came (?:forward|out) as|reveal myself as|revealing myself as)(?: to be)?)(?: (?:an?|the|your|that of an?|that of the|plain|simple))* ${lone}(?: 's role| role)?`),
  new RegExp(`(?<![^ ])i , (?:as )?(?:the|your|a) ${manner}${lone}(?= ,)`, 'g'),
  compileForm(`i (?:(?:have|had|was|did|also|have been|just) )*(?:drew|draw|drawn|got|been|dealt|given|assigned|handed|hold|holding|have|received) (?:been )?(?:the |a )?(?:(?:role|card|part|job) of (?:an? |the )?)?${manner}${lone}(?: card| role| 's card|(?=(?: (?:at the (?:start|beginning)|this (?:game|time)|from the start))? [.,;!—]))`),
  compileForm(`my (?:card|role card|secret role|role|job|identity) (?:is|says|said|reads|was|has always been|has been) (?:an? |the |that of (?:an? |the )?)?${manner}${lone}`),
  compileForm(`(?:i (?:hold|exercise|have held)|mine is) the (?:office|role|power) of ${lone}`),
  compileForm(`the (?:office|role|gift|part) of (?:the )?${lone} (?:is (?:held|exercised|played) by me|belongs to me|is mine)`),
  compileForm(`(?:the )?${lone} 's (?:gift|role|office|card|part|power)s? (?:is|are) mine`),
  compileForm(`(?:the )?${lone} (?:, )?(?:is|that is) me`),
  compileForm(`the ${lone} of this (?:town|village) stands (?:before|in front of) you`),
  compileForm(
    `^(?:(?:my |full |hard |role )*(?:claim|role|declaration|reveal) : )(?:i am )?(?:(?:the|an?|plain|simple|just|vanilla) )*${lone}`.replace('(?<![^ ])', ''),
  ),
  compileForm(`i (?:speak|stand here|come to you|say this|write) as (?:an?|the|your) ${manner}${lone}`),
  compileForm(`you (?:are|have been) (?:looking at|talking to|listening to|speaking to|speaking with|talking with|staring at|facing|about to (?:exile|hang|lynch|lose|vote out)) (?:the|your|our) ${manner}${lone}`),
  compileForm(`the ${manner}${lone} is [a-z ,]{0,40}?(?:talking to you|speaking to you|speaking now|right here|standing (?:right )?(?:here|before you|in front of you)|sitting (?:right )?here|addressing you|asking you|telling you)`),
]; // prettier-ignore

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
  new RegExp(String.raw`^(?:your )?(?:${manner})(?<role>#[vt]\d+) (?:here|speaking)(?= )`, 'g'),
];

/** A role that is all that a statement begins with: "Villager. Rough night." */
const opener = new RegExp(
  String.raw`^(?:${manner})(?<role>#[vt]\d+)(?= (?:\.|, (?:no|not|nothing|that is me) )|$)`,
  'g',
);

/** "No Werewolf here." */
const denying = compileForm(`(?:no|not an?) (?<role>#w\\d+) here`);

/** "I am", "it is me" and "it is not me", of a role named shortly before. */
const pointed = [
  /(?<![^ ])(?:it|that) (?:is|was|has to be|must be|would be) (?<denied>(?:certainly |definitely |simply )?not )?(?:me|myself)(?= (?:[.,;!—)]|and |because |$))/g,
  /(?<= not (?:an?|the|your|our) (?:real |true )?#[wvt]\d+ (?:[,;.—] )(?:(?:because|and|but|since|for) )?)i am(?= [.,;!—])/g,
];

/** "One wolf is left, and it is Dan". */
const pointedAt =
  /(?<![^ ])(?:it|that) (?:is|was|has to be|must be) (?<object>@\d+)(?= (?:[.,;!—)]|and |because |$))(?! , who)/g;

/** "The …, Dan,". */
const apposed = new RegExp(
  `(?<![^ ])(?:the|our|your) ${manner}${lone} , (?<object>@\\d+) (?=[.;!—]|, (?!perhaps|maybe|if|or|possibly|probably|supposedly|allegedly|i think))`,
  'g',
);

/** "I accuse Dan of being a …". */
const accusing = compileForm(
  `i (?:(?:hereby|formally|openly|now|am|therefore) )*(?:accuse|accusing|call|calling|name|naming) (?<object>@\\d+|you|him|her) (?:of being |out as |as |to be )?(?:an?|the|one of the) (?<role>#ws?\\d+)`,
);

/** "I am neither the … nor the …". */
const neither = compileForm(
  `${subjectPattern} (?:am|is|are|was|were) neither (?:an?|the) #[wvt]\\d+(?:(?: ,)? nor (?:an?|the) #[wvt]\\d+)+`,
);

/** "Neither Dan nor I am a …". */
const nobodyOf = compileForm(
  `neither (?<one>@\\d+|i) nor (?<other>@\\d+|i|me) (?:is|am|was|are|were) (?:an?|the|one of the) (?<role>#[wvt]s?\\d+)`,
);

/** What is said to be no truth of somebody's claim. */
const exposed = [
  compileForm(`(?<object>@\\d+) 's (?:claim (?:to be|of being) (?:an? |the )?${lone}|${lone} (?:claim|story|act|tale)) (?:is|was) (?:(?:completely|totally|entirely|all|pure|a complete|a total|an outright) )*(?:a lie|lies|fake|false|bogus|fraud|a fraud|a fabrication|fabricated|made up|invented|untrue|nonsense|a sham|a bluff|fiction|dead|the false one)`),
  compileForm(`(?<object>@\\d+|you|he|she) (?:(?:is|are|was|were) )?(?<denied>not )?(?:just )?(?:lied about being|lying about being|lying when (?:he|she|you) (?:say|says) (?:he|she|you) (?:is|are)|falsely claiming to be|only pretending to be|pretending to be) (?:an? |the |our )?${lone}`),
  compileForm(`(?<object>@\\d+|you|he|she) (?:is|are|was|were) (?:an?|the) (?:fake|false|phony|phoney|bogus|pretend|fraudulent|would - be|counterfeit) ${lone}`),
  compileForm(`(?:fake|false|phony|bogus|impostor) ${lone} (?<object>@\\d+)`),
  compileForm(`(?<object>@\\d+) (?:faked|fakeclaimed|made up|invented) (?:being |the |an? )*${lone}`),
]; // prettier-ignore

/** Claims about what somebody is in any of these forms. */
export function extractIdioms(reading: DiscourseContext): ClaimDraft[] {
  const { by } = reading.statement;
  const createIdentities = (found: PatternMatch, code: string, isSo: boolean) => {
    const is = parseIdentity(code, findManner(found.match[0].split(' ')), reading.words);
    return is
      ? (name: string) => [{ ...createIdentityClaim(name, is.is, by, isSo), hedged: found.frame.isHedged }]
      : () => [];
  };
  return [
    ...[...own, ...fragments].flatMap((pattern) =>
      extractDrafts(
        reading,
        pattern,
        (found) =>
          createIdentities(
            found,
            found.groups['role']!,
            !found.frame.isDenied,
          )(by).filter(({ team, polarity }) => (team === 'werewolves') !== polarity || team === null),
        { isComplete: !fragments.includes(pattern) },
      ),
    ),
    ...extractDrafts(reading, opener, (found) =>
      found.place.index === 0 ? createIdentities(found, found.groups['role']!, true)(by) : [],
    ),
    ...extractDrafts(reading, denying, (found) => createIdentities(found, found.groups['role']!, false)(by)),
    ...pointed.flatMap((pattern) =>
      extractDrafts(reading, pattern, (found) => {
        const before = findRoleBefore(found);
        const isSo = (found.groups['denied'] === undefined) !== found.frame.isDenied;
        if (before === null || isSo === before.startsWith('#w')) return []; // "it is not me" is said of the pack
        return createIdentities(found, before, isSo)(by);
      }),
    ),
    ...extractDrafts(reading, neither, (found) =>
      resolvePlayers(found.groups['subject']!, found.place).flatMap((name) =>
        (found.match[0].match(/#[wvt]\d+/g) ?? []).flatMap((code) =>
          createIdentities(found, code, found.frame.isDenied)(name),
        ),
      ),
    ),
    ...extractDrafts(reading, nobodyOf, (found) =>
      [found.groups['one']!, found.groups['other']!]
        .flatMap((word) => resolvePlayers(word, found.place))
        .flatMap(createIdentities(found, found.groups['role']!, found.frame.isDenied)),
    ),
    ...extractDrafts(reading, pointedAt, (found) => {
      const before = findRoleBefore(found);
      return before?.startsWith('#w') === true && !found.frame.isDenied
        ? resolvePlayers(found.groups['object']!, found.place).flatMap(createIdentities(found, before, true))
        : [];
    }),
    ...[apposed, accusing].flatMap((pattern) =>
      extractDrafts(reading, pattern, (found) =>
        resolvePlayers(found.groups['object']!, found.place).flatMap(
          createIdentities(found, found.groups['role']!, !found.frame.isDenied),
        ),
      ),
    ),
    ...exposed.flatMap((pattern) =>
      extractDrafts(reading, pattern, (found) =>
        resolvePlayers(found.groups['object']!, found.place).flatMap(
          createIdentities(
            found,
            found.groups['role']!,
            (found.groups['denied'] !== undefined) !== found.frame.isDenied,
          ),
        ),
      ),
    ),
  ];
}

/** The role last named shortly before, with nobody's name between; null where somebody did something to it. */
function findRoleBefore({ sentence, start, place }: PatternMatch): string | null {
  const earlier = place.reading.sentences[place.index - 1]?.code ?? '';
  const found = /([^.,;:—]*)(#[wvt]\d+)[^@#]{0,80}$/.exec(`${earlier} ${sentence.code.slice(0, start)}`);
  return found === null || /(?:^| )(?:against|for|with|vot\w+|kill\w*|accus\w+|by|like|want\w*) /.test(found[1]!)
    ? null
    : found[2]!;
}
