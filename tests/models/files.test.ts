// Files with one JSON value per line, after power cuts and damage, and the lock that reserves a record for one process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { systemDisk } from '../../models/machine/disk.ts';
import type { ProcessIdentity } from '../../models/machine/processes.ts';
import { isLocked, takeLock } from '../../models/record/lock.ts';
import { openNdjson, readNdjson, RecordError, truncateTornLine } from '../../models/record/ndjson.ts';
import { createRecordChains, createSeal } from '../../models/record/seal.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const folder = createTemporaryFolder();
let files = 0;
const createFile = (contents?: string | Buffer) => {
  const file = path.join(folder, `${files++}.ndjson`);
  if (contents !== undefined) writeFileSync(file, contents);
  return file;
};
const Row = z.strictObject({ n: z.number(), words: z.string().optional() });
const read = (contents: string | Buffer) => readNdjson(createFile(contents), Row);

describe('a folder', () => {
  const makeFolder = (wanted: string) => systemDisk.makeFolder(wanted);

  it('is made with all that it lies in, and left alone where it is there', () => {
    const inner = path.join(folder, 'some', 'where');
    makeFolder(inner);
    writeFileSync(path.join(inner, 'kept'), '');
    makeFolder(inner);
    expect(readdirSync(inner)).toEqual(['kept']);
  });

  it('is refused where a file stands in its place or above it, or the system makes none', () => {
    const file = createFile('');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(path.join(file, 'inner'))).toThrow('EEXIST');
    if (process.platform === 'linux') expect(() => makeFolder('/proc/none/inner')).toThrow('ENOENT');
  });
});

