// What makes a model the same one in plans, records and tables: the model and what shapes its answers. How it is reached,
// limited and paid for is not part of it.

import { isPortableName, isTextInTables } from './file-name.ts';

/** Options of model strings that decide nothing of what a model answers. */
const outsideOptions: readonly string[] = [
  ...['baseUrl', 'apiKeyEnv', 'timeout', 'priceIn', 'priceOut'],
  ...['rpm', 'tpm', 'concurrency'],
];

/**
 * The model string without the options that decide nothing of what the model answers.
 *
 * @example identifyModel('openai:gpt-4o?temperature=0.5&timeout=300&priceIn=1&priceOut=2'); // 'openai:gpt-4o?temperature=0.5'
 */
export const identifyModel = (text: string): string => dropOptions(text, outsideOptions);

/**
 * The model string without an address and a key's variable, which are not taken from a record: whoever made it would decide
 * where keys go.
 *
 * @example dropReach('openai:gpt-4o?baseUrl=http://a/v1&apiKeyEnv=MY_KEY&timeout=9'); // 'openai:gpt-4o?timeout=9'
 */
export const dropReach = (text: string): string => dropOptions(text, ['baseUrl', 'apiKeyEnv']);

/** The same without prices. */
export const dropPrices = (text: string): string => dropOptions(text, ['priceIn', 'priceOut']);

function dropOptions(text: string, names: readonly string[]): string {
  const question = text.lastIndexOf('?');
  if (question < 0) return text;
  const kept = text
    .slice(question + 1)
    .split('&')
    .filter((option) => !names.includes(readOptionName(option)));
  return kept.length === 0 ? text.slice(0, question) : `${text.slice(0, question)}?${kept.join('&')}`;
}

/** As it is read from the model string, where letters of it may be written as codes: `%62aseUrl` is `baseUrl`. */
const readOptionName = (option: string) => [...new URLSearchParams(option).keys()][0] ?? '';

/**
 * The model string with the form in which it is asked for answers of a shape, or without where that is null.
 *
 * @example nameStructured('openai:gpt-4o', 'family') // 'openai:gpt-4o?structured=family'
 */
export function nameStructured(text: string, form: string | null): string {
  const without = dropOptions(text, ['structured']);
  if (form === null) return without;
  return `${without}${without.includes('?') ? '&' : '?'}structured=${form}`;
}

const modelName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/**
 * Whether a model may have this name: letters, digits, ".", "_" and "-", so that none can be taken for a model string,
 * and one that folders and tables can bear.
 */
export const isModelName = (text: string): boolean =>
  modelName.test(text) && isPortableName(text) && isTextInTables(text);

/**
 * What a model is called in tables and reports: its own name where it has one, else its identity.
 *
 * @example getModelLabel('openai:gpt-5.2?name=gpt&reasoningEffort=low'); // 'gpt'
 */
export const getModelLabel = (text: string): string => readOption(text, 'name') ?? identifyModel(text);

/** The address that a model string names; undefined where it names none. */
export const findModelAddress = (text: string): string | undefined => readOption(text, 'baseUrl');

/**
 * The same text for all ways of writing one server's address.
 *
 * @example normalizeAddress('http://localhost:8000/v1/'); // 'http://127.0.0.1:8000/v1'
 */
export function normalizeAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href.replace(/\/+$/, '');
}

function readOption(text: string, option: string): string | undefined {
  const question = text.lastIndexOf('?');
  return question < 0 ? undefined : (new URLSearchParams(text.slice(question + 1)).get(option) ?? undefined);
}

/** Identity → model string, of those that say more than their identity; nothing where none does. */
export function listModelStrings(texts: readonly string[]): { model_strings?: Record<string, string> } {
  const longer = texts.filter((text) => identifyModel(text) !== text);
  return longer.length === 0
    ? {}
    : { model_strings: Object.fromEntries(longer.map((text) => [identifyModel(text), text])) };
}
