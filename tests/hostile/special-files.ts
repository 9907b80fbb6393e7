// Creates special files, and files too large to be read to the end, at any path.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const megabyte = 1024 * 1024;

/**
 * Size in bytes of a large file. It exceeds the memory that any command may use, and the size of any record's answers.
 */
const large = 400 * megabyte;

/** Depth of nesting that overflows any stack. */
const depth = 100_000;

/**
 * Number of objects in a file that is just small enough to be read. The parsed objects would use hundreds of megabytes.
 */
const objects = 5_000_000;

/** Creates special files. `workshop` contains the files that are created once and then linked. */
export class SpecialFiles {
  readonly #pipe: string;
  readonly #socket: string;
  readonly #bomb: string;

  /** `workshop`: an empty folder on the same file system as the files that the tests create. */
  constructor(workshop: string) {
    [this.#pipe, this.#socket, this.#bomb] = ['pipe', 'socket', 'bomb'].map((name) => path.join(workshop, name)) as [
      string,
      string,
      string,
    ];
    execFileSync('mkfifo', [this.#pipe]);
    // Leaves a socket behind: closing a server removes its socket, killing it does not. The name is short because
    // socket addresses must be short.
    const listen = `require('net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))`;
    try {
      execFileSync(process.execPath, ['-e', listen], { cwd: workshop, stdio: 'ignore' });
    } catch {
      // The process kills itself, as expected.
    }
    // A gigabyte of spaces, compressed in parts: concatenated gzip files are a valid gzip file.
    const part = gzipSync(Buffer.alloc(64 * megabyte, ' '));
    writeFileSync(this.#bomb, Buffer.concat(Array.from({ length: 16 }, () => part)));
  }

  /** Replaces anything at this path by a special file. */
  put(kind: SpecialKind, file: string): void {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(path.dirname(file), { recursive: true });
    const make: Record<SpecialKind, () => void> = {
      device: () => symlinkSync('/dev/zero', file),
      'full-device': () => symlinkSync('/dev/full', file),
      pipe: () => linkSync(this.#pipe, file),
      'linked-pipe': () => symlinkSync(this.#pipe, file),
      socket: () => linkSync(this.#socket, file),
      folder: () => mkdirSync(file),
      circle: () => symlinkSync(path.basename(file), file),
      'dead-link': () => symlinkSync('nowhere', file),
      zeros: () => {
        writeFileSync(file, '');
        truncateSync(file, large);
      },
      'late-zeros': () => {
        // The file begins with valid JSON.
        const open = openSync(file, 'w');
        writeSync(open, '{"id":"x",\n');
        ftruncateSync(open, large);
        closeSync(open);
      },
      deep: () => writeFileSync(file, `${'[{"a":'.repeat(depth)}0${'}]'.repeat(depth)}\n`),
      many: () => writeFileSync(file, `[${'{},'.repeat(objects)}0]\n`),
      garbage: () => writeFileSync(file, 'garbage\u0000\u001b[31m\r\n\u202e'),
      empty: () => writeFileSync(file, ''),
      bomb: () => linkSync(this.#bomb, file),
    };
    make[kind]();
  }
}

/**
 * The first eight are special files or links to special files. The others are files that no command should read
 * completely or accept.
 */
export const specialKinds = [
  'device',
  'full-device',
  'pipe',
  'linked-pipe',
  'socket',
  'folder',
  'circle',
  'dead-link',
  'zeros',
  'late-zeros',
  'deep',
  'many',
  'garbage',
  'empty',
  'bomb',
] as const;
export type SpecialKind = (typeof specialKinds)[number];
