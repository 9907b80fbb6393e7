// A disk in memory. When the power fails, it loses unflushed data in every way in which a real disk can.
import path from 'node:path';
import { decodeText } from '../../models/machine/decode-text.ts';
import { type Disk, type FileStatus, type OpenFile, UnusableFile, usualLimit } from '../../models/machine/disk.ts';
import type { RandomSource } from '../../state/random.ts';

/** A file's contents, which several names can share. */
interface Inode {
  data: Buffer;
  /** Contents at the last flush, which survive a power failure. */
  flushed: Buffer;
  changedAt: number;
}

/**
 * A change of names in a folder: name → inode, or null if the name was removed. A power failure keeps or loses the
 * change as a whole.
 */
type NameChange = readonly (readonly [file: string, inode: Inode | 'folder' | null])[];

/** Creates an operating system's error in the form that `node:fs` throws. */
export const createSystemError = (code: string, words: string, syscall: string, file: string) =>
  Object.assign(new Error(`${code}: ${words}, ${syscall} '${file}'`), { code, syscall, path: file, errno: -1 });

const createMissingError = (syscall: string, file: string) =>
  createSystemError('ENOENT', 'no such file or directory', syscall, file);

/** Number of bytes that are written or lost together. */
const pageLength = 4096;

/**
 * Files and folders in memory. Every process gets a `Disk` of its own from `connect`, and sees what the other processes
 * write.
 *
 * @example
 * const storage = new SimulatedStorage(() => clock.now());
 * runOnMachine({ ...machine, disk: storage.connect() }, () => playMatch(plan));
 * storage.cutPower(draw(1, 'cut'));
 */
export class SimulatedStorage {
  readonly #now: () => number;
  #entries = new Map<string, Inode | 'folder'>();
  /** Entries that survive a power failure. */
  #flushedEntries = new Map<string, Inode | 'folder'>();
  /** Later changes of names, in order, each with its folder. */
  #waiting: { folder: string; change: NameChange }[] = [];

