// Decodes the bytes of text files. Editors on Windows save UTF-16 or begin UTF-8 with a byte order mark, and a clone
// without git-lfs holds pointer files.

/** Number of bytes that `findWrongKind` needs. */
export const signatureLength = 64;

const lfsPointer = Buffer.from('version https://git-lfs.github.com/spec/');

/**
 * Returns what a file really is if its first bytes contradict its name; null otherwise.
 *
 * @example findWrongKind(Buffer.from('version https://git-lfs.github.com/spec/v1')); // 'a git-lfs pointer to a file …'
 */
export const findWrongKind = (bytes: Buffer): string | null =>
  bytes.subarray(0, lfsPointer.length).equals(lfsPointer)
    ? 'a git-lfs pointer to a file that was not downloaded. Run "git lfs pull" in its folder'
    : null;

/**
 * Size above which a buffer is freed as soon as its text is decoded, possibly long before the next garbage collection.
 */
const largeBuffer = 1024 * 1024;

/**
 * Decodes a text file in UTF-8 or UTF-16, without a byte order mark. UTF-16 is recognized by its mark, or by a zero
 * byte beside the first character, which no UTF-8 text has. May empty `bytes`.
 *
 * @example decodeText(Buffer.from('\ufeffA=1')); // 'A=1'
 */
export function decodeText(bytes: Buffer): string {
  const text = new TextDecoder(findEncoding(bytes)).decode(bytes); // the decoder removes the mark
  if (bytes.length > largeBuffer && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  return text;
}

/**
 * Determines the encoding of a text by its first two bytes.
 *
 * @example findEncoding(Buffer.from('A=1')); // 'utf-8'
 */
export function findEncoding([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
