// Recovers the undamaged part of a damaged record: its manifest, and its answers up to the first fault. These are
// enough to resume.
import path from 'node:path';
import { formatCommand } from '../../state/command-name.ts';
import { isMatchId, matchIdRule } from '../../state/file-name.ts';
import { migrateAnswer } from '../../state/record-migrations.ts';
import { AnswerLine, formatCallKey, recordFiles } from '../../state/record.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { getDisk } from '../machine/machine.ts';
import { DamageError, readChained, readOrExplain, RecordError } from './ndjson.ts';
import { checkNotRedacted, checkPlayable, readManifest } from './recorder.ts';
import { createRecordChains, isManifestChanged } from './seal.ts';

const chunkLength = 1 << 20;

/**
 * Copies the undamaged part of the record in `folder` into a new folder in `out`, named after the match. Changes
 * nothing else. The returned `fault` describes where the undamaged answers end; null if all answers are undamaged.
 * Throws RecordError if the manifest cannot be read or was changed after sealing, or if the match was imported. Throws
 * UsageError if the new folder exists.
 *
 * @example recoverRecord('runs/a', 'runs/recovered') // { folder: 'runs/recovered/a', answers: 41, fault: '…, line 42 is damaged: …' }
 */
export function recoverRecord(folder: string, out: string): { folder: string; answers: number; fault: string | null } {
  const disk = getDisk();
  const [manifestFile, answersFile] = [recordFiles.manifest, recordFiles.answers].map((name) =>
    path.join(folder, name),
  ) as [string, string];
  const manifest = readManifest(manifestFile);
  checkNotRedacted(folder, manifest);
  checkPlayable(manifest);
  if (manifest.fork_of)
    throw new RecordError(
      `${folder} is a fork of match ${manifest.fork_of.match}. Forks cannot be recovered. Remove the folder, then run ${formatCommand('fork')} again as before.`,
    );
  // Otherwise a changed manifest would be sealed with the resumed match, as if its models and rules had been the real
  // ones.
  if (isManifestChanged(folder))
    throw new RecordError(
      `${manifestFile} was changed after it was sealed: the models and rules of the answers are unknown. Restore it from a copy; without it nothing can be recovered.`,
    );
  if (!isMatchId(manifest.id))
    throw new RecordError(
      `${manifestFile} names the match "${flattenToOneLine(manifest.id)}", which cannot be a folder's name: an id must ${matchIdRule}.`,
    );
  const target = path.join(out, manifest.id);
  if (disk.exists(target))
    throw new UsageError(`${target} already exists. Remove it, or choose another place with --out.`);
  const { rows, places, fault } = readChained(answersFile, createRecordChains(manifest).answers, AnswerLine, (line) =>
    migrateAnswer(line),
  );
  const seen = new Set<string>();
  const doubled = rows.findIndex((row) => seen.size === seen.add(formatCallKey(row)).size);
  const sound = doubled < 0 ? rows.length : doubled;
  disk.makeFolder(target);
  disk.write(
    path.join(target, recordFiles.manifest),
    readOrExplain(manifestFile, () => disk.read(manifestFile)),
    true,
  );
  copyBeginning(answersFile, path.join(target, recordFiles.answers), places[sound - 1]?.end ?? 0);
  const reason =
    doubled < 0
      ? fault instanceof DamageError
        ? fault.fault
        : (fault?.message ?? null)
      : `${answersFile}, line ${places[doubled]!.number} is doubled.`;
  return { folder: target, answers: sound, fault: reason };
}

/** Copies the first `length` bytes of a file. */
function copyBeginning(from: string, to: string, length: number) {
  const disk = getDisk();
  const target = disk.open(to, 'new');
  try {
    if (length > 0) {
      const source = disk.open(from, 'read');
      try {
        const chunk = Buffer.allocUnsafe(chunkLength);
        for (let left = length; left > 0;) {
          const read = Math.min(source.read(chunk), left);
          if (read === 0) break;
          target.write(chunk.subarray(0, read));
          left -= read;
        }
      } finally {
        source.close();
      }
    }
    target.sync();
  } finally {
    target.close();
  }
}
