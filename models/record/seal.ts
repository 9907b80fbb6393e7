// The seal of a finished record: hashes of manifest, answers, events, summary and other files at the time of sealing.
// It shows that they have not been changed since, but not who wrote them.
import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { type Manifest, recordFiles, Seal } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';
import { UnusableFile } from '../machine/disk.ts';
import { getDisk } from '../machine/machine.ts';
import { type Chain, createChain } from './chain.ts';
import { checkNoLink, isForeignLink } from './ndjson.ts';
import { readDocument } from './read-document.ts';

/** Chains over the lines of a record. */
export interface RecordChains {
  answers: Chain;
  events: Chain;
}

/**
 * Creates the chains before the first line of a manifest's match. The chain of answers depends on the match's id. The
 * chain of events does not, so that equal events give equal bytes. If people played, lines are salted, so that equal
 * events give different bytes.
 */
export const createRecordChains = ({ id, salt }: Pick<Manifest, 'id' | 'salt'>): RecordChains => ({
  answers: createChain(`answers of ${id}`, salt),
  events: createChain('events', salt),
});

/** Hashes a value as JSON without white space. */
export const hashJson = (value: unknown) => hash('sha256', JSON.stringify(value));

const describeEnd = ({ lines, hash: chain }: Chain) => ({ lines, chain });

/** Returns the summary with its seal. Earlier hashes of other files are kept; only the summary is sealed again. */
export const sealSummary = (summary: object, seal: Omit<Seal, 'summary'>): object => {
  const { seal: before, ...bare } = summary as { seal?: unknown };
  void before;
  return { ...bare, seal: { ...seal, summary: hashJson(bare) } };
};

/** Files of a folder that are sealed as a whole, if they exist. */
const wholeFiles = [recordFiles.prompts, recordFiles.import, recordFiles.importedCalls];

/** Returns the SHA-256 of a file. Reads the file piece by piece. */
function hashFile(file: string): string {
  const open = getDisk().open(file, 'read');
  try {
    const all = createHash('sha256');
    const chunk = Buffer.allocUnsafe(pieceLength);
    for (let length = open.read(chunk); length > 0; length = open.read(chunk)) all.update(chunk.subarray(0, length));
    return all.digest('hex');
  } finally {
    open.close();
  }
}

const pieceLength = 1 << 20;

/**
 * Seals the files on the disk and the lines. `manifest`: as read from its file, before migration. Throws RecordError if
 * a file is a link.
 */
export function createSeal(
  folder: string,
  manifest: unknown,
  { answers, events }: RecordChains,
): Omit<Seal, 'summary'> {
  const disk = getDisk();
  const files = wholeFiles.flatMap((name) => {
    const file = path.join(folder, name);
    checkNoLink(file);
    return disk.find(file)?.kind === 'file' ? [[name, hashFile(file)] as const] : [];
  });
  return {
    manifest: hashJson(manifest),
    answers: describeEnd(answers),
    events: describeEnd(events),
    files: Object.fromEntries(files),
  };
}

/** Returns a folder's seal and the summary that contains it; null if there is no readable seal. */
export function readSeal(folder: string): { seal: Seal; summary: object } | null {
  const file = path.join(folder, recordFiles.summary);
  checkNoLink(file);
  if (!getDisk().exists(file)) return null;
  const text = readDocument(file);
  try {
    const { seal, ...summary } = parseJson(text) as { seal: unknown };
    const read = Seal.safeParse(seal);
    return read.success ? { seal: read.data, summary } : null;
  } catch {
    return null;
  }
}

/** Returns whether the manifest in a folder differs from its seal; false if there is no seal. */
export function isManifestChanged(folder: string): boolean {
  const sealed = readSeal(folder);
  const stored = parseJson(readDocument(path.join(folder, recordFiles.manifest)));
  return sealed !== null && hashJson(stored) !== sealed.seal.manifest;
}

/**
 * Lists everything that differs from the seal, with its file. Files that are sealed as a whole, such as prompts, are
 * checked only if `isThorough`.
 */
export function findBrokenSeals(
  folder: string,
  { seal, summary }: { seal: Seal; summary: object },
  { manifest, chains }: { manifest: unknown; chains: RecordChains },
  isThorough: boolean,
): string[] {
  const faults: string[] = [];
  const tell = (name: string, what: string) => faults.push(`${path.join(folder, name)} ${what}`);
  if (hashJson(manifest) !== seal.manifest) tell(recordFiles.manifest, 'was changed after it was sealed');
  for (const name of ['answers', 'events'] as const) {
    const { lines, hash: found } = chains[name];
    if (lines !== seal[name].lines) tell(recordFiles[name], `has ${lines} lines, but ${seal[name].lines} were sealed`);
    else if (found !== seal[name].chain) tell(recordFiles[name], 'was changed after it was sealed');
  }
  if (hashJson(summary) !== seal.summary) tell(recordFiles.summary, 'was changed after it was sealed');
  if (!isThorough) return faults;
  const files = Object.entries(seal.files).map(([name, sealed]) => findBrokenFile(folder, name, sealed));
  return [...faults, ...files.filter((fault) => fault !== null)];
}

/** Describes how a file differs from its seal; null if it does not. The sentence has no full stop. */
export function findBrokenFile(folder: string, name: string, sealed: string): string | null {
  const file = path.join(folder, path.basename(name));
  if (isForeignLink(file)) return `${file} is a link; files of a record must not be links`;
  try {
    if (!getDisk().exists(file)) return `${file} is missing, but existed when the record was sealed`;
    return hashFile(file) === sealed ? null : `${file} was changed after it was sealed`;
  } catch (error) {
    if (error instanceof UnusableFile) return error.message.replace(/\.$/, '');
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}
