// Parses the answer in a model's text: JSON, possibly surrounded by prose, in a code block, damaged or cut off.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { entryKey, familyKeys } from '../prompts/fields.ts';
import { getRenamer, replaceInValue } from '../prompts/renaming.ts';
import type { ShapesPlace } from '../prompts/shapes.ts';
import { type AnswerLine, latestReading, type Reading } from '../state/record.ts';
import { dropThoughts, splitThoughts } from '../state/thoughts.ts';
import type { View } from '../state/view.ts';
import { isRefusal, isRefusalAsSpeech } from './chat-response.ts';
import { dropInventedDialogue } from './invented-dialogue.ts';

/** Parses JSON; returns the text itself if it is not JSON. */
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

/**
 * Result of parsing a model's text. `cut`: the text ended inside a string, and the part that was received is used.
 * `error`: description of the fault, which the model will read.
 */
export type ParsedAnswer = ({ answer: unknown; cut?: true } & RemovedSpeech) | { error: string } | { refusal: true };

/** Text that was removed from public fields. The schema `AnswerLine` describes both fields. */
type RemovedSpeech = Pick<AnswerLine, 'moved_thoughts' | 'cut_dialogue'>;

type ParsedPrompt = Pick<AnyPrompt, 'answer' | 'schema'> &
  Partial<Pick<AnyPrompt, 'view' | 'heard' | 'action' | 'family'>>;

/**
 * Limits in characters. Text beyond `read` is ignored. A text longer than `repaired` is not repaired, because that
 * would take seconds.
 */
const longest = { read: 200_000, repaired: 20_000 };

/**
 * Returns whether an answer is parsed by the schema of the question's family. It is if the question was sent with that
 * schema, or if the prompt described that schema and the server then rejected it.
 *
 * @example isReadAsFamily({ structured: 'schema', shapes: 'family' }) // true
 */
export const isReadAsFamily = ({
  structured,
  shapes = 'prompt',
}: Pick<AnswerLine, 'structured'> & { shapes?: ShapesPlace | undefined }): boolean =>
  structured === 'family' || shapes === 'family';

/**
 * Parses the answer to a prompt from a model's text, by the prompt's schema. Detects a refusal in words, alone or in
 * the field for speech. In a renamed game, the answer is converted to the usual words, but the error keeps the game's
 * words, because the model will read it. `reading`: version of the parsing rules. The result of a version must never
 * change, because records are verified by parsing them again. `isOfFamily`: whether the text answers the schema of the
 * question's family; `isPerson`: whether a person gave it. Never throws.
 *
 * @example parseAnswer('I bid: {"reasoning": "…", "bid": 2}', bidPrompt, 2); // { answer: { reasoning: '…', bid: 2 } }
 */
export function parseAnswer(
  raw: string,
  prompt: ParsedPrompt,
  reading: Reading = latestReading,
  { isOfFamily = false, isPerson = false }: { isOfFamily?: boolean | undefined; isPerson?: boolean } = {},
): ParsedAnswer {
  if (isPerson) return parsePersonAnswer(raw, prompt);
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
    // Validators are not compiled: most schemas are used only a few times, so compiling would cost more than it saves.
    const read = prompt.answer.safeParse(normalizeKeys(value, prompt.schema), { jitless: true });
    if (listSpoken(value, prompt).some(isRefusalAsSpeech)) return { refusal: true };
    if (read.success) return { answer: read.data, ...(parsed.isCut ? { cut: true } : {}), ...removed };
    if ('refusal' in value && isRefusal(String(value.refusal))) return { refusal: true };
    const near = countKnownKeys(value, prompt.schema);
    // The error describes the candidate that is most like an answer. Other candidates may be objects inside the answer.
    if (near > nearest) [error, nearest] = [tell(describeIssues(read.error)), near];
  }
  return isRefusal(text) ? { refusal: true } : { error };
}

/** Parses the answer that a person gave in a form. Nothing is repaired, and no words count as a refusal. */
function parsePersonAnswer(raw: string, { answer }: ParsedPrompt): ParsedAnswer {
  const read = answer.safeParse(parseJsonOrText(raw));
  return read.success ? { answer: read.data } : { error: describeIssues(read.error) };
}

