// Checks told by what came of them: "my check of Dan showed …", without the words "I checked".
import type { Draft } from './claim.ts';
import { checked, resultAt, resultOf } from './check-results.ts';
import { draftsBy, object, whoIs, type Reading } from './reading.ts';
import { roundNear } from './time.ts';

const reports = [
  new RegExp(
    `(?<![^ ])(?:my|the) (?:check|investigation|inspection|vision|scan|reading|results?)(?: last night| results?)? (?:of|on|into|for|from|about) ${object}(?= |$)`,
    'g',
  ),
  /(?<![^ ])my (?:check|investigation|inspection|vision|scan|result)s?(?: last night| results?)? (?:revealed|showed|shows|confirmed|confirms|found|says|tells me)(?: that)? (?<object>@[\d+]+)(?= |$)/g,
  /(?<![^ ])(?<object>@[\d+]+)(?= (?:(?:came|has come|comes) (?:back|up)|(?:showed|shows) up as) )/g,
  /(?<![^ ])my (?:(?:first|second|third|last|latest) )?(?:check|investigation|inspection|result)(?: last night| (?:on|of) night \d+| yesterday)? (?:was(?: on| of)?|fell on|landed on|went to|were) (?<object>@[\d+]+)(?= |$)/g,
  /(?<![^ ])i (?:have|got|had) an? (?:check|result|reading) (?:on|of|for) (?<object>@[\d+]+)(?= |$)/g,
];

/** "I got a … result on Dan": what came of it stands before the name. */
const resulting =
  /(?<![^ ])i (?:got|have|had|received|found) an? (?<what>#[wvt]\d+|clean|clear|innocent|good|guilty|bad) (?:(?:check|result|reading|answer|verdict) )?(?:on|for|about|in) (?<object>@\d+)(?= |$)/g;

/** "My check of Dan showed …", "Dan came back as …": the speaker's own check without the words "I checked". */
export function reportedChecksIn(reading: Reading): Draft[] {
  const before = draftsBy(reading, resulting, ({ groups, frame, place, ...found }) => {
    const is = resultAt(groups['what']!, reading.words);
    return whoIs(groups['object']!, place).map((whom) => ({
      ...checked(is, reading),
      subject: reading.statement.by,
      object: whom,
      hedged: frame.isHedged,
      polarity: true,
      when: roundNear({ ...found, place }, true),
    }));
  });
  const behind = reports.flatMap((form) =>
    draftsBy(
      reading,
      form,
      (found) => {
        const result = resultOf(found, found.end);
        if (!result) return [];
        return whoIs(found.groups['object']!, found.place).map((whom) => ({
          ...checked(result.is, reading),
          subject: reading.statement.by,
          object: whom,
          hedged: found.frame.isHedged,
          polarity: true,
          when: roundNear(found, true),
          to: result.to,
        }));
      },
      false,
    ),
  );
  return [...before, ...behind];
}
