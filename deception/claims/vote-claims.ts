// Finds claims about votes: those that were cast, and those that the speaker promises.
import type { ClaimDraft } from './claim.ts';
import {
  type DiscourseContext,
  extractDrafts,
  findRoundNear,
  getClauseAround,
  insertedWordsPattern,
  objectPattern,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';

const against = '(?:for|against|out|to (?:exile|remove|eliminate|vote out|send away|banish|lynch))';
const aside =
  '(?:have|has|also|already|just|then|both|all|really|indeed|actually|only|even|first|yesterday|last round|today|initially|originally|did|do|proudly|gladly|openly|quietly|silently|simply|definitely|certainly|clearly|still|later|had|once|in the end|in fact|of course|eventually|personally|always|, in fact ,|, of course ,|, yes ,|(?:am|was|were) (?:among |one of )?(?:the |those )?(?:only |few |two |three |four |five |six |seven )?(?:one|ones|person|people|player|players)? ?(?:who|that)|' +
  insertedWordsPattern +
  ') ';
const office = /^ ?(?:as|for|to be|to become) (?:the |our )?(?:sheriff|badge|leader)|^ ?'s |^ ?(?:sheriff)/;

const voting = [
  new RegExp(
    `(?<![^ ])${subjectPattern} (?<between>(?:${aside}|not |never )*)(?<verb>voted|vote|(?:cast|gave|put) (?:my|his|her|their|your|a) (?:vote|ballot)|put (?:my|his|her|their|your) name) (?:${against} |to |on )?${objectPattern}(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])(?<subject>my|@\\d+ 's) (?<verb>vote) (?<between>)(?:(?:yesterday |last round |on day \\d+ |that day )?(?:was (?:for|against|on)|went to|was cast (?:for|against))) ${objectPattern}(?= |$)`,
    'g',
  ),
  // "Those who voted for Dan were Leah and Will."
  new RegExp(
    `(?<![^ ])(?:the (?:only |two |three |other )*(?:ones?|people|players|votes|voters)|those|everyone|all) (?:who |that )?(?<verb>voted) (?<between>)(?:${against} )?${objectPattern} (?:yesterday |last round |on day \\d+ )?(?:were|was|are|is|:|—) (?<subject>@[\\d+]+)(?= |$)`,
    'g',
  ),
];

/** "I voted for Dan yesterday", "Leah did not vote for Will". */
export function extractVotes(reading: DiscourseContext): ClaimDraft[] {
  return voting.flatMap((form) =>
    extractDrafts(reading, form, (found) => {
      const { groups, frame, place, sentence, end } = found;
      const { between = '', verb = '' } = groups;
      const isPast =
        verb !== 'vote' || between.includes('did ') || groups['subject'] === 'my' || groups['subject']!.endsWith("'s");
      if (!isPast || office.test(sentence.code.slice(end))) return [];
      const who = groups['subject'] === 'my' ? 'i' : groups['subject']!.replace(/ 's$/, '');
      const isDenied = /\b(?:not|never) /.test(between) !== frame.isDenied;
      const when = findRoundNear(found, false);
      const joined = /^(?: [a-z\d]+){0,5}(?: ,)? (?:and|as|so) (?:so )?did (?<also>i|you|he|she|@[\d+]+)(?= |$)/.exec(
        sentence.code.slice(end),
      );
      const also = joined && !isDenied ? resolvePlayers(joined.groups!['also']!, place) : [];
      return [...resolvePlayers(who, place), ...also].flatMap((by) =>
        isThisBallot(by, when, reading)
          ? []
          : resolvePlayers(groups['object']!, place).map((whom) => ({
              type: 'vote' as const,
              subject: by,
              object: whom,
              when,
              hedged: frame.isHedged,
              polarity: !isDenied,
            })),
      );
    }),
  );
}

/** "I voted for Dan because …", said with the ballot. */
const isThisBallot = (who: string, when: number | null, { statement: { kind, by, round } }: DiscourseContext) =>
  kind === 'ballot' && who === by && (when === null || when === round);

const will =
  '(?:will|shall|am going to|intend to|plan to|am|be|am now|have decided to|am ready to|can promise to|promise to|am going to be|definitely|certainly|proudly|, as promised ,|, therefore ,|, of course ,|once again|again|simply|just)';
const promising = [
  new RegExp(
    `(?<![^ ])i (?<between>(?:(?:${will}|still|also|therefore|not|never|today|now|gladly|happily) )*)(?:vote|voting|(?:putting|casting|giving|(?<=(?:will|to|shall) (?:also |therefore |now |gladly )?)(?:put|cast|give)) my (?:vote|ballot)) (?:${against} |on |to )?(?<object>@\\d+|you|him|her|them)(?= |$)`,
    'g',
  ),
  /(?<![^ ])my vote (?<between>(?:today |therefore |now |still |again |tomorrow |this round |then )*)(?:is (?:for|on|against|going to)|(?:goes|will go) (?:to|on)|will be (?:for|on|against)|is going to|stays (?:on|with)|stands (?:on|with|against)|remains (?:on|with)) (?<object>@\d+|you|him|her|them)(?= |$)/g,
  /(?<![^ ])(?<between>)i (?:therefore )?give my vote to (?<object>@\d+|you|him|her|them)(?= |$)/g,
  /(?<![^ ])i am (?<between>)(?:therefore )?casting my vote (?:for|against) (?<object>@\d+|you|him|her|them)(?= |$)/g,
];

/**
 * "I will vote for Dan". None in the explanation of a ballot, which is cast in the same breath, and none in a campaign,
 * where other votes are meant.
 */
export function extractPromises(reading: DiscourseContext): ClaimDraft[] {
  const { kind, occasion, by, round } = reading.statement;
  if (kind === 'ballot' || occasion === 'campaign') return [];
  return promising.flatMap((form) =>
    extractDrafts(reading, form, ({ groups, frame, place, sentence, start, end }) => {
      const after = sentence.code.slice(end);
      if (office.test(after) || frame.isHedged) return [];
      const isDenied = /\b(?:not|never) /.test(groups['between'] ?? '') !== frame.isDenied;
      return resolvePlayers(groups['object']!, place).map((whom) => ({
        type: 'promise' as const,
        subject: by,
        object: whom,
        when: /(?:^| )tomorrow(?: |$)/.test(getClauseAround(sentence.code, start, end)) ? round + 1 : round,
        polarity: !isDenied,
      }));
    }),
  );
}
