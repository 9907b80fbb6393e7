// LangChain's OpenAI chat model, made to lose nothing of an answer and to try once.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { noAnswerCode } from '../trouble.ts';

type Completion = OpenAIClient.Chat.Completions.ChatCompletion;
type Message = Completion['choices'][number]['message'];
type Streaming = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type NonStreaming = OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming;
type Chunks = AsyncIterable<OpenAIClient.Chat.Completions.ChatCompletionChunk>;

export class OpenAIChat extends ChatOpenAICompletions {
  /**
   * LangChain would send a JSON schema through the client's `parse`, which throws on an answer that does not fit, loses
   * its text and usage, and has the call made again; here every answer comes back as it is, and nothing is retried.
   */
  override completionWithRetry(request: Streaming, options?: OpenAIClient.RequestOptions): Promise<Chunks>;
  override completionWithRetry(request: NonStreaming, options?: OpenAIClient.RequestOptions): Promise<Completion>;
  override async completionWithRetry(
    request: Streaming | NonStreaming,
    options: OpenAIClient.RequestOptions = {},
  ): Promise<Chunks | Completion> {
    if (request.stream) return super.completionWithRetry(request, options);
    const clientOptions = this._getClientOptions({ ...options, maxRetries: 0 });
    try {
      return withOneChoice(await this.client.chat.completions.create(request, clientOptions));
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      return withOneChoice(refused(request.model, refusal));
    }
  }

  override async _generate(...call: Parameters<ChatOpenAICompletions['_generate']>): Promise<ChatResult> {
    const result = await super._generate(...call);
    for (const { message } of result.generations) if (AIMessage.isInstance(message)) setUsage(message);
    return result;
  }

  protected override _convertCompletionsMessageToBaseMessage(message: Message, response: Completion): BaseMessage {
    const converted = super._convertCompletionsMessageToBaseMessage(message, response);
    const { refusal, reasoning_content, reasoning } = message as Message & Reasoning;
    Object.assign(converted.additional_kwargs, { refusal, reasoning_content: reasoning_content ?? reasoning });
    return converted;
  }
}

/** What servers tell of a model's own reasoning; the second name is OpenRouter's. */
interface Reasoning {
  reasoning_content?: string | null;
  reasoning?: string | null;
}

/**
 * LangChain fails on an empty list of choices, on a message without a role, and on content or calls of tools of another
 * shape. Throws where the answer is no completion at all, with the server's words: some send their errors with status 200.
 */
function withOneChoice(given: unknown): Completion {
  const answer = typeof given === 'string' ? jsonIn(given) : given; // a text where its type is not said to be JSON
  const { choices } = (answer ?? {}) as Partial<Completion>;
  const first = Array.isArray(choices) ? choices[0] : undefined;
  const fault = faultIn(first ?? answer);
  if (!Array.isArray(choices) || fault) throw noCompletion(answer, fault);
  const { message, ...choice } = first ?? { index: 0, finish_reason: null as never, logprobs: null };
  const { content, ...rest } = (message ?? {}) as Partial<Message>;
  const read = { refusal: null, ...rest, ...uncalled, content: contentIn(content), role: 'assistant' as const };
  return { ...(answer as Completion), choices: [{ ...choice, message: read }] };
}

/** No tools are offered. */
const uncalled = { tool_calls: undefined, function_call: undefined } as object;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Words, parts that LangChain reads, or null; other JSON, as of a server that has read the answer already, as text. */
function contentIn(content: unknown): string | null {
  if (content === undefined || content === null || typeof content === 'string') return content ?? null;
  if (Array.isArray(content) && content.length === 0) return null;
  const parts = Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
  return parts.length > 0 ? (parts as unknown as string) : JSON.stringify(content);
}

interface Fault {
  message?: unknown;
  code?: unknown;
}

/** An error where an answer should be: under its own name or, as of older vLLM, in its place. */
function faultIn(value: unknown): Fault | null {
  const { error, message, code } = (value ?? {}) as Fault & { error?: unknown };
  if (typeof error === 'string') return { message: error };
  const fault = (error ?? { message, code }) as Fault;
  return typeof fault.message === 'string' || typeof fault.code === 'number' ? fault : null;
}

/** The statuses that go with codes in words. */
const statuses: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  model_not_found: 404,
  insufficient_quota: 429,
  context_length_exceeded: 400,
};

/** It may pass, as the page of a proxy does, unless its code says otherwise. */
function noCompletion(answer: unknown, fault: Fault | null): Error {
  const { message, code } = fault ?? {};
  const words = typeof message === 'string' ? message : `Not an answer of a chat completion server: ${told(answer)}`;
  const status = filterCodes.includes(code) ? 400 : (statuses[String(code)] ?? Number(code));
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return Object.assign(
    new Error(words),
    isStatus ? { status, code, error: { message: words } } : { code: noAnswerCode },
  );
}

function told(answer: unknown): string {
  if (answer === undefined || answer === '') return 'nothing';
  try {
    return JSON.stringify(answer);
  } catch {
    return 'JSON that is nested too deep'; // a RangeError of V8's stack
  }
}

const filterCodes: readonly unknown[] = ['content_filter', 'content_policy_violation', 'invalid_prompt'];

/** Some servers answer a prompt that their filter stops with status 400. */
function refusalIn(error: unknown): string | undefined {
  const { status, code, error: told } = error as { status?: unknown; code?: unknown; error?: { message?: unknown } };
  if (status !== 400 || !filterCodes.includes(code)) return undefined;
  return typeof told?.message === 'string' ? told.message : 'The prompt was blocked.';
}

const refused = (model: string, refusal: string): Completion => ({
  id: '',
  object: 'chat.completion',
  created: 0,
  model,
  choices: [
    {
      index: 0,
      finish_reason: 'content_filter',
      logprobs: null,
      message: { role: 'assistant', content: null, refusal },
    },
  ],
});

/** LangChain leaves out a count of zero, which is not the same as no count. */
function setUsage(message: AIMessage) {
  const usage = (message.response_metadata as { usage?: Partial<OpenAIClient.CompletionUsage> }).usage ?? {};
  const { prompt_tokens: input, completion_tokens: output } = usage;
  delete message.usage_metadata;
  if (typeof input !== 'number' || typeof output !== 'number') return;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  const usage_metadata: UsageMetadata = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: usage.total_tokens ?? input + output,
    ...(typeof cached === 'number' ? { input_token_details: { cache_read: cached } } : {}),
    ...(typeof reasoning === 'number' ? { output_token_details: { reasoning } } : {}),
  };
  Object.assign(message, { usage_metadata });
}
