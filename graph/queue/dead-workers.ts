// Matches with which workers die: each is tried a few times, the last time without another such match beside it, and has then
// failed. Nobody else can say so of a match that takes the whole process with it.
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { formatCommand } from '../../state/command-name.ts';
import type { QueueDatabase } from './database.ts';
import { DeathsRow, parseRows } from './database-rows.ts';

/** A match whose attempts end so often by faults of its own, or with their workers, has failed. */
export const mostFaults = 3;

/**
 * How many workers in a row have died with the match `m`, or fell silent, as seen by the `worker` that takes it: it is left as
 * being played, and none but the first of them has kept an answer. A match that is carried on each time comes to its end,
 * however many workers die.
 *
 * @example countDeathsInSql('$4')
 */
export const countDeathsInSql = (worker: string): string =>
  `case when m.state <> 'playing' or m.worker = ${worker} then m.deaths when m.calls > m.calls_before then 1 else m.deaths + 1 end`;

/** What a worker may do with a match: begin it, begin it without another such one beside it, or tell that it has failed. */
export type Danger = 'none' | 'last attempt' | 'failed';

/** Says what the `worker` may do with a match; one with which the last of so many workers died has failed from then on. */
export async function judgeDeaths(
  database: QueueDatabase,
  tournament: string,
  { key, worker, words }: { key: string; worker: string; words: string },
): Promise<Danger> {
  const rows = await database.query(
    `with counted as (select ${countDeathsInSql('$3')} as deaths from wolfgraph.match m where tournament = $1 and key = $2),
     given_up as (update wolfgraph.match m set state = 'failed', worker = null, deaths = c.deaths, error_name = 'WorkerDied',
         error_words = $4 from counted c
       where m.tournament = $1 and m.key = $2 and m.state in ('waiting', 'playing') and c.deaths >= ${mostFaults})
     select deaths from counted`,
    [tournament, key, worker, words],
  );
  const [row] = parseRows(DeathsRow, rows, `A row of ${tournament}`);
  if (row === undefined || row.deaths < mostFaults - 1) return 'none';
  return row.deaths < mostFaults ? 'last attempt' : 'failed';
}

/** Why a match has failed with which workers died, and how it is played again. */
export function describeDeaths({ folder, board, seed }: Pick<TournamentMatch, 'folder' | 'board' | 'seed'>): string {
  const name = `${folder}/${board.name}-${seed}`;
  return `${mostFaults} workers in a row died or fell silent while they played ${name}, without a further answer: it may take more memory than they have. To have it played again from its beginning: ${formatCommand('tournament', 'PLAN', '--requeue', name)}`;
}
