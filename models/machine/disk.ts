// The disk: the only access to files for records and all commands, so that tests can replace it.
import {
  chmodSync,
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
  realpathSync,
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

/** A file that is being read or written piece by piece. */
export interface OpenFile {
  /** Fills `into` with the next bytes and returns their number; 0 at the end of the file. */
  read(into: Uint8Array): number;
  /** Passes all contents to the system before it returns. */
  write(contents: string | Uint8Array): void;
  /** Returns when everything is on the disk. Does nothing if the file system cannot flush. */
  sync(): void;
  close(): void;
}

export interface FileStatus {
  kind: 'file' | 'folder' | 'other';
  /** Size in bytes. */
  size: number;
  /** Time of the last write by the file system's clock, in milliseconds since 1970. */
  changedAt: number;
}

/** Features of a folder's file system. */
export interface FileSystemTraits {
  /** Whether a file can have two names (hard links). FAT, some network shares and gcsfuse do not support this. */
  hasLinks: boolean;
  /** Whether a program can wait until a file is on the disk. If not, a power cut loses more. */
  canFlush: boolean;
}

/**
 * Signals that a path is not a file that may be read or written here, or that the file is too large. The message names
 * the path.
 */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
  readonly code: 'EISDIR' | 'ENOTSUP' | 'EFBIG';

  constructor(code: UnusableFile['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Size limit in bytes of files that are read as a whole. Readers may give another limit. */
export const usualLimit = 16 * 1024 * 1024;

/**
 * Operations on files. On failure, each operation throws the system's error with its `code`. Paths have the form of
 * paths in `node:fs`. Only regular files are read and written; devices can also be written. Everything else throws
 * UnusableFile, and nothing waits for the other end of a pipe, because a folder of unknown origin may contain anything
 * under any name.
 */
export interface Disk {
  /**
   * Returns whether the path exists, following links. Throws if the disk cannot tell, so that an existing file never
   * counts as missing.
   */
  exists(path: string): boolean;
  /** Returns the file's status, following links; null if nothing is there. Throws if the disk cannot tell. */
  find(path: string): FileStatus | null;
  /** Returns whether the path is a link to anything except a device. */
  isForeignLink(path: string): boolean;
  /**
   * Reads a whole file of at most `most` bytes (default: `usualLimit`). Bytes are counted while reading, because the
   * file may be growing.
   */
  read(file: string, most?: number): Buffer;
  /** Reads text in UTF-8 or UTF-16, without a byte order mark. */
  readText(file: string, most?: number): string;
  /** Reads the last `length` bytes of a file, or all of it if it is shorter. */
  readEnd(file: string, length: number): Buffer;
  /** Reads a file that a user named, as text. If it is a pipe, waits for its contents. */
  readInput(file: string, most: number): string;
  /** Opens a file. `append` creates it if it is missing, `anew` empties it, `new` fails with EEXIST if it exists. */
  open(file: string, mode: 'read' | 'append' | 'anew' | 'new'): OpenFile;
  /** Writes a whole file. `isFlushed`: returns only when it is on the disk. */
  write(file: string, contents: string | Uint8Array, isFlushed?: boolean): void;
  /** Writes to a file that a user named. If it is a pipe, waits for its reader. */
  writeOutput(file: string, contents: string): void;
  /** Cuts a file to this many bytes. */
  truncate(file: string, size: number): void;
  /** Renames a file. Retries for about half a second if another program, such as a virus scanner, has it open. */
  rename(from: string, to: string): void;
  /**
   * Gives a file a second name, or copies it if the file system has no hard links. Fails with EEXIST if the name is
   * taken. Another process may briefly see an empty copy.
   */
  link(file: string, name: string): void;
  /** Rewrites the first byte, so that the file's time of change is the current time of the file system's clock. */
  touch(file: string): void;
  /** Removes a file or a folder with its contents. Does nothing if it is missing. */
  remove(path: string): void;
  /**
   * Creates a folder and its missing parents. When it returns, they are on the disk. Does nothing if the folder exists.
   * `mode`: permissions of the folders that are created.
   */
  makeFolder(folder: string, mode?: number): void;
  /** Returns the path of an existing file or folder without links. */
  resolveLinks(path: string): string;
  /** Gives the folder `to` the permissions of the folder `from`. */
  copyMode(from: string, to: string): void;
  /**
   * Returns when the folder's names, e.g. of new and renamed files, are on the disk. Does nothing if the file system
   * cannot flush.
   */
  syncFolder(folder: string): void;
  /**
   * Tries in a folder all operations that a match needs, and removes all traces. Throws the system's error if a match
   * could not be stored.
   */
  survey(folder: string): FileSystemTraits;
  /** Creates a folder whose name begins with `prefix`. */
  makeTemporaryFolder(prefix: string): string;
  /** Lists a folder in no particular order. `isLink` marks links, whose `kind` is not resolved. */
  list(folder: string): { name: string; kind: FileStatus['kind']; isLink: boolean }[];
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
}
const readKind = (entry: Kinds) => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_EXCL } = constants;

/** Flag for opening a pipe without waiting for its other end. It is 0 on Windows, which has no such pipes. */
const noWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;

const flags = {
  read: O_RDONLY,
  append: O_WRONLY | O_CREAT | O_APPEND,
  anew: O_WRONLY | O_CREAT | O_TRUNC,
  new: O_WRONLY | O_CREAT | O_EXCL,
} as const;

const describeOther = (status: Stats) => (status.isFIFO() ? 'a pipe' : status.isSocket() ? 'a socket' : 'a device');

function refuse(file: string, status: Stats): never {
  if (status.isDirectory()) throw new UnusableFile('EISDIR', `${file} is a folder, but a file was expected.`);
  throw new UnusableFile('ENOTSUP', `${file} is ${describeOther(status)}, but a file was expected.`);
}

/** Largest size, in bytes, of a git-lfs pointer that takes the place of a file. */
const largestPointer = 1024;

/** Throws if the contents contradict the file's name. */
function checkContents(descriptor: number, file: string): void {
  const first = Buffer.alloc(signatureLength);
  const wrong = findWrongKind(first.subarray(0, readSync(descriptor, first, 0, first.length, 0)));
  if (wrong !== null) throw new UnusableFile('ENOTSUP', `${file} is ${wrong}.`);
}

/**
 * Opens a regular file, or a device for writing only. Checks the opened file instead of its name, because the name may
 * meanwhile belong to another file.
 */
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

/** Uses a file, then closes it. */
function useFile<Result>(descriptor: number, use: (descriptor: number) => Result): Result {
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const formatBytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${Math.round(bytes / 1024 / 1024)} MB`;

/** First buffer size for inputs that do not report a size, such as pipes. */
const firstPiece = 64 * 1024;

/** Reads everything, but throws as soon as there is more than `most`. The size that a file reports is not trusted. */
function readAll(descriptor: number, file: string, most: number): Buffer {
  const tooLong = () =>
    new UnusableFile('EFBIG', `${file} is larger than ${formatBytes(most)}, the size limit for such a file.`);
  const { size } = fstatSync(descriptor);
  if (size > most) throw tooLong();
  let bytes = Buffer.allocUnsafe(size > 0 ? size + 1 : firstPiece); // one extra byte, to detect the end without another buffer
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

/** Reads a file or pipe that the user named. If it is a pipe, waits for its contents. */
const readInput = (file: string, most: number) =>
  statSync(file).isFIFO()
    ? useFile(openSync(file, 'r'), (descriptor) => readAll(descriptor, file, most))
    : read(file, most);

/** Error codes for "does not exist", including paths below a file and circular links. */
const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Error codes of file systems that cannot flush files. */
const withoutFlush = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Error codes of file systems without hard links. */
const withoutLinks = [...withoutFlush, 'EPERM', 'EMLINK', 'EACCES'];

/** Error codes of a rename that succeeds after another program has closed the file. */
export const passingErrors = ['EPERM', 'EBUSY', 'EACCES'];

/** Waits before each retry of a rename, in milliseconds. */
const renameWaits = [10, 20, 40, 80, 160, 320];

/** Error codes of file systems that cannot flush folders. */
const unable = [...withoutFlush, 'EBADF', 'EISDIR', 'EPERM', 'EACCES'];

/** Returns the result of the step; undefined if the step throws an error with an `expected` code. */
function attempt<Result>(expected: readonly string[], step: () => Result): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const findStatus = (path: string) => attempt(missing, () => statSync(path));

/** System calls that some file systems do not support, or refuse temporarily. */
export interface SystemCalls {
  link: typeof linkSync;
  fsync: typeof fsyncSync;
  rename: typeof renameSync;
  /** Waits before a refused call is repeated. */
  pause: (ms: number) => void;
}

/** Blocks the thread, so that no other step of the program sees a half-finished operation. */
const pause = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const systemCalls: SystemCalls = { link: linkSync, fsync: fsyncSync, rename: renameSync, pause };

/**
 * Creates a disk of this machine. Tests pass `calls` that fail as on other file systems.
 *
 * @example createSystemDisk().readText('package.json');
 */
export function createSystemDisk(calls: Partial<SystemCalls> = {}): Disk {
  const { link, fsync, rename, pause } = { ...systemCalls, ...calls };
  const flush = (descriptor: number) => attempt(withoutFlush, () => (fsync(descriptor), true)) ?? false;
  const syncFolder = (folder: string) => {
    if (process.platform === 'win32') return; // Windows cannot open folders, and writes names to the disk immediately
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
    remove: (path) => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }), // another program may have it open
    makeFolder: (folder, mode) => {
      const lacking: string[] = [];
      for (let one = path.resolve(folder); findStatus(one)?.isDirectory() !== true; one = path.dirname(one))
        lacking.unshift(one);
      // Node's own `recursive` option would retry forever on file systems that create no folders, such as /proc.
      for (const one of lacking) {
        try {
          mkdirSync(one, { mode });
        } catch (error) {
          if (findStatus(one)?.isDirectory() !== true) throw error; // otherwise another process has created it
        }
        syncFolder(path.dirname(one));
      }
    },
    resolveLinks: (path) => realpathSync(path),
    copyMode: (from, to) => chmodSync(to, statSync(from).mode & 0o7777),
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

/** This machine's disk. */
export const systemDisk: Disk = createSystemDisk();
