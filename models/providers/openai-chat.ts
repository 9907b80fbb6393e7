// LangChain's OpenAI chat model, changed to lose nothing of an answer and not to retry.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import {
  findRefusal,
  createRefusedCompletion,
  normalizeCompletion,
  type Completion,
  type CompletionMessage,
} from './sanitize-openai-response.ts';

type ChatOpenAIFields = NonNullable<ConstructorParameters<typeof ChatOpenAICompletions>[0]>;
type Streaming = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type NonStreaming = OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming;
type Chunks = AsyncIterable<OpenAIClient.Chat.Completions.ChatCompletionChunk>;

/** Server and model, of those that have refused a temperature in this process. */
const withoutTemperature = new Set<string>();

/** Whether a server refuses the temperature of a request, and not something else in it. */
function isTemperatureRefused(error: unknown): boolean {
  const { status, param, message } = error as { status?: unknown; param?: unknown; message?: unknown };
  return (status === 400 || status === 422) && (param === 'temperature' || /\btemperature\b/i.test(String(message)));
}

interface TemperatureField {
  /** Whether the model may be asked at its own temperature where its server refuses the one given. */
  isTemperatureOptional: boolean;
}

export class OpenAIChat extends ChatOpenAICompletions {
  readonly #isTemperatureOptional: boolean;

  constructor({ isTemperatureOptional, ...fields }: ChatOpenAIFields & TemperatureField) {
    super(fields);
    this.#isTemperatureOptional = isTemperatureOptional;
  }

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
      return normalizeCompletion(await this.#create(request, clientOptions));
    } catch (error) {
      const refusal = findRefusal(error);
      if (refusal === undefined) throw error;
      return normalizeCompletion(createRefusedCompletion(request.model, refusal));
    }
  }

  /** A refused temperature is left out, of this request and of all further ones to the same model. */
  async #create(request: NonStreaming, options: OpenAIClient.RequestOptions): Promise<Completion> {
    const { temperature, ...rest } = request;
    const name = `${this.client.baseURL} ${request.model}`;
    const create = (sent: NonStreaming) => this.client.chat.completions.create(sent, options);
    if (!this.#isTemperatureOptional || temperature === undefined) return create(request);
    if (withoutTemperature.has(name)) return create(rest);
    try {
      return await create(request);
    } catch (error) {
      if (!isTemperatureRefused(error)) throw error;
      withoutTemperature.add(name);
      return create(rest);
    }
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
    return converted;
  }
}

/** Under which names servers return a model's own reasoning; the second is OpenRouter's. */
interface Reasoning {
  reasoning_content?: string | null;
  reasoning?: string | null;
}

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
