// Reads what a model wrote: as far as it can be read, and never further.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { isRefusal, isRefusalAsSpeech } from './parse-response.ts';

// JSON of which nobody knows whether it is any.

/** What the text says as JSON; the text itself where it is none. */
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

/** `cut`: the text ended in the middle of a string, which was read as far as it went. */
export type ParsedAnswer = { answer: unknown; cut?: true } | { error: string } | { refusal: true };

/** Longer texts are not read, and longer ones not repaired: it would take seconds. In characters. */
const longest = { read: 200_000, repaired: 20_000 };

/** A model's own thoughts before the answer, also where their first tag stands in the chat template or the last is missing. */
const thoughts = /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/gi;

export function parseAnswer(raw: string, prompt: Pick<AnyPrompt, 'answer' | 'schema'>): ParsedAnswer {
  const whole = raw.slice(0, longest.read).trim();
  const text = isJson(whole) ? whole : whole.replace(thoughts, '').trim();
  let [error, nearest] = ['there was no JSON object in it.', -1];
  for (const candidate of listJsonCandidates(text)) {
    if (!/^[{[]/.test(candidate)) continue;
    const found = parse(candidate);
    if (found === undefined) continue;
    // Most schemas are used a few times: to compile them would take longer than it saves.
    const read = prompt.answer.safeParse(normalizeKeys(found.value, prompt.schema), { jitless: true });
    if (listSpokenTexts(found.value).some(isRefusalAsSpeech)) return { refusal: true };
    if (read.success) return { answer: read.data, ...(found.isCut ? { cut: true } : {}) };
    if ('refusal' in found.value && isRefusal(String(found.value.refusal))) return { refusal: true };
    const near = countKnownKeys(found.value, prompt.schema);
    if (near > nearest) [error, nearest] = [describeIssues(read.error), near]; // what stands within the answer is not the answer
  }
  return isRefusal(text) ? { refusal: true } : { error };
}

/** How many of the fields that were asked for an object has. */
const countKnownKeys = (value: object, { properties = {} }: AnswerShape) =>
  Object.keys(value).filter((key) => key in properties).length;

/** Braces that open in prose before the answer does. */
const falseStarts = 5;

/** Places where a JSON object may stand, best first; hardly ever is more than the first looked for. */
function* listJsonCandidates(text: string): Generator<string> {
  yield text;
  for (const [, inside] of text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)) yield inside!.trim();
  if (text.startsWith('[')) return; // of several answers none is the answer
  const end = text.lastIndexOf('}') + 1;
  for (const { index: start } of [...text.matchAll(/\{/g)].slice(0, falseStarts)) {
    if (end > start) yield text.slice(start, end);
    yield text.slice(start);
  }
}

/** What a JSON schema leaves a model that refuses: to say so where speech belongs. */
const listSpokenTexts = (answer: object) =>
  ['statement', 'explanation'].flatMap((field) => {
    const spoken = (answer as Record<string, unknown>)[field];
    return typeof spoken === 'string' ? [spoken] : [];
  });

/** An odd number of quotes: the text ends within a string. */
const isEndingInString = (text: string) => (text.match(/(?<!\\)(?:\\\\)*"/g)?.length ?? 0) % 2 === 1;

/** A number at the end of a text that was cut may be the beginning of another: "0." of 0.8, "1" of 10. */
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

/** The object that a JSON text is, alone or in a list of one. */
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

/** Gives the keys of an object their spelling in the schema, whatever their case and separators. */
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
