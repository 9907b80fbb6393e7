// The matches of a folder, as rows of the viewer's list. What was read is kept in the user's cache folder, by sizes and times
// of the files that it was read from, so that a large folder lists at once when it is opened again.
import path from 'node:path';
import { z } from 'zod';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { readManifest, readRecord } from '../../models/record/recorder.ts';
import { heartbeatPatience } from '../../models/record/lock.ts';
import {
  countJudgedLies,
  createListedMatch,
  createUnreadableMatch,
  ListedMatch,
  type MatchProgress,
  underWay,
} from '../../report/viewer/match-list.ts';
import { parseJson } from '../../state/text.ts';
import { recordFiles } from '../../state/record.ts';
import { Team } from '../../state/teams.ts';
import { findCacheFolder } from '../command/cache-folder.ts';
import type { CommandIO } from '../command/command-line.ts';
import { deepestMatches } from '../command/match-folder.ts';
import { readMatchReadings } from './read-match.ts';
import { hashText } from '../../state/hash-text.ts';

/** Raised when rows are made otherwise. */
const indexVersion = 3;

const Kept = z.strictObject({
  version: z.literal(indexVersion),
  rows: z.record(z.string(), z.strictObject({ stamp: z.string(), row: ListedMatch, judged: z.string().nullable() })),
});

/** What of a summary a row is made from. */
const Summary = z.looseObject({
  winner: z.unknown(),
  rounds: z.number(),
  players: z.looseObject({}),
  model_calls: z.looseObject({}),
});

type KeptRows = z.infer<typeof Kept>['rows'];

/** A folder is looked through again once so many times as long has passed as that took: large ones cost time. */
const restAfterSurvey = 8;

export class MatchIndex {
  readonly #root: string;
  readonly #file: string | null;
  #kept: KeptRows;
  #isSaved = true;
  #pages: readonly string[] = [];
  #listed: readonly ListedMatch[] = [];
  #nextSurvey = -Infinity;

  /** `cache`: null keeps nothing. */
  constructor(root: string, cache: string | null) {
    this.#root = root;
    const name = hashText(path.resolve(root)).slice(0, 32);
    this.#file = cache === null ? null : path.join(cache, `${name}.json`);
    this.#kept = this.#file === null ? {} : readKept(this.#file);
  }

