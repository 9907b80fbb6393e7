// The disk: the only way to files for what keeps records and for all commands, so that another can stand in its place.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { decodeText, findWrongKind, signatureLength } from './decode-text.ts';

/** A file that is read piece by piece, or written to its end. */
export interface OpenFile {
  /** Fills `into` with the next bytes and returns their number: 0 at the end of the file. */
  read(into: Uint8Array): number;
  /** All of it has been passed to the system when it returns. */
  write(contents: string | Uint8Array): void;
  /** Returns when everything is on the disk; does nothing where the file system cannot. */
  sync(): void;
  close(): void;
}

export interface FileStatus {
  kind: 'file' | 'folder' | 'other';
  /** In bytes. */
  size: number;
  /** When it was last written, in milliseconds since 1970, by the clock of the file system. */
  changedAt: number;
}

/** What the file system of a folder can do besides keeping files. */
export interface FileSystemTraits {
  /** Whether a file can have two names: FAT, some network shares and gcsfuse have no such links. */
  hasLinks: boolean;
  /** Whether a program can wait until a file is on the disk. Where it cannot, a power cut takes more. */
  canFlush: boolean;
}

/** A path that leads to no file that may be read or written here, or to one that is too large; the message names it. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
  readonly code: 'EISDIR' | 'ENOTSUP' | 'EFBIG';

  constructor(code: UnusableFile['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** In bytes: what a file may have that is read as a whole, unless its reader says otherwise. */
export const usualLimit = 16 * 1024 * 1024;

/**
 * What is done with files; each throws the system's error, with its `code`, where it fails. Paths are those of `node:fs`.
 * Only regular files are read and written, devices written too. All else throws UnusableFile, and nothing waits for the other
 * end of a pipe: a folder from elsewhere may hold anything under any name.
 */
export interface Disk {
  /** Follows links. Throws where the disk cannot say: what is there must not be taken for missing. */
  exists(path: string): boolean;
  /** Follows links; null where nothing is there, and an error where that cannot be said. */
  find(path: string): FileStatus | null;
  /** Whether it is a link to anything but a device, which is nobody's file. */
  isForeignLink(path: string): boolean;
  /** A whole file of at most so many bytes, `usualLimit` unless given. They are counted while it is read: it may be growing. */
  read(file: string, most?: number): Buffer;
  /** In UTF-8 or UTF-16, without a byte order mark. */
  readText(file: string, most?: number): string;
  /** The last so many bytes of a file, all of them where it has fewer. */
  readEnd(file: string, length: number): Buffer;
  /** What a user named, as text: it may be a pipe, and is waited for. */
  readInput(file: string, most: number): string;
  /** `append` makes the file where it is missing, `anew` empties it, `new` fails with EEXIST where it is there. */
  open(file: string, mode: 'read' | 'append' | 'anew' | 'new'): OpenFile;
  /** A whole file; `isFlushed`: returns only when it is on the disk. */
  write(file: string, contents: string | Uint8Array, isFlushed?: boolean): void;
  /** To a file that a user named: it may be a pipe, and is waited for. */
  writeOutput(file: string, contents: string): void;
  /** Cuts a file to so many bytes. */
  truncate(file: string, size: number): void;
  /** Tries again for about half a second where another program, such as a virus scanner, has the file open. */
  rename(from: string, to: string): void;
  /**
   * A second name for a file, or a copy where the file system has no such names; fails with EEXIST where something has the
   * name. Another process can see a copy empty for a moment.
   */
  link(file: string, name: string): void;
  /** Writes the first byte once more, so that the file was changed now by the clock of the file system. */
  touch(file: string): void;
  /** With all that is in it; nothing where it is missing. */
  remove(path: string): void;
  /** With the folders above it, on the disk when it returns; nothing where it is there. `mode`: who may use those that are made. */
  makeFolder(folder: string, mode?: number): void;
  /** Returns when the names in it are on the disk, as those of new and renamed files; does nothing where the file system cannot. */
  syncFolder(folder: string): void;
  /** Does in a folder what a match does, and leaves nothing behind. Throws the system's error where a match could not be kept. */
  survey(folder: string): FileSystemTraits;
  /** A new folder whose name begins with `prefix`. */
  makeTemporaryFolder(prefix: string): string;
  /** In no order; `isLink` for links, whose `kind` is not told. */
  list(folder: string): { name: string; kind: FileStatus['kind']; isLink: boolean }[];
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
}
const readKind = (entry: Kinds) => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_EXCL } = constants;

