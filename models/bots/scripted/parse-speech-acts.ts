// Parses speech acts: whom players accuse, defend, ask or report on, and which role they claim. Because adversaries may
// write statements, patterns repeat only a limited number of words, and the end of a long text is not read.
import { memoize } from '../../../prompts/text.ts';
import { findNames } from '../../../state/name-reader.ts';
import type { Team } from '../../../state/teams.ts';
import { getRole } from '../../../state/roles/index.ts';
import { getCountedSide } from '../../../state/roles/role.ts';
import type { View } from '../../../state/view.ts';

export type SpeechAct =
  | { kind: 'accuse' | 'defend' | 'ask'; target: string }
  /** The speaker joins other players against somebody, without stating a belief. */
  | { kind: 'follow'; target: string }
  | { kind: 'claim'; role: string }
  /** The speaker reports the result of a check. */
  | { kind: 'report'; target: string; team: Team }
  /** The speaker denies being a Werewolf. */
  | { kind: 'deny' };

export const nameAct = (act: SpeechAct) => Object.values(act).join(' ');

/** Removes duplicates. A report of a check replaces all other acts about its target. */
export function mergeActs(acts: readonly SpeechAct[]): SpeechAct[] {
  const checked = acts.flatMap((act) => (act.kind === 'report' ? act.target : []));
  const isImplied = (act: SpeechAct) =>
    (act.kind === 'accuse' || act.kind === 'defend') && checked.includes(act.target);
  return [...new Map(acts.filter((act) => !isImplied(act)).map((act) => [nameAct(act), act])).values()];
}

