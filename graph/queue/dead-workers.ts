// Matches that kill their workers. A match that crashes the whole process can only be noticed by other workers. Such a
// match is played alone a few times, and then counts as failed.
import { nameReplicate } from '../../deception/design/schedule.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { formatCommand } from '../../state/command-name.ts';
import type { QueueDatabase } from './database.ts';
import { DeathsRow, parseRows } from './database-rows.ts';

/**
 * Number of consecutive workers that may die with a match. The first worker may have died of another cause; each later
 * worker played only this match.
 */
const mostDeaths = 4;

/**
 * SQL condition: the tournament of the match `m` gets no answers at present, because its provider is down or its money
 * is spent or reserved.
 */
const isHeld = `exists (select from wolfgraph.tournament t where t.name = m.tournament
  and (t.down_since is not null or t.stop_kind is not null or t.spent + t.reserved >= t.cap))`;

/**
 * Returns SQL that counts how many consecutive workers have died or gone silent with the match `m`, as seen by the
 * `worker` that takes it over. Such a match is still marked as being played, and has received no further answer
 * although answers were possible. A match that makes progress each time will finish, however many workers die.
 *
 * @example countDeathsInSql('$4')
 */
export const countDeathsInSql = (worker: string): string =>
  `case when m.state <> 'playing' or m.worker = ${worker} then m.deaths when m.calls > m.calls_before then 0
     when ${isHeld} then m.deaths else m.deaths + 1 end`;

/** How a worker treats a match: plays it, plays it alone, or reports that it has failed. */
export type Danger = 'none' | 'alone' | 'failed';

/** Decides how the `worker` treats a match. A match fails once too many workers have died with it. */
export async function judgeDeaths(
  database: QueueDatabase,
  tournament: string,
  { key, worker, words }: { key: string; worker: string; words: string },
): Promise<Danger> {
  const rows = await database.query(
    `with counted as (select ${countDeathsInSql('$3')} as deaths from wolfgraph.match m where tournament = $1 and key = $2),
     given_up as (update wolfgraph.match m set state = 'failed', worker = null, deaths = c.deaths, error_name = 'WorkerDied',
         error_words = $4 from counted c
       where m.tournament = $1 and m.key = $2 and m.state in ('waiting', 'playing') and c.deaths >= ${mostDeaths})
     select deaths from counted`,
    [tournament, key, worker, words],
  );
  const [row] = parseRows(DeathsRow, rows, `A row of ${tournament}`);
  const { deaths = 0 } = row ?? {};
  return deaths === 0 ? 'none' : deaths < mostDeaths ? 'alone' : 'failed';
}

/** Explains that a match has failed because workers died while playing it, and how to play it again. */
export function describeDeaths({
  folder,
  board,
  seed,
  replicate,
}: Pick<TournamentMatch, 'folder' | 'board' | 'seed' | 'replicate'>): string {
  const name = `${folder}/${board.name}-${seed}${nameReplicate(replicate)}`;
  return `${mostDeaths} workers in a row died or fell silent while they played ${name}. The last ${mostDeaths - 1} played nothing else and got no further answer, so the match may need more memory than workers have. To have it played again from its beginning: ${formatCommand('tournament', 'PLAN', '--requeue', name)}`;
}

/**
 * Lets actions run concurrently, except those that must run alone. An action that must run alone waits until no other
 * action is running; later actions wait for it.
 */
export class LoneLock {
  #beside = 0;
  #isAlone = false;
  #waiting: (() => void)[] = [];

  async run<Result>(isAlone: boolean, act: () => Promise<Result>): Promise<Result> {
    while (this.#isAlone || (isAlone && this.#beside > 0))
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (isAlone) this.#isAlone = true;
    else this.#beside += 1;
    try {
      return await act();
    } finally {
      if (isAlone) this.#isAlone = false;
      else this.#beside -= 1;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
}
