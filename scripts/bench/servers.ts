// Local servers in place of what a match calls: a language model that speaks OpenAI's protocol, and LangSmith.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { draw, type Draw } from '../../state/random.ts';

export const charactersPerToken = 4;

/** What the JSON schemas of this project's answers are made of. */
export interface AnswerSchema {
  type?: string;
  properties?: Record<string, AnswerSchema>;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}

export interface ChatRequest {
  model: string;
  messages: readonly { role: string; content: string }[];
  response_format: { type: 'json_schema'; json_schema: { name: string; schema: AnswerSchema } };
}

export interface ModelServer {
  /** Ends in `/v1`. */
  baseUrl: string;
  countCalls: () => number;
  /** The most calls that were under way at the same time. */
  countMostUnderWay: () => number;
  /** The requests since this was last asked, in the waves in which they came; none where they are not kept. */
  takeWaves: () => ChatRequest[][];
}

/** Runs `use` with a model server. `latencyMs`: from the last byte of a call to the first of its answer. */
export async function runWithModelServer<Result>(
  { latencyMs, isKept = false }: { latencyMs: number; isKept?: boolean },
  use: (server: ModelServer) => Promise<Result>,
): Promise<Result> {
  let [calls, underWay, mostUnderWay] = [0, 0, 0];
  const waves: ChatRequest[][] = [];
  const answer = async (request: IncomingMessage) => {
    const call = JSON.parse((await buffer(request)).toString()) as ChatRequest;
    if (isKept && underWay === 0) waves.push([]);
    if (isKept) waves.at(-1)!.push(call);
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    if (latencyMs > 0) await setTimeout(latencyMs);
    calls += 1;
    underWay -= 1;
    return complete(call);
  };
  const listener: RequestListener = (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    answer(request).then(
      (body) => send(200, body),
      (error: unknown) => send(500, { error: { message: String(error) } }),
    );
  };
  const takeWaves = () => waves.splice(0);
  return withServer(listener, (address) =>
    use({ baseUrl: `${address}/v1`, countCalls: () => calls, countMostUnderWay: () => mostUnderWay, takeWaves }),
  );
}

/** Runs `use` with the address of a stand-in for LangSmith and with what counts the bytes sent since it was last asked. */
export async function runWithTraceServer<Result>(
  use: (address: string, takeBytes: () => number) => Promise<Result>,
): Promise<Result> {
  let bytes = 0;
  const info = { batch_ingest_config: { use_multipart_endpoint: true, size_limit_bytes: 20_971_520 } };
  const listener: RequestListener = (request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.end(JSON.stringify(request.url === '/info' ? info : {})));
    response.setHeader('content-type', 'application/json');
  };
  const takeBytes = () => {
    const taken = bytes;
    bytes = 0;
    return taken;
  };
  return withServer(listener, (address) => use(address, takeBytes));
}

async function withServer<Result>(listener: RequestListener, use: (address: string) => Promise<Result>) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close().closeAllConnections();
  }
}

const countTokens = (text: string) => Math.ceil(text.length / charactersPerToken);

function complete({ model, messages, response_format: format }: ChatRequest) {
  const prompt = messages.map(({ content }) => content).join('\n');
  const content = makeLegalAnswer(format.json_schema.schema, prompt);
  const [sent, answered] = [countTokens(prompt), countTokens(content)];
  const message = { role: 'assistant', content, refusal: null };
  return {
    ...{ id: 'chatcmpl-local', object: 'chat.completion', created: 0, model },
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: sent, completion_tokens: answered, total_tokens: sent + answered },
  };
}

/** Of each text in an answer. */
export const wordsPerText = 40;

/** JSON that `schema` allows, with texts of the length of real ones; the same for the same prompt. */
export const makeLegalAnswer = (schema: AnswerSchema, prompt: string): string =>
  JSON.stringify(makeValue(schema, draw(0, prompt)));

function makeValue(
  { type, properties = {}, enum: choices, minimum = 0, maximum = 0 }: AnswerSchema,
  by: Draw,
): unknown {
  if (choices) return by.pick(choices);
  if (type === 'boolean') return by.integer(2) === 1;
  if (type === 'integer') return minimum + by.integer(maximum - minimum + 1);
  if (type === 'number') return by.integer(101) / 100;
  if (type === 'string') return Array.from({ length: wordsPerText }, () => by.pick(words)).join(' ');
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, makeValue(inner, by)]));
  throw new TypeError(`No answer can be made for a schema of type ${JSON.stringify(type)}.`);
}

/** As long on the average as English words with their space and punctuation, and no easier to compress. */
const words =
  'about after again against all almost already also always another anybody anyone around asked because before behind believe between claim clear could danger day debate decide defend doubt each early enough every evidence explain fair first follow friend from game ground guess happen hasty have hear hide honest however idea instead judge keep know last later least left listen look many matter maybe mean might mind more most must name nervous never next night nobody nothing notice often only other ourselves people perhaps plain point pressure protect proof question quick quiet rather reason remember right same second seem should silent simple since someone something sound speak still story strange strong sure suspect table talk tell think though time together tonight trust truth turn under until very village vote wait want watch what where whether which while without word would wrong yesterday'.split(
    ' ',
  );
