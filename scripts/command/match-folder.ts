// Whether a folder given on the command line is that of a match.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Throws a UsageError that names matches nearby where `folder` is none of a match. */
export function expectMatch(folder: string): void {
  if (isMatch(folder)) return;
  const near = [folder, path.dirname(folder)].map((parent) => ({ parent, matches: matchesIn(parent) }));
  const { parent, matches } = near.find((place) => place.matches.length > 0) ?? { parent: '', matches: [] };
  const found = matches.length === 0 ? '' : ` Matches in ${parent}: ${matches.join(', ')}.`;
  throw new UsageError(
    `${folder} is not the folder of a match: it ${existsSync(folder) ? `holds no ${recordFiles.manifest}` : 'does not exist'}.${found}`,
  );
}

export const isMatch = (folder: string) => existsSync(path.join(folder, recordFiles.manifest));

/** Whether a record was there and has lost its manifest, without which nobody knows who played what. */
export const lacksManifest = (folder: string) =>
  !isMatch(folder) && [recordFiles.events, recordFiles.answers].some((name) => existsSync(path.join(folder, name)));

/** By name. */
function matchesIn(parent: string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => isMatch(path.join(parent, name)))
      .sort();
  } catch {
    return []; // no folder
  }
}
