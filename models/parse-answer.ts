// Reads the answer from what a model wrote: JSON, also where it stands in prose or a code block, is damaged or was cut.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { entryKey, familyKeys } from '../prompts/fields.ts';
import { getRenamer, replaceInValue } from '../prompts/renaming.ts';
import { type AnswerLine, latestReading, type Reading } from '../state/record.ts';
import { dropThoughts, splitThoughts } from '../state/thoughts.ts';
import type { View } from '../state/view.ts';
import { isRefusal, isRefusalAsSpeech } from './chat-response.ts';
import { dropInventedDialogue } from './invented-dialogue.ts';

/** The value of a JSON text; the text itself where it is not JSON. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `cut`: the text ended in the middle of a string, which was read as far as it went. `error`: for the model to read. */
export type ParsedAnswer = ({ answer: unknown; cut?: true } & RemovedSpeech) | { error: string } | { refusal: true };

/** What was taken out of fields that others hear: see the fields of an answer's line. */
type RemovedSpeech = Pick<AnswerLine, 'moved_thoughts' | 'cut_dialogue'>;

type ParsedPrompt = Pick<AnyPrompt, 'answer' | 'schema'> &
  Partial<Pick<AnyPrompt, 'view' | 'heard' | 'action' | 'family'>>;

/** In characters: more of a text is not read, and longer texts are not repaired, which would take seconds. */
const longest = { read: 200_000, repaired: 20_000 };

/**
 * Reads the answer to a prompt from the text of a model, by the prompt's schema. A refusal in words is one, whether it
 * stands alone or in the field for speech. In a renamed game the answer is read in its words, and given in the usual ones; the
 * error, which the model will read, stays in its words. `reading`: the rules by which the record reads answers; what
 * they make of an answer must never change, since a record is verified by reading it again. `isOfFamily`: whether it answers
 * to the schema of the question's family. Never throws.
 *
 * @example parseAnswer('I bid: {"reasoning": "…", "bid": 2}', bidPrompt, 2); // { answer: { reasoning: '…', bid: 2 } }
 */
