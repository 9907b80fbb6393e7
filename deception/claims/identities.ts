// Claims about what somebody is: the own role, another's, accusations and defences.
import type { Claim, Draft } from './claim.ts';
import { copulaAt, identityAt, type Identity } from './identity-words.ts';
import { draftsBy, standing, subject, whoIs, type Reading } from './reading.ts';
import type { Sentence } from './sentence.ts';

/** "I am the …", "Dan and Leah are …". */
export function identitiesIn(reading: Reading): Draft[] {
  return [...predicatedIn(reading), ...invertedIn(reading)];
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
      if (!frame || isTakenBack(sentence.code.slice(0, start), rest) || isOfBefore(rest, copula.length + found.length))
        return [];
      const who = whoIs(match.groups!['subject']!, { reading, index, at: start });
      const isOne = /^(?:is|was|has|seems|looks|appears) /.test(rest);
      return (isOne ? who.slice(-1) : who)
        .map((name) => identity(name, found.is, reading.statement.by, copula.isDenied === frame.isDenied))
        .filter((draft) => !isIronic(draft, sentence, start))
        .map((draft) => ({
          ...draft,
          hedged: frame.isHedged || copula.isHedged,
          ...sentence.span(frame.from, end),
        }));
    }),
  );
}

/** "Of course, I am a …": of the pack one is in irony, unless one says it and nothing else. */
function isIronic(
  { type, team, polarity }: Pick<Draft, 'type' | 'team' | 'polarity'>,
  { code }: Sentence,
  start: number,
) {
  const isConfession = type === 'own_role' && team !== null && (team === 'werewolves') === polarity;
  return isConfession && (!confessing.test(code.slice(0, start)) || !/ [.!]$/.test(code) || / because /.test(code));
}

/** "I said I was the …": that one is so now is not said. */
const isTakenBack = (before: string, rest: string) =>
  /^was /.test(rest) &&
  /(?:^| )i (?:[a-z]+ ){0,3}(?:said|claimed|told|explained|mentioned)(?: [a-z]+){0,3} $/.test(before);

/** "I was the … last time": another game is meant. */
const isOfBefore = (rest: string, length: number) =>
  /^was /.test(rest) && /^ ?,? ?(?:the )?last time(?: |$)/.test(rest.slice(length));

const confessing =
  /^(?:(?:yes|well|fine|okay|ok|very well|all right|listen|everyone|everybody|friends|villagers|enough|there|the truth is|it is true|the game is over|(?:i (?:confess|admit|have to admit|must confess|will admit)(?: it)?(?: that)?)|[,:—!.]) )*$/;

const inverted =
  /(?<![^ ])(?:the|our|your|one of the) (?:(?:real|true|actual|only|other|last|remaining|two|second|third|hidden|first|one) )*(?<role>#[wv]s?\d+) (?:(?:left|here|among us|at this table|in this (?:village|room|game|town)) )?(?<verb>is|are|was|were|has to be|must be|is none other than|is and was) (?:not )?(?<object>@[\d+]+|me|you)(?= |$)/g;

/** "The … is Dan", "one of the … is Leah". */
function invertedIn(reading: Reading): Draft[] {
  return draftsBy(reading, inverted, ({ groups, frame, place, match }) => {
    const found = identityAt(groups['role']!, 'plain', reading.words)!;
    return whoIs(groups['object']!, place).map((name) => ({
      ...identity(name, found.is, reading.statement.by, / not /.test(match[0]) === frame.isDenied),
      hedged: frame.isHedged,
    }));
  });
}

/** The claim that somebody is so, or is not. */
export function identity(
  name: string,
  { role, team }: Identity,
  by: string,
  isSo: boolean,
): Pick<Claim, 'type' | 'subject' | 'role' | 'team' | 'polarity'> {
  const accuses = (team === 'werewolves') === isSo;
  const type = name === by ? 'own_role' : role ? 'role' : accuses ? 'accusation' : 'defence';
  return { type, subject: name, role: role?.name ?? null, team: role ? null : team, polarity: isSo };
}
