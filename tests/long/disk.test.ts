// Full disks and folders that cannot be written: the error names the file and the fix, and the same command continues
// afterwards.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { answersIn, eventsIn, stateOf } from '../scripts/match-folder.ts';
import { run, scriptArgs, short, start } from '../scripts/process.ts';

const out = createTemporaryFolder();
const folder = (id: string) => path.join(out, id);
const small = ['--seed', '3', '--rules', 'arena', '--rule', 'debateTurns=2', '--rule', 'maxRounds=2', '--json'];
const match = (id: string, where = out) => ['--out', where, '--id', id, ...small];
const whole = await run('match', match('whole'));

const cure = 'Free some space or repair the disk, then run the same command again.';
const goOn = (id: string) => `Answers so far are recorded. To resume: npm run match -- --id ${id} --out ${out}`;

/** Runs the same command again. Expects that the match ends as if it had never stopped. */
async function expectToGoOn(id: string, where = out) {
  const again = await run('match', match(id, where));
  expect(again.code).toBe(0);
  const mended = path.join(where, id);
  expect(eventsIn(mended)).toBe(eventsIn(folder('whole')));
  expect(answersIn(mended)).toHaveLength(answersIn(folder('whole')).length);
  expect(readdirSync(mended).sort()).toEqual(readdirSync(folder('whole')).sort());
  return again.stderr;
}

const ifPossible = (isPossible: boolean) => (isPossible ? describe : describe.skip);
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** A file on a full disk. */
const full = '/dev/full';

ifPossible(existsSync(full))('a disk that is full for a file', () => {
  /** Makes a full disk of the temporary file of a file that must be written completely or not at all. */
  function fullFor(id: string, name: string) {
    mkdirSync(folder(id));
    symlinkSync(full, path.join(folder(id), name));
  }

  it.each(['manifest.json.new', 'deception_summary.json.new'])(
    'and stands under the name of the draft %s is taken away, and the match ends as ever',
    async (name) => {
      const id = name.split('.')[0]!.replace('_', '-');
      fullFor(id, name);
      expect(await expectToGoOn(id)).toBe('');
    },
  );

  it('stops no match for want of the log', async () => {
    fullFor('log', 'log.ndjson');
    const { code, stderr } = await run('match', match('log'));
    expect(stderr).toMatch(/^Warning: The log in \S+log can no longer be written: ENOSPC.*\n$/);
    expect(code).toBe(0);
    expect(eventsIn(folder('log'))).toBe(eventsIn(folder('whole')));
  });
});

ifPossible(process.platform !== 'win32')('a file that may not grow', () => {
  it('stops the match in the middle of a line, whose call alone is made again', async () => {
    const limited = ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, ...scriptArgs('match', ...match('cut'))];
    const env = { NODE_DISABLE_COMPILE_CACHE: '1' }; // the limit would also cut the files of Node's compile cache
    const { code, stderr } = await start('sh', limited, { env }).ended;
    const file = path.join(folder('cut'), 'answers.ndjson');
    expect(stderr).toMatch(/^\S+answers\.ndjson cannot be written: EFBIG: .* Free some space or repair the disk,/);
    expect(stderr).toContain(goOn('cut'));
    expect(code).toBe(1);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.at(-1)).not.toBe('');
    expect(await expectToGoOn('cut')).toMatch(/^Warning: \S+answers\.ndjson: the last line is incomplete; .*\n$/);
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, lines.length - 1),
    ).toEqual(lines.slice(0, -1));
  });
});

ifPossible(works('unshare', '-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()))('a disk that is full', () => {
  /** Script that mounts a separate disk with this many free kilobytes, and adds more after the match has failed. */
  const onSmallDisk = `
    mount -t tmpfs -o size=$(($1 + 4))k tmpfs "$0" && head -c 4096 /dev/zero > "$0/filler" || exit 99
    shift; "$@"; code=$?; ls "$0/match" > "$0.files"
    rm "$0/filler"; mount -o remount,size=20m "$0"; echo "There is room again." >&2
    "$@" && cp "$0/match/events.ndjson" "$0.events"; exit $code`;

  /**
   * Measures the number of kilobytes that suffice for all files of the match and half of its summary, which is written
   * last.
   */
  function measureRoomWithoutSummary(): number {
    const pages = readdirSync(folder('whole')).map((name) => {
      const { size } = statSync(path.join(folder('whole'), name));
      return Math.ceil(size / 4096) / (name === 'deception_summary.json' ? 2 : 1);
    });
    return 4 * Math.floor(pages.reduce((sum, one) => sum + one, 0));
  }

  const fault = (file: string, then = '') =>
    new RegExp(`^\\S+${file} cannot be written: ENOSPC.* Free some space or repair the disk, .*\\n${then}$`);
  const goesOn = 'Answers so far are recorded\\. To resume: .*\\n';

  it.each([
    ['the lock', 0, /^The folder \S+ cannot be written: ENOSPC.* Name another folder with --out\.\n$/],
    ['the manifest', 4, fault('manifest\\.json')],
    ['the middle of the match', 24, fault('ndjson', goesOn)],
    ['the summary', measureRoomWithoutSummary(), fault('deception_summary\\.json', goesOn)],
  ])('at %s is told, and the same command goes on once there is room', async (_, size, says) => {
    const disk = path.join(out, `disk-${size}`);
    mkdirSync(disk);
    const program = [process.execPath, ...scriptArgs('match', ...match('match', disk))];
    const args = ['-Urm', 'sh', '-c', onSmallDisk, disk, String(size), ...program];
    const { code, stderr } = await start('unshare', args).ended;
    const [first, second] = stderr.split('There is room again.\n');
    expect(first!.replace(/^Warning: The log .*\n/m, '')).toMatch(says); // the log may be the first file that cannot be written
    expect(code).toBe(1);
    expect(readFileSync(`${disk}.files`, 'utf8')).not.toMatch(/lock|new/);
    expect(second).toMatch(/^(Warning: .*the last line is incomplete.*\n)?$/);
    expect(readFileSync(`${disk}.events`, 'utf8')).toBe(eventsIn(folder('whole')));
  });
});

