// One process at a time on a match, with real processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { takeLock } from '../../models/record/lock.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let locks = 0;
const lockFile = () => path.join(folder, `${locks++}.json`);
const beside = (file: string) => readdirSync(folder).filter((name) => name.startsWith(path.basename(file)));

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

const takes = `
  const { takeLock } = await import(process.argv[1]);
  try {
    takeLock(process.argv[2]);
    console.log('holds it');
    process.stdin.resume();
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }`;

const taking = (file: string) => {
  const lock = path.join(import.meta.dirname, '../../models/record/lock.ts');
  return ['--input-type=module', '--eval', takes, lock, file];
};

/** Another process that takes the lock and keeps it as long as it lives; `said` is what came of it. */
async function otherProcess(file: string) {
  const child = spawn(process.execPath, taking(file), { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: child.pid, said: said.toString().trim() };
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const heldBy = (holder: object) => {
  const file = lockFile();
  writeFileSync(file, JSON.stringify(holder));
  return file;
};
const mine = () => {
  const file = lockFile();
  const release = takeLock(file);
  const holder = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; started: string | null; host: string };
  release();
  return holder;
};

describe('a lock', () => {
  it('is taken, and free again once it is released', () => {
    const file = lockFile();
    takeLock(file)();
    expect(existsSync(file)).toBe(false);
    takeLock(file)();
    expect(beside(file)).toEqual([]);
  });

  it('names process, start and host of its holder', () => {
    expect(mine()).toEqual({ pid: process.pid, started: mine().started, host: hostname() });
  });

  it('leaves nothing else behind', () => {
    const file = lockFile();
    const release = takeLock(file);
    expect(beside(file)).toEqual([path.basename(file)]);
    release();
  });

  it('is refused to the same process a second time', () => {
    const file = lockFile();
    const release = takeLock(file);
    expect(() => takeLock(file)).toThrow(RecordError);
    release();
  });
});

describe('while another process lives', () => {
  it('its lock is refused, with its number and what to do', async () => {
    const file = lockFile();
    const { child, pid, said } = await otherProcess(file);
    expect(said).toBe('holds it');
    expect(() => takeLock(file)).toThrow(
      new RecordError(
        `${file} says that process ${pid} on ${hostname()} is playing this match. Wait for it or stop it.`,
      ),
    );
    expect((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid).toBe(pid);
    expect(beside(file)).toEqual([path.basename(file)]);
    await kill(child);
  });

  it('ours is refused to it', async () => {
    const file = lockFile();
    const release = takeLock(file);
    const { said } = await otherProcess(file);
    expect(said).toContain(`RecordError: ${file} says that process ${process.pid}`);
    release();
  });
});

describe('when its process is dead, a lock', () => {
  it('is taken over at once', async () => {
    const file = lockFile();
    await kill((await otherProcess(file)).child);
    expect(existsSync(file)).toBe(true);
    const release = takeLock(file);
    expect((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid).toBe(process.pid);
    expect(beside(file)).toEqual([path.basename(file)]);
    release();
  });

  it('is taken over by one process only, however many try', async () => {
    const file = lockFile();
    await kill((await otherProcess(file)).child);
    const others = await Promise.all(Array.from({ length: 5 }, () => otherProcess(file)));
    expect(others.filter(({ said }) => said === 'holds it')).toHaveLength(1);
    expect(others.filter(({ said }) => said.startsWith('RecordError: '))).toHaveLength(4);
    expect(beside(file)).toEqual([path.basename(file)]);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('is taken over though nobody has buried it yet, as in a container without init', async () => {
    const file = lockFile();
    const undertaker = spawn('sh', ['-c', '"$@" <&3 3<&- & exec sleep 60', 'sh', process.execPath, ...taking(file)], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    children.push(undertaker);
    await once(undertaker.stdout!, 'data');
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await new Promise(setImmediate);
    takeLock(file)();
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over though its number was given to a process that started later', () => {
    const file = heldBy({ ...mine(), started: 'long ago' });
    takeLock(file)();
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over though nothing can be read in it', () => {
    const file = lockFile();
    for (const contents of ['', '{"pid":', '{"pid":"one"}', 'null']) {
      writeFileSync(file, contents);
      takeLock(file)();
    }
    expect(beside(file)).toEqual([]);
  });
});

describe('a lock of another machine', () => {
  it('is refused, since nobody can ask there, with the way out', () => {
    const file = heldBy({ pid: 1, started: 'once', host: 'elsewhere' });
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
  const file = heldBy({ ...mine(), started: null });
  expect(() => takeLock(file)).toThrow(RecordError);
});
