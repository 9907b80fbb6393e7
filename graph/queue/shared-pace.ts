// The rate of calls shared by all workers: calls and tokens per minute, and waits that a server asks for.
//
// Uses GCRA (generic cell rate algorithm) with reservation: one SQL statement assigns each call its place in time, so
// nobody polls. A process sends one statement for all its waiting calls.
import type { CallLimiter, LimitedCall } from '../../models/call-limiter.ts';
import type { Clock } from '../../models/machine/clock.ts';
import { createBatchedCall } from './batched-call.ts';
import type { z } from 'zod';
import { parseSoundRows, TurnsRow } from './database-rows.ts';
import { DatabaseError, type QueueDatabase } from './database.ts';

/**
 * Share of a limit that is used. It is below 1, because calls that are sent at even intervals may arrive closer
 * together.
 */
const margin = 0.97;

/** Number of calls that may be sent together to catch up after a delay, as a share of a minute's calls. */
const burstShare = 1 / 60;

interface Grant {
  tokens: number;
  rpm: number;
  tpm: number;
}

/** Longest plausible wait in milliseconds. This program assigns no longer wait. */
const longestQueue = 7 * 86_400_000;

/** SQL of the database's time, which all workers share, in milliseconds since 1970. */
const nowMs = 'extract(epoch from clock_timestamp())::float8 * 1000';

/** SQL that assigns the next free times of a rate limit to $2 calls, which use $4 tokens together. */
const takeTurns = `
with clock as (select ${nowMs} as now),
turns as (
  insert into wolfgraph.pace as p (model, calls_at, tokens_at)
  select $1::text, now - $6::float8 + $2::float8 * $3::float8, now - $6::float8 + $4::float8 * $5::float8 from clock
  on conflict (model) do update set
    calls_at = greatest(p.calls_at, (select now from clock) - $6::float8, p.hold_until) + $2::float8 * $3::float8,
    tokens_at = greatest(p.tokens_at - $7::float8, (select now from clock) - $6::float8, p.hold_until)
      + $4::float8 * $5::float8
  returning calls_at - $2::float8 * $3::float8 as calls_from, tokens_at - $4::float8 * $5::float8 as tokens_from)
select now, calls_from, tokens_from from clock, turns`;

/**
 * Extends limiters so that all workers together keep one rate. Only the given limits `rpm` and `tpm` are shared, and
 * the waits that a server has asked any worker for. `minuteMs`: length of a minute, for tests.
 */
export class SharedPaces {
  readonly #database: QueueDatabase;
  readonly #clock: Clock;
  readonly #minuteMs: number;
  readonly #grants = new Map<string, (grant: Grant) => Promise<number>>();
  /** Estimated tokens that were not used. They are returned with the next assignment. */
  readonly #unused = new Map<string, number>();
  readonly #limits = new Map<string, Pick<Grant, 'rpm' | 'tpm'>>();
  /** For each rate limit: end of the wait that a server asked for, in the clock's elapsed time. */
  readonly #holds = new Map<string, number>();

  constructor(database: QueueDatabase, clock: Clock, minuteMs = 60_000) {
    [this.#database, this.#clock, this.#minuteMs] = [database, clock, minuteMs];
  }

  /**
   * Returns a limiter that also keeps the limits and waits that all workers share.
   *
   * @example createCallLimiters(clock, undefined, (limiter) => paces.share(limiter))
   */
  share(local: CallLimiter): CallLimiter {
    return {
      describe: () => local.describe(),
      reserve: async (call) => {
        const permit = await local.reserve(call);
        try {
          await this.#waitForTurn(call);
        } catch (error) {
          permit.settle({ kind: 'failed' });
          throw error;
        }
        const { pace: model } = call;
        return {
          settle: (end) => {
            permit.settle(end);
            if (end.kind === 'refused' && end.retryAfterMs !== undefined) this.#hold(model, end.retryAfterMs);
            if (end.kind === 'answered' && end.tokens !== null && this.#learnLimits(call).tpm < Infinity)
              this.#unused.set(model, (this.#unused.get(model) ?? 0) + call.tokens - end.tokens);
          },
        };
      },
    };
  }

  /** Applies waits that other workers were asked for: milliseconds from now, by rate limit. */
  learnHolds(holds: readonly { model: string; wait: number }[]): void {
    for (const { model, wait } of holds) this.#noteHold(model, wait);
  }

  #noteHold(model: string, waitMs: number): void {
    this.#holds.set(model, Math.max(this.#holds.get(model) ?? 0, this.#clock.elapsed() + waitMs));
  }

  #hold(model: string, waitMs: number): void {
    this.#noteHold(model, waitMs);
    const text = `insert into wolfgraph.pace as p (model, hold_until) values ($1, ${nowMs} + $2)
      on conflict (model) do update set hold_until = greatest(p.hold_until, excluded.hold_until)`;
    this.#database.query(text, [model, waitMs]).catch(() => undefined); // even if this fails, the local limiter keeps the wait
  }

