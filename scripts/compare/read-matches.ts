// Reads the matches of several folders for a comparison. Each match is read once.
import type { LeftOut } from '../../deception/summary/report-schema.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { findMatches } from '../command/match-folder.ts';
import type { KnownManifests } from '../report/known-manifests.ts';
import type { MeasurementCache } from '../report/measurement-cache.ts';
import { readFirstUsable, takeInventory, type UsableMatch, type WantedMatches } from '../report/match-inventory.ts';
import type { StepListener } from '../command/work-progress.ts';

/** How records are found and read. */
export interface RecordReading {
  /** Cache of measurements; null to read every record. */
  cache: MeasurementCache | null;
  /** Manifests that earlier steps of the command found. */
  known?: KnownManifests | undefined;
  onStep?: StepListener | undefined;
}

interface MatchReading extends RecordReading {
  see: (match: UsableMatch) => void | Promise<void>;
}

interface Readable {
  /** Matches sorted by id, each once. */
  matches: readonly UsableMatch[];
  leftOut: readonly LeftOut[];
}

/**
 * Reads the matches of these folders. Throws a UsageError for a folder without matches, and a RecordError if no record
 * in them can be used.
 */
export async function readMatches(
  folders: readonly string[],
  wanted: WantedMatches,
  reading: RecordReading,
): Promise<Readable> {
  const matches: UsableMatch[] = [];
  const leftOut = await readEachMatch(folders, wanted, { ...reading, see: (match) => void matches.push(match) });
  return { matches, leftOut };
}

/**
 * Reads one match after another and passes each to `see`, so that they need not all be in memory. Returns the records
 * that were left out. Throws like `readMatches`.
 */
export async function readEachMatch(
  folders: readonly string[],
  wanted: WantedMatches,
  { cache, known, see, onStep }: MatchReading,
): Promise<LeftOut[]> {
  const inventory = takeInventory(findMatches(folders, known), known);
  const leftOut = [...inventory.leftOut];
  const priced = { ...wanted, prices: { ...inventory.prices, ...wanted.prices } };
  let sound = 0;
  const unread: string[] = [];
  for (const [place, match] of inventory.matches.entries()) {
    onStep?.('matches read', place, inventory.matches.length);
    const read = await readFirstUsable(match, priced, cache);
    leftOut.push(...read.leftOut);
    if (!read.sound) continue;
    sound += 1;
    const { judgeGap, tables } = read.sound;
    if (judgeGap !== null && tables.statements.every((row) => row.is_judge_missing)) unread.push(judgeGap);
    await see(read.sound);
  }
  onStep?.('matches read', inventory.matches.length, inventory.matches.length);
  if (sound === 0) throw new RecordError(`No match in ${folders.join(', ')} can be used. ${leftOut[0]?.message ?? ''}`);
  if (unread.length === sound && wanted.isUnreadShown !== true)
    throw new RecordError(`No match in ${folders.join(', ')} can be used. ${unread[0]}`);
  return leftOut;
}
