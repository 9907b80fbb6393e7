// Finds claims about who left the game, and how. Departures are public: every player saw them.
import type { Cause } from '../../state/events.ts';
import type { ClaimDraft } from './claim.ts';
import {
  type DiscourseContext,
  buildWordPattern,
  extractDrafts,
  findRoundNear,
  getClauseTail,
  type PatternMatch,
  resolvePlayers,
} from './discourse-context.ts';

const words: Readonly<Record<Cause | 'none', string>> = {
  exile:
    'exiled|voted out|voted off|voted away|lynched|banished|sent away|sent home|hanged|hung|executed|mis - ?exiled|misexiled|mislynched|buried by our votes',
  night:
    'killed|murdered|attacked and killed|found murdered|found dead|nk|nked|nightkilled|night killed|torn out|torn apart|eaten|silenced|slaughtered',
  last_act: 'shot',
  none: 'removed|eliminated|taken out|taken|lost|driven out|struck down',
};
const leaving = `(?<how>${Object.values(words).join('|')})`;
const gone = String.raw`(?<object>@[\d+]+|he|she|they)`;
const lost = String.raw`(?<object>@[\d+]+|him|her|them)`;
const aside = '(?:both |all |not |never |since |the one |the ones |have |has |had |been |also |found |just |wrongly )*';
const pack = '(?:the #ws\\d+|#ws\\d+|the pack|the night)';

interface DepartureForm {
  pattern: RegExp;
  cause?: Cause;
  isPresupposed?: true;
}

const departures: readonly DepartureForm[] = [
  { pattern: buildWordPattern(`${gone}(?: ,? ?(?:who|whom we))? (?:was|were|has been|have been|had been|got|ended up) (?<between>${aside})${leaving}`) },
  // Matches "Dan: exiled" and "Leah, a Villager, dead in the first night".
  { pattern: buildWordPattern(`(?<=^|[.,;:!—→] |and |then )(?<object>@[\\d+]+) (?:(?:[,:—→]|an? #\\S+ ,|our #\\S+ ,|both|all|also|then|who was) )*(?<between>)(?<how>${Object.values(words).join('|')}|dead|gone(?! from)|nk)(?= (?:[.,;:!—]|by|and|in|on|for|as|with|at|to)|$)`) },
  { pattern: buildWordPattern(`(?<object>@\\d+) (?:was|is) (?<between>)the (?:first |second |third |last )?nk`), cause: 'night' },
  { pattern: buildWordPattern(`(?<object>@[\\d+]+) (?<between>)by our (?:own )?(?:votes?|hands?)`), cause: 'exile' },
  { pattern: buildWordPattern(`(?<object>@[\\d+]+) , (?:whom|that) (?:we|you|the town|this town) (?<between>)(?:exiled|lynched|voted out|sent away|removed|buried)`), cause: 'exile' },
  { pattern: buildWordPattern(`(?<between>)(?:exiled|exiles?|lynched|lynches) : (?<object>@[\\d+]+)`), cause: 'exile' },
  { pattern: buildWordPattern(`(?<between>)(?:dead|deaths|killed|nights?|lost|nks?)(?: in the nights?)? : (?<object>@[\\d+]+)`) },
  { pattern: buildWordPattern(`(?<=^|[.,;:!—] |and )(?<between>)(?:lost|(?:[a-z]+ )?cost (?:us|the town|the village)) (?<object>@[\\d+]+)`) },
  { pattern: buildWordPattern(`(?:we|the village|town|the town|this town|you all|(?:two|three|four|five|six|seven|eight|nine|most|all|both) of us) (?<between>${aside}(?:did not )?)(?:exiled|executed|lynched|banished|hanged|buried|eliminated|killed|removed|hit|sent|misexiled|mislynched|eliminated|drove|mis - ?exiled) ${lost}(?: (?:out|off|away|home))?`), cause: 'exile' },
  { pattern: buildWordPattern(`(?:we|the village|the town|town|you all) (?<between>${aside})vote[d]? (?:out ${lost}|${lost.replace('object', 'whom')} (?:out|off|away))`), cause: 'exile' },
  { pattern: buildWordPattern(`(?:we|the village|the town|town|you all) (?<between>${aside})(?:lost|lose) ${lost}`) },
  { pattern: buildWordPattern(`(?:${pack}|they(?= (?:have |just |did not )*(?:kill|murder|ate|eliminat))) (?<between>${aside}(?:did not )?)(?:killed|murdered|took|ate|removed|eliminated|took out|got|devoured|slaughtered|picked off|kill|silenced) ${lost}(?: instead)?`), cause: 'night' },
  { pattern: buildWordPattern(`${gone} (?:is|are) (?<between>${aside})(?:dead|gone(?! from (?:my|your|our) )|out of the game)`) },
  { pattern: buildWordPattern(`${gone}(?: ,? ?who)? (?<between>(?:did not |both |all |had |has |have )*)(?:died|die|dies|fell|left the game|left us|turned up dead|lost (?:his|her|their) (?:life|lives)|perished|bled out|went home)(?! (?:for|on|flat|into|silent|behind|asleep|apart|upon|short|with)(?: |$))`) },
  { pattern: buildWordPattern(`(?:losing|having lost|(?:unfortunate|sad|sorry|shame|tough|hard|terrible|rough|tragic|hurts|awful) to (?:see |have )?(?:lose|lost)) (?<between>)${lost}(?! 's)`), isPresupposed: true },
  { pattern: buildWordPattern(`${gone} (?:being|getting) (?<between>)${leaving}`), isPresupposed: true },
  { pattern: buildWordPattern(`(?<between>)(?:exiling|lynching|eliminating|voting out|steered the town into exiling|getting rid of) ${lost}`), isPresupposed: true, cause: 'exile' },
  { pattern: buildWordPattern(`(?<object>@\\d+) 's (?<between>)(?:[a-z]+ )?(?:death|loss|passing|murder|elimination|removal)`), isPresupposed: true },
  { pattern: buildWordPattern(`(?<object>@\\d+) 's (?<between>)(?:exile|lynch|execution)`), isPresupposed: true, cause: 'exile' },
  { pattern: buildWordPattern(`(?:the|got|after|easy|that) (?<object>@\\d+) (?<between>)(?:exile|lynch|mis - ?exile|misexile|mislynch)`), isPresupposed: true, cause: 'exile' },
  { pattern: buildWordPattern(`the (?:tragic |sad )?(?<between>)(?:death|loss|murder)s? of ${lost}`), isPresupposed: true },
  { pattern: buildWordPattern(`(?:the|in the) (?<between>)(?:exile|lynch|execution|removal)s? of ${lost}`), isPresupposed: true, cause: 'exile' },
]; // prettier-ignore

