// Finds claims about earlier speech: that somebody claimed a role or a side, or accused a player.
import { listMatches } from '../../state/text.ts';
import type { ClaimDraft } from './claim.ts';
import {
  attributeWords,
  type DiscourseContext,
  type DiscoursePlace,
  buildWordPattern,
  extractDrafts,
  objectPattern,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';
import { type ParsedIdentity, parseCopula, parseIdentity } from './lexicon.ts';

const aside =
  '(?:has |have |had |is |was |are |himself |herself |keeps? |kept |first |all |did |flatly |then |just |soft |hard |both |who |already )*';
const denial = '(?<denied>(?:has |have |had )?never (?:even )?|did not (?:even )?)?';
const verbs =
  'claimed|claims|claim|claiming|said|says|say|saying|announced|revealed|stated|states|declared|declares|insisted|insists|maintains|swore|swears|admitted|asserted|asserts|replied|answered|argued|mentioned|mentions|affirmed';
const whom = '(?: to)?(?: us| us all| me| you| everyone| everybody| the village| the table| the town| the whole town)';
const inserted = '(?:, [^,;:—]{1,50} , )?';
const telling = `(?:(?:${verbs})(?:${whom})?|(?:told|tells|tell|telling|assured)${whom})`;

/** Pattern of reported speech. Its content is parsed like a separate sentence. `ǃ` is "I" within quotation marks. */
const reported = new RegExp(
  `(?<![^ ])${subjectPattern} (?:${aside}${denial}${telling} ${inserted}(?:[:,] |that )*|: (?=ǃ))(?<of>i|me|you|he|she|they|ǃ|@\\d+) `,
  'g',
);
/** Continuation of reported speech: "… and that Dan is a Werewolf". */
const continued = /^(?: [^.;:—@#]{0,40})? (?:and|,)(?: and)? that (?<of>i|me|you|he|she|they|@\d+) /;
const role = String.raw`(?:an?|the|our|your|being|of|to be|with|as|as the) (?:(?:real|true|simple|plain|only|humble|just) )*`;
const what = String.raw`(?<role>#[vt]\d+|innocent|innocence|village|town)`;
const noun = '(?:claim|claims|story|reveal|declaration|counterclaim)';

interface SpeechForm {
  pattern: RegExp;
  isPresupposed?: true;
}

const told: readonly SpeechForm[] = [
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:claimed|claims|claim|claiming|soft - ?claimed|counterclaimed|fakeclaimed)(?:${whom})? ${inserted}(?:to be |being |to have been )?(?:the office of )?(?:${role})?${what}(?: 's role| role)?`) },
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:(?:came|come|comes) (?:out|forward)|(?:turn|show)(?:s|ed) up|(?:spoke|spoken|speaks)(?= as)|(?:presented|revealed|introduced|declared|outed|named|announced|call|calls|called|calling) (?:himself|herself|yourself|themselves|myself)) (?:as |to be )?(?:${role})*${what}`) },
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:said|says|say) (?:(?:to be|being) (?:${role})?)?${what}`) },
  { pattern: buildWordPattern(`(?:the (?:office|role) of )?(?:${role})?${what} (?:was|is|has been|had been) (?<denied>(?!))?(?:claimed|asserted) by (?<subject>@\\d+|you|me)`) },
  { pattern: buildWordPattern(`(?<subject>@\\d+) 's (?<denied>(?!))?(?:[a-z]+ )?${what} ${noun}`), isPresupposed: true },
  { pattern: buildWordPattern(`(?:(?<subject>@\\d+) 's (?<denied>(?!))?(?:${noun}|claiming)|${noun} (?:of|by|made by) (?<of>@\\d+)) (?:of being|to be|to the office of|of|to be being|as) (?:${role})?${what}`), isPresupposed: true },
  // Reports that a player accused another one.
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:accused|accuses|accuse|accusing|condemned|condemns|pointed (?:a |the |his |her )?fingers? at|pointed at|red - ?checked|redchecked) ${objectPattern}`) },
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:called|calls|call|branded|labelled|labeled|declared|named|names|described) ${objectPattern} (?:as )?(?:an?|the|one of the)? ?#ws?\\d+`) },
  { pattern: buildWordPattern(`${subjectPattern} ${aside}${denial}(?:claims|claimed) to have (?:seen|checked|found|caught|unmasked|inspected|examined) ${objectPattern} (?:as|to be) (?:an? )?#ws?\\d+`) },
  { pattern: buildWordPattern(`(?<object>@\\d+|i|he|she|you) (?:was|were|has been|have been|had been) (?<denied>(?!))?(?:[a-z]+ )?(?:accused|called an? #w\\d+|declared an? #w\\d+) by (?<subject>@\\d+|you)`) },
  { pattern: buildWordPattern(`(?<subject>@\\d+) 's (?<denied>(?!))?(?:accusation|charge|accusations)s? (?:of|against|on) ${objectPattern}`), isPresupposed: true },
  { pattern: buildWordPattern(`the (?:accusation|charge)(?: [a-z]+){0,3} (?:by|of|which|that) (?<subject>@\\d+) (?<denied>(?!))?(?:[a-z]+ ){0,3}against ${objectPattern}`), isPresupposed: true },
]; // prettier-ignore

