// The hash by which texts and files are known again.
import { createHash } from 'node:crypto';

/**
 * SHA-256 in hexadecimal.
 *
 * @example hashText(JSON.stringify(setup)).slice(0, 12)
 */
export const hashText = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
