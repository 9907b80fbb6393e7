// Finds claims about what somebody said before: that they claimed a role or a side, or accused another player.
import type { ClaimDraft } from './claim.ts';
import {
  attributeWords,
  type DiscourseContext,
  type DiscoursePlace,
  extractDrafts,
  objectPattern,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';
import { type Identity, parseCopula, parseIdentity } from './lexicon.ts';

const aside =
  '(?:has |have |had |himself |herself |keeps? |kept |first |all |did |flatly |then |just |soft |hard |both )*';
const denial = '(?<denied>(?:has |have |had )?never (?:even )?|did not (?:even )?)?';
const verbs =
  'claimed|claims|claim|claiming|said|says|say|saying|announced|revealed|stated|states|declared|declares|insisted|insists|maintains|swore|swears|admitted|asserted|asserts|replied|answered|argued';
const whom = '(?: to)?(?: us| us all| me| you| everyone| everybody| the village| the table| the town| the whole town)';
const telling = `(?:(?:${verbs})(?:${whom})?|(?:told|tells|tell|telling|assured)${whom})`;
const form = (pattern: string) => new RegExp(`(?<![^ ])${pattern}(?= |$)`, 'g');

/** What was said is read like a sentence of its own. */
const reported = new RegExp(
  `(?<![^ ])${subjectPattern} ${aside}${denial}${telling} (?:, )?(?:that )?(?<of>i|me|you|he|she|they|@\\d+) `,
  'g',
);
const role = String.raw`(?:an?|the|our|your|being|of|to be|with) (?:(?:real|true|simple|plain|only|humble|just) )*`;
const what = String.raw`(?<role>#[vt]\d+|innocent|innocence|village|town)`;
const noun = '(?:claim|claims|story|reveal|declaration|counterclaim)';

interface SpeechForm {
  pattern: RegExp;
  isPresupposed?: true;
}

const claimed: readonly SpeechForm[] = [
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:claimed|claims|claim|claiming|soft - ?claimed|counterclaimed|fakeclaimed)(?:${whom})? (?:to be |being |to have been )?(?:the office of )?(?:${role})?${what}(?: 's role| role)?`) },
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:(?:came|come|comes) (?:out|forward)|(?:presented|revealed|introduced|declared|outed|named|announced) (?:himself|herself|yourself|themselves)) (?:as |to be )?(?:${role})*${what}`) },
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:call|calls|called|calling) (?:himself|herself|yourself|themselves) (?:${role})?${what}`) },
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:said|says|say) (?:(?:to be|being) (?:${role})?)?${what}`) },
  { pattern: form(`(?<subject>@\\d+) 's (?<denied>(?!))?${what} ${noun}`), isPresupposed: true },
  { pattern: form(`(?<subject>@\\d+) 's (?<denied>(?!))?(?:claim|story|claiming) (?:of being|to be|of|to be being|as) (?:${role})?${what}`), isPresupposed: true },
]; // prettier-ignore
const accused: readonly SpeechForm[] = [
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:accused|accuses|accuse|accusing|condemned|condemns|pointed (?:a |the |his |her )?fingers? at|pointed at|red - ?checked|redchecked) ${objectPattern}`) },
  { pattern: form(`${subjectPattern} ${aside}${denial}(?:called|calls|call|branded|labelled|labeled|declared|named|names) ${objectPattern} (?:as )?(?:an?|the|one of the)? ?#ws?\\d+`) },
  { pattern: form(`(?<subject>@\\d+) 's (?<denied>(?!))?(?:accusation|charge|accusations)s? (?:of|against|on) ${objectPattern}`), isPresupposed: true },
  { pattern: form(`the (?:accusation|charge)(?: [a-z]+){0,3} by (?<subject>@\\d+) (?<denied>(?!))?against ${objectPattern}`), isPresupposed: true },
]; // prettier-ignore

/** "Dan claimed to be the …", "Leah told us that she is …", "you accused Will". */
export function extractReportedSpeech(reading: DiscourseContext): ClaimDraft[] {
  return [...extractIndirectSpeech(reading), ...extractReportedClaims(reading), ...extractReportedAccusations(reading)];
}

