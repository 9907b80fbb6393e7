// What the database holds of tournaments: plans, matches with their answers until they are over, finished records, money,
// outages and workers. Each step is one statement, fenced by the attempt that makes it.
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

/** What is kept of a match when it is over. */
export interface StoredMatch {
  id: string;
  record: Buffer;
  /** USD. */
  spent: number;
  calls: number;
  tokens: number;
}

/** What an attempt finds. */
export interface BegunMatch {
  /** JSON lines of the answers that earlier attempts were given, in order. */
  lines: string[];
  /** USD that they took. */
  spent: number;
}

/** The lease of an attempt is lost: the match belongs to a later one, or is over, and what this one does counts no more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';

  constructor() {
    super('Another worker has taken the match over.');
  }
}

/** The place of a match in the database while it is played. */
export interface Attempt {
  key: string;
  attempt: number;
}

interface Change extends Attempt {
  /** Null where a call was given up. */
  answer: { call: string; line: string; tokens: number; isUnpriced: boolean } | null;
  /** USD: what had been reserved for it, and what it took. */
  held: number;
  cost: number;
}

/** The pace is that of so long. */
const recent = "interval '10 minutes'";

/** A match whose attempts end so often by faults of its own has failed. */
export const mostFaults = 3;

/** An amount of money in a row of a match, 0 where it is none: one such row must not spoil the sums of the tournament. */
const sound = (column: string) => `case when ${column} between 0 and 1e12 then ${column} else 0 end`;

/** PostgreSQL keeps no NUL in texts. */
const removeNul = (text: string) => text.replaceAll('\0', ' ');

const attemptRows = 'unnest($2::text[], $3::int[])';

/** All that is done to one tournament. */
export class TournamentStore {
  readonly name: string;
  readonly #database: QueueDatabase;
  /** Resolves false where the attempt is over. */
  readonly #save: (change: Change) => Promise<boolean>;
  /** Resolves with what was spent where the cap leaves nothing, null where the call may begin, or 'wait'. */
  readonly #reserve: (wish: Attempt & { usd: number }) => Promise<Reservation>;

  constructor(database: QueueDatabase, name: string) {
    [this.#database, this.name] = [database, name];
    this.#save = createBatchedCall((changes: readonly Change[]) => this.#saveAll(changes));
    this.#reserve = createBatchedCall((wishes: readonly (Attempt & { usd: number })[]) => this.#reserveAll(wishes));
  }

  /** Its rows are for a schema to parse. */
  #query(text: string, ...values: unknown[]): Promise<unknown[]> {
    return this.#database.query(text, [this.name, ...values]);
  }

  async #read<Row>(schema: z.ZodType<Row>, text: string, ...values: unknown[]): Promise<Row[]> {
    return parseRows(schema, await this.#query(text, ...values), `A row of ${this.name}`);
  }

  /** Null where it is not in the database. */
  async read(): Promise<(QueuedTournament & Pick<TournamentControl, 'cap'>) | null> {
    const text = 'select name, plan, plan_sha256, made_with, cap from wolfgraph.tournament where name = $1';
    const [row] = await this.#read(TournamentRow, text);
    return row ?? null;
  }

  /**
   * Puts it into the database, or under a plan that was extended, with its cap. It goes on where it was stopped, but for
   * `decided`, the words of its stopping rule where that has ended it; an outage of workers that play it goes on too.
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

  /** Adds matches that are not there, in the order of the schedule; failed ones wait again. Returns those that are not over. */
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

  /** Gives a match answers that it was given elsewhere, unless somebody has begun it. */
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

  /** Puts in a match that was finished elsewhere, unless somebody plays it or it is over: what it took counts against the cap. */
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
   * Begins an attempt: no earlier one may write any more. What was reserved for calls of the one before counts as spent,
   * since they are paid for. Null where a later attempt has begun, or the match is over. A worker may begin its attempt
   * again: the statement is sent again where its reply was lost.
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

