// The tournaments in the database: plans, matches with their answers until they are over, finished records, money,
// outages and workers. Each step is one statement that only takes effect for the current attempt at the match. The
// statements are in one file because this rule holds only if all of them keep it.
import type { z } from 'zod';
import { limitRetryWait } from '../../models/retry.ts';
import { DatabaseError, heartbeatSeconds, type QueueDatabase } from './database.ts';
import {
  ControlRow,
  FailedRow,
  FencedRow,
  parseSoundRows,
  type FinishedMatch,
  FinishedRow,
  HeldRow,
  HoldRow,
  LineRow,
  type LiveWorker,
  parseRows,
  PlaceRow,
  type QueuedTournament,
  type QueueTotals,
  RecordRow,
  ReservationRow,
  SpentRow,
  StateRow,
  type StopKind,
  TotalsRow,
  type TournamentControl,
  TournamentRow,
  WorkerRow,
} from './database-rows.ts';
import { createBatchedCall } from './batched-call.ts';
import { countDeathsInSql } from './dead-workers.ts';

/** A finished match as stored. */
export interface StoredMatch {
  id: string;
  record: Buffer;
  /** USD. */
  spent: number;
  calls: number;
  tokens: number;
}

/** The state of a match when an attempt begins. */
export interface BegunMatch {
  /** JSON lines of the answers that earlier attempts received, in order. */
  lines: string[];
  /** Cost of these answers in USD. */
  spent: number;
}

/**
 * Signals that an attempt has lost its match: the match belongs to a later attempt or is over, so that this attempt's
 * work does not count.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost';

  constructor() {
    super('Another worker has taken the match over.');
  }
}

/** An attempt at a match: key of the match, and number of the attempt. */
export interface Attempt {
  key: string;
  attempt: number;
}

interface Change extends Attempt {
  /** The answer; null if the call was abandoned. */
  answer: { call: string; line: string; tokens: number; isUnpriced: boolean } | null;
  /** Amounts in USD: `held` was reserved for the call, and `cost` is its real cost. */
  held: number;
  cost: number;
}

/** Period over which the rate of matches is measured. */
const recent = "interval '10 minutes'";

/** Number of failures through a match's own fault after which it counts as failed. */
export const mostFaults = 3;

/**
 * Returns SQL for an amount of money in a match's row; 0 if the amount is invalid. One invalid row must not make the
 * tournament's sums wrong.
 */
const sound = (column: string) => `case when ${column} between 0 and 1e12 then ${column} else 0 end`;

/** Removes NUL, which PostgreSQL cannot store in texts. */
const removeNul = (text: string) => text.replaceAll('\0', ' ');

const attemptRows = 'unnest($2::text[], $3::int[])';

/** All operations on one tournament. */
export class TournamentStore {
  readonly name: string;
  readonly #database: QueueDatabase;
  /** Stores an answer and its cost. Resolves to false if the attempt is over. */
  readonly #save: (change: Change) => Promise<boolean>;
  /** Reserves money for a call. See `Reservation`. */
  readonly #reserve: (wish: Attempt & { usd: number }) => Promise<Reservation>;

  constructor(database: QueueDatabase, name: string) {
    [this.#database, this.name] = [database, name];
    this.#save = createBatchedCall((changes: readonly Change[]) => this.#saveAll(changes));
    this.#reserve = createBatchedCall((wishes: readonly (Attempt & { usd: number })[]) => this.#reserveAll(wishes));
  }

  /** Runs a query; callers parse the rows with a schema. */
  #query(text: string, ...values: unknown[]): Promise<unknown[]> {
    return this.#database.query(text, [this.name, ...values]);
  }

  async #read<Row>(schema: z.ZodType<Row>, text: string, ...values: unknown[]): Promise<Row[]> {
    return parseRows(schema, await this.#query(text, ...values), `A row of ${this.name}`);
  }

  /** Returns the tournament; null if it is not in the database. */
  async read(): Promise<(QueuedTournament & Pick<TournamentControl, 'cap'>) | null> {
    const text = 'select name, plan, plan_sha256, made_with, cap from wolfgraph.tournament where name = $1';
    const [row] = await this.#read(TournamentRow, text);
    return row ?? null;
  }

