// The register of providers, and the parsing and opening of model strings such as `openai:gpt-4o?temperature=0.5`.
//
// To add a provider: if its server accepts OpenAI's requests, add an entry to openai-servers.ts; otherwise add one file
// that exports a `Provider`, and its name to `providers` below. Then run `npm run docs`. A file
// also needs a case in tests/models/provider-cases.ts. Tests fail until both are done.
import { z } from 'zod';
import { portableNameRule, textInTablesRule } from '../../state/file-name.ts';
import { getModelLabel, isModelName } from '../../state/model-identity.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { bot } from '../bots/index.ts';
import { human } from '../human/index.ts';
import { checkReach, addDryPolicy } from '../key-policy.ts';
import type { Environment, ModelReach, ModelSpec, PlayerModel, Provider } from '../model.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { googleGenai } from './google-genai.ts';
import { listMakers } from './model-family.ts';
import { ollama } from './ollama.ts';
import { openaiProviders } from './openai.ts';
import { formatCanonicalJson } from '../extra-body.ts';
import { escapeOption } from '../model-options.ts';
import { listGivenPairs } from './permit-keys.ts';
import { priceTable } from './price-table.ts';
import { createRedactor } from '../redact.ts';
import { vertexai } from './vertexai.ts';

/**
 * All providers. The types of their options are lost here, which is safe as long as `options` and `open` of the same
 * provider are used together.
 */
export const providers = [
  ...openaiProviders,
  anthropic,
  googleGenai,
  vertexai,
  ollama,
  bedrock,
  bot,
  human,
] as unknown as readonly Provider<unknown>[];

/** A parsed model string, and the provider that opens it. */
type ReadSpec = ModelSpec & { opener: Provider<unknown> };

/**
 * Parses `provider:model?option=value&…`: the provider is before the first colon, options after the last `?`. Throws a
 * UsageError that names the value and the known ones.
 *
 * @example readModelSpec('bot:classic?lie=0.9').options; // { lie: '0.9' }
 */
export function readModelSpec(text: string): ReadSpec {
  const named = completeModel(text);
  const colon = named.indexOf(':');
  const opener = colon < 0 ? undefined : findProvider(named.slice(0, colon));
  if (!opener) throw createUnknownModelError(text);
  const { name } = opener;
  const rest = named.slice(colon + 1);
  const question = rest.lastIndexOf('?');
  const model = question < 0 ? rest : rest.slice(0, question);
  const given = question < 0 ? [] : [...new URLSearchParams(rest.slice(question + 1))];
  const { name: ownName, ...options } = Object.fromEntries(given);
  if (model === '') throw new UsageError(`Model "${text}" names no model after "${name}:".`);
  if (placeholder.test(model)) throw createPlaceholderError(`${name}:${model}`, name);
  if (opener.models && !opener.models.includes(model))
    throw new UsageError(
      `Unknown model ${JSON.stringify(text)}. Known: ${opener.models.map((known) => `${name}:${known}`).join(', ')}.`,
    );
  const twice = given.find(([option], place) => given.findIndex(([other]) => other === option) !== place);
  if (twice) throw new UsageError(`Model "${name}:${model}" has the option ${twice[0]} twice. Give it once.`);
  if (ownName !== undefined && !isModelName(ownName))
    throw new UsageError(
      `Model "${name}:${model}" has an unusable option "name": its value must consist of letters, digits, ".", "_" and "-" (at most 60 characters), ${portableNameRule}, and ${textInTablesRule}.`,
    );
  const read = opener.options.safeParse(options, { error: describeIssue });
  // The message omits the values of options, because one of them may be a key or a password.
  if (!read.success)
    throw new UsageError(`Model "${name}:${model}" has an unusable option: ${z.prettifyError(read.error)}`);
  if (createRedactor([])(text) !== text)
    throw new UsageError(
      'A model string contains a key: put it in an environment variable and name the variable with apiKeyEnv.',
    );
  return { text: `${name}:${sortExtraBody(rest)}`, provider: name, model, options, opener };
}

/**
 * Adds the usual model to the name of a provider that has no model, with or without options. Returns other texts
 * unchanged.
 */
