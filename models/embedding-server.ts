// Embeddings by a model of the user's choice on a server with OpenAI's interface. The texts are sent to that server.
import { z } from 'zod';
import { parseJson } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import { systemClock } from './machine/clock.ts';
import type { Environment } from './model.ts';
import { ModelOptions } from './model-options.ts';
import { checkModelReach, readModelSpec } from './providers/index.ts';
import { openaiServers } from './providers/openai-servers.ts';
import { createRedactor, listSecrets } from './redact.ts';
import { callWithRetries } from './retry.ts';

export interface EmbeddingServer {
  /** The model without its address. Vectors of one model can be compared, whichever server computes them. */
  name: string;
  /**
   * Returns one vector for each text. Throws ProviderFailure if the server does not answer, or if vectors are missing.
   */
  embed: (texts: readonly string[]) => Promise<number[][]>;
}

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1) })),
});

/**
 * Opens an embedding model by its model string. Makes no call. Throws a UsageError if the server is not
 * OpenAI-compatible. Throws like `checkReach` if the key or the texts may not be sent there.
 *
 * @example openEmbeddingServer('openai:multi-qa-mpnet-base-cos-v1?baseUrl=http://localhost:8080/v1', process.env).name
 */
export function openEmbeddingServer(text: string, env: Environment): EmbeddingServer {
  const { provider, model, options } = readModelSpec(text);
  const reach = Object.hasOwn(openaiServers, provider) ? checkModelReach(text, env) : null;
  if (reach === null)
    throw new UsageError(
      `embedder: ${provider}:${model} is not on a server with OpenAI's interface. Use openai:${model}?baseUrl=http://localhost:8080/v1 with your server's address.`,
    );
  const { address, key } = reach;
  const { timeout } = ModelOptions.parse(options);
  const secret = key === null ? undefined : env[key]?.trim();
  const redact = createRedactor(listSecrets(env));
  const name = `${model} of a server`;

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const { fetchOverHttp } = await import('./providers/http.ts');
    const response = await fetchOverHttp(`${address.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret ? { authorization: `Bearer ${secret}` } : {}) },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    });
    const { status, headers } = response;
    const body = await response.text();
    if (status !== 200) throw Object.assign(new Error(body.slice(0, longestWords) || 'no words'), { status, headers });
    return readVectors(body, texts.length);
  }

  return {
    name,
    embed: async (texts) => {
      const { result } = await callWithRetries((signal) => ask(texts, signal), {
        ...{ name, timeoutMs: timeout * 1000, clock: systemClock, redact },
        signal: new AbortController().signal,
      });
      return result;
    },
  };
}

/** Longest part of a server's error that is shown, in characters. */
const longestWords = 2000;

/** Reads the vectors in the order of the texts, whatever the order in the answer. */
function readVectors(body: string, count: number): number[][] {
  const { data: read } = Answer.safeParse(parseJson(body));
  const rows = read?.data.toSorted((one, other) => one.index - other.index);
  if (rows?.length !== count || rows.some(({ index }, at) => index !== at))
    throw Object.assign(
      new Error(`expected one vector for each of ${count} texts, but received: ${body.slice(0, 200)}`),
      { status: 400 },
    );
  return rows.map(({ embedding }) => embedding);
}