describe('a file of lines', () => {
  it('is read row by row', () => {
    expect(read('{"n":1}\n{"n":2}\n')).toEqual({ rows: [{ n: 1 }, { n: 2 }], tornBytes: 0 });
  });

  it('has no rows where it is empty or not there', () => {
    expect(read('')).toEqual({ rows: [], tornBytes: 0 });
    expect(readNdjson(createFile(), Row)).toEqual({ rows: [], tornBytes: 0 });
  });

  it('gives back what was appended, whatever the words', () => {
    const rows = ['Zoë\n"says"', '\u2028🐺', '\0'].map((words, n) => ({ n, words }));
    const file = createFile();
    const first = openNdjson(file, 'append', Row);
    first.append(rows.slice(0, 2));
    first.append([]);
    first.close();
    const second = openNdjson(file, 'append', Row);
    second.append(rows.slice(2));
    second.close();
    expect(readNdjson(file, Row).rows).toEqual(rows);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('has each row as soon as it is appended', () => {
    const file = createFile();
    const open = openNdjson(file, 'append', Row);
    open.append([{ n: 1 }]);
    expect(readNdjson(file, Row).rows).toEqual([{ n: 1 }]);
    open.close();
  });

  it('begins anew where that is asked for', () => {
    const file = createFile('{"n":1}\n');
    const open = openNdjson(file, 'anew', Row);
    open.append([{ n: 2 }]);
    open.close();
    expect(readFileSync(file, 'utf8')).toBe('{"n":2}\n');
  });
});

describe('what means nothing in a file of lines', () => {
  it.each([
    ['empty lines', '{"n":1}\n\n  \n{"n":2}\n\n'],
    ['a byte order mark', '\ufeff{"n":1}\n{"n":2}\n'],
    ['line ends of Windows', '{"n":1}\r\n{"n":2}\r\n'],
  ])('is passed over: %s', (_what, contents) => {
    expect(read(contents)).toEqual({ rows: [{ n: 1 }, { n: 2 }], tornBytes: 0 });
  });
});

describe('a file of lines that was saved as UTF-16', () => {
  it.each(['with a byte order mark', 'without one'])('is named as such: %s', (how) => {
    const mark = how === 'without one' ? '' : '\ufeff';
    expect(() => read(Buffer.from(`${mark}{"n":1}\n`, 'utf16le'))).toThrow('is UTF-16 text, but records use UTF-8');
  });
});

describe('a torn last line', () => {
  it.each([
    ['in the middle', '{"n":2,"wo'],
    ['in the middle of a character', Buffer.from('{"n":2,"words":"Zoë').subarray(0, -1)],
    ['just before its line break', '{"n":2}'],
    ['to zeros', Buffer.alloc(5)],
  ])('%s is not read, and its bytes are counted', (_where, torn) => {
    const contents = read(Buffer.concat([Buffer.from('{"n":1}\n'), Buffer.from(torn)]));
    expect(contents).toEqual({ rows: [{ n: 1 }], tornBytes: Buffer.from(torn).length });
  });

  it('may be all there is', () => {
    expect(read('{"n":')).toEqual({ rows: [], tornBytes: 5 });
  });

  it('is cut off, and what follows is a line of its own', () => {
    const file = createFile('{"n":1}\n{"n":2,"words":"Zoë');
    const warnings: string[] = [];
    truncateTornLine(file, readNdjson(file, Row), (words) => void warnings.push(words));
    expect(warnings).toEqual([expect.stringContaining('the last line is incomplete')]);
    const open = openNdjson(file, 'append', Row);
    open.append([{ n: 3 }]);
    open.close();
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
  });

  it('that is none is left alone', () => {
    const file = createFile('{"n":1}\n');
    truncateTornLine(file, readNdjson(file, Row), () => expect('a warning').toBe('none'));
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n');
  });
});

describe('a gap that a power cut has left', () => {
  const lines = Array.from({ length: 60 }, (_, n) => `{"n":${n},"words":"w"}\n`).join('');
  const holed = (from: number, to: number) => Buffer.from(lines).fill(0, from, to);

  it('ends the rows, with all that follows', () => {
    const { rows, tornBytes } = read(holed(700, 1024));
    const kept = lines.slice(0, 700).split('\n').length - 1;
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: kept }, (_, n) => n));
    expect(tornBytes).toBe(lines.length - lines.lastIndexOf('\n', 700) - 1);
  });

  it('is cut off, and told', () => {
    const file = createFile(holed(700, 1024));
    const warnings: string[] = [];
    truncateTornLine(file, readNdjson(file, Row), (words) => void warnings.push(words));
    expect(warnings).toEqual([expect.stringContaining('a power cut has left a gap')]);
    expect(readFileSync(file, 'utf8')).toBe(lines.slice(0, lines.lastIndexOf('\n', 700) + 1));
  });

  it('of several megabytes ends the rows too, and so does one that begins in a later piece of a line', () => {
    for (const length of [3 * 2 ** 20, 5 * 2 ** 20]) {
      const rest = Buffer.concat([
        Buffer.from(lines),
        Buffer.alloc(length - (lines.length % 512)),
        Buffer.from('{"n":1}\n'),
      ]);
      const { rows, tornBytes } = read(rest);
      expect({ rows: rows.length, tornBytes }).toEqual({ rows: 60, tornBytes: rest.length - lines.length });
    }
    const long = Buffer.concat([Buffer.from(`{"n":1,"words":"${'w'.repeat(2 ** 20)}`), Buffer.alloc(4 * 2 ** 20)]);
    expect(read(long)).toMatchObject({ rows: [], tornBytes: long.length });
  });

  it('is none where zeros end within a sector: that is damage, and nothing after it is dropped', () => {
    expect(() => read(holed(700, 701))).toThrow(/line \d+ is damaged: it is not JSON/);
  });
});

describe('prompts that are a link', () => {
  it('are not sealed', () => {
    const record = path.join(folder, 'linked');
    mkdirSync(record);
    symlinkSync(createFile('{}'), path.join(record, 'prompts.ndjson.gz'));
    expect(() => createSeal(record, {}, createRecordChains({ id: 'linked' }))).toThrow(/prompts\.ndjson\.gz is a link/);
  });
});

