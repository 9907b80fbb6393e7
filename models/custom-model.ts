// Chat models given as objects, and what the model client must know about them, read from the objects as far as
// possible.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { z } from 'zod';
import { Price } from '../state/record.ts';
import { describeIssue, UsageError } from '../state/usage-error.ts';
import { BotModel } from './bots/bot-model.ts';
import type { PlayerModel } from './model.ts';
import { getClaudeSchemaOptions } from './providers/anthropic.ts';
import { getClaudeVersion } from './providers/model-family.ts';
import { getContextLimits } from './model-options.ts';
import { findPrice } from './providers/prices.ts';

/** A chat model, with properties that cannot be read from it or should be overridden. */
export interface CustomModel {
  chat: BaseChatModel;
  /**
   * Name of the model in records and tables, as `custom:NAME`. Different models need different names. Default: the type
   * of its class.
   */
  name?: string | undefined;
  /**
   * USD per million tokens. Default: the listed price at OpenAI's, Anthropic's and Google's own addresses, else
   * unknown.
   */
  price?: Price | undefined;
  /** Tokens of prompt and answer together. Default: `numCtx` or the profile of the object, else no limit. */
  contextTokens?: number | undefined;
  /** Tokens reserved for the answer. */
  maxTokens?: number | undefined;
  /**
   * Time limit of an attempt in seconds, above 0 and up to 3600. Default: the object's own limit, or 120 if the object
   * has none.
   */
  timeout?: number | undefined;
  /**
   * Call options that make the model follow a JSON schema. Null means that it cannot follow one. Default: the known
   * options of OpenAI, Ollama and Claude; no options for other models.
   */
  schemaOptions?: PlayerModel['schemaOptions'] | null;
}

const CustomFields = z.strictObject({
  chat: z.custom<BaseChatModel>(isChatModel, 'must be a chat model of LangChain'),
  name: z
    .string()
    .regex(/^[\w.:/-]{1,100}$/, 'must be letters, digits, "_", ".", ":", "/" and "-", at most 100')
    .optional(),
  price: Price.optional(),
  contextTokens: z.number().int().min(1).optional(),
  maxTokens: z.number().int().min(1).optional(),
  timeout: z.number().gt(0).max(3600).optional(),
  schemaOptions: z.custom<CustomModel['schemaOptions']>().optional(),
});

/** Returns whether a value is a chat model, from this copy of LangChain or another. */
export function isChatModel(value: unknown): value is BaseChatModel {
  if (typeof value !== 'object' || value === null) return false;
  const { invoke, _llmType } = value as Partial<Record<string, unknown>>;
  return typeof invoke === 'function' && typeof _llmType === 'function';
}

/** Fields of LangChain's chat models. Each class has only some of them. */
interface KnownFields {
  model?: unknown;
  modelName?: unknown;
  apiUrl?: unknown;
  clientConfig?: { baseURL?: unknown };
  numCtx?: unknown;
  timeout?: unknown;
  thinking?: { type?: unknown };
  profile?: { maxInputTokens?: unknown };
}

const readPositive = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined);

/** Type of a class → provider whose prices apply if no other address is set. */
const providerNames: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  googlegenerativeai: 'google-genai',
  vertexai: 'vertexai',
};

/**
 * Returns the model for a seat. Price, context, timeout and schema come from the given values. Values that are not
 * given come from the object itself, as far as it reports them. Throws a UsageError if a field is unknown or out of
 * range.
 *
 * @example createCustomModel({ chat: new ChatOpenAI({ model: 'gpt-4o' }), name: 'mine', timeout: 60 }).spec // 'custom:mine'
 */
export function createCustomModel(given: BaseChatModel | CustomModel): PlayerModel {
  const read = CustomFields.safeParse(isChatModel(given) ? { chat: given } : given, { error: describeIssue });
  if (!read.success) throw new UsageError(`A model given as an object is unusable: ${z.prettifyError(read.error)}`);
  const { chat, name, price, maxTokens, timeout, schemaOptions, contextTokens } = read.data;
  if (chat instanceof BotModel)
    return { spec: chat.spec, chat, isBot: true, price: null, timeoutMs: usualTimeout, secrets: [] };
  const fields = chat as BaseChatModel & KnownFields;
  const type = chat._llmType();
  const named = fields.model ?? fields.modelName;
  const model = typeof named === 'string' ? named : '';
  const hasAddress = Boolean(fields.apiUrl ?? fields.clientConfig?.baseURL);
  const tokens = contextTokens ?? readPositive(fields.numCtx) ?? readPositive(fields.profile?.maxInputTokens);
  const schema = schemaOptions === undefined ? chooseSchemaOptions(type, model, fields) : schemaOptions;
  return {
    spec: `custom:${name ?? type}`,
    chat,
    isBot: false,
    ...(schema ? { schemaOptions: schema } : {}),
    ...(tokens === undefined ? {} : { context: getContextLimits({ contextTokens: tokens, maxTokens }) }),
    price: price ?? (hasAddress ? null : findPrice(providerNames[type] ?? '', model)),
    timeoutMs: timeout === undefined ? (readPositive(fields.timeout) ?? usualTimeout) : timeout * 1000,
    secrets: [],
  };
}

/** Default timeout in milliseconds. */
const usualTimeout = 120_000;

/**
 * Chooses the call options for a schema. LangChain's class for OpenAI throws away an answer that does not follow the
 * schema, unless the answer consists of a tool's arguments.
 */
function chooseSchemaOptions(type: string, model: string, { thinking }: KnownFields): PlayerModel['schemaOptions'] {
  if (type === 'ollama') return (_name, schema) => ({ format: schema });
  if (type === 'anthropic') {
    const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
    return getClaudeSchemaOptions(getClaudeVersion(model), isThinking);
  }
  if (type !== 'openai') return undefined;
  return (name, parameters) => ({
    tools: [{ type: 'function', function: { name, description: 'Takes the answer.', parameters, strict: true } }],
    tool_choice: name,
  });
}
