// A cache of measurements and reports, so that unchanged records need not be read again. It may be deleted at any time.
// Damaged or outdated entries are silently replaced.
import { createHash, hash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync } from 'node:zlib';
import { getDisk } from '../../models/machine/machine.ts';
import { unpackZstd } from '../../models/machine/unpack.ts';
import { findCacheFolder } from '../command/cache-folder.ts';
import type { CommandIO } from '../command/command-line.ts';
import { dropFile } from '../command/replace-files.ts';

export interface CacheOptions {
  folder: string;
  /** Identifies the program. Entries of other programs are not found. */
  program: string;
  /**
   * Milliseconds after a change during which a file is not trusted, because it may change again without new timestamps.
   */
  settling: number;
  /** Size limit of the cache in bytes. Above the limit, the least recently used entries are removed. */
  most: number;
  /** Milliseconds between two measurements of the cache's size, by whichever process. */
  measureEvery: number;
}

/** Value of `settling` in milliseconds. Some file systems store times with a resolution of two seconds. */
const coarsestTimes = 2500;

const maxCacheBytes = 2 * 1024 ** 3;

/** Value of `measureEvery` in milliseconds. Listing thousands of entries takes longer than a small report. */
const tenMinutes = 600_000;

/** Size limit of one value in bytes, both compressed and uncompressed. */
const mostKept = 2 ** 30;

/** Chooses the default cache for this exact program: any change of its sources starts a new one. */
export const chooseCache = (io: Pick<CommandIO, 'env' | 'stderr'>): CacheOptions => ({
  folder: findCacheFolder('reports', io),
  program: hashProgram(),
  settling: coarsestTimes,
  most: maxCacheBytes,
  measureEvery: tenMinutes,
});

/** The option of all commands that measure records. */
export const noCacheOption = [
  '--no-cache',
  'read every record again, even if unchanged since it was last read',
] as const;

const root = path.join(import.meta.dirname, '../..');

/** All source folders of the package, which identify the program in the cache. */
export const packagedFolders = ['state', 'prompts', 'deception', 'models', 'nodes', 'graph', 'report', 'scripts'];

/** A file that exists in clones but not in the package. The package is identified by its version. */
const lock = 'package-lock.json';

let known: string | undefined;

/** Returns a hash of all code that this process may load. The code is read once. */
const hashProgram = () =>
  (known ??= createHash('sha256')
    .update(`${process.version} ${hashSources(packagedFolders)}`)
    .update(getDisk().read(path.join(root, existsSync(path.join(root, lock)) ? lock : 'package.json')))
    .digest('hex'));

/** Hashes all sources in these folders, e.g. `['state', 'deception']`. */
export function hashSources(names: readonly string[]): string {
  const files = names.flatMap((floor) =>
    readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .sort()
      .map((name) => path.join(root, floor, name)),
  );
  return files.reduce((all, file) => all.update(getDisk().read(file)), createHash('sha256')).digest('hex');
}

/**
 * Describes a file by size, times and inode, which change whenever the file is written. A link does not count as a
 * file.
 */
function describeFile(file: string): { text: string; changedAt: number; isFile: boolean; isFolder: boolean } {
  const status = lstatSync(file, { bigint: true });
  const { size, mtimeNs, ctimeNs, ino, dev } = status;
  return {
    text: [size, mtimeNs, ctimeNs, ino, dev].join(' '),
    changedAt: Math.max(Number(status.mtimeMs), Number(status.ctimeMs)),
    isFile: status.isFile(),
    isFolder: status.isDirectory(),
  };
}

/** Describes the state of single files as text; null if one is missing or a link. */
export function describeFiles(files: readonly string[]): string | null {
  try {
    const found = files.map(describeFile);
    return found.every(({ isFile }) => isFile) ? found.map(({ text }) => text).join('\n') : null;
  } catch {
    return null;
  }
}

/**
 * Stores values under keys that state everything they were made from. Each is a separate file, written under another
 * name and renamed, so that several processes can share the folder.
 *
 * @example
 * const cache = new MeasurementCache(chooseCache(process.env));
 * const state = cache.describeFolder('runs/a');
 * const key = cache.createKey('match', [state, { judge: undefined }]);
 * const tables = cache.read(key) ?? measure('runs/a');
 */
