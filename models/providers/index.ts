// The register of providers, and how a model string such as `openai:gpt-4o?temperature=0.5` is read and opened.
//
// A new provider is one file that exports a `Provider` (openai.ts is the shortest example) and its name in `providers`
// below. Its tests: an entry in tests/models/providers.test.ts, which fails as long as there is none.
import { z } from 'zod';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { bot } from '../bots/index.ts';
import type { Environment, ModelSpec, PlayerModel, Provider } from '../model.ts';
import { openai } from './openai.ts';
import { createRedactor } from '../redact.ts';
import { vertexai } from './vertexai.ts';

/**
 * Every provider by which a model can be named. The type of their options is lost here, which is safe as long as
 * `options` and `open` are used together.
 *
 * @example
 * export const ollama: Provider<ModelOptions> = {
 *   name: 'ollama', // models are named `ollama:MODEL`
 *   about: { MODEL: 'a model on this machine; reads OLLAMA_HOST' },
 *   options: ModelOptions,
 *   open: async (spec, options, { temperature, env }) => ({
 *     spec: spec.text,
 *     chat: new ChatOllama({ model: spec.model, baseUrl: env['OLLAMA_HOST'], maxRetries: 0 }), // we retry ourselves
 *     isBot: false,
 *     context: getContextLimits(options),
 *     price: getGivenPrice(options),
 *     timeoutMs: options.timeout * 1000,
 *     secrets: [],
 *   }),
 * };
 */
export const providers = [openai, vertexai, bot] as unknown as readonly Provider<unknown>[];

/**
 * Reads `provider:model?option=value&…`: the provider stands before the first colon, options after the last `?`.
 * Throws a UsageError that names the value and the known ones.
 *
 * @example readModelSpec('bot:classic?lie=0.9').options; // { lie: '0.9' }
 */
export function readModelSpec(text: string): ModelSpec & { opener: Provider<unknown> } {
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  const opener = providers.find((provider) => provider.name === name);
  if (!opener || colon < 0) {
    const known = providers.map((provider) => `${provider.name}:MODEL`).join(', ');
    throw new UsageError(`Unknown model "${text}". A model is given as one of: ${known}.`);
  }
  const rest = text.slice(colon + 1);
  const question = rest.lastIndexOf('?');
  const model = question < 0 ? rest : rest.slice(0, question);
  const options = question < 0 ? {} : Object.fromEntries(new URLSearchParams(rest.slice(question + 1)));
  if (model === '') throw new UsageError(`Model "${text}" names no model after "${name}:".`);
  if (opener.models && !opener.models.includes(model))
    throw new UsageError(
      `Unknown model "${text}". Known: ${opener.models.map((known) => `${name}:${known}`).join(', ')}.`,
    );
  const read = opener.options.safeParse(options, { error: describeIssue });
  // The message leaves out the values of options: one of them may be a key or a password.
  if (!read.success)
    throw new UsageError(`Model "${name}:${model}" has an unusable option: ${z.prettifyError(read.error)}`);
  if (createRedactor([])(text) !== text)
    throw new UsageError('A model string holds a key: put it in an environment variable and name that with apiKeyEnv.');
  return { text, provider: name, model, options, opener };
}

/** What can be named as a model, with a description for users, as `--help` lists them. */
export const describeModels = (): { name: string; about: string }[] =>
  providers.flatMap(({ name, about }) =>
    Object.entries(about).map(([model, words]) => ({ name: `${name}:${model}`, about: words })),
  );

/**
 * Opens a model by its string; makes no call. `temperature` is what the rules ask for, null where they ask for none.
 * Throws a UsageError as `readModelSpec` and `Provider.open` do.
 *
 * @example const model = await openModel('openai:gpt-4o', { temperature: 0.5, env: process.env });
 */
export async function openModel(
  text: string,
  given: { temperature: number | null; env: Environment },
): Promise<PlayerModel> {
  const spec = readModelSpec(text);
  return spec.opener.open(spec, spec.opener.options.parse(spec.options), given);
}
