// Files with one JSON value per line (NDJSON): reading with errors that name file and line, and appending. Lines may be
// linked by a hash chain, which then shows what was changed, doubled or left out between them.
import path from 'node:path';
import { z } from 'zod';
import { formatCommand } from '../../state/command-name.ts';
import { parseJson } from '../../state/text.ts';
import { describeInOneLine } from '../../state/usage-error.ts';
import { findEncoding } from '../machine/decode-text.ts';
import { type OpenFile, UnusableFile } from '../machine/disk.ts';
import { getDisk } from '../machine/machine.ts';
import { addLink, type Chain, extendChain, extractLink, hasLink } from './chain.ts';

/** A record that cannot be used: damaged, of a later version or another match, in use, or on a disk that fails. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** A damaged line: what is wrong, and what to do about it. */
export class DamageError extends RecordError {
  readonly fault: string;

  constructor(fault: string, cure: string) {
    super(`${fault} ${cure}`);
    this.fault = fault;
  }
}

/** The error for a file that could not be written; its cause is the system's error. */
export const createWriteError = (file: string, cause: unknown) =>
  new RecordError(
    `${file} cannot be written: ${(cause as Error).message}. Make room or mend the disk, then give the same command again.`,
    { cause },
  );

/** The error for a file of a record that could not be read; its cause is the system's error. */
const createReadError = (file: string, cause: Error) =>
  new RecordError(cause instanceof UnusableFile ? cause.message : `${file} cannot be read: ${cause.message}.`, {
    cause,
  });

/** What `read` returns. Throws RecordError, which names the file, where the system cannot read it. */
export function readOrExplain<Contents>(file: string, read: () => Contents): Contents {
  try {
    return read();
  } catch (error) {
    const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
    throw isOfSystem ? createReadError(file, error as Error) : error;
  }
}

/** The text of a file of a record. Throws RecordError for what is no file, or too large. */
export const readTextOrExplain = (file: string): string => readOrExplain(file, () => getDisk().readText(file));

/** Whether a file is a link to somewhere else. A device is nobody's file. */
export const isForeignLink = (file: string): boolean => getDisk().isForeignLink(file);

/**
 * Throws RecordError for a file of a record that is a link: a record that came from elsewhere could have any file read
 * or written.
 */
export function checkNoLink(file: string): void {
  if (isForeignLink(file)) throw new RecordError(describeLink(file));
}

/** What is wrong with a link in a record. */
export const describeLink = (file: string) =>
  `${file} is a link, which no file of a record may be. Put the file itself in its place.`;

/** All links in the folder of a record, by name. */
export const listLinks = (folder: string): string[] =>
  getDisk()
    .list(folder)
    .map(({ name }) => path.join(folder, name))
    .filter(isForeignLink)
    .sort();

interface NdjsonContents<Row> {
  rows: Row[];
  /** Bytes at the end that were cut off in the middle, or lost by a power cut; usually 0. */
  tornBytes: number;
}

type Migrate = (stored: unknown) => unknown;
const keepAsStored: Migrate = (stored) => stored;

/**
 * Reads each line by the schema, after `migrate` has brought it to today's form. A file that does not exist has no rows;
 * empty lines, a byte order mark and line ends of Windows mean nothing. Throws RecordError with file and line for a line
 * that cannot be read.
 *
 * @example const { rows } = readNdjson('runs/a/events.ndjson', GameEvent);
 */
export function readNdjson<Row>(
  file: string,
  schema: z.ZodType<Row>,
  migrate: Migrate = keepAsStored,
): NdjsonContents<Row> {
  const rows: Row[] = [];
  const tornBytes = readLines(file, ({ text, number }) => {
    const row = checkRow(parseJson(text), schema, migrate);
    if (typeof row === 'string') throw createDamageError(file, number, row);
    rows.push(row.row);
  });
  return { rows, tornBytes };
}

/** What could be read of a file, and what could not. */
export interface SoundContents<Row> extends NdjsonContents<Row> {
  /** What is wrong with the file, in words without its name; null where every line could be read. */
  damage: string | null;
  /** Why the file could not be read to its end; null where it could. */
  fault: RecordError | null;
}

/**
 * As `readNdjson`, but a line that cannot be read is left out, and where the file cannot be read on, what came before counts.
 *
 * @example readSoundLines('runs/a/claims.openai-gpt-4o.ndjson', KeptAnswer).damage // '2 of its 90 lines cannot be read (the first is line 3)'
 */
