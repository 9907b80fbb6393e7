// Decompression, always with a limit: a few kilobytes from a stranger could expand to gigabytes.
import { createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';

/**
 * Decompresses gzip to at most `most` bytes. Throws the system's error if the data is damaged or would be larger.
 *
 * @example unpackGzip(getDisk().read('game_logs.json.gz'), 64 * 1024 * 1024).toString('utf8')
 */
export const unpackGzip = (packed: Uint8Array, most: number): Buffer => gunzipSync(packed, { maxOutputLength: most });

/** Decompresses Zstandard, like `unpackGzip`. */
export const unpackZstd = (packed: Uint8Array, most: number): Buffer =>
  zstdDecompressSync(packed, { maxOutputLength: most });

/**
 * Yields the lines of gzipped text one by one, so that the whole text is never in memory. Throws if the data is
 * damaged, cut off, or exceeds the limits on line length or size.
 *
 * @example for await (const line of unpackLines(packed, { longest: 1 << 25, most: 1 << 29 })) see(JSON.parse(line));
 */
export async function* unpackLines(
  packed: Uint8Array,
  { longest, most }: { longest: number; most: number },
): AsyncGenerator<string> {
  const unpacking = createGunzip();
  unpacking.end(packed);
  let pieces: Buffer[] = [];
  let [waiting, total] = [0, 0];
  for await (const chunk of unpacking as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > most) throw new RangeError(`It is larger than ${most} bytes when decompressed.`);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      [pieces, waiting, start] = [[], 0, end + 1];
    }
    pieces.push(chunk.subarray(start));
    waiting += chunk.length - start;
    if (waiting > longest) throw new RangeError(`It has a line of more than ${longest} bytes.`);
  }
  if (waiting > 0) yield Buffer.concat(pieces).toString('utf8');
}
