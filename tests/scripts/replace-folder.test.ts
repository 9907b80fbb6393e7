// Folders of reports, which are replaced as a whole.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemDisk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { writeDrafts } from '../../scripts/command/replace-files.ts';
import { findAside, openNextFolder, replaceFolder } from '../../scripts/command/replace-folder.ts';
import { describeReport } from '../../scripts/command/unusable-files.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = createTemporaryFolder();
  folder = path.join(parent, 'report');
});

type Tree = Readonly<Record<string, string>>;

const write = (below: string, tree: Tree) => {
  for (const [name, text] of Object.entries(tree)) {
    const file = path.join(below, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), file);
    else writeFileSync(file, text);
  }
};

/** Reads all files below a folder, and where links lead. */
const read = (below: string): Tree =>
  Object.fromEntries(
    readdirSync(below, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((name) => !lstatSync(path.join(below, name)).isDirectory())
      .map((name) => {
        const file = path.join(below, name);
        return [name, lstatSync(file).isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, 'utf8')];
      }),
  );

const earlier = { 'report.md': 'six', 'matches.csv': 'six', 'pictures/lies.svg': 'six', 'pictures/gone.svg': 'six' };
const own = { 'my notes.txt': 'mine', 'pictures/my.png': 'mine', 'mine/deep/file': 'mine', shortcut: '-> /nowhere' };
const next = { 'report.md': 'seven', 'matches.csv': 'seven', 'pictures/lies.svg': 'seven', 'details/a.md': 'seven' };
const outdated = ['pictures/gone.svg', 'pictures/never.svg'];
const replace = () => replaceFolder(folder, Object.entries(next), { outdated });

/** Runs `act` on a disk that refuses every rename for which `isHeld` returns true. */
const runWithHeld = <Result>(isHeld: (from: string, to: string) => boolean, act: () => Result, code = 'EPERM') => {
  const rename: typeof renameSync = (from, to) => {
    if (isHeld(from as string, to as string)) throw Object.assign(new Error(`${code}: held`), { code });
    renameSync(from, to);
  };
  return runOnMachine({ ...getMachine(), disk: createSystemDisk({ rename, pause: () => undefined }) }, act);
};

describe('a folder that is replaced as a whole', () => {
  it('has the new files and what the user put there, and nothing else is left beside it', () => {
    write(folder, { ...earlier, ...own });
    const { ino } = statSync(folder);
    expect(replace()).toEqual(Object.keys(next).map((name) => path.join(folder, name)));
    expect(read(folder)).toEqual({ ...next, ...own });
    expect(statSync(folder).ino).not.toBe(ino);
    expect(readdirSync(parent)).toEqual(['report']);
  });

  it('is made where there is none, with missing folders above it', () => {
    folder = path.join(parent, 'above', 'report');
    replace();
    expect(read(folder)).toEqual(next);
    expect(readdirSync(path.dirname(folder))).toEqual(['report']);
  });

  it('keeps its permissions', () => {
    write(folder, earlier);
    chmodSync(folder, 0o710);
    replace();
    expect(statSync(folder).mode & 0o7777).toBe(0o710);
  });

  it('shows nothing of the next contents before they are complete, and is unchanged if they are given up', () => {
    write(folder, earlier);
    const draft = openNextFolder(folder);
    writeDrafts([[path.join(draft.folder, 'report.md'), 'seven']]);
    expect(read(folder)).toEqual(earlier);
    draft.discard();
    expect(read(parent)).toEqual(Object.fromEntries(Object.entries(earlier).map(([name, text]) => [`report/${name}`, text]))); // prettier-ignore
  });

  it('is unchanged where a program holds a file of it, which Windows then moves no folder around', () => {
    write(folder, { ...earlier, ...own });
    const held = path.join(folder, 'pictures', 'lies.svg');
    const isHeld = (from: string) => from === held || (held.startsWith(from + path.sep) && existsSync(held));
    for (const code of ['EPERM', 'EBUSY', 'EACCES'])
      expect(() => runWithHeld(isHeld, replace, code)).toThrow(`${held} cannot be replaced: ${code}: held. Close it`);
    expect(read(folder)).toEqual({ ...earlier, ...own });
    expect(readdirSync(parent)).toEqual(['report']);
  });

  const steps = ['the earlier folder', 'the new folder', "a file of the user's"] as const;
  it.each(steps)('is as it was where the system refuses to move %s', (step) => {
    write(folder, { ...earlier, ...own });
    const draft = openNextFolder(folder);
    const drafts = writeDrafts(Object.entries(next).map(([name, text]) => [path.join(draft.folder, name), text]));
    const refused = {
      'the earlier folder': (from: string) => from === folder,
      'the new folder': (from: string) => from === draft.folder,
      "a file of the user's": (from: string) => path.basename(from) === 'my.png' && from.includes('.wolfgraph-old'),
    }[step];
    let isFirst = true; // only the first rename is refused, so that the old folder can be restored
    const refuse = (from: string) => refused(from) && isFirst && ((isFirst = false), true);
    expect(() => runWithHeld(refuse, () => draft.place(drafts, outdated), 'EIO')).toThrow(
      `${folder} cannot be written: EIO: held. Free some space`,
    );
    expect(read(folder)).toEqual({ ...earlier, ...own });
    expect(readdirSync(parent)).toEqual(['report']);
  });

  it('refuses a folder that has the name of one of its files', () => {
    write(folder, { 'report.md/x': 'mine' });
    expect(replace).toThrow(`${path.join(folder, 'report.md')} cannot be written: a folder has its name.`);
    expect(read(folder)).toEqual({ 'report.md/x': 'mine' });
  });

  it('replaces links, and leaves what they lead to', () => {
    write(parent, { target: 'kept' });
    write(folder, { ...earlier, 'matches.csv.new': `-> ${path.join(parent, 'target')}` });
    rmSync(path.join(folder, 'report.md'));
    symlinkSync(path.join(parent, 'target'), path.join(folder, 'report.md'));
    replace();
    expect(read(folder)).toEqual(next);
    expect(readFileSync(path.join(parent, 'target'), 'utf8')).toBe('kept');
  });
});

