// Finds files that would stop commands: files of a record that are not regular files, and report files that cannot be
// replaced.
import path from 'node:path';
import { UnusableFile } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { sum } from '../../deception/statistics/sums.ts';
import { listPlays } from '../../models/record/same-play.ts';
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
 * Returns the reason why the first unusable file cannot be read. Undefined if all files can be read. A missing file is
 * not a fault.
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

/** Describes a folder of a report or comparison whose command was killed while it replaced the folder. */
export const describeUnplaced = (folder: string): Surrounding => ({
  state: 'fault',
  says: `${folder} was being replaced when its command was killed, and some of its files are in ${findAside(folder)}: run the command again, which puts them back`,
});

/**
 * Checks whether the files of a report could be replaced, without changing them. Null if the folder is missing.
 *
 * @example describeReport('runs/report');
 */
export function describeReport(folder: string): Surrounding | null {
  if (findAside(folder) !== null) return describeUnplaced(folder);
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
  if (first === undefined && hasNumericIds(folder))
    return {
      state: 'none',
      says: `${folder} has tables of an earlier version, whose statement ids such as 1.10 other programs read as numbers: report again`,
    };
  if (first === undefined) return { state: 'fine', says: `${folder} can be replaced` };
  const others = held.length > 1 ? ` and ${held.length - 1} more` : '';
  return {
    state: 'fault',
    says: `${folder} cannot be replaced: close ${first}${others} in programs such as spreadsheets, or make it writable`,
  };
}

/**
 * Describes matches with several plays or copies in these folders, because figures count plays and copies differently.
 * Null if there are none. Reads only records whose ids occur more than once.
 *
 * @example describeSecondPlays(['s1/a', 's2/a'])?.says; // '1 match is in several folders: 1 other play, …'
 */
export function describeSecondPlays(records: readonly string[]): Surrounding | null {
  const byId = Map.groupBy(records, (folder) => path.basename(folder));
  const repeated = [...byId].filter(([, folders]) => folders.length > 1);
  if (repeated.length === 0) return null;
  const plays = repeated.flatMap(([id, folders]) => listPlays(id, folders.map((folder) => ({ folder })))); // prettier-ignore
  const others = plays.length - repeated.length;
  const copies = sum(repeated.map(([, folders]) => folders.length)) - plays.length;
  return {
    state: 'none',
    says: `${pluralize(repeated.length, 'match is', 'matches are')} in several folders: ${pluralize(others, 'other play')}, which reports count as replicates of the deal, and ${pluralize(copies, 'copy', 'copies')}, which they count once. To leave some out, name the folders that you want`,
  };
}

/**
 * Pattern of a row with a statement id of earlier versions, such as 1.10. Other programs read this id as the number
 * 1.1.
 */
const numericId = /^[^,]*,\d+\.\d+,/;

/** Number of bytes that contain the head and the first row of a table. */
const firstRows = 4096;

/**
 * Returns whether an earlier version wrote a report's tables. Other programs take that version's statement ids for
 * numbers.
 */
function hasNumericIds(folder: string): boolean {
  const file = path.join(folder, 'statements.csv');
  if (!getDisk().exists(file)) return false;
  const open = getDisk().open(file, 'read');
  const bytes = new Uint8Array(firstRows);
  try {
    open.read(bytes);
  } finally {
    open.close();
  }
  const [head = '', row = ''] = new TextDecoder().decode(bytes).split('\n');
  return head.startsWith('match_id,statement,') && numericId.test(row);
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
