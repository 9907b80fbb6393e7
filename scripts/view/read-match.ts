// Reads one match for the viewer, also while it is played, and whatever it lacks.
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { buildViewedMatch, type KeptPrompt, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';

const KeptPromptLine = z.object({
  ...{ round: z.number(), step: z.number(), action: z.string(), player: z.string(), attempt: z.number() },
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/** Throws RecordError for a record that cannot be read; takes no lock and writes nothing. */
export function readViewedMatch(folder: string): ViewedMatch {
  const record = readRecord(folder, { canLackSeal: true });
  return buildViewedMatch(record, { claims: findClaims(record), prompts: readPrompts(folder) });
}

/** Without verdicts where the record cannot have happened under its rules. */
function findClaims(record: Parameters<typeof buildTables>[0]) {
  try {
    return buildTables(record).claims;
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** As far as they can be read: they are written when a match ends. */
export function readPrompts(folder: string): KeptPrompt[] {
  const file = path.join(folder, recordFiles.prompts);
  const disk = getDisk();
  if (!disk.exists(file)) return [];
  try {
    const text = gunzipSync(disk.read(file), { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [KeptPromptLine.parse(JSON.parse(line))]));
  } catch {
    return [];
  }
}
