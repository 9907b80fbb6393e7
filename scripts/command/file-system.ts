// Says what the file system of a folder lacks, before matches are played there.
import path from 'node:path';
import type { FileSystemTraits } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { CommandIO } from './command-line.ts';

/**
 * What a user should know of a file system, a sentence each without its full stop.
 *
 * @example describeFileSystem({ hasLinks: true, canFlush: true }); // []
 */
export const describeFileSystem = ({ hasLinks, canFlush }: FileSystemTraits): string[] => [
  ...(canFlush ? [] : ['The file system there flushes no files, so a power cut can take more than the last seconds']),
  ...(hasLinks ? [] : ['It has no hard links, so play its matches from one machine at a time']),
];

/** The folder, or the nearest one above it that is there, where it would be made. */
export function findExistingFolder(folder: string): string {
  const place = path.resolve(folder);
  return getDisk().exists(place) ? place : findExistingFolder(path.dirname(place));
}

/** Warns where the file system of a folder keeps records less safely than others. What fails there, the first match tells. */
export function warnOfFileSystem(out: string, { stderr }: Pick<CommandIO, 'stderr'>): void {
  try {
    const { canFlush } = getDisk().survey(findExistingFolder(out));
    for (const sentence of describeFileSystem({ canFlush, hasLinks: true }))
      stderr.write(`Warning: ${path.resolve(out)}: ${sentence}. A disk of this machine is safer.\n`);
  } catch {
    // see above
  }
}
