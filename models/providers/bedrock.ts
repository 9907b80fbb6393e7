// The provider `bedrock`: models on Amazon Bedrock, through LangChain's package, which is installed only if needed.
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { UsageError } from '../../state/usage-error.ts';
import type { Environment, ModelSpec, Provider } from '../model.ts';
import { importChatClass } from './import-chat-class.ts';
import { usualCache } from '../prefix-cache.ts';
import { createLanguageModel, createModelOptions, dropUndefined, type ModelOptions } from '../model-options.ts';

type BedrockChat = BaseChatModel & { supportsToolChoiceValues?: readonly string[] };

/** Name, in messages, of Amazon's own credentials, which are used if no variable of the provider has a key. */
const awsCredentials = "Amazon's own credentials";

/**
 * The provider `bedrock`. Amazon's package finds credentials itself: in the environment, a profile, or the machine's
 * role.
 */
export const bedrock: Provider<ModelOptions> = {
  name: 'bedrock',
  aliases: ['aws'],
  about: { MODEL: "Amazon Bedrock; reads AWS_REGION and Amazon's usual credentials" },
  keyEnv: [],
  credentials: ['AWS_BEARER_TOKEN_BEDROCK', awsCredentials],
  options: createModelOptions(['api', 'seed', 'reasoningEffort', 'baseUrl', 'apiKeyEnv', 'extraBody']),
  locate: (spec, _options, env) => ({
    address: `https://bedrock-runtime.${readRegion(spec, env)}.amazonaws.com`,
    isHome: true,
    key: env['AWS_BEARER_TOKEN_BEDROCK']?.trim() ? 'AWS_BEARER_TOKEN_BEDROCK' : awsCredentials,
    addressFrom: null,
  }),
  isOwnHost: (host) => /^bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com$/.test(host),
  open: async (spec, options, { temperature, env }) => {
    const region = readRegion(spec, env);
    const Chat = await importChatClass<new (fields: object) => BedrockChat>(spec, '@langchain/aws@1.4.5');
    const { awsTransport } = await import('./aws-transport.ts');
    const credentials = hasOwnKeys(env) ? undefined : await createCredentials();
    const chat = new Chat({
      model: spec.model,
      region,
      maxRetries: 0,
      clientOptions: { requestHandler: awsTransport, maxAttempts: 1 }, // the model client retries
      ...dropUndefined({
        temperature: options.temperature ?? temperature ?? undefined,
        topP: options.topP,
        maxTokens: options.maxTokens,
        credentials,
      }),
    });
    chat.disableStreaming = true; // the transport brings whole answers
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: (name, parameters) => ({
        tools: [{ type: 'function', function: { name, description: 'Takes the answer.', parameters } }],
        // LangChain's class throws if the model cannot be forced to use a tool. Without force, the model answers with
        // the tool or in text.
        ...(chat.supportsToolChoiceValues?.includes('tool') ? { tool_choice: name } : {}),
      }),
      cache: { ...usualCache, isSchemaFirst: true }, // a schema is a tool, and tools precede the messages
      listed: null,
      secrets: ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'].flatMap(
        (name) => env[name]?.trim() || [],
      ),
    });
  },
};

/** Returns whether the environment has keys that LangChain's package uses instead of Amazon's credentials. */
const hasOwnKeys = (env: Environment) =>
  ['AWS_BEARER_TOKEN_BEDROCK', 'BEDROCK_AWS_ACCESS_KEY_ID'].some((name) => env[name]?.trim());

/**
 * Creates the function that finds credentials. It uses Amazon's package for credentials, which is installed with
 * LangChain's package, but asks Amazon's servers through the proxies.
 */
async function createCredentials(): Promise<unknown> {
  const { awsCredentialsTransport } = await import('./aws-transport.ts');
  const owner = createRequire(fileURLToPath(import.meta.resolve('@langchain/aws')));
  const found = pathToFileURL(owner.resolve('@aws-sdk/credential-provider-node')).href;
  const { defaultProvider } = (await import(found)) as { defaultProvider: (init: object) => unknown };
  return defaultProvider({ clientConfig: { requestHandler: awsCredentialsTransport } });
}

/**
 * Returns the region. Throws a UsageError if it is missing or malformed, because it becomes part of the host that
 * receives the request.
 */
function readRegion({ provider, model }: ModelSpec, env: Environment): string {
  const name = env['AWS_REGION']?.trim() ? 'AWS_REGION' : 'AWS_DEFAULT_REGION';
  const region = env[name]?.trim();
  if (!region) throw new UsageError(`AWS_REGION is not set: ${provider}:${model} needs it.`);
  if (!/^[a-z0-9-]+$/.test(region))
    throw new UsageError(`${name} must be a region such as us-east-1, not "${region}".`);
  return region;
}
