// The identity of a model in plans, records and tables: the model and the options that shape its answers. Address, key,
// limits and prices are not part of it.

import { isPortableName, isTextInTables } from './file-name.ts';

/** Options of model strings that do not affect the model's answers. */
const outsideOptions: readonly string[] = [
  ...['baseUrl', 'apiKeyEnv', 'timeout', 'priceIn', 'priceOut'],
  ...['rpm', 'tpm', 'concurrency'],
];

/**
 * Returns the model string without the options that do not affect the model's answers.
 *
 * @example identifyModel('openai:gpt-4o?temperature=0.5&timeout=300&priceIn=1&priceOut=2'); // 'openai:gpt-4o?temperature=0.5'
 */
export const identifyModel = (text: string): string => dropOptions(text, outsideOptions);

/**
 * Returns the model string without its address and its key's environment variable. These are never taken from a record,
 * because the record's author could then choose where keys are sent.
 *
 * @example dropReach('openai:gpt-4o?baseUrl=http://a/v1&apiKeyEnv=MY_KEY&timeout=9'); // 'openai:gpt-4o?timeout=9'
 */
export const dropReach = (text: string): string => dropOptions(text, ['baseUrl', 'apiKeyEnv']);

/** Returns the model string without prices. */
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

/** Decodes the option's name as the model string's reader does: `%62aseUrl` is `baseUrl`. */
const readOptionName = (option: string) => [...new URLSearchParams(option).keys()][0] ?? '';

/**
 * Returns the model string with this form of structured output, or without one if `form` is null.
 *
 * @example nameStructured('openai:gpt-4o', 'family') // 'openai:gpt-4o?structured=family'
 */
export function nameStructured(text: string, form: string | null): string {
  const without = dropOptions(text, ['structured']);
  if (form === null) return without;
  return `${without}${without.includes('?') ? '&' : '?'}structured=${form}`;
}

/**
 * Returns whether a model string or an identity names a person.
 *
 * @example isPersonSpec('human:alice') // true
 */
export const isPersonSpec = (text: string): boolean => text.startsWith('human:');

/**
 * Returns the person of a model string, without the options.
 *
 * @example dropPersonOptions('human:alice?seconds=60') // 'human:alice'
 */
export const dropPersonOptions = (text: string): string => text.replace(/\?.*$/s, '');

const modelName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/**
 * Returns whether a model may have this name. It may have only letters, digits, ".", "_" and "-", so that it cannot be
 * mistaken for a model string, and must be usable in folders and tables.
 */
export const isModelName = (text: string): boolean =>
  modelName.test(text) && isPortableName(text) && isTextInTables(text);

/**
 * Returns the name of a model in tables and reports: its own `name` if it has one, else its identity.
 *
 * @example getModelLabel('openai:gpt-5.2?name=gpt&reasoningEffort=low'); // 'gpt'
 */
export const getModelLabel = (text: string): string => readOption(text, 'name') ?? identifyModel(text);

/** Option that providers add by default, so that users have not typed it. */
const addedOption = /[?&]structured=family$/;

/**
 * Creates a function that names a model as its user does: without `structured=family`, which some providers add to its
 * identity. If two of `labels` would become equal, their names are not shortened.
 *
 * @example nameAsTyped(['openai:gpt-4o?structured=family'])('openai:gpt-4o?structured=family') // 'openai:gpt-4o'
 */
export function nameAsTyped(labels: readonly string[]): (label: string) => string {
  const all = [...new Set(labels)];
  const shorten = (label: string) => label.replace(addedOption, '');
  return (label) => (all.filter((other) => shorten(other) === shorten(label)).length > 1 ? label : shorten(label));
}

/**
 * Maps the labels of models to the names that their users typed. Leaves out labels that equal the typed name.
 *
 * @example listTypedNames(['openai:gpt-4o?structured=family', 'gpt']) // { 'openai:gpt-4o?structured=family': 'openai:gpt-4o' }
 */
export function listTypedNames(labels: readonly string[]): Record<string, string> {
  const nameModel = nameAsTyped(labels);
  return Object.fromEntries(
    labels.flatMap((label) => (nameModel(label) === label ? [] : [[label, nameModel(label)] as const])),
  );
}

/** Returns the address in a model string; undefined if it has none. */
export const findModelAddress = (text: string): string | undefined => readOption(text, 'baseUrl');

/**
 * Returns the same text for all spellings of one server's address.
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

/**
 * Maps identities to full model strings. Includes only models whose full string differs from the identity. If there are
 * none, the result is an empty object.
 */
export function listModelStrings(texts: readonly string[]): { model_strings?: Record<string, string> } {
  const longer = texts.filter((text) => identifyModel(text) !== text);
  return longer.length === 0
    ? {}
    : { model_strings: Object.fromEntries(longer.map((text) => [identifyModel(text), text])) };
}
