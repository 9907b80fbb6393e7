// The limits of a server: how many calls are under way and how many begin in a minute, as given, as told in headers, or as
// learned from calls that are refused. Own code: no library learns a pace, holds tokens besides calls and takes a clock.
import type { Clock } from './machine/clock.ts';
import type { Quota, Quotas } from './rate-limit-headers.ts';

/** What is known of a model's limits before the first call; the rest is learned. */
export interface GivenLimits {
  /** Calls a minute. */
  rpm?: number | undefined;
  /** Tokens a minute, of prompts and answers together. */
  tpm?: number | undefined;
  /** Calls under way at the same time. */
  concurrency?: number | undefined;
}

/** A call that waits for its turn. */
export interface LimitedCall {
  /** The models of one server share the number under way. */
  model: string;
  /** Those with the same share a pace too. */
  pace: string;
  /** An upper estimate for prompt and answer. */
  tokens: number;
  limits: GivenLimits;
  /** Calls under way beyond which this one does not begin. */
  mostUnderWay: number;
  /** Lower ones go first; among equals those that were reserved first, by `ticket`. */
  priority: number;
  ticket: number;
  /** Ends the wait, with its reason. */
  signal: AbortSignal;
}

/** How a call ended. `refused`: with status 429. `quotas`: as its answer told them. */
export type CallEnd = { quotas?: Quotas } & (
  | { kind: 'answered'; tokens: number | null }
  | { kind: 'refused'; retryAfterMs?: number | undefined }
  | { kind: 'failed' }
);

/** What allows one call; `settle` is called once, when it is over. */
export interface CallPermit {
  settle(end: CallEnd): void;
}

/** What limits the calls to a server. */
export interface LimiterStatus {
  underWay: number;
  waiting: number;
  /** Calls a minute, where a pace holds calls back; else null. */
  perMinute: number | null;
  /** Milliseconds for which no call begins because the server asked for that; 0 where it did not. */
  heldMs: number;
}

/** The calls to one server with one key, of all matches. Another process could keep the same. */
export interface CallLimiter {
  /** Resolves when the call may begin. Rejects with the reason of its signal. */
  reserve(call: LimitedCall): Promise<CallPermit>;
  describe(): LimiterStatus;
}

/** Of a limit, so much is used: calls that were evenly spaced when they left arrive a little closer together. */
const margin = 0.97;

/** After a refusal, the pace and the number under way are cut to these shares; the pace never to less than `least` of it. */
const cut = { pace: 0.95, least: 0.5, underWay: 0.75 };

/** Where a server refuses what exceeds its slots, one call more is tried after so many answers; twice as many after each refusal. */
const answersToProbe = { first: 32, most: 512 };

/**
 * By how much a pace that holds calls back grows in a minute: the first share, another where the pace is a guess; it doubles
 * every minute once the pace is above what was refused.
 */
const growth = { first: 0.01, guessed: 0.08, most: 0.32, above: 1.05 };

/**
 * Between attempts after a refusal without `Retry-After`: so many calls' worth of time, times `factor` after each. Where no
 * pace is known, at most so many a minute.
 */
const probing = { calls: 4, factor: 1.5, perMinute: 120 };

/** From so many calls that a server has taken a pace can be told. */
const fewestMeasured = 5;

/**
 * A limiter in this process. `minuteMs`: what its minute lasts, for tests and measurements with a shortened one.
 *
 * @example
 * const limiter = createCallLimiter(systemClock);
 * const permit = await limiter.reserve({ model: 'gpt-4o', pace: 'gpt-4o', tokens: 2000, limits: { rpm: 500 }, mostUnderWay: 32,
 *   priority: 0, ticket: 1, signal });
 * permit.settle({ kind: 'answered', tokens: 1730 });
 */
export const createCallLimiter = (clock: Clock, minuteMs = 60_000): CallLimiter => new ServerLimiter(clock, minuteMs);

