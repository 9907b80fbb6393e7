// The matches of a folder, as rows of the viewer's list. What was read is kept in the user's cache folder, by sizes and times
// of the files that it was read from, so that a large folder lists at once when it is opened again.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { getDisk } from '../../models/machine/machine.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { createListedMatch, ListedMatch } from '../../report/viewer/match-list.ts';
import { recordFiles } from '../../state/record.ts';
import { findCacheFolder } from '../command/command-line.ts';

/** Folders below the one that is served in which matches are looked for. */
const deepest = 5;

/** Raised when rows are made otherwise. */
const indexVersion = 1;

const Kept = z.strictObject({
  version: z.literal(indexVersion),
  rows: z.record(z.string(), z.strictObject({ stamp: z.string(), row: ListedMatch })),
});

/** What of a summary a row is made from. */
const Summary = z.looseObject({
  winner: z.unknown(),
  rounds: z.number(),
  players: z.looseObject({}),
  model_calls: z.looseObject({}),
});

type KeptRows = z.infer<typeof Kept>['rows'];

export class MatchIndex {
  readonly #root: string;
  readonly #file: string | null;
  #kept: KeptRows;
  #isSaved = true;
  #pages: readonly string[] = [];

  /** `cache`: null keeps nothing. */
  constructor(root: string, cache: string | null) {
    this.#root = root;
    const name = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 32);
    this.#file = cache === null ? null : path.join(cache, `${name}.json`);
    this.#kept = this.#file === null ? {} : readKept(this.#file);
  }

  /** All matches now. One that vanishes while it is read, or that cannot be read, is left out. */
  list(): ListedMatch[] {
    const rows: KeptRows = {};
    const { matches, pages } = surveyFolder(this.#root);
    this.#pages = pages;
    for (const folder of matches) {
      const stamp = createStamp(path.join(this.#root, folder));
      const before = this.#kept[folder];
      if (stamp === null) continue;
      if (before?.stamp === stamp) {
        rows[folder] = before;
        continue;
      }
      const row = readRow(this.#root, folder);
      if (row !== null) rows[folder] = { stamp, row };
      this.#isSaved = false;
    }
    this.#isSaved &&= Object.keys(rows).length === Object.keys(this.#kept).length;
    this.#kept = rows;
    this.#save();
    return Object.values(rows).map(({ row }) => row);
  }

  /** Pages of reports and comparisons that lay beside the matches when they were last listed. */
  get pages(): readonly string[] {
    return this.#pages;
  }

  /** Whether a path names a match in the folder: nothing else is ever read. */
  has(folder: string): boolean {
    return Object.hasOwn(this.#kept, folder) || this.list().some((row) => row.path === folder);
  }

  #save(): void {
    if (this.#isSaved || this.#file === null) return;
    this.#isSaved = true;
    try {
      getDisk().makeFolder(path.dirname(this.#file));
      getDisk().write(this.#file, JSON.stringify({ version: indexVersion, rows: this.#kept }));
    } catch {
      // a cache that cannot be kept only takes time
    }
  }
}

/** Where indexes are kept. */
export const getIndexFolder = (env: NodeJS.ProcessEnv): string => findCacheFolder('viewer', env);

function readKept(file: string): KeptRows {
  try {
    return Kept.parse(JSON.parse(getDisk().readText(file))).rows;
  } catch {
    return {};
  }
}

/** Files beside matches that are pages of their own. */
const pageNames = ['report.html', 'comparison.html', 'leaderboard.html'];

/**
 * Matches and pages of reports below a folder, as paths from it with slashes; the folder itself is `.` where it is a match.
 * Links are not followed.
 *
 * @example surveyFolder('runs') // { matches: ['classic-8-1-0f3a', …], pages: ['report/report.html'] }
 */
export function surveyFolder(root: string): { matches: string[]; pages: string[] } {
  const found = { matches: [] as string[], pages: [] as string[] };
  const visit = (folder: string, depth: number): void => {
    let entries: ReturnType<ReturnType<typeof getDisk>['list']>;
    try {
      entries = getDisk().list(path.join(root, folder));
    } catch {
      return; // gone meanwhile, or not to be read
    }
    const join = (name: string) => (folder === '.' ? name : `${folder}/${name}`);
    if (entries.some(({ name, kind }) => name === recordFiles.manifest && kind === 'file')) {
      found.matches.push(folder);
      return;
    }
    for (const { name, kind, isLink } of entries) {
      if (isLink) continue;
      if (kind === 'folder' && depth < deepest) visit(join(name), depth + 1);
      if (kind === 'file' && pageNames.includes(name)) found.pages.push(join(name));
    }
  };
  visit('.', 0);
  return found;
}

/** Changes when anything of a row does; null where there is no match any more. */
function createStamp(folder: string): string | null {
  const files = [recordFiles.manifest, recordFiles.summary].map((name) => getDisk().find(path.join(folder, name)));
  if (files[0] === null) return null;
  return files.map((file) => (file ? `${file.size} ${file.changedAt}` : '-')).join(' ');
}

function readRow(root: string, folder: string): ListedMatch | null {
  const disk = getDisk();
  const file = path.join(root, folder, recordFiles.summary);
  try {
    const manifest = readManifest(path.join(root, folder, recordFiles.manifest));
    const summary = disk.exists(file) ? Summary.parse(JSON.parse(disk.readText(file))) : null;
    return createListedMatch(folder, manifest, summary as Parameters<typeof createListedMatch>[2]);
  } catch {
    return null;
  }
}