export class MeasurementCache {
  readonly #options: CacheOptions;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /**
   * Describes the state of a folder with all its files, without reading them. Two descriptions are equal only if
   * nothing was written in between. Null if the state is uncertain: for links, unreadable files, and files written just
   * now.
   */
  describeFolder(folder: string): string | null {
    const { settling } = this.#options;
    try {
      const names = readdirSync(folder).sort();
      const found = names.map((name) => ({ name, ...describeFile(path.join(folder, name)) }));
      const files = found.filter(({ isFolder }) => !isFolder);
      const settled = Date.now() - settling;
      if (!files.every(({ isFile, changedAt }) => isFile && changedAt <= settled)) return null;
      return hash('sha256', [path.resolve(folder), ...files.map(({ name, text }) => `${name} ${text}`)].join('\n'));
    } catch {
      return null;
    }
  }

  /**
   * Describes the state of single files like `describeFolder`. Null if a file is missing, is a link, or was written
   * just now.
   */
  describeSettledFiles(files: readonly string[]): string | null {
    const settled = Date.now() - this.#options.settling;
    try {
      const found = files.map((file) => ({ file: path.resolve(file), ...describeFile(file) }));
      if (!found.every(({ isFile, changedAt }) => isFile && changedAt <= settled)) return null;
      return hash('sha256', found.map(({ file, text }) => `${file} ${text}`).join('\n'));
    } catch {
      return null;
    }
  }

  /** Creates the key of a value. `made`: everything besides the program that the value depends on, as JSON. */
  createKey(kind: 'match' | 'report', made: readonly unknown[]): string {
    return `${kind}-${hash('sha256', JSON.stringify([this.#options.program, ...made]))}`;
  }

  has(key: string): boolean {
    return existsSync(this.#locate(key));
  }

  /** Reads a value; null if there is no entry, or if it is damaged. */
  read(key: string): unknown {
    const file = this.#locate(key);
    try {
      const bytes = getDisk().read(file, mostKept);
      const packed = bytes.subarray(digestLength);
      if (!hashBytes(packed).equals(bytes.subarray(0, digestLength))) return null;
      const value: unknown = deserialize(unpackZstd(packed, mostKept));
      const now = new Date();
      utimesSync(file, now, now); // marks the entry as recently used
      return value;
    } catch {
      return null;
    }
  }

  /** Stores a value. Ignores failures to write. */
  keep(key: string, value: unknown): void {
    const file = this.#locate(key);
    const draft = `${file}.${randomUUID()}.new`;
    try {
      const packed = zstdCompressSync(serialize(value), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
      getDisk().makeFolder(path.dirname(file), 0o700); // only the user may read what models said
      writeFileSync(draft, Buffer.concat([hashBytes(packed), packed]), { flag: 'wx' });
      getDisk().rename(draft, file);
    } catch {
      dropFile(draft);
    }
  }

  /** Removes the least recently used entries if the folder is too large. Looks only every `measureEvery` milliseconds. */
  trim(): void {
    try {
      const { folder, most, measureEvery } = this.#options;
      const marker = path.join(folder, 'measured');
      const last = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
      const age = Date.now() - Math.floor(last); // a file's time has fractions of a millisecond, which may lie ahead
      if (age >= 0 && age < measureEvery) return;
      writeFileSync(marker, ''); // before measuring, so that processes that end together measure once
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
        const file = path.join(folder, name);
        const status = statSync(file, { throwIfNoEntry: false });
        return status?.isFile() ? [{ file, size: status.size, usedAt: status.mtimeMs }] : [];
      });
      let left = files.reduce((total, { size }) => total + size, 0);
      if (left <= most) return;
      for (const { file, size } of files.sort((one, other) => one.usedAt - other.usedAt)) {
        if (left <= most * keptWhenTrimmed) return;
        rmSync(file, { force: true });
        left -= size;
      }
    } catch {
      // Ignore the error: another process is trimming the cache, or the folder no longer exists.
    }
  }

  /**
   * Returns the path of an entry. Entries are spread over folders, because many files in one folder are slow to list.
   */
  #locate(key: string): string {
    const [kind, name] = key.split('-') as [string, string];
    return path.join(this.#options.folder, kind, name.slice(0, 2), name.slice(2));
  }
}

const digestLength = 32;
const hashBytes = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** Share of the limit that remains after trimming. Fewer reports then need to trim. */
const keptWhenTrimmed = 0.8;