  /** Keeps an answer and what it took. Throws LeaseLost. */
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

  /** Reserves money for a call, as far as the cap leaves some. Throws LeaseLost. */
  async reserve(wish: Attempt & { usd: number }): Promise<Exclude<Reservation, 'over'>> {
    const found = await this.#reserve(wish);
    if (found === 'over') throw new LeaseLost();
    return found;
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

  /** Stores the record of a match that is over, and forgets its answers; again the same. False where the attempt is over. */
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

  /** A match failed for itself; the command that queues it again plays it again. */
  async fail({ key, attempt }: Attempt, error: { name: string; words: string }): Promise<void> {
    await this.#query(
      `update wolfgraph.match set state = 'failed', error_name = $4, error_words = $5
       where tournament = $1 and key = $2 and attempt = $3 and state = 'playing'`,
      ...[key, attempt, error.name, removeNul(error.words)],
    );
  }

  /**
   * An attempt ended by a fault that is the match's own, as far as anybody can tell: it waits for another one, or has failed
   * after `mostFaults` of them. Returns which; null where the attempt is over.
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
   * Forgets the record, the answers and the faults of a match, so that it is played again from its beginning; what it took
   * stays spent. Returns whether it was there and nobody plays it.
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

  /** A worker leaves a match to others. */
  async release({ key, attempt }: Attempt): Promise<void> {
    await this.#query(
      `update wolfgraph.match set state = 'waiting', worker = null
       where tournament = $1 and key = $2 and attempt = $3 and state = 'playing'`,
      ...[key, attempt],
    );
  }

  /** No further call of the tournament begins. The first reason stays. */
  async stop(kind: StopKind, words: string): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set stop_kind = $2, stop_words = $3 where name = $1 and stop_kind is null`,
      ...[kind, removeNul(words)],
    );
  }

  /** The records do not bear out that the stopping rule has ended the tournament: it goes on. */
  async withdrawDecision(): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set stop_kind = null, stop_words = null where name = $1 and stop_kind = 'decided'`,
    );
  }

  /** Null where the tournament is no longer in the database. */
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

  /** The provider is down, for all workers. */
  async reportOutage(words: string): Promise<void> {
    await this.#query(
      `update wolfgraph.tournament set down_since = now(), tried_at = now(), tries = 0, down_words = $2
       where name = $1 and down_since is null`,
      removeNul(words),
    );
  }

  /** Whether this worker is the one that tries the provider again, after so many attempts. */
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

  /** Null where the match is not finished. A record that is not there is one of no bytes, which nobody can read. */
  async readRecord(key: string): Promise<Uint8Array | null> {
    const [row] = await this.#read(
      RecordRow,
      `select record from wolfgraph.match where tournament = $1 and key = $2 and state = 'finished'`,
      key,
    );
    return row === undefined ? null : (row.record ?? new Uint8Array());
  }

  /** Matches that are neither finished nor failed. */
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

  /** Counts by state, and what it took so far. */
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
    return row!; // a count is never without a row
  }

  /** Workers that have given a sign of life lately. */
  async listWorkers(): Promise<LiveWorker[]> {
    return this.#read(
      WorkerRow,
      `select matches, calls, pace from wolfgraph.worker
       where tournament = $1 and seen_at > now() - make_interval(secs => ${heartbeatSeconds})`,
    );
  }

  /** A sign of life of a worker; returns what servers have asked to wait, in milliseconds by model: six hours at most. */
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
   * Removes the tournament with its matches, answers and records, unless somebody holds a match, `isForced` aside. Returns the
   * matches that are held; nothing is removed where there are some.
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
    return isForced ? 0 : row!.held; // a count is never without a row
  }

  async removeWorker(id: string): Promise<void> {
    await this.#database.query('delete from wolfgraph.worker where id = $1', [id]);
  }
}

/** 'over': the attempt is; an object: the cap is reached. */
export type Reservation = 'granted' | 'wait' | 'over' | { cap: number; spent: number };
