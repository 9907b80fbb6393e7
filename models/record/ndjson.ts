// Files with one JSON value per line (NDJSON): appending, and reading with errors that name file and line. A hash chain
// may link the lines, so that lines that were changed, duplicated or removed are noticed.
import path from 'node:path';
import { z } from 'zod';
import { formatCommand } from '../../state/command-name.ts';
import { parseJson } from '../../state/text.ts';
import { describeInOneLine } from '../../state/usage-error.ts';
import { findEncoding } from '../machine/decode-text.ts';
import { type OpenFile, UnusableFile } from '../machine/disk.ts';
import { getDisk } from '../machine/machine.ts';
import { addLink, addSalt, type Chain, computeSalt, extendChain, extractLink, extractSalt, hasLink } from './chain.ts';

/**
 * Signals a record that cannot be used: it is damaged, of a later version, of another match, in use by another process,
 * or on a failing disk.
 */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** Signals a damaged line. The message says what is wrong and what to do. */
export class DamageError extends RecordError {
  readonly fault: string;

  constructor(fault: string, cure: string) {
    super(`${fault} ${cure}`);
    this.fault = fault;
  }
}

/** Returns the error for a file that could not be written; its cause is the system's error. */
export const createWriteError = (file: string, cause: unknown) =>
  new RecordError(
    `${file} cannot be written: ${(cause as Error).message}. Free some space or repair the disk, then run the same command again.`,
    { cause },
  );

/** Returns the error for a record's file that could not be read; its cause is the system's error. */
const createReadError = (file: string, cause: Error) =>
  new RecordError(cause instanceof UnusableFile ? cause.message : `${file} cannot be read: ${cause.message}.`, {
    cause,
  });

/** Returns the result of `read`. Throws RecordError, which names the file, if the system cannot read it. */
export function readOrExplain<Contents>(file: string, read: () => Contents): Contents {
  try {
    return read();
  } catch (error) {
    const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
    throw isOfSystem ? createReadError(file, error as Error) : error;
  }
}

/** Returns the text of a file. Throws RecordError if it is not a file, or larger than `most` bytes. */
export const readTextOrExplain = (file: string, most?: number): string =>
  readOrExplain(file, () => getDisk().readText(file, most));

/** Returns whether a file is a link to anything but a device. */
export const isForeignLink = (file: string): boolean => getDisk().isForeignLink(file);

/**
 * Throws RecordError if a record's file is a link: a record of unknown origin could otherwise make the program read or
 * write any file.
 */
export function checkNoLink(file: string): void {
  if (isForeignLink(file)) throw new RecordError(describeLink(file));
}

/** Describes the fault of a link in a record. */
export const describeLink = (file: string) =>
  `${file} is a link; files of a record must not be links. Replace it with the file itself.`;

/** Lists all links in the folder of a record, by name. */
export const listLinks = (folder: string): string[] =>
  getDisk()
    .list(folder)
    .map(({ name }) => path.join(folder, name))
    .filter(isForeignLink)
    .sort();

interface NdjsonContents<Row> {
  rows: Row[];
  /** Number of bytes at the end of the file that are an incomplete line or were destroyed by a power cut. Usually 0. */
  tornBytes: number;
}

type Migrate = (stored: unknown) => unknown;
const keepAsStored: Migrate = (stored) => stored;

/**
 * Reads each line by the schema, after `migrate` has converted it to the current form. A missing file has no rows.
 * Empty lines, a byte order mark and Windows line ends are ignored. Throws RecordError with file and line for an
 * unreadable line.
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

/** The readable rows of a file, and its faults. */
export interface SoundContents<Row> extends NdjsonContents<Row> {
  /** Description of the first fault, without the file's name. Null if every line was readable. */
  damage: string | null;
  /** Error that prevented the file from being read to its end; null if there was none. */
  fault: RecordError | null;
}

/**
 * Reads lines like `readNdjson`, but skips unreadable lines, and returns the rows so far if reading fails.
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

/**
 * Returns the first row that `find` finds in a line; null if there is none. Throws RecordError if the file cannot be
 * read.
 */
export function findInLines<Row>(file: string, find: (stored: unknown) => Row | null): Row | null {
  let found: Row | null = null;
  readLines(file, ({ text }) => {
    found = find(parseJson(text));
    return found === null ? undefined : 'enough';
  });
  return found;
}

/** Returns the lines of a file that are not empty. Throws RecordError if it cannot be read. */
export function readTextLines(file: string): string[] {
  const lines: string[] = [];
  readLines(file, ({ text }) => void lines.push(text));
  return lines;
}

