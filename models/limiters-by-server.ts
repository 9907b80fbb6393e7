// Limiters by server: one for each server and key, shared by all matches of the process.
import { type CallEnd, type CallLimiter, type CallPermit, createCallLimiter } from './call-limiter.ts';
import type { LimitedCall, LimiterStatus } from './call-limiter.ts';
import { normalizeAddress } from '../state/model-identity.ts';
import type { Clock } from './machine/clock.ts';
import type { PlayerModel } from './model.ts';
import { hashText } from '../state/hash-text.ts';

/**
 * A question's place in the queue of calls to its server. The question gives its place up while it waits for a further
 * attempt.
 */
export class CallTurn {
  readonly #limiter: CallLimiter;
  readonly #call: Omit<LimitedCall, 'signal'>;
  #permit: CallPermit | null = null;
  #end: CallEnd = { kind: 'failed' };

  constructor(limiter: CallLimiter, call: Omit<LimitedCall, 'signal'>) {
    [this.#limiter, this.#call] = [limiter, call];
  }

  /**
   * Resolves when an attempt may begin: immediately if the turn has not been left. Rejects with the signal's reason.
   */
  async enter(signal: AbortSignal): Promise<void> {
    this.#permit ??= await this.#limiter.reserve({ ...this.#call, signal });
  }

  /**
   * Records how the attempt ended, without leaving the turn: no other call may begin before the consequences of this
   * end are known.
   */
  end(end: CallEnd): void {
    this.#end = end;
  }

  /** Leaves the turn, so that other calls may begin. */
  leave(): void {
    this.#permit?.settle(this.#end);
    this.#permit = null;
    this.#end = { kind: 'failed' };
  }
}

/** Limiters of all servers that a process calls. */
export interface CallLimiters {
  /** Opens the turn of a question. `tokens`: upper estimate. */
  openTurn(model: PlayerModel, call: Pick<LimitedCall, 'tokens' | 'mostUnderWay' | 'priority'>): CallTurn;
  /** Lists the current limits by server name. Several servers with one name have an entry each. */
  list(): ({ server: string } & LimiterStatus)[];
}

/**
 * Returns the limiters shared by everything that uses this clock: all matches of a process, unless they are played in
 * simulated time.
 */
export function getCallLimiters(clock: Clock): CallLimiters {
  const limiters = byClock.get(clock) ?? createCallLimiters(clock);
  byClock.set(clock, limiters);
  return limiters;
}

const byClock = new WeakMap<Clock, CallLimiters>();

/**
 * Creates limiters that nothing else shares. `minuteMs`: length of their minute; `share`: wraps each limiter to share
 * it with other processes.
 *
 * @example
 * const turn = createCallLimiters(systemClock).openTurn(model, { tokens: 2000, mostUnderWay: 32, priority: 0 });
 */
export function createCallLimiters(
  clock: Clock,
  minuteMs?: number,
  share: (limiter: CallLimiter) => CallLimiter = (limiter) => limiter,
): CallLimiters {
  const servers = new Map<string, { server: string; limiter: CallLimiter }>();
  const objects = new WeakMap<object, string>();
  let [tickets, nameless] = [0, 0];
  /**
   * Returns a text that identifies a model's server and key. A chat model given as an object counts as a separate
   * server.
   */
  const identify = ({ spec, server, chat, secrets }: PlayerModel): string => {
    if (server) return hashText(JSON.stringify([normalizeAddress(server.address ?? server.name), ...secrets]));
    const id = objects.get(chat) ?? `${spec} ${(nameless += 1)}`;
    objects.set(chat, id);
    return id;
  };
  return {
    openTurn: (model, call) => {
      const id = identify(model);
      const { spec, server, pace = spec, limits = {} } = model;
      const found = servers.get(id) ?? {
        server: server?.name ?? spec,
        limiter: share(createCallLimiter(clock, minuteMs)),
      };
      servers.set(id, found);
      return new CallTurn(found.limiter, { ...call, model: spec, pace, limits, ticket: (tickets += 1) });
    },
    list: () => [...servers.values()].map(({ server, limiter }) => ({ server, ...limiter.describe() })),
  };
}
