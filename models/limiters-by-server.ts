// The turns of calls at their servers: one limiter for each server and key, shared by all matches of the process.
import { type CallEnd, type CallLimiter, type CallPermit, createCallLimiter } from './call-limiter.ts';
import type { LimitedCall, LimiterStatus } from './call-limiter.ts';
import { normalizeAddress } from '../state/model-identity.ts';
import type { Clock } from './machine/clock.ts';
import type { PlayerModel } from './model.ts';
import { hashText } from '../state/hash-text.ts';

/** A question's place among the calls to its server, which it leaves while it waits for a further attempt. */
export class CallTurn {
  readonly #limiter: CallLimiter;
  readonly #call: Omit<LimitedCall, 'signal'>;
  #permit: CallPermit | null = null;
  #end: CallEnd = { kind: 'failed' };

  constructor(limiter: CallLimiter, call: Omit<LimitedCall, 'signal'>) {
    [this.#limiter, this.#call] = [limiter, call];
  }

  /** Resolves when an attempt may begin, at once where the turn was not left. Rejects with the signal's reason. */
  async enter(signal: AbortSignal): Promise<void> {
    this.#permit ??= await this.#limiter.reserve({ ...this.#call, signal });
  }

  /** How the attempt ended. The turn is not left: nobody else is to begin before it is known what follows from that. */
  end(end: CallEnd): void {
    this.#end = end;
  }

  /** Lets others begin. */
  leave(): void {
    this.#permit?.settle(this.#end);
    this.#permit = null;
    this.#end = { kind: 'failed' };
  }
}

/** The limiters of all servers that a process calls. */
export interface CallLimiters {
  /** The turn of a question that takes so many tokens by an upper estimate. */
  openTurn(model: PlayerModel, call: Pick<LimitedCall, 'tokens' | 'mostUnderWay' | 'priority'>): CallTurn;
  /** What limits the servers, each by its name; of several with one name each stands for itself. */
  list(): ({ server: string } & LimiterStatus)[];
}

/** The limiters that the machine with this clock shares: all matches of a process, unless they are played in simulated time. */
export function getCallLimiters(clock: Clock): CallLimiters {
  const limiters = byClock.get(clock) ?? createCallLimiters(clock);
  byClock.set(clock, limiters);
  return limiters;
}

const byClock = new WeakMap<Clock, CallLimiters>();

/**
 * Limiters that nothing else shares. `minuteMs`: what a minute lasts in them; `share`: makes of each what other processes
 * keep too.
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
  /** Server and key; a chat model that was given as an object is a server of its own. */
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
