// Folders in which records are written before they are moved to their place. A folder's name identifies the process
// that writes it, so that several commands can work at the same time, and drafts of killed processes can be removed.
import path from 'node:path';
import { hashText } from '../../state/hash-text.ts';
import { getMachine } from '../machine/machine.ts';
import type { ProcessIdentity } from '../machine/processes.ts';

/** Prefix of drafts. The dot hides them from commands that look for matches. */
const prefix = '.wolfgraph-draft-';

export interface DraftFolder {
  /** An empty folder, on the same file system as its parent. */
  folder: string;
  /** Removes the draft, if it still exists. */
  remove: () => void;
}

/**
 * Creates a draft folder in `parent`, which must exist, and removes drafts of processes that are known to have ended.
 *
 * @example
 * const draft = openDraft('runs');
 * try { disk.rename(write(draft.folder), 'runs/match'); } finally { draft.remove(); }
 */
export function openDraft(parent: string): DraftFolder {
  const { disk, processes } = getMachine();
  removeLeftDrafts(parent);
  const { pid, started, ...machine } = processes.getOwn();
  const name = [prefix + hashMachine(machine), pid, isCount(started) ? started : '', ''].join('-');
  const place = disk.makeTemporaryFolder(path.join(parent, name));
  const folder = path.join(place, 'draft');
  disk.makeFolder(folder);
  return { folder, remove: () => disk.remove(place) };
}

function removeLeftDrafts(parent: string): void {
  const { disk, processes } = getMachine();
  for (const { name, kind, isLink } of disk.list(parent)) {
    if (!name.startsWith(prefix) || kind !== 'folder' || isLink) continue;
    const owner = readOwner(name.slice(prefix.length));
    if (owner !== null && processes.isAlive(owner) === false) disk.remove(path.join(parent, name));
  }
}

/**
 * Reads from a draft's name which process writes it. Null for a process of another machine, or of an earlier boot of
 * this machine.
 */
function readOwner(name: string): ProcessIdentity | null {
  const own = getMachine().processes.getOwn();
  const [machine, pid, started = ''] = name.split('-');
  if (machine !== hashMachine(own) || !isCount(pid)) return null;
  return { ...own, pid: Number(pid), started: isCount(started) ? started : null };
}

/**
 * Returns whether a text is a whole number. Some systems report a process's start in words, which names of drafts omit.
 */
const isCount = (text: string | null | undefined): text is string => /^\d+$/.test(text ?? '');

/** Hashes the scope in which a pid is unique. */
const hashMachine = ({ namespace, boot }: Pick<ProcessIdentity, 'namespace' | 'boot'>) =>
  hashText(JSON.stringify([namespace, boot])).slice(0, 12);
