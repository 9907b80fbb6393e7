// The disk opens only regular files up to a size limit, and never waits for other files.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  renameSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createSystemDisk, type SystemCalls, systemDisk, usualLimit } from '../../models/machine/disk.ts';
import { unpackGzip, unpackLines } from '../../models/machine/unpack.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const at = (name: string) => path.join(root, name);
const onUnix = process.platform === 'win32' ? describe.skip : describe;

writeFileSync(at('file'), 'twelve bytes');
mkdirSync(at('folder'));

onUnix('what is no regular file', () => {
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('device'));
  symlinkSync(at('circle'), at('circle'));
  const server = createServer().listen(at('socket'));
  afterAll(() => void server.close());

  const kinds = [
    ['pipe', 'a pipe, but a file was expected'],
    ['device', 'a device, but a file was expected'],
    ['folder', 'a folder, but a file was expected'],
  ] as const;

  it.each(kinds)('is not read and not opened: a %s', (name, words) => {
    for (const read of [
      () => systemDisk.read(at(name)),
      () => systemDisk.readText(at(name)),
      () => systemDisk.readEnd(at(name), 10),
      () => systemDisk.open(at(name), 'read'),
    ])
      expect(read).toThrow(`${at(name)} is ${words}.`);
  });

  it('is not waited for to be written: a pipe that nobody reads', () => {
    for (const write of [
      () => systemDisk.write(at('pipe'), 'x'),
      () => systemDisk.open(at('pipe'), 'append'),
      () => systemDisk.touch(at('pipe')),
    ])
      expect(write).toThrow(/is a pipe|ENXIO/);
  });

  it('throws what the system says of a socket and of a link in a circle', () => {
    expect(() => systemDisk.read(at('socket'))).toThrow('ENXIO');
    expect(() => systemDisk.read(at('circle'))).toThrow('ELOOP');
  });

  it('is looked at without being opened', () => {
    expect(systemDisk.find(at('pipe'))).toMatchObject({ kind: 'other' });
    expect(systemDisk.find(at('device'))).toMatchObject({ kind: 'other' });
    expect(systemDisk.find(at('circle'))).toBeNull();
    expect(systemDisk.exists(at('circle'))).toBe(false);
  });

  itLong('is read as far as a user who names it allows: a pipe, which is waited for', async () => {
    const feed = (bytes: number) => spawn('sh', ['-c', `sleep 0.2; head -c ${bytes} /dev/zero > "$0"`, at('pipe')]);
    const ended = (child: ReturnType<typeof feed>) => new Promise((end) => child.once('exit', end));
    const short = feed(2000);
    expect(systemDisk.readInput(at('pipe'), 3000)).toHaveLength(2000);
    await ended(short);
    const long = feed(200_000);
    expect(() => systemDisk.readInput(at('pipe'), 100_000)).toThrow(/pipe is larger than 98 kB/);
    await ended(long);
    expect(() => systemDisk.readInput('/dev/zero', 100)).toThrow('is a device');
  });

  it('may be a device only where it is written', () => {
    systemDisk.write('/dev/null', 'gone');
    if (process.platform === 'linux') expect(() => systemDisk.write('/dev/full', 'x')).toThrow('ENOSPC');
  });
});

describe('a file', () => {
  it('is read whole up to its limit, and refused beyond it', () => {
    expect(systemDisk.read(at('file')).toString()).toBe('twelve bytes');
    expect(systemDisk.readText(at('file'), 12)).toBe('twelve bytes');
    expect(() => systemDisk.readText(at('file'), 11)).toThrow(`${at('file')} is larger than 0 kB`);
    writeFileSync(at('empty'), '');
    expect(systemDisk.read(at('empty'))).toHaveLength(0);
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), usualLimit + 1);
    expect(() => systemDisk.read(at('sparse'))).toThrow(`${at('sparse')} is larger than 16 MB`);
    truncateSync(at('sparse'), usualLimit);
    expect(systemDisk.read(at('sparse'))).toHaveLength(usualLimit);
  });

  (process.platform === 'linux' ? it : it.skip)('is measured while it is read, whatever size it says it has', () => {
    const whole = readFileSync('/proc/self/environ').length; // the system reports size 0 for this file
    expect(systemDisk.find('/proc/self/environ')).toMatchObject({ kind: 'file', size: 0 });
    expect(systemDisk.read('/proc/self/environ')).toHaveLength(whole);
    expect(() => systemDisk.read('/proc/self/environ', whole - 1)).toThrow('is larger than');
  });

  it('is read at its end alone where that is wanted', () => {
    expect(systemDisk.readEnd(at('file'), 5).toString()).toBe('bytes');
    expect(systemDisk.readEnd(at('file'), 500).toString()).toBe('twelve bytes');
  });

  it('is written whole, added to, made anew and not made twice', () => {
    systemDisk.write(at('own'), 'one', true);
    const more = systemDisk.open(at('own'), 'append');
    more.write(' two');
    more.close();
    expect(readFileSync(at('own'), 'utf8')).toBe('one two');
    systemDisk.write(at('own'), 'new');
    expect(readFileSync(at('own'), 'utf8')).toBe('new');
    expect(() => systemDisk.open(at('own'), 'new')).toThrow('EEXIST');
    appendFileSync(at('own'), 'er');
    expect(systemDisk.readText(at('own'))).toBe('newer');
  });
});

