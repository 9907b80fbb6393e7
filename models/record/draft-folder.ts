// Folders in which records are written before they are moved to their place. Each names the process that writes it, so that
// several commands can work side by side, and so that the next one removes what a killed one left.
import path from 'node:path';
import { parseJson } from '../../state/text.ts';
import { getMachine } from '../machine/machine.ts';
import type { ProcessIdentity } from '../machine/processes.ts';

/** The dot hides drafts from commands that look for matches. */
const prefix = '.wolfgraph-draft-';

const ownerFile = 'process.json';

export interface DraftFolder {
  /** Empty, and on the file system of the folder that it was made in. */
  folder: string;
  /** Removes what is left of it. */
  remove: () => void;
}

/**
 * Makes a draft folder in `parent`, which exists, and removes those of processes that are known to have ended.
 *
 * @example
 * const draft = openDraft('runs');
 * try { disk.rename(write(draft.folder), 'runs/match'); } finally { draft.remove(); }
 */
export function openDraft(parent: string): DraftFolder {
  const { disk, processes } = getMachine();
  removeLeftDrafts(parent);
  const place = disk.makeTemporaryFolder(path.join(parent, prefix));
  disk.write(path.join(place, ownerFile), JSON.stringify(processes.getOwn()));
  const folder = path.join(place, 'draft');
  disk.makeFolder(folder);
  return { folder, remove: () => disk.remove(place) };
}

function removeLeftDrafts(parent: string): void {
  const { disk, processes } = getMachine();
  for (const { name, kind, isLink } of disk.list(parent)) {
    if (!name.startsWith(prefix) || kind !== 'folder' || isLink) continue;
    const place = path.join(parent, name);
    const owner = readOwner(path.join(place, ownerFile));
    if (owner !== null && processes.isAlive(owner) === false) disk.remove(place);
  }
}

/** Null where nobody can tell whose it is: such a draft is left alone. */
function readOwner(file: string): ProcessIdentity | null {
  try {
    const owner = parseJson(getMachine().disk.readText(file)) as ProcessIdentity | null | undefined;
    return typeof owner?.pid === 'number' ? owner : null;
  } catch {
    return null;
  }
}
