// A language model that costs nothing: a local server that speaks OpenAI's chat completions, with a set latency.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { legalAnswer, type AnswerSchema } from './legal-answer.ts';
import { charactersPerToken } from './prompt-cache.ts';

interface ModelServer {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** Calls answered so far. */
  calls: () => number;
  /** The most calls that were under way at the same time. */
  mostUnderWay: () => number;
}

/** Runs `use` with such a server. `latencyMs`: from the last byte of a call to the first of its answer. */
export async function withModelServer<Result>(
  latencyMs: number,
  use: (server: ModelServer) => Promise<Result>,
): Promise<Result> {
  let calls = 0;
  let underWay = 0;
  let most = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++underWay);
    response.on('close', () => underWay--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isDue = until(performance.now() + latencyMs);
    const completion = JSON.stringify(completionOf(JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest));
    await isDue;
    calls += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ baseUrl: `http://127.0.0.1:${port}/v1`, calls: () => calls, mostUnderWay: () => most });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** By so much a timer may be late. Milliseconds. */
const timersError = 1.5;

/** Resolves at `moment` of `performance.now()` sharp: a server that is late would be taken for the match's own time. */
async function until(moment: number): Promise<void> {
  await setTimeout(Math.max(0, moment - performance.now() - timersError));
  while (performance.now() < moment) await setImmediate();
}

interface ChatRequest {
  model: string;
  messages: readonly { role: string; content: string }[];
  response_format: { json_schema: { schema: AnswerSchema } };
}

const tokensIn = (text: string) => Math.ceil(text.length / charactersPerToken);

function completionOf({ model, messages, response_format: format }: ChatRequest) {
  const prompt = messages.map(({ content }) => content).join('\n');
  const content = legalAnswer(format.json_schema.schema, prompt);
  const [sent, answered] = [tokensIn(prompt), tokensIn(content)];
  return {
    id: 'chatcmpl-local',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop', logprobs: null },
    ],
    usage: { prompt_tokens: sent, completion_tokens: answered, total_tokens: sent + answered },
  };
}
