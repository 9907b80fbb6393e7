// Hearing: who is accused, defended, asked or checked in a statement, and which role its speaker claims. Statements come
// from adversaries: patterns repeat a bounded number of words, and only so much of a text is listened to.
import type { Team } from '../../../state/teams.ts';
import { getRole } from '../../../state/roles/index.ts';
import type { View } from '../../../state/view.ts';

/** What can be done by saying something. */
export type SpeechAct =
  | { kind: 'accuse' | 'defend'; target: string }
  /** `about`: the player whom the question concerns. */
  | { kind: 'ask'; target: string; about?: string }
  /** Goes with others against somebody, without saying what the speaker believes. */
  | { kind: 'follow'; target: string }
  | { kind: 'claim'; role: string }
  /** The result of a check. */
  | { kind: 'report'; target: string; team: Team }
  /** Says not to be on the side of the Werewolves; answers an accusation without saying what the speaker is. */
  | { kind: 'deny' | 'deflect' };

/** A name for each thing that can be done, e.g. "accuse Dan". */
export const nameAct = (act: SpeechAct) => Object.values(act).join(' ');

/** Each act once; the report of a check says all that need be said of its target. */
export function mergeActs(acts: readonly SpeechAct[]): SpeechAct[] {
  const checked = acts.flatMap((act) => (act.kind === 'report' ? act.target : []));
  const isImplied = (act: SpeechAct) =>
    /accuse|defend/.test(act.kind) && 'target' in act && checked.includes(act.target);
  return [...new Map(acts.filter((act) => !isImplied(act)).map((act) => [nameAct(act), act])).values()];
}