  /** `now`: time of the file system, in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    for (const folder of ['/', '/simulated']) {
      this.#entries.set(folder, 'folder');
      this.#flushedEntries.set(folder, 'folder');
    }
  }

  /** Lists the names of the files below a folder, sorted. */
  listFiles(folder: string): string[] {
    return [...this.#entries]
      .filter(([name, entry]) => entry !== 'folder' && name.startsWith(`${folder}/`))
      .map(([name]) => name)
      .sort();
  }

  /**
   * Returns a function that appends bytes to the file as it is now. The function works even after the writing process
   * has died.
   */
  prepareLateWrite(file: string): (bytes: Buffer) => void {
    const inode = this.#getFile(file, 'open');
    return (bytes) => this.#append(inode, bytes);
  }

  /**
   * Loses unflushed data in any possible way: all of it, everything after some point, or arbitrary parts. Each change
   * of names is stored or lost. Lost pages are read as zeros.
   */
  cutPower(by: RandomSource): void {
    const entries = new Map(this.#flushedEntries);
    const kept = by.pick(['none', 'beginning', 'some', 'all'] as const);
    const end = by.integer(this.#waiting.length + 1);
    for (const [index, { change }] of this.#waiting.entries()) {
      const isKept = { none: false, beginning: index < end, some: by.pick([true, false]), all: true }[kept];
      if (isKept) for (const [name, entry] of change) setEntry(entries, name, entry);
    }
    for (const name of [...entries.keys()].sort())
      if (entries.get(path.dirname(name)) !== 'folder') entries.delete(name); // lost with its folder
    const survivors = new Set([...entries.values()].filter((entry) => entry !== 'folder'));
    for (const inode of survivors) {
      inode.data = keepSomePages(inode, by);
      inode.flushed = inode.data;
    }
    this.#entries = entries;
    this.#flushedEntries = new Map(entries);
    this.#waiting = [];
  }

  connect(): Disk {
    const find = (file: string): FileStatus | null => {
      const entry = this.#entries.get(path.resolve(file));
      if (entry === undefined) return null;
      if (entry === 'folder') return { kind: 'folder', size: pageLength, changedAt: 0 };
      return { kind: 'file', size: entry.data.length, changedAt: entry.changedAt };
    };
    const read = (file: string, most = usualLimit) => {
      const { data } = this.#getFile(file, 'open');
      if (data.length > most) throw new UnusableFile('EFBIG', `${file} is too large.`);
      return Buffer.from(data);
    };
    const write = (file: string, contents: string | Uint8Array, isFlushed = false) => {
      const open = this.#open(file, 'anew');
      open.write(contents);
      if (isFlushed) open.sync();
    };
    return {
      exists: (file) => find(file) !== null,
      find,
      isForeignLink: () => false,
      read,
      readText: (file, most) => decodeText(read(file, most)),
      readEnd: (file, length) => {
        const bytes = read(file, Infinity);
        return bytes.subarray(Math.max(0, bytes.length - length));
      },
      readInput: (file, most) => decodeText(read(file, most)),
      open: (file, mode) => this.#open(file, mode),
      write,
      writeOutput: write,
      truncate: (file, size) => {
        const inode = this.#getFile(file, 'open');
        inode.data = inode.data.subarray(0, size);
        inode.changedAt = this.#now();
      },
      rename: (from, to) => {
        const inode = this.#getFile(from, 'rename');
        this.#change([
          [path.resolve(from), null],
          [path.resolve(to), inode],
        ]);
      },
      link: (file, name) => {
        const inode = this.#getFile(file, 'link');
        if (this.#entries.has(path.resolve(name)))
          throw createSystemError('EEXIST', 'file already exists', 'link', file);
        this.#change([[path.resolve(name), inode]]);
      },
      touch: (file) => {
        this.#getFile(file, 'open').changedAt = this.#now();
      },
      remove: (file) => {
        const target = path.resolve(file);
        const names = [...this.#entries.keys()].filter((name) => name === target || name.startsWith(`${target}/`));
        if (names.length > 0) this.#change(names.map((name) => [name, null] as const));
      },
      makeFolder: (folder) => {
        const target = path.resolve(folder);
        if (this.#entries.has(target)) return;
        const above = path.dirname(target);
        if (!this.#entries.has(above)) this.connect().makeFolder(above);
        this.#change([[target, 'folder']]);
        this.connect().syncFolder(above);
      },
      resolveLinks: (file) => path.resolve(file),
      copyMode: () => undefined, // simulated files have no permissions
      survey: () => ({ hasLinks: true, canFlush: true }),
      makeTemporaryFolder: (prefix) => {
        throw createSystemError('EACCES', 'permission denied', 'mkdtemp', prefix); // no command of a match makes one
      },
      syncFolder: (folder) => {
        const target = path.resolve(folder);
        if (this.#entries.get(target) !== 'folder') throw createMissingError('open', folder);
        for (const { change } of this.#waiting.filter((one) => one.folder === target))
          for (const [name, entry] of change) setEntry(this.#flushedEntries, name, entry);
        this.#waiting = this.#waiting.filter((one) => one.folder !== target);
      },
      list: (folder) => {
        const target = path.resolve(folder);
        if (this.#entries.get(target) !== 'folder') throw createMissingError('scandir', folder);
        return [...this.#entries]
          .filter(([name]) => path.dirname(name) === target && name !== target)
          .map(([name, entry]) => ({
            name: path.basename(name),
            kind: entry === 'folder' ? ('folder' as const) : ('file' as const),
            isLink: false,
          }));
      },
    };
  }

  #getFile(file: string, syscall: string): Inode {
    const entry = this.#entries.get(path.resolve(file));
    if (entry === undefined) throw createMissingError(syscall, file);
    if (entry === 'folder') throw createSystemError('EISDIR', 'illegal operation on a directory', syscall, file);
    return entry;
  }

  #open(file: string, mode: 'read' | 'append' | 'anew' | 'new'): OpenFile {
    const name = path.resolve(file);
    if (mode === 'new' && this.#entries.has(name))
      throw createSystemError('EEXIST', 'file already exists', 'open', file);
    if (mode !== 'read' && !this.#entries.has(name)) {
      if (this.#entries.get(path.dirname(name)) !== 'folder') throw createMissingError('open', file);
      this.#change([[name, { data: Buffer.alloc(0), flushed: Buffer.alloc(0), changedAt: this.#now() }]]);
    }
    const inode = this.#getFile(file, 'open');
    if (mode === 'anew') inode.data = Buffer.alloc(0);
    let at = 0;
    return {
      read: (into) => {
        const length = inode.data.copy(into, 0, at);
        at += length;
        return length;
      },
      write: (contents) => this.#append(inode, Buffer.from(contents as Uint8Array)),
      sync: () => {
        inode.flushed = inode.data;
      },
      close: () => undefined,
    };
  }

  #append(inode: Inode, bytes: Buffer): void {
    inode.data = Buffer.concat([inode.data, bytes]);
    inode.changedAt = this.#now();
  }

  #change(change: NameChange): void {
    for (const [name, entry] of change) setEntry(this.#entries, name, entry);
    this.#waiting.push({ folder: path.dirname(change[0]![0]), change });
  }
}

function setEntry<Entry>(entries: Map<string, Entry>, name: string, entry: Entry | null): void {
  if (entry === null) entries.delete(name);
  else entries.set(name, entry);
}

/** Returns the part of a file that survives a power failure. */
function keepSomePages({ data, flushed }: Inode, by: RandomSource): Buffer {
  const isLonger = data.length >= flushed.length && data.subarray(0, flushed.length).equals(flushed);
  if (!isLonger) return by.pick([flushed, data, data.subarray(0, by.integer(data.length + 1))]);
  const kept = Buffer.from(data.subarray(0, flushed.length + by.integer(data.length - flushed.length + 1)));
  if (by.pick([true, false])) return kept;
  for (let page = Math.floor(flushed.length / pageLength); page * pageLength < kept.length; page++)
    if (by.pick([true, false]))
      kept.subarray(Math.max(flushed.length, page * pageLength), (page + 1) * pageLength).fill(0);
  return kept;
}
