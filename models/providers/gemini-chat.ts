// LangChain's chat model for Gemini, on Vertex AI or at another address. It is changed to keep all parts of an answer
// and not to retry.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatVertexAI, type ChatVertexAIInput } from '@langchain/google-vertexai';
import { findErrorMessage } from '../error-body.ts';
import { noAnswerCode } from '../provider-error.ts';
import type { ThinkingConfig } from './gemini-options.ts';
import type { JsonObject } from '../extra-body.ts';

/** The parts of Gemini's answer that are read. Gemini omits counts of zero. */
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

/** A server with Gemini's own interface. */
interface GeminiServer {
  /** Address, ending in the version. */
  baseUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The parts of LangChain's request that are changed. */
interface GeminiRequest {
  contents: { parts: { text?: string }[] }[];
  generationConfig: { thinkingConfig?: ThinkingConfig };
}

export class GeminiChat extends ChatVertexAI {
  readonly #thinking: ThinkingConfig | undefined;
  readonly #extraBody: JsonObject | undefined;
  override disableStreaming = true;

  /** Creates the model. `server`: replaces Vertex AI; only possible with a key. */
  constructor(
    fields: ChatVertexAIInput,
    { thinking, extraBody }: { thinking: ThinkingConfig | undefined; extraBody: JsonObject | undefined },
    server?: GeminiServer,
  ) {
    super({ ...fields, maxRetries: 0, onFailedAttempt: rethrow });
    this.#thinking = thinking;
    this.#extraBody = extraBody;
    if (!server) return;
    this.connection.buildUrl = () => Promise.resolve(`${server.baseUrl}/models/${this.model}:generateContent`);
    (this.connection.client as Client & Fetching)._fetch = server.fetch as Fetching['_fetch'];
  }

  /** Hides the key, which LangChain would otherwise write in clear into every trace. */
  override get lc_secrets() {
    return { ...super.lc_secrets, apiKey: 'GOOGLE_API_KEY' };
  }

  /** Uses only the given key. LangChain would otherwise use one from the environment. */
  override buildApiKey(fields?: { apiKey?: string }) {
    return fields?.apiKey;
  }

  /**
   * Creates the client that uses default credentials, and replaces its error handling, which would lose an error's
   * message between Google's packages and LangChain's. Also refuses redirects, because a redirect could send the prompt
   * to any host.
   */
  override buildAbstractedClient(fields: Parameters<ChatVertexAI['buildAbstractedClient']>[0]): Client {
    const client = super.buildAbstractedClient(fields) as Client & Fetching;
    const { _fetch, gauth } = client;
    client._fetch = (url, options) => _fetch(url, { ...options, redirect: 'manual' }).catch(putBodyBack);
    if (gauth) {
      // Google's package would look for the project first, and then keep credentials without the given options.
      const getProjectId = client.getProjectId.bind(client);
      client.getProjectId = async () => (await gauth.getClient(), getProjectId());
    }
    return client;
  }

  /** Creates the client that uses a key, and replaces its error handling for the same reasons. */
  override buildApiKeyClient(apiKey: string): Client {
    const client = super.buildApiKeyClient(apiKey) as Client & Fetching;
    const { _fetch } = client;
    client._fetch = (url, options) => _fetch(url, { ...options, redirect: 'manual' });
    return client;
  }

  /**
   * Overrides LangChain's method. That method drops the finish reason and the usage of an answer that was stopped,
   * fails without a candidate, and cannot request thought summaries without a budget.
   */
  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const body = (await this.connection.formatData(messages, this.invocationParams(options))) as GeminiRequest;
    if (this.#thinking) body.generationConfig.thinkingConfig = this.#thinking;
    // Vertex AI rejects empty turns. They occur if a question is asked again after an empty answer.
    body.contents = body.contents.filter(({ parts }) => parts.some(({ text }) => text !== ''));
    const { data } = await this.connection._request({ ...body, ...this.#extraBody }, options);
    const answer = data as GeminiAnswer | null;
    if (!answer?.candidates && !answer?.promptFeedback && !answer?.usageMetadata) throw createNoAnswerError(answer);
    const message = parseGeminiAnswer(answer);
    return { generations: [{ text: message.text, message }] };
  }
}

/** Creates an error that counts as a lost connection, so that a retry may succeed. */
const createNoAnswerError = (body: unknown) =>
  Object.assign(new Error(findErrorMessage(body) ?? `Not a valid answer of Gemini: ${JSON.stringify(body)}`), {
    code: noAnswerCode,
    body,
  });

type Client = ReturnType<ChatVertexAI['buildAbstractedClient']>;

/** The private method by which LangChain's client sends every request, however it signs in. */
interface Fetching {
  _fetch: (url: unknown, options?: object) => Promise<unknown>;
  /** Google's package for credentials; only in the client that uses default credentials. */
  gauth?: { getClient: () => Promise<unknown> };
}

/** Copies the body of a failed response from the message to its usual place. */
function putBodyBack(error: Error & { response?: { data?: unknown } }): never {
  if (error.response) error.response.data ??= error.message;
  throw error;
}

/** Rethrows the error. LangChain's handler, which this replaces, prints the request and its key on the console. */
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