/**
 * Finds claims that a player left the game: "Dan was removed last night", "we exiled Leah yesterday", "Will is dead".
 */
export function extractDepartures(reading: DiscourseContext): ClaimDraft[] {
  return departures.flatMap((departure) =>
    extractDrafts(
      reading,
      departure.pattern,
      (found) => {
        const { groups, frame, place, end, sentence } = found;
        const isDenied = /\b(?:not|never) /.test(groups['between'] ?? '') !== frame.isDenied;
        const cause = departure.cause ?? findCause(found);
        if (departure.isPresupposed && !isOfWhatWas(sentence.code, found.start)) return [];
        if (
          (!departure.isPresupposed && isYetToCome.test(sentence.code.slice(0, found.start))) ||
          / by (?:@\d+|me|him|her)(?: |$)/.test(sentence.code.slice(end, end + 12))
        )
          return [];
        return resolvePlayers(groups['object'] ?? groups['whom']!, place).map((who) => ({
          type: 'departure' as const,
          subject: who,
          cause,
          when: findRoundNear(found, cause === 'night'),
          hedged: frame.isHedged,
          polarity: !isDenied,
          ...(departure.isPresupposed ? { presupposed: true } : {}),
        }));
      },
      { isPresupposing: departure.isPresupposed === true, isOfRecord: true },
    ),
  );
}

const isYetToCome =
  /(?:^| )(?:will|should|to|want|wants|can|must|let us|going to|would|see|get|getting|gets|be|almost)(?: [a-z]+)? $/;
/** Words that mark a proposal, so that "Exiling Dan is a mistake" is not read as a departure. */
const proposing =
  /(?:^| )(?:propos\w*|should|would|against|consider\w*|than|suggest\w*|avoid|want|risk|prefer\w*|vot\w*|push\w*|call\w*|argu\w*|demand\w*|urge\w*|oppose\w*|support\w*|not|toward|about|before|stand by)(?: (?:for|on|to|of|about))?(?: the)? $/;
const isOfWhatWas = (code: string, start: number) =>
  !proposing.test(code.slice(0, start)) &&
  !/ (?:serves|would|will|should|could|might|may|can|today|tonight|tomorrow|next)(?: |$)/.test(code.slice(start)) &&
  (!ofOwnDoing.test(code.slice(start)) ||
    (!/(?:^| )(?:by|with|of|for|at|in|on|from|like|worth|obsessed|keen|eager|fixated|intent|set|plan\w*|could|can|might|may|will|try|tries|trying|tried|without|instead of|focus\w*|bent) (?:on |with |of )?$/.test(
      code.slice(0, start),
    ) &&
      /(?: was| were| has| have| had| cost| made| proved| turned| gave| showed| told| left| did| taught| felt| backfired| hurt| helped| worked| failed)(?: |$)/.test(
        code.slice(start),
      )));

/**
 * Gerunds of acts that the village may only be planning ("exiling Dan"). "Losing Dan" is not such an act, because it
 * has already happened.
 */
const ofOwnDoing = /^(?:exiling|lynching|eliminating|voting|getting rid)/;

function findCause({ groups, sentence, start, end, match }: PatternMatch): Cause | null {
  const how = groups['how'] ?? '';
  const tail = getClauseTail(sentence.code.slice(end));
  const times = sentence.times.filter(({ at }) => at >= start - 12 && at <= end + tail.length);
  const isNight = times.some(({ kind }) => kind === 'night');
  const isDay = times.some(({ kind }) => kind === 'day' || kind === 'yesterday');
  const said = (['exile', 'night', 'last_act'] as const).find((cause) => new RegExp(`^(?:${words[cause]})$`).test(how));
  if (said) return said === 'night' && isDay ? null : said;
  if (/ by (?:our|your|the|six|seven|eight|five) (?:[a-z]+ )?votes?(?: |$)/.test(tail)) return 'exile';
  return isNight || / (?:by the #ws\d+|to the #ws\d+)(?: |$)/.test(` ${tail}`) || / (?:nk|night)/.test(match[0])
    ? 'night'
    : null;
}
