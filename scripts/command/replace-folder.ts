// Replaces the files of a report's folder together. The new report is written into a folder beside the earlier one, and
// the two folders are swapped. A killed command therefore never leaves a folder that is half new.
import path from 'node:path';
import { passingErrors } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { type DraftFolder, openDraft } from '../../models/record/draft-folder.ts';
import { takeLock } from '../../models/record/lock.ts';
import { createWriteError } from '../../models/record/ndjson.ts';
import type { CsvForm } from '../../report/csv-form.ts';
import { deepestMatches, isMatch } from './match-folder.ts';
import { createReplaceError, type Draft, findHolder, isLeftOver, placeDrafts, writeDrafts } from './replace-files.ts';

/** A report's folder whose new contents are being written. */
export interface NextFolder {
  /** Folder for the new files. It may be the report's folder itself, see `openNextFolder`. */
  readonly folder: string;
  /**
   * Moves all drafts to their final names, removes `outdated` files (relative paths), and keeps everything else in the
   * folder. Returns the paths of the files. Throws a RecordError that names the file which cannot be replaced. Nothing
   * has changed then.
   */
  place(drafts: readonly Draft[], outdated?: readonly string[]): string[];
  /** Removes everything written so far. Does nothing after `place`. */
  discard(): void;
  /** Returns the error with the final names of files instead of the temporary names. */
  explain(error: unknown): unknown;
}

/** Prefix of the earlier folder's name while it is being replaced. The dot hides it from commands. */
const asidePrefix = '.wolfgraph-old-';

const nameBeside = (folder: string, prefix: string) => {
  const whole = path.resolve(folder);
  return path.join(path.dirname(whole), prefix + path.basename(whole));
};

/**
 * Returns the earlier contents of a folder if a command was killed while it replaced the folder; null otherwise.
 *
 * @example findAside('runs/report') // 'runs/.wolfgraph-old-report'
 */
export function findAside(folder: string): string | null {
  const aside = nameBeside(folder, asidePrefix);
  return isFolder(aside) ? aside : null;
}

/**
 * Lists the folders in `parent` that a killed command was replacing.
 *
 * @example listUnplaced('runs') // ['runs/report']
 */
export const listUnplaced = (parent: string): string[] =>
  isFolder(parent)
    ? getDisk()
        .list(parent)
        .filter(({ name, kind }) => kind === 'folder' && name.startsWith(asidePrefix))
        .map(({ name }) => path.join(parent, name.slice(asidePrefix.length)))
        .sort()
    : [];

/**
 * Opens the next contents of a folder. First recovers the folder if a command was killed while it replaced it.
 *
 * If the folder cannot be renamed, its files are replaced one by one, and all are restored after an error. A folder
 * cannot be renamed if it is a link or a mounted file system, if it contains the working directory or matches, or if
 * the folder around it cannot be written. Throws a RecordError that names the file to close if another program prevents
 * the renaming.
 *
 * @example
 * const next = openNextFolder('runs/report');
 * next.place(writeDrafts([[path.join(next.folder, 'report.md'), text]])); // ['runs/report/report.md']
 */
export function openNextFolder(folder: string): NextFolder {
  const draft = openDraftBeside(folder);
  if (draft === null) {
    const inFolder = (name: string) => path.join(folder, name);
    return {
      folder,
      place: (drafts, outdated = []) => placeDrafts(drafts, outdated.map(inFolder)),
      discard: () => undefined,
      explain: (error) => error,
    };
  }
  const explain = (error: unknown) => {
    if (error instanceof Error) error.message = error.message.replaceAll(draft.folder, folder);
    return error;
  };
  return {
    folder: draft.folder,
    place: (drafts, outdated = []) => {
      try {
        const names = placeDrafts(drafts).map((file) => path.relative(draft.folder, file));
        whileLocked(folder, () => swapFolders(draft.folder, folder, { names, outdated }));
        return names.map((name) => path.join(folder, name));
      } catch (error) {
        throw explain(error);
      } finally {
        draft.remove();
      }
    },
    discard: draft.remove,
    explain,
  };
}

/**
 * Replaces these files of a folder (relative path → text) together, and removes `outdated` files. Returns the paths of
 * the files. Throws a RecordError that names the file which cannot be written or replaced. Nothing has changed then.
 *
 * @example replaceFolder('runs/comparison', [['comparison.md', text]]) // ['runs/comparison/comparison.md']
 */
export function replaceFolder(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
  { outdated = [], csv = 'plain' }: { outdated?: readonly string[]; csv?: CsvForm | undefined } = {},
): string[] {
  const next = openNextFolder(folder);
  try {
    const drafts = writeDrafts(
      files.map(([name, text]) => [path.join(next.folder, name), text]),
      csv,
    );
    return next.place(drafts, outdated);
  } catch (error) {
    next.discard();
    throw next.explain(error);
  }
}

/**
 * Calls `act` while the folder is locked, so that two commands cannot replace it at the same time. The lock is held for
 * some milliseconds.
 */
function whileLocked<Result>(folder: string, act: () => Result): Result {
  const lock = takeLock(nameBeside(folder, '.wolfgraph-lock-'), `replacing ${folder}`);
  try {
    return act();
  } finally {
    lock.release();
  }
}

/** Opens a draft beside the folder; null if the folder cannot be swapped. */
function openDraftBeside(folder: string): DraftFolder | null {
  const disk = getDisk();
  const whole = path.resolve(folder);
  const parent = path.dirname(whole);
  if (parent === whole || disk.isForeignLink(whole)) return null;
  let draft: DraftFolder;
  try {
    disk.makeFolder(parent);
    draft = openDraft(parent);
  } catch {
    return null; // the caller then writes the files one by one, or reports the error
  }
  try {
    if (whileLocked(folder, () => (recoverFolder(folder), isSwappable(folder)))) return draft;
  } catch (error) {
    draft.remove();
    throw error;
  }
  draft.remove();
  return null;
}

