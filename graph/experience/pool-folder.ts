// The folder of an experience pool: `pool.json`, which describes it, and `entries.ndjson`.
import path from 'node:path';
import { z } from 'zod';
import {
  createPool,
  describePool,
  listPoolFaults,
  type Pool,
  PoolEntry,
  PoolRecord,
  poolVersion,
} from '../../deception/experience/pool-entry.ts';
import type { PoolVectors } from '../../deception/experience/retrieve.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { openNdjson, readNdjson, readOrExplain, readTextOrExplain, RecordError } from '../../models/record/ndjson.ts';
import { readWolfgraphVersion } from '../../models/record/provenance.ts';
import { writeWhole } from '../../models/record/recorder.ts';
import { formatCommand } from '../../state/command-name.ts';
import { describeInOneLine, UsageError } from '../../state/usage-error.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';

export const poolFiles = { record: 'pool.json', entries: 'entries.ndjson' } as const;

/** Additional files of an embedded pool. */
export const vectorFiles = { record: 'vectors.json', numbers: 'vectors.bin' } as const;

/** Contents of `vectors.json`. */
export const VectorRecord = z.strictObject({
  embedder: z.string().describe('embedder that made the vectors, with the versions of its packages'),
  pool: z.string().describe('SHA-256 of the pool whose situations were embedded'),
  dimensions: z.number().int().min(1).describe('numbers per entry, as 16-bit integers in `vectors.bin`'),
  sha256: z.string().describe('SHA-256 of `vectors.bin`'),
});

/**
 * Reads a pool and verifies its hashes. Throws a UsageError if the folder has no pool, and a RecordError that names the
 * fault if it is damaged or was edited.
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

/** Reads a pool and returns all faults, instead of throwing the first. */
export function checkPoolFolder(folder: string): { record: PoolRecord; entries: PoolEntry[]; faults: string[] } {
  const [file, entriesFile] = [poolFiles.record, poolFiles.entries].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  const disk = getDisk();
  if (!disk.exists(file) || !disk.exists(entriesFile))
    throw new UsageError(
      `${folder} is not a pool: it contains no ${disk.exists(file) ? poolFiles.entries : poolFiles.record}. Build one: ${formatCommand('pool', 'build', 'RUNS', '--out', folder)}`,
    );
  const json = parseJson(readTextOrExplain(file));
  const version = z.looseObject({ pool_version: z.number() }).safeParse(json).data?.pool_version ?? poolVersion;
  if (version !== poolVersion)
    throw new UsageError(
      `${folder} is a pool of version ${version}, but this program needs version ${poolVersion}. ${
        version < poolVersion
          ? `Build it anew from its matches, into another folder: ${formatCommand('pool', 'build', 'RUNS', '--out', 'POOL')}`
          : 'Use the version of Wolfgraph that made it, or a later one'
      }.`,
    );
  const read = PoolRecord.safeParse(json);
  if (!read.success)
    throw new RecordError(
      `${file} does not describe a pool: ${describeInOneLine(read.error)}. Restore it from a copy.`,
    );
  const { rows } = readNdjson(entriesFile, PoolEntry);
  return { record: read.data, entries: rows, faults: listPoolFaults(read.data, rows) };
}

/**
 * Writes a pool into a folder that has no pool, or the same pool. Throws a UsageError if the folder has another pool,
 * because a pool that matches have read must never change.
 */
export function writePool(folder: string, pool: Pool): void {
  const disk = getDisk();
  if (disk.exists(path.join(folder, poolFiles.record))) {
    const { record, faults } = checkPoolFolder(folder);
    if (faults.length === 0 && record.sha256 === pool.sha256) return;
    throw new UsageError(
      `${folder} contains another pool, with which matches may have been played. Choose another --out, or delete that folder.`,
    );
  }
  disk.makeFolder(folder);
  const entries = path.join(folder, poolFiles.entries);
  disk.remove(entries); // left over from an interrupted write
  const lines = openNdjson(entries, 'new', PoolEntry);
  try {
    lines.append(pool.entries);
  } finally {
    lines.close();
  }
  const { pool_version, ...contents } = describePool(pool);
  const record: PoolRecord = { pool_version, wolfgraph: readWolfgraphVersion(), ...contents };
  writeWhole(path.join(folder, poolFiles.record), `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Reads the vectors of a pool; null if it was never embedded. Throws a RecordError if they are damaged, edited or of
 * another pool.
 */
export function readVectors(folder: string, pool: Pool): PoolVectors | null {
  const disk = getDisk();
  const [file, numbersFile] = [vectorFiles.record, vectorFiles.numbers].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  if (!disk.exists(file)) return null;
  const read = VectorRecord.safeParse(parseJson(readTextOrExplain(file)));
  const cure = `Delete ${file} and run ${formatCommand('pool', 'embed', folder)}.`;
  if (!read.success)
    throw new RecordError(`${file} does not describe vectors: ${describeInOneLine(read.error)}. ${cure}`);
  const { embedder, dimensions, pool: of, sha256 } = read.data;
  if (of !== pool.sha256) throw new RecordError(`${file} belongs to another pool, with the SHA-256 ${of}. ${cure}`);
  const bytes = disk.exists(numbersFile)
    ? readOrExplain(numbersFile, () => disk.read(numbersFile, 2 * dimensions * pool.entries.length))
    : Buffer.alloc(0);
  if (hashText(bytes) !== sha256 || bytes.length !== 2 * dimensions * pool.entries.length)
    throw new RecordError(`${numbersFile} does not match its hash: it was edited or damaged. ${cure}`);
  return { embedder, dimensions, numbers: new Int16Array(Uint8Array.from(bytes).buffer) };
}

/** Writes vectors beside a pool, which stays unchanged. */
export function writeVectors(folder: string, pool: Pool, { embedder, dimensions, numbers }: PoolVectors): void {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  getDisk().write(path.join(folder, vectorFiles.numbers), bytes, true);
  const record: z.infer<typeof VectorRecord> = {
    ...{ embedder, pool: pool.sha256, dimensions, sha256: hashText(bytes) },
  };
  writeWhole(path.join(folder, vectorFiles.record), `${JSON.stringify(record, null, 2)}\n`);
}
