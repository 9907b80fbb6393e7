// Claims about what somebody did with a power: checks with what came of them, protections, potions and last shots.
import type { Draft } from './claim.ts';
import { identityAt, mannerOf, type Identity } from './identity-words.ts';
import { draftsBy, object, subject, whoIs, type Found, type Reading } from './reading.ts';
import { playersIn } from './sentence.ts';
import { roundNear } from './time.ts';

const aside =
  '(?:have|has|also|already|just|even|personally|then|first|in fact|successfully|secretly|only|really|indeed|specifically|actually|wisely|immediately|did|last night|on night \\d+|tonight|again|myself|am the one who|am the #\\S+ and|am the #\\S+ who|am a #\\S+ and|, the #\\S+ ,|chose to|decided to|managed to|used my [a-z ]{1,20}? to|used the [a-z ]{1,20}? to|went ahead and) ';

/** "I checked Dan", "Leah protected Will last night"; `isCheck` tells the one kind from the other. */
const patterns = new WeakMap<Reading['words'], RegExp>();

function deedPattern(words: Reading['words']): RegExp {
  const known = patterns.get(words);
  if (known) return known;
  const { past, infinitive } = words;
  const forms = [...new Set([...past.keys(), ...infinitive.keys()])].join('|');
  const pattern = new RegExp(
    `(?<![^ ])${subject} (?<between>(?:${aside}|not |never )*)(?<deed>${forms}) (?:on |into |out )?${object}(?= |$)`,
    'g',
  );
  patterns.set(words, pattern);
  return pattern;
}

