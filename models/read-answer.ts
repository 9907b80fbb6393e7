// Reads what a model wrote: as far as it can be read, and never further.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';

export type Reading = { answer: unknown } | { error: string } | { refusal: true };

const words = {
  sorry: String.raw`(?:(?:(?:i['’]m |i am )?(?:really |very |so )?sorry|i apologi[sz]e)[,.;:]?\s*(?:but |however,? )?)?`,
  no: String.raw`i(?:['’]m| am)? (?:can['’]?t|cannot|can not|won['’]?t|will not|unable to|not able to|not willing to|must decline to|decline to|refuse to)`,
  task: String.raw`(?:help|assist|comply|continue|participate|take part|engage|provide|creat|generat|produc|fulfil|answer|respond|do (?:this|that|so)|discuss|support|role-?play|deceiv|mislead|manipulat|pretend|lie\b)`,
};

/** Texts that begin by saying no to the task; only asked of those in which no answer could be read. */
const refusals = new RegExp(
  String.raw`^\W*(?:as an ai\b|${words.sorry}(?:i (?:must |have to |will )?(?:respectfully )?decline\b|${words.no} (?:\w+ ){0,2}${words.task}))`,
  'i',
);

/** Longer texts are not read, and longer ones not repaired: it would take seconds. In characters. */
const longest = { read: 200_000, repaired: 20_000 };

/** A model's own thoughts before the answer, also where their first tag stands in the chat template or the last is missing. */
const thoughts = /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/gi;

export function readAnswer(raw: string, prompt: Pick<AnyPrompt, 'answer' | 'schema'>): Reading {
  const whole = raw.slice(0, longest.read).trim();
  const text = isJson(whole) ? whole : whole.replace(thoughts, '').trim();
  let error = 'there was no JSON object in it.';
  for (const candidate of candidates(text)) {
    const found = parse(candidate);
    if (found === undefined) continue;
    const read = prompt.answer.safeParse(tidy(found, prompt.schema));
    if (read.success) return { answer: read.data };
    error = describe(read.error);
  }
  return refusals.test(text) ? { refusal: true } : { error };
}

/** Braces that open in prose before the answer does. */
const falseStarts = 5;

/** Places where a JSON object may stand, best first. */
function candidates(text: string): string[] {
  const fenced = [...text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)].map(([, inside]) => inside!.trim());
  const end = text.lastIndexOf('}') + 1;
  const starts = [...text.matchAll(/\{/g)].slice(0, falseStarts).map(({ index }) => index);
  const bare = starts.flatMap((start) => [...(end > start ? [text.slice(start, end)] : []), text.slice(start)]);
  const isList = text.startsWith('['); // of several answers none is the answer
  return [text, ...fenced, ...(isList ? [] : bare)].filter((candidate) => /^[{[]/.test(candidate));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string): object | undefined {
  const ways = [(whole: string) => whole, ...(text.length <= longest.repaired ? [jsonrepair] : [])];
  for (const repair of ways) {
    try {
      const value: unknown = JSON.parse(repair(text));
      const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
      if (typeof only === 'object' && only !== null && !Array.isArray(only)) return only;
    } catch {
      continue; // the next way of reading, or none
    }
  }
  return undefined;
}

interface Shape {
  properties?: Record<string, Shape>;
}

/** Gives the keys of an object their spelling in the schema, whatever their case and separators. */
function tidy(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null || !shape.properties) return value;
  const bare = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const given = new Map(Object.entries(value).map(([key, inner]): [string, unknown] => [bare(key), inner]));
  const exact = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(shape.properties).map(([key, inner]) => [key, tidy(exact.get(key) ?? given.get(bare(key)), inner)]),
  );
}

const describe = (error: z.ZodError) =>
  `${error.issues
    .slice(0, 5)
    .map(({ path, message }) => `"${path.join('.')}": ${message}`)
    .join('; ')}.`;
