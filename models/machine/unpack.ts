// Unpacks what was compressed, always with a limit: a few kilobytes from elsewhere could unpack to gigabytes.
import { createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';

/**
 * Unpacks gzip to at most so many bytes. Throws the system's error for what is damaged or would be larger.
 *
 * @example unpackGzip(getDisk().read('game_logs.json.gz'), 64 * 1024 * 1024).toString('utf8')
 */
export const unpackGzip = (packed: Uint8Array, most: number): Buffer => gunzipSync(packed, { maxOutputLength: most });

/** As `unpackGzip`, of what Zstandard has compressed. */
export const unpackZstd = (packed: Uint8Array, most: number): Buffer =>
  zstdDecompressSync(packed, { maxOutputLength: most });

/**
 * The lines of gzipped text, one after the other, so that never all of it is in memory. Throws for what is damaged, cut off, has
 * a longer line or more bytes than told.
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
    if (total > most) throw new RangeError(`It is larger than ${most} bytes when it is unpacked.`);
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