describe('what is packed', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '));
  const read = async (packed: Buffer, limits: { longest: number; most: number }) => {
    const lines: string[] = [];
    for await (const line of unpackLines(packed, limits)) lines.push(line);
    return lines;
  };

  it('unpacks to no more than allowed', () => {
    expect(unpackGzip(gzipSync('abc'), 3).toString()).toBe('abc');
    expect(() => unpackGzip(bomb, 2 ** 20)).toThrow(RangeError);
  });

  it('is read line by line, of several members too, with a limit for each and for all', async () => {
    const words = Buffer.concat([gzipSync('one\ntwo\n'), gzipSync(`${'ü'.repeat(50_000)}\nend`)]);
    expect(await read(words, { longest: 100_000, most: 200_000 })).toEqual(['one', 'two', 'ü'.repeat(50_000), 'end']);
    await expect(read(words, { longest: 50_000, most: 200_000 })).rejects.toThrow('a line of more than 50000 bytes');
    await expect(read(words, { longest: 100_000, most: 50_000 })).rejects.toThrow('larger than 50000 bytes');
    await expect(read(bomb, { longest: 2 ** 20, most: 2 ** 30 })).rejects.toThrow('a line of more than');
    await expect(read(Buffer.from('garbage'), { longest: 10, most: 10 })).rejects.toThrow();
    await expect(read(words.subarray(0, -20), { longest: 100_000, most: 200_000 })).rejects.toThrow();
  });
});

describe('text', () => {
  const text = 'KEY=é\n';
  const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 of Windows', marked],
    ['UTF-16, the other byte first', Buffer.from(marked).swap16()],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
  ])('is read from %s', (name, bytes) => {
    writeFileSync(at(name), bytes);
    expect(systemDisk.readText(at(name))).toBe(text);
    expect(systemDisk.readInput(at(name), usualLimit)).toBe(text);
  });

  it('is read from an empty file and from a single byte', () => {
    for (const short of ['', 'a']) {
      writeFileSync(at('short'), short);
      expect(systemDisk.readText(at('short'))).toBe(short);
    }
  });

  it('is not taken from a pointer of git-lfs, which is named as such however it is read', () => {
    const file = at('pointer');
    writeFileSync(file, `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`);
    for (const read of [
      () => systemDisk.read(file),
      () => systemDisk.readText(file),
      () => systemDisk.readInput(file, usualLimit),
      () => systemDisk.open(file, 'read'),
    ])
      expect(read).toThrow(`${file} is a git-lfs pointer to a file that was not downloaded. Run "git lfs pull"`);
  });
});

/**
 * A disk of which one call fails with each of these errors in turn and then works. If `isLasting`, the call keeps
 * failing with the last error.
 */
function createFailingDisk(call: 'link' | 'fsync' | 'rename', codes: readonly string[], isLasting = false) {
  let asked = 0;
  const waits: number[] = [];
  const calls: SystemCalls = { link: linkSync, fsync: fsyncSync, rename: renameSync, pause: (ms) => waits.push(ms) };
  const act = calls[call] as (...given: unknown[]) => void;
  const fail = (...given: unknown[]) => {
    const code = codes[isLasting ? Math.min(asked, codes.length - 1) : asked];
    asked += 1;
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    act(...given);
  };
  return { disk: createSystemDisk({ ...calls, [call]: fail }), countCalls: () => asked, waits };
}

describe('a file system that lacks something', () => {
  it.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'EINVAL'])(
    'has a copy in place of a second name, which is made only where nobody has the name: %s',
    (code) => {
      const { disk } = createFailingDisk('link', [code], true);
      const name = at(`copy-${code}`);
      disk.link(at('file'), name);
      expect(systemDisk.readText(name)).toBe('twelve bytes');
      expect(() => disk.link(at('file'), name)).toThrow('EEXIST');
      expect(disk.survey(root)).toEqual({ hasLinks: false, canFlush: true });
    },
  );

  it('throws any other error of a second name', () => {
    expect(() => createFailingDisk('link', ['EIO'], true).disk.link(at('file'), at('never'))).toThrow('EIO');
    expect(() => systemDisk.link(at('missing'), at('never'))).toThrow('ENOENT');
  });

  it.each(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])('is written to without a flush: %s', (code) => {
    const { disk, countCalls } = createFailingDisk('fsync', [code], true);
    disk.write(at('unflushed'), 'x', true);
    const open = disk.open(at('unflushed'), 'append');
    open.sync();
    open.close();
    disk.syncFolder(root);
    expect(countCalls()).toBe(3);
    expect(disk.survey(root)).toEqual({ hasLinks: true, canFlush: false });
  });

  it('throws that a flush failed, which loses what was written', () => {
    expect(() => createFailingDisk('fsync', ['EIO']).disk.write(at('lost'), 'x', true)).toThrow('EIO');
  });

  it('is asked again for a rename that another program holds up, and not for ever', () => {
    const { disk, countCalls } = createFailingDisk('rename', ['EPERM', 'EBUSY', 'EACCES']);
    writeFileSync(at('held'), 'x');
    disk.rename(at('held'), at('freed'));
    expect(countCalls()).toBe(4);
    expect(systemDisk.readText(at('freed'))).toBe('x');
    const lasting = createFailingDisk('rename', ['EBUSY'], true);
    expect(() => lasting.disk.rename(at('freed'), at('never'))).toThrow('EBUSY');
    expect(lasting.countCalls()).toBe(7);
    expect(lasting.waits).toEqual([10, 20, 40, 80, 160, 320]);
    const other = createFailingDisk('rename', ['ENOSPC'], true);
    expect(() => other.disk.rename(at('freed'), at('never'))).toThrow('ENOSPC');
    expect(other.countCalls()).toBe(1);
  });

  it('is surveyed without a trace, and refuses what cannot be written', () => {
    mkdirSync(at('surveyed'));
    expect(systemDisk.survey(at('surveyed'))).toEqual({ hasLinks: true, canFlush: true });
    expect(systemDisk.list(at('surveyed'))).toEqual([]);
    expect(() => systemDisk.survey(at('nowhere'))).toThrow('ENOENT');
  });
});
