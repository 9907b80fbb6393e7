// Google's Gemini models on Vertex AI.
import { UsageError } from '../../state/usage-error.ts';
import { expectCredentials } from './google-credentials.ts';
import { geminiSchema } from './gemini-schema.ts';
import { thinkingOf } from './gemini-thinking.ts';
import { contextOf, given, givenPrice, keyFrom, ModelOptions } from './model-options.ts';
import type { Environment, ModelSpec, Provider } from '../model.ts';
import { priceOf } from './prices.ts';

/** Google's package sends with Node's own `fetch`. */
const VertexOptions = ModelOptions.refine(({ timeout }) => timeout <= 300, {
  path: ['timeout'],
  error: 'must be at most 300: Node waits no longer for the beginning of an answer',
});

export const vertexai: Provider<ModelOptions> = {
  name: 'vertexai',
  options: VertexOptions,
  open: async (spec, options, { temperature, env }) => {
    if (!/^gem(ini|ma)/i.test(spec.model))
      throw new UsageError(
        `Unknown model "vertexai:${spec.model}": of Vertex AI's models those of the names gemini-… and gemma-… are supported. Others can be reached as openai:MODEL with the baseUrl of a server that speaks OpenAI's protocol.`,
      );
    const apiKey = keyOf(env, options, spec);
    if (apiKey === undefined) expectCredentials(env, spec);
    const thinkingConfig = thinkingOf(spec.model, options.reasoningEffort);
    const { VertexChat } = await import('./vertexai-chat.ts');
    const chat = new VertexChat(
      {
        model: spec.model,
        location: env['GOOGLE_CLOUD_LOCATION'] || 'global',
        ...given({
          apiKey,
          endpoint: endpointOf(options, apiKey),
          temperature: options.temperature ?? temperature ?? undefined,
          topP: options.topP,
          maxOutputTokens: options.maxTokens,
          seed: options.seed,
        }),
      },
      thinkingConfig,
    );
    return {
      spec: spec.text,
      chat,
      isBot: false,
      schemaOptions: (_name, schema) => ({ responseSchema: geminiSchema(schema) }),
      context: contextOf(options),
      price: givenPrice(options) ?? (options.baseUrl === undefined ? priceOf('vertexai', spec.model) : null),
      timeoutMs: options.timeout * 1000,
      secrets: apiKey === undefined ? [] : [apiKey],
    };
  },
};

/** Undefined: application default credentials. */
const keyOf = (env: Environment, { apiKeyEnv }: ModelOptions, spec: ModelSpec) =>
  apiKeyEnv === undefined ? env['GOOGLE_API_KEY']?.trim() || undefined : keyFrom(env, apiKeyEnv, spec);

/** Host and path of a server in Google's place. */
function endpointOf({ baseUrl }: ModelOptions, apiKey: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined;
  const { protocol, host, pathname } = new URL(baseUrl);
  if (protocol !== 'https:')
    throw new UsageError(`baseUrl of a vertexai model must begin with https://, not ${protocol}//.`);
  if (apiKey !== undefined)
    throw new UsageError(
      'baseUrl of a vertexai model works with application default credentials only, not with a key.',
    );
  return `${host}${pathname.replace(/\/+$/, '')}`;
}
