// Claims about what everybody could see: who left, and who said what.
import type { Cause } from '../../state/event.ts';
import type { Draft } from './claim.ts';
import { identityAt } from './identity-words.ts';
import { draftsBy, subject, whoIs, type Reading } from './reading.ts';
import { roundNear, tail } from './time.ts';

const causes: readonly [Cause, RegExp][] = [
  ['exile', /^(?:exiled|voted out|lynched|banished|voted off|sent away)$/],
  ['night', /^(?:killed|murdered|killed off)$/],
  ['last_act', /^(?:shot)$/],
];

const leaving =
  '(?<how>exiled|removed|eliminated|killed|murdered|voted out|voted off|lynched|banished|sent away|shot|taken out)';

const departures = [
  new RegExp(
    `(?<![^ ])(?<object>@[\\d+]+)(?: ,? ?who)? (?:was|were|has been|have been|got) (?<between>(?:just |also |already |not |never |unfortunately |sadly |then |wrongly |the one )*)${leaving}(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])we (?<between>(?:have |already |just |all |then |did not )*)(?:${leaving}|lost) (?<object>@[\\d+]+)(?= |$)`,
    'g',
  ),
  new RegExp(
    `(?<![^ ])the #ws\\d+ (?<between>(?:have |already |just |then |did not )*)${leaving} (?<object>@[\\d+]+)(?= |$)`,
    'g',
  ),
  /(?<![^ ])(?<object>@[\d+]+) (?:is|are) (?<between>(?:now |already |not )*)(?:dead|gone)(?= |$)/g,
  /(?<![^ ])(?<object>@[\d+]+) (?<between>(?:did not )?)(?:died|die|left the game)(?= |$)/g,
  new RegExp(
    `(?<![^ ])(?<between>)(?<object>@\\d+) 's (?:tragic |sudden |untimely )?(?:removal|death|elimination|murder|exile)(?= (?:last night|yesterday|during the night|overnight|in the night|(?:is|was) an? (?:[a-z]+ )?(?:loss|blow|sign|mistake|tragedy|shame|setback)))`,
    'g',
  ),
];

/** "Dan was removed last night", "we exiled Leah yesterday", "Will is dead". */
export function departuresIn(reading: Reading): Draft[] {
  return departures.flatMap((form, index) =>
    draftsBy(
      reading,
      form,
      (found) => {
        const { groups, frame, place, sentence, end } = found;
        const isDenied = /\b(?:not|never) /.test(groups['between'] ?? '') !== frame.isDenied;
        const cause = causeOf(groups['how'] ?? '', tail(sentence.code.slice(end)), index);
        return whoIs(groups['object']!, place).map((who) => ({
          type: 'departure' as const,
          subject: who,
          cause,
          when: roundNear(found, cause === 'night'),
          hedged: frame.isHedged,
          polarity: !isDenied,
        }));
      },
      index !== mourned,
    ),
  );
}

const byPack = 2;
/** What follows "Dan's death" is part of the pattern. */
const mourned = 5;

function causeOf(how: string, code: string, form: number): Cause | null {
  const said = causes.find(([, word]) => word.test(how))?.[0];
  if (said) return said === 'night' && /(?:^| )(?:yesterday|day)(?: |$)/.test(code) ? null : said;
  if (form === byPack) return 'night';
  return /(?:^| )(?:last night|during the night|overnight|in the night|by the #ws\d+)(?: |$)/.test(code)
    ? 'night'
    : null;
}

const said = '(?:has |have |had |also |just |even |first |now |already |himself |herself |openly |clearly )*';
const claimed = new RegExp(
  `(?<![^ ])${subject} ${said}(?:claimed|claims|claim|said|says|say|announced|revealed|stated|told us|told everyone|declared)(?: earlier| yesterday| today)? (?:to be|that (?:he|she|they) (?:is|was|are|were)|(?:he|she|they|you) (?:is|was|are|were)|(?:himself|herself) to be|being) (?:also |really |just )?(?:an?|the|our|your) (?:real |true |simple |plain |just )*(?<role>#[vt]\\d+)(?= |$)`,
  'g',
);
const accused = new RegExp(
  `(?<![^ ])${subject} ${said}(?:accused|accuses|pointed (?:a |the )?fingers? at|pointed at) (?<object>@\\d+|me|you)(?= |$)`,
  'g',
);

/** "Dan claimed to be the …", "Leah said she is …", "you accused Will". */
export function sayingsIn(reading: Reading): Draft[] {
  const { words } = reading;
  return [
    ...draftsBy(reading, claimed, ({ groups, frame, place }) => {
      const found = identityAt(groups['role']!, 'plain', words);
      if (!found || frame.isDenied) return [];
      return others(groups['subject']!, place).map((who) => ({
        type: 'speech' as const,
        subject: who,
        role: found.is.role?.name ?? null,
        team: found.is.role ? null : found.is.team,
        hedged: frame.isHedged,
      }));
    }),
    ...draftsBy(reading, accused, ({ groups, frame, place }) =>
      frame.isDenied
        ? []
        : others(groups['subject']!, place).flatMap((who) =>
            whoIs(groups['object']!, place).map((whom) => ({
              type: 'speech' as const,
              subject: who,
              object: whom,
              hedged: frame.isHedged,
            })),
          ),
    ),
  ];
}

/** What the speaker says of the own words is no testimony of another's. */
const others = (word: string, place: Parameters<typeof whoIs>[1]) => (word === 'i' ? [] : whoIs(word, place));
