// Replaces several files together, because a report is wrong if its pages and tables disagree.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { createWriteError, RecordError } from '../../models/record/ndjson.ts';
import { type CsvForm, formatCsvFile } from '../../report/csv-form.ts';

/** A complete file under a temporary name, next to the file that it will replace. */
export interface Draft {
  draft: string;
  file: string;
}

/** Returns the temporary name of a file's draft. */
export const nameDraft = (file: string) => `${file}.new`;

/** Ending of an earlier file's name while it is being replaced. */
export const asideEnding = '.old';

const nameAside = (file: string) => `${file}${asideEnding}`;

/**
 * Returns whether a name is that of a draft or of an earlier version of one of these files. A killed command may leave
 * both.
 */
export const isLeftOver = (name: string, files: readonly string[]): boolean =>
  files.some((file) => name === nameDraft(file) || name === nameAside(file));

/**
 * Error codes of a file that cannot be opened for writing, because another program holds it or because it is immutable.
 */
const heldCodes = process.platform === 'win32' ? ['EPERM', 'EBUSY', 'EACCES'] : ['EPERM', 'EBUSY'];

/** Returns the system's error if another program holds the file, or it is immutable; null otherwise. */
export function findHolder(file: string): NodeJS.ErrnoException | null {
  try {
    getDisk().open(file, 'append').close();
    return null;
  } catch (error) {
    const found = error as NodeJS.ErrnoException;
    return heldCodes.includes(found.code ?? '') ? found : null;
  }
}

/**
 * Writes files under the names of drafts, with CSV in the wanted form. Creates missing folders. Throws a RecordError that names the file that
 * cannot be written, and then leaves no draft.
 *
 * @example const drafts = writeDrafts([['report/report.md', text]]);
 */
export function writeDrafts(
  files: readonly (readonly [file: string, text: string])[],
  csv: CsvForm = 'plain',
): Draft[] {
  const drafts: Draft[] = [];
  for (const [file, text] of files) {
    const draft = nameDraft(file);
    drafts.push({ draft, file });
    try {
      getDisk().makeFolder(path.dirname(file));
      dropFile(draft); // the draft may be left from a killed command, or may be a link
      const open = getDisk().open(draft, 'new');
      try {
        open.write(file.endsWith('.csv') ? formatCsvFile(text, csv) : text);
      } finally {
        open.close();
      }
    } catch (error) {
      dropDrafts(drafts);
      throw createWriteError(file, error);
    }
  }
  return drafts;
}

/** Removes a draft. A draft that cannot be removed stays, because another error is already being reported. */
export function dropFile(file: string): void {
  try {
    if (getDisk().isForeignLink(file) || getDisk().find(file)?.kind === 'file') getDisk().remove(file);
  } catch {
    // The draft stays, because another error is being reported.
  }
}

const dropDrafts = (drafts: readonly Draft[]) => drafts.forEach(({ draft }) => dropFile(draft));

/**
 * Replaces the earlier files by all drafts, and removes `outdated` files that have no draft. Returns the paths of the
 * files. Links are replaced, not followed. Throws a RecordError if one file cannot be replaced; all files are then
 * unchanged.
 *
 * @example placeDrafts(writeDrafts([['report/report.md', text]])); // ['report/report.md']
 */
export function placeDrafts(drafts: readonly Draft[], outdated: readonly string[] = []): string[] {
  const disk = getDisk();
  const files = drafts.map(({ file }) => file);
  const aside: string[] = [];
  const placed: string[] = [];
  let at = '';
  try {
    for (const file of [...files, ...outdated]) {
      at = file;
      const found = disk.isForeignLink(file) ? 'link' : (disk.find(file)?.kind ?? null);
      if (found === null) continue;
      if (found !== 'file' && found !== 'link') throw new Error(`a ${found} has its name`);
      dropFile(nameAside(file)); // a killed command may have left this file
      disk.rename(file, nameAside(file));
      aside.push(file);
    }
    for (const { draft, file } of drafts) {
      at = file;
      disk.rename(draft, file);
      placed.push(file);
    }
  } catch (error) {
    placed.forEach(dropFile);
    for (const file of aside) disk.rename(nameAside(file), file);
    dropDrafts(drafts);
    throw createReplaceError(at, error as NodeJS.ErrnoException);
  }
  for (const file of [...files, ...outdated]) dropFile(nameAside(file)); // includes files that a killed command left
  return files;
}

/** Returns the error for a file that cannot be replaced. `error`: the system's error. */
export function createReplaceError(file: string, error: NodeJS.ErrnoException): RecordError {
  if (!['EPERM', 'EBUSY', 'EACCES'].includes(error.code ?? '')) return createWriteError(file, error);
  return new RecordError(
    `${file} cannot be replaced: ${error.message}. Close it in programs such as spreadsheets, or make it writable, and run the same command again. The earlier files are unchanged.`,
    { cause: error },
  );
}
