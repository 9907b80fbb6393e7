// Servers that speak the protocols of providers, for tests that all providers share. A reply in neutral terms is
// converted to the form that a real server would send.
import { openOpenaiServer, type Received, type Scripted } from './openai-server.ts';

export interface ModelReply {
  text?: string;
  /** The answer as arguments of a tool. The server sends it if the request offers a tool. */
  tool?: object;
  /** The model's own reasoning. */
  thoughts?: string;
  /** Whether the provider refuses to answer. */
  isRefused?: boolean;
  /** Whether the answer was cut at its maximum length. */
  isCut?: boolean;
  /** Token counts; null if the server sends none. */
  usage?: { in: number; out: number; cached?: number; written?: number; reasoning?: number } | null;
  /** Status of an error; `text` is the server's message. */
  status?: number;
  words?: string;
  headers?: Record<string, string>;
  /** Replaces the whole response. */
  body?: string;
  hang?: boolean;
}

/** A request in terms that all protocols have. */
export interface ModelRequest {
  path: string;
  headers: Received['headers'];
  body: Record<string, unknown>;
  model: string;
  hasSchema: boolean;
  temperature: number | undefined;
  maxTokens: number | undefined;
  /** Text of the whole conversation. */
  text: string;
}

type Body = Readonly<Record<string, unknown>>;

interface Protocol {
  readRequest: (body: Body, path: string) => Pick<ModelRequest, 'model' | 'hasSchema' | 'temperature' | 'maxTokens'>;
  render: (reply: ModelReply, request: ModelRequest) => object | string;
  renderError: (status: number, words: string) => object;
}

type Usage = NonNullable<ModelReply['usage']>;

const usual: Usage = { in: 20, out: 5 };
const answerId = '1';
const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);

const chat: Protocol = {
  readRequest: ({ model, response_format, temperature, max_tokens, max_completion_tokens }) => ({
    model: model as string,
    hasSchema: response_format !== undefined,
    temperature: asNumber(temperature),
    maxTokens: asNumber(max_tokens ?? max_completion_tokens),
  }),
  render: ({ text = '', thoughts, isRefused, isCut, usage = usual }, { model }) => ({
    id: answerId,
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        finish_reason: isCut ? 'length' : 'stop',
        message: {
          role: 'assistant',
          content: isRefused ? null : text,
          refusal: isRefused ? 'I cannot help with that.' : null,
          reasoning_content: thoughts,
        },
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens: usage.in,
        completion_tokens: usage.out,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
        completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      },
    }),
  }),
  renderError: (status, message) => ({ error: { message, type: 'error', code: null, param: null, status } }),
};

const responses: Protocol = {
  readRequest: ({ model, text, temperature, max_output_tokens }) => ({
    model: model as string,
    hasSchema: (text as Body | undefined)?.['format'] !== undefined,
    temperature: asNumber(temperature),
    maxTokens: asNumber(max_output_tokens),
  }),
  render: ({ text = '', thoughts, isRefused, isCut, usage = usual }, { model }) => ({
    id: answerId,
    object: 'response',
    created_at: 1,
    model,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: [
      { type: 'reasoning', id: 'rs_1', summary: thoughts ? [{ type: 'summary_text', text: thoughts }] : [] },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          isRefused
            ? { type: 'refusal', refusal: 'I cannot help with that.' }
            : { type: 'output_text', text, annotations: [] },
        ],
      },
    ],
    ...(usage && {
      usage: {
        input_tokens: usage.in,
        output_tokens: usage.out,
        total_tokens: usage.in + usage.out,
        input_tokens_details: { cached_tokens: usage.cached ?? 0 },
        output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      },
    }),
  }),
  renderError: chat.renderError,
};

