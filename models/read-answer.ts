// Reads what a model wrote: as far as it can be read, and never further.
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';

export type Reading = { answer: unknown } | { error: string } | { refusal: true };

/** Whole answers that say no, in words; only asked of texts in which no answer could be read. */
const refusals =
  /^\W*(i['’]?m (really |very )?sorry|sorry|i apologi[sz]e|i (can['’]?t|cannot|can not|won['’]?t|will not|am (unable|not able)|must decline)|as an ai)\b/i;

/** Longer texts are not read: no answer is, and repairing them would take seconds. */
const longest = 200_000;

export function readAnswer(raw: string, prompt: Pick<AnyPrompt, 'answer' | 'schema'>): Reading {
  const text = raw
    .slice(0, longest)
    .replace(/<think(ing)?>[\s\S]*?<\/think(ing)?>/gi, '')
    .trim();
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

/** Places where a JSON object may stand, best first. */
function candidates(text: string): string[] {
  const fenced = [...text.matchAll(/```(?:\w+)?\s*([\s\S]*?)(?:```|$)/g)].map(([, inside]) => inside!);
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  const bare = start < 0 ? [] : end > start ? [text.slice(start, end + 1), text.slice(start)] : [text.slice(start)];
  return [text, ...fenced, ...bare].filter(
    (candidate) => candidate.trimStart().startsWith('{') || candidate.trimStart().startsWith('['),
  );
}

function parse(text: string): object | undefined {
  for (const repair of [(broken: string) => broken, jsonrepair]) {
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
