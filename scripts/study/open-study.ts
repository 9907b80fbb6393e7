// Finds studies with a fixed sample that are not complete. Their pages show progress instead of figures by model.
import path from 'node:path';
import { z } from 'zod';
import { measureStudy, type StudyMatch, type StudyProgress } from '../../deception/design/study-progress.ts';
import { sanitizeText } from '../../report/format.ts';
import { formatFinishedShare, type ProgressPage } from '../../report/progress-page.ts';
import { nameProgress } from '../../report/shown-models.ts';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { tournamentFileName } from '../../deception/tournament-plan/tournament-record.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { CommandIO } from '../command/command-line.ts';
import { recordFiles } from '../../state/record.ts';
import { findMatches, KnownRecords } from '../command/match-folder.ts';
import { followItems, type StepListener } from '../command/work-progress.ts';
import { AnswerCounter, describeStudyMatch, MatchFacts, readMatchFacts } from './match-facts.ts';
import { readPlannedMatches, readStudyPlan, studyFiles } from './study-file.ts';
import { measureFolder } from './survey-study.ts';

/** A study with matches left to play. */
export interface OpenStudy {
  folder: string;
  progress: StudyProgress;
}

/** The methods of `MeasurementCache` that this file uses. */
export interface StudyCache {
  describeSettledFiles: (files: readonly string[]) => string | null;
  createKey: (kind: 'report', made: readonly unknown[]) => string;
  read: (key: string) => unknown;
  keep: (key: string, value: unknown) => void;
}

/** Maximum number of levels above a match's folder at which its study is searched for. */
const mostAbove = 4;

/**
 * Returns the incomplete studies with a fixed sample that contain some of the matches in these folders. A tournament
 * with a stopping rule has no fixed sample. Only reads records. With a `cache`, rereads a finished match only if its
 * files changed.
 *
 * @example findOpenStudies(['runs/study'], cache)[0]?.progress.finished // 12
 */
export function findOpenStudies(
  folders: readonly string[],
  cache: StudyCache | null,
  records = new KnownRecords(),
  onStep?: StepListener,
): OpenStudy[] {
  const matches = [...new Set(findMatches(folders, records).map((folder) => path.resolve(folder)))];
  const isStudy = new Map<string, boolean>();
  const byStudy = Map.groupBy(matches, (match) => findStudy(match, isStudy));
  return [...byStudy].flatMap(([study, own]) => {
    const open =
      study === null || hasStoppingRule(study) ? null : measureIfOpen(study, own, { cache, records, onStep });
    return open === null ? [] : [open];
  });
}

function findStudy(match: string, isStudy: Map<string, boolean>): string | null {
  let folder = path.dirname(match);
  for (let level = 0; level < mostAbove; level++) {
    const known = isStudy.get(folder) ?? studyFiles.some((name) => getDisk().exists(path.join(folder, name)));
    isStudy.set(folder, known);
    if (known) return folder;
    folder = path.dirname(folder);
  }
  return null;
}

function hasStoppingRule(study: string): boolean {
  if (!getDisk().exists(path.join(study, tournamentFileName))) return false;
  try {
    return readTournament(study)?.plan.stop !== undefined;
  } catch {
    return false; // the report describes the problem
  }
}

/**
 * Returns whether a study has matches left to play. Failed and damaged matches do not count, because a report lists
 * them as left out.
 */
const hasMatchesToPlay = ({ planned, finished, failed, underWay, stopped }: StudyProgress) =>
  (planned === null ? underWay + stopped : planned - finished - failed) > 0;