// In a normalized sentence, players are tokens such as "@3"; several players are "@1+4"; roles are "#w0" or "#v2", by
// side.
const who = '(@[\\d+]+)';
const bad = String.raw`(?:#w\d+|suspicious|suspect|lying|(?:a )?liar|hiding|shady|evasive|dishonest|guilty|fishy|off|odd|strange|inconsistent|deceptive|untrustworthy|misleading|defensive|quiet|silent|telling(?! the truth)|concerning|trying to (?:hide|deflect|mislead|avoid|steer|blend|deceive)|(?:at the )?top of my list)\b`;
const good = String.raw`(?:#v\d+|innocent|trustworthy|honest|sincere|genuine|credible|clean|clear|cleared|truthful|on our side|on the side of the village|one of us|telling the truth)\b`;
const being = String.raw`(?:is|are|has been|have been|seems?|looks?|sounds?|feels?|appears?|(?:must|might|may|could|can|would)(?: well| not| also)? be)`;
const word = "(?!(?:by|than|what|who|that|why|when|if|because|and|but|or) )[a-z']+ ";
const subject = new RegExp(`${who}(?:'s [a-z]+)? ${being} ((?:${word}){0,5}?)(?:(${bad})|${good})`, 'g');
const speaker = `(?:^|\\b(?:i|we|us|my) )((?:(?!(?:i|we|but|because|so|they|who|someone|anyone|people|others) )[a-z'-]+,? ){0,9}?)`;
// prettier-ignore
const stances: readonly (readonly [RegExp, 'accuse' | 'defend'])[] = [
  [/()(@[\d+]+)(?:'s [a-z]+)? (?:(?:has|needs) to go|(?:must|should) go|does not add up|(?:worries|bothers|troubles) me|has lied|is (?:the one (?:i|we) would|(?:our|my) (?:[a-z]+ ){0,2}(?:suspect|candidate|choice|vote|pick)))\b/g, 'accuse'],
  [new RegExp(`${speaker}(?:suspect|suspicious of|suspicion (?:is on|falls on)|accuse|distrust|vote (?:is |goes to |for |out |against |is for |to exile )|voting (?:for|out)|give my vote to|exile|send away|get rid of|eye on|wary of|worried about|coming back to|point at) ?(?:the )?${who}(?!,? (?:as|for|to be) (?:the |our )?(?:sheriff|badge))`, 'g'), 'accuse'],
  [new RegExp(`${speaker}(?:trust|believe|vouch for|stand (?:by|with)|side with|defend|faith in) ${who}(?!'s|,? (?:is|has|did|was|could|might|seems|looks) )`, 'g'), 'defend'],
  [/()\b(?:right|agree with @[\d+]+) about (@[\d+]+)/g, 'accuse'],
  [/()\b(?:if|whether|could) (@[\d+]+) (?:is |be )?(?:trying to|hiding|lying)/g, 'accuse'],
  [/()\b(?:leave|wrong about|nothing against) (@[\d+]+)(?= alone| in peace|$|,)/g, 'defend'],
];
// prettier-ignore
const supposed = /(?:\b(?:if|while|one of|whether|unless|suppose|assuming)|(?:@[\d+]+|\b(?:who|anyone|someone|everyone|nobody|they|people)) (?:[a-z]+ ){0,2}?(?:says?|said|claims?|claimed|thinks?|believes?|insists?|suggest(?:s|ed)?|argue[sd]?|saying)(?: that)?) $/;
const disbelieved = /(?:\bnot (?:[a-z]+ )?(?:think|believe|say|sure|convinced|buy)|\bi doubt|\bunlikely)(?: that)? $/;
const negated = /\b(?:not|no|never|hardly|stop|instead of|rather than|why|before we|who)\b/;
const claimed = [
  /\bi am ((?:(?:really|actually|indeed|just|only|simply|also|truly|not|no|the|an?|your|our|one|of|real|true|plain|ordinary|honest|village) ){0,5})#([wv])(\d+)/g,
  /\b(?:my (?:true |real )?(?:role|identity) (?:is|as)|speaking as|^as) ((?:(?:not|the|an?|your|real|true) ){0,3})#([wv])(\d+)/g,
  /^((?:the |an? )?)#([wv])(\d+) here\b/g,
];
// prettier-ignore
const denied = /\bi am (?:[a-z]+ )?(?:innocent|on (?:your|our) side|on the side of the village|with the village|one of (?:us|the village))|\bwrong about me\b|\bi have nothing to hide\b/;
// prettier-ignore
const followed = /\b(?:(?:follow|join|go with|going with|side with) the (?:majority|others|rest|most)|vote has to go somewhere|one name is enough)\b/;
const shown = `\\bmy (?:check|vision|investigation|result)(?: (?:of|on|for|about|into|shows?|showed|tells|says|revealed|last night|was|me|that)| ,)* ${who}`;
/** Spellings and contractions, and the full forms that replace them. */
// prettier-ignore
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[*_]+/g, ''], [/\s+/g, ' '], [/ ?[—–] ?| --? /g, ' ; '], [/\bcan(?:'t|not)\b/g, 'can not'], [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'], [/\bi'm\b/g, 'i am'], [/'re\b/g, ' are'], [/'ve\b/g, ' have'], [/\blet's\b/g, 'let us'],
  [/\b(he|she|it|that)'s\b/g, '$1 is'], [/(@\d+)'s (?=(?:an?|the|not|no|been|so|very|lying|hiding)\b)/g, '$1 is '],
  [/(@\d+), who (?=is|has|seems|looks)/g, '$1 '],
];

type Sentence = Readonly<{ text: string; isQuestion: boolean }>;
type Table = Pick<View, 'players' | 'board'>;

/** Words after a name that make the name a verb: "Will you vote?" mentions no player. */
const isAsked = /^ (?:you|we|I|he|she|they|any\w+)\b/;

/** Returns the text with a token in place of every name. */
function encodeNames(text: string, players: readonly string[]): string {
  return findNames(text, players)
    .filter(({ to }) => !isAsked.test(text.slice(to, to + 20)))
    .reduceRight(
      (rest, { name, from, to }) => `${rest.slice(0, from)}@${players.indexOf(name)}${rest.slice(to)}`,
      text,
    );
}

/** Splits a text into sentences. Names and roles become tokens, and so do "you", "he" and "she". */
function readSentences(text: string, { players, board }: Table): Sentence[] {
  const whole = (options: readonly string[], flags: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}_])(?:${options.join('|')})(?![\\p{L}\\p{N}_])`, flags);
  const straight = text.replace(/[’‘ʼ`´]/g, "'").replace(/[“”«»„]/g, '"').trim(); // prettier-ignore
  const own = /^"([^"]*)"$/.exec(straight)?.[1] ?? straight.replace(/"[^"]*"/g, ' '); // quoted text is somebody else's words
  let line = encodeNames(own.replace(/[@#+]/g, ' '), players);
  for (const [index, role] of Object.keys(board.roles).map(getRole).entries()) {
    const titles = [role.plural, role.name, ...Object.entries(role.nicknames ?? {}).flat()];
    line = line.replace(whole(titles, 'giu'), `#${getCountedSide(role) === 'werewolves' ? 'w' : 'v'}${index}`);
  }
  line = spellings.reduce((written, [pattern, plain]) => written.replace(pattern, plain), line.toLowerCase());
  let addressee: string | undefined;
  let last: string | undefined;
  return (line.match(/[^.!?;\n]+[.!?;\n]*/g) ?? []).map((raw) => {
    const lists = /@\d+(?:, @\d+){0,15},? (?:and|or|&) @\d+(?! (?:is|was|has|seems|looks|sounds)\b)/g;
    const trimmed = raw.replace(/[.!?;\s]+$/, '').trim();
    const bare = trimmed.replace(lists, (list) => `@${list.match(/\d+/g)!.join('+')}`);
    const called = /^(?:[a-z]+,? ){0,2}(@[\d+]+) ?[,:!]/.exec(bare) ?? /\byou.*, (@[\d+]+)$/.exec(bare);
    const you = (addressee = called?.[1] ?? addressee) ?? 'you';
    const resolved = bare
      .replace(/\byou are\b/g, `${you} is`)
      .replace(/\byou (seem|look|worry)\b/g, (_, verb) => `${you} ${verb === 'worry' ? 'worries' : `${verb}s`}`)
      .replace(/\byour\b/g, `${you}'s`)
      .replace(/\byou\b/g, you)
      .replace(/@[\d+]+|\b(?:he|she|him|they(?= are))\b/g, (word) =>
        word[0] === '@' ? (last = word) : (last ?? word),
      );
    return { text: resolved, isQuestion: raw.includes('?') };
  });
}

const listNames = ({ players }: Table, token = '') => (token.match(/\d+/g) ?? []).map((seat) => players[Number(seat)]!);
const listRoles = ({ board }: Table) => Object.keys(board.roles).map(getRole);
function hearClaims({ text, isQuestion }: Sentence, table: Table): SpeechAct[] {
  const acts: SpeechAct[] = [];
  for (const match of claimed.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (supposed.test(text.slice(0, match.index))) continue;
    if (!negated.test(match[1]!)) acts.push({ kind: 'claim', role: listRoles(table)[Number(match[3])]!.name });
    else if (match[2] === 'w') acts.push({ kind: 'deny' });
  }
  return !isQuestion && denied.test(text) ? [...acts, { kind: 'deny' }] : acts;
}

/** Finds the reported result of a check, as in "… he is a Werewolf". */
function findVerdict(text: string): Team | null {
  if (/\b(?:not|no|never)(?: [a-z']+){0,3} #w\d/.test(text)) return 'villagers';
  return /#w\d/.test(text) ? 'werewolves' : new RegExp(`\\b(?:good|safe)\\b|${good}`).test(text) ? 'villagers' : null;
}

function hearReports({ text }: Sentence, next: Sentence | undefined, table: Table): SpeechAct[] {
  const powers = listRoles(table).flatMap((role) => role.powers.filter(({ aim }) => aim === 'learn'));
  const verbs = [...powers.flatMap(({ saidAs }) => Object.values(saidAs ?? {})), 'found', 'saw', 'learned'];
  const bySpeaker = `\\bi (?:have |had |also |already ){0,2}(?:${verbs.join('|')})(?: that| both| out)* ${who}`;
  const checks = [...text.matchAll(new RegExp(`${bySpeaker}|${shown}`, 'g'))];
  return checks.flatMap((found, index) => {
    if (/\b(?:if|had|should|when|would|could) $/.test(text.slice(0, found.index))) return [];
    const rest = text.slice(found.index + found[0].length).split(/\bi checked\b/)[0]!;
    const isContinued = index === 0 && next?.isQuestion === false; // "I checked Dan. He is …"
    const team = findVerdict(rest) ?? (isContinued ? findVerdict(next.text.slice(0, 90)) : null);
    const targets = listNames(table, found[1] ?? found[2]);
    return team === null ? [] : targets.map((target) => ({ kind: 'report', target, team }) as const);
  });
}

/** Finds accusations and defenses. If a sentence has both about one player, the first counts. */
function hearStances({ text }: Sentence, table: Table): SpeechAct[] {
  const judged = new Map<string, 'accuse' | 'defend'>();
  const judge = (token: string, isAgainst: boolean) =>
    judged.set(token, judged.get(token) ?? (isAgainst ? 'accuse' : 'defend'));
  for (const match of text.matchAll(subject)) {
    const before = text.slice(0, match.index);
    const isDenied = negated.test(match[0]) !== disbelieved.test(before);
    if (!supposed.test(before)) judge(match[1]!, (match[3] !== undefined) !== isDenied);
  }
  for (const [pattern, kind] of stances)
    for (const match of text.matchAll(pattern)) judge(match[2]!, (kind === 'accuse') !== negated.test(match[1]!));
  return [...judged].flatMap(([token, kind]) => listNames(table, token).map((target) => ({ kind, target })));
}

function hearQuestions({ text, isQuestion }: Sentence, table: Table): SpeechAct[] {
  const token = isQuestion ? /@[\d+]+/.exec(text)?.[0] : /hear (?:more )?from (@[\d+]+)/.exec(text)?.[1];
  return listNames(table, token).map((target) => ({ kind: 'ask', target }));
}

function hearSentence(sentence: Sentence, next: Sentence | undefined, table: Table): SpeechAct[] {
  const claims = hearClaims(sentence, table);
  if (sentence.isQuestion) return [...claims, ...hearQuestions(sentence, table)];
  const [named] = listNames(table, sentence.text.match(/@[\d+]+/g)?.at(-1));
  if (named !== undefined && followed.test(sentence.text)) return [...claims, { kind: 'follow', target: named }];
  const stated = [...hearReports(sentence, next, table), ...hearStances(sentence, table)];
  return [...claims, ...stated, ...hearQuestions(sentence, table)];
}

/**
 * Returns the speech acts in a statement. Results are cached by text.
 * @example parseSpeechActs('I checked Dan: he is a Werewolf.', view) // [{ kind: 'report', target: 'Dan', team: 'werewolves' }]
 */
export const parseSpeechActs = memoize(
  5000,
  (text: string, { players, board }: Table) => JSON.stringify([players, Object.keys(board.roles), text.slice(0, 6000)]),
  (text, table): readonly SpeechAct[] => {
    const sentences = readSentences(text.slice(0, 6000), table).filter((one) => one.text !== '');
    return mergeActs(sentences.flatMap((one, index) => hearSentence(one, sentences[index + 1], table)));
  },
);
