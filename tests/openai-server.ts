// A small server with OpenAI's chat completions protocol, for tests. Each answer follows a script, and each request is
// stored.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's reaction to one request; an empty object is a plain answer. */
export interface Scripted {
  /** The answer's text; null and absent texts are sent as null. */
  text?: string | null;
  refusal?: string;
  /** Reasoning, under the name that DeepSeek, vLLM and llama-server use. */
  reasoning_content?: string;
  /** Reasoning, under the name that OpenRouter uses. */
  reasoning?: string;
  finish?: string;
  /** Usage in the reply; null to send none. */
  usage?: Record<string, unknown> | null;
  /** Replaces the only choice, which is made of the fields above. */
  choices?: unknown[];
  status?: number;
  headers?: Record<string, string>;
  /** Replaces the whole response; an object is sent as JSON, a text as HTML. */
  body?: object | string;
  /** Closes the connection before the response, or within it. */
  drop?: 'before' | 'within';
  /** Whether the server never answers. */
  hang?: boolean;
  /** Delay of the response in milliseconds. `answered`: called when the response is sent. */
  latency?: number;
  answered?: () => void;
}

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown> & { messages: { role: string; content: string }[] };
}

export interface OpenAIServer {
  /** Address that ends in `/v1`. */
  baseUrl: string;
  requests: Received[];
  close: () => Promise<void>;
}

/** Lists the fields of a judge's second question: the claims that the rules extract and the judge lacks. */
export const listAskedClaims = ({ body }: Received): string[] =>
  [...(body.messages[1]?.content ?? '').matchAll(/^- (claim_\d+): /gmu)].map(([, field]) => field!);

const createJudge =
  ({ confirms }: { confirms: boolean }) =>
  (request: Received): Scripted => {
    const asked = listAskedClaims(request);
    const confirmed = Object.fromEntries(asked.map((field) => [field, confirms]));
    return { text: JSON.stringify(asked.length > 0 ? confirmed : { claims: [], count: 0 }) };
  };

/** Answers as a judge that finds no claims, and confirms none that the rules extract. */
export const findNoClaims = createJudge({ confirms: false });

/** Answers as a judge that confirms whatever the rules extract, and finds nothing else. */
export const confirmRules = createJudge({ confirms: true });

/**
 * Starts a server. `script`: a list of replies, of which the last is repeated; or a function of the request and its
 * number, from 0.
 */
export async function openOpenaiServer(
  script: readonly Scripted[] | ((request: Received, index: number) => Scripted),
): Promise<OpenAIServer> {
  const requests: Received[] = [];
  const scripted = (request: Received, index: number) =>
    typeof script === 'function' ? script(request, index) : (script[Math.min(index, script.length - 1)] ?? {});
  // On a busy machine a connection may be idle for seconds; closed then, it would cost the client's next request.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void readRequest(request).then((message) => {
      requests.push(message);
      const what = scripted(message, requests.length - 1);
      if (what.latency === undefined) answer(response, message, what);
      else setTimeout(() => answer(response, message, what), what.latency);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The body of an error answer in OpenAI's form. */
export const failure = (message: string, code: string | null = null) => ({ error: { message, type: 'error', code } });

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = '', headers } = request;
  return { path: url, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Received['body'] };
}

function answer(response: ServerResponse, { body: asked }: Received, scripted: Scripted) {
  const { status = 200, headers = {}, body = createCompletion(asked['model'], scripted), drop, hang } = scripted;
  if (hang) return;
  if (drop === 'before') return void response.destroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  if (drop === 'within') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
  response.end(text);
  scripted.answered?.();
}

const usual = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };

function createCompletion(
  model: unknown,
  { text = null, finish = 'stop', usage = usual, choices, ...scripted }: Scripted,
) {
  const { refusal, reasoning_content, reasoning } = scripted;
  const message = { role: 'assistant', content: text, refusal: refusal ?? null, reasoning_content, reasoning };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: `${String(model)}-2026-01-01`,
    system_fingerprint: 'fp_1',
    choices: choices ?? [{ index: 0, message, finish_reason: finish, logprobs: null }],
    ...(usage ? { usage } : {}),
  };
}
