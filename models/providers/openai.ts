// The providers whose servers accept OpenAI's requests: OpenAI itself, and all providers with an entry in
// `openaiServers`.
import { UsageError } from '../../state/usage-error.ts';
import type { Environment, ModelReach, ModelSpec, PlayerModel, Provider } from '../model.ts';
import { isReasoningModel } from './model-family.ts';
import {
  createLanguageModel,
  createModelOptions,
  dropUndefined,
  findKeyVariable,
  type ModelOptions,
  readApiKey,
  readBaseUrl,
} from '../model-options.ts';
import { addExtraBody } from '../extra-body.ts';
import { usualCache } from '../prefix-cache.ts';
import { importHttp } from './import-http.ts';
import { findPrice } from './prices.ts';
import { type OpenAITraits, openaiServers } from './openai-servers.ts';

const createProvider = ([name, traits]: [string, OpenAITraits]): Provider<ModelOptions> => ({
  name,
  aliases: traits.aliases ?? [],
  about: { MODEL: traits.about },
  keyEnv: traits.keyEnv,
  options: createModelOptions(traits.without),
  isOwnHost: (host) => isOwnHost(traits, host),
  locate: (spec, options, env) => findServer(traits, options, env, spec),
  open: async (spec, options, rules) => {
    const { address: baseUrl, isHome } = findServer(traits, options, rules.env, spec);
    const cure = isHome ? '' : ' For a server that checks no key, set it to any value.';
    const apiKey = readApiKey(rules.env, options.apiKeyEnv ? [options.apiKeyEnv] : traits.keyEnv, spec, cure);
    const temperature = options.temperature ?? (isReasoningModel(spec.model) ? null : rules.temperature);
    const { fetchOverHttp } = await importHttp();
    const fields = {
      provider: name,
      isTemperatureOptional: options.temperature === undefined, // a temperature in the model string is never left out
      model: spec.model,
      apiKey,
      configuration: {
        baseURL: baseUrl,
        fetch: addExtraBody(fetchOverHttp, options.extraBody),
        ...(name === 'openai' ? {} : { organization: null }), // LangChain would send the organization in OpenAI's variable
      },
      streaming: false,
      maxRetries: 0,
      timeout: options.timeout * 1000,
      ...dropUndefined({ temperature: temperature ?? undefined, topP: options.topP }),
    };
    return createLanguageModel(spec, options, {
      chat: await createChat({ ...fields, api: isHome ? traits.api(spec.model) : 'chat' }, traits, options),
      ...(traits.schema === 'json_schema'
        ? { schemaOptions: requestSchema }
        : { schemaOptions: requestJson, hasJsonAlone: true }),
      jsonOptions: requestJson,
      ...(isHome && traits.isSchemaFirst ? { cache: { ...usualCache, isSchemaFirst: true } } : {}),
      listed: isHome ? findPrice(name, spec.model) : null,
      server: { name: isHome ? name : new URL(baseUrl).host, address: baseUrl },
      secrets: [apiKey],
    });
  },
});

type Fields = Omit<ConstructorParameters<typeof import('./openai-chat.ts').OpenAIChat>[0], 'parameters'> & {
  model: string;
};

/**
 * Creates the chat model. `api`: the interface to use if the model string names none. Throws a UsageError for an option
 * that the chosen interface does not have.
 */
async function createChat(
  { api, ...fields }: Fields & { api: 'chat' | 'responses' },
  { tokenLimit, seed }: OpenAITraits,
  options: ModelOptions,
): Promise<PlayerModel['chat']> {
  if (options.api === 'responses' && options.seed !== undefined)
    throw new UsageError(
      'seed cannot be used with api=responses, which does not support it. Leave out one of the two.',
    );
  if ((options.api ?? (options.seed === undefined ? api : 'chat')) === 'chat') {
    const { OpenAIChat } = await import('./openai-chat.ts');
    const parameters = dropUndefined({
      [tokenLimit(fields.model)]: options.maxTokens,
      [seed]: options.seed,
      reasoning_effort: options.reasoningEffort,
    });
    return new OpenAIChat({ ...fields, parameters });
  }
  const { OpenAIResponsesChat } = await import('./openai-responses-chat.ts');
  const canReason = isReasoningModel(fields.model) || options.reasoningEffort !== undefined;
  const parameters = dropUndefined({
    max_output_tokens: options.maxTokens,
    reasoning: canReason ? { ...dropUndefined({ effort: options.reasoningEffort }), summary: 'auto' } : undefined,
    store: false, // the vendor must not store a study's prompts
  });
  return new OpenAIResponsesChat({ ...fields, parameters });
}

/** Finds the server. Throws a UsageError if no address is known. */
function findServer(
  traits: OpenAITraits,
  { baseUrl: typed, apiKeyEnv }: ModelOptions,
  env: Environment,
  { provider, model }: ModelSpec,
): ModelReach {
  const { baseUrl: home, baseUrlEnv, baseUrlPath } = traits;
  const named = baseUrlEnv === undefined ? undefined : readBaseUrl(env, baseUrlEnv);
  const account = named !== undefined && baseUrlPath !== undefined ? extendAddress(named, baseUrlPath) : undefined;
  const address = typed ?? account ?? named ?? home;
  if (address === null)
    throw new UsageError(`${baseUrlEnv} is not set: ${provider}:${model} needs it, or baseUrl in the model string.`);
  return {
    address,
    isHome: home === null ? address === account : isOwnHost(traits, new URL(address).host),
    key: apiKeyEnv ?? findKeyVariable(env, traits.keyEnv),
    addressFrom: typed === undefined && named !== undefined ? baseUrlEnv! : null,
  };
}

const isOwnHost = ({ baseUrl, otherHosts = [] }: OpenAITraits, host: string) =>
  baseUrl !== null && [new URL(baseUrl).host, ...otherHosts].includes(host);

/** Extends an address by this path, unless it already ends in it. */
function extendAddress(url: string, path: string): string {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(path) ? bare : `${bare}${path}`;
}

const requestSchema = (name: string, schema: Record<string, unknown>) => ({
  response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
});

const requestJson = () => ({ response_format: { type: 'json_object' } });

export const openaiProviders = Object.entries(openaiServers).map(createProvider);
