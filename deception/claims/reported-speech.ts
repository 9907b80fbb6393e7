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
  '(?:has |have |had |also |just |even |first |now |already |himself |herself |openly |clearly |then |still |both |keeps? |kept |once |later |yesterday |today )*';
const denial = '(?<denied>(?:has |have |had )?never (?:once |even |actually )?|did not (?:even |actually )?)?';
const verbs =
  'claimed|claims|claim|claiming|said|says|say|saying|announced|revealed|stated|states|declared|declares|insisted|insists|maintains|swore|swears|admitted';
const whom = '(?: to)?(?: us| us all| me| you| everyone| everybody| the village| the table)';
const when = '(?: earlier| yesterday| today| just now| again| at once| on day \\d+| this morning)?';
const telling = `(?:(?:${verbs})(?:${whom})?|(?:told|tells|tell|telling|assured)${whom})${when}`;

/** What was said is read like a sentence of its own. */
const reported = new RegExp(
  `(?<![^ ])${subjectPattern} ${aside}${denial}${telling} (?:that )?(?<of>i|me|you|he|she|they|@\\d+) `,
  'g',
);
const role = String.raw`(?:an?|the|our|your) (?:(?:real|true|simple|plain|just|only|humble) )*`;
const what = String.raw`(?<role>#[vt]\d+)`;
const claimed = [
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:claimed|claims|claim|claiming)${when} (?:to be |being |to have been )?(?:${role})?${what}(?: 's role| role)?(?= |$)`,
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:(?:came|come|comes) (?:out|forward)|(?:presented|revealed|introduced|declared|outed|named|announced) (?:himself|herself|yourself))${when} (?:as |to be )?(?:${role})?${what}(?= |$)`,
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:call|calls|called|calling) (?:himself|herself|yourself|themselves) (?:${role})?${what}(?= |$)`,
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:said|says|say)${when} (?:to be|being) (?:${role})?${what}(?= |$)`,
].map((pattern) => new RegExp(pattern, 'g'));
const accused = [
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:accused|accuses|accuse|pointed (?:a |the |his |her )?fingers? at|pointed at) ${objectPattern}(?= |$)`,
  `(?<![^ ])${subjectPattern} ${aside}${denial}(?:called|calls|call|branded|labelled|labeled|declared) ${objectPattern} (?:as )?(?:an?|the|one of the) #ws?\\d+(?= |$)`,
].map((pattern) => new RegExp(pattern, 'g'));

/** "Dan claimed to be the …", "Leah told us that she is …", "you accused Will". */
export function extractReportedSpeech(reading: DiscourseContext): ClaimDraft[] {
  return [...extractIndirectSpeech(reading), ...extractReportedClaims(reading), ...extractReportedAccusations(reading)];
}

function extractReportedClaims(reading: DiscourseContext): ClaimDraft[] {
  return claimed.flatMap((pattern) =>
    extractDrafts(reading, pattern, ({ groups, frame, place }) => {
      const found = parseIdentity(groups['role']!, 'plain', reading.words);
      const isDenied = groups['denied'] !== undefined;
      if (!found || frame.isDenied) return [];
      return listSpeakers(groups['subject']!, place, isDenied).map((who) => ({
        ...createSpeechDraft(who, found.is),
        hedged: frame.isHedged,
        polarity: !isDenied,
      }));
    }),
  );
}

function extractReportedAccusations(reading: DiscourseContext): ClaimDraft[] {
  return accused.flatMap((pattern) =>
    extractDrafts(reading, pattern, ({ groups, frame, place }) => {
      const isDenied = groups['denied'] !== undefined;
      if (frame.isDenied) return [];
      return listSpeakers(groups['subject']!, place, isDenied).flatMap((who) =>
        resolvePlayers(groups['object']!, place).map((accusee) => ({
          type: 'speech' as const,
          subject: who,
          object: accusee,
          hedged: frame.isHedged,
          polarity: !isDenied,
        })),
      );
    }),
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
      const said = { hedged: frame.isHedged, polarity: denied === undefined, ...sentence.span(frame.from, end) };
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

const createSpeechDraft = (who: string, { role, team }: Identity) => ({
  type: 'speech' as const,
  subject: who,
  role: role?.name ?? null,
  team: role ? null : team,
});

/** To be no Werewolf is to be with the village; not to be the … says little. */
const getOtherSide = ({ role, team }: Identity): Identity | null =>
  role ? null : { role: null, team: team === 'werewolves' ? 'villagers' : 'werewolves' };

/** What the speaker says of the own words is no testimony of another's, unless they are disowned. */
const listSpeakers = (word: string, place: DiscoursePlace, isDenied: boolean) =>
  word === 'i' && !isDenied ? [] : resolvePlayers(word, place);
