// Warns before matches are played if the folder's file system lacks a feature.
import path from 'node:path';
import type { FileSystemTraits } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { CommandIO } from './command-line.ts';

/**
 * Describes missing features of a file system, one sentence each without a full stop.
 *
 * @example describeFileSystem({ hasLinks: true, canFlush: true }); // []
 */
export const describeFileSystem = ({ hasLinks, canFlush }: FileSystemTraits): string[] => [
  ...(canFlush
    ? []
    : ['This file system does not flush files, so a power failure can lose more than the last seconds']),
  ...(hasLinks ? [] : ['This file system has no hard links, so play its matches from one machine at a time']),
];

/** Returns the folder if it exists, or else the nearest existing folder above it. */
export function findExistingFolder(folder: string): string {
  const place = path.resolve(folder);
  return getDisk().exists(place) ? place : findExistingFolder(path.dirname(place));
}

/** Warns if a folder's file system stores records less safely than usual. */
export function warnOfFileSystem(out: string, { stderr }: Pick<CommandIO, 'stderr'>): void {
  try {
    const { canFlush } = getDisk().survey(findExistingFolder(out));
    for (const sentence of describeFileSystem({ canFlush, hasLinks: true }))
      stderr.write(`Warning: ${path.resolve(out)}: ${sentence}. A local disk is safer.\n`);
  } catch {
    // A failure is reported when the first match is written.
  }
}