const anthropic: Protocol = {
  readRequest: ({ model, output_config, tools, temperature, max_tokens }) => ({
    model: model as string,
    hasSchema: (output_config as Body | undefined)?.['format'] !== undefined || tools !== undefined,
    temperature: asNumber(temperature),
    maxTokens: asNumber(max_tokens),
  }),
  render: ({ text = '', tool, thoughts, isRefused, isCut, usage = usual }, { model }) => ({
    id: answerId,
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: isRefused ? 'refusal' : isCut ? 'max_tokens' : tool ? 'tool_use' : 'end_turn',
    content: [
      ...(thoughts ? [{ type: 'thinking', thinking: thoughts, signature: 's' }] : []),
      ...(isRefused || text === '' ? [] : [{ type: 'text', text }]),
      ...(tool ? [{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: tool }] : []),
    ],
    ...(usage && {
      usage: {
        input_tokens: usage.in - (usage.cached ?? 0) - (usage.written ?? 0),
        output_tokens: usage.out,
        cache_read_input_tokens: usage.cached ?? 0,
        cache_creation_input_tokens: usage.written ?? 0,
      },
    }),
  }),
  renderError: (_status, message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

export const gemini: Protocol = {
  readRequest: ({ generationConfig = {} }, path) => {
    const { responseSchema, temperature, maxOutputTokens } = generationConfig as Body;
    return {
      model: /models\/(.*):generateContent/.exec(path)?.[1] ?? '',
      hasSchema: responseSchema !== undefined,
      temperature: asNumber(temperature),
      maxTokens: asNumber(maxOutputTokens),
    };
  },
  render: ({ text = '', thoughts, isRefused, isCut, usage = usual }, { model }) => ({
    candidates: [
      {
        finishReason: isRefused ? 'SAFETY' : isCut ? 'MAX_TOKENS' : 'STOP',
        content: {
          role: 'model',
          parts: [...(thoughts ? [{ text: thoughts, thought: true }] : []), ...(isRefused ? [] : [{ text }])],
        },
      },
    ],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.in,
        candidatesTokenCount: usage.out - (usage.reasoning ?? 0),
        thoughtsTokenCount: usage.reasoning ?? 0,
        cachedContentTokenCount: usage.cached ?? 0,
      },
    }),
    modelVersion: model,
  }),
  renderError: (code, message) => ({ error: { code, message, status: 'FAILED' } }),
};

const ollama: Protocol = {
  readRequest: ({ model, format, options = {} }) => ({
    model: model as string,
    hasSchema: format !== undefined,
    temperature: asNumber((options as Body)['temperature']),
    maxTokens: asNumber((options as Body)['num_predict']),
  }),
  render: ({ text = '', thoughts, isCut, usage = usual }, { model }) =>
    [
      { model, message: { role: 'assistant', content: '', thinking: thoughts }, done: false },
      { model, message: { role: 'assistant', content: text }, done: false },
      {
        model,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: isCut ? 'length' : 'stop',
        ...(usage && { prompt_eval_count: usage.in, eval_count: usage.out }),
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  renderError: (_status, error) => ({ error }),
};

/** Bedrock's protocol. */
const converse: Protocol = {
  readRequest: ({ toolConfig, inferenceConfig = {} }, path) => ({
    model: decodeURIComponent(/^\/model\/(.*)\/converse$/.exec(path)?.[1] ?? ''),
    hasSchema: toolConfig !== undefined,
    temperature: asNumber((inferenceConfig as Body)['temperature']),
    maxTokens: asNumber((inferenceConfig as Body)['maxTokens']),
  }),
  render: ({ text = '', tool, thoughts, isRefused, isCut, usage = usual }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(thoughts ? [{ reasoningContent: { reasoningText: { text: thoughts, signature: 's' } } }] : []),
          ...(isRefused || text === '' ? [] : [{ text }]),
          ...(tool ? [{ toolUse: { toolUseId: 'tool_1', name: 'answer', input: tool } }] : []),
        ],
      },
    },
    stopReason: isRefused ? 'content_filtered' : isCut ? 'max_tokens' : tool ? 'tool_use' : 'end_turn',
    metrics: { latencyMs: 1 },
    ...(usage && {
      usage: {
        inputTokens: usage.in - (usage.cached ?? 0) - (usage.written ?? 0),
        outputTokens: usage.out,
        totalTokens: usage.in + usage.out,
        cacheReadInputTokens: usage.cached ?? 0,
        cacheWriteInputTokens: usage.written ?? 0,
      },
    }),
  }),
  renderError: (_status, message) => ({ message }),
};

export const protocols = { chat, responses, anthropic, gemini, ollama, converse } as const;

export type ProtocolName = keyof typeof protocols;

export type ModelScript = (request: ModelRequest, index: number) => ModelReply;

export const readModelRequest = (
  protocol: Protocol,
  { path, headers, body }: Omit<Received, 'body'> & { body: Body },
): ModelRequest => ({ path, headers, body, text: JSON.stringify(body), ...protocol.readRequest(body, path) });

export function renderReply(protocol: Protocol, reply: ModelReply, request: ModelRequest): Scripted {
  const { status, words = 'Something is wrong.', headers, body, hang } = reply;
  return {
    ...(hang ? { hang } : {}),
    ...(headers ? { headers } : {}),
    ...(status === undefined ? {} : { status }),
    body: body ?? (status === undefined ? protocol.render(reply, request) : protocol.renderError(status, words)),
  };
}

/** Starts a server that speaks a protocol. The server's `address` has no path. */
export async function openModelServer(name: ProtocolName, script: ModelScript) {
  const protocol: Protocol = protocols[name];
  const requests: ModelRequest[] = [];
  const { baseUrl, close } = await openOpenaiServer((received, index) => {
    const request = readModelRequest(protocol, received);
    requests.push(request);
    return renderReply(protocol, script(request, index), request);
  });
  return { address: new URL(baseUrl).origin, requests, close };
}
