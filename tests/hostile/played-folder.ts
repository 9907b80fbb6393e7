// Plays sets of matches and tournaments to their end, and then damages them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { recordFiles } from '../../state/record.ts';
import { run } from '../scripts/process.ts';
import type { SpecialFiles, SpecialKind } from './special-files.ts';

export interface PlayedFolder {
  folder: string;
  /** Command that resumes the folder. */
  resume: [script: 'match' | 'tournament', ...args: string[]];
  /** Matches that no command can use. */
  damaged: readonly string[];
}

/** Damage to each match of a set, in the order of their folders. Null for an undamaged match. */
export const playedDamage: readonly (readonly [kind: SpecialKind, file: string] | null)[] = [
  ...[null, null], // the first deals of both pairings stay undamaged, because a leaderboard needs them
  ['device', recordFiles.manifest],
  ['pipe', recordFiles.events],
  ...[null, null],
  ['circle', recordFiles.answers],
  ['zeros', recordFiles.answers],
];

/** Plays matches to their end and damages some of them. */
export async function buildPlayed(
  folder: string,
  special: SpecialFiles,
  resume: PlayedFolder['resume'],
): Promise<PlayedFolder> {
  const [script, ...args] = resume;
  await run(script, args);
  const played = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === recordFiles.manifest)
    .map((file) => path.dirname(file))
    .sort();
  const damaged = played.filter((one, at) => {
    const damage = playedDamage[at] ?? null;
    if (damage !== null) special.put(damage[0], path.join(folder, one, damage[1]));
    return damage !== null;
  });
  return { folder, resume, damaged: damaged.map((one) => path.basename(one)) };
}
