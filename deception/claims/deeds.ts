// Claims about what somebody did with a power: checks with what came of them, protections, potions and last shots.
import type { Draft } from './claim.ts';
import { checked, resultOf } from './check-results.ts';
import { deedPatterns, type DeedPattern } from './deed-patterns.ts';
import { draftsBy, whoIs, type Found, type Reading } from './reading.ts';
import { roundNear } from './time.ts';

/** "I checked Dan", "Leah protected Will last night". */
export function deedsIn(reading: Reading): Draft[] {
  return deedPatterns(reading.words).flatMap((form) => deedsBy(form, reading));
}

function deedsBy(form: DeedPattern, reading: Reading): Draft[] {
  return draftsBy(reading, form.pattern, (found) => {
    const { groups, sentence } = found;
    const between = `${groups['between'] ?? ''}${groups['late'] ?? ''}`;
    const deed = form.deedOf(groups);
    if (!deed) return [];
    const isDenied = /\b(?:not|never) /.test(between) !== found.frame.isDenied;
    const rest = sentence.code.slice(found.end);
    if (deed.isCheck) return checks(found, isDenied);
    if (deed.isShield && !isOfNight(groups['subject']!, sentence.code, rest)) return [];
    return eachDeed(found).map((who) => ({
      ...who,
      type: 'act' as const,
      verbs: [...deed.verbs],
      when: roundNear(found, true),
      polarity: !isDenied,
    }));
  });
}

const eachDeed = ({ groups, place, frame }: Pick<Found, 'groups' | 'place' | 'frame'>) =>
  whoIs(groups['subject']!, place).flatMap((by) =>
    whoIs(groups['object']!, place).map((whom) => ({ subject: by, object: whom, hedged: frame.isHedged })),
  );

/** To protect or to save is also said of words and votes. */
const isOfNight = (who: string, code: string, rest: string) =>
  !/(?:^| )(?:vot\w+|debat\w+|discussion|argu\w+|accus\w+|suspicion\w*|exile\w*|defend\w*|behaviou?r|words?|scrutiny|deflect\w*|distract\w*|covering|attack\w*|attention)(?: |$)/.test(
    ` ${rest} `.split(joint, 1)[0]!,
  ) &&
  (['i', 'me'].includes(who) || /(?:^| )(?:night|overnight)(?: |$)/.test(code));

const joint = / (?:,|;|:|—|but|because|so|when|while|who|although|and (?:i|he|she|they|you|we|nobody|that|last|the)) /;

/** "I checked Dan: …", the result in the same sentence or the next. */
function checks(found: Found, isDenied: boolean): (Omit<Draft, 'from' | 'to'> & { to?: number })[] {
  const { place, end } = found;
  const { reading } = place;
  const result = isDenied ? null : resultOf(found, end);
  return eachDeed(found).map((who) => ({
    ...who,
    ...checked(result?.is ?? null, reading),
    when: roundNear(found, true),
    polarity: !isDenied,
    ...(result ? { to: result.to } : {}),
  }));
}
