// The provider `anthropic`: Claude models, through LangChain's package, which is installed only if it is needed.
import { UsageError } from '../../state/usage-error.ts';
import type { PlayerModel, Provider } from '../model.ts';
import { importChatClass } from './import-chat-class.ts';
import { getClaudeVersion } from './model-family.ts';
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
import { findPrice } from './prices.ts';

const home = 'https://api.anthropic.com';

export const anthropic: Provider<ModelOptions> = {
  name: 'anthropic',
  about: { MODEL: 'Claude; reads ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL' },
  keyEnv: ['ANTHROPIC_API_KEY'],
  options: createModelOptions(['api', 'seed']),
  isOwnHost: (host) => host === new URL(home).host,
  locate: (_spec, { baseUrl, apiKeyEnv }, env) => {
    const named = readBaseUrl(env, 'ANTHROPIC_BASE_URL');
    const address = baseUrl ?? named ?? home;
    return {
      address,
      isHome: new URL(address).host === new URL(home).host,
      key: apiKeyEnv ?? findKeyVariable(env, anthropic.keyEnv!),
      addressFrom: baseUrl === undefined && named !== undefined ? 'ANTHROPIC_BASE_URL' : null,
    };
  },
  open: async (spec, options, { temperature: ofRules, env }) => {
    const apiKey = readApiKey(env, options.apiKeyEnv ? [options.apiKeyEnv] : anthropic.keyEnv!, spec);
    const version = getClaudeVersion(spec.model);
    const thinking = getClaudeThinking(spec.model, options);
    const hasOwnTemperature = (version ?? 0) >= 4.7 || isThinking(thinking);
    if (hasOwnTemperature && options.temperature !== undefined)
      throw new UsageError(`${spec.text} cannot have a temperature: a reasoning model accepts only its own.`);
    const { address: baseUrl, isHome } = anthropic.locate(spec, options, env)!;
    const BaseChat = await importChatClass<typeof import('@langchain/anthropic').ChatAnthropic>(
      spec,
      '@langchain/anthropic@1.5.11',
    );
    const [{ createAnthropicChat }, { createCheckedFetch }] = await Promise.all([
      import('./anthropic-chat.ts'),
      import('./checked-fetch.ts'),
    ]);
    const chat = createAnthropicChat(
      BaseChat,
      {
        model: spec.model,
        apiKey,
        anthropicApiUrl: baseUrl.replace(/\/v1\/?$/, ''), // the package adds /v1
        maxRetries: 0,
        streaming: false,
        clientOptions: {
          fetch: addExtraBody(createCheckedFetch(isMessage), options.extraBody),
          timeout: options.timeout * 1000,
          authToken: null, // otherwise the package would also send the token in the environment
        },
        ...thinking,
        ...dropUndefined({
          temperature: options.temperature ?? (hasOwnTemperature ? undefined : (ofRules ?? undefined)),
          topP: options.topP,
          maxTokens: options.maxTokens,
        }),
      },
      { isTemperatureOptional: options.temperature === undefined },
    );
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: getClaudeSchemaOptions(version, isThinking(thinking)),
      listed: isHome ? findPrice('anthropic', spec.model) : null,
      server: { name: isHome ? 'anthropic' : new URL(baseUrl).host, address: baseUrl },
      secrets: [apiKey],
    });
  },
};

const isMessage = (body: unknown) =>
  typeof body === 'object' && body !== null && Array.isArray((body as { content?: unknown }).content);

/** A Claude model's thinking options, in the form of LangChain's class. */
interface ClaudeThinking {
  thinking?:
    { type: 'disabled' } | { type: 'adaptive'; display: 'summarized' } | { type: 'enabled'; budget_tokens: number };
  outputConfig?: { effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' };
  /**
   * Token limit of an answer that leaves room for thoughts. Absent if the model string gives a limit, or if none is
   * needed.
   */
  maxTokens?: number;
}

const isThinking = ({ thinking }: ClaudeThinking) => thinking !== undefined && thinking.type !== 'disabled';

/** Budgets in tokens for models without effort levels. Anthropic's minimum is 1,024. */
const budgets: Readonly<Record<string, number>> = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 };

/** Tokens of an answer in addition to the thoughts, if the model string does not give `maxTokens`. */
const answerTokens = 4096;

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/**
 * Returns the thinking options. Throws a UsageError if the model does not support the effort, or if `maxTokens` leaves
 * no room for it.
 */
function getClaudeThinking(model: string, { reasoningEffort: effort, maxTokens }: ModelOptions): ClaudeThinking {
  if (effort === undefined) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const version = getClaudeVersion(model);
  if (version === null || version >= 4.6) {
    const known = efforts.find((each) => each === effort);
    if (known) return { thinking: { type: 'adaptive', display: 'summarized' }, outputConfig: { effort: known } };
    throw new UsageError(`Unknown reasoningEffort "${effort}" of ${model}. Known: none, ${efforts.join(', ')}.`);
  }
  if (version < 3.7) throw new UsageError(`${model} does not support reasoningEffort.`);
  const budget = budgets[effort];
  if (budget === undefined)
    throw new UsageError(
      `Unknown reasoningEffort "${effort}" of ${model}. Known: none, ${Object.keys(budgets).join(', ')}.`,
    );
  if (maxTokens !== undefined && maxTokens <= budget)
    throw new UsageError(
      `reasoningEffort=${effort} gives ${model} ${budget} tokens of reasoning, but maxTokens=${maxTokens} leaves no room for them. Increase maxTokens.`,
    );
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    ...(maxTokens === undefined ? { maxTokens: budget + answerTokens } : {}),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON schema keywords of this program's schemas that Anthropic supports. Anthropic rejects others, such as bounds of
 * numbers.
 */
const keywords = ['type', 'description', 'enum', 'const', 'items', 'properties', 'required', 'additionalProperties'];

function keepKeywords(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (!keywords.includes(name)) return [];
      if (name === 'items') return [[name, keepKeywords(value as Schema)]];
      if (name !== 'properties') return [[name, value]];
      const properties = Object.entries(value as Record<string, Schema>);
      return [[name, Object.fromEntries(properties.map(([key, property]) => [key, keepKeywords(property)]))]];
    }),
  );
}

/**
 * Returns the call options for a schema. Claude 4.1 and later models get the JSON schema. Earlier models answer with a
 * tool's arguments, which cannot be forced while they think.
 */
export function getClaudeSchemaOptions(
  version: number | null,
  isThinkingOn: boolean,
): NonNullable<PlayerModel['schemaOptions']> {
  if (version === null || version >= 4.1)
    return (_name, schema) => ({ outputConfig: { format: { type: 'json_schema', schema: keepKeywords(schema) } } });
  return (name, schema) => ({
    tools: [{ name, description: 'Takes the answer.', input_schema: schema }],
    tool_choice: isThinkingOn ? { type: 'auto' } : { type: 'tool', name },
  });
}
