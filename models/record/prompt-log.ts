// Every prompt of a match in full, kept compressed until the match ends.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import pLimit from 'p-limit';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../call-model.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const unbrotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** So much is kept uncompressed, in characters: many matches may be in flight. */
const batch = 250_000;

/**
 * Compresses better than gzip would, in an eighth of its time: prompts repeat each other almost in full, but far apart.
 * The window is twice a batch, for the usual one takes megabytes.
 */
const forNow = {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2, [zlib.constants.BROTLI_PARAM_LGWIN]: 19 },
};

/** One file at a time is put together: all of a match's prompts stand uncompressed in memory then. */
const oneAtATime = pLimit(1);

interface Prompt {
  key: CallKey;
  messages: readonly PromptMessage[];
}

interface Line {
  player: string;
  /** JSON and the line's end, in UTF-8. */
  bytes: Uint8Array;
}

function jsonOf({ key, messages }: Prompt): string {
  const { round, step, action, player, attempt } = key;
  return `${JSON.stringify({ round, step, action, player, attempt, messages })}\n`;
}

const bytesOf = (prompts: readonly Prompt[]) => new TextEncoder().encode(prompts.map(jsonOf).join(''));

const playersOf = (prompts: readonly Prompt[]) => prompts.map(({ key }) => key.player);

async function packed(prompts: readonly Prompt[]) {
  const bytes = bytesOf(prompts);
  const text = await brotli(bytes, forNow);
  return { players: playersOf(prompts), length: bytes.length, text: new Uint8Array(text) }; // a copy: a Buffer keeps more than its own length
}

/** As parts of the text, of which there is no second copy: many matches may end at the same time. */
function linesIn(players: readonly string[], text: Uint8Array): Line[] {
  let from = 0;
  return players.map((player) => {
    const bytes = text.subarray(from, text.indexOf(newline, from) + 1);
    from += bytes.length;
    return { player, bytes };
  });
}

const newline = 0x0a;

/** The prompts of a player stand together: gzip finds again only what lies less than 32 kB back. */
function wholeFile(lines: readonly Line[]): Promise<Buffer> {
  const byPlayer = [...Map.groupBy(lines, ({ player }) => player).values()].flat();
  return gzip(Buffer.concat(byPlayer.map(({ bytes }) => bytes)));
}

export function openPromptLog() {
  const batches: ReturnType<typeof packed>[] = [];
  /** As they are, for many of them still wait for their answers and are in memory anyway. */
  let waiting: Prompt[] = [];
  let length = 0;
  return {
    add: (key: CallKey, messages: readonly PromptMessage[]) => {
      waiting.push({ key, messages });
      for (const { content } of messages) length += content.length;
      if (length < batch) return;
      batches.push(packed(waiting));
      waiting = [];
      length = 0;
    },
    /** The whole file, one JSON object a line, gzipped. */
    finish: (): Promise<Buffer> =>
      oneAtATime(async () => {
        const lines: Line[] = [];
        for (const one of batches) {
          const { players, length, text } = await one;
          const inOnePiece = { chunkSize: length + 1 }; // each piece is a job for another thread, of 16 kB by default
          lines.push(...linesIn(players, await unbrotli(text, inOnePiece)));
        }
        lines.push(...linesIn(playersOf(waiting), bytesOf(waiting)));
        return wholeFile(lines);
      }),
  };
}
