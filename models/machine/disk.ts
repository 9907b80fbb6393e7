// The disk: the only way to files for what keeps records and for all commands, so that another can stand in its place.
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** A file that is read piece by piece, or written to its end. */
export interface OpenFile {
  /** Fills `into` with the next bytes and returns their number: 0 at the end of the file. */
  read(into: Uint8Array): number;
  /** All of it has been passed to the system when it returns. */
  write(contents: string | Uint8Array): void;
  /** Returns when everything is on the disk. */
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

/** What is done with files; each throws the system's error, with its `code`, where it fails. Paths are those of `node:fs`. */
export interface Disk {
  /** Follows links. Throws where the disk cannot say: what is there must not be taken for missing. */
  exists(path: string): boolean;
  /** Follows links; null where nothing is there, and an error where that cannot be said. */
  find(path: string): FileStatus | null;
  /** Whether it is a link to anything but a device, which is nobody's file. */
  isForeignLink(path: string): boolean;
  read(file: string): Buffer;
  /** As UTF-8. */
  readText(file: string): string;
  /** `append` makes the file where it is missing, `anew` empties it, `new` fails with EEXIST where it is there. */
  open(file: string, mode: 'read' | 'append' | 'anew' | 'new'): OpenFile;
  /** A whole file; `isFlushed`: returns only when it is on the disk. */
  write(file: string, contents: string | Uint8Array, isFlushed?: boolean): void;
  /** Cuts a file to so many bytes. */
  truncate(file: string, size: number): void;
  rename(from: string, to: string): void;
  /** A second name for a file; fails with EEXIST where something has it. */
  link(file: string, name: string): void;
  /** Writes the first byte once more, so that the file was changed now by the clock of the file system. */
  touch(file: string): void;
  /** With all that is in it; nothing where it is missing. */
  remove(path: string): void;
  /** With the folders above it, on the disk when it returns; nothing where it is there. */
  makeFolder(folder: string): void;
  /** Returns when the names in it are on the disk, as those of new and renamed files; does nothing where the file system cannot. */
  syncFolder(folder: string): void;
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

const flags = { read: 'r', append: 'a', anew: 'w', new: 'wx' } as const;

/** Errors by which the system says that nothing is there, also below what is no folder or behind links in a circle. */
const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Errors by which a file system says that it flushes no folders. */
const unable = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EISDIR', 'EPERM', 'EACCES'];

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

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // which opens no folder, and writes names through
  attempt(unable, () => {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** The machine's own disk. */
export const systemDisk: Disk = {
  exists: (path) => findStatus(path) !== undefined,
  find: (path) => {
    const status = findStatus(path);
    return status ? { kind: readKind(status), size: status.size, changedAt: status.mtimeMs } : null;
  },
  isForeignLink: (path) =>
    attempt(missing, () => lstatSync(path))?.isSymbolicLink() === true &&
    findStatus(path)?.isCharacterDevice() !== true,
  read: (file) => readFileSync(file),
  readText: (file) => readFileSync(file, 'utf8'),
  open: (file, mode) => {
    const descriptor = openSync(file, flags[mode]);
    return {
      read: (into) => readSync(descriptor, into),
      write: (contents) => writeFileSync(descriptor, contents),
      sync: () => fsyncSync(descriptor),
      close: () => closeSync(descriptor),
    };
  },
  write: (file, contents, isFlushed = false) => writeFileSync(file, contents, { flush: isFlushed }),
  truncate: truncateSync,
  rename: renameSync,
  link: linkSync,
  touch: (file) => {
    const descriptor = openSync(file, 'r+');
    try {
      const first = Buffer.alloc(1);
      if (readSync(descriptor, first, 0, 1, 0) === 1) writeSync(descriptor, first, 0, 1, 0);
    } finally {
      closeSync(descriptor);
    }
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  makeFolder: (folder) => {
    const lacking: string[] = [];
    for (let one = path.resolve(folder); findStatus(one)?.isDirectory() !== true; one = path.dirname(one))
      lacking.unshift(one);
    // Node's own `recursive` would try for ever where a file system makes no folders, as /proc.
    for (const one of lacking) {
      try {
        mkdirSync(one);
      } catch (error) {
        if (findStatus(one)?.isDirectory() !== true) throw error; // else another process has made it
      }
      syncFolder(path.dirname(one));
    }
  },
  syncFolder,
  makeTemporaryFolder: (prefix) => mkdtempSync(prefix),
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: readKind(entry),
      isLink: entry.isSymbolicLink(),
    })),
};
