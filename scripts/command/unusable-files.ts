// Finds files that would stop commands: record files of another kind than expected, and report files that cannot be
// replaced.
import path from 'node:path';
import { UnusableFile } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { pluralize } from '../../report/format.ts';
import { recordFiles } from '../../state/record.ts';
import { getErrorMessage } from './command-line.ts';
import { asideEnding, findHolder } from './replace-files.ts';
import { findAside } from './replace-folder.ts';
import type { Surrounding } from './surroundings.ts';

/**
 * Checks the kinds of all files of these records: a clone without git-lfs contains pointers, and a shared folder may
 * contain pipes. Reads no contents.
 *
 * @example describeRecordFiles(['runs/first']).state; // 'fine'
 */
export function describeRecordFiles(records: readonly string[]): Surrounding {
  const faults = records.flatMap((record) => {
    const fault = findUnusable(Object.values(recordFiles).map((name) => path.join(record, name)));
    return fault === undefined ? [] : [fault];
  });
  const [first] = faults;
  const count = pluralize(records.length, 'match', 'matches');
  if (first === undefined) return { state: 'fine', says: `the files of ${count} can be opened` };
  const lead = faults.length > 1 ? ', the first because ' : ': ';
  return { state: 'fault', says: `${faults.length} of ${count} cannot be read${lead}${first}` };
}

/**
 * Returns why the first unusable file cannot be read. Undefined if all files can be read. A missing file is not a
 * fault.
 */
function findUnusable(files: readonly string[]): string | undefined {
  for (const file of files) {
    try {
      if (getDisk().exists(file)) getDisk().open(file, 'read').close();
    } catch (error) {
      return error instanceof UnusableFile ? error.message.replace(/\.$/, '') : `${file}: ${getErrorMessage(error)}`;
    }
  }
  return undefined;
}

/**
 * Checks whether the files of a report could be replaced, without changing them. Null if the folder is missing.
 *
 * @example describeReport('runs/report');
 */
export function describeReport(folder: string): Surrounding | null {
  const earlier = findAside(folder);
  if (earlier !== null)
    return {
      state: 'fault',
      says: `${folder} was being replaced when its command was killed, and some of its files are in ${earlier}: run the command again, which puts them back`,
    };
  if (getDisk().find(folder)?.kind !== 'folder') return null;
  const files = listFiles(folder);
  const aside = files.find((file) => file.endsWith(asideEnding));
  if (aside !== undefined)
    return {
      state: 'fault',
      says: `${folder} was being replaced when its command was killed, so its files may disagree: run the command again`,
    };
  const held = files.filter((file) => findHolder(file) !== null);
  const [first] = held;
  if (first === undefined) return { state: 'fine', says: `${folder} can be replaced` };
  const others = held.length > 1 ? ` and ${held.length - 1} more` : '';
  return {
    state: 'fault',
    says: `${folder} cannot be replaced: close ${first}${others} in programs such as spreadsheets, or make it writable`,
  };
}

/** Lists the files of a folder and of the folders in it, without links. */
const listFiles = (folder: string, depth = 1): string[] =>
  getDisk()
    .list(folder)
    .filter(({ isLink }) => !isLink)
    .flatMap(({ name, kind }) => {
      const place = path.join(folder, name);
      if (kind === 'folder') return depth === 0 ? [] : listFiles(place, depth - 1);
      return kind === 'file' ? [place] : [];
    });