describe('a damaged line', () => {
  it.each([
    ['that is no JSON', '{"n":1}\n{"n":\n{"n":3}\n', 2, 'it is not JSON'],
    ['that holds something else', '{"n":"one"}\n{"n":2}\n', 1, 'expected number'],
    ['with a key that nobody knows', '{"n":1}\n{"n":2}\n{"n":3,"m":4}\n', 3, 'Unrecognized key: "m"'],
    ['at the end, line break and all', '{"n":1}\n{"n":2,"wo\n', 2, 'it is not JSON'],
  ])('%s is refused with file, line and what to do', (_what, contents, line, reason) => {
    const file = createFile(contents);
    const reading = () => readNdjson(file, Row);
    expect(reading).toThrow(RecordError);
    expect(reading).toThrow(`${file}, line ${line} is damaged: `);
    expect(reading).toThrow(reason);
    expect(reading).toThrow('Restore the file from a copy, or move the folder away and start again.');
    expect(readFileSync(file, 'utf8')).toBe(contents);
  });
});

// Only one process at a time may play a match; tested with real processes.

const folderOfLocks = createTemporaryFolder();
let locks = 0;
const lockFile = () => path.join(folderOfLocks, `${locks++}.json`);
const listBeside = (file: string) => readdirSync(folderOfLocks).filter((name) => name.startsWith(path.basename(file)));

it.each([
  ['a link to nowhere', (file: string) => symlinkSync('/nowhere', file), 'is a link'],
  ['a folder', (file: string) => mkdirSync(file), 'is a folder, not a lock'],
])('%s in the place of a lock is refused at once', (_what, make, words) => {
  const file = lockFile();
  make(file);
  expect(() => takeLock(file)).toThrow(RecordError);
  expect(() => takeLock(file)).toThrow(words);
});

const children: ChildProcess[] = [];

const takes = `
  const { takeLock } = await import(process.argv[1]);
  try {
    takeLock(process.argv[2]);
    console.log('holds it');
    process.stdin.resume();
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }`;

const createTakingArguments = (file: string) => {
  const lock = path.join(import.meta.dirname, '../../models/record/lock.ts');
  return ['--input-type=module', '--eval', takes, lock, file];
};