export function readSoundLines<Row>(
  file: string,
  schema: z.ZodType<Row>,
  migrate: Migrate = keepAsStored,
): SoundContents<Row> {
  const rows: Row[] = [];
  const damaged: number[] = [];
  let lines = 0;
  try {
    const tornBytes = readLines(file, ({ text, number }) => {
      const read = checkRow(parseJson(text), schema, migrate);
      lines += 1;
      if (typeof read === 'string') damaged.push(number);
      else rows.push(read.row);
    });
    const damage =
      damaged.length === 0
        ? null
        : `${damaged.length} of its ${lines} lines cannot be read (the first is line ${damaged[0]})`;
    return { rows, tornBytes, damage, fault: null };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return {
      rows,
      tornBytes: 0,
      damage: lines === 0 ? 'it cannot be read' : `it cannot be read after line ${lines}`,
      fault: error,
    };
  }
}

/** The first row that `find` finds in a line; null where there is none. Throws RecordError for a file that cannot be read. */
export function findInLines<Row>(file: string, find: (stored: unknown) => Row | null): Row | null {
  let found: Row | null = null;
  readLines(file, ({ text }) => {
    found = find(parseJson(text));
    return found === null ? undefined : 'enough';
  });
  return found;
}

/** A copy that a program of Windows has saved; its hashes are of other bytes. */
const describeUtf16 = (file: string) =>
  `${file} is UTF-16 text, where a record has UTF-8. Restore the file from a copy, or convert it back to UTF-8.`;

const restore = 'Restore the file from a copy, or move the folder away and start again.';

/** The error for a damaged line; `reason` says what is wrong with it. */
const createDamageError = (file: string, line: number, reason: string, cure = restore) =>
  new DamageError(`${file}, line ${line} is damaged: ${reason}.`, cure);

/** The row, or why there is none. */
function checkRow<Row>(value: unknown, schema: z.ZodType<Row>, migrate: Migrate): { row: Row } | string {
  if (value === undefined) return 'it is not JSON';
  const read = schema.safeParse(migrate(value));
  return read.success ? { row: read.data } : describeInOneLine(read.error);
}

interface Line {
  text: string;
  /** In the file, from 1. */
  number: number;
  /** Bytes of the file up to its end. */
  end: number;
}

/** So many bytes are read at a time; a line may be longer. */
const chunkLength = 1 << 20;

/** Pieces that are not in use: many files are read one after another, and new memory for each is given back late. */
const spareChunks: Buffer[] = [];

/** In bytes: more than any line of ours, which `recordLimits` keep short. */
const longestLine = 32 * 1024 * 1024;

/** In bytes, of files of lines; more than any of ours has. */
const largestFile = 2 ** 30;

/**
 * Hands on the lines of a file, which may be longer than any text can be, until `see` returns 'enough'. Returns the bytes of a
 * torn last line, or of all from the gap on that a power cut has left.
 */
function readLines(file: string, see: (line: Line) => 'enough' | void): number {
  const disk = getDisk();
  checkNoLink(file);
  if (!readOrExplain(file, () => disk.exists(file))) return 0;
  const open = readOrExplain(file, () => disk.open(file, 'read'));
  const chunks: Buffer[] = []; // in use
  const readPiece = (chunk: Buffer) => readOrExplain(file, () => open.read(chunk));
  try {
    // The pieces of a line whose end is not read yet: joined once, or a long line takes many times its size.
    let begun: Buffer[] = [];
    let held = 0;
    let number = 0;
    let end = 0;
    for (;;) {
      const chunk = spareChunks.pop() ?? Buffer.allocUnsafe(chunkLength);
      chunks.push(chunk);
      const length = readPiece(chunk);
      if (length === 0) return held;
      if (end + held + length > largestFile) throw new RecordError(`${file} is larger than 1 GB. ${restore}`);
      let bytes = chunk.subarray(0, length);
      if (end + held === 0 && findEncoding(bytes) !== 'utf-8') throw new RecordError(describeUtf16(file));
      for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a)) {
        const line = held === 0 ? bytes.subarray(0, at) : Buffer.concat([...begun, bytes.subarray(0, at)]);
        if (isGap(line, end)) return held + bytes.length + countBytesLeft(open);
        const text = line.toString('utf8');
        end += line.length + 1;
        [begun, held] = [[], 0];
        spareChunks.push(...chunks.splice(0, chunks.length - 1)); // all but the one at hand
        number += 1;
        bytes = bytes.subarray(at + 1);
        const bare = (number === 1 ? text.replace(/^\ufeff/, '') : text).replace(/\r$/, '');
        if (bare.trim() !== '' && see({ text: bare, number, end }) === 'enough') return 0;
      }
      if (bytes.length > chunkLength / 2) begun.push(bytes);
      else {
        if (bytes.length > 0) begun.push(Buffer.from(bytes)); // a copy: little is to keep no large piece
        spareChunks.push(chunks.pop()!);
      }
      held += bytes.length;
      if (held > longestLine) throw createDamageError(file, number + 1, 'it is longer than 32 MB');
    }
  } finally {
    spareChunks.push(...chunks);
    open.close();
  }
}

