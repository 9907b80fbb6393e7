// Every prompt of a match in full, kept compressed until the match ends and its file is written.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import pLimit from 'p-limit';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../model.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const unbrotli = promisify<Buffer, Buffer>(zlib.brotliDecompress);

/** So much is kept uncompressed, in characters: many matches may be in flight. */
const batchLength = 250_000;

/** Fast, and finds again what lies anywhere in a batch, where gzip looks back 32 kB: prompts repeat each other far apart. */
const fast = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2, [zlib.constants.BROTLI_PARAM_LGWIN]: 19 } };

/** One file at a time is put together: all of a match's prompts stand uncompressed in memory then. */
const oneAtATime = pLimit(1);

/**
 * Collects the prompts of a match. `finish` gives the whole file: one JSON object a line, gzipped, those of a player
 * one after another, which makes it less than half as large as in the order in which they were put.
 */
export function openPromptLog() {
  const players: string[] = [];
  const batches: Promise<Buffer>[] = [];
  let waiting: string[] = [];
  let length = 0;
  return {
    add: ({ round, step, action, player, attempt }: CallKey, messages: readonly PromptMessage[]) => {
      const line = JSON.stringify({ round, step, action, player, attempt, messages });
      players.push(player);
      waiting.push(`${line}\n`);
      length += line.length;
      if (length < batchLength) return;
      batches.push(brotli(waiting.join(''), fast));
      waiting = [];
      length = 0;
    },
    finish: (): Promise<Buffer> =>
      oneAtATime(async () => {
        const texts: string[] = [];
        for (const batch of batches) texts.push((await unbrotli(await batch)).toString());
        const lines = [...texts, ...waiting].join('').split('\n');
        const byPlayer = Map.groupBy(players.keys(), (index) => players[index]);
        return gzip([...byPlayer.values()].flatMap((indexes) => indexes.map((index) => `${lines[index]}\n`)).join(''));
      }),
  };
}
