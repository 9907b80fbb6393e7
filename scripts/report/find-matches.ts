// Finds the folders of matches in what was named on the command line.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../state/usage-error.ts';
import { expectMatch, isMatch, lacksManifest } from '../command/match-folder.ts';

/** So far below a named folder: `runs/<match>` and `runs/<set>/<match>`. */
const deepest = 2;

/**
 * The folders of matches among `folders` and up to two levels below them, each as often as it was named, sorted. Those
 * that have lost their manifest are among them, so that they can be told of.
 * Throws a UsageError for a folder that is not there or holds no match.
 */
export function findMatches(folders: readonly string[]): string[] {
  return folders
    .flatMap((named) => {
      const folder = path.normalize(named);
      if (!existsSync(folder)) expectMatch(named);
      const found = matchesIn(folder, deepest);
      if (found.length === 0)
        throw new UsageError(
          `${named} holds no match: no manifest.json in it, nor in folders up to ${deepest} levels below.`,
        );
      return found;
    })
    .sort();
}

function matchesIn(folder: string, depth: number): string[] {
  if (isMatch(folder)) return [folder];
  const found = lacksManifest(folder) ? [folder] : [];
  if (depth === 0) return found;
  return [...found, ...foldersIn(folder).flatMap((name) => matchesIn(path.join(folder, name), depth - 1))];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return []; // a file, or a link to one
    throw error;
  }
}
