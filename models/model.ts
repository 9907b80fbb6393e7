// The types of models and providers: a LangChain chat model with what the model client must know of it.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { z } from 'zod';
import type { AnyPrompt } from '../prompts/prompt.ts';
import type { RandomSource } from '../state/random.ts';
import type { Price } from '../state/record.ts';
import type { GivenLimits } from './call-limiter.ts';
import type { CacheTraits } from './prefix-cache.ts';
import type { keyPolicy, KeyPolicy } from './key-policy.ts';

/**
 * How a model is asked: with one schema for a whole family of questions, with the schema of the question, or for JSON
 * without a schema.
 */
export const structuredForms = ['family', 'schema', 'json'] as const;
export type Structured = (typeof structuredForms)[number];

/** A model that can be seated. */
export interface PlayerModel {
  /** Its identity, e.g. `openai:gpt-4o?temperature=0.5`: the model string without what decides nothing; see `identifyModel`. */
  spec: string;
  /** The model string in full, where there is one. Holds no secret. */
  text?: string;
  chat: BaseChatModel;
  /** Whether it is a built-in player without a language model. */
  isBot: boolean;
  /** Call options that make the provider follow a JSON schema; absent where it takes none. */
  schemaOptions?: (name: string, schema: Record<string, unknown>) => Record<string, unknown>;
  /** How it is asked for an answer of a shape; `schema` where it is left out. */
  structured?: Structured;
  /** Whether these ask for JSON alone, and the schema itself is not sent. */
  hasJsonAlone?: boolean;
  /** Tokens of its context window, and how many of them a prompt may take; absent where no limit is known. */
  context?: { tokens: number; prompt: number };
  /** How its provider's cache of prompts counts; as `usualCache` where it is left out. */
  cache?: CacheTraits;
  /** In USD per million tokens; null where it is not known. */
  price: Price | null;
  /**
   * The server that is called: its name for people, and its address, null where it is the provider's own. Calls to one
   * server with the same key share their limits. Absent for a chat model that was given as an object.
   */
  server?: { name: string; address: string | null };
  /** Models with the same share a pace: those of a server, or one alone where its vendor limits each. Absent for an object. */
  pace?: string;
  /** What the server allows, as far as it is given. */
  limits?: GivenLimits;
  /** Milliseconds that one attempt may take. */
  timeoutMs: number;
  /** Keys and the like, which must appear in no file, log, trace or error. */
  secrets: readonly string[];
  /** The variable of the environment that holds the key. */
  keyVariable?: string;
}

/** A model string in its parts. */
export interface ModelSpec {
  /** The same for all ways of naming the provider. */
  text: string;
  /** Its name in the register, never an alias. */
  provider: string;
  model: string;
  options: Readonly<Record<string, string>>;
}

/** Variables, and where the keys among them may be sent; without a policy, only to their vendors and to this machine. */
export type Environment = Readonly<Record<string, string | undefined>> & {
  readonly [keyPolicy]?: KeyPolicy | undefined;
};

/** Where a model is asked, and the variable whose value is sent there as the key. */
export interface ModelReach {
  /** The server's address. */
  address: string;
  /** Whether the server is the vendor's own, or is that of the account at the vendor which the environment names. */
  isHome: boolean;
  /** The variable with the key or the credentials; null where none is sent. */
  key: string | null;
  /** The variable that gave the address; null where the model string or the provider gave it. */
  addressFrom: string | null;
}

/** A way to models. providers/index.ts says how to add one. */
export interface Provider<Options = never> {
  /** What stands before the colon of a model string. */
  name: string;
  /** Other names that may stand there; the model string of a record has the one above. */
  aliases?: readonly string[];
  /** Variables of the environment that may hold its key, unless the model string names another. */
  keyEnv?: readonly string[];
  /** What else may stand for its key where its credentials are found elsewhere. */
  credentials?: readonly string[];
  /** Whether no server of the tests speaks its protocol; docs/reference/providers.md lists these. */
  isUntested?: true;
  /** Descriptions for users: one for each model where the list is closed, otherwise one under `MODEL`. */
  about: Readonly<Record<string, string>>;
  /** Validates and converts the options of the model string. */
  options: z.ZodType<Options>;
  /** The names of its models, where the list is closed. */
  models?: readonly string[];
  /** Whether a host, with its port unless that is the usual one, is one of the vendor's own, which may get a key of `keyEnv`. */
  isOwnHost?: (host: string) => boolean;
  /** Where a model is asked; null for one that is asked nowhere. Opens nothing. Throws a UsageError where no address is known. */
  locate(spec: ModelSpec, options: Options, env: Environment): ModelReach | null;
  /**
   * Makes the chat model. `temperature` is what the rules ask for and yields to the model string.
   * Throws a UsageError that names the environment variable when a key is missing. Makes no call.
   */
  open(
    spec: ModelSpec,
    options: Options,
    given: { temperature: number | null; env: Environment },
  ): Promise<PlayerModel>;
}

/** The call option `bot`, by which a bot gets its prompt; a function, because functions are not traced. `salt` keys its draws too. */
export type BotCall = (salt?: number) => { prompt: AnyPrompt; draw: RandomSource };

/** A bot's own account of what it meant by its answer, under `additional_kwargs.meant` of its message. */
export type IntendedMeaning = Readonly<Record<string, unknown>>;

/** A message of a conversation with a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

// The address of a model's server, where it says more than the provider's name.

/** Whether a model is asked at the server of its provider. */
export const isAtOwnServer = ({ spec, server }: Pick<PlayerModel, 'spec' | 'server'>): boolean =>
  server === undefined || server.address === null || spec.startsWith(`${server.name}:`);

/** The server's address, unless it is the provider's own; undefined for a model given as an object too. */
export const findForeignAddress = (model: Pick<PlayerModel, 'spec' | 'server'>): string | undefined =>
  isAtOwnServer(model) ? undefined : model.server!.address!;

/** The models of a seat, one for decisions and one for speech: the rules may set a temperature for each. */
export type SeatModels = Readonly<Record<AnyPrompt['kind'], PlayerModel>>;

/** The provider's name, or the host where another server is asked. */
export const getServerName = ({ spec, server }: Pick<PlayerModel, 'spec' | 'server'>): string =>
  server?.name ?? spec.split(':')[0]!;
