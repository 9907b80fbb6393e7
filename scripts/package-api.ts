// The package's public functions: `import { playMatch, report, boards } from 'wolfgraph'`.
import path from 'node:path';
import { DEFAULT_RESAMPLES } from '../deception/statistics/bootstrap.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import { playMatch } from '../graph/play-match.ts';
import { playMatches } from '../graph/play-matches.ts';
import { playTournament } from '../graph/tournament/play-tournament.ts';
import { addProgramPolicy } from '../models/key-policy.ts';
import type { Environment } from '../models/model.ts';
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import type { ReportOptions } from './report/make-report.ts';
import { explainWithheld } from '../report/progress-page.ts';
import { chooseJudge } from './report/choose-judge.ts';
import { reportMany } from './report/write-reports.ts';
import { describeOpenStudies, findOpenStudies } from './study/open-study.ts';

export { type MatchListener, type PlayOptions, replayMatch } from '../graph/play-match.ts';
export type { MatchResult } from '../graph/earlier-match.ts';
export type { People, PersonAnswer, PersonQuestion, PersonSeat } from '../models/human/people.ts';
export { listModelPairs } from '../deception/design/schedule.ts';
export { readModelsFile } from '../models/providers/models-file.ts';
export type { TournamentOptions, TournamentResult } from '../graph/tournament/play-tournament.ts';
export { playOwnMatch as playMatch, playOwnMatches as playMatches, playOwnTournament as playTournament };
export { readTournamentFile } from './command/tournament-command.ts';
export type { TournamentPlan } from '../deception/tournament-plan/tournament-plan.ts';
export type { MatchPlan } from '../graph/prepare-match.ts';
export { readRecord } from '../models/record/recorder.ts';
export { boards } from '../state/boards.ts';
export { presets } from '../state/presets.ts';
export { rulebook } from '../state/rulebook.ts';
export type { GameEvent } from '../state/events.ts';
export type { DeceptionSummary } from '../deception/summary/match-summary-schema.ts';
export type { Report, ReportOptions };

/** Options of `report` for programs. */
export interface ProgramReportOptions extends Omit<ReportOptions, 'soFar' | 'judge'> {
  /**
   * Judge whose cached answers give the claims; false for the built-in rules. Default: the judge that all the matches
   * name, as for the command; the rules if they name none. `warn` is told which.
   */
  judge?: ReportOptions['judge'] | false;
  /** Whether to return figures of an incomplete study. Such figures are marked, and nothing is compared. */
  soFar?: boolean | undefined;
}

// Returns options whose model addresses and keys are trusted, because the program itself gives them. Commands, in
// contrast, may read other people's files, so they ask their users.

const ownPlan = <Options extends { env?: Environment | undefined }>(
  options: Options,
): Options & { env: Environment } => ({
  ...options,
  env: addProgramPolicy(options.env ?? process.env),
});

/** `playMatch` for programs. */
const playOwnMatch: typeof playMatch = (options = {}) => playMatch(ownPlan(options));

/** `playMatches` for programs. */
const playOwnMatches: typeof playMatches = (set, options = {}) => playMatches(set, ownPlan(options));

/** `playTournament` for programs. */
const playOwnTournament: typeof playTournament = (plan, options = {}) => playTournament(plan, ownPlan(options));

/**
 * Reports finished matches: figures with intervals, like `npm run report`. `folders`: folders of matches, or folders
 * that contain matches; `out`: folder for the files. Returns the report and the paths of its files. Throws a UsageError
 * for a folder without a match. Also throws one for an incomplete study with a fixed sample, unless `soFar` is set.
 * Throws a RecordError if no record can be used.
 *
 * @example const { report: found } = await report(['runs'], { out: 'runs/report' });
 */
export async function report(
  folders: readonly string[],
  options: Partial<ProgramReportOptions> = {},
): Promise<{ report: Report; files: string[] }> {
  checkOptionNames('report', options, reportNames);
  const { out = path.join(folders[0] ?? 'runs', 'report'), soFar = false, ...others } = options;
  const open = findOpenStudies(folders, null);
  const howFar = open.length === 0 ? undefined : describeOpenStudies(open);
  if (howFar !== undefined && !soFar)
    throw new UsageError(
      `${howFar}. ${explainWithheld} Play the other matches, or set soFar: true for interim figures; these are marked, and nothing is compared.`,
    );
  const usual = { seed: 1, resamples: DEFAULT_RESAMPLES, isTabled: true, baselines: null };
  const { judge: wanted, cache, presupposed, warn } = others;
  const isNamed = wanted !== undefined && wanted !== false;
  const judge = isNamed
    ? wanted
    : await chooseJudge(
        { judge: wanted, judgePer: 'statement', repeat: 1, guard: true },
        { folders, cache, presupposed, keepsNamed: true, tellsRules: true },
        { stderr: { write: (line) => (warn?.(line.trimEnd()), true) } },
      );
  return reportMany({ ...usual, isUnreadShown: !isNamed, ...others, judge, soFar: howFar, folders, out });
}

const reportNames: Readonly<Record<keyof Omit<ReportOptions, 'signals' | 'onStep' | 'isUnreadShown' | 'known'>, true>> =
  {
    ...{ folders: true, out: true, seed: true, resamples: true, isTabled: true, judge: true, errors: true },
    ...{
      presupposed: true,
      measured: true,
      gold: true,
      imputed: true,
      baselines: true,
      cache: true,
      threads: true,
      signal: true,
      isRated: true,
      isPooled: true,
    },
    csv: true,
    soFar: true,
    prices: true,
    hasMatchPages: true,
    warn: true,
  };