export function parseAnswer(
  raw: string,
  prompt: ParsedPrompt,
  reading: Reading = latestReading,
  { isOfFamily = false }: { isOfFamily?: boolean | undefined } = {},
): ParsedAnswer {
  const tell = getRenamer(prompt.view);
  const whole = raw.slice(0, longest.read).trim();
  const { listCandidates, listSpoken, clean } = readings[reading];
  const text = isJson(whole) ? whole : dropThoughts(whole, reading);
  let [error, nearest] = ['there was no JSON object in it.', -1];
  for (const candidate of listCandidates(text)) {
    if (!/^[{[]/.test(candidate)) continue;
    const parsed = parse(candidate);
    if (parsed === undefined) continue;
    const told = replaceInValue(parsed.value, tell);
    const own = isOfFamily ? takeFromFamily(told, prompt) : { value: told };
    if ('kind' in own) return { error: describeOtherKind(tell(own.kind), tell(prompt.action ?? '')) };
    const { value, removed } = clean(own.value, prompt);
    // Without compiling the schema: most are used a few times, so compiling would take longer than it saves.
    const read = prompt.answer.safeParse(normalizeKeys(value, prompt.schema), { jitless: true });
    if (listSpoken(value, prompt).some(isRefusalAsSpeech)) return { refusal: true };
    if (read.success) return { answer: read.data, ...(parsed.isCut ? { cut: true } : {}), ...removed };
    if ('refusal' in value && isRefusal(String(value.refusal))) return { refusal: true };
    const near = countKnownKeys(value, prompt.schema);
    // The error is about the candidate that is most like an answer: one may also be an object within the answer.
    if (near > nearest) [error, nearest] = [tell(describeIssues(read.error)), near];
  }
  return isRefusal(text) ? { refusal: true } : { error };
}

/** What differs between readings. */
interface ReadingRules {
  /** The parts of a text that may be the JSON object, likeliest first; the first is almost always enough. */
  listCandidates: (text: string) => Iterable<string>;
  /** The texts of the answer that others hear. */
  listSpoken: (answer: object, prompt: ParsedPrompt) => string[];
  /** The answer with nothing in its public fields that nobody is to hear. */
  clean: (value: object, prompt: ParsedPrompt) => { value: object; removed: RemovedSpeech };
}

const readings: Readonly<Record<Reading, ReadingRules>> = {
  1: {
    listCandidates: listFirstCandidates,
    listSpoken: (answer) => listTextsAt(answer, ['statement', 'explanation']),
    clean: (value) => ({ value, removed: {} }),
  },
  2: {
    listCandidates: listLastCandidates,
    listSpoken: listHeardTexts,
    clean: cleanSpeech,
  },
};

/** How many fields of the schema an object has. */
const countKnownKeys = (value: object, { properties = {} }: AnswerShape) =>
  Object.keys(value).filter((key) => key in properties).length;

/**
 * The answer to a question out of an answer to the schema of its family: without what stands around it, under the question's own
 * names, and with objects in place of lists of entries. Or its kind, where that is another.
 */
function takeFromFamily(value: object, { schema, action, family }: ParsedPrompt): { value: object } | { kind: string } {
  const { properties = {} } = schema as AnswerShape;
  const names: Readonly<Record<string, string>> = family?.names ?? {};
  const { [familyKeys.kind]: kind, [familyKeys.answer]: inner, ...others } = value as Record<string, unknown>;
  if (typeof kind === 'string' && action !== undefined && stripKey(kind) !== stripKey(action)) return { kind };
  const fields = typeof inner === 'object' && inner !== null ? { ...others, ...inner } : others;
  const entries = Object.entries(fields).map(([given, field]) => {
    const own = names[given];
    const name = own === undefined || own in fields ? given : own;
    const asked = properties[name]?.properties;
    return [name, Array.isArray(field) && asked ? joinEntries(field as unknown[], asked) : field];
  });
  return { value: Object.fromEntries(entries) as object };
}

const describeOtherKind = (given: string, asked: string) =>
  `the question asks for the kind "${asked}", and this is one of the kind ${JSON.stringify(given)}.`;

/** A list of entries as an object with one for each player who is asked about; others are left out. */
const joinEntries = (list: readonly unknown[], asked: Record<string, AnswerShape>) =>
  Object.fromEntries(
    list.flatMap((entry) => {
      if (typeof entry !== 'object' || entry === null) return [];
      const { [entryKey]: player, ...fields } = entry as Record<string, unknown>;
      if (typeof player !== 'string' || !(player in asked)) return [];
      return [[player, asked[player]?.properties === undefined ? Object.values(fields)[0] : fields]];
    }),
  );

/** How many opening braces are tried as the beginning of the answer. */
const falseStarts = 5;

/** Reading 1. */
function* listFirstCandidates(text: string): Generator<string> {
  yield text;
  yield* listBlocks(text);
  if (text.startsWith('[')) return; // several answers in a list: none of them is the answer
  yield* listFromBraces(text);
}

/** What stands in blocks of code, the last one perhaps without its end. */
const listBlocks = (text: string) =>
  [...text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)].map(([, inside]) => inside!.trim());

/** From each of the first opening braces up to the last closing one, and up to the end, where it may lack. */
function* listFromBraces(text: string): Generator<string> {
  const end = text.lastIndexOf('}') + 1;
  for (const { index: start } of [...text.matchAll(/\{/g)].slice(0, falseStarts)) {
    if (end > start) yield text.slice(start, end);
    yield text.slice(start);
  }
}

/** A list of several answers: none of them is the answer. `[Sam]: {…}` and `[INST] {…}` are none. */
const severalAnswers = /^\[\s*[[{\]"]/;

/** Of several code blocks, and of several objects, the last that can be read is the answer: models think again. */
function* listLastCandidates(text: string): Generator<string> {
  yield text;
  yield* listBlocks(text).toReversed();
  if (severalAnswers.test(text)) return;
  const objects = listTopObjects(text);
  if (objects.length > 1) yield* objects.toReversed();
  yield* listFromBraces(text);
}

/** The whole objects of a text that stand in no other, in their order. */
export function listTopObjects(text: string): string[] {
  const objects: string[] = [];
  let [depth, start, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isInString) {
      if (letter === '\\') at++;
      else if (letter === '"') isInString = false;
    } else if (letter === '"')
      isInString = depth > 0; // in prose a quotation mark begins no string
    else if (letter === '{') {
      if (depth++ === 0) start = at;
    } else if (letter === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, at + 1));
  }
  return objects.slice(-falseStarts);
}

function listHeardTexts(answer: object, { heard = [] }: ParsedPrompt): string[] {
  const names = heard.map(stripKey);
  return listTextsAt(
    answer,
    Object.keys(answer).filter((key) => names.includes(stripKey(key))),
  );
}

/** A model that must follow a JSON schema can only refuse in its speech. */
const listTextsAt = (answer: object, fields: readonly string[]) =>
  fields.flatMap((field) => {
    const spoken = (answer as Record<string, unknown>)[field];
    return typeof spoken === 'string' ? [spoken] : [];
  });

/**
 * A model that must follow a schema can only think within its fields, and a weak one goes on with what others say. Thoughts
 * go to the private reasoning, invented lines to nobody.
 */
function cleanSpeech(value: object, { heard = [], view }: ParsedPrompt): { value: object; removed: RemovedSpeech } {
  const cleaned: Record<string, unknown> = { ...value };
  const moved = new Set<string>();
  const cut: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    const field = heard.find((name) => stripKey(name) === stripKey(key));
    if (typeof text !== 'string' || field === undefined) continue;
    const { said: spoken, thoughts } = splitThoughts(text);
    const { said, invented } = cutDialogue(spoken, view);
    cleaned[key] = said;
    if (thoughts !== '') {
      moved.add(field);
      moveThoughts(cleaned, thoughts);
    }
    if (invented !== '') cut[field] = invented;
  }
  const removed = {
    ...(moved.size > 0 ? { moved_thoughts: [...moved] } : {}),
    ...(Object.keys(cut).length > 0 ? { cut_dialogue: cut } : {}),
  };
  return { value: cleaned, removed };
}

const cutDialogue = (text: string, view: View | undefined) =>
  view ? dropInventedDialogue(text, view) : { said: text, invented: '' };

/** Puts thoughts behind the reasoning that an answer has, under whatever spelling of the key. */
function moveThoughts(answer: Record<string, unknown>, thought: string): void {
  const key = Object.keys(answer).find((name) => stripKey(name) === 'reasoning') ?? 'reasoning';
  const before = answer[key];
  answer[key] = typeof before === 'string' && before.trim() !== '' ? `${before}\n${thought}` : thought;
}

/** Whether the text ends within a string: its number of quotes is odd. */
const isEndingInString = (text: string) => (text.match(/(?<!\\)(?:\\\\)*"/g)?.length ?? 0) % 2 === 1;

/** A number at the end of a text that was cut may be incomplete: "0." of 0.8, "1" of 10. */
const lastNumber = /[-+]?\.?\d[\d.eE+-]*$/;

function parse(text: string): { value: object; isCut: boolean } | undefined {
  const whole = parseObject(text);
  if (whole || text.length > longest.repaired) return whole && { value: whole, isCut: false };
  const isCut = isEndingInString(text);
  try {
    const repaired = parseObject(jsonrepair(isCut ? text : text.replace(lastNumber, '')));
    return repaired && { value: repaired, isCut };
  } catch {
    return undefined;
  }
}

/** The object of a JSON text, alone or in a list of one. */
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    return typeof only === 'object' && only !== null && !Array.isArray(only) ? only : undefined;
  } catch {
    return undefined;
  }
}

interface AnswerShape {
  properties?: Record<string, AnswerShape>;
}

/** A key without what models change in it: case and separators. */
const stripKey = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Renames the keys of an object as the schema spells them, whatever their case and separators. */
function normalizeKeys(value: unknown, shape: AnswerShape): unknown {
  if (typeof value !== 'object' || value === null || !shape.properties) return value;
  const given = new Map(Object.entries(value).map(([key, inner]): [string, unknown] => [stripKey(key), inner]));
  const exact = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(shape.properties).map(([key, inner]) => [
      key,
      normalizeKeys(exact.get(key) ?? given.get(stripKey(key)), inner),
    ]),
  );
}

const describeIssues = (error: z.ZodError) =>
  `${error.issues
    .slice(0, 5)
    .map(({ path, message }) => `"${path.join('.')}": ${message}`)
    .join('; ')}.`;