ifPossible(works('unshare', '-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()))('a disk that matches fill', () => {
  /**
   * Script that mounts a separate disk with this many kilobytes, and makes room for everything after the set has
   * failed.
   */
  const onSmallDisk = `
    mount -t tmpfs -o size=$1k tmpfs "$0" || exit 99
    shift; "$@"; code=$?
    mount -o remount,size=20m "$0"; echo "There is room again." >&2
    "$@" && exit $code`;

  it('stops all in words, and the same command goes on once there is room', async () => {
    const disk = path.join(out, 'set');
    mkdirSync(disk);
    const program = [
      process.execPath,
      ...scriptArgs('match', '--out', disk, '--seed', '1', '--matches', '5', ...short),
    ];
    const { code, stdout, stderr } = await start('unshare', ['-Urm', 'sh', '-c', onSmallDisk, disk, '70', ...program])
      .ended;
    const [first, second] = stderr.split('There is room again.\n');
    expect(first).toMatch(/^\d matches were stopped\. Answers so far are recorded\.\nTo resume: npm run match -- /m);
    expect(first).toContain(cure);
    expect(first).not.toMatch(/^ +at |Unhandled/m);
    expect(code).toBe(1);
    expect(second!.replace(/^Warning: .*the last line is incomplete.*\n/gm, '')).toBe('');
    expect(stdout).toMatch(/Matches finished +│ +5 of 5/);
  });
});

/** Root can write everywhere, unless its capabilities are removed. */
const bound = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : ['env'];
const hasPermissions = process.platform !== 'win32' && works(bound[0]!, ...bound.slice(1), 'true');

ifPossible(hasPermissions)('a folder that may only be read', () => {
  async function runWhileReadOnly(where: string, args: readonly string[]) {
    const [program, ...rest] = [...bound, process.execPath, ...scriptArgs('match', ...args)];
    chmodSync(where, 0o555);
    try {
      return await start(program!, rest).ended;
    } finally {
      chmodSync(where, 0o755);
    }
  }

  /** Copies the whole match to another folder. */
  function copied(shelf: string) {
    const copy = path.join(out, shelf, 'whole');
    cpSync(folder('whole'), copy, { recursive: true });
    return copy;
  }

  it('takes no match, and is named with what to do', async () => {
    const shelf = path.join(out, 'shelf');
    mkdirSync(shelf);
    const { code, stderr } = await runWhileReadOnly(shelf, match('new', shelf));
    expect(stderr).toMatch(/^The folder \S+shelf cannot be written: EACCES: .* Name another folder with --out\.\n$/);
    expect(code).toBe(1);
    expect(readdirSync(shelf)).toEqual([]);
  });

  it('gives a finished match to read', async () => {
    const copy = copied('library');
    const before = stateOf(copy);
    const { code, stdout, stderr } = await runWhileReadOnly(copy, match('whole', path.join(out, 'library')));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(whole.stdout.replace(folder('whole'), copy));
    expect(stateOf(copy)).toEqual(before);
  });

  it('goes on with a match as soon as it may be written', async () => {
    const copy = copied('desk');
    rmSync(path.join(copy, 'deception_summary.json'));
    const { code, stderr } = await runWhileReadOnly(copy, match('whole', path.join(out, 'desk')));
    expect(stderr).toMatch(/^The folder \S+desk cannot be written: EACCES: .*whole\/lock\.json/);
    expect(code).toBe(1);
    await expectToGoOn('whole', path.join(out, 'desk'));
  });
});

const isImmutablePossible = () => {
  const probe = path.join(out, 'probe');
  writeFileSync(probe, '');
  return works('chattr', '+i', probe) && works('chattr', '-i', probe);
};

ifPossible(process.platform === 'linux' && isImmutablePossible())('a table of a report that cannot be replaced', () => {
  const study = path.join(out, 'immutable');
  const report = path.join(study, 'report');
  const table = path.join(report, 'matches.csv');
  const again = () => run('report', [study, '--no-baselines']);
  const examine = async () =>
    (await run('doctor', ['--out', study])).stdout.split('\n').find((line) => / report /.test(line));

  it('leaves the whole report as it was, says what to close, and doctor says it before', async () => {
    await run('match', match('first', study));
    expect((await again()).code).toBe(0);
    expect(await examine()).toMatch(/^ok +report .*can be replaced$/);
    await run('match', match('second', study).with(5, '4')); // another seed
    const before = stateOf(report);
    expect(works('chattr', '+i', table)).toBe(true);
    try {
      expect(await examine()).toMatch(/^FAULT +report .*cannot be replaced: close \S+matches\.csv in programs/);
      const { code, stderr } = await again();
      expect(stderr).toMatch(/matches\.csv cannot be replaced: EPERM.*Close it in programs such as spreadsheets/);
      expect(code).toBe(1);
      expect(stateOf(report)).toEqual(before);
    } finally {
      works('chattr', '-i', table);
    }
    expect((await again()).code).toBe(0);
    expect(readFileSync(table, 'utf8')).toContain('second');
  });
});