/** Describes a copy that a Windows program has saved as UTF-16; its bytes have other hashes. */
const describeUtf16 = (file: string) =>
  `${file} is UTF-16 text, but records use UTF-8. Restore the file from a copy, or convert it back to UTF-8.`;

const restore = 'Restore the file from a copy, or move the folder away and start again.';

/** Returns the error for a damaged line; `reason` says what is wrong. */
const createDamageError = (file: string, line: number, reason: string, cure = restore) =>
  new DamageError(`${file}, line ${line} is damaged: ${reason}.`, cure);

/** Returns the row, or the reason why there is no row. */
function checkRow<Row>(value: unknown, schema: z.ZodType<Row>, migrate: Migrate): { row: Row } | string {
  if (value === undefined) return 'it is not JSON';
  const read = schema.safeParse(migrate(value));
  return read.success ? { row: read.data } : describeInOneLine(read.error);
}

interface Line {
  text: string;
  /** Number of the line in the file, from 1. */
  number: number;
  /** Number of bytes from the start of the file to the end of the line. */
  end: number;
}

/** Number of bytes to read at a time. A line may be longer. */
const chunkLength = 1 << 20;

/** Unused buffers, kept for reuse: the memory of discarded buffers is freed too late if many files are read. */
const spareChunks: Buffer[] = [];

/** Maximum number of unused buffers. Ordinary lines need one or two; a forged line of 32 MB needs 32. */
const mostSpare = 4;

/** Shared zeros that replace all pieces of a file that contain only zeros. They save memory. */
let allZeros: Buffer | null = null;

/** Returns the shared zeros in place of a piece that holds only zeros; null for any other piece. */
function getZeros(piece: Buffer): Buffer | null {
  if (piece[0] !== 0) return null;
  const zeros = (allZeros ??= Buffer.alloc(chunkLength)).subarray(0, piece.length);
  return piece.equals(zeros) ? zeros : null;
}

/** Maximum length of a line in bytes. No line that this program writes is longer, given `recordLimits`. */
const longestLine = 32 * 1024 * 1024;

/** Maximum size of a file of lines in bytes. No file that this program writes is larger. */
const largestFile = 2 ** 30;

/**
 * Passes the lines of a file to `see` until it returns 'enough'. The file may be larger than the longest possible
 * string. Returns the number of bytes of an incomplete last line, or of everything after the gap that a power cut left.
 */
function readLines(file: string, see: (line: Line) => 'enough' | void): number {
  const disk = getDisk();
  checkNoLink(file);
  if (!readOrExplain(file, () => disk.exists(file))) return 0;
  const open = readOrExplain(file, () => disk.open(file, 'read'));
  const chunks: Buffer[] = []; // in use
  const readPiece = (chunk: Buffer) => readOrExplain(file, () => open.read(chunk));
  try {
    // Pieces of a line whose end has not been read yet. They are joined only once; otherwise a long line would take
    // many times its size.
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
        spareChunks.push(...chunks.splice(0, chunks.length - 1)); // all but the current one
        number += 1;
        bytes = bytes.subarray(at + 1);
        const bare = (number === 1 ? text.replace(/^\ufeff/, '') : text).replace(/\r$/, '');
        if (bare.trim() !== '' && see({ text: bare, number, end }) === 'enough') return 0;
      }
      const zeros = getZeros(bytes);
      if (zeros === null && bytes.length > chunkLength / 2) begun.push(bytes);
      else {
        if (bytes.length > 0) begun.push(zeros ?? Buffer.from(bytes)); // copied: a few bytes must not keep a large piece in memory
        spareChunks.push(chunks.pop()!);
      }
      held += bytes.length;
      if (held > longestLine) throw createDamageError(file, number + 1, 'it is longer than 32 MB');
    }
  } finally {
    spareChunks.push(...chunks);
    spareChunks.length = Math.min(spareChunks.length, mostSpare);
    open.close();
  }
}

/** Number of bytes that a disk writes together. A divisor of a disk's real number is also correct. */
const sectorLength = 512;

/**
 * Whether a power cut has left zeros in place of the latest writes. No line contains zeros, and such zeros extend to
 * the end of a sector, which rarely happens with other damage. `start`: position of the line in its file.
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

/** Position of a row in its file. */
type Place = Omit<Line, 'text'>;

interface ChainedContents<Row> extends NdjsonContents<Row> {
  /** Position of each row. */
  places: Place[];
  /** Chain over all rows. */
  chain: Chain;
  /** Whether any line has a link. Records of schema 1 have lines without links. */
  isLinked: boolean;
  /** The highest epoch in the file; 0 if there is none. */
  epoch: number;
  /** Numbers of stray lines, which a process wrote after another process had taken over the match. */
  strays: number[];
  /** The error of the first unusable line, where reading ended. */
  fault: RecordError | null;
}