function completeModel(text: string): string {
  const [name = '', ...options] = text.split('?');
  const usual = providers.find((provider) => provider.name === name)?.usualModel;
  return usual === undefined ? text : [`${name}:${usual}`, ...options].join('?');
}

/**
 * Sorts the keys of the extra body, so that their order does not change the model's identity. The option has already
 * been parsed, so it is valid JSON.
 */
const sortExtraBody = (rest: string) =>
  rest.replace(/(?<=[?&]extraBody=)[^&]*$|(?<=[?&]extraBody=)[^&]*(?=&)/, (typed) =>
    escapeOption(formatCanonicalJson(JSON.parse(new URLSearchParams(`x=${typed}`).get('x')!))),
  );

/** Finds a provider by name or alias. LangChain's names have `_` instead of `-`. */
const findProvider = (typed: string) =>
  providers.find(({ name, aliases = [] }) => [name, ...aliases].includes(typed.replaceAll('_', '-')));

/**
 * Returns a model string with its provider's name as in records; any other text unchanged.
 *
 * @example normalizeModelSpec('mistral:mistral-small'); // 'mistralai:mistral-small'
 */
export function normalizeModelSpec(given: string): string {
  const text = completeModel(given);
  const [typed = '', ...rest] = text.split(':');
  const provider = rest.length > 0 ? findProvider(typed) : undefined;
  return provider ? [provider.name, ...rest].join(':') : text;
}

/** Words that examples have in place of a model's name. */
const placeholder = /^(?:MODEL|NAME|MODEL[_-]?NAME|YOUR[_-].*|your[_-]model.*|<.*>|…|\.{3})$/;

function createPlaceholderError(text: string, provider: string): UsageError {
  const priced = Object.keys(priceTable.prices[provider] ?? {});
  const example = priced.at(-1);
  const known =
    example === undefined ? '' : `, e.g. ${provider}:${example}. Models with known prices: ${priced.join(', ')}`;
  return new UsageError(
    `${JSON.stringify(text)} is a placeholder, not a model. Replace ${text.slice(provider.length + 1)} with the name of a model of ${provider}${known}.`,
  );
}

function createUnknownModelError(text: string): UsageError {
  const meant = listMeant(text);
  const known = providers.map(({ name }) => name).join(', ');
  const hint = meant.length > 0 ? `: did you mean ${meant.join(' or ')}?` : '.';
  const named =
    meant.length === 0 && isModelName(text)
      ? " If it is a model's name, give the file that defines it: --models FILE."
      : '';
  return new UsageError(
    `Unknown model ${JSON.stringify(text)}${hint}${named} A model is given as PROVIDER:MODEL, e.g. openai:gpt-4o; providers: ${known}.`,
  );
}

/** Lists the known model strings that the user may have meant by an unknown one. */
function listMeant(text: string): string[] {
  const [first = '', rest = ''] = [text.replace(/[:/].*$/s, ''), text.replace(/^[^:/]*[:/]?/, '')];
  const provider = text.startsWith(`${first}/`) ? findProvider(first) : undefined;
  if (provider && rest !== '') return [`${provider.name}:${rest}`];
  const name = text.split('?')[0]!; // an address among the options is not part of the name
  const [named = name] = [name, name.slice(name.indexOf(':') + 1)].filter((model) => listMakers(model).length > 0);
  return listMakers(named).map((maker) => `${maker}:${named}${text.slice(name.length)}`);
}

/** Lists the models that can be given, with descriptions, as `--help` shows them. */
export const describeModels = (): { name: string; about: string }[] =>
  providers.flatMap(({ name, about }) =>
    Object.entries(about).map(([model, words]) => ({ name: `${name}:${model}`, about: words })),
  );

/**
 * Returns where a model is called, and with which key; null for a bot. Throws a UsageError like `readModelSpec`, and if
 * no address is known.
 *
 * @example findModelReach('openai:gpt-4o', {})?.address; // 'https://api.openai.com/v1'
 */
export const findModelReach = (text: string, env: Environment): ModelReach | null =>
  findSpecReach(readModelSpec(text), env);

