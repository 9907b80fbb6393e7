// The option extraBody of a model string: additional content of the JSON body of requests, e.g. the routing of
// OpenRouter or options of vLLM's chat template.
import { z } from 'zod';
import { UsageError } from '../state/usage-error.ts';
import { createRedactor } from './redact.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Keys that Wolfgraph sets in requests to at least one provider: prompt, model, options and schema of the answer. */
const ownKeys: readonly string[] = [
  ...[
    'model',
    'messages',
    'input',
    'instructions',
    'prompt',
    'system',
    'contents',
    'systemInstruction',
    'system_instruction',
  ],
  ...[
    'temperature',
    'top_p',
    'topP',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'seed',
    'random_seed',
  ],
  ...[
    'reasoning_effort',
    'reasoning',
    'thinking',
    'think',
    'output_config',
    'generationConfig',
    'generation_config',
    'options',
  ],
  ...['response_format', 'format', 'text', 'tools', 'tool_choice', 'toolConfig', 'functions', 'function_call'],
  ...['stream', 'stream_options', 'n', 'store'],
];

const keyName = /key|secret|password|authorization|credential|^token$|access_?token/i;

/**
 * Returns the JSON text of an object with the keys of every object sorted, so that the same settings give the same
 * model.
 *
 * @example formatCanonicalJson({ b: 1, a: [true] }) // '{"a":[true],"b":1}'
 */
export function formatCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(formatCanonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${formatCanonicalJson(inner)}`)
    .join(',')}}`;
}

/** Lists all keys of a value, including those of nested objects. */
const listKeys = (value: Json): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...listKeys(inner)]);

/** Pattern of the beginning of an address. Addresses are rejected, because they could make a server forward prompts. */
const address = /[a-z][a-z\d+.-]*:\/\//i;

/** Maximum length in characters: the option is part of every mention of the model in a record. */
const longest = 2000;

/** Parses the option; the object is frozen in its canonical form. */
export const ExtraBody = z.string().transform((text, context): JsonObject => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('must be a JSON object, e.g. {"provider":{"order":["deepinfra"],"allow_fallbacks":false}}');
  if (text.length > longest) return refuse(`must have at most ${longest} characters`);
  const body = value as JsonObject;
  const taken = Object.keys(body).filter((key) => ownKeys.includes(key));
  if (taken.length > 0)
    return refuse(`must leave out ${taken.join(', ')}: Wolfgraph sets ${taken.length === 1 ? 'it' : 'them'} itself`);
  if (listKeys(body).some((key) => keyName.test(key)) || createRedactor([])(text) !== text)
    return refuse('must not contain a key: put it in an environment variable and name the variable with apiKeyEnv');
  if (address.test(JSON.stringify(body)))
    return refuse('must not contain an address (https://…): the server could forward prompts there');
  return body;
});

/** The type of `fetch`. */
type Fetch<Address> = (url: Address, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that adds these entries to the JSON body of each request. If there are no entries, returns the
 * given `fetch`. Throws a UsageError if the request already has an entry of that name.
 *
 * @example addExtraBody(fetchOverHttp, { provider: { order: ['deepinfra'] } })
 */
export function addExtraBody<Address>(send: Fetch<Address>, extra: JsonObject | undefined): Fetch<Address> {
  if (extra === undefined) return send;
  return (url, init = {}) =>
    typeof init.body === 'string' ? send(url, { ...init, body: extendBody(init.body, extra) }) : send(url, init);
}

function extendBody(text: string, extra: JsonObject): string {
  const body = JSON.parse(text) as Record<string, unknown>;
  const taken = Object.keys(extra).filter((key) => Object.hasOwn(body, key));
  if (taken.length > 0)
    throw new UsageError(`extraBody contains ${taken.join(', ')}, which the request already has. Leave it out.`);
  return JSON.stringify({ ...body, ...extra });
}
