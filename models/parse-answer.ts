// Reads the answer from what a model wrote: JSON, also where it stands in prose or a code block, is damaged or was cut.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { getRenamer, replaceInValue } from '../prompts/renaming.ts';
import { latestReading, type Reading } from '../state/record.ts';
import { dropThoughts } from '../state/thoughts.ts';
import { isRefusal, isRefusalAsSpeech } from './chat-response.ts';

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
export type ParsedAnswer = { answer: unknown; cut?: true } | { error: string } | { refusal: true };

/** In characters: more of a text is not read, and longer texts are not repaired, which would take seconds. */
const longest = { read: 200_000, repaired: 20_000 };

/**
 * Reads the answer to a prompt from the text of a model, by the prompt's schema. A refusal in words is one, whether it
 * stands alone or in the field for speech. In a renamed game the answer is read in its words, and given in the usual ones; the
 * error, which the model will read, stays in its words. `reading`: the rules by which the record reads answers; what
 * they make of an answer must never change, since a record is verified by reading it again. Never throws.
 *
 * @example parseAnswer('I bid: {"reasoning": "…", "bid": 2}', bidPrompt); // { answer: { reasoning: '…', bid: 2 } }
 */
export function parseAnswer(
  raw: string,
  prompt: Pick<AnyPrompt, 'answer' | 'schema'> & Partial<Pick<AnyPrompt, 'view' | 'heard'>>,
  reading: Reading = latestReading,
): ParsedAnswer {
  const tell = getRenamer(prompt.view);
  const heard = reading === 1 ? earlierHeard : (prompt.heard ?? []);
  const whole = raw.slice(0, longest.read).trim();
  const text = isJson(whole) ? whole : dropThoughts(whole, reading);
  let [error, nearest] = ['there was no JSON object in it.', -1];
  for (const candidate of listJsonCandidates(text, reading)) {
    if (!/^[{[]/.test(candidate)) continue;
    const parsed = parse(candidate);
    if (parsed === undefined) continue;
    const found = { ...parsed, value: replaceInValue(parsed.value, tell) };
    // Without compiling the schema: most are used a few times, so compiling would take longer than it saves.
    const read = prompt.answer.safeParse(normalizeKeys(found.value, prompt.schema), { jitless: true });
    if (listSpokenTexts(found.value, heard).some(isRefusalAsSpeech)) return { refusal: true };
    if (read.success) return { answer: read.data, ...(found.isCut ? { cut: true } : {}) };
    if ('refusal' in found.value && isRefusal(String(found.value.refusal))) return { refusal: true };
    const near = countKnownKeys(found.value, prompt.schema);
    // The error is about the candidate that is most like an answer: one may also be an object within the answer.
    if (near > nearest) [error, nearest] = [tell(describeIssues(read.error)), near];
  }
  return isRefusal(text) ? { refusal: true } : { error };
}

/** How many fields of the schema an object has. */
const countKnownKeys = (value: object, { properties = {} }: AnswerShape) =>
  Object.keys(value).filter((key) => key in properties).length;

/** How many opening braces are tried as the beginning of the answer. */
const falseStarts = 5;

/** Parts of the text that may be the JSON object, likeliest first; the first is almost always enough. */
function* listJsonCandidates(text: string, reading: Reading): Generator<string> {
  yield text;
  const fenced = [...text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)].map(([, inside]) => inside!.trim());
  yield* reading === 1 ? fenced : fenced.toReversed(); // what comes first is a draft
  if (text.startsWith('[')) return; // several answers in a list: none of them is the answer
  const end = text.lastIndexOf('}') + 1;
  for (const { index: start } of [...text.matchAll(/\{/g)].slice(0, falseStarts)) {
    if (end > start) yield text.slice(start, end);
    yield text.slice(start);
  }
}

/** What the first reading took for speech, whatever was asked. */
const earlierHeard = ['statement', 'explanation'];

/** The speech in an answer: a model that must follow a JSON schema can only refuse there. */
const listSpokenTexts = (answer: object, heard: readonly string[]) =>
  heard.flatMap((field) => {
    const spoken = (answer as Record<string, unknown>)[field];
    return typeof spoken === 'string' ? [spoken] : [];
  });

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

/** Renames the keys of an object as the schema spells them, whatever their case and separators. */
function normalizeKeys(value: unknown, shape: AnswerShape): unknown {
  if (typeof value !== 'object' || value === null || !shape.properties) return value;
  const stripKey = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
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