interface WaitingCall extends LimitedCall {
  begin: (permit: CallPermit) => void;
  /** Whether it had to wait for the pace. */
  wasPaced: boolean;
}

class ServerLimiter implements CallLimiter {
  readonly #clock: Clock;
  readonly #minuteMs: number;
  readonly #paces = new Map<string, Pace>();
  /** By model, in the order in which they begin. */
  readonly #waiting = new Map<string, WaitingCall[]>();
  #underWay = 0;
  /** Learned; not a whole number. */
  #most = Infinity;
  /**
   * The server's slots, as long as it seems to refuse nothing but what exceeds them: the fewest calls beside a refused one.
   * Null once a call was refused beside fewer, since its limits are others then.
   */
  #slots: number | null = Infinity;
  #begun = 0;
  /** Calls that had begun when the number of slots was learned. */
  #begunBefore = 0;
  #answersToProbe = answersToProbe.first;
  #sleep: { until: number; wake: AbortController } | null = null;

  constructor(clock: Clock, minuteMs: number) {
    [this.#clock, this.#minuteMs] = [clock, minuteMs];
  }

  reserve(call: LimitedCall): Promise<CallPermit> {
    const { model, signal } = call;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const queue = this.#waiting.get(model) ?? [];
      this.#waiting.set(model, queue);
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason as Error); // lets no other begin: those behind it wait for the same
        // Nobody is left to wake: the timer would keep the process alive for as long as a server asked to wait.
        if ([...this.#waiting.values()].every((others) => others.length === 0)) this.#sleepUntil(Infinity, 0);
      };
      const begin = (permit: CallPermit) => {
        signal.removeEventListener('abort', leave);
        resolve(permit);
      };
      const waiting: WaitingCall = { ...call, begin, wasPaced: false };
      const place = queue.findLastIndex((other) => compareCalls(other, waiting) <= 0);
      queue.splice(place + 1, 0, waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.#beginCalls();
    });
  }

