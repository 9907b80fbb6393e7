// Lists the matches of a folder as rows of the viewer. The user's cache folder stores the rows with the sizes and times
// of the matches' files, so that a large folder opens quickly again.
import path from 'node:path';
import { z } from 'zod';
import type { StudyProgress } from '../../deception/design/study-progress.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { heartbeatPatience } from '../../models/record/lock.ts';
import { countJudgedLies, type ListedMatch, underWay } from '../../report/viewer/match-list.ts';
import { recordFiles } from '../../state/record.ts';
import { AnswerCounter, describeStudyMatch, findFile, MatchFacts, readMatchFacts } from '../study/match-facts.ts';
import { studyFiles } from '../study/study-file.ts';
import { measureFolder } from '../study/survey-study.ts';
import { findCacheFolder } from '../command/cache-folder.ts';
import type { CommandIO } from '../command/command-line.ts';
import { deepestMatches } from '../command/match-folder.ts';
import { readMatchReadings } from './read-match.ts';
import { hashText } from '../../state/hash-text.ts';

/** Increase when rows are made differently. */
const indexVersion = 5;

const Kept = z.strictObject({
  version: z.literal(indexVersion),
  rows: z.record(z.string(), z.strictObject({ stamp: z.string(), facts: MatchFacts, judged: z.string().nullable() })),
});

type KeptRows = z.infer<typeof Kept>['rows'];

/**
 * Pause between two surveys of a folder, as a multiple of the duration of a survey. Large folders are surveyed less
 * often.
 */
const restAfterSurvey = 8;

export class MatchIndex {
  readonly #root: string;
  readonly #file: string | null;
  #kept: KeptRows;
  #isSaved = true;
  #pages: readonly string[] = [];
  #studies: readonly string[] = [];
  readonly #answers = new AnswerCounter();
  #listed: readonly ListedMatch[] = [];
  #nextSurvey = -Infinity;

  /** Creates the index of a folder. `cache`: folder of the cache; null to cache nothing. */
  constructor(root: string, cache: string | null) {
    this.#root = root;
    const name = hashText(path.resolve(root)).slice(0, 32);
    this.#file = cache === null ? null : path.join(cache, `${name}.json`);
    this.#kept = this.#file === null ? {} : readKept(this.#file);
  }

