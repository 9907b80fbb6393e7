// The folder of an experience pool: `pool.json`, which says what it is, and `entries.ndjson`.
import path from 'node:path';
import { z } from 'zod';
import {
  createPool,
  describePool,
  listPoolFaults,
  type Pool,
  PoolEntry,
  PoolRecord,
} from '../../deception/experience/pool-entry.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { openNdjson, readNdjson, RecordError } from '../../models/record/ndjson.ts';
import { writeWhole } from '../../models/record/recorder.ts';
import { UsageError } from '../../state/usage-error.ts';

export const poolFiles = { record: 'pool.json', entries: 'entries.ndjson' } as const;

/**
 * Reads a pool and holds it against its hashes. Throws a UsageError for a folder that holds none, and a RecordError that
 * names what is wrong for one that is damaged or was edited.
 *
 * @example const { entries, sha256 } = readPool('pool');
 */
export function readPool(folder: string): Pool {
  const { record, entries, faults } = checkPoolFolder(folder);
  if (faults.length > 0)
    throw new RecordError(
      `${path.join(folder, poolFiles.entries)} cannot be used: ${faults[0]!}. Restore the pool from a copy, or build it anew.`,
    );
  return createPool(record.reward, entries);
}

/** The same with all that is wrong, in place of an error for the first fault. */
export function checkPoolFolder(folder: string): { record: PoolRecord; entries: PoolEntry[]; faults: string[] } {
  const [file, entriesFile] = [poolFiles.record, poolFiles.entries].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  const disk = getDisk();
  if (!disk.exists(file) || !disk.exists(entriesFile))
    throw new UsageError(
      `${folder} is no pool: it holds no ${disk.exists(file) ? poolFiles.entries : poolFiles.record}. Build one: npm run pool -- build RUNS --out ${folder}`,
    );
  const read = PoolRecord.safeParse(parseJson(disk.readText(file)));
  if (!read.success)
    throw new RecordError(`${file} is no record of a pool: ${z.prettifyError(read.error)}. Restore it from a copy.`);
  const { rows } = readNdjson(entriesFile, PoolEntry);
  return { record: read.data, entries: rows, faults: listPoolFaults(read.data, rows) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as no record
  }
}

/**
 * Writes a pool into a folder that has none, or has the same one. Throws a UsageError where another pool is there: what
 * matches have read is never changed.
 */
export function writePool(folder: string, pool: Pool): void {
  const disk = getDisk();
  if (disk.exists(path.join(folder, poolFiles.record))) {
    const { record, faults } = checkPoolFolder(folder);
    if (faults.length === 0 && record.sha256 === pool.sha256) return;
    throw new UsageError(
      `${folder} holds another pool, and matches may have been played with it. Choose another --out, or delete that folder.`,
    );
  }
  disk.makeFolder(folder);
  const entries = path.join(folder, poolFiles.entries);
  disk.remove(entries); // of a writing that was stopped before its end
  const lines = openNdjson(entries, 'new', PoolEntry);
  try {
    lines.append(pool.entries);
  } finally {
    lines.close();
  }
  writeWhole(path.join(folder, poolFiles.record), `${JSON.stringify(describePool(pool), null, 2)}\n`);
}