/** A disk writes so many bytes together, or a multiple of them. */
const sectorLength = 512;

/**
 * Whether a power cut has left zeros in place of what was written last: no line has any, and they go to the end of a
 * sector, which those of other damage seldom do. `start`: where the line begins in its file.
 */
function isGap(line: Buffer, start: number): boolean {
  const first = line.indexOf(0);
  if (first < 0) return false;
  const after = line.subarray(first).findIndex((byte) => byte !== 0);
  return (start + (after < 0 ? line.length : first + after)) % sectorLength === 0;
}

function countBytesLeft(open: OpenFile): number {
  const chunk = Buffer.allocUnsafe(chunkLength);
  let bytes = 0;
  for (let length = open.read(chunk); length > 0; length = open.read(chunk)) bytes += length;
  return bytes;
}

/** Where a row stands. */
type Place = Omit<Line, 'text'>;

interface ChainedContents<Row> extends NdjsonContents<Row> {
  /** Of each row. */
  places: Place[];
  /** Over all rows. */
  chain: Chain;
  /** Whether any line has a link: those of schema 1 have none. */
  isLinked: boolean;
  /** The highest epoch; 0 without any. */
  epoch: number;
  /** Lines left out: a process wrote them after another had taken the match over from it. */
  strays: number[];
  /** The first line that cannot be used, where reading ended. */
  fault: RecordError | null;
}

/** So many lines may be strays of one process: it looks whether it holds the match before each. */
const mostStrays = 32;

/**
 * Reads lines that a chain links, from `start` on. Lines of schema 1, without links, may come before the others. A line
 * of an earlier epoch than that before it is a stray and left out, and so are lines before one of a later epoch that
 * follows an earlier line.
 */
export function readChained<Row>(
  file: string,
  start: Chain,
  schema: z.ZodType<Row>,
  migrate: Migrate = keepAsStored,
): ChainedContents<Row> {
  const contents: ChainedContents<Row> = {
    ...{ rows: [], places: [], tornBytes: 0, chain: start, isLinked: false, epoch: 0, strays: [], fault: null },
  };
  const recent: Chain[] = [];
  const accept = (chain: Chain, { number, end }: Place, row: Row) => {
    recent.push(contents.chain);
    if (recent.length > mostStrays) recent.shift();
    contents.chain = chain;
    contents.rows.push(row);
    contents.places.push({ number, end });
  };
  const see = ({ text: line, ...place }: Line) => {
    const refuse = (reason: string) =>
      createDamageError(
        file,
        place.number,
        reason,
        `${restore} ${formatCommand('verify', '--recover', path.dirname(file))} keeps what comes before.`,
      );
    const { text, link } = extractLink(line);
    const value = parseJson(text);
    if (value === undefined) throw refuse('it is not JSON');
    const { epoch, rest } = extractEpoch(value);
    if (link !== null && epoch < contents.epoch) return void contents.strays.push(place.number);
    if (link === null && contents.isLinked) throw refuse('it has no link to the line before');
    if (link !== null && !hasLink(extendChain(contents.chain, text), link)) {
      const isNewer = epoch > contents.epoch;
      const back = isNewer ? recent.findLastIndex((chain) => hasLink(extendChain(chain, text), link)) : -1;
      if (back < 0)
        throw refuse(
          'it is not the line that was written after the one before it: it was changed, or lines were doubled or removed',
        );
      contents.chain = recent[back]!;
      contents.rows.splice(back - recent.length);
      const strays = contents.places.splice(back - recent.length);
      contents.strays.push(...strays.map(({ number }) => number));
      recent.splice(back);
    }
    const read = checkRow(rest, schema, migrate);
    if (typeof read === 'string') throw refuse(read);
    contents.isLinked ||= link !== null;
    contents.epoch = Math.max(contents.epoch, epoch);
    accept(extendChain(contents.chain, text), place, read.row);
  };
  try {
    contents.tornBytes = readLines(file, see);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    contents.fault = error;
  }
  return contents;
}

