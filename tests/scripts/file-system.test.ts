// Commands on file systems without hard links or flushes, and beside programs that hold files open. Such file systems
// cannot be mounted without special rights, so the system's calls fail at the one place that touches the disk.
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createSystemDisk, type SystemCalls } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { eventsIn } from './match-folder.ts';
import { run, shortest } from './process.ts';

const out = createTemporaryFolder();
const systemError = (code: string) => Object.assign(new Error(`${code}: as on another file system`), { code });

/** Creates a call that always fails with the error. */
const refuse = (code: string) => () => {
  throw systemError(code);
};

/** Creates a call that fails every second time; the errors take turns. */
function holdUp(codes: readonly string[]): SystemCalls['rename'] {
  let asked = 0;
  return (from, to) => {
    asked += 1;
    if (asked % 2 === 1) throw systemError(codes[(asked >> 1) % codes.length]!);
    renameSync(from, to);
  };
}

const runOn = (calls: Partial<SystemCalls>, ...args: Parameters<typeof run>) =>
  runOnMachine({ ...getMachine(), disk: createSystemDisk(calls) }, () => run(...args));

const match = (id: string) => ['--out', out, '--id', id, '--seed', '3', ...shortest];
await run('match', match('usual'));

describe.each([
  ['has no hard links', { link: refuse('EPERM') }, []],
  ['has neither links nor flushes', { link: refuse('ENOTSUP'), fsync: refuse('EINVAL') }, ['does not flush files']],
  ['has files that a virus scanner opens', { rename: holdUp(['EPERM', 'EBUSY', 'EACCES']) }, []],
] as const)('a file system that %s', (name, calls, warnings) => {
  const id = name.replaceAll(' ', '-');

  it('keeps a match like any other, with a warning where a power cut takes more', async () => {
    const { code, stderr } = await runOn(calls, 'match', match(id));
    expect(code).toBe(0);
    expect(stderr.split('\n').filter(Boolean)).toEqual(
      warnings.map((words) => expect.stringMatching(`^Warning: ${out}: .*${words}`) as unknown),
    );
    expect(eventsIn(path.join(out, id))).toBe(eventsIn(path.join(out, 'usual')));
    expect(readdirSync(path.join(out, id)).sort()).toEqual(readdirSync(path.join(out, 'usual')).sort());
  });

  it('verifies and reports it', async () => {
    expect(await runOn(calls, 'verify', [path.join(out, id)])).toMatchObject({ code: 0 });
    expect(await runOn(calls, 'report', [path.join(out, id)])).toMatchObject({ code: 0 });
  });
});

describe('doctor', () => {
  it.each([
    ['', {}],
    ['does not flush files, so a power failure can lose more', { fsync: refuse('ENOSYS') }],
    ['This file system has no hard links, so play its matches from one machine at a time', { link: refuse('EMLINK') }],
  ] as const)('says what the file system of records lacks: %s', async (words, calls) => {
    const { stdout } = await runOn(calls, 'doctor', ['--out', out]);
    const line = stdout.split('\n').find((one) => /^\w+ +Records /i.test(one))!;
    expect(line).toMatch(/^ok .* can be written, /);
    expect(line).toContain(words);
    expect(line.includes('power failure') || line.includes('hard links')).toBe(words !== '');
  });

  it('calls a folder a fault where a match could not be kept', async () => {
    const { code, stdout } = await runOn({ rename: refuse('EROFS') }, 'doctor', ['--out', out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT +records .*EROFS.* Name another folder with --out\.$/m);
    expect(stdout).not.toContain('virus scanner');
  });

  it('says what may hold files where renames are refused for good', async () => {
    const calls = { rename: refuse('EBUSY'), pause: () => undefined };
    const { code, stdout } = await runOn(calls, 'doctor', ['--out', out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT +records .*EBUSY.* sync program .*exclude the folder .* --out\.$/m);
  });

  it('says that caches are not kept where their folder takes no file, and what to set', async () => {
    const { stdout } = await runOn({ rename: refuse('EROFS') }, 'doctor', ['--out', out]);
    expect(stdout).toMatch(/^- +caches +nothing is cached: EROFS.* Set XDG_CACHE_HOME to another folder$/m);
  });
});
