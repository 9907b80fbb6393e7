// Reads the matches of a folder that can be compared.
import type { LeftOut } from '../../deception/report/report-schema.ts';
import type { Tables } from '../../deception/tables/rows.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { findMatches } from '../report/find-matches.ts';
import { readSources } from '../report/sources.ts';
import { takeStock, unusable } from '../report/stock.ts';

export interface FoundMatch {
  folder: string;
  tables: Tables;
}

export interface Found {
  /** Sorted by id, each once. */
  matches: readonly FoundMatch[];
  leftOut: readonly LeftOut[];
}

/** Throws a UsageError for a folder without matches, and a RecordError where no record in it can be used. */
export async function readMatches(folder: string, judge: string | undefined): Promise<Found> {
  const stock = takeStock(findMatches([folder]));
  const leftOut = [...stock.leftOut];
  const matches: FoundMatch[] = [];
  for (const { folders } of stock.matches) {
    const sound = await firstSound(folders, judge, leftOut);
    if (sound) matches.push(sound);
  }
  if (matches.length === 0)
    throw new RecordError(`No match in ${folder} can be compared. ${leftOut[0]?.message ?? ''}`);
  return { matches, leftOut };
}

/** Of several copies of a match the first that can be used; the others are left out. */
async function firstSound(folders: readonly string[], judge: string | undefined, leftOut: LeftOut[]) {
  let sound: FoundMatch | null = null;
  for (const folder of folders) {
    if (sound !== null) {
      leftOut.push({ folder, reason: 'counted already', message: `It is the match in ${sound.folder}.` });
      continue;
    }
    try {
      const { record, sources } = await readSources(folder, { judge });
      if (record.isFinished) sound = { folder, tables: tablesOf(record, sources) };
      else leftOut.push({ folder, reason: 'not over', message: 'The match was not played to its end.' });
    } catch (error) {
      leftOut.push(unusable(folder, error));
    }
  }
  return sound;
}
