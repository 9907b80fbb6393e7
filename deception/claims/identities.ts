// Claims about what somebody is: the own role, another's, accusations and defences.
import type { Claim, Draft } from './claim.ts';
import { copulaAt, identityAt, mannerOf, type Identity } from './identity-words.ts';
import { draftsBy, standing, subject, whoIs, type Reading } from './reading.ts';

/** "I am the …", "Dan and Leah are …". */
export function identitiesIn(reading: Reading): Draft[] {
  return [...predicatedIn(reading), ...invertedIn(reading), ...capacityIn(reading)].filter((draft) => !isIronic(draft));
}

const subjects = new RegExp(`(?<![^ ])${subject} `, 'g');

function predicatedIn(reading: Reading): Draft[] {
  const { words, sentences } = reading;
  return sentences.flatMap((sentence, index) =>
    [...sentence.code.matchAll(subjects)].flatMap((match): Draft[] => {
      const start = match.index;
      const rest = sentence.code.slice(start + match[0].length);
      const copula = copulaAt(rest, (code) => identityAt(code, null, words) !== null);
      const found = copula && identityAt(rest.slice(copula.length), copula.manner, words);
      if (!found) return [];
      const end = start + match[0].length + copula.length + found.length;
      const frame = standing(sentence, start, end);
      if (!frame) return [];
      const who = whoIs(match.groups!['subject']!, { reading, index, at: start });
      const isOne = /^(?:is|was|has|seems|looks|appears) /.test(rest);
      return (isOne ? who.slice(-1) : who).map((name) => ({
        ...identity(name, found.is, reading.statement.by, copula.isDenied === frame.isDenied),
        hedged: frame.isHedged || copula.isHedged,
        ...sentence.span(frame.from, end),
      }));
    }),
  );
}

/** "Of course, I am a …": of the pack one is in irony alone, so nothing is drawn from it. */
const isIronic = ({ type, team, polarity }: Pick<Draft, 'type' | 'team' | 'polarity'>) =>
  type === 'own_role' && (team === 'werewolves') === polarity && team !== null;

const inverted =
  /(?<![^ ])(?:the|our|one of the) (?:(?:real|true|actual|only|other|last|remaining|two|second) )*(?<role>#[wv]s?\d+) (?<verb>is|are|was|were) (?<object>@[\d+]+|me|you)(?= |$)/g;

/** "The … is Dan", "one of the … is Leah". */
function invertedIn(reading: Reading): Draft[] {
  return draftsBy(reading, inverted, ({ groups, frame, place }) => {
    const found = identityAt(groups['role']!, 'plain', reading.words)!;
    return whoIs(groups['object']!, place).map((name) => ({
      ...identity(name, found.is, reading.statement.by, !frame.isDenied),
      hedged: frame.isHedged,
    }));
  });
}

const capacities = [
  /(?<![^ ])(?:(?:speaking|and|but|so|now|,) )?(?:as|being) (?:an? |the |your |our |one of the )?(?:(?:plain|simple|ordinary|regular|humble|mere|fellow|real|true|only|village|loyal|honest|good) )*(?<role>#[wvt]s?\d+)(?= , (?:my|i (?!would|could|might|should)))/g,
  /(?<![^ ])(?:my (?:true |real |actual )?role is|i (?:(?:now|hereby|also|am|must|will|want to|have to|need to) )*(?:claim|claiming|come forward as|coming forward as|came forward as|reveal myself as|revealing myself as)(?: to be)?)(?: (?:an?|the|your|that of an?|that of the|plain|simple))* (?<role>#[wvt]\d+)(?= |$)/g,
  /(?<![^ ])i , (?:as )?(?:the|your) (?:(?:real|true|only) )*(?<role>#[wvt]\d+)(?= ,)/g,
];

/** "As the …, I …"; "I, the …, …"; "speaking as your …". */
function capacityIn(reading: Reading): Draft[] {
  return capacities.flatMap((form) =>
    draftsBy(reading, form, ({ groups, match }) => {
      const found = identityAt(groups['role']!, mannerOf(match[0].split(' ')), reading.words)!;
      return [identity(reading.statement.by, found.is, reading.statement.by, true)];
    }),
  );
}

function identity(
  name: string,
  { role, team }: Identity,
  by: string,
  isSo: boolean,
): Pick<Claim, 'type' | 'subject' | 'role' | 'team' | 'polarity'> {
  const accuses = (team === 'werewolves') === isSo;
  const type = name === by ? 'own_role' : role ? 'role' : accuses ? 'accusation' : 'defence';
  return { type, subject: name, role: role?.name ?? null, team: role ? null : team, polarity: isSo };
}
