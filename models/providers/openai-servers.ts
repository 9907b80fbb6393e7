// The differences between providers in one place: keys, addresses, parameter names, and how a JSON schema is requested.
import type { ModelOptions } from '../model-options.ts';
import { isReasoningModel } from './model-family.ts';

/** Properties of every provider. */
interface ProviderTraits {
  /** Description of the provider's models in `--help`. */
  about: string;
  /** Other names in model strings, including LangChain's. Records use the main name. */
  aliases?: readonly string[];
  /** Variables that may have the key. The first that is set is used. Empty if no key is needed. */
  keyEnv: readonly string[];
  /**
   * Variable with the server's address. `baseUrlPath`: path to add, if the variable has the address of an account with
   * the vendor.
   */
  baseUrlEnv?: string;
  baseUrlPath?: string;
  /** Options of model strings that the provider does not support. */
  without: readonly (keyof ModelOptions)[];
}

/** A server that accepts OpenAI's requests. */
export interface OpenAITraits extends ProviderTraits {
  /** Address of the server. Null if only `baseUrl` or the variable gives it. */
  baseUrl: string | null;
  /** Further hosts of the vendor, e.g. of other regions. */
  otherHosts?: readonly string[];
  /** Interface of OpenAI to use at the vendor's own address, unless the model string names one. */
  api: (model: string) => 'chat' | 'responses';
  /** Names of parameters in chat completions. */
  tokenLimit: (model: string) => 'max_tokens' | 'max_completion_tokens';
  seed: 'seed' | 'random_seed';
  /** Form of structured output. `json_schema`: answers follow the schema; `json_object`: answers are only JSON. */
  schema: 'json_schema' | 'json_object';
  /** Whether the vendor's own server puts the schema before the messages. Set only if its cache depends on it. */
  isSchemaFirst?: true;
}

const takesMaxTokens = () => 'max_tokens' as const;
const takesMaxCompletionTokens = () => 'max_completion_tokens' as const;
const usesChat = () => 'chat' as const;

/** Traits that most servers share. */
const usual = {
  api: usesChat,
  tokenLimit: takesMaxTokens,
  seed: 'seed',
  schema: 'json_schema',
  without: ['api'],
} as const;

const ofOpenAI = {
  ...usual,
  isSchemaFirst: true,
  without: [],
  api: (model: string) => (isReasoningModel(model) ? 'responses' : 'chat'),
  tokenLimit: (model: string) => (isReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens'),
} as const;

export const openaiServers: Readonly<Record<string, OpenAITraits>> = {
  openai: {
    ...ofOpenAI,
    about: 'OpenAI or a compatible server; reads OPENAI_API_KEY and OPENAI_BASE_URL',
    keyEnv: ['OPENAI_API_KEY'],
    baseUrl: 'https://api.openai.com/v1',
    baseUrlEnv: 'OPENAI_BASE_URL',
  },
  'azure-openai': {
    ...ofOpenAI,
    about: 'a deployment on Azure; reads AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT',
    keyEnv: ['AZURE_OPENAI_API_KEY'],
    baseUrl: null,
    baseUrlEnv: 'AZURE_OPENAI_ENDPOINT',
    baseUrlPath: '/openai/v1',
  },
  cerebras: {
    ...usual,
    about: 'Cerebras; reads CEREBRAS_API_KEY',
    keyEnv: ['CEREBRAS_API_KEY'],
    baseUrl: 'https://api.cerebras.ai/v1',
    tokenLimit: takesMaxCompletionTokens,
  },
  cohere: {
    ...usual,
    about: 'Cohere; reads COHERE_API_KEY',
    keyEnv: ['COHERE_API_KEY'],
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
  },
  dashscope: {
    ...usual,
    about: "Qwen on Alibaba's DashScope; reads DASHSCOPE_API_KEY and DASHSCOPE_BASE_URL",
    keyEnv: ['DASHSCOPE_API_KEY'],
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    baseUrlEnv: 'DASHSCOPE_BASE_URL',
    otherHosts: ['dashscope.aliyuncs.com', 'dashscope-us.aliyuncs.com'],
  },
  deepseek: {
    ...usual,
    about: 'DeepSeek; reads DEEPSEEK_API_KEY',
    keyEnv: ['DEEPSEEK_API_KEY'],
    baseUrl: 'https://api.deepseek.com/v1',
    schema: 'json_object',
    without: ['api', 'seed', 'reasoningEffort'],
  },
  fireworks: {
    ...usual,
    about: 'Fireworks; reads FIREWORKS_API_KEY',
    keyEnv: ['FIREWORKS_API_KEY'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
  },
  groq: {
    ...usual,
    about: 'Groq; reads GROQ_API_KEY',
    keyEnv: ['GROQ_API_KEY'],
    baseUrl: 'https://api.groq.com/openai/v1',
    tokenLimit: takesMaxCompletionTokens,
  },
  langsmith: {
    ...usual,
    about: "LangSmith's gateway; reads LANGSMITH_GATEWAY_API_KEY or LANGSMITH_API_KEY",
    keyEnv: ['LANGSMITH_GATEWAY_API_KEY', 'LANGSMITH_API_KEY'],
    baseUrl: 'https://gateway.smith.langchain.com/v1',
    api: () => 'responses',
    tokenLimit: ofOpenAI.tokenLimit,
    without: [],
  },
  mistralai: {
    ...usual,
    about: 'Mistral; reads MISTRAL_API_KEY',
    aliases: ['mistral'],
    keyEnv: ['MISTRAL_API_KEY'],
    baseUrl: 'https://api.mistral.ai/v1',
    seed: 'random_seed',
    without: ['api', 'reasoningEffort'],
  },
  openrouter: {
    ...usual,
    about: 'OpenRouter, as openrouter:VENDOR/NAME; reads OPENROUTER_API_KEY',
    keyEnv: ['OPENROUTER_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
  },
  perplexity: {
    ...usual,
    about: 'Perplexity, which searches the web; reads PERPLEXITY_API_KEY',
    keyEnv: ['PERPLEXITY_API_KEY'],
    baseUrl: 'https://api.perplexity.ai',
    without: ['api', 'seed'],
  },
  together: {
    ...usual,
    about: 'Together AI; reads TOGETHER_API_KEY or TOGETHER_AI_API_KEY',
    keyEnv: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
    baseUrl: 'https://api.together.xyz/v1',
  },
  xai: {
    ...usual,
    about: 'xAI; reads XAI_API_KEY',
    keyEnv: ['XAI_API_KEY'],
    baseUrl: 'https://api.x.ai/v1',
    tokenLimit: takesMaxCompletionTokens,
  },
};
