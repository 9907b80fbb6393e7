// The pages of a leaderboard, beside those of a report: for matches of one tournament, or wherever they are asked for.
import { buildLeaderboard, type LeaderboardOptions } from '../../deception/ratings/leaderboard.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import type { StopPlan } from '../../deception/tournament/tournament-plan.ts';
import type { ChanceFigure } from '../../deception/simulation/chance-baseline.ts';
import { wholeSample } from '../../deception/summary/report-samples.ts';
import { getCellKey } from '../../deception/summary/sufficient-statistics.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { renderLeaderboard, renderLeaderboardCsv } from '../../report/leaderboard-page.ts';

/** Name of the file → its text. */
export type LeaderboardPages = Record<'leaderboard.json' | 'leaderboard.md' | 'leaderboard.csv', string>;

/** Whether all matches are of the same tournament; `tournaments`: as in an inventory. */
export const isOfOneTournament = (tournaments: ReadonlySet<string | null>): boolean =>
  tournaments.size === 1 && !tournaments.has(null);

/**
 * Why matches of tournaments get no leaderboard; null where all are of one, or none of any.
 *
 * @example explainUnrated(new Set(['tea', null])) // 'There is no leaderboard: only some matches are of a tournament (tea). …'
 */
export function explainUnrated(tournaments: ReadonlySet<string | null>): string | null {
  const names = [...tournaments].filter((name) => name !== null).sort();
  if (names.length === 0 || isOfOneTournament(tournaments)) return null;
  const why =
    names.length === 1
      ? `only some matches are of a tournament (${names[0]})`
      : `the matches are of ${names.length} tournaments (${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''})`;
  return `There is no leaderboard: ${why}. Report the folder of one tournament, or rate the models of all matches with --leaderboard.`;
}

/**
 * The rule by which the tournament of one of these folders may stop before its last deal; null without one. Throws a
 * UsageError for a file that is no record of a tournament.
 */
export const findStoppingRule = (folders: readonly string[]): StopPlan | null =>
  folders.flatMap((folder) => readTournament(folder)?.plan.stop ?? [])[0] ?? null;

/** `chances`: what chance gives, by `getCellKey`. */
export function makeLeaderboardPages(
  matches: readonly LeaderboardMatch[],
  chances: ReadonlyMap<string, ChanceFigure>,
  stop: StopPlan | null,
  {
    tournaments,
    ...options
  }: Pick<LeaderboardOptions, 'seed' | 'resamples' | 'isPooled'> & { tournaments: ReadonlySet<string | null> },
): LeaderboardPages {
  const leaderboard = buildLeaderboard(matches, {
    ...options,
    name: isOfOneTournament(tournaments) ? [...tournaments][0]! : null,
    stop: stop ?? undefined,
    findChance: (metric, cell) => chances.get(getCellKey({ sample: wholeSample, metric, cell }))?.value ?? null,
  });
  return {
    'leaderboard.json': `${JSON.stringify(leaderboard, null, 2)}\n`,
    'leaderboard.md': renderLeaderboard(leaderboard),
    'leaderboard.csv': renderLeaderboardCsv(leaderboard),
  };
}
