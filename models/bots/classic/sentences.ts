// Plain English brought into a form that patterns can read: names and roles become tokens (`@3`, lists `@1+4`,
// `#w0` for a role of the Werewolves, `#v2` for one of the village), contractions are written out, and "you",
// "he" and "she" become whoever they stand for.
import type { Lexicon } from './lexicon.ts';

export interface Sentence {
  text: string;
  asks: boolean;
}

/** What a speaker says beyond so many characters is not listened to. */
const longest = 6000;

/** Names that are also auxiliary verbs. */
const auxiliary = /^(?:Will|May|Can|Might|Must|Shall)$/;

/** Makes a reader of statements for a board; it reads any text in time linear in its length. */
export function readerOf({ players, roles, pack }: Lexicon): (text: string) => Sentence[] {
  const word = (words: readonly string[]) => `(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`;
  const names = new RegExp(word(players), 'gu');
  const subject = new RegExp(
    `^ (?:you|we|he|she|they|it|I|any\\w+|some\\w+|everyone|the|that|this|there|${players.join('|')})\\b`,
  );
  const titles = roles.map(({ name, plural, team }, index) => ({
    pattern: new RegExp(word([plural, name]), 'giu'),
    token: `#${team === 'werewolves' ? 'w' : 'v'}${index}`,
  }));
  const packToken = `#w${roles.indexOf(pack)}`;

  return (text) => {
    const named = unquoted(text.slice(0, longest))
      .replace(/[@#+]/g, ' ')
      .replace(names, (name, at: number, all: string) =>
        auxiliary.test(name) && subject.test(all.slice(at + name.length, at + name.length + 24))
          ? name
          : `@${players.indexOf(name)}`,
      );
    const titled = titles.reduce((line, { pattern, token }) => line.replace(pattern, token), named);
    const plain = writtenOut(titled.toLowerCase()).replace(/\b(?:were)?wol(?:f|ves)\b/g, packToken);
    return resolved(plain.match(/[^.!?;\n]+[.!?;\n]*/g) ?? []);
  };
}

/** What stands in quotation marks is somebody else's speech, unless everything does. */
function unquoted(text: string) {
  const straight = text
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[“”«»„]/g, '"')
    .trim();
  const whole = /^"([^"]*)"$/.exec(straight);
  return whole ? whole[1]! : straight.replace(/"[^"]*"/g, ' ');
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\s+/g, ' '],
  [/ ?[—–]+ ?| --? /g, ' ; '],
  [/\b(?:thank you|thanks)\b/g, ''],
  [/\bcan't\b|\bcannot\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\bi'm\b/g, 'i am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/\blet's\b/g, 'let us'],
  [/\b(he|she|it|that|there|what|who)'s\b/g, '$1 is'],
  [
    /(@\d+)'s (?=(?:an?|the|not|no|our|my|one|been|just|too|so|very|acting|lying|hiding|trying|being|definitely|probably|clearly|likely|suspicious|innocent|clear|clean|good|guilty|behaving) )/g,
    '$1 is ',
  ],
  [/(@\d+), who (?=(?:is|has|was|seems|looks|might|may|could)\b)/g, '$1 '],
  [/(@\d+), (?=(?:might|may|could|must) (?:be|well|also)\b)/g, '$1 '],
  [/[*_]+/g, ''],
];

const writtenOut = (text: string) =>
  contractions.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);

/** "A, B and C" as one token, except where the last name starts a clause of its own. */
const list =
  /@\d+(?:, @\d+)+,? (?:and|or|&) @\d+(?! (?:is|was|has|seems|looks|sounds)\b)|@\d+ (?:and|or|&) @\d+(?! (?:is|was|has|seems|looks|sounds)\b)/g;
const listToken = (names: string) => `@${names.match(/\d+/g)!.join('+')}`;

const opening =
  /^(?:(?:and|but|so|well|now|listen|hey|okay|ok|also|look|yes|no|then|fine|sorry|honestly) ?,? )*(@[\d+]+) ?[,:!]/;
const inserted = /(?:, |\band |\bbut )(@[\d+]+)(?=,|$)/;
const second = /\byou(?:r|rs|rself)?\b/;

function resolved(raw: readonly string[]): Sentence[] {
  let addressee: string | undefined;
  let last: string | undefined;
  return raw.map((line) => {
    const bare = line
      .replace(/[.!?;\s]+$/, '')
      .trim()
      .replace(list, listToken);
    const called = opening.exec(bare)?.[1] ?? (second.test(bare) ? inserted.exec(bare)?.[1] : undefined);
    addressee = called ?? addressee;
    const addressed = addressee === undefined ? bare : address(bare, addressee);
    const text = addressed.replace(
      /@[\d+]+|\b(?:he|she|him)\b|\b(?:his|her)\b|(?<=^|and |: |, |- )they(?= are (?:not )?(?:an?|the|one of|innocent|good|clear)\b)/g,
      (found) => {
        if (found.startsWith('@')) return (last = found);
        if (last === undefined) return found;
        return /^(?:his|her)$/.test(found) ? `${last}'s` : last;
      },
    );
    return { text, asks: line.includes('?') };
  });
}

/** "you" as the one spoken to, with the verb that fits a name. */
const address = (line: string, addressee: string) =>
  line
    .replace(/\byou all\b|\ball of you\b/g, 'everybody')
    .replace(/\byour\b/g, `${addressee}'s`)
    .replace(/\byou\b/g, addressee)
    .replace(/(@[\d+]+) are\b/g, '$1 is')
    .replace(/(@[\d+]+) have\b/g, '$1 has')
    .replace(/(@[\d+]+) worry\b/g, '$1 worries')
    .replace(/(@[\d+]+) (seem|look|sound|bother|trouble|avoid|want|need)\b/g, '$1 $2s');
