// Separates models' private thoughts from what they say, whatever markup they use.
import type { Reading } from './record.ts';

/** A text split into speech and thoughts; `thoughts` is empty if there are none. */
interface SplitText {
  said: string;
  thoughts: string;
}

/** Names of tags that enclose thoughts. Seed-OSS writes `<seed:think>`, Kimi-VL `◁think▷`, Magistral `[THINK]`. */
const thinking = String.raw`(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|scratchpad)`;

/** Pattern of a tag that begins or ends thoughts. If one of its groups matches, the tag is a closing tag. */
const tag = new RegExp(
  String.raw`<\s*(\/?)\s*${thinking}\s*>|\[\s*(\/?)\s*think(?:ing)?\s*\]|◁\s*(\/?)\s*think\s*▷`,
  'gi',
);

/** A channel of OpenAI's harmony format: its name, then its text up to the next marker. */
const channel = /<\|channel\|>\s*(\w+)[^<]*<\|message\|>([\s\S]*?)(?=<\|(?:end|start|channel|return|call)\|>|$)/g;
const turn = /<\|start\|>\s*assistant/g;
const mark = /<\|(?:start|end|return|message|channel|call)\|>/g;
/** Channels in an answer whose server dropped the markers but kept the channels' names. */
const bareChannels = /^\s*analysis(?=\S)([\s\S]*?)assistantfinal/;

/**
 * Splits a text into thoughts, whatever markup encloses them, and speech.
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
 * Returns the text outside the tags. If a closing tag was never opened (the opening tag was in the chat template), all
 * text before it is thought. If an opening tag is never closed, all text after it is thought, because the text was cut.
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

/**
 * Selects the final channel as speech; all other channels are thoughts. Text outside channels is also speech, without
 * markers.
 */
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
 * Returns the text of an answer. The thoughts before it are cut to at most `most` characters, and the rest is
 * unchanged.
 *
 * @example truncateThoughts('<think>Hm, hm, hm.</think> {"bid": 2}', 9); // '<think>Hm</think> {"bid": 2}'
 */
export function truncateThoughts(text: string, most: number): string {
  if (text.length <= most || text.trimStart().startsWith('{')) return text;
  const last = [...text.matchAll(tag)].at(-1);
  const isClosing = last?.slice(1).some(Boolean);
  return last && isClosing && last.index > most ? text.slice(0, most).toWellFormed() + text.slice(last.index) : text;
}

/**
 * Pattern of thoughts in version 1 of the parsing rules: all text before the last closing tag, and all text after an
 * opening tag.
 */
const tagsOfReading1 = /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/gi;

/**
 * Returns the text of an answer without the thoughts before or after it. `reading`: version of the parsing rules. From
 * version 2 on, a text that begins as JSON stays whole, because markup within its fields is handled field by field.
 *
 * @example dropThoughts('<think>Hm.</think> {"bid": 2}', 2); // '{"bid": 2}'
 */
export function dropThoughts(text: string, reading: Reading): string {
  if (reading === 1) return text.replace(tagsOfReading1, '').trim();
  return text.trimStart().startsWith('{') ? text.trim() : splitThoughts(text).said.trim();
}
