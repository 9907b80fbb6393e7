// Lists the tournaments in a database, and whether they have begun.
import type { QueueDatabase } from './database.ts';
import { ListedRow, parseRows, parseSoundRows, PresenceRow } from './database-rows.ts';

export interface OpenTournament {
  name: string;
  /** Reason why the tournament is stopped although matches are left, from its row; null if it is not stopped. */
  stop: { kind: string; words: string } | null;
}

/** Lists tournaments with matches left, including stopped ones, oldest first. */
export async function listOpenTournaments(database: QueueDatabase): Promise<OpenTournament[]> {
  const rows = await database.query(
    `select name, stop_kind, stop_words from wolfgraph.tournament t where exists (
       select from wolfgraph.match m where m.tournament = t.name and m.state in ('waiting', 'playing')) order by created_at`,
  );
  return parseSoundRows(ListedRow, rows).map(({ name, stop_kind: kind, stop_words: words }) => ({
    name,
    stop: kind === null ? null : { kind, words: words ?? '' },
  }));
}

/** Lists the names of all tournaments, oldest first. */
export async function listTournaments(database: QueueDatabase): Promise<string[]> {
  const rows = await database.query('select name, stop_kind, stop_words from wolfgraph.tournament order by created_at');
  return parseSoundRows(ListedRow, rows).map(({ name }) => name);
}

/** Returns whether any match of a tournament has begun or ended. */
export async function isTournamentBegun(database: QueueDatabase, name: string): Promise<boolean> {
  const rows = await database.query(
    `select exists (select from wolfgraph.match where tournament = $1 and state = 'finished')
       or exists (select from wolfgraph.answer where tournament = $1) as is_there`,
    [name],
  );
  return parseRows(PresenceRow, rows, `A row of ${name}`).some(({ is_there: isThere }) => isThere);
}
