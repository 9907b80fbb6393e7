// Restricts the matches of a match file to folders below the file's own folder, because the file may come from another
// person.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Maximum depth below `out` of the folders into which matches are written. */
const deepest = 2;

/**
 * Throws a UsageError if `out`, named by `file`, is not below the file's folder, or leaves that folder through a link.
 * Users must type such a folder themselves. `option`: option that the message suggests to type.
 *
 * @example checkOutOfFile('study/match.yaml', 'study/runs', '--out study/runs');
 */
export function checkOutOfFile(file: string, out: string, option = `--out ${quoteForShell(out)}`): void {
  const folder = path.dirname(path.resolve(file));
  const parts = path.relative(folder, path.resolve(out)).split(path.sep);
  const isOutside = parts[0] === '..' || path.isAbsolute(parts.join(path.sep));
  const link = isOutside ? null : findLink(folder, parts);
  if (!isOutside && link === null) return;
  const reason = isOutside ? `which is not below ${folder}` : `and ${link} is a link`;
  throw new UsageError(
    `${file} says out: ${out}, ${reason}. A file may only name a folder below its own. To write there, type: ${option}.`,
  );
}

/** Finds the first link among the folders of a path, including the last one; null if there is none. */
function findLink(folder: string, parts: readonly string[]): string | null {
  const disk = getDisk();
  const way = parts.map((_, place) => path.join(folder, ...parts.slice(0, place + 1)));
  return way.find((one) => disk.isForeignLink(one)) ?? findLinkBelow(way.at(-1)!, deepest);
}

function findLinkBelow(folder: string, depth: number): string | null {
  const disk = getDisk();
  if (depth === 0 || disk.find(folder)?.kind !== 'folder') return null;
  const entries = disk.list(folder);
  const link = entries.find(({ isLink }) => isLink);
  if (link) return path.join(folder, link.name);
  for (const { name, kind } of entries) {
    const found = kind === 'folder' ? findLinkBelow(path.join(folder, name), depth - 1) : null;
    if (found !== null) return found;
  }
  return null;
}
