// The files of a leaderboard, written beside a report: for matches of one tournament, or on request.
import { getFigureKey } from '../../deception/metrics/metric.ts';
import path from 'node:path';
import { sum } from '../../deception/statistics/sums.ts';
import type { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import { buildLeaderboard, type LeaderboardOptions } from '../../deception/ratings/build-leaderboard.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { findFinishedBlocks, nameScheduled } from '../../deception/ratings/finished-blocks.ts';
import type { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { listTournamentMatches, type TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { computeReached, estimatePromise } from '../../deception/tournament/promised-precision.ts';
import { TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import type { ChanceFigure } from '../../deception/baseline/chance-baseline.ts';
import {
  type ExampleGroup,
  type FigureExample,
  describeOutcome,
  nameRatedCell,
} from '../../deception/summary/figure-examples.ts';
import { wholeSampleName } from '../../deception/summary/report-samples.ts';
import { getCellKey } from '../../deception/summary/sufficient-statistics.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { UsageError } from '../../state/usage-error.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Team } from '../../state/teams.ts';
import { renderLeaderboardCsv } from '../../report/csv.ts';
import { renderLeaderboard } from '../../report/leaderboard-markdown.ts';
import { nameModels } from '../../report/shown-models.ts';

/** File name → its text. */
export type LeaderboardPages = Record<'leaderboard.json' | 'leaderboard.md' | 'leaderboard.csv', string>;

/** Whether all matches are from the same tournament. `tournaments`: `MatchInventory.tournaments`. */
export const isOfOneTournament = (tournaments: ReadonlySet<string | null>): boolean =>
  tournaments.size === 1 && !tournaments.has(null);

/**
 * Explains why tournament matches get no leaderboard. Null if all matches are from one tournament, or if no match is
 * from a tournament.
 *
 * @example explainUnrated(new Set(['tea', null])) // 'There is no leaderboard: only some matches are of a tournament (tea). …'
 */
export function explainUnrated(tournaments: ReadonlySet<string | null>): string | null {
  const names = [...tournaments].filter((name) => name !== null).sort();
  if (names.length === 0 || isOfOneTournament(tournaments)) return null;
  const why =
    names.length === 1
      ? `only some matches belong to a tournament (${names[0]})`
      : `the matches belong to ${names.length} tournaments (${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''})`;
  return `There is no leaderboard: ${why}. Report the folder of one tournament, or rate the models of all matches with --leaderboard.`;
}

/** The tournament that a report covers: its record, and its planned matches in the requested folders. */
export interface ReportedTournament {
  readonly record: TournamentRecord;
  readonly schedule: readonly TournamentMatch[];
  /** Whether `schedule` contains all matches of the plan. */
  readonly isWhole: boolean;
}

/**
 * Finds the tournament whose folder contains the matches; null if there is none. `named`: the folders given to the
 * report, which may contain only some pairings. An invalid tournament file counts as none; `warn` is then called.
 *
 * @example findTournament(['runs/tea'], findMatches(['runs/tea']))?.record.plan.stop
 */
export function findTournament(
  named: readonly string[],
  matchFolders: readonly string[],
  warn?: (message: string) => void,
): ReportedTournament | null {
  // The folder of a match is in the folder of its pairing, which is in the folder of the tournament.
  const roots = new Set(matchFolders.map((folder) => path.resolve(folder, '../..')));
  const found = [...roots].flatMap((root) => {
    try {
      const record = readTournament(root);
      return record ? [{ root, record }] : [];
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof RecordError)) throw error;
      warn?.(`${error.message} Without it the leaderboard does not know the plan.`);
      return [];
    }
  });
  const [largest] = found.toSorted((one, other) => other.record.matches - one.record.matches); // the largest of several extended copies
  if (!largest) return null;
  const { record } = largest;
  const all = listTournamentMatches(record.plan);
  const inner = named.map((folder) => {
    const own = found.find(({ root }) => isWithin(root, path.resolve(folder)));
    return own ? path.relative(own.root, path.resolve(folder)).split(path.sep)[0]! : '';
  });
  const schedule = inner.includes('') ? all : all.filter(({ folder }) => inner.includes(folder));
  return { record, schedule, isWhole: schedule.length === all.length };
}

const isWithin = (root: string, folder: string) => {
  const relative = path.relative(root, folder);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
};

/**
 * Returns the number of deals after which the stopping rule ended the tournament, computed from the existing matches.
 * Null if the tournament did not end.
 */
export function findDecidedDeals(
  { record, schedule, isWhole }: ReportedTournament,
  matches: readonly LeaderboardMatch[],
): number | null {
  if (record.plan.stop === undefined || !isWhole) return null;
  const scores = new TournamentScores(record.plan, schedule);
  const winners = new Map(matches.map(({ place, rated }) => [place, rated.winner]));
  for (const match of schedule) {
    const winner = winners.get(nameScheduled(match));
    if (winner !== undefined) scores.record(match, winner);
  }
  return scores.evaluate()!.decidedDeals;
}

/** Makes the leaderboard of these matches. `chances`: chance baselines by `getCellKey`. */
export function makeLeaderboard(
  matches: readonly LeaderboardMatch[],
  chances: ReadonlyMap<string, ChanceFigure>,
  tournament: ReportedTournament | null,
  {
    tournaments,
    ...options
  }: Pick<LeaderboardOptions, 'seed' | 'resamples' | 'isPooled' | 'decidedDeals' | 'reading'> & {
    tournaments: ReadonlySet<string | null>;
  },
): Leaderboard {
  const board = buildLeaderboard(matches, {
    ...options,
    name: isOfOneTournament(tournaments) ? [...tournaments][0]! : null,
    stop: tournament?.record.plan.stop,
    schedule: tournament?.schedule,
    findChance: (metric, cell) => chances.get(getCellKey({ sample: wholeSampleName, metric, cell }))?.value ?? null,
  });
  return { ...board, promised: tournament && comparePromise(board, tournament) };
}

/**
 * Compares the precision that the plan's dry run promised with the precision reached. Only for a fixed sample whose
 * matches are all played.
 */
function comparePromise(
  { planned, ratings }: Leaderboard,
  { record: { plan }, isWhole }: ReportedTournament,
): Leaderboard['promised'] {
  if (!isWhole || plan.stop !== undefined || planned?.missing !== 0) return null;
  const promised = estimatePromise(plan);
  return promised === null
    ? null
    : { half_width: promised, reached: computeReached(ratings.flatMap(({ differences }) => differences)) };
}

/**
 * Lists the matches behind each entrant's score: one group per entrant and condition. `rated`: the matches given to
 * `makeLeaderboard`, each with its id and folder.
 */
export function listRatedExamples(
  rated: ReadonlyMap<LeaderboardMatch, Pick<FigureExample, 'match' | 'folder'>>,
  tournament: ReportedTournament | null,
  decidedDeals: number | null,
): ExampleGroup[] {
  const { blocks } = findFinishedBlocks([...rated.keys()], tournament?.schedule ?? null, decidedDeals);
  const groups = new Map<string, ExampleGroup & { examples: FigureExample[] }>();
  for (const match of blocks.flat()) {
    const { seats, winner } = match.rated;
    const nameSide = (side: Team) =>
      [...new Set(seats.flatMap(({ entrant, team }) => (team === side ? [entrant] : [])))].join(' and ');
    const note = `${describeOutcome(winner)}; Werewolves ${nameSide('werewolves')}, village ${nameSide('villagers')}`;
    const nothing = { moment: null, round: null, player: null, text: null };
    for (const entrant of new Set(seats.map((seat) => seat.entrant))) {
      const counted = nameRatedCell(entrant, match.condition);
      const name = getFigureKey(counted);
      const group = groups.get(name) ?? { ...counted, examples: [] };
      groups.set(name, group);
      group.examples.push({ ...rated.get(match)!, ...nothing, note });
    }
  }
  return [...groups.values()];
}

export const makeLeaderboardPages = (leaderboard: Leaderboard): LeaderboardPages => ({
  'leaderboard.json': `${JSON.stringify(leaderboard, null, 2)}\n`,
  'leaderboard.md': renderLeaderboard(nameModels(leaderboard, leaderboard.answers)),
  'leaderboard.csv': renderLeaderboardCsv(leaderboard),
});

/**
 * Lists a note for each model that several entrants share. A report has one row per model, so such entrants share a
 * row.
 */
const listSharedModels = (entrants: TournamentRecord['plan']['entrants']): string[] => {
  const played = Object.entries(entrants).flatMap(([entrant, { model, roles = {} }]) =>
    [...new Set([model, ...Object.values(roles)].map(getModelLabel))].map((label) => ({ entrant, label })),
  );
  return [...Map.groupBy(played, ({ label }) => label)]
    .filter(([, { length }]) => length > 1)
    .map(
      ([label, same]) =>
        `The entrants ${same.map(({ entrant }) => entrant).join(' and ')} play with the same model, ${label}: figures here are by model and combine them. The leaderboard separates entrants.`,
    );
};

/**
 * Describes the tournament for the top of a report. The report's figures count every match, and their intervals assume
 * a fixed sample size.
 */
export function describeReportedTournament(
  { record }: ReportedTournament,
  { ratings, matches }: Leaderboard,
): { planNotice: string; notes: string[] } {
  const left = sum(ratings.map(({ unfinished }) => unfinished));
  const { name, stop, entrants } = record.plan;
  return {
    planNotice: `Played as the tournament ${name}, whose plan fixed who meets whom${stop ? ' and when to stop' : ''}, but names no endpoints: all figures except those of its leaderboard are exploratory.`,
    notes: [
      ...listSharedModels(entrants),
      ...(stop === undefined
        ? []
        : [
            'The tournament could stop early (stop) depending on who won, but intervals here assume a fixed sample size. For wins and related figures they are too narrow, and means are biased towards the result that ended the tournament. The leaderboard has intervals that are valid at any time.',
          ]),
      ...(left === 0
        ? []
        : [
            `${left} of ${matches} matches belong to unfinished or later deals, or to no deal of the plan: figures here count them, although short matches end first. The leaderboard leaves them out.`,
          ]),
    ],
  };
}
