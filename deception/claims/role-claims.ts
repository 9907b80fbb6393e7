// Finds claims about identity: the speaker's own role, another player's, accusations and defences, said with a form of
// "to be" or by an idiom.
import { listMatches } from '../../state/text.ts';
import type { Claim, ClaimDraft } from './claim.ts';
import {
  attributeWords,
  type DiscourseContext,
  buildWordPattern,
  extractDrafts,
  type PatternMatch,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';
import { findManner, type ParsedIdentity, parseCopula, parseIdentity } from './lexicon.ts';
import { decodePlayers, type NormalSentence } from './normalize-sentences.ts';

/** Finds identities stated with a form of "to be": "I am the …", "Dan and Leah are …". */
export function extractIdentities(reading: DiscourseContext): ClaimDraft[] {
  return [...extractPredicated(reading), ...extractLabelled(reading), ...extractTitles(reading)];
}

const subjects = new RegExp(`(?<![^ ])${subjectPattern} `, 'g');

function extractPredicated(reading: DiscourseContext): ClaimDraft[] {
  const { words, sentences } = reading;
  return sentences.flatMap((sentence, index) =>
    listMatches(subjects, sentence.code).flatMap((match): ClaimDraft[] => {
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
      if (!frame || isTakenBack(sentence.code.slice(0, start), rest)) return [];
      const who = resolvePlayers(match.groups!['subject']!, { reading, index, at: start });
      const isOne = /^(?:is|was|has|seems|looks|appears) /.test(rest);
      return (isOne ? who.slice(-1) : who)
        .map((name) =>
          createIdentityClaim(name, found.identity, reading.statement.by, copula.isDenied === frame.isDenied),
        )
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

/**
 * Whether "Of course, I am a …" is ironic. Claiming to be a Werewolf counts as ironic, unless the statement says
 * nothing else.
 */
function isIronic(
  { type, team, polarity }: Pick<ClaimDraft, 'type' | 'team' | 'polarity'>,
  { code }: NormalSentence,
  start: number,
) {
  const isConfession = type === 'own_role' && team !== null && (team === 'werewolves') === polarity;
  return isConfession && (!confessing.test(code.slice(0, start)) || !/ [.!]$/.test(code) || / because /.test(code));
}

/** Whether a claim is only reported: "I said I was the …" does not say that the speaker still claims the role. */
const isTakenBack = (before: string, rest: string) =>
  /^was /.test(rest) &&
  /(?:^| )i (?:[a-z]+ ){0,3}(?:said|claimed|told|explained|mentioned)(?: [a-z]+){0,3} $/.test(before);

const confessing =
  /^(?:(?:yes|well|fine|okay|ok|very well|all right|listen|everyone|everybody|friends|villagers|enough|there|the truth is|it is true|the game is over|(?:i (?:confess|admit|have to admit|must confess|will admit)(?: it)?(?: that)?)|[,:—!.]) )*$/;

const left =
  '(?:exiled|killed|dead|gone|nk|nked|lost|lynched|murdered|taken|by our (?:own )?(?:votes?|hands?)|in the night(?: after)?)';
const plural = '(?:both|each|all|two|three)(?: of (?:whom|them))?';
const labelled = new RegExp(`(?:(?<=^|[.,;:!—→] |(?:^| )(?:and|then|poor) )|(?=@\\d+\\+[\\d+]+ (?:[,—] )?${plural} ))(?<object>@[\\d+]+) (?<sign>(?:(?:[=:→—,]|${left}|${plural}|was|were|are|proved to be|turned out to be|being) )*)(?:(?:an?|another|the|our|also|my|just|confirmed|cleared|known|revealed|dead|still|plain|simple|honest|good) )*(?<what>no #w\\d+|not an? #w\\d+|#[wvt]s?\\d+|town|village|innocent|clean|clear|evil|guilty|#w\\d+ last|last #w\\d+)(?: (?:confirmed|read|dead|too|as well|again|for sure))?(?= (?:[.,;:!—]|and|so)|$)`, 'g'); // prettier-ignore

/** Finds identities stated as a label: "Dan = town", "Leah: Werewolf, confirmed.", "Dan/Leah Villagers". */
function extractLabelled(reading: DiscourseContext): ClaimDraft[] {
  return extractDrafts(reading, labelled, ({ groups, frame, place, sentence, start }) => {
    const what = groups['what']!;
    const denied = /^(?:no|not an?) (.*)/.exec(what)?.[1];
    const found = parseIdentity((denied ?? what).replace(/ ?last ?/, ''), 'plain', reading.words);
    const about = `${sentence.heading} ${sentence.code.slice(0, start)}`;
    if (
      !found ||
      (isNoLabel.test(about) && !new RegExp(`^(?:[,—] )?${plural} `).test(groups['sign']!)) ||
      (groups['sign']!.includes(',') && !/^#/.test(what))
    )
      return [];
    const isOfClaims = groups['sign'] === ': ' && /(?:^| )claims?(?: |$)/.test(sentence.heading);
    return resolvePlayers(groups['object']!, place).map((name) => ({
      ...createIdentityClaim(name, found.identity, reading.statement.by, (denied === undefined) !== frame.isDenied),
      ...(isOfClaims ? { type: 'speech' as const } : {}),
      hedged: frame.isHedged,
    }));
  });
}

/** Words that show that a label is only an item in a list of checks or suspicions. */
const isNoLabel =
  /(?:^| )(?:checks?|checked|results?|inspect\w*|leans?|suspects?|sus|claimed|lists?|called|calls|vote[sd]?|either|or|between|as|named|had|have|has)(?: |$)/;

/**
 * Finds attributes next to a name: "Dan (Seer)", "our Seer Dan". An attribute counts as the speaker's claim, whatever
 * the rest of the sentence says.
 */
function extractTitles({ sentences, words, statement }: DiscourseContext): ClaimDraft[] {
  return sentences.flatMap(({ attributes, code }) =>
    attributes.flatMap(({ player, identity, at, from, to }): ClaimDraft[] => {
      const found = parseIdentity(identity, 'plain', words) ?? {
        identity: { role: null, team: identity === 'bad' ? ('werewolves' as const) : ('villagers' as const) },
      };
      const [name = ''] = decodePlayers(player, words);
      const before = code.slice(0, at);
      if (
        /(?:^| )(?:if|suppose|imagine|leans?|leaning|suspects?|sus|maybe|probably|could|might|team|teams|possible|claims?|claimed|calls?|called|says|said|either|check(?:s|ed)?|investigated|inspected|unmasked|looked)(?: [^.;:!—]*)? $/.test(
          before,
        )
      )
        return [];
      return [{ ...createIdentityClaim(name, found.identity, statement.by, true), from, to }];
    }),
  );
}

/** Creates the claim that a player has an identity or does not have it. */
function createIdentityClaim(
  name: string,
  { role, team }: ParsedIdentity,
  by: string,
  isSo: boolean,
): Pick<Claim, 'type' | 'subject' | 'role' | 'team' | 'polarity'> {
  const accuses = (team === 'werewolves') === isSo;
  const type = name === by ? 'own_role' : role ? 'role' : accuses ? 'accusation' : 'defence';
  return { type, subject: name, role: role?.name ?? null, team: role ? null : team, polarity: isSo };
}

// Identities stated without "is": by a capability, an apposition, or a reference to a role named before.

const plain = 'plain|simple|ordinary|regular|humble|mere|lowly|boring|powerless|vanilla';
const manner = `(?:(?:${plain}|fellow|real|true|only|actual|village|loyal|honest|good|last|one) )*`;
const article = '(?:an? |the |your |our |one of the |just an? |only an? |nothing but an? )?';
const role = String.raw`#[wvt]s?\d+`;
const good = String.raw`#[vt]\d+`;
const whom = String.raw`(?<object>@\d+|you|he|she|him|her)`;

/**
 * An idiom that states a player's role. The player is the idiom's object, or else the speaker. The role is named in the
 * idiom, or else shortly before.
 */
interface Idiom {
  pattern: RegExp;
  isDenial?: true;
  /** Whether the pattern itself covers all words that may follow it. */
  isClosed?: true;
}

const idioms: readonly Idiom[] = [
  { pattern: new RegExp(`(?<![^ ])(?:(?:speaking|and|but|so|now|,) )?(?:as|being) ${article}${manner}${role}(?=(?: (?!in |on |at |if )[a-z ]{1,40})?(?: ,)? (?:my|i (?!would|could|might|should)))`, 'g') },
  { pattern: buildWordPattern(`(?:my (?:true |real |actual )?role is|i (?:(?:now|hereby|also|am|must|will|want to|have to|need to) )*(?:hard )?(?:claim|claiming|(?:come|coming|came) (?:forward|out) as|reveal(?:ing)? myself as|(?:speak|stand here|come to you|write) as)(?: to be)?)(?: (?:an?|the|your|that of an?|that of the|plain|simple))* ${good}(?: 's role| role)?`) },
  { pattern: buildWordPattern(`i , (?:as )?(?:the|your|a) ${manner}${good}(?= ,)`) },
  { pattern: buildWordPattern(`i (?:(?:have|had|was|did|also|have been|just) )*(?:drew|draw|drawn|got|been|dealt|given|assigned|handed|hold|holding|have|received) (?:been )?(?:the |a )?(?:(?:role|card|part|job) of (?:an? |the )?)?${manner}${good}(?: card| role| 's card|(?=(?: (?:at the (?:start|beginning)|this (?:game|time)|from the start))? [.,;!—]))`) },
  { pattern: buildWordPattern(`my (?:card|role card|secret role|role|job|identity) (?:is|says|said|reads|was|has always been|has been) (?:an? |the |that of (?:an? |the )?)?${manner}${good}`) },
  { pattern: buildWordPattern(`(?:i (?:hold|exercise|have held)|mine is) the (?:office|role|power) of ${good}`) },
  { pattern: buildWordPattern(`(?:the )?(?:(?:office|role|gift|part) of (?:the )?)?${good} (?:'s (?:gift|role|office|card|part|power)s? )?(?:, )?(?:is|are|that is|belongs to) (?:(?:held|exercised|played) by )?(?:me|mine)`) },
  { pattern: /^(?:(?:my |full |hard |role )*(?:claim|role|declaration|reveal) : )(?:i am )?(?:(?:the|an?|plain|simple|just|vanilla) )*#[vt]\d+(?= |$)/g },
  { pattern: buildWordPattern(`you (?:are|have been) (?:(?:looking at|talking to|listening to|speaking to|staring at|facing)|about to (?:exile|hang|lynch|lose|vote out)) (?:the|your|our) ${manner}${good}`) },
  { pattern: buildWordPattern(`the ${manner}${good} (?:of this (?:town|village) )?(?:is [a-z ,]{0,40}?)?(?:(?:talking|speaking) to you|speaking now|right here|(?:standing|stands|sitting) (?:right )?(?:here|before you|in front of you)|addressing you|asking you|telling you)`) },
  // Matches "The … is Dan" and "one of the … is Leah".
  { pattern: buildWordPattern(`(?:the|our|your|one of the) (?:(?:real|true|actual|only|other|last|remaining|two|second|third|hidden|first|one|final) )*#[wv]s?\\d+ (?:(?:left|here|among us|at this table|in this (?:village|room|game|town)) )?(?:is|are|was|were|has to be|must be|is none other than|is and was|:) (?<denied>not )?(?<object>@[\\d+]+|me|you)(?! (?:, @|or |, you |\\?))`) },
  // Matches "I would not know, being a …", "just a humble … doing what I can" and "Villager here.".
  { pattern: buildWordPattern(`i [^;:—.!?@]*, (?:being|as) ${article}${manner}${good}(?= (?:[.!]|and |myself ))`), isClosed: true },
  { pattern: new RegExp(`^(?:(?:just|only|simply|merely) an? (?:(?:${plain}) )*|an? (?:${plain}) )${good}(?= (?:[.,;:!—]|here|[a-z]+ing |who |with ))`, 'g'), isClosed: true },
  { pattern: new RegExp(`^(?:your )?${manner}${good} (?:here|speaking)(?= )`, 'g'), isClosed: true },
  { pattern: new RegExp(`^${manner}${good}(?= (?:\\.|, (?:no|not|nothing|that is me) )|$)`, 'g') },
  { pattern: buildWordPattern(`(?:no|not an?) #w\\d+ here`), isDenial: true },
  // Matches "Dan, now revealed as the Seer" and "Dan's card said Seer".
  { pattern: buildWordPattern(`(?<object>@\\d+) (?:(?:, )?(?:now )?(?:revealed|shown|proven|confirmed) (?:as|to be)|'s (?:card|flip|reveal) (?:said|says|read|reads|showed|shows|was|is)) (?:(?:an?|the|our) )?${role}`) },
  // Matches "There is a Doctor, and it is me" and "one wolf is left, and it is Dan".
  { pattern: buildWordPattern(`(?:it|that) (?:is|was|has to be|must be|would be) (?<denied>(?:certainly |definitely |simply )?not )?(?:me|myself|(?<object>@\\d+))(?= (?:[.,;!—)]|and |because |$))(?! , who)`) },
  { pattern: /(?<= not (?:an?|the|your|our) (?:real |true )?#[wvt]\d+ (?:[,;.—] )(?:(?:because|and|but|since|for) )?)i am(?= [.,;!—])/g },
  { pattern: buildWordPattern(`i (?:(?:hereby|formally|openly|now|am|therefore) )*(?:accuse|accusing|call|calling|name|naming) ${whom} (?:of being |out as |as |to be )?(?:an?|the|one of the) #ws?\\d+`) },
  { pattern: buildWordPattern(`(?<object>i|you|he|she|@[\\d+]+) (?:am|is|are|was|were) neither (?:an?|the) ${role}(?:(?: ,)? nor (?:an?|the) ${role})+`), isDenial: true },
  { pattern: buildWordPattern(`neither (?<object>@\\d+|i) nor (?<other>@\\d+|i|me) (?:is|am|was|are|were) (?:an?|the|one of the) ${role}`), isDenial: true },
  // Statements that a player's claim is false.
  { pattern: buildWordPattern(`(?<object>@\\d+) 's (?:claim (?:to be|of being) (?:an? |the )?${good}|${good} (?:claim|story|act|tale)) (?:is|was) (?:(?:completely|totally|entirely|all|pure|a complete|a total|an outright) )*(?:a lie|lies|fake|false|bogus|fraud|a fraud|a fabrication|fabricated|made up|invented|untrue|nonsense|a sham|a bluff|fiction|dead|the false one)`), isDenial: true },
  { pattern: buildWordPattern(`${whom} (?:(?:is|are|was|were) )?(?<denied>not )?(?:just )?(?:(?:lied|lying) about being|lying when (?:he|she|you) (?:say|says) (?:he|she|you) (?:is|are)|falsely claiming to be|(?:only )?pretending to be|(?:an?|the) (?:fake|false|phony|bogus|pretend|fraudulent|would - be|counterfeit)|faked|fakeclaimed|made up|invented) (?:being )?(?:an? |the |our )?${good}`), isDenial: true },
]; // prettier-ignore

/** Extracts claims about identity in any of the forms above. */
export function extractIdioms(reading: DiscourseContext): ClaimDraft[] {
  const { by } = reading.statement;
  return idioms.flatMap(({ pattern, isDenial = false, isClosed = false }) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, frame, place, match } = found;
        const isSo = (isDenial !== (groups['denied'] !== undefined)) === frame.isDenied;
        const named = match[0].match(/#[wvt]s?\d+/g);
        const before = findRoleBefore(found);
        // An idiom that names no role refers to the role named before. About another player, it counts only if that is
        // a Werewolf role. About the speaker, it counts if it affirms a village role or denies a Werewolf role.
        if (!named && (before === null || (groups['object'] === undefined) === (isSo === before.startsWith('#w'))))
          return [];
        if (!named && groups['object'] !== undefined && !isSo) return [];
        const names = [groups['object'], groups['other']].flatMap((word) => (word ? resolvePlayers(word, place) : []));
        return (groups['object'] === undefined ? [by] : names).flatMap((name) =>
          (named ?? [before!]).flatMap((code) => {
            const parsed = parseIdentity(code, findManner(match[0].split(' ')), reading.words);
            const draft = parsed && createIdentityClaim(name, parsed.identity, by, isSo);
            const isConfession =
              draft?.type === 'own_role' && draft.team !== null && (draft.team === 'werewolves') === isSo;
            return draft && !isConfession ? [{ ...draft, hedged: frame.isHedged }] : [];
          }),
        );
      },
      { isComplete: !isClosed },
    ),
  );
}

/**
 * Finds the last role that was named shortly before, with no player's name in between. Null if the sentence says that
 * something was done to that role.
 */
function findRoleBefore({ sentence, start, place }: PatternMatch): string | null {
  const earlier = place.reading.sentences[place.index - 1]?.code ?? '';
  const found = /([^.,;:—]*)(#[wvt]\d+)[^@#]{0,80}$/.exec(`${earlier} ${sentence.code.slice(0, start)}`);
  return found === null || /(?:^| )(?:against|for|with|vot\w+|kill\w*|accus\w+|by|like|want\w*) /.test(found[1]!)
    ? null
    : found[2]!;
}
