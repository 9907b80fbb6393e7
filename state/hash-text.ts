// The hash that identifies texts and files.
import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a text or of bytes, in hexadecimal.
 *
 * @example hashText(JSON.stringify(setup)).slice(0, 12)
 */
export const hashText = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