  /** Returns all matches. The list may be a moment old. Leaves out a match that vanishes while it is read. */
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
    const { matches, pages, studies } = surveyFolder(this.#root);
    this.#pages = pages;
    this.#studies = studies;
    for (const folder of matches) {
      const stamp = createStamp(path.join(this.#root, folder));
      const before = this.#kept[folder];
      if (stamp === null) continue;
      if (before?.stamp === stamp) {
        rows[folder] = before;
        continue;
      }
      const facts = readMatchFacts(path.join(this.#root, folder), folder);
      if (facts !== null) rows[folder] = { stamp, facts, judged: null };
      this.#isSaved = false;
    }
    this.#isSaved &&= Object.keys(rows).length === Object.keys(this.#kept).length;
    this.#kept = rows;
    this.#save();
    this.#answers.keep(new Set(Object.keys(rows).map((folder) => path.join(this.#root, folder))));
    this.#listed = Object.values(rows).map(({ facts: { row } }) => markStopped(row, path.join(this.#root, row.path)));
  }

  /**
   * Counts lies by the claims of the judge that each match names, as reports do. Stops after about `most` milliseconds,
   * because reading a match takes long. Call this method again to continue.
   */
  async countJudged(most = longestCount): Promise<void> {
    const begun = getMachine().clock.elapsed();
    for (const [folder, kept] of Object.entries(this.#kept)) {
      if (getMachine().clock.elapsed() - begun > most) return;
      const { row } = kept.facts;
      if (row.judge === null || row.problem !== null) continue;
      const place = path.join(this.#root, folder);
      try {
        const judged = stampClaims(place);
        if (judged === kept.judged) continue;
        kept.judged = judged;
        const [first] = await readMatchReadings(place, readRecord(place, { canLackSeal: true }));
        if (first && first.source !== 'rules') kept.facts = { ...kept.facts, row: countJudgedLies(row, first) };
        this.#isSaved = false;
        const { row: counted } = kept.facts;
        this.#listed = this.#listed.map((one) => (one.path === folder ? { ...counted, winner: one.winner } : one));
      } catch {
        continue; // a missing or damaged match, which the list or the match's page reports
      }
    }
    this.#save();
  }

  /** Pages of reports and comparisons next to the matches, as of the last list. */
  get pages(): readonly string[] {
    return this.#pages;
  }

  /** Paths of study folders; `.` for the served folder itself. */
  get studies(): readonly string[] {
    return this.#studies;
  }

  /** Measures the progress of a study; null if the folder has none at this path. */
  measureStudy(study: string): StudyProgress | null {
    if (!this.#find(() => this.#studies.includes(study))) return null;
    this.list();
    const below = study === '.' ? '' : `${study}/`;
    const inner = this.#studies.filter((other) => other !== study && other.startsWith(below));
    const own = Object.entries(this.#kept).filter(
      ([folder]) => folder.startsWith(below) && !inner.some((other) => folder.startsWith(`${other}/`)),
    );
    const matches = own.map(([folder, { facts }]) =>
      describeStudyMatch(path.join(this.#root, folder), folder.slice(below.length), facts, this.#answers),
    );
    return measureFolder(path.join(this.#root, study), matches);
  }

  /** Returns whether a path names a match in the folder. No other path is ever read. */
  has(folder: string): boolean {
    return this.#find((rows) => Object.hasOwn(rows, folder));
  }

  /** Returns whether a path names a report's page in the folder. */
  hasPage(name: string): boolean {
    return this.#find(() => this.#pages.includes(name));
  }

  /** Searches again for something that may have appeared since the last survey. */
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
      // Ignore the error: without a cache the viewer is only slower.
    }
  }
}

/** Maximum duration in milliseconds of a survey that needs no pause afterwards. */
const quickSurvey = 50;

/** Milliseconds per step of counting lies by a judge's claims. */
const longestCount = 300;

/** Returns a stamp that changes whenever the judges' answers about a match change. */
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

/** Marks an unfinished match as stopped if no process has shown a sign of life for a while. */
function markStopped(row: ListedMatch, folder: string): ListedMatch {
  if (row.winner !== underWay) return row;
  const lock = findFile(path.join(folder, recordFiles.lock));
  const isHeld = lock !== null && getMachine().clock.now() - lock.changedAt < longestSilence;
  return isHeld ? row : { ...row, winner: 'stopped' };
}

/**
 * Milliseconds without a sign of life after which a match counts as stopped. Its process gives a sign every ten
 * seconds.
 */
const longestSilence = 2 * heartbeatPatience;

/** Returns the folder of indexes. */
export const getIndexFolder = (io: Pick<CommandIO, 'env' | 'stderr'>): string => findCacheFolder('viewer', io);

/** Size limit of an index in the user's own cache, in bytes. */
const largestIndex = 256 * 2 ** 20;

function readKept(file: string): KeptRows {
  try {
    return Kept.parse(JSON.parse(getDisk().readText(file, largestIndex))).rows;
  } catch {
    return {};
  }
}

/** Names of pages next to matches that the viewer lists separately. */
const pageNames = ['report.html', 'comparison.html', 'leaderboard.html'];

/**
 * Lists matches, reports' pages and studies below a folder, as paths with slashes; `.` for the folder itself. Links are
 * not followed.
 *
 * @example surveyFolder('runs') // { matches: ['classic-8-1-0f3a', …], pages: ['report/report.html'] }
 */
function surveyFolder(root: string): { matches: string[]; pages: string[]; studies: string[] } {
  const found = { matches: [] as string[], pages: [] as string[], studies: [] as string[] };
  const visit = (folder: string, depth: number): void => {
    let entries: ReturnType<ReturnType<typeof getDisk>['list']>;
    try {
      entries = getDisk().list(path.join(root, folder));
    } catch {
      return; // gone meanwhile, or unreadable
    }
    const join = (name: string) => (folder === '.' ? name : `${folder}/${name}`);
    if (entries.some(({ name }) => name === recordFiles.manifest)) {
      found.matches.push(folder);
      return;
    }
    if (entries.some(({ name, kind, isLink }) => !isLink && kind === 'file' && studyFiles.includes(name)))
      found.studies.push(folder);
    for (const { name, kind, isLink } of entries) {
      if (isLink || name.startsWith('.')) continue; // drafts are hidden
      if (kind === 'folder' && depth < deepestMatches) visit(join(name), depth + 1);
      if (kind === 'file' && pageNames.includes(name)) found.pages.push(join(name));
    }
  };
  visit('.', 0);
  return found;
}

/**
 * Returns a stamp that changes whenever a match's row may change; null if the match no longer exists. Until there is a
 * summary, the stamp also covers the events.
 */
function createStamp(folder: string): string | null {
  const [manifest, summary] = [recordFiles.manifest, recordFiles.summary].map((name) =>
    findFile(path.join(folder, name)),
  );
  if (!manifest) return null;
  return [manifest, summary ?? findFile(path.join(folder, recordFiles.events))]
    .map((file) => (file ? `${file.size} ${file.changedAt}` : '-'))
    .join(' ');
}
