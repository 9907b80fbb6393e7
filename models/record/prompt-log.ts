// Every prompt of a match in full, kept compressed until the match ends.
import { createGzip } from 'node:zlib';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../call-model.ts';

export function openPromptLog() {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  return {
    add: ({ round, step, action, player, attempt }: CallKey, messages: readonly PromptMessage[]) =>
      void gzip.write(`${JSON.stringify({ round, step, action, player, attempt, messages })}\n`),
    /** The whole file, one JSON object a line, gzipped. */
    finish: () =>
      new Promise<Buffer>((resolve, reject) => {
        gzip.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
        gzip.end();
      }),
  };
}
