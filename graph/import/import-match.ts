// Turns the folder of a game that another program recorded into the folder of a match.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { madeBy } from '../../models/record/made-by.ts';
import { honestySentence } from '../../prompts/rules-text.ts';
import type { GameEvent } from '../../state/event.ts';
import { recordFiles, schemaVersion, type Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readArena } from './arena-files.ts';
import { playSession } from './arena-match.ts';
import { tableOf } from './arena-table.ts';
import { Difference, UncountedBallot } from './differences.ts';

/** What import.json says of an imported match. */
export const ImportReport = z.strictObject({
  format: z.string(),
  source: z.string(),
  /** File → SHA-256 of what it holds, unpacked. */
  files: z.record(z.string(), z.string()),
  differences: z.array(Difference),
  uncounted_ballots: z.array(UncountedBallot),
});
export type ImportReport = z.infer<typeof ImportReport>;

export const importReportFile = 'import.json';

export interface ImportedMatch {
  manifest: Manifest;
  events: readonly GameEvent[];
  report: ImportReport;
}

/**
 * Reads the folder of a session of Werewolf Arena or DSGBench. `now`: when it is imported, in milliseconds since 1970.
 * Throws a UsageError for a folder that holds none or whose players cannot be seated, and a RecordError that names the
 * file for one that is damaged or of another shape.
 */
export function importArena(folder: string, now: number): ImportedMatch {
  const { session, winner, files } = readArena(folder);
  const setup = tableOf(session);
  const source = path.basename(path.resolve(folder));
  const models = Object.fromEntries(Object.entries(session.players).map(([name, { model }]) => [name, model]));
  const { events, differences, uncounted } = playSession(session, setup, winner);
  const prices = Object.fromEntries(Object.values(models).map((model) => [model, null]));
  return {
    manifest: {
      schema_version: schemaVersion,
      id: idOf(source),
      setup: { ...setup, honesty_sentence: honestySentence(setup.rules), models, bots: [] },
      made_by: madeBy(prices, now),
      imported: { format: 'arena', source },
    },
    events,
    report: { format: 'arena', source, files, differences, uncounted_ballots: uncounted },
  };
}

/** As an id may be: letters, digits, ".", "_" and "-". */
const idOf = (name: string) =>
  name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100) || 'imported';

/**
 * Writes an imported match as a folder of its own in `out` and returns that folder. Throws a UsageError where there is
 * one of its name already.
 */
export function writeImported({ manifest, events, report }: ImportedMatch, out: string): string {
  const folder = path.join(out, manifest.id);
  if (existsSync(folder)) throw new UsageError(`${folder} is there already. Remove it, or choose another --out.`);
  mkdirSync(folder, { recursive: true });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const contents = {
    [recordFiles.answers]: '',
    [recordFiles.events]: lines,
    [importReportFile]: `${JSON.stringify(report, null, 2)}\n`,
    [recordFiles.manifest]: `${JSON.stringify(manifest, null, 2)}\n`, // last: it makes a folder that of a match
  };
  for (const [name, text] of Object.entries(contents)) writeFileSync(path.join(folder, name), text);
  return folder;
}
