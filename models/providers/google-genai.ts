// The provider `google-genai`: Google's Gemini models with a key of Google AI Studio.
import type { Provider } from '../model.ts';
import { getThinkingConfig, createGeminiSchemaOptions } from './gemini-options.ts';
import {
  createLanguageModel,
  createModelOptions,
  dropUndefined,
  findKeyVariable,
  type ModelOptions,
  readApiKey,
} from '../model-options.ts';
import { importHttp } from './import-http.ts';
import { findPrice } from './prices.ts';

const home = 'https://generativelanguage.googleapis.com/v1beta';

export const googleGenai: Provider<ModelOptions> = {
  name: 'google-genai',
  aliases: ['google'],
  about: { MODEL: 'Gemini with a key of Google AI Studio; reads GEMINI_API_KEY or GOOGLE_API_KEY' },
  keyEnv: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  options: createModelOptions(['api']),
  isOwnHost: (host) => host === new URL(home).host,
  locate: (_spec, { baseUrl = home, apiKeyEnv }, env) => ({
    address: baseUrl,
    isHome: new URL(baseUrl).host === new URL(home).host,
    key: apiKeyEnv ?? findKeyVariable(env, googleGenai.keyEnv!),
    addressFrom: null,
  }),
  open: async (spec, options, { temperature, env }) => {
    const apiKey = readApiKey(env, options.apiKeyEnv ? [options.apiKeyEnv] : googleGenai.keyEnv!, spec);
    const thinking = getThinkingConfig(spec.model, options.reasoningEffort);
    const { fetchOverHttp } = await importHttp();
    const { GeminiChat } = await import('./gemini-chat.ts');
    const chat = new GeminiChat(
      {
        model: spec.model,
        apiKey,
        ...dropUndefined({
          temperature: options.temperature ?? temperature ?? undefined,
          topP: options.topP,
          maxOutputTokens: options.maxTokens,
          seed: options.seed,
        }),
      },
      { thinking, extraBody: options.extraBody },
      { baseUrl: (options.baseUrl ?? home).replace(/\/+$/, ''), fetch: fetchOverHttp },
    );
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: createGeminiSchemaOptions,
      listed: options.baseUrl === undefined ? findPrice('google-genai', spec.model) : null,
      secrets: [apiKey],
    });
  },
};
