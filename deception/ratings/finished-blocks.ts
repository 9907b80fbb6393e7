// Selects the rated matches of a tournament: the unbroken prefix of finished blocks, over all conditions together.
// Matches after a gap are left out, because short matches end first and their winners are not representative.
import { sum } from '../statistics/sums.ts';
import type { TournamentMatch } from '../tournament-plan/tournament-schedule.ts';
import { type LeaderboardMatch, namePlace } from './leaderboard-match.ts';
import type { LackingTable, PlannedMatches } from './leaderboard-schema.ts';

/** Returns the name of a match's place in the schedule. It equals the `place` of the played `LeaderboardMatch`. */
export const nameScheduled = ({ board, seats, replicate = 1, ...match }: TournamentMatch) =>
  namePlace({
    ...{ ...match, board: board.name, replicate },
    entrants: Object.fromEntries(seats.map(({ player, entrant }) => [player, entrant])),
  });

export interface FinishedBlocks {
  /** Matches that count, block by block. Without a tournament, all matches form one block. */
  readonly blocks: readonly (readonly LeaderboardMatch[])[];
  /** Counts of planned matches; null without a known plan. */
  readonly planned: PlannedMatches | null;
}

/**
 * Finds the blocks before the first unfinished block, and counts the other matches of the plan. If a match was played
 * several times, all plays count.
 *
 * `schedule`: the requested matches of the plan. If it is null, a block is finished when it has as many matches as the
 * largest block. `decidedDeals`: number of deals after which the stopping rule ended the tournament; later deals do not
 * count as missing.
 *
 * @example findFinishedBlocks(matches, listTournamentMatches(plan)).planned?.missing // 20
 */
export function findFinishedBlocks(
  matches: readonly LeaderboardMatch[],
  schedule: readonly TournamentMatch[] | null,
  decidedDeals: number | null = null,
): FinishedBlocks {
  if (schedule !== null) return followSchedule(matches, schedule, decidedDeals);
  if (matches.some(({ block }) => block === null)) return { blocks: [matches], planned: null };
  const byBlock = Map.groupBy(matches, ({ block }) => block!);
  const countPlaces = (own: readonly LeaderboardMatch[] = []) => new Set(own.map((match) => match.place ?? match)).size;
  const whole = Math.max(...[...byBlock.values()].map(countPlaces));
  const blocks: (readonly LeaderboardMatch[])[] = [];
  while (countPlaces(byBlock.get(blocks.length + 1)) === whole) blocks.push(byBlock.get(blocks.length + 1)!);
  return { blocks, planned: null };
}

function followSchedule(
  matches: readonly LeaderboardMatch[],
  schedule: readonly TournamentMatch[],
  decidedDeals: number | null,
): FinishedBlocks {
  const found = Map.groupBy(matches, ({ place }) => place);
  const places = schedule.map((match) => ({ match, played: found.get(nameScheduled(match)) ?? null }));
  const byBlock = [...Map.groupBy(places, ({ match }) => match.block).values()];
  const gap = byBlock.findIndex((own) => own.some(({ played }) => played === null));
  const missing = places.filter(
    ({ match, played }) => played === null && (decidedDeals === null || match.deal <= decidedDeals),
  );
  const count = places.filter(({ played }) => played !== null).length;
  const others = matches.length - sum(places.map(({ played }) => played?.length ?? 0));
  return {
    blocks: (gap === -1 ? byBlock : byBlock.slice(0, gap)).map((own) => own.flatMap(({ played }) => played ?? [])),
    planned: {
      ...{ matches: places.length, found: count, others, missing: missing.length },
      ...{ decided_deals: decidedDeals, lacking: listLacking(places, new Set(missing.map(({ match }) => match))) },
    },
  };
}

/** Lists the number of missing matches by pairing, condition and board, largest number first. */
function listLacking(
  places: readonly { match: TournamentMatch }[],
  missing: ReadonlySet<TournamentMatch>,
): LackingTable[] {
  const tables = Map.groupBy(places, ({ match }) => JSON.stringify([match.folder, match.board.name]));
  return [...tables.values()]
    .flatMap((own): LackingTable[] => {
      const lacking = own.filter(({ match }) => missing.has(match));
      if (lacking.length === 0) return [];
      const { pairing, condition, board, deal } = lacking[0]!.match;
      return [
        {
          ...{ pairing, condition, board: board.name, matches: own.length, missing: lacking.length },
          first_deal: deal,
        },
      ];
    })
    .sort((one, other) => other.missing - one.missing || one.first_deal - other.first_deal);
}
