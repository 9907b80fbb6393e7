// Claims about votes: those that were cast, and those that the speaker promises.
import type { Draft } from './claim.ts';
import { draftsBy, object, subject, whoIs, type Reading } from './reading.ts';
import { roundNear } from './time.ts';

const against = '(?:for|against|out|to (?:exile|remove|eliminate|vote out|send away|banish|lynch))';
const aside =
  '(?:have|has|also|already|just|then|both|all|really|indeed|actually|only|even|first|yesterday|last round|today|initially|originally|did) ';
const office = /^ ?(?:as|for|to be|to become) (?:the |our )?(?:sheriff|badge|leader)|^ ?'s |^ ?(?:sheriff)/;

const voting = [
  new RegExp(
    `(?<![^ ])${subject} (?<between>(?:${aside}|not |never )*)(?<verb>voted|vote|cast (?:my|his|her|their) (?:vote|ballot)) (?:${against} )?${object}(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])(?<subject>my|@\\d+ 's) (?<verb>vote) (?<between>)(?:was (?:for|against)|went to) ${object}(?= |$)`,
    'g',
  ),
];

/** "I voted for Dan yesterday", "Leah did not vote for Will". */
export function votesIn(reading: Reading): Draft[] {
  return voting.flatMap((form) =>
    draftsBy(reading, form, (found) => {
      const { groups, frame, place, sentence, end } = found;
      const { between = '', verb = '' } = groups;
      const isPast =
        verb !== 'vote' || between.includes('did ') || groups['subject'] === 'my' || groups['subject']!.endsWith("'s");
      if (!isPast || office.test(sentence.code.slice(end))) return [];
      const who = groups['subject'] === 'my' ? 'i' : groups['subject']!.replace(/ 's$/, '');
      const isDenied = /\b(?:not|never) /.test(between) !== frame.isDenied;
      const when = roundNear(found, false);
      return whoIs(who, place).flatMap((by) =>
        isThisBallot(by, when, reading)
          ? []
          : whoIs(groups['object']!, place).map((whom) => ({
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
const isThisBallot = (who: string, when: number | null, { statement: { kind, by, round } }: Reading) =>
  kind === 'ballot' && who === by && (when === null || when === round);

const will =
  '(?:will|shall|am going to|intend to|plan to|am|will be|am now|will now|will definitely|will certainly|have decided to|am ready to)';
const promising = [
  new RegExp(
    `(?<![^ ])i (?<between>(?:(?:${will}|still|also|therefore|not|never|today|now|gladly|happily) )*)(?:vote|voting) (?:${against} )?(?<object>@\\d+|you|him|her|them)(?= |$)`,
    'g',
  ),
  /(?<![^ ])my vote (?<between>(?:today |therefore |now )*)(?:is (?:for|on|against)|goes to|will be for|will go to|is going to) (?<object>@\d+|you|him|her|them)(?= |$)/g,
  /(?<![^ ])(?<between>)i (?:therefore )?give my vote to (?<object>@\d+|you|him|her|them)(?= |$)/g,
  /(?<![^ ])i am (?<between>)(?:therefore )?casting my vote (?:for|against) (?<object>@\d+|you|him|her|them)(?= |$)/g,
];

/**
 * "I will vote for Dan". None in the explanation of a ballot, which is cast in the same breath, and none in a campaign,
 * where other votes are meant.
 */
export function promisesIn(reading: Reading): Draft[] {
  const { kind, occasion, by, round } = reading.statement;
  if (kind === 'ballot' || occasion === 'campaign') return [];
  return promising.flatMap((form) =>
    draftsBy(reading, form, ({ groups, frame, place, sentence, end }) => {
      const after = sentence.code.slice(end);
      if (office.test(after) || frame.isHedged) return [];
      const isDenied = /\b(?:not|never) /.test(groups['between'] ?? '') !== frame.isDenied;
      return whoIs(groups['object']!, place).map((whom) => ({
        type: 'promise' as const,
        subject: by,
        object: whom,
        when: /(?:^| )tomorrow(?: |$)/.test(sentence.code) ? round + 1 : round,
        polarity: !isDenied,
      }));
    }),
  );
}