// Players stand in a sentence as "@3", several as "@1+4", roles as "#w0" or "#v2" by their side.
const who = '(@[\\d+]+)';
const bad = String.raw`(?:#w\d+|suspicious|suspect|lying|(?:a )?liar|hiding|shady|evasive|dishonest|guilty|fishy|off|odd|strange|inconsistent|deceptive|untrustworthy|misleading|defensive|quiet|silent|telling(?! the truth)|concerning|trying to (?:hide|deflect|mislead|avoid|steer|blend|deceive)|(?:at the )?top of my list)\b`;
const good = String.raw`(?:#v\d+|innocent|trustworthy|honest|sincere|genuine|credible|clean|clear|cleared|truthful|on our side|on the side of the village|one of us|telling the truth)\b`;
const being = String.raw`(?:is|are|has been|have been|seems?|looks?|sounds?|feels?|appears?|(?:must|might|may|could|can|would)(?: well| not| also)? be)`;
const word = "(?!(?:by|than|what|who|that|why|when|if|because|and|but|or) )[a-z']+ ";
const subject = new RegExp(`${who}(?:'s [a-z]+)? ${being} ((?:${word}){0,5}?)(?:(${bad})|${good})`, 'g');
const speaker = `(?:^|\\b(?:i|we|us|my) )((?:(?!(?:i|we|but|because|so|they|who|someone|anyone|people|others) )[a-z'-]+,? ){0,9}?)`;
const stances: readonly (readonly [RegExp, 'accuse' | 'defend'])[] = [
  [/()(@[\d+]+)(?:'s [a-z]+)? (?:(?:has|needs) to go|(?:must|should) go|does not add up|(?:worries|bothers|troubles) me|has lied|is (?:the one (?:i|we) would|(?:our|my) (?:[a-z]+ ){0,2}(?:suspect|candidate|choice|vote|pick)))\b/g, 'accuse'],
  [new RegExp(`${speaker}(?:suspect|suspicious of|suspicion (?:is on|falls on)|accuse|distrust|vote (?:is |goes to |for |out |against |is for |to exile )|voting (?:for|out)|give my vote to|exile|send away|get rid of|eye on|wary of|worried about|coming back to|point at) ?(?:the )?${who}(?!,? (?:as|for|to be) (?:the |our )?(?:sheriff|badge))`, 'g'), 'accuse'],
  [new RegExp(`${speaker}(?:trust|believe|vouch for|stand (?:by|with)|side with|defend|faith in) ${who}(?!'s|,? (?:is|has|did|was|could|might|seems|looks) )`, 'g'), 'defend'],
  [/()\b(?:right|agree with @[\d+]+) about (@[\d+]+)/g, 'accuse'],
  [/()\b(?:if|whether|could) (@[\d+]+) (?:is |be )?(?:trying to|hiding|lying)/g, 'accuse'],
  [/()\b(?:leave|wrong about|nothing against) (@[\d+]+)(?= alone| in peace|$|,)/g, 'defend'],
]; // prettier-ignore
const supposed = /(?:\b(?:if|while|one of|whether|unless|suppose|assuming)|(?:@[\d+]+|\b(?:who|anyone|someone|everyone|nobody|they|people)) (?:[a-z]+ ){0,2}?(?:says?|said|claims?|claimed|thinks?|believes?|insists?|suggest(?:s|ed)?|argue[sd]?|saying)(?: that)?) $/; // prettier-ignore
const disbelieved = /(?:\bnot (?:[a-z]+ )?(?:think|believe|say|sure|convinced|buy)|\bi doubt|\bunlikely)(?: that)? $/;
const negated = /\b(?:not|no|never|hardly|stop|instead of|rather than|why|before we|who)\b/;
const claimed = [
  /\bi am ((?:(?:really|actually|indeed|just|only|simply|also|truly|not|no|the|an?|your|our|one|of|real|true|plain|ordinary|honest|village) ){0,5})#([wv])(\d+)/g,
  /\b(?:my (?:true |real )?(?:role|identity) (?:is|as)|speaking as|^as) ((?:(?:not|the|an?|your|real|true) ){0,3})#([wv])(\d+)/g,
  /^((?:the |an? )?)#([wv])(\d+) here\b/g,
]; // prettier-ignore
const denied = /\bi am (?:[a-z]+ )?(?:innocent|on (?:your|our) side|on the side of the village|with the village|one of (?:us|the village))|\bwrong about me\b|\bi have nothing to hide\b/; // prettier-ignore
const deflected = /\b(?:(?:proves|says) nothing about me|reason to name me|the same of half the table|naming me is|more than my name)\b/; // prettier-ignore
const followed = /\b(?:(?:follow|join|go with|going with|side with) the (?:majority|others|rest|most)|vote has to go somewhere|one name is enough)\b/; // prettier-ignore
const topic = /\b(?:make of|what about|think (?:of|about)|see|place|trust|suspect) (@[\d+]+)/;
/** What is written out; "you" and its like follow. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[*_]+/g, ''], [/\s+/g, ' '], [/ ?[—–] ?| --? /g, ' ; '], [/\bcan(?:'t|not)\b/g, 'can not'], [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'], [/\bi'm\b/g, 'i am'], [/'re\b/g, ' are'], [/'ve\b/g, ' have'], [/\blet's\b/g, 'let us'],
  [/\b(he|she|it|that)'s\b/g, '$1 is'], [/(@\d+)'s (?=(?:an?|the|not|no|been|so|very|lying|hiding)\b)/g, '$1 is '],
  [/(@\d+), who (?=is|has|seems|looks)/g, '$1 '],
]; // prettier-ignore

interface Sentence {
  text: string;
  asks: boolean;
}

/** Sentences with tokens in place of names and roles, and "you", "he" and "she" as whoever they stand for. */
function readSentences(text: string, { players, board }: Pick<View, 'players' | 'board'>): Sentence[] {
  const whole = (options: readonly string[], flags: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}_])(?:${options.join('|')})(?![\\p{L}\\p{N}_])`, flags);
  const straight = text.replace(/[’‘ʼ`´]/g, "'").replace(/[“”«»„]/g, '"').trim(); // prettier-ignore
  const own = /^"([^"]*)"$/.exec(straight)?.[1] ?? straight.replace(/"[^"]*"/g, ' '); // quoted: another's words
  const names = players.map((name) => `${name}(?! (?:you|we|I|he|she|they|any\\w+)\\b)`); // "Will you vote?" names nobody
  let line = own.replace(/[@#+]/g, ' ').replace(whole(names, 'gu'), (name) => `@${players.indexOf(name)}`);
  for (const [index, role] of Object.keys(board.roles).map(getRole).entries()) {
    const titles = [role.plural, role.name, ...Object.entries(role.nicknames ?? {}).flat()];
    line = line.replace(whole(titles, 'giu'), `#${role.team === 'werewolves' ? 'w' : 'v'}${index}`);
  }
  line = spellings.reduce((written, [pattern, plain]) => written.replace(pattern, plain), line.toLowerCase());
  let addressee: string | undefined;
  let last: string | undefined;
  return (line.match(/[^.!?;\n]+[.!?;\n]*/g) ?? []).map((raw) => {
    const lists = /@\d+(?:, @\d+){0,15},? (?:and|or|&) @\d+(?! (?:is|was|has|seems|looks|sounds)\b)/g;
    const bare = raw.replace(/[.!?;\s]+$/, '').trim().replace(lists, (list) => `@${list.match(/\d+/g)!.join('+')}`); // prettier-ignore
    const called = /^(?:[a-z]+,? ){0,2}(@[\d+]+) ?[,:!]/.exec(bare) ?? /\byou.*, (@[\d+]+)$/.exec(bare);
    const you = (addressee = called?.[1] ?? addressee) ?? 'you';
    const addressed = bare.replace(/\byou are\b/g, `${you} is`).replace(/\byou worry\b/g, `${you} worries`).replace(/\byou (seem|look)\b/g, `${you} $1s`).replace(/\byour\b/g, `${you}'s`).replace(/\byou\b/g, you); // prettier-ignore
    const resolved = addressed.replace(/@[\d+]+|\b(?:he|she|him|they(?= are))\b/g, (found) =>
      found.startsWith('@') ? (last = found) : (last ?? found),
    );
    return { text: resolved, asks: raw.includes('?') };
  });
}

/** "… he is a Werewolf": what a check is said to have shown. */
function findVerdict(text: string): Team | null {
  if (/\b(?:not|no|never)(?: [a-z']+){0,3} #w\d/.test(text)) return 'villagers';
  return /#w\d/.test(text) ? 'werewolves' : new RegExp(`\\b(?:good|safe)\\b|${good}`).test(text) ? 'villagers' : null;
}

function hearSentence({ text, asks }: Sentence, next: Sentence | undefined, view: Pick<View, 'players' | 'board'>) {
  const named = (token = '') => (token.match(/\d+/g) ?? []).map((seat) => view.players[Number(seat)]!);
  const roles = Object.keys(view.board.roles).map(getRole);
  const acts: SpeechAct[] = [];
  const spoken = new Set<string>();
  const judge = (kind: 'accuse' | 'defend', isTurned: boolean, token: string) => {
    const other = kind === 'accuse' ? 'defend' : 'accuse'; // where a sentence says both of somebody, the first stands
    if (!spoken.has(token)) acts.push(...named(token).map((target) => ({ kind: isTurned ? other : kind, target }) as const));
    spoken.add(token);
  }; // prettier-ignore
  for (const match of claimed.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (supposed.test(text.slice(0, match.index))) continue;
    if (!negated.test(match[1]!)) acts.push({ kind: 'claim', role: roles[Number(match[3])]!.name });
    else if (match[2] === 'w') acts.push({ kind: 'deny' });
  }
  if (denied.test(text) && !asks) acts.push({ kind: 'deny' });
  if (deflected.test(text)) acts.push({ kind: 'deflect' });
  const names = text.match(/@[\d+]+/g) ?? [];
  if (followed.test(text)) return [...acts, ...named(names.at(-1)).map((target) => ({ kind: 'follow', target }) as const)];
  const powers = roles.flatMap((role) => role.powers.map((power) => ({ role, pasts: Object.values(power.saidAs ?? {}).join('|'), aim: power.aim }))).filter(({ pasts }) => pasts !== '');
  const checks = powers.flatMap(({ aim, pasts }) => (aim === 'learn' ? pasts : []));
  const check = new RegExp(`\\bi (?:have |had |also |already ){0,2}(?:${[...checks, 'found', 'saw', 'learned'].join('|')})(?: that| both| out)* ${who}|\\bmy (?:check|vision|investigation|result)(?: (?:of|on|for|about|into|shows?|showed|tells|says|revealed|last night|was|me|that)| ,)* ${who}`, 'g');
  for (const [index, found] of asks ? [] : [...text.matchAll(check)].entries()) {
    if (/\b(?:if|had|should|when|would|could) $/.test(text.slice(0, found.index))) continue;
    const rest = text.slice(found.index + found[0].length).split(/\bi checked\b/)[0]!;
    const team = findVerdict(rest) ?? (next?.asks === false && index === 0 ? findVerdict(next.text.slice(0, 90)) : null);
    if (team !== null) acts.push(...named(found[1] ?? found[2]).map((target) => ({ kind: 'report', target, team }) as const));
  }
  const deed = powers.find(({ aim, role, pasts }) => aim !== 'learn' && role.team === 'villagers' && new RegExp(`\\bi (?:have |had )?(?:${pasts}) (?:@|myself|somebody)`).test(text));
  if (deed && !asks && !/\b(?:if|had) i\b/.test(text)) acts.push({ kind: 'claim', role: deed.role.name });
  for (const match of asks ? [] : text.matchAll(subject)) {
    const before = text.slice(0, match.index);
    if (!supposed.test(before)) judge(match[3] === undefined ? 'defend' : 'accuse', negated.test(match[0]) !== disbelieved.test(before), match[1]!);
  }
  for (const [pattern, kind] of asks ? [] : stances) for (const match of text.matchAll(pattern)) judge(kind, negated.test(match[1]!), match[2]!);
  const asked = [...text.matchAll(/hear (?:more )?from (@[\d+]+)/g)].map((match) => match[1]!);
  const [about] = named(topic.exec(text)?.[1]);
  for (const target of [...asked, ...(asks ? names.slice(0, 1) : [])].flatMap(named))
    acts.push({ kind: 'ask', target, ...(about === undefined || about === target ? {} : { about }) });
  return acts;
} // prettier-ignore

const heard = new Map<string, readonly SpeechAct[]>();

/**
 * What the players of a board hear in a statement. Heard once, a text is not read again.
 * @example hearStatement('I checked Dan: he is a Werewolf.', view) // [{ kind: 'report', target: 'Dan', team: 'werewolves' }]
 */
export function hearStatement(text: string, view: Pick<View, 'players' | 'board'>): readonly SpeechAct[] {
  const key = JSON.stringify([view.players, Object.keys(view.board.roles), text.slice(0, 6000)]);
  const known = heard.get(key);
  if (known) return known;
  const sentences = readSentences(text.slice(0, 6000), view).filter((one) => one.text !== '');
  const acts = mergeActs(sentences.flatMap((sentence, index) => hearSentence(sentence, sentences[index + 1], view)));
  if (heard.size > 5000) heard.clear();
  heard.set(key, acts);
  return acts;
}
