// What sits in a seat: a LangChain chat model with what the door to the models must know of it.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { z } from 'zod';
import type { Draw } from '../state/random.ts';
import type { Price } from '../state/record.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';

export interface PlayerModel {
  /** As it was named, e.g. `openai:gpt-4o?temperature=0.5`. Holds no secret. */
  spec: string;
  chat: BaseChatModel;
  /** Whether no language model answers. */
  isBot: boolean;
  /** Call options that make the provider obey a JSON schema; absent where it takes none. */
  schemaOptions?: (name: string, schema: Record<string, unknown>) => Record<string, unknown>;
  /** Tokens that its context holds, and how many of them a prompt may take; absent: no limit is known. */
  context?: { tokens: number; prompt: number };
  /** Null where it is not known. */
  price: Price | null;
  /** Per attempt, in milliseconds. */
  timeoutMs: number;
  /** Values that may stand in no file, log or error. */
  secrets: readonly string[];
}

/** `provider:model?option=value&…`, read. */
export interface ModelSpec {
  text: string;
  provider: string;
  model: string;
  options: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Provider<Options = never> {
  name: string;
  /** What a user is told of it, by the name of each model where the list is closed, else by MODEL. */
  about: Readonly<Record<string, string>>;
  /** Validates and converts the options of the model string. */
  options: z.ZodType<Options>;
  /** Known models, where the list is closed. */
  models?: readonly string[];
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

/** What a bot finds under the call option `bot`, given as a function so that it is not traced. */
export type BotCall = () => { prompt: AnyPrompt; draw: Draw };

/** A bot's answer carries this under `additional_kwargs.meant`. */
export type IntendedMeaning = Readonly<Record<string, unknown>>;

/** A message of a conversation with a model. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}