/** Starts another process that takes the lock and keeps it as long as it lives. `said`: its output. */
async function startOtherProcess(file: string) {
  const child = spawn(process.execPath, createTakingArguments(file), { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: child.pid, said: said.toString().trim() };
}

async function killProcess(child: ChildProcess) {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const writeLockOf = (holder: object) => {
  const file = lockFile();
  writeFileSync(file, JSON.stringify(holder));
  return file;
};
const takeOwnLock = () => {
  const file = lockFile();
  const hold = takeLock(file);
  const holder = JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  hold.release();
  return holder;
};

describe('the lock of a file', () => {
  afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

  describe('a lock', () => {
    it('is taken, and free again once it is released', () => {
      const file = lockFile();
      takeLock(file).release();
      expect(existsSync(file)).toBe(false);
      takeLock(file).release();
      expect(listBeside(file)).toEqual([]);
    });

    it('names process, start, host, namespace and boot of its holder, and the epoch', () => {
      const { started, namespace, boot } = takeOwnLock();
      expect(takeOwnLock()).toEqual({ pid: process.pid, started, host: hostname(), namespace, boot, epoch: 1 });
      if (process.platform === 'linux') expect([namespace, boot]).toEqual([expect.any(String), expect.any(String)]);
    });

    it('leaves nothing else behind', () => {
      const file = lockFile();
      const hold = takeLock(file);
      expect(listBeside(file)).toEqual([path.basename(file)]);
      hold.release();
    });

    it('is refused to the same process a second time', () => {
      const file = lockFile();
      const hold = takeLock(file);
      expect(() => takeLock(file)).toThrow(RecordError);
      hold.release();
    });
  });

  describe('while another process lives', () => {
    it('its lock is refused, with its number and what to do', async () => {
      const file = lockFile();
      const { child, pid, said } = await startOtherProcess(file);
      expect(said).toBe('holds it');
      expect(() => takeLock(file)).toThrow(
        new RecordError(
          `${file} says that process ${pid} on ${hostname()} is playing this match. Wait for it or stop it.`,
        ),
      );
      expect((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid).toBe(pid);
      expect(listBeside(file)).toEqual([path.basename(file)]);
      await killProcess(child);
    });

    it('ours is refused to it', async () => {
      const file = lockFile();
      const hold = takeLock(file);
      const { said } = await startOtherProcess(file);
      expect(said).toContain(`RecordError: ${file} says that process ${process.pid}`);
      hold.release();
    });
  });

  describe('when its process is dead, a lock', () => {
    it('is taken over at once', async () => {
      const file = lockFile();
      await killProcess((await startOtherProcess(file)).child);
      expect(existsSync(file)).toBe(true);
      const hold = takeLock(file);
      expect((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid).toBe(process.pid);
      expect(listBeside(file)).toEqual([path.basename(file)]);
      hold.release();
    });

    itLong('is taken over by one process only, however many try', async () => {
      const file = lockFile();
      await killProcess((await startOtherProcess(file)).child);
      const others = await Promise.all(Array.from({ length: 5 }, () => startOtherProcess(file)));
      expect(others.filter(({ said }) => said === 'holds it')).toHaveLength(1);
      expect(others.filter(({ said }) => said.startsWith('RecordError: '))).toHaveLength(4);
      expect(listBeside(file)).toEqual([path.basename(file)]);
    });

    const onLinux = process.platform === 'linux' ? it : it.skip;

    onLinux('is taken over though nobody has buried it yet, as in a container without init', async () => {
      const file = lockFile();
      const undertaker = spawn(
        'sh',
        ['-c', '"$@" <&3 3<&- & exec sleep 60', 'sh', process.execPath, ...createTakingArguments(file)],
        {
          stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
        },
      );
      children.push(undertaker);
      await once(undertaker.stdout!, 'data');
      const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
      process.kill(pid, 'SIGKILL');
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await new Promise(setImmediate);
      takeLock(file).release();
      expect(existsSync(file)).toBe(false);
    });

    it('is taken over though its number was given to a process that started later', () => {
      const file = writeLockOf({ ...takeOwnLock(), started: 'long ago' });
      takeLock(file).release();
      expect(existsSync(file)).toBe(false);
    });

    it('is taken over though nothing can be read in it', () => {
      const file = lockFile();
      for (const contents of ['', '{"pid":', '{"pid":"one"}', 'null']) {
        writeFileSync(file, contents);
        const longAgo = Date.now() / 1000 - 10;
        utimesSync(file, longAgo, longAgo);
        takeLock(file).release();
      }
      expect(listBeside(file)).toEqual([]);
    });

    it('is waited for while it is empty, as it is for a moment where another process takes it without links', () => {
      const file = lockFile();
      writeFileSync(file, '');
      expect(isLocked(file)).toBe(true);
      expect(() => takeLock(file)).toThrow(`${file} is empty: another process is probably about to start`);
      expect(readFileSync(file, 'utf8')).toBe('');
    });
  });

  describe('a lock of another machine', () => {
    it('is refused, since nobody can ask there, with the way out', () => {
      const file = writeLockOf({ pid: 1, started: 'once', host: 'elsewhere' });
      const contents = readFileSync(file, 'utf8');
      expect(() => takeLock(file)).toThrow(
        new RecordError(
          `${file} says that process 1 on elsewhere is playing this match. Wait for it or stop it; if that machine is gone, delete the file.`,
        ),
      );
      expect(readFileSync(file, 'utf8')).toBe(contents);
    });
  });

  it('counts a process whose start cannot be told as alive', () => {
    const file = writeLockOf({ ...takeOwnLock(), started: null });
    expect(() => takeLock(file)).toThrow(RecordError);
  });
});