  /** Returns the lowest limits given for the models of a rate limit. */
  #learnLimits({ pace, limits: { rpm = Infinity, tpm = Infinity } }: LimitedCall): Pick<Grant, 'rpm' | 'tpm'> {
    const before = this.#limits.get(pace) ?? { rpm: Infinity, tpm: Infinity };
    const least = { rpm: Math.min(rpm, before.rpm), tpm: Math.min(tpm, before.tpm) };
    this.#limits.set(pace, least);
    return least;
  }

  async #waitForTurn(call: LimitedCall): Promise<void> {
    const { pace: model, tokens, signal } = call;
    const { rpm, tpm } = this.#learnLimits(call);
    if (rpm < Infinity || tpm < Infinity) {
      const wait = await this.#getGranter(model)({ tokens, rpm, tpm });
      await this.#sleep(wait, signal);
    }
    for (;;) {
      const left = (this.#holds.get(model) ?? 0) - this.#clock.elapsed();
      if (left <= 0) return;
      await this.#sleep(left, signal);
    }
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms, signal);
    signal.throwIfAborted();
  }

  /** Returns the function that computes the milliseconds until a call may begin. */
  #getGranter(model: string): (grant: Grant) => Promise<number> {
    const granter =
      this.#grants.get(model) ?? createBatchedCall((grants: readonly Grant[]) => this.#takeTurns(model, grants));
    this.#grants.set(model, granter);
    return granter;
  }

  /** Reads the assigned places. Resets the rate limit if its row cannot be read. */
  async #readTurns(model: string, values: readonly unknown[]): Promise<z.infer<typeof TurnsRow>> {
    for (let isMended = false; ; isMended = true) {
      const [turns] = parseSoundRows(TurnsRow, await this.#database.query(takeTurns, values));
      if (turns && Math.max(turns.calls_from, turns.tokens_from) - turns.now < longestQueue) return turns;
      if (isMended) throw new DatabaseError(`The database has no rate limiter for ${model}.`);
      await this.#database.query('delete from wolfgraph.pace where model = $1', [model]);
    }
  }

  async #takeTurns(model: string, grants: readonly Grant[]): Promise<number[]> {
    const { rpm, tpm } = grants.at(-1)!; // the lowest limits given so far
    const callMs = rpm === Infinity ? 0 : this.#minuteMs / (margin * rpm);
    const tokenMs = tpm === Infinity ? 0 : this.#minuteMs / (margin * tpm);
    const tokens = grants.reduce((sum, grant) => sum + grant.tokens, 0);
    const unused = this.#unused.get(model) ?? 0;
    this.#unused.delete(model);
    const values = [model, grants.length, callMs, tokens, tokenMs, this.#minuteMs * burstShare, unused * tokenMs];
    const { now, calls_from: callsFrom, tokens_from: tokensFrom } = await this.#readTurns(model, values);
    let before = 0;
    return grants.map((grant, place) => {
      const at = Math.max(callsFrom + place * callMs, tokensFrom + before * tokenMs);
      before += grant.tokens;
      return Math.max(0, at - now);
    });
  }
}
