// Keeps every prompt of a match in full, compressed in memory until the match ends and its file is written.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import pLimit from 'p-limit';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../model.ts';

const brotli = promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const unbrotli = promisify<Buffer, Buffer>(zlib.brotliDecompress);

/**
 * Number of characters per match that are kept uncompressed. It is small, because many matches may be played at the
 * same time.
 */
const batchLength = 250_000;

/**
 * Fast compression with a window as long as a batch, because prompts repeat each other at distances beyond gzip's 32
 * kB.
 */
const fast = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2, [zlib.constants.BROTLI_PARAM_LGWIN]: 19 } };

/** Files are assembled one at a time, because each needs memory for every player. */
const oneAtATime = pLimit(1);

/**
 * Collects the prompts of a match. `finish` returns the whole file: gzipped, one JSON object per line, sorted by
 * player. Sorting by player makes the file less than half as large as the order of asking. Each player has a separate
 * gzip member, so that the prompts are never all uncompressed in memory.
 *
 * @example
 * const prompts = openPromptLog();
 * prompts.add(key, messages);
 * writeFileSync('prompts.ndjson.gz', await prompts.finish());
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
        const members = new Map([...new Set(players)].map((player) => [player, zlib.createGzip()]));
        const files = Promise.all([...members.values()].map((member) => buffer(member)));
        let at = 0;
        const add = async (text: string) => {
          const lines = text.split('\n').slice(0, -1);
          const askers = players.slice(at, (at += lines.length));
          for (const [player, own] of Map.groupBy(lines.keys(), (index) => askers[index]!)) {
            const member = members.get(player)!;
            if (!member.write(own.map((index) => `${lines[index]}\n`).join(''))) await once(member, 'drain');
          }
        };
        for (const batch of batches) await add((await unbrotli(await batch)).toString());
        await add(waiting.join(''));
        for (const member of members.values()) member.end();
        const file = Buffer.concat(await files);
        return file.length === 0 ? zlib.gzipSync('') : file;
      }),
  };
}