/** Undoes or completes a replacement during which a command was killed. */
function recoverFolder(folder: string): void {
  const aside = findAside(folder);
  if (aside === null) return;
  try {
    if (getDisk().exists(folder)) moveMissing(aside, folder);
    else getDisk().rename(aside, folder);
    getDisk().remove(aside);
  } catch (error) {
    throw createWriteError(folder, error);
  }
}

/** Returns whether the folder can be renamed. Throws a RecordError if another program holds one of its files. */
function isSwappable(folder: string): boolean {
  if (!isFolder(folder)) return !getDisk().exists(folder);
  const [whole, working] = [getDisk().resolveLinks(folder), getDisk().resolveLinks('.')];
  if (working === whole || working.startsWith(whole + path.sep) || containsMatch(folder)) return false;
  const aside = nameBeside(folder, asidePrefix);
  try {
    getDisk().rename(folder, aside);
  } catch (error) {
    const held = findFileThatStays(folder);
    if (held === null) return false;
    throw createReplaceError(held, error as NodeJS.ErrnoException);
  }
  getDisk().rename(aside, folder);
  return true;
}

/** Returns whether there is a match in the folder or below it, without following links. */
function containsMatch(folder: string, most = deepestMatches): boolean {
  if (isMatch(folder)) return true;
  const below = most === 0 ? [] : getDisk().list(folder);
  return below.some(
    ({ name, kind, isLink }) => kind === 'folder' && !isLink && containsMatch(path.join(folder, name), most - 1),
  );
}

/**
 * Finds a file that another program holds open; null if there is none. Such a file prevents Windows from renaming the
 * folder. The check renames each file to its own name, which changes nothing but fails for a file held open.
 */
function findFileThatStays(folder: string): string | null {
  for (const { name, kind, isLink } of getDisk().list(folder)) {
    const place = path.join(folder, name);
    if (isLink) continue;
    if (kind === 'folder') {
      const held = findFileThatStays(place);
      if (held !== null) return held;
    }
    try {
      if (kind === 'file') getDisk().rename(place, place);
    } catch (error) {
      if (passingErrors.includes((error as NodeJS.ErrnoException).code ?? '')) return place;
    }
  }
  return null;
}

interface Swap {
  /** Names of the new files. */
  names: readonly string[];
  /** Names of earlier files that have no successor in the new contents. */
  outdated: readonly string[];
}

/**
 * Swaps the folders, moves the user's own files out of the earlier folder, and removes the rest of the earlier folder.
 */
function swapFolders(draft: string, folder: string, { names, outdated }: Swap): void {
  const disk = getDisk();
  if (!disk.exists(folder)) {
    disk.rename(draft, folder);
    disk.syncFolder(path.dirname(path.resolve(folder)));
    return;
  }
  checkReplaceable(folder, [...names, ...outdated]);
  disk.copyMode(folder, draft);
  const aside = nameBeside(folder, asidePrefix);
  const isDropped = (name: string) => outdated.includes(name) || isLeftOver(name, [...names, ...outdated]);
  const undo: (() => void)[] = [];
  try {
    disk.rename(folder, aside);
    undo.push(() => disk.rename(aside, folder));
    disk.rename(draft, folder);
    undo.push(() => disk.rename(folder, draft));
    moveMissing(aside, folder, isDropped, (from, to) => undo.push(() => disk.rename(to, from)));
  } catch (error) {
    for (const step of undo.reverse()) step();
    const held = findFileThatStays(folder);
    throw createReplaceError(held ?? folder, error as NodeJS.ErrnoException);
  }
  disk.syncFolder(path.dirname(aside));
  try {
    disk.remove(aside);
  } catch {
    // The report is complete. The next command removes the rest of the earlier folder, and `doctor` names it.
  }
}

/**
 * Throws a RecordError if another program holds one of these files, or if the name belongs to something other than a
 * file.
 */
function checkReplaceable(folder: string, names: readonly string[]): void {
  for (const file of names.map((name) => path.join(folder, name))) {
    if (getDisk().isForeignLink(file)) continue;
    const kind = getDisk().find(file)?.kind ?? null;
    if (kind === null) continue;
    if (kind !== 'file') throw createWriteError(file, new Error(`a ${kind} has its name`));
    const holder = findHolder(file);
    if (holder !== null) throw createReplaceError(file, holder);
  }
}

/**
 * Moves everything that `to` lacks from `from` to `to`. If both have a file of the same name, the file in `to` stays.
 */
function moveMissing(
  from: string,
  to: string,
  isDropped: (name: string) => boolean = () => false,
  tellMoved: (from: string, to: string) => void = () => undefined,
  below = '',
): void {
  const disk = getDisk();
  for (const { name, kind, isLink } of disk.list(path.join(from, below))) {
    const place = below === '' ? name : `${below}/${name}`;
    const [source, target] = [path.join(from, place), path.join(to, place)];
    if (isDropped(place)) continue;
    if (!disk.isForeignLink(target) && !disk.exists(target)) {
      disk.rename(source, target);
      tellMoved(source, target);
    } else if (kind === 'folder' && !isLink && isFolder(target)) moveMissing(from, to, isDropped, tellMoved, place);
  }
}

const isFolder = (folder: string) => !getDisk().isForeignLink(folder) && getDisk().find(folder)?.kind === 'folder';