function extractReportedClaims(reading: DiscourseContext): ClaimDraft[] {
  return claimed.flatMap(({ pattern, isPresupposed }) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, frame, place, sentence, end } = found;
        const is = parseIdentity(groups['role']!, 'plain', reading.words);
        const isDenied = groups['denied'] !== undefined;
        if (
          !is ||
          frame.isDenied ||
          /^ ?(?:or|check|checks|#|and an? #|is dead)(?: |\d|$)/.test(sentence.code.slice(end))
        )
          return [];
        return listSpeakers(groups['subject']!, place, isDenied).map((who) => ({
          ...createSpeechDraft(who, is.is),
          hedged: frame.isHedged,
          polarity: !isDenied,
          ...(isPresupposed ? { presupposed: true } : {}),
        }));
      },
      { isComplete: false, isPresupposing: isPresupposed === true },
    ),
  );
}

function extractReportedAccusations(reading: DiscourseContext): ClaimDraft[] {
  return accused.flatMap(({ pattern, isPresupposed }) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, frame, place } = found;
        const isDenied = groups['denied'] !== undefined;
        if (frame.isDenied) return [];
        return listSpeakers(groups['subject']!, place, isDenied).flatMap((who) =>
          resolvePlayers(groups['object']!, place).map((accusee) => ({
            type: 'speech' as const,
            subject: who,
            object: accusee,
            hedged: frame.isHedged,
            polarity: !isDenied,
            ...(isPresupposed ? { presupposed: true } : {}),
          })),
        );
      },
      { isPresupposing: isPresupposed === true },
    ),
  );
}

function extractIndirectSpeech(reading: DiscourseContext): ClaimDraft[] {
  const { words, sentences, statement } = reading;
  return sentences.flatMap((sentence, index) =>
    [...sentence.code.matchAll(reported)].flatMap((match): ClaimDraft[] => {
      const { subject: teller, of = '', denied } = match.groups!;
      const start = match.index;
      const rest = sentence.code.slice(start + match[0].length);
      const copula = parseCopula(rest, (code) => parseIdentity(code, null, words) !== null);
      const found = copula && parseIdentity(rest.slice(copula.length), copula.manner, words);
      if (!found || teller === undefined) return [];
      const end = start + match[0].length + copula.length + found.length;
      const frame = attributeWords(sentence, start, end);
      if (!frame || frame.isDenied) return [];
      const place = { reading, index, at: start };
      const isOwn = ['he', 'she', 'they'].includes(of) || of === teller;
      const said = {
        hedged: frame.isHedged,
        polarity: denied === undefined,
        ...(frame.isPresupposed ? { presupposed: true } : {}),
        ...sentence.span(frame.from, end),
      };
      return listSpeakers(teller, place, denied !== undefined).flatMap((who): ClaimDraft[] => {
        const about = isOwn ? [who] : resolvePlayers(of, place);
        const is = copula.isDenied ? getOtherSide(found.is) : found.is;
        if (is === null || about.length !== 1) return [];
        if (about[0] === who) return [{ ...createSpeechDraft(who, is), ...said }];
        if (is.team !== 'werewolves' || who === statement.by) return [];
        return [{ type: 'speech', subject: who, object: about[0]!, ...said }];
      });
    }),
  );
}

const createSpeechDraft = (who: string, { role: of, team }: Identity) => ({
  type: 'speech' as const,
  subject: who,
  role: of?.name ?? null,
  team: of ? null : team,
});

/** To be no Werewolf is to be with the village; not to be the … says little. */
const getOtherSide = ({ role: of, team }: Identity): Identity | null =>
  of ? null : { role: null, team: team === 'werewolves' ? 'villagers' : 'werewolves' };

/** What the speaker says of the own words is no testimony of another's, unless they are disowned. */
const listSpeakers = (word: string, place: DiscoursePlace, isDenied: boolean) =>
  word === 'i' && !isDenied
    ? []
    : resolvePlayers(word, place).filter((who) => isDenied || who !== place.reading.statement.by);
