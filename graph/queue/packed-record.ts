// The folder of a finished match as one value: what the database keeps of it until somebody collects it.
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { getDisk } from '../../models/machine/machine.ts';
import { unpackGzip } from '../../models/machine/unpack.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { recordFiles } from '../../state/record.ts';

/** The files that a record consists of; its lock and log stay where it was played. */
const packedFiles: readonly string[] = [
  ...[recordFiles.manifest, recordFiles.answers, recordFiles.events, recordFiles.prompts, recordFiles.summary],
];

/** File name → contents in base64. */
const Packed = z.record(z.enum(packedFiles), z.string());

/** Bytes: a record that is larger unpacked is none of ours, nor could it be one text. */
const mostUnpacked = 2 ** 29;

/** @example await store.finish(attempt, { record: packRecord(folder), ...match }); */
export function packRecord(folder: string): Buffer {
  const files = packedFiles.map((name) => [
    name,
    getDisk().read(path.join(folder, name), mostUnpacked).toString('base64'),
  ]);
  return gzipSync(JSON.stringify(Object.fromEntries(files)));
}

/** Writes the files into a folder that is not there yet. Throws RecordError, which names `what`, for what is no record. */
export function unpackRecord(packed: Buffer, folder: string, what: string): void {
  const files = Packed.safeParse(parse(packed));
  if (!files.success) throw new RecordError(`The record of ${what} in the database is damaged. Play the match again.`);
  const disk = getDisk();
  disk.makeFolder(folder);
  for (const [name, contents] of Object.entries(files.data))
    disk.write(path.join(folder, name), Buffer.from(contents, 'base64'), true);
  disk.syncFolder(folder);
}

function parse(packed: Buffer): unknown {
  try {
    return JSON.parse(unpackGzip(packed, mostUnpacked).toString());
  } catch {
    return null; // told as no record
  }
}
