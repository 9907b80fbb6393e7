// Hearing: what a public statement does, as far as plain patterns can tell. Statements are written by adversaries:
// any text is read in bounded time, and a name counts as a whole word only.
import { roleThatDid, type Lexicon } from './lexicon.ts';
import { readerOf, type Sentence } from './sentences.ts';
import { distinct, type Act } from './speech-act.ts';
import * as words from './wordings.ts';

type Ear = (text: string) => readonly Act[];

const ears = new Map<string, Ear>();

/** What a board's players can hear; heard once, a text is not read again. */
export function earOf(lexicon: Lexicon): Ear {
  const key = [...lexicon.players, '', ...lexicon.roles.map(({ name }) => name)].join(' ');
  const known = ears.get(key);
  if (known) return known;
  if (ears.size > 50) ears.clear();
  const ear = remembering(earFor(lexicon));
  ears.set(key, ear);
  return ear;
}

/** A pure function's results kept by text, so that each statement is read once and not once by each listener. */
function remembering(ear: Ear): Ear {
  const heard = new Map<string, readonly Act[]>();
  return (text) => {
    const known = heard.get(text);
    if (known) return known;
    const acts = ear(text);
    if (heard.size > 2000) heard.clear();
    if (text.length < 6000) heard.set(text, acts);
    return acts;
  };
}

function earFor(lexicon: Lexicon): Ear {
  const read = readerOf(lexicon);
  return (text) => {
    const sentences = read(text);
    return distinct(sentences.flatMap((sentence, index) => heardIn(sentence, sentences[index + 1], lexicon)));
  };
}

function heardIn(sentence: Sentence, next: Sentence | undefined, lexicon: Lexicon): Act[] {
  const named = (token: string) => (token.match(/\d+/g) ?? []).map((seat) => lexicon.players[Number(seat)]!);
  const each = (kind: 'accuse' | 'defend' | 'follow', token: string): Act[] =>
    named(token).map((target) => ({ kind, target }));
  const own = [...ownRole(sentence, lexicon), ...deedClaims(sentence, lexicon)];
  if (words.follows.test(sentence.text)) {
    const tokens = sentence.text.match(/@[\d+]+/g) ?? [];
    return [...own, ...tokens.slice(-1).flatMap((token) => each('follow', token))];
  }
  const judged = judgements(sentence).flatMap(({ kind, token }) => each(kind, token));
  return [...own, ...reports(sentence, next, named, lexicon), ...judged, ...questions(sentence, named)];
}

/** Claims, denials and evasions. */
function ownRole({ text, asks }: Sentence, { roles }: Lexicon): Act[] {
  const acts: Act[] = [];
  for (const pattern of words.claims) {
    for (const match of text.matchAll(pattern)) {
      const [, between = '', side, index] = match;
      const before = text.slice(0, match.index);
      if (
        /\b(?:if|whether|unless|suppose|think|thinks|believe|say|says|said|that|call me) $/.test(before) &&
        !/\b(?:you|i (?:can |must |will )?(?:say|confess|reveal|tell @[\d+]+|tell everybody)|know|admit|now) (?:[a-z]+ )?(?:that )?$/.test(
          before,
        )
      )
        continue;
      const denies = words.negation.test(between);
      if (!denies) acts.push({ kind: 'claim', role: roles[Number(index)]!.name });
      else if (side === 'w') acts.push({ kind: 'deny' });
    }
  }
  if (words.denials.test(text) && !asks) acts.push({ kind: 'deny' });
  if (words.deflections.test(text)) acts.push({ kind: 'deflect' });
  return acts;
}

/** Whoever says to have protected or poisoned somebody claims the role that can. */
function deedClaims({ text, asks }: Sentence, lexicon: Lexicon): Act[] {
  if (asks || /\b(?:if|had|that) i\b/.test(text)) return [];
  return (['shield', 'harm'] as const).flatMap((aim): Act[] => {
    const found = words.deeds[aim].exec(text);
    const role = found ? roleThatDid(found[1] ?? found[2] ?? '', aim, lexicon) : undefined;
    return role ? [{ kind: 'claim', role: role.name }] : [];
  });
}

