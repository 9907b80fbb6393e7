// Types of models and providers: a LangChain chat model, with what the model client must know about it.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import type { RandomSource } from '../state/random.ts';
import type { Price } from '../state/record.ts';
import type { GivenLimits } from './call-limiter.ts';
import type { CacheTraits } from './prefix-cache.ts';
import type { keyPolicy, KeyPolicy } from './key-policy.ts';

/**
 * Forms of structured output: one schema for a whole family of questions, the schema of the question, or JSON without a
 * schema.
 */
export const structuredForms = ['family', 'schema', 'json'] as const;
export type Structured = (typeof structuredForms)[number];

/** A model that can be seated. */
export interface PlayerModel {
  /**
   * Identity of the model, e.g. `openai:gpt-4o?temperature=0.5`: the model string without options that do not affect
   * answers; see `identifyModel`.
   */
  spec: string;
  /** The full model string, if there is one. Contains no secret. */
  text?: string;
  chat: BaseChatModel;
  /** Whether the model is a built-in player without a language model. */
  isBot: boolean;
  /** Whether the model is a person, who costs nothing and shares no server with others. */
  isPerson?: true;
  /** Call options that make the provider follow a JSON schema; absent if it supports none. */
  schemaOptions?: (name: string, schema: Record<string, unknown>) => Record<string, unknown>;
  /** Form of structured output. Default: `schema`. */
  structured?: Structured;
  /** Whether the `schemaOptions` only request JSON, without sending the schema itself. */
  hasJsonAlone?: boolean;
  /** Context window in tokens, and how many of these tokens a prompt may use. Absent if no limit is known. */
  context?: { tokens: number; prompt: number };
  /** Sizes of the provider's prompt cache. Default: `usualCache`. */
  cache?: CacheTraits;
  /** Price in USD per million tokens; null if unknown. */
  price: Price | null;
  /**
   * The server: its name in messages, and its address (null for the provider's own server). Calls to one server with
   * the same key share limits. Absent for a chat model given as an object.
   */
  server?: { name: string; address: string | null };
  /**
   * Name of the rate limit. It is shared by all models of a server, unless the vendor limits each model separately.
   * Absent for a chat model given as an object.
   */
  pace?: string;
  /** The server's limits, if they are given. */
  limits?: GivenLimits;
  /** Longest time of one attempt, in milliseconds. */
  timeoutMs: number;
  /** Keys and other secrets, which must not appear in any file, log, trace or error. */
  secrets: readonly string[];
  /** Environment variable with the key. */
  keyVariable?: string;
}

/** A parsed model string. */
export interface ModelSpec {
  /** Normalized text, the same for all aliases of the provider. */
  text: string;
  /** Name of the provider in the register, never an alias. */
  provider: string;
  model: string;
  options: Readonly<Record<string, string>>;
}

/**
 * Environment variables, and the policy that says where keys among them may be sent. Without a policy, a key may be
 * sent only to its vendor and to this machine.
 */
export type Environment = Readonly<Record<string, string | undefined>> & {
  readonly [keyPolicy]?: KeyPolicy | undefined;
};

/** Address of a model, and the variable whose value is sent there as the key. */
export interface ModelReach {
  /** The server's address. */
  address: string;
  /**
   * Whether the server is the vendor's own. A server that the environment names for an account with the vendor counts
   * as the vendor's own.
   */
  isHome: boolean;
  /** Environment variable with the key, or a name for other credentials; null if no key is sent. */
  key: string | null;
  /** Environment variable that gave the address; null if the model string or the provider gave it. */
  addressFrom: string | null;
}

/** A provider of models. providers/index.ts says how to add a provider. */
export interface Provider<Options = never> {
  /** The part of a model string before the colon. */
  name: string;
  /** Other names of the provider in model strings. Records use `name`. */
  aliases?: readonly string[];
  /** Environment variables that may have the key, unless the model string names another variable. */
  keyEnv?: readonly string[];
  /**
   * Names of further sources of credentials, for providers that do not need a key in one of these variables (`keyEnv`).
   */
  credentials?: readonly string[];
  /**
   * Descriptions for users. If the provider's list of models is closed, there is one for each model; otherwise there is
   * one under the name `MODEL`.
   */
  about: Readonly<Record<string, string>>;
  /** Validates and converts the options of the model string. */
  options: z.ZodType<Options>;
  /** Model that the provider's name alone stands for, if there is one. */
  usualModel?: string;
  /** Names of the provider's models, if the list is closed. */
  models?: readonly string[];
  /**
   * Returns whether a host belongs to the vendor, so that it may receive a key of `keyEnv`. The host includes its port
   * unless that is the usual one.
   */
  isOwnHost?: (host: string) => boolean;
  /**
   * Returns where a model is called; null for a model that needs no server. Opens nothing. Throws a UsageError if no
   * address is known.
   */
  locate(spec: ModelSpec, options: Options, env: Environment): ModelReach | null;
  /**
   * Creates the chat model. `temperature`: temperature that the rules ask for; the model string overrides it. Throws a
   * UsageError that names the environment variable if a key is missing. Makes no call.
   */
  open(
    spec: ModelSpec,
    options: Options,
    given: { temperature: number | null; env: Environment },
  ): Promise<PlayerModel>;
}

/**
 * The call option `bot`, by which a bot gets its prompt. It is a function, because functions are not traced. `salt`:
 * also decides the bot's draws.
 */
export type BotCall = (salt?: number) => { prompt: AnyPrompt; draw: RandomSource };

/** Returns whether a model is asked at a server: it is neither a bot nor a person. */
export const isServed = ({ isBot, isPerson }: Pick<PlayerModel, 'isBot' | 'isPerson'>): boolean =>
  !isBot && isPerson !== true;

/** A bot's own record of what it meant by its answer, in `additional_kwargs.meant` of its message. */
export type IntendedMeaning = Readonly<Record<string, unknown>>;

/** A message of a conversation with a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

// Addresses of servers other than the provider's own.

/** Returns whether a model is called at its provider's own server. */
export const isAtOwnServer = ({ spec, server }: Pick<PlayerModel, 'spec' | 'server'>): boolean =>
  server === undefined || server.address === null || spec.startsWith(`${server.name}:`);

/**
 * Returns the server's address, unless it is the provider's own server. Also undefined for a model given as an object.
 */
export const findForeignAddress = (model: Pick<PlayerModel, 'spec' | 'server'>): string | undefined =>
  isAtOwnServer(model) ? undefined : model.server!.address!;

/** The two models of a seat, one for decisions and one for speech, because the rules may set a temperature for each. */
export type SeatModels = Readonly<Record<AnyPrompt['kind'], PlayerModel>>;

/** Returns the provider's name or, if another server is called, the server's host. */
export const getServerName = ({ spec, server }: Pick<PlayerModel, 'spec' | 'server'>): string =>
  server?.name ?? spec.split(':')[0]!;
