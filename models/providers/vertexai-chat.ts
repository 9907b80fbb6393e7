// LangChain's Vertex AI chat model, made to lose nothing of an answer and to try once.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatVertexAI, type ChatVertexAIInput } from '@langchain/google-vertexai';
import type { ThinkingConfig } from './gemini-options.ts';

/** What is read of Gemini's answer; it leaves out counts of zero. */
interface GeminiAnswer {
  candidates?: {
    content?: { parts?: { text?: string; thought?: boolean }[] };
    finishReason?: string;
    finishMessage?: string;
  }[];
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string };
  usageMetadata?: {
    promptTokenCount?: number;
    candidatesTokenCount?: number;
    thoughtsTokenCount?: number;
    cachedContentTokenCount?: number;
  };
  modelVersion?: string;
}

/** What is changed of the request that LangChain makes. */
interface GeminiRequest {
  contents: { parts: { text?: string }[] }[];
  generationConfig: { thinkingConfig?: ThinkingConfig };
}

export class VertexChat extends ChatVertexAI {
  readonly #thinking: ThinkingConfig | undefined;
  override disableStreaming = true;

  constructor(fields: ChatVertexAIInput, thinking: ThinkingConfig | undefined) {
    super({ ...fields, maxRetries: 0, onFailedAttempt: rethrow });
    this.#thinking = thinking;
  }

  /** LangChain would put the key, in clear, into every trace. */
  override get lc_secrets() {
    return { ...super.lc_secrets, apiKey: 'GOOGLE_API_KEY' };
  }

  /** LangChain would take a key from the environment that was not given. */
  override buildApiKey(fields?: { apiKey?: string }) {
    return fields?.apiKey;
  }

  /** With default credentials the words of an error answer would be lost between Google's packages and LangChain's. */
  override buildAbstractedClient(fields: Parameters<ChatVertexAI['buildAbstractedClient']>[0]): Client {
    const client = super.buildAbstractedClient(fields) as Client & Fetching;
    const { _fetch } = client;
    client._fetch = (...request) => _fetch(...request).catch(putBodyBack);
    return client;
  }

  /**
   * LangChain's own reading of an answer drops why it ended, throws away the usage of a stopped one and fails where there
   * is no candidate; its request cannot ask for thought summaries without a budget.
   */
  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const body = (await this.connection.formatData(messages, this.invocationParams(options))) as GeminiRequest;
    if (this.#thinking) body.generationConfig.thinkingConfig = this.#thinking;
    // A turn without a word is refused; one stands there where the model answered nothing and is asked again.
    body.contents = body.contents.filter(({ parts }) => parts.some(({ text }) => text !== ''));
    const { data } = await this.connection._request(body, options);
    const message = parseGeminiAnswer(data as GeminiAnswer);
    return { generations: [{ text: message.text, message }] };
  }
}

type Client = ReturnType<ChatVertexAI['buildAbstractedClient']>;

/** The inside of Google's client that is the same for all ways to sign in. */
interface Fetching {
  _fetch: (...request: unknown[]) => Promise<unknown>;
}

/** The body of a failed answer stands in the message, where nobody looks for it. */
function putBodyBack(error: Error & { response?: { data?: unknown } }): never {
  if (error.response) error.response.data ??= error.message;
  throw error;
}

/** LangChain's own handler prints the error with the request, key included, to the console. */
function rethrow(error: unknown): never {
  throw error;
}

function parseGeminiAnswer({ candidates, promptFeedback, usageMetadata, modelVersion }: GeminiAnswer): AIMessage {
  const candidate = candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const joinText = (isThought: boolean) =>
    parts
      .filter(({ thought = false }) => thought === isThought)
      .map(({ text = '' }) => text)
      .join('');
  const { blockReason, blockReasonMessage } = promptFeedback ?? {};
  const message = new AIMessage({
    content: joinText(false),
    additional_kwargs: {
      reasoning_content: joinText(true),
      ...(blockReason ? { refusal: blockReasonMessage || `The prompt was blocked: ${blockReason}.` } : {}),
    },
    response_metadata: {
      model_name: modelVersion,
      finish_reason: candidate?.finishReason ?? blockReason,
      finish_message: candidate?.finishMessage,
    },
  });
  return Object.assign(message, { usage_metadata: readUsage(usageMetadata) });
}

function readUsage(usage: GeminiAnswer['usageMetadata']): UsageMetadata | undefined {
  if (usage?.promptTokenCount === undefined) return undefined;
  const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount, cachedContentTokenCount } = usage;
  const output = candidatesTokenCount + (thoughtsTokenCount ?? 0);
  return {
    input_tokens: promptTokenCount,
    output_tokens: output,
    total_tokens: promptTokenCount + output,
    ...(cachedContentTokenCount === undefined ? {} : { input_token_details: { cache_read: cachedContentTokenCount } }),
    ...(thoughtsTokenCount === undefined ? {} : { output_token_details: { reasoning: thoughtsTokenCount } }),
  };
}
