// The provider `openai`: OpenAI, and every server that takes its chat completions requests.
import {
  readBaseUrl,
  getContextLimits,
  dropUndefined,
  getGivenPrice,
  readApiKey,
  ModelOptions,
} from './model-options.ts';
import type { Provider } from '../model.ts';
import { findPrice } from './prices.ts';

const home = 'https://api.openai.com/v1';

/** OpenAI's reasoning models refuse any temperature but their own. */
const isReasoningModel = (model: string) => /^(o\d|gpt-[5-9])/.test(model) && !model.includes('-chat');

export const openai: Provider<ModelOptions> = {
  name: 'openai',
  about: { MODEL: 'OpenAI or a compatible server; reads OPENAI_API_KEY and OPENAI_BASE_URL' },
  options: ModelOptions,
  open: async (spec, options, rules) => {
    const baseUrl = options.baseUrl ?? readBaseUrl(rules.env, 'OPENAI_BASE_URL') ?? home;
    const isHome = new URL(baseUrl).host === new URL(home).host;
    const cure = isHome ? '' : ' For a server that checks no key, set it to any word.';
    const apiKey = readApiKey(rules.env, options.apiKeyEnv ?? 'OPENAI_API_KEY', spec, cure);
    const temperature = options.temperature ?? (isReasoningModel(spec.model) ? null : rules.temperature);
    const [{ OpenAIChat }, { fetchOverHttp }] = await Promise.all([import('./openai-chat.ts'), import('./http.ts')]);
    const chat = new OpenAIChat({
      isTemperatureOptional: options.temperature === undefined, // one that the model string names is never left out
      model: spec.model,
      apiKey,
      configuration: { baseURL: baseUrl, fetch: fetchOverHttp },
      streaming: false,
      maxRetries: 0,
      timeout: options.timeout * 1000,
      ...dropUndefined({ temperature: temperature ?? undefined, topP: options.topP, maxTokens: options.maxTokens }),
      // Sent as they are: LangChain takes a seed per call only, and drops the effort for models that it does not know.
      modelKwargs: dropUndefined({ seed: options.seed, reasoning_effort: options.reasoningEffort }),
    });
    return {
      spec: spec.text,
      chat,
      isBot: false,
      schemaOptions: (name, schema) => ({
        response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
      }),
      context: getContextLimits(options),
      price: getGivenPrice(options) ?? (isHome ? findPrice('openai', spec.model) : null),
      timeoutMs: options.timeout * 1000,
      secrets: [apiKey],
    };
  },
};
