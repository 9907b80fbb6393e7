// Which folders hold the same play of a match: a copy has the same seal. Two plays of one plan have the same id and other
// answers, since every answer says when it was asked for.
import path from 'node:path';
import { z } from 'zod';
import { recordFiles, Seal } from '../../state/record.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';
import { getDisk } from '../machine/machine.ts';

const SealedSummary = z.object({ seal: Seal });

/**
 * The same text for a record and its copies, and another for another play of the same match. Made of the chains that were
 * sealed, which a later version that writes the summary anew leaves as they are; of a record without a seal, of its files.
 * Whether the record is as it was sealed is not checked here.
 *
 * @example identifyPlay('runs/classic-8-7-1a2b3c4d') === identifyPlay('backup/classic-8-7-1a2b3c4d') // true
 */
export function identifyPlay(folder: string): string {
  const { data } = SealedSummary.safeParse(parseJson(readOrEmpty(folder, recordFiles.summary)));
  if (data === undefined)
    return hashText(readOrEmpty(folder, recordFiles.answers) + readOrEmpty(folder, recordFiles.events));
  const { answers, events } = data.seal;
  return hashText(JSON.stringify([answers.chain, events.chain]));
}

/** Empty for a file that is missing or cannot be read: whoever reads the record says so. */
function readOrEmpty(folder: string, name: string): string {
  try {
    return getDisk().readText(path.join(folder, name));
  } catch {
    return '';
  }
}

/** A play of a match, and the folders that hold it. */
export interface FoundPlay<Folder> {
  /** The id of the match; of every play of it but the first with the first digits of what tells the play from the others. */
  readonly name: string;
  readonly folders: readonly [Folder, ...Folder[]];
}

/**
 * The plays of one match, in the order of their first folders. All of them count: another play of the same deal is a
 * replicate of it.
 *
 * @example listPlays('a', [{ folder: 's1/a' }, { folder: 's2/a' }]).map(({ name }) => name) // ['a', 'a.5e884898']
 */
export function listPlays<Folder extends { readonly folder: string }>(
  id: string,
  folders: readonly Folder[],
): FoundPlay<Folder>[] {
  const [first, ...others] = folders;
  if (first !== undefined && others.length === 0) return [{ name: id, folders: [first] }]; // spares the reading
  const plays = [...Map.groupBy(folders, ({ folder }) => identifyPlay(folder))];
  return plays.map(([play, own], place) => ({
    name: place === 0 ? id : `${id}.${play.slice(0, 8)}`,
    folders: own as [Folder, ...Folder[]],
  }));
}