export function deedsIn(reading: Reading): Draft[] {
  const { words } = reading;
  return draftsBy(reading, deedPattern(words), (found) => {
    const { groups, sentence } = found;
    const between = groups['between'] ?? '';
    const takesInfinitive = /(?:did(?: not| never)?(?: [a-z]+)?|to) $/.test(between);
    const deed = (takesInfinitive ? words.infinitive : words.past).get(groups['deed']!);
    if (!deed || /\b(?:had|who) $/.test(between)) return [];
    const isDenied = /\b(?:not|never) /.test(between) !== found.frame.isDenied;
    const rest = sentence.code.slice(found.end);
    if (deed.isCheck) return checks(found, isDenied);
    if (!isOfNight(groups['subject']!, deed.verbs, sentence.code, rest)) return [];
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
const isOfNight = (who: string, verbs: readonly string[], code: string, rest: string) =>
  !/(?:^| )(?:vot\w+|debat\w+|discussion|argu\w+|accus\w+|suspicion\w*|exile\w*|defend\w*|behaviou?r|words?|scrutiny|deflect\w*|distract\w*|covering|attack\w*|attack\\w*|attention)(?: |$)/.test(
    rest,
  ) &&
  (who === 'i' || /(?:^| )(?:night|overnight)(?: |$)/.test(code));

/** "I checked Dan: …", the result in the same sentence or the next. */
function checks(found: Found, isDenied: boolean): (Omit<Draft, 'from' | 'to'> & { to?: number })[] {
  const { place, sentence, end, groups } = found;
  const { reading } = place;
  const result = isDenied ? null : resultOf(found, end);
  const isTold = result !== null || /(?:^| )night(?: |$)/.test(sentence.code);
  if (groups['subject'] !== 'i' && !isTold) return [];
  return eachDeed(found).map((who) => ({
    ...who,
    ...checked(result?.is ?? null, reading),
    when: roundNear(found, true),
    polarity: !isDenied,
    ...(result ? { to: result.to } : {}),
  }));
}

const checked = (is: Identity | null, { words }: Reading) => ({
  type: 'check' as const,
  verbs: words.register.flatMap(({ powers }) => powers.filter(({ aim }) => aim === 'learn').map(({ verb }) => verb)),
  role: is?.role?.name ?? null,
  team: is && !is.role ? is.team : null,
});

const reports = [
  new RegExp(
    `(?<![^ ])(?:my|the) (?:check|investigation|inspection|vision|scan|reading|results?)(?: last night| results?)? (?:of|on|into|for|from|about) ${object}(?= |$)`,
    'g',
  ),
  /(?<![^ ])my (?:check|investigation|inspection|vision|scan|result)s?(?: last night| results?)? (?:revealed|showed|shows|confirmed|confirms|found|says|tells me)(?: that)? (?<object>@[\d+]+)(?= |$)/g,
  /(?<![^ ])(?<object>@[\d+]+)(?= (?:came|has come|comes) (?:back|up) )/g,
];

/** "My check of Dan showed …", "Dan came back as …": the speaker's own check without the words "I checked". */
export function reportedChecksIn(reading: Reading): Draft[] {
  return reports.flatMap((form) =>
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
}

const linking = new Set(
  ", : — ; . and he she they it the result results answer verdict is was are were found that him her them to be came come comes back up as turned out who learned discovered saw confirmed can confirm say now know showed shows revealed reveals returned gave says said a an one of definitely indeed clearly me i night last yesterday in on first second third round day during really just have has been identity role their his with certainty for sure after tonight this morning true what guess actually therefore so today my check simple plain ordinary regular confirmed tells told us you all 's investigation confirms no not never as positive both neither".split(
    ' ',
  ),
);
const clean = /^(?:clean|clear|cleared|good|safe|not bad)(?= |$)/;
const bad = /^(?:bad)(?= |$)/;
const farthest = 24;

interface Result {
  is: Identity;
  /** Its place in the sentence's code, or that code's end. */
  end: number;
  /** Its place in the text. */
  to: number;
}

/** What the words behind a check say of whoever was checked. */
function resultOf({ place, sentence, groups }: Found, from: number): Result | null {
  const { reading, index } = place;
  const whom = groups['object']!;
  const here = resultIn(sentence.code.slice(from).trimStart(), whom, reading);
  if (here) {
    const end = from + 1 + here.length;
    return { is: here.is, end, to: sentence.span(from, end).to };
  }
  const next = reading.sentences[index + 1];
  if (
    !next ||
    next.isQuestion ||
    !/^(?:he|she|they|it|the (?:result|answer|verdict)|result|@|#|and|a |innocent|not |clean|no )/.test(next.code)
  )
    return null;
  const said = sentence.code.slice(from).split(' ');
  if (said.some((code) => code.startsWith('#') || /^@/.test(code))) return null;
  const there = resultIn(next.code, whom, reading);
  return there ? { is: there.is, end: sentence.code.length, to: next.span(0, there.length).to } : null;
}

function resultIn(code: string, whom: string, { words }: Reading): { is: Identity; length: number } | null {
  const tokens = code.split(' ', farthest);
  let denials = 0;
  for (let at = 0; at < tokens.length; at++) {
    const length = tokens.slice(0, at).join(' ').length + (at > 0 ? 1 : 0);
    const rest = code.slice(length);
    const found = identityAt(rest, mannerOf(tokens.slice(0, at)), words) ?? wordAt(rest);
    if (found) return outcome(found, denials, code, length);
    const token = tokens[at]!;
    if (['not', 'no', 'never', 'neither'].includes(token)) denials++;
    const isSame =
      token === whom || (token.startsWith('@') && playersIn(token, words).join() === playersIn(whom, words).join());
    if (!linking.has(token) && !isSame) return null;
  }
  return null;
}

function outcome(found: { is: Identity; length: number }, denials: number, code: string, length: number) {
  const after = code.slice(length + found.length);
  if (denials > 1 || /^ (?:or|'s|if|hunter|target|claim)(?: |$)/.test(after)) return null;
  const { role, team } = found.is;
  if (denials === 0) return { is: found.is, length: length + found.length };
  if (role) return null;
  const other = team === 'werewolves' ? ('villagers' as const) : ('werewolves' as const);
  return { is: { role: null, team: other }, length: length + found.length };
}

function wordAt(code: string): { is: Identity; length: number } | null {
  const good = clean.exec(code);
  if (good) return { is: { role: null, team: 'villagers' }, length: good[0].length };
  const evil = bad.exec(code);
  return evil ? { is: { role: null, team: 'werewolves' }, length: evil[0].length } : null;
}