/**
 * Maximum number of stray lines by one process. It is small, because a process checks that it holds the match before
 * each write.
 */
const mostStrays = 32;

/**
 * Reads lines that a chain links, starting from `start`. Lines of schema 1, without links, may precede the others. A
 * line whose epoch is lower than the previous line's is a stray, and is ignored. If a line of a later epoch continues
 * the chain from an earlier line, the lines between the two are also strays.
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
    const { text: bare, salt } = start.secret === undefined ? { text, salt: null } : extractSalt(text);
    const value = parseJson(bare);
    if (value === undefined) throw refuse('it is not JSON');
    const { epoch, rest } = extractEpoch(value);
    if (link !== null && epoch < contents.epoch) return void contents.strays.push(place.number);
    if (link === null && contents.isLinked) throw refuse('it has no link to the line before');
    let next = extendChain(contents.chain, text);
    if (link !== null && !hasLink(next, link)) {
      const isNewer = epoch > contents.epoch;
      const back = isNewer ? recent.findLastIndex((chain) => hasLink(extendChain(chain, text), link)) : -1;
      if (back < 0)
        throw refuse('its link does not match the line before it: a line was changed, duplicated or removed');
      contents.chain = recent[back]!;
      contents.rows.splice(back - recent.length);
      const strays = contents.places.splice(back - recent.length);
      contents.strays.push(...strays.map(({ number }) => number));
      recent.splice(back);
      next = extendChain(contents.chain, text);
    }
    // The salt of a line follows from the number of lines before it. For a stray line, its writer counted other lines.
    // So the salt is checked only now that the line is known not to be a stray.
    if (salt !== computeSalt(contents.chain)) throw refuse('its salt is not the one that follows from the manifest');
    const read = checkRow(rest, schema, migrate);
    if (typeof read === 'string') throw refuse(read);
    contents.isLinked ||= link !== null;
    contents.epoch = Math.max(contents.epoch, epoch);
    accept(next, place, read.row);
  };
  try {
    contents.tornBytes = readLines(file, see);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    contents.fault = error;
  }
  return contents;
}

/** Splits a stored line into its epoch (0 if it has none) and the rest. */
function extractEpoch(stored: unknown): { epoch: number; rest: unknown } {
  if (typeof stored !== 'object' || stored === null || !('epoch' in stored)) return { epoch: 0, rest: stored };
  const { epoch, ...rest } = stored;
  return typeof epoch === 'number' ? { epoch, rest } : { epoch: 0, rest: stored };
}

/** Removes the incomplete end of a file, and warns about it. */
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
      ? `${file}: a power cut has left a gap in the last lines; the lines from there on are dropped and their calls repeated.`
      : `${file}: the last line is incomplete; it is dropped and its call repeated.`,
  );
}

/**
 * The chain that new lines continue, and the epoch of the holder. Without an epoch, lines do not show who wrote them.
 */
interface Linking {
  chain: Chain;
  epoch?: number;
}

export interface OpenNdjson<Row> {
  /** Hands all rows to the operating system before it returns. Returns the number of bytes. */
  append: (rows: readonly Row[]) => number;
  /** Returns the chain over all lines. If lines are not linked, returns the chain given at opening. */
  getChain: () => Chain | undefined;
  /** Waits until everything is on the disk. */
  sync: () => void;
  /**
   * Syncs and closes. If `isHurried`, waits for nothing, because the system already has everything that was appended.
   * Does not repeat an error that `append` has thrown.
   */
  close: (isHurried?: boolean) => void;
}

/**
 * Opens a file for writing rows. A row that could not be read again is not written. All functions throw RecordError,
 * also if the disk is full or fails.
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
    if (failure) throw failure; // nothing may follow a line that may be incomplete
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
        const bare = formatRow(file, row, schema, linking?.epoch);
        if (!next) return bare;
        const text = addSalt(bare, computeSalt(next));
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

/** Formats the row as JSON. Throws RecordError if reading it again would fail or give another value. */
function formatRow<Row>(file: string, row: Row, schema: z.ZodType<Row>, epoch: number | undefined): string {
  const text = JSON.stringify(row);
  const read = checkRow(parseJson(text), schema, keepAsStored);
  if (typeof read === 'string')
    throw new RecordError(
      `${file} would be unreadable with this line, so it is not written: ${read}: ${text.slice(0, 300)}. This is a bug in Wolfgraph; what is recorded so far counts.`,
    );
  return epoch === undefined ? text : `${text.slice(0, -1)},"epoch":${epoch}}`;
}