  /** All matches now, or as they were a moment ago. One that vanishes while it is read is left out. */
  list(): readonly ListedMatch[] {
    const begun = getMachine().clock.elapsed();
    if (begun < this.#nextSurvey) return this.#listed;
    this.#survey();
    const now = getMachine().clock.elapsed();
    this.#nextSurvey = now + restAfterSurvey * Math.max(0, now - begun - quickSurvey);
    return this.#listed;
  }

  #survey(): void {
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
      if (row !== null) rows[folder] = { stamp, row, judged: null };
      this.#isSaved = false;
    }
    this.#isSaved &&= Object.keys(rows).length === Object.keys(this.#kept).length;
    this.#kept = rows;
    this.#save();
    this.#listed = Object.values(rows).map(({ row }) => markStopped(row, path.join(this.#root, row.path)));
  }

  /**
   * Counts the lies of matches that name a judge by that judge's claims, as reports do, for some milliseconds: reading a match
   * takes long, so a large folder is done little by little.
   */
  async countJudged(most = longestCount): Promise<void> {
    const begun = getMachine().clock.elapsed();
    for (const [folder, kept] of Object.entries(this.#kept)) {
      if (getMachine().clock.elapsed() - begun > most) return;
      if (kept.row.judge === null || kept.row.problem !== null) continue;
      const place = path.join(this.#root, folder);
      try {
        const judged = stampClaims(place);
        if (judged === kept.judged) continue;
        kept.judged = judged;
        const [first] = await readMatchReadings(place, readRecord(place, { canLackSeal: true }));
        if (first && first.source !== 'rules') kept.row = countJudgedLies(kept.row, first);
        this.#isSaved = false;
        this.#listed = this.#listed.map((row) => (row.path === folder ? { ...kept.row, winner: row.winner } : row));
      } catch {
        continue; // gone meanwhile, or damaged: the list or the match itself says so
      }
    }
    this.#save();
  }

  /** Pages of reports and comparisons that lay beside the matches when they were last listed. */
  get pages(): readonly string[] {
    return this.#pages;
  }

  /** Whether a path names a match in the folder: nothing else is ever read. */
  has(folder: string): boolean {
    return this.#find((rows) => Object.hasOwn(rows, folder));
  }

  /** Whether a path names a page of a report in the folder. */
  hasPage(name: string): boolean {
    return this.#find(() => this.#pages.includes(name));
  }

  /** What is there now, though it was not when the folder was last looked through, is looked for once more. */
  #find(isThere: (rows: KeptRows) => boolean): boolean {
    if (isThere(this.#kept) && this.#nextSurvey !== -Infinity) return true;
    this.#nextSurvey = -Infinity;
    this.list();
    return isThere(this.#kept);
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

/** Milliseconds that looking through a folder may take without any rest after it. */
const quickSurvey = 50;

/** Milliseconds that matches are read at a time to count lies by a judge. */
const longestCount = 300;

/** Changes with what judges have said of a match. */
const stampClaims = (folder: string): string =>
  getDisk()
    .list(folder)
    .filter(({ name }) => /^claims\.[\w.-]+\.ndjson$/.test(name))
    .map(({ name }) => {
      const file = findFile(path.join(folder, name));
      return `${name} ${file?.size} ${file?.changedAt}`;
    })
    .sort()
    .join('\n');

/** A match that is not over and that no process has held for a while is not under way. */
function markStopped(row: ListedMatch, folder: string): ListedMatch {
  if (row.winner !== underWay) return row;
  const lock = findFile(path.join(folder, recordFiles.lock));
  const isHeld = lock !== null && getMachine().clock.now() - lock.changedAt < longestSilence;
  return isHeld ? row : { ...row, winner: 'stopped' };
}

/** Milliseconds without a sign of life after which a match counts as stopped: its holder gives one every ten seconds. */
const longestSilence = 2 * heartbeatPatience;

function findFile(file: string) {
  try {
    return getDisk().find(file);
  } catch {
    return null;
  }
}

/** Where indexes are kept. */
export const getIndexFolder = (io: Pick<CommandIO, 'env' | 'stderr'>): string => findCacheFolder('viewer', io);

/** In bytes, of the user's own cache. */
const largestIndex = 256 * 2 ** 20;

function readKept(file: string): KeptRows {
  try {
    return Kept.parse(JSON.parse(getDisk().readText(file, largestIndex))).rows;
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
function surveyFolder(root: string): { matches: string[]; pages: string[] } {
  const found = { matches: [] as string[], pages: [] as string[] };
  const visit = (folder: string, depth: number): void => {
    let entries: ReturnType<ReturnType<typeof getDisk>['list']>;
    try {
      entries = getDisk().list(path.join(root, folder));
    } catch {
      return; // gone meanwhile, or not to be read
    }
    const join = (name: string) => (folder === '.' ? name : `${folder}/${name}`);
    if (entries.some(({ name }) => name === recordFiles.manifest)) {
      found.matches.push(folder);
      return;
    }
    for (const { name, kind, isLink } of entries) {
      if (isLink || name.startsWith('.')) continue; // drafts are hidden
      if (kind === 'folder' && depth < deepestMatches) visit(join(name), depth + 1);
      if (kind === 'file' && pageNames.includes(name)) found.pages.push(join(name));
    }
  };
  visit('.', 0);
  return found;
}

/** Changes when anything of a row does; null where there is no match any more. Events count until there is a summary. */
function createStamp(folder: string): string | null {
  const [manifest, summary] = [recordFiles.manifest, recordFiles.summary].map((name) =>
    findFile(path.join(folder, name)),
  );
  if (!manifest) return null;
  return [manifest, summary ?? findFile(path.join(folder, recordFiles.events))]
    .map((file) => (file ? `${file.size} ${file.changedAt}` : '-'))
    .join(' ');
}

/** Null for a match that is gone; of one that cannot be read, why. */
function readRow(root: string, folder: string): ListedMatch | null {
  const disk = getDisk();
  const [manifest, summary] = [recordFiles.manifest, recordFiles.summary].map((name) => path.join(root, folder, name));
  try {
    const read = readManifest(manifest!);
    return disk.exists(summary!)
      ? createListedMatch(
          folder,
          read,
          Summary.parse(parseJson(disk.readText(summary!))) as unknown as Parameters<typeof createListedMatch>[2],
        )
      : createListedMatch(folder, read, null, readProgress(path.join(root, folder, recordFiles.events)));
  } catch (error) {
    if (!disk.exists(manifest!)) return null;
    return createUnreadableMatch(folder, (error as Error).message);
  }
}

/** How far a match is that has no summary yet, from its last events. */
function readProgress(file: string): MatchProgress {
  const lines = getDisk().exists(file) ? getDisk().readEnd(file, longestTail).toString('utf8').split('\n') : [];
  const last = lines.flatMap((line) => {
    const parsed = LastEvent.safeParse(parseLine(line));
    return parsed.success ? [parsed.data] : [];
  });
  const ended = last.find(({ type }) => type === 'ended');
  return {
    rounds: last.at(-1)?.round ?? null,
    ended: ended === undefined ? null : { winner: ended.winner ?? null },
  };
}

/** Bytes at the end of the events in which the last whole line lies: one takes a statement of 100 kB at most. */
const longestTail = 400_000;

const LastEvent = z.object({ type: z.string(), round: z.number(), winner: Team.nullable().optional() });

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // cut off, or still being written
  }
}
