// What was measured of matches and reported of them, kept so that an unchanged record is not read again. A cache: it may be
// deleted at any time, and what is damaged in it or does not fit is made anew without a word.
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
  /** Names the program: what another one kept is not found. */
  program: string;
  /** Files that were changed within so many milliseconds may change again without showing it in their times. */
  settling: number;
  /** Bytes; beyond these what was not used for longest is removed. */
  most: number;
}

/** Some file systems keep times to two seconds. */
const coarsestTimes = 2500;

const maxCacheBytes = 2 * 1024 ** 3;

/** In bytes, of one value, unpacked too. */
const mostKept = 2 ** 30;

/** Where it is kept unless told otherwise, for this very program: any change of its sources begins anew. */
export const chooseCache = (io: Pick<CommandIO, 'env' | 'stderr'>): CacheOptions => ({
  folder: findCacheFolder('reports', io),
  program: hashProgram(),
  settling: coarsestTimes,
  most: maxCacheBytes,
});

/** The option of all commands that measure records. */
export const noCacheOption = [
  '--no-cache',
  'read every record anew, also where nothing was written to it since it was last read',
] as const;

const root = path.join(import.meta.dirname, '../..');

/** All floors of the program. */
const floors = ['state', 'prompts', 'deception', 'models', 'nodes', 'graph', 'report', 'scripts'];

/** What a clone has, and not the package, where the version stands for it. */
const lock = 'package-lock.json';

let known: string | undefined;

/** Of what this process has loaded or may load: read once. */
const hashProgram = () =>
  (known ??= createHash('sha256')
    .update(`${process.version} ${hashSources(floors)}`)
    .update(getDisk().read(path.join(root, existsSync(path.join(root, lock)) ? lock : 'package.json')))
    .digest('hex'));

/** A hash of all sources on these floors, e.g. `['state', 'deception']`. */
export function hashSources(names: readonly string[]): string {
  const files = names.flatMap((floor) =>
    readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .sort()
      .map((name) => path.join(root, floor, name)),
  );
  return files.reduce((all, file) => all.update(getDisk().read(file)), createHash('sha256')).digest('hex');
}

/** Size, times and inode of a file, which are others once anything was written to it; a link is no file. */
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

/** The state of single files, as text; null where one is missing or is a link. */
export function describeFiles(files: readonly string[]): string | null {
  try {
    const found = files.map(describeFile);
    return found.every(({ isFile }) => isFile) ? found.map(({ text }) => text).join('\n') : null;
  } catch {
    return null;
  }
}

/**
 * Keeps values under keys that say all that they were made from. Each is a file of its own, written under another name
 * and renamed, so that several processes can use the same folder.
 *
 * @example
 * const cache = new MeasurementCache(chooseCache(process.env));
 * const state = cache.describeFolder('runs/a');
 * const key = cache.createKey('match', [state, { judge: undefined }]);
 * const tables = cache.read(key) ?? cache.keep(key, measure('runs/a'));
 */
export class MeasurementCache {
  readonly #options: CacheOptions;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /**
   * The state of a folder with all its files, without reading them: equal only while nothing is written. Null where it
   * cannot be told: for links, what cannot be read, and files that have just been written.
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

  /** `made`: all that the value depends on besides the program; it must be what JSON can hold. */
  createKey(kind: 'match' | 'report', made: readonly unknown[]): string {
    return `${kind}-${hash('sha256', JSON.stringify([this.#options.program, ...made]))}`;
  }

  has(key: string): boolean {
    return existsSync(this.#locate(key));
  }

  /** Null where nothing is kept, or it is damaged. */
  read(key: string): unknown {
    const file = this.#locate(key);
    try {
      const bytes = getDisk().read(file, mostKept);
      const packed = bytes.subarray(digestLength);
      if (!hashBytes(packed).equals(bytes.subarray(0, digestLength))) return null;
      const value: unknown = deserialize(unpackZstd(packed, mostKept));
      const now = new Date();
      utimesSync(file, now, now); // what is used is removed last
      return value;
    } catch {
      return null;
    }
  }

  /** Where it cannot be written, nothing is kept. */
  keep(key: string, value: unknown): void {
    const file = this.#locate(key);
    const draft = `${file}.${randomUUID()}.new`;
    try {
      const packed = zstdCompressSync(serialize(value), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
      getDisk().makeFolder(path.dirname(file), 0o700); // what models said is nobody else's business
      writeFileSync(draft, Buffer.concat([hashBytes(packed), packed]), { flag: 'wx' });
      getDisk().rename(draft, file);
    } catch {
      dropFile(draft);
    }
  }

  /** Removes what was not used for longest, where the folder has become too large. */
  trim(): void {
    try {
      const { folder, most } = this.#options;
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
      // another process trims it, or it is gone
    }
  }

  /** Many files in one folder are slow to list. */
  #locate(key: string): string {
    const [kind, name] = key.split('-') as [string, string];
    return path.join(this.#options.folder, kind, name.slice(0, 2), name.slice(2));
  }
}

const digestLength = 32;
const hashBytes = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** So much is left, so that not every report has to trim. */
const keptWhenTrimmed = 0.8;
