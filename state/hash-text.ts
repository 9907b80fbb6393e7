// The hash that identifies texts and files.
import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 of a text or of bytes, in hexadecimal.
 *
 * @example hashText(JSON.stringify(setup)).slice(0, 12)
 */
export const hashText = (text: string | Uint8Array): string => hash('sha256', text, 'hex');