/** A stored line without its epoch, which is 0 where it has none. */
function extractEpoch(stored: unknown): { epoch: number; rest: unknown } {
  if (typeof stored !== 'object' || stored === null || !('epoch' in stored)) return { epoch: 0, rest: stored };
  const { epoch, ...rest } = stored;
  return typeof epoch === 'number' ? { epoch, rest } : { epoch: 0, rest: stored };
}

/** Removes what is torn from the end of a file, and says so. */
export function truncateTornLine(
  file: string,
  { tornBytes }: Pick<NdjsonContents<unknown>, 'tornBytes'>,
  warn: (message: string) => void,
) {
  if (tornBytes === 0) return;
  const disk = getDisk();
  const size = (disk.find(file)?.size ?? 0) - tornBytes;
  const isLonger = disk.readEnd(file, tornBytes).includes(0x0a);
  disk.truncate(file, size);
  warn(
    isLonger
      ? `${file}: a power cut has left a gap in the last lines; they are dropped from there on and their calls made again.`
      : `${file}: the last line was cut off in the middle; it is dropped and its call made again.`,
  );
}

/** How lines are linked: from where on, and as whose. Lines without an epoch are the same whoever writes them. */
interface Linking {
  chain: Chain;
  epoch?: number;
}

export interface OpenNdjson<Row> {
  /** Each row has been passed to the system when it returns. Returns the number of bytes. */
  append: (rows: readonly Row[]) => number;
  /** The chain over all lines; that of the opening where lines are not linked. */
  getChain: () => Chain | undefined;
  /** Waits until everything is on the disk. */
  sync: () => void;
  /**
   * As `sync`, and closes; in a hurry nothing is waited for: the system has all that was appended. Does not repeat an error that
   * `append` has thrown.
   */
  close: (isHurried?: boolean) => void;
}

/**
 * Opens a file for writing rows. A row that could not be read again is not written. All functions throw RecordError, also
 * where the disk is full or fails.
 */
export function openNdjson<Row>(
  file: string,
  mode: 'append' | 'anew' | 'new',
  schema: z.ZodType<Row>,
  linking?: Linking,
): OpenNdjson<Row> {
  checkNoLink(file);
  const open = getDisk().open(file, mode);
  let failure: Error | null = null;
  let chain = linking?.chain;
  const attempt = (step: () => void) => {
    if (failure) throw failure; // a line may have been cut off: nothing may follow it
    try {
      step();
    } catch (error) {
      failure = createWriteError(file, error);
      throw failure;
    }
  };
  return {
    append: (rows) => {
      let next = chain;
      const lines = rows.map((row) => {
        const text = formatRow(file, row, schema, linking?.epoch);
        if (!next) return text;
        next = extendChain(next, text);
        return addLink(text, next);
      });
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      attempt(() => open.write(bytes));
      chain = next;
      return bytes.length;
    },
    getChain: () => chain,
    sync: () => attempt(() => open.sync()),
    close: (isHurried = false) => {
      try {
        if (!failure && !isHurried) attempt(() => open.sync());
      } finally {
        open.close();
      }
    },
  };
}

/** The row as JSON. Throws RecordError where it would not be read again as it stands there. */
function formatRow<Row>(file: string, row: Row, schema: z.ZodType<Row>, epoch: number | undefined): string {
  const text = JSON.stringify(row);
  const read = checkRow(parseJson(text), schema, keepAsStored);
  if (typeof read === 'string')
    throw new RecordError(
      `${file} would not be readable with this line, which is not written: ${read}: ${text.slice(0, 300)}. This is a fault of the program; what is recorded counts.`,
    );
  return epoch === undefined ? text : `${text.slice(0, -1)},"epoch":${epoch}}`;
}