/** Parts of the parser that differ between versions of the parsing rules. */
interface ReadingRules {
  /**
   * Lists the parts of a text that may be the JSON object of the answer, the most likely part first. Usually the first
   * part is right.
   */
  listCandidates: (text: string) => Iterable<string>;
  /** Lists the texts of the answer that other players hear. */
  listSpoken: (answer: object, prompt: ParsedPrompt) => string[];
  /** Returns the answer with private content removed from its public fields. */
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

/** Counts the fields of the schema that an object has. */
const countKnownKeys = (value: object, { properties = {} }: AnswerShape) =>
  Object.keys(value).filter((key) => key in properties).length;

/**
 * Extracts the answer to a question from an answer to its family's schema: unwraps it, restores the question's own
 * names, and converts lists of entries to objects. If the answer belongs to another question of the family, returns the
 * kind of that question.
 */
function takeFromFamily(value: object, { schema, action, family }: ParsedPrompt): { value: object } | { kind: string } {
  const { properties = {} } = schema as AnswerShape;
  const names: Readonly<Record<string, string>> = family?.names ?? {};
  const { [familyKeys.kind]: outerKind, [familyKeys.answer]: inner, ...others } = value as Record<string, unknown>;
  const isWrapped = typeof inner === 'object' && inner !== null;
  const { [familyKeys.kind]: innerKind, ...wrapped } = (isWrapped ? inner : {}) as Record<string, unknown>;
  // In earlier schemas, the kind was next to the reasoning. Models without an enforced schema still write the kind
  // there.
  const kind = outerKind ?? innerKind;
  if (typeof kind === 'string' && action !== undefined && stripKey(kind) !== stripKey(action)) return { kind };
  const fields = { ...others, ...wrapped };
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

/**
 * Converts a list of entries to an object with one entry for each player who is asked about. Other entries are dropped.
 */
const joinEntries = (list: readonly unknown[], asked: Record<string, AnswerShape>) =>
  Object.fromEntries(
    list.flatMap((entry) => {
      if (typeof entry !== 'object' || entry === null) return [];
      const { [entryKey]: player, ...fields } = entry as Record<string, unknown>;
      if (typeof player !== 'string' || !(player in asked)) return [];
      return [[player, asked[player]?.properties === undefined ? Object.values(fields)[0] : fields]];
    }),
  );

/** Number of opening braces that are tried as the beginning of the answer. */
const falseStarts = 5;

/** Yields the candidates of version 1 of the parsing rules. */
function* listFirstCandidates(text: string): Generator<string> {
  yield text;
  yield* listBlocks(text);
  if (text.startsWith('[')) return; // several answers in a list: none of them is the answer
  yield* listFromBraces(text);
}

/** Lists the contents of code blocks. The last block may lack its end. */
const listBlocks = (text: string) =>
  [...text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)].map(([, inside]) => inside!.trim());

/**
 * Yields parts of the text that begin at one of the first opening braces and end at the last closing brace. For each
 * also yields the part up to the end of the text, in case the closing brace is missing.
 */
function* listFromBraces(text: string): Generator<string> {
  const end = text.lastIndexOf('}') + 1;
  for (const { index: start } of [...text.matchAll(/\{/g)].slice(0, falseStarts)) {
    if (end > start) yield text.slice(start, end);
    yield text.slice(start);
  }
}

/**
 * Pattern of the beginning of a list of several answers; none of them is used. `[Sam]: {…}` and `[INST] {…}` do not
 * match.
 */
const severalAnswers = /^\[\s*[[{\]"]/;

/** Yields candidates from the last code block or object to the first, because models revise their answers. */
function* listLastCandidates(text: string): Generator<string> {
  yield text;
  yield* listBlocks(text).toReversed();
  if (severalAnswers.test(text)) return;
  const objects = listTopObjects(text);
  if (objects.length > 1) yield* objects.toReversed();
  yield* listFromBraces(text);
}

/** Lists the complete top-level objects of a text, in order. */
export function listTopObjects(text: string): string[] {
  const objects: string[] = [];
  let [depth, start, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isInString) {
      if (letter === '\\') at++;
      else if (letter === '"') isInString = false;
    } else if (letter === '"')
      isInString = depth > 0; // in prose, a quotation mark does not begin a string
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

/** Returns the texts in these fields. A model that must follow a JSON schema can only refuse in its speech. */
const listTextsAt = (answer: object, fields: readonly string[]) =>
  fields.flatMap((field) => {
    const spoken = (answer as Record<string, unknown>)[field];
    return typeof spoken === 'string' ? [spoken] : [];
  });

/**
 * Cleans the public fields. A model that must follow a schema can think only inside its fields, and a weak model also
 * writes lines for other players. Thoughts are moved to the private reasoning, and invented lines are removed.
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

/** Appends thoughts to an answer's reasoning, however the key is spelled. */
function moveThoughts(answer: Record<string, unknown>, thought: string): void {
  const key = Object.keys(answer).find((name) => stripKey(name) === 'reasoning') ?? 'reasoning';
  const before = answer[key];
  answer[key] = typeof before === 'string' && before.trim() !== '' ? `${before}\n${thought}` : thought;
}

/** Returns whether the text ends inside a string, i.e. has an odd number of quotation marks. */
const isEndingInString = (text: string) => (text.match(/(?<!\\)(?:\\\\)*"/g)?.length ?? 0) % 2 === 1;

/** Pattern of a number at the end of a cut text. The number may be incomplete: "0." of 0.8, "1" of 10. */
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

/** Parses the object of a JSON text, or the only object of a list. */
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

/** Removes case and separators from a key, because models vary these. */
const stripKey = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Renames the keys of an object to the schema's spelling, ignoring case and separators. */
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
