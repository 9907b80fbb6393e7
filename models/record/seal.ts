// The seal of a finished record: what manifest, answers, events, summary and further files were when it was made. It shows
// that they have not been changed since, not who wrote them.
import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { recordFiles, Seal } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';
import { UnusableFile } from '../machine/disk.ts';
import { getDisk } from '../machine/machine.ts';
import { type Chain, createChain } from './chain.ts';
import { checkNoLink, isForeignLink, readTextOrExplain } from './ndjson.ts';

/** The chains over the lines of a record. */
export interface RecordChains {
  answers: Chain;
  events: Chain;
}

/**
 * The chains before the first line. Answers are those of one match; events do not depend on its name, so that the same
 * events are the same bytes.
 */
export const createRecordChains = (id: string): RecordChains => ({
  answers: createChain(`answers of ${id}`),
  events: createChain('events'),
});

/** A hash that white space between the parts of the value does not change. */
/** The hash of a value as JSON without white space. */
export const hashJson = (value: unknown) => hash('sha256', JSON.stringify(value));

const describeEnd = ({ lines, hash: chain }: Chain) => ({ lines, chain });

/** The summary with its seal; what was sealed before stays sealed, and the summary is sealed anew. */
export const sealSummary = (summary: object, seal: Omit<Seal, 'summary'>): object => {
  const { seal: before, ...bare } = summary as { seal?: unknown };
  void before;
  return { ...bare, seal: { ...seal, summary: hashJson(bare) } };
};

/** The files of a folder that are sealed as they are; those that are missing are not. */
const wholeFiles = [recordFiles.prompts, recordFiles.import];

/** SHA-256 of a file, of which never more than a piece is in memory. */
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
 * Seals what is on the disk beside the lines. `manifest`: as it is read from its file, before anything is made of it. Throws
 * RecordError for a file that is a link.
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

/** The seal in a summary, with the summary around it; null where there is none that can be read. */
export function readSeal(folder: string): { seal: Seal; summary: object } | null {
  const file = path.join(folder, recordFiles.summary);
  checkNoLink(file);
  if (!getDisk().exists(file)) return null;
  const text = readTextOrExplain(file);
  try {
    const { seal, ...summary } = parseJson(text) as { seal: unknown };
    const read = Seal.safeParse(seal);
    return read.success ? { seal: read.data, summary } : null;
  } catch {
    return null;
  }
}

/** Whether the manifest in a folder is another than its seal says; false where there is no seal. */
export function isManifestChanged(folder: string): boolean {
  const sealed = readSeal(folder);
  const stored = parseJson(readTextOrExplain(path.join(folder, recordFiles.manifest)));
  return sealed !== null && hashJson(stored) !== sealed.seal.manifest;
}

/** What is not as it was sealed, each with its file; further files are looked at only where `isThorough`. */
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
    if (lines !== seal[name].lines)
      tell(recordFiles[name], `holds ${lines} lines, and ${seal[name].lines} were sealed`);
    else if (found !== seal[name].chain) tell(recordFiles[name], 'was changed after it was sealed');
  }
  if (hashJson(summary) !== seal.summary) tell(recordFiles.summary, 'was changed after it was sealed');
  if (!isThorough) return faults;
  const files = Object.entries(seal.files).map(([name, sealed]) => findBrokenFile(folder, name, sealed));
  return [...faults, ...files.filter((fault) => fault !== null)];
}

/** How a file that was sealed as a whole is not as it was; null where it is. The sentence has no full stop. */
export function findBrokenFile(folder: string, name: string, sealed: string): string | null {
  const file = path.join(folder, path.basename(name));
  if (isForeignLink(file)) return `${file} is a link, which no file of a record may be`;
  try {
    if (!getDisk().exists(file)) return `${file} is missing, and was there when it was sealed`;
    return hashFile(file) === sealed ? null : `${file} was changed after it was sealed`;
  } catch (error) {
    if (error instanceof UnusableFile) return error.message.replace(/\.$/, '');
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}
