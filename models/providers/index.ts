// The register of providers, and how a model string is read.
import { z } from 'zod';
import { UsageError } from '../../state/usage-error.ts';
import { bot } from '../bots/index.ts';
import type { Environment, ModelSpec, PlayerModel, Provider } from '../model.ts';
import { openai } from './openai.ts';
import { createRedactor } from '../redact.ts';
import { vertexai } from './vertexai.ts';

// Each has options of its own type; `opener.options` and `opener.open` are only ever used together.
const providers = [openai, vertexai, bot] as unknown as readonly Provider<unknown>[];

/**
 * Reads `provider:model?option=value&…`: the provider stands before the first colon, options after the last `?`.
 * Throws a UsageError that names the value and the known ones.
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
  const read = opener.options.safeParse(options);
  // Without the options' values: a key or a password may have been put there.
  if (!read.success)
    throw new UsageError(`Model "${name}:${model}" has an unusable option: ${z.prettifyError(read.error)}`);
  if (createRedactor([])(text) !== text)
    throw new UsageError('A model string holds a key: put it in an environment variable and name that with apiKeyEnv.');
  return { text, provider: name, model, options, opener };
}

/** What can be named as a model, with what a user is told of it. */
export const describeModels = (): { name: string; about: string }[] =>
  providers.flatMap(({ name, about }) =>
    Object.entries(about).map(([model, words]) => ({ name: `${name}:${model}`, about: words })),
  );

/** Opens a model by its string. Throws as `readModelSpec` and `Provider.open` do. */
export async function openModel(
  text: string,
  given: { temperature: number | null; env: Environment },
): Promise<PlayerModel> {
  const spec = readModelSpec(text);
  return spec.opener.open(spec, spec.opener.options.parse(spec.options), given);
}
