// The hash chain over the lines of a file. Each line ends with the first digits of the hash of all lines up to and
// including itself.
import { hash } from 'node:crypto';

/** State of the chain after a number of lines. */
export interface Chain {
  lines: number;
  /** SHA-256 of the previous chain hash and the last line, in hexadecimal. */
  hash: string;
  /** Secret from which the salt of every line is derived; absent in records of matches without people. */
  secret?: string;
}

/**
 * Creates the chain before the first line. `start` names the kind of file, so that two files cannot be confused.
 * `secret`: random text that is recorded with the match. Each line then has a salt, so that the content of a removed
 * line cannot be guessed from its hash.
 */
export const createChain = (start: string, secret?: string): Chain => ({
  lines: 0,
  hash: hash('sha256', start),
  ...(secret === undefined ? {} : { secret: hash('sha256', `${secret} ${start}`) }),
});

/**
 * Extends the chain by one line, whose text is given without its link.
 *
 * @example extendChain(createChain('events'), '{"type":"quiet_night"}').lines // 1
 */
export const extendChain = (chain: Chain, text: string): Chain => ({
  ...chain,
  lines: chain.lines + 1,
  hash: hash('sha256', chain.hash + text),
});

/** Number of hexadecimal digits of a salt: 128 bits. */
const saltLength = 32;

/**
 * Returns the salt of the next line; null if lines have none. The salt is derived from the secret and the number of
 * lines, so that equal records have equal bytes.
 */
export const computeSalt = ({ secret, lines }: Chain): string | null =>
  secret === undefined ? null : hash('sha256', `${secret} ${lines}`).slice(0, saltLength);

const salted = new RegExp(String.raw`,"salt":"([0-9a-f]{${saltLength}})"\}$`);

/** Adds a salt to a JSON object given as text. If the salt is null, returns the text unchanged. */
export const addSalt = (text: string, salt: string | null): string =>
  salt === null ? text : `${text.slice(0, -1)},"salt":"${salt}"}`;

/** Splits a line without its link into its text and its salt. The salt is null if the line has none. */
export function extractSalt(line: string): { text: string; salt: string | null } {
  const [end, salt] = salted.exec(line.slice(-(saltLength + 12))) ?? [];
  return end === undefined || salt === undefined
    ? { text: line, salt: null }
    : { text: `${line.slice(0, -end.length)}}`, salt };
}

/** Number of digits of the hash in a line. The seal has all digits. */
const linkLength = 16;

const link = new RegExp(String.raw`,"chain":"([0-9a-f]{${linkLength}})"\}$`);

const getLink = (chain: Chain) => chain.hash.slice(0, linkLength);

/** Adds the chain's link to a JSON object given as text. */
export const addLink = (text: string, chain: Chain) => `${text.slice(0, -1)},"chain":"${getLink(chain)}"}`;

/** Splits a line into its text and its link. The link is null if the line has none. */
export function extractLink(line: string): { text: string; link: string | null } {
  const found = link.exec(line.slice(-(linkLength + 12)));
  return found ? { text: `${line.slice(0, -found[0].length)}}`, link: found[1]! } : { text: line, link: null };
}

export const hasLink = (chain: Chain, found: string) => getLink(chain) === found;
