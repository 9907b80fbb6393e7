// Every prompt of a match in full, kept compressed until the match ends.
import { createGzip } from 'node:zlib';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../call-model.ts';

/** So much is compressed at a time, in characters. */
const batch = 250_000;

/**
 * Of each batch, the prompts of a player stand together: they repeat each other almost in full, and gzip finds again
 * only what lies less than 32 kB back.
 */
export function openPromptLog() {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  let waiting: { player: string; line: string }[] = [];
  let length = 0;
  const compress = () => {
    const byPlayer = Map.groupBy(waiting, ({ player }) => player);
    gzip.write([...byPlayer.values()].flatMap((lines) => lines.map(({ line }) => line)).join(''));
    waiting = [];
    length = 0;
  };
  return {
    add: ({ round, step, action, player, attempt }: CallKey, messages: readonly PromptMessage[]) => {
      const line = `${JSON.stringify({ round, step, action, player, attempt, messages })}\n`;
      waiting.push({ player, line });
      length += line.length;
      if (length >= batch) compress();
    },
    /** The whole file, one JSON object a line, gzipped. */
    finish: () =>
      new Promise<Buffer>((resolve, reject) => {
        gzip.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
        compress();
        gzip.end();
      }),
  };
}
