// Finds claims about who left the game, and how: things that everybody saw.
import type { Cause } from '../../state/events.ts';
import type { ClaimDraft } from './claim.ts';
import {
  type DiscourseContext,
  extractDrafts,
  findRoundNear,
  getClauseTail,
  resolvePlayers,
} from './discourse-context.ts';

const causes: readonly [Cause, RegExp][] = [
  ['exile', /^(?:exiled|voted out|lynched|banished|voted off|sent away|sent home|hanged|executed)$/],
  ['night', /^(?:killed|murdered|attacked and killed|found murdered)$/],
  ['last_act', /^(?:shot)$/],
];

const leaving =
  '(?<how>exiled|removed|eliminated|killed|murdered|voted out|voted off|lynched|banished|sent away|sent home|shot|taken out|taken|hanged|executed|attacked and killed|found dead|found murdered)';
const gone = String.raw`(?<object>@[\d+]+|he|she|they)`;
const lost = String.raw`(?<object>@[\d+]+|him|her|them)`;
const aside =
  '(?:both |all |just |also |already |now |not |never |unfortunately |sadly |then |wrongly |later |still |since |the one |the ones |have |has )*';

const departures = [
  new RegExp(
    `(?<![^ ])${gone}(?: ,? ?(?:who|whom))? (?:was|were|has been|have been|had been|got|ended up|is being) (?<between>${aside})${leaving}(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])(?:we|the village|the town|you all) (?<between>${aside}(?:did not )?)(?:${leaving}|lost) ${lost}(?: (?:out|off|away))?(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])(?:the #ws\\d+|the pack|they(?= (?:have |already |just |then |did not )*(?:kill|murder|ate))) (?<between>(?:have |already |just |all |then |did not )*)(?<how>killed|murdered|took|ate|removed|eliminated|took out|got|went for|attacked|devoured|slaughtered|picked off|chose to kill) ${lost}(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])${gone} (?:is|are) (?<between>${aside})(?:dead|gone(?! from (?:my|your|our) )|out of the game)(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])${gone}(?: ,? ?who)? (?<between>(?:did not |both |just |also |then |sadly |all )*)(?:died|die|left the game|turned up dead|lost (?:his|her|their) (?:life|lives)|perished|bled out)(?= |$)`,
    'g',
  ),
];

/** "Dan was removed last night", "we exiled Leah yesterday", "Will is dead". */
export function extractDepartures(reading: DiscourseContext): ClaimDraft[] {
  return departures.flatMap((form, index) =>
    extractDrafts(reading, form, (found) => {
      const { groups, frame, place, sentence, end } = found;
      const isDenied = /\b(?:not|never) /.test(groups['between'] ?? '') !== frame.isDenied;
      const cause = findCause(groups['how'] ?? '', getClauseTail(sentence.code.slice(end)), index);
      return resolvePlayers(groups['object']!, place).map((who) => ({
        type: 'departure' as const,
        subject: who,
        cause,
        when: findRoundNear(found, cause === 'night'),
        hedged: frame.isHedged,
        polarity: !isDenied,
      }));
    }),
  );
}

const byVillage = 1;
const byPack = 2;

function findCause(how: string, code: string, form: number): Cause | null {
  if (form === byVillage && how !== '') return 'exile';
  if (form === byPack) return 'night';
  const said = causes.find(([, word]) => word.test(how))?.[0];
  if (said) return said === 'night' && /(?:^| )(?:yesterday|day)(?: |$)/.test(code) ? null : said;
  return /(?:^| )(?:last night|during the night|overnight|in the night|by the #ws\d+)(?: |$)/.test(code)
    ? 'night'
    : null;
}
