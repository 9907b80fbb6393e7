// What matches there are to be reported: each once, in the order of their ids, whatever the order of their folders.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { groundHash, groundOf } from '../../deception/baseline/ground.ts';
import type { LeftOut } from '../../deception/report/report-schema.ts';
import type { Ground } from '../../deception/simulation/random-matches.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { isLaterVersion } from '../../state/record-migrations.ts';
import { recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { NotJudged } from './sources.ts';

/** A match to be measured, with all folders that hold it: the first that is sound counts. */
export interface StockedMatch {
  id: string;
  /** Name of the board. */
  board: string;
  /** Hash of board and rules, as far as chance goes by them. */
  ground: string;
  folders: readonly string[];
}

export interface Stock {
  /** Sorted by id. */
  matches: readonly StockedMatch[];
  leftOut: readonly LeftOut[];
  /** By hash. */
  grounds: ReadonlyMap<string, Ground>;
}

/** Reads the manifests in these folders, no more. */
export function takeStock(folders: readonly string[]): Stock {
  const leftOut: LeftOut[] = [];
  const grounds = new Map<string, Ground>();
  const found = [...folders].sort().flatMap((folder) => {
    try {
      const { id, setup } = readManifest(manifestIn(folder));
      const ground = groundHash(setup);
      if (!grounds.has(ground)) grounds.set(ground, groundOf(setup));
      return [{ folder, id, board: setup.board.name, ground }];
    } catch (error) {
      leftOut.push(unusable(folder, error));
      return [];
    }
  });
  const matches = [...Map.groupBy(found, ({ id }) => id)].map(([id, same]): StockedMatch => {
    const [{ folder: first, board, ground }, ...others] = same as [(typeof found)[number], ...typeof found];
    const equal = others.filter(({ folder }) => isSameSetup(first, folder));
    for (const { folder } of others.filter((one) => !equal.includes(one)))
      leftOut.push({
        folder,
        reason: 'same id',
        message: `Its id ${id} is also that of ${first}, a match of another set-up. Report them apart.`,
      });
    return { id, board, ground, folders: [first, ...equal.map(({ folder }) => folder)] };
  });
  return { matches: matches.sort((one, other) => (one.id < other.id ? -1 : 1)), leftOut, grounds };
}

const manifestIn = (folder: string) => path.join(folder, recordFiles.manifest);

const isSameSetup = (one: string, other: string) =>
  isDeepStrictEqual(readManifest(manifestIn(one)).setup, readManifest(manifestIn(other)).setup);

/** A record that is left out because of `error`. Throws what is no fault of the record's. */
export function unusable(folder: string, error: unknown): LeftOut {
  if (!(error instanceof Error)) throw error;
  const isOfRecord = error instanceof RecordError || error instanceof UsageError || 'code' in error;
  const reason = error instanceof NotJudged ? 'not judged' : isOfLaterVersion(folder) ? 'other version' : 'damaged';
  return { folder, reason, message: isOfRecord ? error.message : `It cannot be measured: ${error.message}` };
}

function isOfLaterVersion(folder: string): boolean {
  try {
    return isLaterVersion(JSON.parse(readFileSync(manifestIn(folder), 'utf8')));
  } catch {
    return false; // damaged otherwise
  }
}