  describe(): LimiterStatus {
    const now = this.#clock.elapsed();
    const queues = [...this.#waiting].filter(([, queue]) => queue.length > 0);
    const held = [...new Set(queues.map(([, [first]]) => this.#getPace(first!)))];
    const paces = held.map((pace) => pace.perMinute(now)).filter(Number.isFinite);
    return {
      underWay: this.#underWay,
      waiting: queues.reduce((sum, [, queue]) => sum + queue.length, 0),
      perMinute: paces.length === 0 ? null : paces.reduce((sum, pace) => sum + pace, 0),
      heldMs: Math.max(0, ...held.map((pace) => pace.heldUntil - now)),
    };
  }

  #getPace({ pace: name, limits }: LimitedCall): Pace {
    const pace = this.#paces.get(name) ?? new Pace(this.#clock, this.#minuteMs);
    this.#paces.set(name, pace);
    pace.give(limits);
    return pace;
  }

  /** Lets all calls begin that may, and sleeps until the next one may. */
  #beginCalls(): void {
    for (;;) {
      const now = this.#clock.elapsed();
      let next: WaitingCall | undefined;
      let soonest = Infinity;
      for (const queue of this.#waiting.values()) {
        const [first] = queue;
        if (!first || this.#underWay >= this.#findMostUnderWay(first)) continue;
        const readyAt = this.#getPace(first).readyAt(now);
        if (readyAt > now) first.wasPaced = true;
        if (readyAt > now) soonest = Math.min(soonest, readyAt);
        else if (!next || compareCalls(first, next) < 0) next = first;
      }
      if (!next) return this.#sleepUntil(soonest, now);
      this.#waiting.get(next.model)!.shift();
      this.#begin(next, now);
    }
  }

  #findMostUnderWay({ limits: { concurrency = Infinity }, mostUnderWay }: LimitedCall): number {
    return Math.min(Math.max(1, Math.floor(this.#most)), concurrency, mostUnderWay);
  }

  #begin(call: WaitingCall, now: number): void {
    const pace = this.#getPace(call);
    const settlePace = pace.begin(now, call);
    const beside = this.#underWay;
    const index = (this.#begun += 1);
    this.#underWay += 1;
    let isSettled = false;
    call.begin({
      settle: (end) => {
        if (isSettled) return;
        isSettled = true;
        const isOfSlots = end.kind === 'refused' && this.#learnSlots(end, beside, index);
        const isNew = settlePace(this.#clock.elapsed(), end, isOfSlots);
        if (end.kind === 'refused' && isNew) this.#most = Math.max(1, this.#underWay * cut.underWay);
        else if (end.kind === 'answered' && this.#underWay >= Math.floor(this.#most)) this.#most += this.#getGrowth();
        this.#underWay -= 1;
        this.#beginCalls();
      },
    });
  }

  /** By how much an answer raises the number under way. */
  #getGrowth(): number {
    return this.#slots === null ? 1 / this.#most : 1 / this.#answersToProbe;
  }

  /** Whether the number of slots explains a refusal of a call that began beside so many: then the pace is not to blame. */
  #learnSlots({ retryAfterMs }: CallEnd & { kind: 'refused' }, beside: number, index: number): boolean {
    if (this.#slots === null) return false;
    const isLater = this.#slots < Infinity && index > this.#begunBefore;
    if (retryAfterMs !== undefined || beside === 0 || (isLater && beside < this.#slots)) {
      this.#slots = null;
      return false;
    }
    if (isLater) this.#answersToProbe = Math.min(answersToProbe.most, 2 * this.#answersToProbe);
    if (beside < this.#slots) [this.#slots, this.#begunBefore] = [beside, this.#begun];
    this.#most = Math.min(this.#most, beside);
    return true;
  }

  #sleepUntil(until: number, now: number): void {
    if (this.#sleep?.until === until) return;
    this.#sleep?.wake.abort();
    this.#sleep = null;
    if (until === Infinity) return;
    const sleep = { until, wake: new AbortController() };
    this.#sleep = sleep;
    this.#clock.sleep(until - now, sleep.wake.signal).then(
      () => {
        if (this.#sleep !== sleep) return;
        this.#sleep = null;
        this.#beginCalls();
      },
      () => undefined, // a call that may begin sooner has taken its place
    );
  }
}

const compareCalls = (one: LimitedCall, other: LimitedCall) =>
  one.priority - other.priority || one.ticket - other.ticket;

/** The calls of one pace: how many of them, and of their tokens, in a minute (GCRA, learned by AIMD). Times are the clock's. */
class Pace {
  readonly #clock: Clock;
  readonly #minuteMs: number;
  #given: GivenLimits = {};
  /** Calls a millisecond, as learned. */
  #rate = Infinity;
  /** Whether it was measured where none was known, and no call has been answered at it. */
  #isGuess = false;
  /** The pace that was refused last. */
  #refusedRate = 0;
  #step = growth.first;
  #stepAt = 0;
  /** When the last call would have begun that was evenly spaced, and the end of its tokens' share. */
  #base = -Infinity;
  #tokensUntil = -Infinity;
  heldUntil = -Infinity;
  /** When a call was refused: those that were under way then tell nothing new. */
  #refusedAt = -Infinity;
  /** When the pace was cut last. */
  #cutAt = -Infinity;
  /** Whether a call that began after a refusal has been answered. */
  #isAnswered = true;
  /** Whether one call after another tries if the server takes calls again, at intervals of `#gap` milliseconds. */
  #isProbing = false;
  #gap = 0;
  /** Whether the server has said how long to wait. */
  #isTold = false;
  /** When calls of the last minute began that were not refused. */
  readonly #begun: number[] = [];
  /** Calls and tokens begun so far, to tell what an answer's quotas do not count yet. */
  readonly #total: Record<keyof Quotas, number> = { calls: 0, tokens: 0 };
  readonly #quotas: Partial<Record<keyof Quotas, { rate: number; until: number }>> = {};
  /** How many tokens calls take, as a share of what was estimated. */
  #tokenShare = 1;

  constructor(clock: Clock, minuteMs: number) {
    [this.#clock, this.#minuteMs] = [clock, minuteMs];
  }

  /** Of what its models are given, the least holds. */
  give({ rpm = Infinity, tpm = Infinity }: GivenLimits): void {
    const { rpm: calls = Infinity, tpm: tokens = Infinity } = this.#given;
    if (rpm < calls || tpm < tokens) this.#given = { rpm: Math.min(rpm, calls), tpm: Math.min(tpm, tokens) };
  }

  /** When the next call may begin. */
  readyAt(now: number): number {
    if (this.#isProbing && this.#isTold && now >= this.heldUntil) this.#resume(now);
    const spaced = this.#base + (this.#isProbing ? this.#gap : 1 / this.#findRate('calls', now));
    const ready = Math.max(this.heldUntil, spaced, this.#tokensUntil);
    const changes = this.#quotas.calls?.until ?? -Infinity; // another pace holds from then on
    return now < changes && changes < ready ? Math.max(this.heldUntil, changes, this.#tokensUntil) : ready;
  }

  /** Calls a minute that may begin. */
  perMinute(now: number): number {
    return this.#findRate('calls', now) * this.#minuteMs;
  }

  /** Takes the place of a call. Returns what settles it, which says whether the pace was cut; by a refusal for want of a slot it is not. */
  begin(
    now: number,
    call: Pick<WaitingCall, 'tokens' | 'wasPaced'>,
  ): (now: number, end: CallEnd, isOfSlots: boolean) => boolean {
    const burst = this.#minuteMs / 60;
    const spacing = 1 / this.#findRate('calls', now);
    this.#base = this.#isProbing ? now : Math.max(this.#base + spacing, now - burst, this.heldUntil);
    const tokens = call.tokens * this.#tokenShare;
    this.#tokensUntil = Math.max(this.#tokensUntil, now - burst) + tokens / this.#findRate('tokens', now);
    if (call.wasPaced && !this.#isProbing) this.#grow(now);
    this.#begun.push(now);
    this.#total.calls += 1;
    this.#total.tokens += tokens;
    const total = { ...this.#total };
    return (over, end, isOfSlots) => {
      if (end.quotas) this.#learnQuotas(end.quotas, total, over);
      if (end.kind === 'refused') this.#forget(now);
      if (end.kind === 'refused' && !isOfSlots) return this.#refuse(now, over, end.retryAfterMs);
      if (end.kind === 'answered') this.#answer(now);
      if (end.kind === 'answered' && end.tokens !== null) this.#correctTokens(call.tokens, tokens, end.tokens, over);
      return false;
    };
  }

  /** Of calls, what is told counts until one is refused all the same: servers mean different things by it. */
  #findRate(kind: keyof Quotas, now: number): number {
    const given = (kind === 'calls' ? this.#given.rpm : this.#given.tpm) ?? Infinity;
    const learned = kind === 'calls' ? this.#rate : Infinity;
    const quota = learned === Infinity ? this.#quotas[kind] : undefined;
    return Math.min(learned, (margin * given) / this.#minuteMs, quota && now < quota.until ? quota.rate : Infinity);
  }

  /** The calls of the minute before `now` that were not refused, by the time until `then`, in calls a millisecond. */
  #measure(now: number, then: number): number {
    const first = this.#begun.findIndex((begun) => begun > now - this.#minuteMs);
    this.#begun.splice(0, first < 0 ? this.#begun.length : first);
    const calls = this.#begun.filter((begun) => begun <= now);
    return Math.max(1, calls.length) / Math.max(1, Math.min(this.#minuteMs, then - (calls[0] ?? now)));
  }

  #grow(now: number): void {
    if (this.#rate === Infinity) return;
    if (this.#rate < growth.above * this.#refusedRate) [this.#step, this.#stepAt] = [growth.first, now];
    if (now - this.#stepAt >= this.#minuteMs) [this.#step, this.#stepAt] = [Math.min(growth.most, this.#step * 2), now];
    this.#rate += this.#step / this.#minuteMs; // of each call, so that it is the share of the pace in a minute
  }

  #answer(begun: number): void {
    if (begun < this.#refusedAt) return;
    if (this.#isProbing) this.#resume(begun);
    [this.#isAnswered, this.#isGuess] = [true, false];
  }

  #correctTokens(estimated: number, reserved: number, taken: number, now: number): void {
    const rate = this.#findRate('tokens', now);
    if (rate < Infinity) this.#tokensUntil += (taken - reserved) / rate;
    this.#tokenShare += (taken / Math.max(1, estimated) - this.#tokenShare) / 8;
  }

  /** Counts a call that began then no longer, since it was refused. */
  #forget(begun: number): void {
    const index = this.#begun.lastIndexOf(begun);
    if (index >= 0) this.#begun.splice(index, 1);
  }

  #refuse(begun: number, now: number, retryAfterMs: number | undefined): boolean {
    const isNews = begun >= this.#refusedAt;
    const isCut = isNews && this.#isAnswered;
    if (isCut) this.#cutPace(now);
    else if (isNews) this.#gap = Math.min(this.#minuteMs, this.#gap * probing.factor);
    if (isNews && this.#isGuess) this.#rate = Infinity; // measured anew once calls are taken again
    if (isNews) {
      [this.#refusedAt, this.#isProbing, this.#isAnswered] = [now, true, false];
      this.#isTold = isCut && retryAfterMs !== undefined; // what was told is not trusted twice
    }
    const [told, own] = [retryAfterMs ?? 0, isNews && !this.#isTold ? this.#gap : 0];
    const chance = this.#clock.jitter(); // other processes wait for the same server
    this.heldUntil = Math.max(this.heldUntil, now + told * (1 + chance / 20), now + own * (0.75 + chance / 2));
    return isCut;
  }

  #cutPace(now: number): void {
    const rate = Math.min(this.#rate, (margin * (this.#given.rpm ?? Infinity)) / this.#minuteMs);
    const measured = this.#measure(now, now);
    if (rate < Infinity) {
      this.#refusedRate = rate;
      this.#rate = Math.max(cut.least * rate, Math.min(cut.pace * rate, measured));
    }
    [this.#cutAt, this.#step, this.#stepAt] = [now, growth.first, now];
    this.#gap = Math.max(
      rate < Infinity ? 0 : this.#minuteMs / probing.perMinute,
      probing.calls / Math.min(rate, measured),
    );
  }

  /** The server takes calls again. Where no pace was known, it is what it has taken. */
  #resume(now: number): void {
    this.#isProbing = false;
    if (this.#rate < Infinity) return;
    const measured = this.#measure(this.#cutAt, now);
    if (this.#begun.filter((begun) => begun <= this.#cutAt).length < fewestMeasured) return;
    [this.#rate, this.#isGuess, this.#step] = [margin * measured, true, growth.guessed];
  }

  /**
   * What is left may be spent evenly until all is there again: for a fixed window this is exact, and of a bucket that
   * is refilled it finds the pace at half its size. What takes longer than a minute is no pace: a day's limit is
   * rather used up.
   */
  #learnQuotas(quotas: Quotas, total: Record<keyof Quotas, number>, now: number): void {
    for (const kind of ['calls', 'tokens'] as const) {
      const quota: Quota | undefined = quotas[kind];
      if (!quota || quota.resetMs > 1.05 * this.#minuteMs) continue;
      const left = quota.remaining - (this.#total[kind] - total[kind]); // what began later is not counted yet
      const slowest = quota.limit / 20 / this.#minuteMs;
      const rate = Math.max(slowest, (margin * left) / Math.max(1, quota.resetMs));
      this.#quotas[kind] = { rate, until: now + quota.resetMs };
    }
  }
}
