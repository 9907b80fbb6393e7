// The hash chain over the lines of a file: each line carries the first digits of the hash of all lines up to and
// including itself.
import { hash } from 'node:crypto';

/** State of the chain after a number of lines. */
export interface Chain {
  lines: number;
  /** SHA-256 of the previous chain hash and the last line, in hexadecimal. */
  hash: string;
}

/** Creates the chain before the first line. `start` names the kind of file, so that two files cannot be confused. */
export const createChain = (start: string): Chain => ({ lines: 0, hash: hash('sha256', start) });

/**
 * Extends the chain by one line, whose text is given without its link.
 *
 * @example extendChain(createChain('events'), '{"type":"quiet_night"}').lines // 1
 */
export const extendChain = ({ lines, hash: before }: Chain, text: string): Chain => ({
  lines: lines + 1,
  hash: hash('sha256', before + text),
});

/** Number of the hash's digits in a line; the seal has all of them. */
const linkLength = 16;

const link = new RegExp(String.raw`,"chain":"([0-9a-f]{${linkLength}})"\}$`);

const getLink = (chain: Chain) => chain.hash.slice(0, linkLength);

/** Adds the chain's link to a JSON object given as text. */
export const addLink = (text: string, chain: Chain) => `${text.slice(0, -1)},"chain":"${getLink(chain)}"}`;

/** Splits a line into its text and its link, null if it has none. */
export function extractLink(line: string): { text: string; link: string | null } {
  const found = link.exec(line.slice(-(linkLength + 12)));
  return found ? { text: `${line.slice(0, -found[0].length)}}`, link: found[1]! } : { text: line, link: null };
}

export const hasLink = (chain: Chain, found: string) => getLink(chain) === found;
