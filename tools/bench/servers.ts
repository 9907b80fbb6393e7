// Local servers that replace the servers called by a match: a language model with OpenAI's protocol, and LangSmith.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { sum } from '../../deception/statistics/sums.ts';
import { type AnswerJsonSchema, drawLegalValue } from '../../models/bots/random.ts';
import { charactersPerToken } from '../../models/prefix-cache.ts';
import { draw, type RandomSource } from '../../state/random.ts';

export interface ChatRequest {
  model: string;
  messages: readonly { role: string; content: string }[];
  response_format: { type: 'json_schema'; json_schema: { name: string; schema: AnswerJsonSchema } };
}

/**
 * Starts a model server and runs `use` with its address and a function `takeWaves`. `takeWaves` returns the requests
 * since its last call, grouped in waves. `latencyMs`: time from the last byte of a call to the first byte of its
 * answer. `faultEvery`: one in this many calls gets the next of `faults` in turn, which is reported to `onFault`. If it
 * is absent, no call fails.
 */
export async function runWithModelServer<Result>(
  { latencyMs, isKept = false, faultEvery, onFault }: ModelServerOptions,
  use: (baseUrl: string, takeWaves: () => ChatRequest[][]) => Promise<Result>,
): Promise<Result> {
  let underWay = 0;
  let calls = 0;
  const waves: ChatRequest[][] = [];
  const answer = async (request: IncomingMessage) => {
    const call = JSON.parse((await buffer(request)).toString()) as ChatRequest;
    if (isKept && underWay === 0) waves.push([]);
    if (isKept) waves.at(-1)!.push(call);
    calls += 1;
    const isFaulty = faultEvery !== undefined && calls % faultEvery === 0;
    const fault = isFaulty ? faults.at((calls / faultEvery) % faults.length) : undefined;
    if (fault) onFault?.(fault.kind);
    underWay += 1;
    if (latencyMs > 0) await setTimeout(latencyMs);
    underWay -= 1;
    return fault?.send ?? sendJson(complete(call));
  };
  return runWithServer(answer, (address) => use(`${address}/v1`, () => waves.splice(0)));
}

/**
 * Starts a server in place of LangSmith and runs `use` with its address and a function `takeBytes`. `takeBytes` returns
 * the number of bytes that the server has received since the last call.
 */
export async function runWithTraceServer<Result>(
  use: (address: string, takeBytes: () => number) => Promise<Result>,
): Promise<Result> {
  const info = { batch_ingest_config: { use_multipart_endpoint: true, size_limit_bytes: 20_971_520 } };
  const sizes: number[] = [];
  const answer = async (request: IncomingMessage) => {
    sizes.push((await buffer(request)).length);
    return sendJson(request.url === '/info' ? info : {});
  };
  return runWithServer(answer, (address) => use(address, () => sum(sizes.splice(0))));
}

interface ModelServerOptions {
  latencyMs: number;
  isKept?: boolean;
  faultEvery?: number;
  onFault?: (kind: string) => void;
}

/** Sends a server's answer once the request is complete. */
type Send = (response: ServerResponse) => void;

const sendText =
  (status: number, type: string, text: string, headers: Record<string, string> = {}): Send =>
  (response) =>
    void response.writeHead(status, { 'content-type': type, ...headers }).end(text);

const sendJson = (body: object, status = 200, headers: Record<string, string> = {}): Send =>
  sendText(status, 'application/json', JSON.stringify(body), headers);

const sendError = (status: number, message: string, headers: Record<string, string> = {}) =>
  sendJson({ error: { message } }, status, headers);

/** Server faults that users report most often: a failing transport, or a useless answer. */
const faults: readonly { kind: string; send: Send }[] = [
  { kind: 'status 503', send: sendError(503, 'Overloaded.') },
  { kind: 'connection closed', send: (response) => void response.destroy() },
  { kind: 'status 429', send: sendError(429, 'Too many requests.', { 'retry-after': '1' }) },
  {
    kind: 'answer cut off',
    send: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":[{"mess', () => response.destroy());
    },
  },
  { kind: 'page of a gateway', send: sendText(502, 'text/html', '<html><body>Bad gateway</body></html>') },
  { kind: 'no JSON', send: sendJson(completeWith('I would rather not say.')) },
];

async function runWithServer<Result>(
  answer: (request: IncomingMessage) => Promise<Send>,
  use: (address: string) => Promise<Result>,
) {
  const server = createServer((request, response) => {
    void answer(request).then((send) => send(response)); // an unanswerable request ends the bench
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close().closeAllConnections();
  }
}

function countTokens(text: string) {
  return Math.ceil(text.length / charactersPerToken);
}

function complete({ model, messages, response_format: format }: ChatRequest) {
  const prompt = messages.map(({ content }) => content).join('\n');
  return completeWith(makeLegalAnswer(format.json_schema.schema, prompt), { model, sent: countTokens(prompt) });
}

function completeWith(content: string, { model, sent } = { model: 'local', sent: 1 }) {
  const answered = countTokens(content);
  const message = { role: 'assistant', content, refusal: null };
  return {
    ...{ id: 'chatcmpl-local', object: 'chat.completion', created: 0, model },
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: sent, completion_tokens: answered, total_tokens: sent + answered },
  };
}

/** Number of words of each text in an answer. */
export const wordsPerStatement = 40;

/** Makes JSON that `schema` allows, with texts of realistic length. The same prompt always gets the same JSON. */
export const makeLegalAnswer = (schema: AnswerJsonSchema, prompt: string): string =>
  JSON.stringify(drawLegalValue(schema, draw(0, prompt), writeStatement));

/** Draws words one by one. */
export const writeStatement = (by: RandomSource): string =>
  Array.from({ length: wordsPerStatement }, () => by.pick(words)).join(' ');

/**
 * Words with the average length of English words, including spaces and punctuation. Texts made of these words compress
 * no better than English texts.
 */
const words =
  'about after again against all almost already also always another anybody anyone around asked because before behind believe between claim clear could danger day debate decide defend doubt each early enough every evidence explain fair first follow friend from game ground guess happen hasty have hear hide honest however idea instead judge keep know last later least left listen look many matter maybe mean might mind more most must name nervous never next night nobody nothing notice often only other ourselves people perhaps plain point pressure protect proof question quick quiet rather reason remember right same second seem should silent simple since someone something sound speak still story strange strong sure suspect table talk tell think though time together tonight trust truth turn under until very village vote wait want watch what where whether which while without word would wrong yesterday'.split(
    ' ',
  );
