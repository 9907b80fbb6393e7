// Parses the lines of prompts and reports strictly: whatever a text contains, each line has a known form.
import { expect } from '@jest/globals';
import { isVisibleTo, type GameEvent } from '../../state/events.ts';
import type { Rules } from '../../state/rules/common-rules.ts';

/** Characters that are invisible, or that move, color or reverse the text around them. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]|\p{M}{9}/u;

/** Tags, and the control tokens of chat templates. */
const template = /<[\p{L}/|｜!?<]|\[\/?[gs]?[A-Z][A-Z_\d]*\]/u;

/** Characters that could end a quotation. */
const closing = /["“”„‟«»″‶‴ʺˮ˝״〃〝〞〟❝❞＂]/u;

/** Line breaks of all kinds. */
export const splitLines = (text: string) => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);

/** Returns only the letters and digits of a text. */
export const selectLetters = (text: string) => text.replace(/[^\p{L}\p{N}]|\p{Lm}/gu, '');

/** Fails if a text matches. Calls `expect` only then, because every call creates an error object. */
function expectNone(pattern: RegExp, text: string) {
  const found = pattern.exec(text)?.[0];
  if (found !== undefined) expect({ found, text }).toBeUndefined();
}

/** Fails if a line contains hidden characters. */
export const expectVisible = (line: string) => expectNone(hidden, line);

/** Fails if quoted words can end their quotation, or look like markup to the model. */
export function expectQuoted(words: string) {
  expectVisible(words);
  expectNone(closing, words);
  expectNone(template, words);
}

/** A line of the history in a prompt: its kind, its player, and its quoted words. */
export interface Told {
  kind: string;
  by: string;
  /** Letters and digits of the quoted words; null if nothing is quoted. */
  words: string | null;
}

const name = String.raw`(\p{L}+)`;
const forms: Readonly<Record<string, string>> = {
  acquainted: String.raw`(?:The other Werewolves are: [\p{L}, ]+|You are the only one on the side of the Werewolves)\.`,
  thought: String.raw`(You) thought(?: \([a-z ]+\))?:`,
  proposal: String.raw`${name} proposed to the other Werewolves to remove \p{L}+[.:]`,
  pick: String.raw`The Werewolves picked \p{L}+\.`,
  acted: String.raw`(You) chose to [a-z]+ \p{L}+\.`,
  learned: String.raw`You learned that ${name} is [A-Za-z ]+\.`,
  quiet_night: String.raw`Nobody left the game in the night\.`,
  death: String.raw`${name} left the game(?: in the night|, exiled by vote)\.(?: \p{L}+ was [A-Za-z ]+\.)?`,
  statement: String.raw`${name} said:`,
  silence: String.raw`${name} had the turn and said nothing\.`,
  ballot: String.raw`${name} voted for \p{L}+[.:]`,
  exile_survived: String.raw`${name} (?:was|were) voted out, (?:was|were) shown .+\.`,
  no_exile: String.raw`Nobody was exiled: [a-z ]+\.`,
  summary: String.raw`Your summary of the (?:round|debate):`,
};

/** Pattern of a heading between events. */
const heading = /^(?:(?:Night|Day) \d+:|Day \d+ \(still in the game: [\p{L}, ]+\):|Before the first night:)?$/u;

/** Cache of parsed lines, because the same lines occur in many prompts. */
const readBefore = new Map<string, Told>();

/** Fails if a line does not have one of the known forms. */
function readLine(line: string): Told {
  expectVisible(line);
  const [, told = '', words] = /^- ([^"]*?)(?: "([^"]*)")?$/.exec(line) ?? [];
  for (const [kind, form] of Object.entries(forms)) {
    const found = new RegExp(`^${form}$`, 'u').exec(told);
    if (!found) continue;
    if (words !== undefined) expectQuoted(words);
    expect(words !== undefined).toBe(told.endsWith(':'));
    return { kind, by: found[1] ?? '', words: words === undefined ? null : selectLetters(words) };
  }
  throw new Error(`This is no line of a history: ${line}`);
}

/** Reads the history in a prompt to `player`. */
export function readHistory(user: string, player: string): Told[] {
  const lines = splitLines(user);
  const end = lines.findIndex((line) => /^It is (?:night|day) \d+\.(?: Still in the game: [\p{L}, ]+\.)?$/u.test(line));
  expect(lines[0]).toBe(end === 0 ? lines[end] : 'What you have seen so far:');
  const told = lines.slice(Math.min(1, end), end).filter((line) => !heading.test(line));
  return told.map((line) => {
    const read = readBefore.get(line) ?? readLine(line);
    readBefore.set(line, read);
    return read.by === 'You' ? { ...read, by: player } : read;
  });
}

/** Computes the history that `player` should see in `round`, in order, from the events of the whole match. */
export function computeHistory(
  events: readonly GameEvent[],
  player: string,
  round: number,
  { memory, thoughts }: Pick<Rules, 'memory' | 'thoughts'>,
): Told[] {
  const isForgotten = (event: GameEvent) => memory === 'summary' && event.round < round;
  return events
    .filter((event) => isVisibleTo(event, player) && event.round <= round)
    .flatMap((event): Told[] => {
      const told = (by: string, words: string | null = null) => [
        { kind: event.type, by, words: words === null ? null : selectLetters(words) },
      ];
      switch (event.type) {
        case 'thought':
          return thoughts === 'none' || (thoughts === 'this-round' && event.round < round)
            ? []
            : told(event.by, event.reasoning);
        case 'proposal':
          return told(event.by, event.reason);
        case 'statement':
          return isForgotten(event) ? [] : told(event.by, event.text);
        case 'silence':
          return isForgotten(event) ? [] : told(event.by);
        case 'ballot':
          return told(event.by, isForgotten(event) ? null : (event.explanation ?? null));
        case 'summary':
          return event.text === '' ? [] : told('', event.text);
        case 'acted':
          return told(event.by);
        case 'learned':
          return told(event.about);
        case 'death':
        case 'exile_survived':
          return told(event.player);
        case 'acquainted':
        case 'pick':
        case 'quiet_night':
        case 'no_exile':
          return told('');
        default:
          return [];
      }
    });
}
