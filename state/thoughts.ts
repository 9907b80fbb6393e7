// Private thoughts that models write beside what they say, in whatever marks they put them.
import type { Reading } from './record.ts';

/** A text with its thoughts apart; `thoughts` is empty where there are none. */
interface SplitText {
  said: string;
  thoughts: string;
}

/** Names of tags in which models think. Seed-OSS writes `<seed:think>`, Kimi-VL `◁think▷`, Magistral `[THINK]`. */
const thinking = String.raw`(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|scratchpad)`;

/** An opening or, with the group, a closing tag. */
const tag = new RegExp(
  String.raw`<\s*(\/?)\s*${thinking}\s*>|\[\s*(\/?)\s*think(?:ing)?\s*\]|◁\s*(\/?)\s*think\s*▷`,
  'gi',
);

/** A channel of OpenAI's harmony format: its name, then its text up to the next mark. */
const channel = /<\|channel\|>\s*(\w+)[^<]*<\|message\|>([\s\S]*?)(?=<\|(?:end|start|channel|return|call)\|>|$)/g;
const turn = /<\|start\|>\s*assistant/g;
const mark = /<\|(?:start|end|return|message|channel|call)\|>/g;
/** The same where a server dropped the marks and kept the words. */
const bareChannels = /^\s*analysis(?=\S)([\s\S]*?)assistantfinal/;

/**
 * The thoughts in a text, in whatever marks models put them, and what is left.
 *
 * @example splitThoughts('<think>I am a Werewolf.</think>I trust everyone.') // { said: 'I trust everyone.', thoughts: 'I am a Werewolf.' }
 */
export function splitThoughts(text: string): SplitText {
  const thoughts: string[] = [];
  const inChannels = text.includes('<|channel|>')
    ? selectFinalChannel(text, thoughts)
    : dropBareChannels(text, thoughts);
  const said = dropTagged(inChannels, thoughts);
  return { said: said === text ? text : said.trim(), thoughts: joinParts(thoughts) };
}

/**
 * What stands outside the tags. A closing tag without an opening one, which then stood in the chat template, makes all
 * before it thought; an opening tag without a closing one all behind it, since the text was cut.
 */
function dropTagged(text: string, thoughts: string[]): string {
  let [said, from, isThought] = ['', 0, false];
  for (const { 0: whole, 1: slash, 2: bracketSlash, 3: otherSlash, index } of text.matchAll(tag)) {
    if (whole.startsWith('[') && whole !== whole.toUpperCase()) continue; // "I [think] so" is speech
    const isClosing = Boolean(slash || bracketSlash || otherSlash);
    const part = text.slice(from, index);
    from = index + whole.length;
    if (isThought || isClosing) {
      thoughts.push(isThought ? part : said + part);
      if (!isThought) said = '';
    } else said += `${part} `;
    isThought = !isClosing;
  }
  const rest = text.slice(from);
  if (isThought) thoughts.push(rest);
  return isThought ? said : said + rest;
}

const dropBareChannels = (text: string, thoughts: string[]) =>
  text.replace(bareChannels, (_whole, words: string) => {
    thoughts.push(words);
    return '';
  });

/** Only the final channel is said; all others are thought. What stands outside channels is said too, without its marks. */
function selectFinalChannel(text: string, thoughts: string[]): string {
  return text
    .replace(turn, ' ')
    .replace(channel, (_whole, name: string, words: string) => {
      if (name === 'final') return words;
      thoughts.push(words);
      return ' ';
    })
    .replace(mark, ' ');
}

const joinParts = (parts: readonly string[]) =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');

/**
 * The text of an answer with at most so many characters of the thoughts before it; what follows them stays whole.
 *
 * @example truncateThoughts('<think>Hm, hm, hm.</think> {"bid": 2}', 9); // '<think>Hm</think> {"bid": 2}'
 */
export function truncateThoughts(text: string, most: number): string {
  if (text.length <= most || text.trimStart().startsWith('{')) return text;
  const last = [...text.matchAll(tag)].at(-1);
  const isClosing = last?.slice(1).some(Boolean);
  return last && isClosing && last.index > most ? text.slice(0, most).toWellFormed() + text.slice(last.index) : text;
}

/** Reading 1: all before the last closing tag, and all behind an opening one. */
const tagsOfReading1 = /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/gi;

/**
 * The text of an answer without the thoughts before or after it. From reading 2 on, a text that begins as JSON stays whole: marks
 * stand within its fields, where they are looked for one by one.
 *
 * @example dropThoughts('<think>Hm.</think> {"bid": 2}', 2); // '{"bid": 2}'
 */
export function dropThoughts(text: string, reading: Reading): string {
  if (reading === 1) return text.replace(tagsOfReading1, '').trim();
  return text.trimStart().startsWith('{') ? text.trim() : splitThoughts(text).said.trim();
}