/** Measures a study. Null if no match is left to play, or if none of the study's reported matches is finished. */
function measureIfOpen(
  study: string,
  reported: readonly string[],
  { cache, records, onStep }: { cache: StudyCache | null; records: KnownRecords; onStep: StepListener | undefined },
): OpenStudy | null {
  const plan = readStudyPlan(study);
  if (plan === null && readPlannedMatches(study) === null) return null;
  const answers = new AnswerCounter();
  const wanted = new Set(reported);
  const known = new KnownFacts(study, cache);
  const all: { match: StudyMatch; isReported: boolean }[] = [];
  for (const folder of followItems(findMatches([study], records), 'matches of the study found', onStep)) {
    const name = path.relative(study, folder).split(path.sep).join('/');
    const facts = known.read(folder, name);
    if (facts === null) continue;
    all.push({ match: describeStudyMatch(folder, name, facts, answers), isReported: wanted.has(path.resolve(folder)) });
  }
  known.keep();
  const progress = measureFolder(study, all.map(({ match }) => match)); // prettier-ignore
  if (!hasMatchesToPlay(progress)) return null;
  const some = all.flatMap(({ match, isReported }) => (isReported ? [match] : []));
  const look = { plan, servers: [], isPlayed: false, playedSince: 0, now: 0 };
  return measureStudy(some, look).finished === 0 ? null : { folder: study, progress };
}

/** Name of a finished match → its facts, and the state of its files when they were read. */
const CachedFacts = z.map(z.string(), z.strictObject({ state: z.string(), facts: MatchFacts }));

/**
 * Cached facts about the finished matches of a study. A study may have thousands of matches, so one cache entry holds
 * all facts.
 */
class KnownFacts {
  readonly #cache: StudyCache | null;
  readonly #key: string;
  readonly #before: z.infer<typeof CachedFacts>;
  readonly #now: z.infer<typeof CachedFacts> = new Map();
  #isChanged = false;

  constructor(study: string, cache: StudyCache | null) {
    this.#cache = cache;
    this.#key = cache?.createKey('report', ['facts of matches', path.resolve(study)]) ?? '';
    const read = CachedFacts.safeParse(cache?.read(this.#key));
    this.#before = read.success ? read.data : new Map<never, never>();
  }

  /** Reads the facts like `readMatchFacts`, from the cache if possible. */
  read(folder: string, name: string): MatchFacts | null {
    const files = [recordFiles.manifest, recordFiles.summary].map((file) => path.join(folder, file));
    const state = this.#cache?.describeSettledFiles(files) ?? null;
    const before = this.#before.get(name);
    const isSame = before !== undefined && before.state === state;
    const facts = isSame ? before.facts : readMatchFacts(folder, name);
    if (state === null || facts?.isOver !== true) return facts;
    this.#now.set(name, { state, facts });
    this.#isChanged ||= !isSame;
    return facts;
  }

  keep(): void {
    if (this.#isChanged) this.#cache?.keep(this.#key, this.#now);
  }
}

/**
 * Describes the progress of these studies for a page.
 *
 * @example describeOpenStudies(findOpenStudies(['runs/study'], cache)) // '12 of 48 matches of study are finished'
 */
export const describeOpenStudies = (studies: readonly OpenStudy[]): string =>
  studies.map(({ folder, progress }) => `${formatFinishedShare(progress)} of ${path.basename(folder)} are finished`).join('; '); // prettier-ignore

/**
 * Warns on standard error about incomplete studies with a fixed sample, whose figures are preliminary. Writes nothing
 * if all studies are complete.
 *
 * @example tellOpenStudies(['runs/study'], io) // '12 of 48 matches of study are finished. …'
 */
export function tellOpenStudies(
  folders: readonly string[],
  { stderr, step }: Pick<CommandIO, 'stderr' | 'step'>,
): void {
  const open = findOpenStudies(folders, null, undefined, step);
  if (open.length === 0) return;
  stderr.write(
    sanitizeText(`${describeOpenStudies(open)}. Figures made of these files are figures so far, not for decisions.`) + '\n', // prettier-ignore
  );
}

/**
 * Creates the contents of a page that shows progress instead of figures. `command`: the typed command. The page shows
 * this command with `--so-far`, which shows the figures.
 *
 * @example createProgressPage('Report', findOpenStudies(['runs/study'], cache), ['report', 'runs/study'])
 */
export function createProgressPage(
  title: string,
  studies: readonly OpenStudy[],
  [command = '', ...words]: readonly string[],
): ProgressPage {
  const shown = studies.map(({ folder, progress }) => ({
    name: path.basename(folder),
    progress: nameProgress(progress),
  }));
  const named = shown.map(({ name }) => name).join(', ');
  return { title: `${title} of ${named}: not complete`, studies: shown, command: formatCommandInFile(command, ...words, '--so-far') }; // prettier-ignore
}