/** Finds reports of earlier speech: "Dan claimed to be the …", "Leah told us that she is …", "you accused Will". */
export function extractReportedSpeech(reading: DiscourseContext): ClaimDraft[] {
  const direct = told.flatMap(({ pattern, isPresupposed = false }) =>
    extractDrafts(
      reading,
      pattern,
      ({ groups, frame, place, sentence, end }) => {
        const { subject = groups['of']!, object, role: code } = groups;
        const isDenied = groups['denied'] !== undefined;
        const parsed = code === undefined ? null : parseIdentity(code, 'plain', reading.words);
        const isOther = /^ ?(?:or|check|checks|#|and an? #|is dead)(?: |\d|$)/.test(sentence.code.slice(end));
        if (frame.isDenied || (code !== undefined && (!parsed || isOther))) return [];
        const said = { hedged: frame.isHedged, polarity: !isDenied, ...(isPresupposed ? { presupposed: true } : {}) };
        return listSpeakers(subject, place, isDenied).flatMap((who): Omit<ClaimDraft, 'from' | 'to'>[] =>
          parsed
            ? [{ ...createSpeechDraft(who, parsed.identity), ...said }]
            : resolvePlayers(object!, place).map((accusee) => ({
                type: 'speech' as const,
                subject: who,
                object: accusee,
                ...said,
              })),
        );
      },
      { isComplete: !pattern.source.includes('(?<role>'), isPresupposing: isPresupposed },
    ),
  );
  return [...extractIndirectSpeech(reading), ...direct];
}

function extractIndirectSpeech(reading: DiscourseContext): ClaimDraft[] {
  const { words, sentences, statement } = reading;
  return sentences.flatMap((sentence, index) =>
    listMatches(reported, sentence.code).flatMap((match): ClaimDraft[] => {
      const { subject: teller, denied } = match.groups!;
      const start = match.index;
      const place = { reading, index, at: start };
      const found: ClaimDraft[] = [];
      let begin = start + match[0].length;
      for (let of = match.groups!['of']; of !== undefined;) {
        const rest = sentence.code.slice(begin);
        const copula = parseCopula(rest, (code) => parseIdentity(code, null, words) !== null);
        const parsed = copula && parseIdentity(rest.slice(copula.length), copula.manner, words);
        const end = begin + (parsed ? copula.length + parsed.length : 0);
        const frame = parsed && attributeWords(sentence, start, end);
        if (!frame || frame.isDenied) return found;
        const isOwn = ['he', 'she', 'they', 'ǃ'].includes(of) || of === teller;
        const is = copula.isDenied ? getOtherSide(parsed.identity) : parsed.identity;
        const said = {
          hedged: frame.isHedged,
          polarity: denied === undefined,
          ...(frame.isPresupposed ? { presupposed: true } : {}),
          ...sentence.span(frame.from, end),
        };
        for (const who of is === null ? [] : listSpeakers(teller!, place, denied !== undefined)) {
          const about = isOwn ? [who] : resolvePlayers(of, place);
          if (about.length !== 1) continue;
          if (about[0] === who) found.push({ ...createSpeechDraft(who, is!), ...said });
          else if (is!.team === 'werewolves' && who !== statement.by)
            found.push({ type: 'speech', subject: who, object: about[0]!, ...said });
        }
        const next = continued.exec(sentence.code.slice(end));
        of = next?.groups!['of'];
        begin = end + (next?.[0].length ?? 0);
      }
      return found;
    }),
  );
}

const createSpeechDraft = (who: string, { role: of, team }: ParsedIdentity) => ({
  type: 'speech' as const,
  subject: who,
  role: of?.name ?? null,
  team: of ? null : team,
});

/**
 * Returns the opposite side: "not a Werewolf" means "with the village". Null for a role, because denying a role implies
 * no side.
 */
const getOtherSide = ({ role: of, team }: ParsedIdentity): ParsedIdentity | null =>
  of ? null : { role: null, team: team === 'werewolves' ? 'villagers' : 'werewolves' };

/**
 * Lists the speakers of reported words. Quoting oneself does not count as another player's testimony, unless the quoted
 * words are denied.
 */
const listSpeakers = (word: string, place: DiscoursePlace, isDenied: boolean) =>
  word === 'i' && !isDenied
    ? []
    : resolvePlayers(word, place).filter((who) => isDenied || who !== place.reading.statement.by);