/** Opening a pipe without it waits for the other end; Windows has no such pipes. */
const noWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;

const flags = {
  read: O_RDONLY,
  append: O_WRONLY | O_CREAT | O_APPEND,
  anew: O_WRONLY | O_CREAT | O_TRUNC,
  new: O_WRONLY | O_CREAT | O_EXCL,
} as const;

const describeOther = (status: Stats) => (status.isFIFO() ? 'a pipe' : status.isSocket() ? 'a socket' : 'a device');

function refuse(file: string, status: Stats): never {
  if (status.isDirectory()) throw new UnusableFile('EISDIR', `${file} is a folder, where a file is expected.`);
  throw new UnusableFile('ENOTSUP', `${file} is ${describeOther(status)}, where a file is expected.`);
}

/** In bytes, of a pointer that stands in place of a file. */
const largestPointer = 1024;

/** Throws for a file that is not what its name says. */
function checkContents(descriptor: number, file: string): void {
  const first = Buffer.alloc(signatureLength);
  const wrong = findWrongKind(first.subarray(0, readSync(descriptor, first, 0, first.length, 0)));
  if (wrong !== null) throw new UnusableFile('ENOTSUP', `${file} is ${wrong}.`);
}

/** The descriptor of a regular file, or of a device that is only written. What is opened is looked at, not what had its name. */
function openFile(file: string, mode: number): number {
  const descriptor = openSync(file, mode | noWaiting, 0o666);
  try {
    const status = fstatSync(descriptor);
    const isWritten = (mode & (O_WRONLY | O_RDWR)) !== 0;
    if (!status.isFile() && !(isWritten && status.isCharacterDevice())) refuse(file, status);
    if (!isWritten && status.size < largestPointer) checkContents(descriptor, file);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Closes the file when it has been used. */
function useFile<Result>(descriptor: number, use: (descriptor: number) => Result): Result {
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const formatBytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${Math.round(bytes / 1024 / 1024)} MB`;

/** So much is read at first of what does not tell its size, as a pipe. */
const firstPiece = 64 * 1024;

/** All that can be read, or an error as soon as it is more than `most`: what a file says of its size need not hold. */
function readAll(descriptor: number, file: string, most: number): Buffer {
  const tooLong = () =>
    new UnusableFile('EFBIG', `${file} is larger than ${formatBytes(most)}, the most that is read of such a file.`);
  const { size } = fstatSync(descriptor);
  if (size > most) throw tooLong();
  let bytes = Buffer.allocUnsafe(size > 0 ? size + 1 : firstPiece); // one more, to see its end without another buffer
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > most) throw tooLong();
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length);
  }
}

function readEnd(descriptor: number, length: number): Buffer {
  const start = Math.max(0, fstatSync(descriptor).size - length);
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (let read = -1; read !== 0 && end < length; end += read)
    read = readSync(descriptor, bytes, end, length - end, start + end);
  return bytes.subarray(0, end);
}

const read = (file: string, most = usualLimit) =>
  useFile(openFile(file, O_RDONLY), (descriptor) => readAll(descriptor, file, most));

/** A pipe is opened as the user named it, and waited for. */
const readInput = (file: string, most: number) =>
  statSync(file).isFIFO()
    ? useFile(openSync(file, 'r'), (descriptor) => readAll(descriptor, file, most))
    : read(file, most);

/** Errors by which the system says that nothing is there, also below what is no folder or behind links in a circle. */
const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Errors by which a file system says that it flushes no files. */
const withoutFlush = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Errors by which a file system says that a file has one name. */
const withoutLinks = [...withoutFlush, 'EPERM', 'EMLINK', 'EACCES'];

/** Errors of a rename that pass where another program has the file open for a moment. */
export const passingErrors = ['EPERM', 'EBUSY', 'EACCES'];

/** In milliseconds: waits before each new try of a rename. */
const renameWaits = [10, 20, 40, 80, 160, 320];

/** Errors by which a file system says that it flushes no folders. */
const unable = [...withoutFlush, 'EBADF', 'EISDIR', 'EPERM', 'EACCES'];

/** What the step returns; undefined where it throws one of these errors. */
function attempt<Result>(expected: readonly string[], step: () => Result): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const findStatus = (path: string) => attempt(missing, () => statSync(path));

/** Calls of the system that some file systems lack, or refuse for a while. */
export interface SystemCalls {
  link: typeof linkSync;
  fsync: typeof fsyncSync;
  rename: typeof renameSync;
}

const systemCalls: SystemCalls = { link: linkSync, fsync: fsyncSync, rename: renameSync };

/** Blocks the thread: what waits here must not let other steps of the program see half of it. */
const pause = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/**
 * A disk of this machine. Tests give `calls` that fail as those of other file systems do.
 *
 * @example createSystemDisk().readText('package.json');
 */
export function createSystemDisk(calls: Partial<SystemCalls> = {}): Disk {
  const { link, fsync, rename } = { ...systemCalls, ...calls };
  const flush = (descriptor: number) => attempt(withoutFlush, () => (fsync(descriptor), true)) ?? false;
  const syncFolder = (folder: string) => {
    if (process.platform === 'win32') return; // which opens no folder, and writes names through
    attempt(unable, () => useFile(openSync(folder, O_RDONLY | noWaiting), fsync));
  };
  const writeFile = (file: string, contents: string | Uint8Array, isFlushed: boolean) =>
    useFile(openFile(file, flags.anew), (descriptor) => {
      writeFileSync(descriptor, contents);
      return isFlushed && flush(descriptor);
    });
  const linkOrCopy = (file: string, name: string) => {
    if (attempt(withoutLinks, () => (link(file, name), true))) return true;
    writeFileSync(name, read(file), { flag: 'wx' });
    return false;
  };
  const renameFile = (from: string, to: string) => {
    for (const wait of renameWaits) {
      if (attempt(passingErrors, () => (rename(from, to), true))) return;
      pause(wait);
    }
    rename(from, to);
  };
  return {
    exists: (path) => findStatus(path) !== undefined,
    find: (path) => {
      const status = findStatus(path);
      return status ? { kind: readKind(status), size: status.size, changedAt: status.mtimeMs } : null;
    },
    isForeignLink: (path) =>
      attempt(missing, () => lstatSync(path))?.isSymbolicLink() === true &&
      findStatus(path)?.isCharacterDevice() !== true,
    read,
    readText: (file, most) => decodeText(read(file, most)),
    readEnd: (file, length) => useFile(openFile(file, O_RDONLY), (descriptor) => readEnd(descriptor, length)),
    readInput: (file, most) => decodeText(readInput(file, most)),
    open: (file, mode) => {
      const descriptor = openFile(file, flags[mode]);
      return {
        read: (into) => readSync(descriptor, into),
        write: (contents) => writeFileSync(descriptor, contents),
        sync: () => void flush(descriptor),
        close: () => closeSync(descriptor),
      };
    },
    write: (file, contents, isFlushed = false) => void writeFile(file, contents, isFlushed),
    writeOutput: (file, contents) => writeFileSync(file, contents),
    truncate: truncateSync,
    rename: renameFile,
    link: (file, name) => void linkOrCopy(file, name),
    touch: (file) =>
      useFile(openFile(file, O_RDWR), (descriptor) => {
        const first = Buffer.alloc(1);
        if (readSync(descriptor, first, 0, 1, 0) === 1) writeSync(descriptor, first, 0, 1, 0);
      }),
    remove: (path) => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }), // as for renames
    makeFolder: (folder, mode) => {
      const lacking: string[] = [];
      for (let one = path.resolve(folder); findStatus(one)?.isDirectory() !== true; one = path.dirname(one))
        lacking.unshift(one);
      // Node's own `recursive` would try for ever where a file system makes no folders, as /proc.
      for (const one of lacking) {
        try {
          mkdirSync(one, { mode });
        } catch (error) {
          if (findStatus(one)?.isDirectory() !== true) throw error; // else another process has made it
        }
        syncFolder(path.dirname(one));
      }
    },
    syncFolder,
    survey: (folder) => {
      const own = mkdtempSync(path.join(folder, '.wolfgraph-'));
      const [first, second, third] = ['1', '2', '3'].map((name) => path.join(own, name)) as [string, string, string];
      try {
        const canFlush = writeFile(first, 'x', true);
        const hasLinks = linkOrCopy(first, second);
        renameFile(second, third);
        return { hasLinks, canFlush };
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
    makeTemporaryFolder: (prefix) => mkdtempSync(prefix),
    list: (folder) =>
      readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: readKind(entry),
        isLink: entry.isSymbolicLink(),
      })),
  };
}

/** The machine's own disk. */
export const systemDisk: Disk = createSystemDisk();