  /**
   * Writes the tournament, or its extended plan, with its cap. A stopped tournament continues, unless its stopping rule
   * ended it for the reason `decided`. An ongoing outage is not reset.
   */
  async write(
    { plan, plan_sha256: hash, made_with: made }: QueuedTournament,
    { cap, decided = null }: { cap: number | null; decided?: string | null },
  ): Promise<void> {
    await this.#query(
      `insert into wolfgraph.tournament as t (name, plan, plan_sha256, made_with, cap, stop_kind, stop_words)
       values ($1, $2, $3, $4, $5, case when $6::text is null then null else 'decided' end, $6)
       on conflict (name) do update set plan = excluded.plan, plan_sha256 = excluded.plan_sha256,
         made_with = excluded.made_with, cap = excluded.cap, stop_kind = excluded.stop_kind, stop_words = excluded.stop_words,
         down_since = case when t.stop_kind is null then t.down_since end,
         tries = case when t.stop_kind is null then t.tries else 0 end`,
      ...[plan, hash, made, cap, decided],
    );
  }

  /**
   * Adds new matches in the order of the schedule. Failed matches wait again. Returns the matches that are not over.
   */
  async addMatches(matches: readonly { key: string; place: number }[]): Promise<(Attempt & { place: number })[]> {
    await this.#query(
      `insert into wolfgraph.match (tournament, key, place) select $1, * from unnest($2::text[], $3::int[])
       on conflict (tournament, key) do update set place = excluded.place, faults = 0, deaths = 0,
         state = case when wolfgraph.match.state = 'failed' then 'waiting' else wolfgraph.match.state end`,
      matches.map(({ key }) => key),
      matches.map(({ place }) => place),
    );
    return this.#read(
      PlaceRow,
      `select key, attempt, place from wolfgraph.match where tournament = $1 and state <> 'finished' and key = any($2)`,
      matches.map(({ key }) => key),
    );
  }

  /** Stores answers that a match received outside the database, unless somebody has begun the match. */
  async seedAnswers(key: string, answers: readonly { call: string; line: string }[], spent: number): Promise<void> {
    await this.#query(
      `with fresh as (update wolfgraph.match set spent = $5, attempt = 1
         where tournament = $1 and key = $2 and attempt = 0 returning key),
       money as (update wolfgraph.tournament set spent = spent + $5 where name = $1 and exists (select from fresh))
       insert into wolfgraph.answer (tournament, key, call, line)
       select $1, key, call, line from fresh, unnest($3::text[], $4::text[]) with ordinality as a(call, line, number)
       order by number on conflict do nothing`,
      ...[key, answers.map(({ call }) => call), answers.map(({ line }) => line), spent],
    );
  }

  /**
   * Stores a match that was finished outside the database, unless somebody plays it or it is over. Its cost counts
   * against the cap.
   */
  async addFinished({ key, place, ...match }: { key: string; place: number } & StoredMatch): Promise<void> {
    await this.#query(
      `with before as (
         select coalesce((select ${sound('spent')} from wolfgraph.match where tournament = $1 and key = $2), 0) as spent),
       done as (insert into wolfgraph.match as m (tournament, key, place, state, id, record, spent, calls, tokens)
         values ($1, $2, $3, 'finished', $4, $5, $6, $7, $8)
         on conflict (tournament, key) do update set place = excluded.place, state = 'finished', id = excluded.id,
           record = excluded.record, finished_at = now(), spent = excluded.spent, calls = excluded.calls,
           tokens = excluded.tokens, reserved = 0, error_name = null, error_words = null
         where m.state in ('waiting', 'failed') returning key),
       forgotten as (delete from wolfgraph.answer where tournament = $1 and key in (select key from done))
       update wolfgraph.tournament set spent = tournament.spent + $6 - before.spent from before
       where name = $1 and exists (select from done)`,
      ...[key, place, match.id, match.record, match.spent, match.calls, match.tokens],
    );
  }

  /**
   * Begins an attempt. Earlier attempts may not write after that. Money reserved for the previous attempt's calls
   * counts as spent, because these calls are paid for. Returns null if a later attempt has begun, or if the match is
   * over. The same worker may repeat the call, because the statement is sent again if its reply was lost.
   */
  async begin({ key, attempt }: Attempt, worker: string): Promise<BegunMatch | null> {
    const [row] = await this.#read(
      SpentRow,
      `with before as (select ${sound('reserved')} as reserved, ${countDeathsInSql('$4')} as deaths from wolfgraph.match m
         where tournament = $1 and key = $2 for update),
       taken as (update wolfgraph.match m set attempt = $3, worker = $4, state = 'playing', reserved = 0,
           deaths = b.deaths, calls_before = m.calls from before b
         where m.tournament = $1 and m.key = $2 and m.state in ('waiting', 'playing')
           and (m.attempt < $3 or (m.attempt = $3 and m.worker = $4))
         returning m.spent, b.reserved as lost),
       money as (update wolfgraph.tournament t set spent = t.spent + k.lost, reserved = greatest(0, t.reserved - k.lost)
         from taken k where t.name = $1)
       select spent from taken`,
      ...[key, attempt, worker],
    );
    if (row === undefined) return null;
    const lines = await this.#read(
      LineRow,
      'select line from wolfgraph.answer where tournament = $1 and key = $2 order by number',
      key,
    );
    return { lines: lines.map(({ line }) => line), spent: row.spent };
  }

  /** Stores an answer and its cost. Throws LeaseLost. */
  async save(change: Change): Promise<void> {
    if (!(await this.#save(change))) throw new LeaseLost();
  }

  async #saveAll(changes: readonly Change[]): Promise<boolean[]> {
    const kept = await this.#read(
      FencedRow,
      `with change as (select * from ${attemptRows.replace(')', ', $4::text[], $5::text[], $6::float8[], $7::float8[], $8::bigint[], $9::int[])')}
         with ordinality as c(key, attempt, call, line, held, cost, tokens, unpriced, number)),
       mine as (select m.key, m.attempt from wolfgraph.match m
         where m.tournament = $1 and m.state = 'playing'
           and exists (select from change c where c.key = m.key and c.attempt = m.attempt) order by m.key for update),
       fenced as (select c.* from change c join mine using (key, attempt)),
       kept as (insert into wolfgraph.answer (tournament, key, call, line)
         select $1, key, call, line from fenced where call <> '' order by number on conflict do nothing),
       summed as (select key, sum(held) as held, sum(cost) as cost, sum(tokens) as tokens, sum(unpriced) as unpriced,
           count(*) filter (where call <> '') as calls from fenced group by key),
       counted as (update wolfgraph.match m set calls = m.calls + s.calls, tokens = m.tokens + s.tokens,
           spent = m.spent + s.cost, reserved = greatest(0, m.reserved - s.held), unpriced = m.unpriced + s.unpriced
         from summed s where m.tournament = $1 and m.key = s.key),
       money as (update wolfgraph.tournament set spent = spent + s.cost, reserved = greatest(0, reserved - s.held)
         from (select sum(cost) as cost, sum(held) as held from summed) s where name = $1 and s.cost + s.held > 0)
       select key, attempt from mine`,
      ...[changes.map(({ key }) => key), changes.map(({ attempt }) => attempt)],
      ...[changes.map(({ answer }) => answer?.call ?? ''), changes.map(({ answer }) => answer?.line ?? '')],
      ...[changes.map(({ held }) => held), changes.map(({ cost }) => cost)],
      changes.map(({ answer }) => answer?.tokens ?? 0),
      changes.map(({ answer }) => (answer?.isUnpriced ? 1 : 0)),
    );
    const mine = new Set(kept.map(({ key, attempt }) => `${attempt} ${key}`));
    return changes.map(({ key, attempt }) => mine.has(`${attempt} ${key}`));
  }

  /** Reserves money for a call, if the cap allows. Throws LeaseLost. */
  async reserve(wish: Attempt & { usd: number }): Promise<Exclude<Reservation, 'over'>> {
    const found = await this.#reserve(wish);
    if (found === 'over') throw new LeaseLost();
    return found;
  }

  /**
   * Charges a call of the judge to the tournament, if the cap allows. `usd`: the estimate, which counts as spent until
   * `correctCharge` replaces it, so that a process that is killed leaves nothing reserved.
   */
  async charge(usd: number): Promise<Exclude<Reservation, 'over'>> {
    const [row] = await this.#read(
      ReservationRow,
      `with granted as (update wolfgraph.tournament set spent = spent + $2
         where name = $1 and (cap is null or spent + reserved < cap) returning name)
       select exists (select from granted) as is_granted, t.cap, t.spent, null as mine
       from wolfgraph.tournament t where name = $1`,
      usd,
    );
    if (row === undefined) throw new DatabaseError(`The tournament ${this.name} is no longer in the database.`);
    const { is_granted: isGranted, cap, spent } = row;
    if (isGranted) return 'granted';
    return cap !== null && spent >= cap ? { cap, spent } : 'wait';
  }

  /** Replaces the estimate of a charged call by its real cost. `more`: the difference in USD, negative if it cost less. */
  async correctCharge(more: number): Promise<void> {
    await this.#query('update wolfgraph.tournament set spent = greatest(0, spent + $2) where name = $1', more);
  }

  async #reserveAll(wishes: readonly (Attempt & { usd: number })[]): Promise<Reservation[]> {
    const [row] = await this.#read(
      ReservationRow,
      `with wish as (select * from ${attemptRows.replace(')', ', $4::float8[])')} as w(key, attempt, usd)),
       mine as (select m.key, m.attempt from wolfgraph.match m where m.tournament = $1 and m.state = 'playing'
         and exists (select from wish w where w.key = m.key and w.attempt = m.attempt) order by m.key for update),
       summed as (select w.key, sum(w.usd) as usd from wish w join mine using (key, attempt) group by w.key),
       granted as (update wolfgraph.tournament set reserved = reserved + coalesce((select sum(usd) from summed), 0)
         where name = $1 and (cap is null or spent + reserved < cap) returning name),
       held as (update wolfgraph.match m set reserved = m.reserved + s.usd from summed s
         where m.tournament = $1 and m.key = s.key and exists (select from granted))
       select exists (select from granted) as is_granted, t.cap, t.spent,
         (select json_agg(mine) from mine) as mine from wolfgraph.tournament t where name = $1`,
      ...[wishes.map(({ key }) => key), wishes.map(({ attempt }) => attempt), wishes.map(({ usd }) => usd)],
    );
    if (row === undefined) throw new DatabaseError(`The tournament ${this.name} is no longer in the database.`);
    const mine = new Set((row.mine ?? []).map(({ key, attempt }) => `${attempt} ${key}`));
    const { is_granted: isGranted, cap, spent } = row;
    const found = isGranted ? 'granted' : cap !== null && spent >= cap ? { cap, spent } : 'wait';
    return wishes.map(({ key, attempt }) => (mine.has(`${attempt} ${key}`) ? found : 'over'));
  }

  /**
   * Stores the record of a finished match, and deletes its answers. Safe to repeat. Returns false if the attempt is
   * over.
   */
  async finish({ key, attempt }: Attempt, match: StoredMatch): Promise<boolean> {
    const rows = await this.#query(
      `with before as (select ${sound('spent')} as spent, ${sound('reserved')} as reserved from wolfgraph.match
         where tournament = $1 and key = $2 and attempt = $3 and state = 'playing' for update),
       done as (update wolfgraph.match m set state = 'finished', id = $4, record = $5, spent = $6, reserved = 0,
           calls = $7, tokens = $8, error_name = null, error_words = null, finished_at = now()
         from before where m.tournament = $1 and m.key = $2 returning m.key),
       money as (update wolfgraph.tournament t set spent = t.spent + $6 - b.spent, reserved = greatest(0, t.reserved - b.reserved)
         from before b where t.name = $1),
       forgotten as (delete from wolfgraph.answer where tournament = $1 and key in (select key from done))
       select key from done union all
       select key from wolfgraph.match where tournament = $1 and key = $2 and attempt = $3 and state = 'finished'`,
      ...[key, attempt, match.id, match.record, match.spent, match.calls, match.tokens],
    );
    return rows.length > 0;
  }

  /** Marks a match as failed through its own fault. If it is queued again, it is played again. */
  async fail({ key, attempt }: Attempt, error: { name: string; words: string }): Promise<void> {
    await this.#query(
      `update wolfgraph.match set state = 'failed', error_name = $4, error_words = $5
       where tournament = $1 and key = $2 and attempt = $3 and state = 'playing'`,
      ...[key, attempt, error.name, removeNul(error.words)],
    );
  }

  /**
   * Records that an attempt ended, probably through the match's own fault. The match waits for another attempt, or
   * fails after `mostFaults`. Returns the new state; null if the attempt is over.
   */
  async recordFault(
    { key, attempt }: Attempt,
    error: { name: string; words: string },
  ): Promise<'waiting' | 'failed' | null> {
    const [row] = await this.#read(
      StateRow,
      `update wolfgraph.match set worker = null, faults = faults + 1, error_name = $4, error_words = $5,
         state = case when faults + 1 >= ${mostFaults} then 'failed' else 'waiting' end
       where tournament = $1 and key = $2 and attempt = $3 and state = 'playing' returning state`,
      ...[key, attempt, error.name, removeNul(error.words)],
    );
    return row === undefined ? null : row.state === 'failed' ? 'failed' : 'waiting';
  }

  /**
   * Deletes the record, answers and faults of a match, so that it is played again from its beginning. Its cost still
   * counts as spent. Returns whether the match existed and nobody was playing it.
   */
  async requeue(key: string): Promise<boolean> {
    const rows = await this.#query(
      `with fresh as (update wolfgraph.match m set state = 'waiting', id = null, record = null, faults = 0, deaths = 0, worker = null,
           error_name = null, error_words = null, finished_at = null, spent = ${sound('m.spent')},
           calls = 0, calls_before = 0, tokens = 0, unpriced = 0
         where m.tournament = $1 and m.key = $2 and not (m.state = 'playing' and exists (select from wolfgraph.worker w
           where w.id = m.worker and w.seen_at > now() - make_interval(secs => ${heartbeatSeconds}))) returning key),
       forgotten as (delete from wolfgraph.answer where tournament = $1 and key in (select key from fresh))
       select key from fresh`,
      key,
    );
    return rows.length > 0;
  }

  /** Releases a match for other workers. */
  async release({ key, attempt }: Attempt): Promise<void> {
    await this.#query(
      `update wolfgraph.match set state = 'waiting', worker = null
       where tournament = $1 and key = $2 and attempt = $3 and state = 'playing'`,
      ...[key, attempt],
    );
  }

  /** Stops the tournament, so that no further call begins. If it was already stopped, its first reason is kept. */
  async stop(kind: StopKind, words: string): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set stop_kind = $2, stop_words = $3 where name = $1 and stop_kind is null`,
      ...[kind, removeNul(words)],
    );
  }

  /** Withdraws a decision of the stopping rule that the records do not confirm. The tournament continues. */
  async withdrawDecision(): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set stop_kind = null, stop_words = null where name = $1 and stop_kind = 'decided'`,
    );
  }

  /** Returns the state of the tournament; null if it is no longer in the database. */
  async readControl(): Promise<TournamentControl | null> {
    const [row] = await this.#read(
      ControlRow,
      `select plan_sha256, cap, spent, stop_kind, stop_words, tries, down_words, is_reached,
         extract(epoch from now() - down_since)::float8 as down_for, extract(epoch from now() - tried_at)::float8 as tried_for,
         (select count(*)::int from wolfgraph.match where tournament = $1 and state in ('waiting', 'playing')) as left
       from wolfgraph.tournament where name = $1`,
    );
    return row ?? null;
  }

  /** Reports to all workers that the provider is down. */
  async reportOutage(words: string): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set down_since = now(), tried_at = now(), tries = 0, down_words = $2
       where name = $1 and down_since is null`,
      removeNul(words),
    );
  }

  /** Returns whether this worker makes the next attempt to call the provider. `tries`: number of earlier attempts. */
  async claimProbe(tries: number): Promise<boolean> {
    const rows = await this.#query(
      `update wolfgraph.tournament set tried_at = now(), tries = tries + 1
       where name = $1 and down_since is not null and tries = $2 returning name`,
      tries,
    );
    return rows.length > 0;
  }

  async recordAnswered(): Promise<void> {
    await this.#query(
      'update wolfgraph.tournament set down_since = null, tries = 0, is_reached = true where name = $1 and (down_since is not null or not is_reached)',
    );
  }

  async listFinished(): Promise<FinishedMatch[]> {
    return this.#read(
      FinishedRow,
      `select key, attempt || ' ' || coalesce(finished_at::text, '') as version from wolfgraph.match
       where tournament = $1 and state = 'finished'`,
    );
  }

  /**
   * Returns the record; null if the match is not finished. A missing record is returned as zero bytes, which cannot be
   * read.
   */
  async readRecord(key: string): Promise<Uint8Array | null> {
    const [row] = await this.#read(
      RecordRow,
      `select record from wolfgraph.match where tournament = $1 and key = $2 and state = 'finished'`,
      key,
    );
    return row === undefined ? null : (row.record ?? new Uint8Array());
  }

  /** Lists matches that are neither finished nor failed. */
  async listLeft(): Promise<(Attempt & { place: number })[]> {
    return this.#read(
      PlaceRow,
      `select key, attempt, place from wolfgraph.match where tournament = $1 and state in ('waiting', 'playing') order by place`,
    );
  }

  async listFailed(): Promise<{ key: string; name: string; words: string }[]> {
    return this.#read(
      FailedRow,
      `select key, error_name as name, error_words as words from wolfgraph.match
       where tournament = $1 and state = 'failed' order by place`,
    );
  }

  /** Returns counts by state, and usage so far. */
  async readTotals(): Promise<QueueTotals> {
    const [row] = await this.#read(
      TotalsRow,
      `select count(*)::int as matches, count(*) filter (where state = 'finished')::int as finished,
         count(*) filter (where state = 'playing')::int as playing, count(*) filter (where state = 'failed')::int as failed,
         count(*) filter (where state = 'waiting')::int as waiting,
         coalesce(sum(calls) filter (where is_sound), 0)::float8 as calls,
         coalesce(sum(tokens) filter (where is_sound), 0)::float8 as tokens,
         coalesce(sum(spent) filter (where is_sound), 0)::float8 as cost,
         coalesce(sum(unpriced) filter (where is_sound), 0)::float8 as unpriced,
         count(*) filter (where not is_sound)::int as unreadable,
         count(*) filter (where finished_at > now() - ${recent})::int as recent,
         extract(epoch from now() - min(finished_at) filter (where finished_at > now() - ${recent}))::float8 as recent_for
       from (select *, spent between 0 and 1e12 and calls >= 0 and tokens between 0 and 1e12 and unpriced >= 0 as is_sound
         from wolfgraph.match where tournament = $1) m`,
    );
    return row!; // a count always has a row
  }

  /** Lists workers with a recent heartbeat. */
  async listWorkers(): Promise<LiveWorker[]> {
    return this.#read(
      WorkerRow,
      `select matches, calls, pace from wolfgraph.worker
       where tournament = $1 and seen_at > now() - make_interval(secs => ${heartbeatSeconds})`,
    );
  }

  /**
   * Sends a worker's heartbeat. Returns the waits that servers have asked for, in milliseconds by model, at most six
   * hours.
   */
  async beat(id: string, { matches, calls, pace }: LiveWorker): Promise<{ model: string; wait: number }[]> {
    const rows = await this.#query(
      `with alive as (insert into wolfgraph.worker (id, tournament, matches, calls, pace) values ($2, $1, $3, $4, $5)
         on conflict (id) do update set tournament = excluded.tournament, matches = excluded.matches,
           calls = excluded.calls, pace = excluded.pace, seen_at = now())
       select model, hold_until - extract(epoch from clock_timestamp())::float8 * 1000 as wait from wolfgraph.pace
       where hold_until > extract(epoch from clock_timestamp())::float8 * 1000`,
      ...[id, matches, calls, JSON.stringify(pace)],
    );
    return parseSoundRows(HoldRow, rows).map(({ model, wait }) => ({ model, wait: Math.min(wait, limitRetryWait) }));
  }

  /**
   * Removes the tournament with its matches, answers and records, unless a worker holds a match. With `isForced`,
   * removes it even then. Returns the number of matches that are held; if it is not 0, nothing was removed.
   */
  async remove({ isForced }: { isForced: boolean }): Promise<number> {
    const [row] = await this.#read(
      HeldRow,
      `with holding as (select count(*)::int as held from wolfgraph.match m join wolfgraph.worker w on w.id = m.worker
         where m.tournament = $1 and m.state = 'playing' and w.seen_at > now() - make_interval(secs => ${heartbeatSeconds})),
       gone as (delete from wolfgraph.tournament where name = $1 and ($2 or (select held from holding) = 0))
       select held from holding`,
      isForced,
    );
    return isForced ? 0 : row!.held; // a count always has a row
  }

  async removeWorker(id: string): Promise<void> {
    await this.#database.query('delete from wolfgraph.worker where id = $1', [id]);
  }
}

/**
 * Answer to a request for money. `granted`: the call may begin; `wait`: other calls have reserved the rest of the cap;
 * `over`: the attempt has ended; an object: the cap is reached.
 */
export type Reservation = 'granted' | 'wait' | 'over' | { cap: number; spent: number };
