// Recognizes folders that contain the same play of a match. A copy has the seal of its original. Two plays of one plan
// have the same id, but their answers differ, because every answer stores its time.
import path from 'node:path';
import { z } from 'zod';
import { recordFiles, Seal } from '../../state/record.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';
import { readTextOrExplain } from './ndjson.ts';
import { readDocument } from './read-document.ts';

const SealedSummary = z.object({ seal: Seal });

/**
 * Returns a text that is equal for a record and its copies, and different for another play of the same match. It is
 * made from the sealed chains, which stay the same when a later version rewrites the summary. Without a seal, it is
 * made from the record's files. Does not check that the record is undamaged.
 *
 * @example identifyPlay('runs/classic-8-7-1a2b3c4d') === identifyPlay('backup/classic-8-7-1a2b3c4d') // true
 */
export function identifyPlay(folder: string): string {
  const { data } = SealedSummary.safeParse(parseJson(readOrEmpty(folder, recordFiles.summary, readDocument)));
  if (data === undefined)
    return hashText(readOrEmpty(folder, recordFiles.answers) + readOrEmpty(folder, recordFiles.events));
  const { answers, events } = data.seal;
  return hashText(JSON.stringify([answers.chain, events.chain]));
}

/** Returns an empty text for a missing or unreadable file; the record's reader reports the fault. */
function readOrEmpty(folder: string, name: string, read = readTextOrExplain): string {
  try {
    return read(path.join(folder, name));
  } catch {
    return '';
  }
}

/** A play of a match, and the folders that hold it. */
export interface FoundPlay<Folder> {
  /** The id of the match. For all plays except the first, the first digits of the play's hash follow. */
  readonly name: string;
  readonly folders: readonly [Folder, ...Folder[]];
}

/**
 * Lists the plays of one match, in the order of their first folders. Every play counts, because another play of the
 * same deal is a replicate.
 *
 * @example listPlays('a', [{ folder: 's1/a' }, { folder: 's2/a' }]).map(({ name }) => name) // ['a', 'a.5e884898']
 */
export function listPlays<Folder extends { readonly folder: string }>(
  id: string,
  folders: readonly Folder[],
): FoundPlay<Folder>[] {
  const [first, ...others] = folders;
  if (first !== undefined && others.length === 0) return [{ name: id, folders: [first] }]; // avoids reading the files
  const plays = [...Map.groupBy(folders, ({ folder }) => identifyPlay(folder))];
  return plays.map(([play, own], place) => ({
    name: place === 0 ? id : `${id}.${play.slice(0, 8)}`,
    folders: own as [Folder, ...Folder[]],
  }));
}
