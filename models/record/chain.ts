// The hash chain over the lines of a file: each line carries the first digits of the hash of all lines up to itself.
import { hash } from 'node:crypto';

/** All lines up to a place. */
export interface Chain {
  lines: number;
  /** SHA-256 over the chain before the last line and that line, hexadecimal. */
  hash: string;
}

/** The chain before the first line; `start` says of what file it is, so that two files are not taken for each other. */
export const createChain = (start: string): Chain => ({ lines: 0, hash: hash('sha256', start) });

/**
 * The chain with one more line, whose text is taken without its link.
 *
 * @example extendChain(createChain('events'), '{"type":"quiet_night"}').lines // 1
 */
export const extendChain = ({ lines, hash: before }: Chain, text: string): Chain => ({
  lines: lines + 1,
  hash: hash('sha256', before + text),
});

/** So many digits of the hash stand in a line; the seal has all of them. */
const linkLength = 16;

const link = new RegExp(String.raw`,"chain":"([0-9a-f]{${linkLength}})"\}$`);

const getLink = (chain: Chain) => chain.hash.slice(0, linkLength);

/** A JSON object, as text, with the link of the chain that ends with it. */
export const addLink = (text: string, chain: Chain) => `${text.slice(0, -1)},"chain":"${getLink(chain)}"}`;

/** A line without its link; null where it has none. */
export function extractLink(line: string): { text: string; link: string | null } {
  const found = link.exec(line.slice(-(linkLength + 12)));
  return found ? { text: `${line.slice(0, -found[0].length)}}`, link: found[1]! } : { text: line, link: null };
}

export const hasLink = (chain: Chain, found: string) => getLink(chain) === found;