const findSpecReach = (spec: ReadSpec, env: Environment): ModelReach | null =>
  spec.opener.locate(spec, spec.opener.options.parse(spec.options), env);

/**
 * Finds how a model string is reached, like `findModelReach`. Throws like `checkReach` if its key or prompts may not be
 * sent to that server.
 *
 * @example checkModelReach('openai:gpt-4o', process.env)?.key; // 'OPENAI_API_KEY'
 */
export const checkModelReach = (text: string, env: Environment): ModelReach | null =>
  checkSpecReach(readModelSpec(text), env);

function checkSpecReach(spec: ReadSpec, env: Environment): ModelReach | null {
  const reach = findSpecReach(spec, env);
  if (reach) checkServer(env, getModelLabel(spec.text), reach, isVendorPair(reach));
  return reach;
}

/** Returns whether key and host belong to the same vendor. */
const isVendorPair = ({ address, key }: ModelReach): boolean => {
  const { host } = new URL(address);
  if (key === null) return providers.some(({ isOwnHost }) => isOwnHost?.(host));
  return providers.some(
    ({ keyEnv = [], credentials = [], isOwnHost }) => [...keyEnv, ...credentials].includes(key) && isOwnHost?.(host),
  );
};

/**
 * Calls `checkReach` with the pairs from the command line and the environment. `isGiven`: whether the environment
 * itself allows the pair.
 *
 * @example checkServer(env, 'traces', { address: 'https://api.smith.langchain.com', key: 'LANGSMITH_API_KEY', addressFrom: null }, true);
 */
export const checkServer = (
  env: Environment,
  what: string,
  reach: Pick<ModelReach, 'address' | 'key' | 'addressFrom'>,
  isOfVendor: boolean,
  isGiven = false,
): void =>
  checkReach(env, what, reach, {
    ...{ isVendorPair: isOfVendor, isGiven },
    listGiven: (argv) => listGivenPairs({ env, argv }, { providers, findReach: findModelReach }),
  });

/**
 * Opens a model by its model string. Makes no call. This is the only function that opens models by strings, so that no
 * key is sent where `env` does not permit it (see `checkReach`). `temperature`: temperature that the rules ask for, or
 * null. `replicate`: number of the deal's replicate, from 1; it is added to the `seed` in the string when a request is
 * sent, and does not change the model's identity. Throws a UsageError like `readModelSpec`, `checkReach` and
 * `Provider.open`.
 *
 * @example const model = await openModel('openai:gpt-4o', { temperature: 0.5, env: process.env });
 */
export async function openModel(
  text: string,
  { replicate = 1, ...given }: { temperature: number | null; env: Environment; replicate?: number | undefined },
): Promise<PlayerModel> {
  const spec = readModelSpec(text);
  const options = shiftSeed(spec.opener.options.parse(spec.options) as object, replicate);
  const made = await spec.opener.open(spec, options, given); // reports other faults first; nothing is sent yet
  const reach = checkSpecReach(spec, given.env);
  const opened = reach?.key ? { ...made, keyVariable: reach.key } : made;
  return opened;
}

/** Adds `replicate - 1` to the provider's seed, if there is a seed. A sum of more than 32 bits wraps around. */
function shiftSeed(options: object, replicate: number): never {
  const shifted =
    'seed' in options && typeof options.seed === 'number' ? { seed: (options.seed + replicate - 1) | 0 } : {};
  return { ...options, ...shifted } as never; // options of whichever provider parses them
}

/**
 * Returns the environment for an estimate, which calls no server: missing keys are made up, and nothing is refused.
 * `models`: text with model strings, which may name further variables for keys.
 */
export function addMissingKeys<Env extends Environment>(models: string, env: Env): Env {
  const named = [...models.matchAll(/apiKeyEnv=(\w+)/g)].map(([, name]) => [name!]);
  const lacking = [...named, ...providers.map(({ keyEnv = [] }) => keyEnv)].filter(
    (names) => !names.some((name) => env[name]),
  );
  const made = Object.fromEntries(lacking.flatMap(([name]) => (name === undefined ? [] : [[name, 'none']])));
  return addDryPolicy({ ...env, ...made });
}
