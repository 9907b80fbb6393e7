// The pages of a leaderboard, beside those of a report: for matches of one tournament, or wherever they are asked for.
import path from 'node:path';
import { buildLeaderboard, type LeaderboardOptions } from '../../deception/ratings/leaderboard.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import type { StopPlan } from '../../deception/tournament/tournament-plan.ts';
import { tournamentFile, TournamentRecord } from '../../deception/tournament/tournament-record.ts';
import type { ChanceFigure } from '../../deception/simulation/chance-baseline.ts';
import { wholeSample } from '../../deception/summary/report-samples.ts';
import { getCellKey } from '../../deception/summary/sufficient-statistics.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { renderLeaderboard, renderLeaderboardCsv } from '../../report/leaderboard-page.ts';

/** Name of the file → its text. */
export type LeaderboardPages = Record<'leaderboard.json' | 'leaderboard.md' | 'leaderboard.csv', string>;

/** Whether all matches are of the same tournament; `tournaments`: as in an inventory. */
export const isOfOneTournament = (tournaments: ReadonlySet<string | null>): boolean =>
  tournaments.size === 1 && !tournaments.has(null);

/**
 * The rule by which the tournament of one of these folders may stop before its last deal; null without one. Throws a
 * RecordError for a file that is no record of a tournament.
 */
export function findStoppingRule(folders: readonly string[]): StopPlan | null {
  const rules = folders.flatMap((folder) => {
    const file = path.join(folder, tournamentFile);
    if (!getDisk().exists(file)) return [];
    const read = TournamentRecord.safeParse(parseJson(getDisk().readText(file)));
    if (!read.success) throw new RecordError(`${file} is no record of a tournament. Restore it from a copy.`);
    return read.data.plan.stop ?? [];
  });
  return rules[0] ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as no record
  }
}

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
