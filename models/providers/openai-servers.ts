// What differs between providers, in one place: keys, addresses, names of parameters, and how a JSON schema is asked for.
import type { ModelOptions } from '../model-options.ts';
import { isReasoningModel } from './model-family.ts';

/** What is known of every provider. */
interface ProviderTraits {
  /** What stands in `--help` of its models. */
  about: string;
  /** Other names by which its models can be given; records have the one name. LangChain's names are among them. */
  aliases?: readonly string[];
  /** Variables that may hold the key, the first that is set goes. Empty: none is needed. */
  keyEnv: readonly string[];
  /** The variable with the server's address, and what follows that where it is the address of the vendor's account. */
  baseUrlEnv?: string;
  baseUrlPath?: string;
  /** Options of model strings that it cannot be given. */
  without: readonly (keyof ModelOptions)[];
}

/** A server that takes OpenAI's requests. */
export interface OpenAITraits extends ProviderTraits {
  /** Null: only `baseUrl` or the variable says it. */
  baseUrl: string | null;
  /** Further hosts of the vendor, as of other regions. */
  otherHosts?: readonly string[];
  /** Which of OpenAI's two interfaces is used at the vendor's own address unless the model string says so. */
  api: (model: string) => 'chat' | 'responses';
  /** The names of parameters in chat completions. */
  tokenLimit: (model: string) => 'max_tokens' | 'max_completion_tokens';
  seed: 'seed' | 'random_seed';
  /** `json_schema`: an answer follows the schema; `json_object`: it is JSON. */
  schema: 'json_schema' | 'json_object';
  /** Whether the vendor's own server puts the schema before the messages, where its cache counts it. */
  isSchemaFirst?: true;
}

const takesMaxTokens = () => 'max_tokens' as const;
const takesMaxCompletionTokens = () => 'max_completion_tokens' as const;
const usesChat = () => 'chat' as const;

/** What most servers have in common. */
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
