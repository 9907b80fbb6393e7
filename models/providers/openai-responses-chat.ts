// LangChain's chat model for OpenAI's responses interface. It is changed to keep all parts of an answer and not to
// retry.
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ChatOpenAIResponses, type OpenAIClient } from '@langchain/openai';
import { parseJsonOrText } from '../parse-answer.ts';
import type { ChatOpenAIFields, OpenAIFields } from './openai-chat.ts';
import { optionalTemperature, type OptionalParameter, sendWithoutRefused } from './refused-parameters.ts';
import { createAnswerError, findFault } from './sanitize-openai-response.ts';

type Request = OpenAIClient.Responses.ResponseCreateParamsNonStreaming;
type StreamingRequest = OpenAIClient.Responses.ResponseCreateParamsStreaming;
type Answer = OpenAIClient.Responses.Response;
type Stream = AsyncIterable<OpenAIClient.Responses.ResponseStreamEvent>;

/** Summaries of reasoning. Some accounts are not allowed to request them, and the request is then rejected. */
const optionalSummary: OptionalParameter<Request> = {
  name: 'reasoning.summary',
  words: /\breasoning[._ ]summar/i,
  isKnownByName: true,
  omit: ({ reasoning, ...rest }) => {
    const { effort } = reasoning ?? {};
    return effort === undefined ? rest : { ...rest, reasoning: { effort } };
  },
};

export class OpenAIResponsesChat extends ChatOpenAIResponses {
  readonly #own: OpenAIFields;

  constructor({ provider, parameters, isTemperatureOptional, ...fields }: ChatOpenAIFields & OpenAIFields) {
    super(fields);
    this.#own = { provider, parameters, isTemperatureOptional };
  }

  override getLsParams(options: this['ParsedCallOptions']) {
    return { ...super.getLsParams(options), ls_provider: this.#own.provider };
  }

  override invocationParams(options: this['ParsedCallOptions']) {
    const { text, ...rest } = super.invocationParams(options);
    return { ...rest, ...(text?.format ? { text } : {}), ...this.#own.parameters };
  }

  /**
   * Overrides LangChain's method, which would send a JSON schema through the client's `parse`. That function throws if
   * an answer does not fit.
   */
  override completionWithRetry(request: StreamingRequest, options?: OpenAIClient.RequestOptions): Promise<Stream>;
  override completionWithRetry(request: Request, options?: OpenAIClient.RequestOptions): Promise<Answer>;
  override async completionWithRetry(
    request: StreamingRequest | Request,
    options: OpenAIClient.RequestOptions = {},
  ): Promise<Stream | Answer> {
    if (request.stream) return super.completionWithRetry(request, options);
    const clientOptions = this._getClientOptions({ ...options, maxRetries: 0 });
    const optional = [
      ...(this.#own.isTemperatureOptional && request.temperature !== undefined ? [optionalTemperature] : []),
      ...(request.reasoning?.summary ? [optionalSummary] : []),
    ];
    const answer = await sendWithoutRefused<Request, unknown>(
      `${this.client.baseURL} ${request.model}`,
      request,
      optional,
      (sent) => this.client.post('/responses', { ...clientOptions, body: sent }), // `create` would parse what may not be an answer
    );
    return normalizeAnswer(answer);
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    manager: Parameters<ChatOpenAIResponses['_generate']>[2],
  ): Promise<ChatResult> {
    const result = await super._generate(messages, options, manager);
    for (const { message } of result.generations) if (AIMessage.isInstance(message)) completeMessage(message);
    return result;
  }
}

/** Returns an answer that LangChain can read. Throws, with the server's message, if it is not an answer. */
function normalizeAnswer(given: unknown): Answer {
  const answer = (typeof given === 'string' ? parseJsonOrText(given) : given) as Partial<Answer> | null;
  const fault = findFault(Array.isArray(answer?.output) ? { error: answer.error } : answer);
  if (!Array.isArray(answer?.output) || fault) throw createAnswerError(answer, fault, 'a server of OpenAI responses');
  const output = answer.output.filter((item) => item?.type === 'message' || item?.type === 'reasoning');
  return {
    ...(answer as Answer),
    output: output.map((item) =>
      item.type === 'message' ? { ...item, content: (item.content ?? []).map(normalizePart) } : item,
    ),
  };
}

const normalizePart = (part: OpenAIClient.Responses.ResponseOutputMessage['content'][number]) =>
  part.type === 'output_text' ? { ...part, annotations: [] } : part;

/**
 * Copies the finish reason and the summary of the reasoning to their usual places. Removes the zero counts that
 * LangChain reports if the usage is unknown.
 */
function completeMessage(message: AIMessage): void {
  const { incomplete_details: details, output } = message.response_metadata as unknown as Answer;
  const reasons: Readonly<Record<string, string>> = { max_output_tokens: 'length' };
  const reason = details?.reason;
  message.response_metadata['finish_reason'] = reason ? (reasons[reason] ?? reason) : 'stop';
  const usage = message.usage_metadata as UsageMetadata | undefined;
  if (usage?.input_tokens === 0) Object.assign(message, { usage_metadata: undefined });
  const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
  if (summaries.length > 0)
    message.additional_kwargs['reasoning_content'] = summaries.map(({ text }) => text).join('\n\n');
}
