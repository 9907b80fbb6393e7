// LangChain's chat model for OpenAI's chat completions. It is changed to keep all parts of an answer and not to retry.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { listRenamable, optionalTemperature, sendWithoutRefused } from './refused-parameters.ts';
import { normalizeCompletion, type Completion, type CompletionMessage } from './sanitize-openai-response.ts';

export type ChatOpenAIFields = NonNullable<ConstructorParameters<typeof ChatOpenAICompletions>[0]>;
type Streaming = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type NonStreaming = OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming;
type Chunks = AsyncIterable<OpenAIClient.Chat.Completions.ChatCompletionChunk>;

/** Fields of these chat models besides LangChain's own fields. */
export interface OpenAIFields {
  /** The provider's name in traces. */
  provider: string;
  /** Parameters of every request, under the server's names. */
  parameters: Readonly<Record<string, unknown>>;
  /** Whether the model may be called at its own temperature if its server rejects the requested one. */
  isTemperatureOptional: boolean;
}

export class OpenAIChat extends ChatOpenAICompletions {
  readonly #own: OpenAIFields;

  constructor({ provider, parameters, isTemperatureOptional, ...fields }: ChatOpenAIFields & OpenAIFields) {
    super(fields);
    this.#own = { provider, parameters, isTemperatureOptional };
  }

  override getLsParams(options: this['ParsedCallOptions']) {
    return { ...super.getLsParams(options), ls_provider: this.#own.provider };
  }

  /**
   * Overrides parameters. LangChain chooses the name of the token limit by the model's name, and drops the effort for
   * models that it does not know.
   */
  override invocationParams(...call: Parameters<ChatOpenAICompletions['invocationParams']>) {
    return { ...super.invocationParams(...call), ...this.#own.parameters };
  }

  /**
   * Overrides LangChain's method, which would send a JSON schema through the client's `parse`. That function throws if
   * an answer does not fit, loses its text and usage, and repeats the call. Here every answer is returned as it is, and
   * nothing is retried.
   */
  override completionWithRetry(request: Streaming, options?: OpenAIClient.RequestOptions): Promise<Chunks>;
  override completionWithRetry(request: NonStreaming, options?: OpenAIClient.RequestOptions): Promise<Completion>;
  override async completionWithRetry(
    request: Streaming | NonStreaming,
    options: OpenAIClient.RequestOptions = {},
  ): Promise<Chunks | Completion> {
    if (request.stream) return super.completionWithRetry(request, options);
    const clientOptions = this._getClientOptions({ ...options, maxRetries: 0 });
    const isOptional = this.#own.isTemperatureOptional && request.temperature !== undefined;
    const completion = await sendWithoutRefused<NonStreaming, Completion>(
      `${this.client.baseURL} ${request.model}`,
      request,
      [...(isOptional ? [optionalTemperature] : []), ...listRenamable(request)],
      (sent) => this.client.chat.completions.create(sent, clientOptions),
    );
    return normalizeCompletion(completion);
  }

  override async _generate(...call: Parameters<ChatOpenAICompletions['_generate']>): Promise<ChatResult> {
    const result = await super._generate(...call);
    for (const { message } of result.generations) if (AIMessage.isInstance(message)) setUsage(message);
    return result;
  }

  protected override _convertCompletionsMessageToBaseMessage(
    message: CompletionMessage,
    response: Completion,
  ): BaseMessage {
    const converted = super._convertCompletionsMessageToBaseMessage(message, response);
    const { refusal, reasoning_content, reasoning } = message as CompletionMessage & Reasoning;
    Object.assign(converted.additional_kwargs, { refusal, reasoning_content: reasoning_content ?? reasoning });
    // OpenRouter's name of the upstream provider. Two upstream providers may run one model at different precision.
    Object.assign(converted.response_metadata, { upstream: (response as { provider?: unknown }).provider });
    return converted;
  }
}

/** Fields in which servers return a model's own reasoning; the second is OpenRouter's. */
interface Reasoning {
  reasoning_content?: string | null;
  reasoning?: string | null;
}

/** Restores token counts of zero. LangChain leaves them out, but an absent count means unknown. */
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