describe('a folder that cannot be renamed', () => {
  const isReplaced = () => {
    replace();
    expect(read(folder)).toMatchObject({ ...next, ...own });
    expect(read(folder)).not.toHaveProperty(['pictures/gone.svg']);
    expect(readdirSync(parent)).toEqual(['report']);
  };

  it('is replaced file by file where it is a mounted file system', () => {
    write(folder, { ...earlier, ...own });
    runWithHeld((from) => from === folder, isReplaced, 'EBUSY');
  });

  it('or contains matches, which may be played meanwhile', () => {
    write(folder, { ...earlier, ...own, 'match/manifest.json': '{}' });
    const { ino } = statSync(folder);
    isReplaced();
    expect(statSync(folder).ino).toBe(ino);
  });

  it('or contains the working directory', () => {
    write(folder, { ...earlier, ...own });
    const { ino } = statSync(folder);
    const before = process.cwd();
    process.chdir(path.join(folder, 'mine'));
    try {
      isReplaced();
    } finally {
      process.chdir(before);
    }
    expect(statSync(folder).ino).toBe(ino);
  });
});

describe('a command that was killed while it replaced a folder', () => {
  /** Creates the folders that a killed command leaves. `isPlaced`: whether the new files were already in place. */
  const layOut = (isPlaced: boolean) => {
    const aside = path.join(parent, '.wolfgraph-old-report');
    write(aside, { ...earlier, ...own });
    if (isPlaced) cpSync(path.join(aside, 'my notes.txt'), path.join(folder, 'my notes.txt'));
    if (isPlaced) write(folder, next);
    return aside;
  };

  it.each([false, true])(
    'is told by doctor, and the next command completes it (new files in place: %s)',
    (isPlaced) => {
      const aside = layOut(isPlaced);
      expect(findAside(folder)).toBe(aside);
      expect(describeReport(folder)).toMatchObject({ state: 'fault', says: expect.stringContaining(aside) });
      openNextFolder(folder).discard();
      expect(read(folder)).toEqual(isPlaced ? { ...earlier, ...next, ...own } : { ...earlier, ...own });
      expect(findAside(folder)).toBeNull();
      replace();
      expect(read(folder)).toEqual({ ...next, ...own });
      expect(readdirSync(parent)).toEqual(['report']);
    },
  );
});