/** Checks that the speaker tells of; the verdict stands behind the name, at times in the sentence after. */
function reports(
  { text, asks }: Sentence,
  next: Sentence | undefined,
  named: (token: string) => string[],
  { roles }: Lexicon,
): Act[] {
  if (asks) return [];
  return [...text.matchAll(words.checks)].flatMap((found, index, all): Act[] => {
    if (/\b(?:if|had|should|when|would|will|could) $/.test(text.slice(0, found.index))) return [];
    const rest = text.slice(found.index + found[0].length, all[index + 1]?.index);
    const verdict = verdictIn(rest, roles) ?? (next?.asks === false ? verdictIn(next.text.slice(0, 90), roles) : null);
    const token = found[1] ?? found[2] ?? '';
    return verdict === null ? [] : named(token).map((target) => ({ kind: 'report', target, ...verdict }));
  });
}

function verdictIn(text: string, roles: Lexicon['roles']) {
  const said = text.slice(0, 160);
  if (words.verdicts.notBad.test(said)) return { team: 'villagers' as const };
  if (words.verdicts.bad.test(said)) return { team: 'werewolves' as const };
  const role = words.verdicts.role.exec(said)?.[1];
  if (role !== undefined) return { team: 'villagers' as const, role: roles[Number(role)]!.name };
  return words.verdicts.good.test(said) ? { team: 'villagers' as const } : null;
}

interface Judged {
  kind: 'accuse' | 'defend';
  token: string;
}

/** Who is accused or trusted. */
function judgements({ text, asks }: Sentence): Judged[] {
  const all: Judged[] = [];
  const add = (accuses: boolean, token: string) => all.push({ kind: accuses ? 'accuse' : 'defend', token });
  const statements = (pattern: RegExp, isBad: boolean) => {
    for (const match of text.matchAll(pattern)) {
      const [, token = '', between = ''] = match;
      const before = text.slice(0, match.index);
      if (asks || words.supposed.test(before)) continue;
      const turned = words.negation.test(between) !== words.disbelieved.test(before);
      add(isBad !== turned, token);
    }
  };
  statements(words.isPack, true);
  statements(words.isVillage, false);
  statements(words.isSuspicious, true);
  statements(words.hasSuspicious, true);
  for (const pattern of [words.doesSuspicious, words.wondering])
    for (const match of text.matchAll(pattern))
      if (!words.supposed.test(text.slice(0, match.index)) || pattern === words.wondering) add(true, match[1]!);
  const stances = (patterns: readonly RegExp[], accuses: boolean) => {
    for (const pattern of patterns) {
      for (const match of text.matchAll(pattern)) {
        const token = match.at(-1)!;
        const turned = words.unwilling.test(match[0].slice(0, -token.length));
        const elects = words.forOffice.test(text.slice(match.index + match[0].length)); // a vote of trust
        if (!asks) add((accuses && !elects) !== turned, token);
      }
    }
  };
  stances(words.against, true);
  stances(words.infavour, false);
  return settled(all);
}

/** Where one sentence says both of somebody, the first stands. */
const settled = (all: readonly Judged[]) =>
  all.filter(({ token }, index) => all.findIndex((other) => other.token === token) === index);

/** Who is asked, and about whom. */
function questions({ text, asks }: Sentence, named: (token: string) => string[]): Act[] {
  const asked = words.asking.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  const first = asks ? words.questioned.exec(text)?.[1] : undefined;
  const topic = words.questionedAbout.exec(text)?.[1];
  const about = topic !== undefined && topic !== first ? named(topic)[0] : undefined;
  const tokens = first === undefined ? asked : [...asked, first];
  return tokens.flatMap((token) =>
    named(token).map((target): Act => ({ kind: 'ask', target, ...(about === undefined ? {} : { about }) })),
  );
}
