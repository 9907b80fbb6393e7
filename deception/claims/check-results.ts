// What came of a check, as the words behind it say.
import { identityAt, mannerOf, type Identity } from './identity-words.ts';
import type { Found, Reading } from './reading.ts';
import { playersIn } from './sentence.ts';

/** A check with what it is said to have shown; null: that is not said. */
export const checked = (is: Identity | null, { words }: Reading) => ({
  type: 'check' as const,
  verbs: words.register.flatMap(({ powers }) => powers.filter(({ aim }) => aim === 'learn').map(({ verb }) => verb)),
  role: is?.role?.name ?? null,
  team: is && !is.role ? is.team : null,
});

const linking = new Set(
  "( ) , : — ; . and he she they it the result results answer verdict is was are were found that him her them to be came come comes back up as turned out who learned discovered saw confirmed can confirm say now know showed shows revealed reveals returned gave says said a an one of definitely indeed clearly me i night last yesterday in on first second third round day during really just have has been identity role their his with certainty for sure after tonight this morning true what guess actually therefore so today my check simple plain ordinary regular confirmed tells told us you all 's investigation confirms no not never as positive both neither got get saw see seen shown told turned proved proves lo behold where which whom came moderator reading reads read what's came".split(
    ' ',
  ),
);
const clean = /^(?:clean|clear|cleared|good|safe|not bad|fine|one of us)(?= |$)/;
const bad = /^(?:bad|one of them|on their side)(?= |$)/;
const farthest = 24;

interface Result {
  is: Identity;
  /** Its place in the sentence's code, or that code's end. */
  end: number;
  /** Its place in the text. */
  to: number;
}

/** What the words behind a check, which ends at `from`, say of whoever was checked. */
export function resultOf({ place, sentence, groups }: Found, from: number): Result | null {
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

/** What one word says of whoever was checked; null: nothing. */
export const resultAt = (code: string, words: Reading['words']): Identity | null =>
  (identityAt(code, null, words) ?? wordAt(code))?.is ?? null;

function wordAt(code: string): { is: Identity; length: number } | null {
  const good = clean.exec(code);
  if (good) return { is: { role: null, team: 'villagers' }, length: good[0].length };
  const evil = bad.exec(code);
  return evil ? { is: { role: null, team: 'werewolves' }, length: evil[0].length } : null;
}
