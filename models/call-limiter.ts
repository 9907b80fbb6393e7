// Rate limits of a server: how many calls run at the same time, and how many begin per minute. Limits are given by the
// user, announced in headers, or learned from rejected calls. No library is used, because it would have to learn a
// rate, count both calls and tokens, and accept a clock.
import type { Clock } from './machine/clock.ts';
import type { Quota, Quotas } from './rate-limit-headers.ts';

/** Limits of a server that are known before the first call. All other limits are learned. */
export interface GivenLimits {
  /** Calls per minute. */
  rpm?: number | undefined;
  /** Tokens per minute, of prompts and answers together. */
  tpm?: number | undefined;
  /** Calls running at the same time. */
  concurrency?: number | undefined;
}

/** A call that waits for permission to begin. */
export interface LimitedCall {
  /** Model of the call. All models of a server share the limit of running calls. */
  model: string;
  /** Name of the rate limit. Models with the same `pace` share one. */
  pace: string;
  /** Upper estimate of the tokens of prompt and answer. */
  tokens: number;
  limits: GivenLimits;
  /** Maximum number of running calls to the server at the time when this call begins. */
  mostUnderWay: number;
  /** Calls with lower values go first. Calls with equal values go in the order of `ticket`, their first reservation. */
  priority: number;
  ticket: number;
  /** Signal that ends the wait with its reason. */
  signal: AbortSignal;
}

/** Outcome of a call. `refused`: the status was 429. `quotas`: limits that the answer announced. */
export type CallEnd = { quotas?: Quotas } & (
  | { kind: 'answered'; tokens: number | null }
  | { kind: 'refused'; retryAfterMs?: number | undefined }
  | { kind: 'failed' }
);

/** Permission for one call. `settle` is called once, when the call is over. */
export interface CallPermit {
  settle(end: CallEnd): void;
}

/** Current limits of a server. */
export interface LimiterStatus {
  underWay: number;
  waiting: number;
  /** Calls per minute, if a rate limit delays calls; otherwise null. */
  perMinute: number | null;
  /** Remaining milliseconds of a pause for which the server asked; 0 if there is no such pause. */
  heldMs: number;
}

/**
 * Limiter of the calls to one server with one key, shared by all matches. Other processes can share it if it is
 * replaced by a limiter with the same interface.
 */
export interface CallLimiter {
  /** Resolves when the call may begin. Rejects with the reason of its signal. */
  reserve(call: LimitedCall): Promise<CallPermit>;
  describe(): LimiterStatus;
}

/**
 * Share of a limit that is used. It is below 1, because calls that are sent at even intervals may arrive closer
 * together.
 */
const margin = 0.97;

/**
 * Factors by which a rejected call reduces the rate (`pace`) and the number of running calls (`underWay`). The rate is
 * reduced further if fewer calls were accepted, but never below `least` times its previous value.
 */
const cut = { pace: 0.95, least: 0.5, underWay: 0.75 };

/**
 * If a server rejects calls beyond its number of slots, the limit of running calls rises by one after this many
 * answers. The number of answers doubles after each rejection.
 */
const answersToProbe = { first: 32, most: 512 };

/**
 * Growth per minute of a rate that delays calls: `first`, or `guessed` if the rate is a guess. Once the rate is `above`
 * times the rejected rate, the growth doubles every minute, up to `most`.
 */
const growth = { first: 0.01, guessed: 0.08, most: 0.32, above: 1.05 };

/**
 * Pauses between attempts after a rejection without `Retry-After`. The first pause is as long as `calls` calls take at
 * the current rate; each later pause is `factor` times as long. `perMinute`: highest frequency of attempts if no rate
 * is known.
 */
const probing = { calls: 4, factor: 1.5, perMinute: 120 };

/** Minimum number of accepted calls from which a rate can be measured. */
const fewestMeasured = 5;

/**
 * Creates a limiter in this process. `minuteMs`: length of its minute; tests and measurements shorten it.
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
  /** Whether the call had to wait because of the rate. */
  wasPaced: boolean;
}

class ServerLimiter implements CallLimiter {
  readonly #clock: Clock;
  readonly #minuteMs: number;
  readonly #paces = new Map<string, Pace>();
  /** Waiting calls by model, in the order in which they will begin. */
  readonly #waiting = new Map<string, WaitingCall[]>();
  #underWay = 0;
  /** Learned limit of running calls; may be fractional. */
  #most = Infinity;
  /**
   * Number of slots of the server: the fewest calls that ran beside a rejected call. Null means that slots do not
   * explain the server's rejections, e.g. because the server later rejected a call although slots were free.
   */
  #slots: number | null = Infinity;
  #begun = 0;
  /** Number of calls that had begun when the number of slots was learned. */
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
        reject(signal.reason as Error); // begins no other call: the calls behind it wait for the same limit
        // No call waits any more, so stop the timer: it would keep the process alive for as long as the server asked to
        // wait.
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

  /** Begins all calls that may begin, then sleeps until the next one may. */
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

  /** Returns by how much an answer raises the limit of running calls. */
  #getGrowth(): number {
    return this.#slots === null ? 1 / this.#most : 1 / this.#answersToProbe;
  }

  /**
   * Learns the number of slots from a rejected call. Returns whether slots explain the rejection; if so, the rate is
   * not reduced. `beside`: number of calls that ran when this call began.
   */
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

/** Rate limit of calls and their tokens per minute (GCRA, learned by AIMD). Times are the clock's. */
class Pace {
  readonly #clock: Clock;
  readonly #minuteMs: number;
  #given: GivenLimits = {};
  /** Learned rate, in calls per millisecond. */
  #rate = Infinity;
  /** Whether the rate is a first measurement that no answered call has confirmed yet. */
  #isGuess = false;
  /** The rate that was rejected last. */
  #refusedRate = 0;
  #step = growth.first;
  #stepAt = 0;
  /**
   * State of the two limits (GCRA). `#base`: start time that the last call would have if calls were evenly spaced.
   * `#tokensUntil`: time until which the tokens of the calls so far use up the token rate.
   */
  #base = -Infinity;
  #tokensUntil = -Infinity;
  heldUntil = -Infinity;
  /** Time of the last rejection. Later rejections of calls that were already running at that time tell nothing new. */
  #refusedAt = -Infinity;
  /** Time of the last reduction of the rate. */
  #cutAt = -Infinity;
  /** Whether a call that began after the last rejection has been answered. */
  #isAnswered = true;
  /**
   * Whether single calls are being tried, at intervals of `#gap` milliseconds, until the server accepts calls again.
   */
  #isProbing = false;
  #gap = 0;
  /** Whether the server has stated how long to wait. */
  #isTold = false;
  /** Start times of the last minute's calls that were not rejected. */
  readonly #begun: number[] = [];
  /**
   * Numbers of calls begun so far and of their tokens. The quotas in an answer do not count calls that began after the
   * answered call. The increase of these numbers since that call gives the missing count.
   */
  readonly #total: Record<keyof Quotas, number> = { calls: 0, tokens: 0 };
  readonly #quotas: Partial<Record<keyof Quotas, { rate: number; until: number }>> = {};
  /** Tokens that calls really use, as a share of the estimate. */
  #tokenShare = 1;

  constructor(clock: Clock, minuteMs: number) {
    [this.#clock, this.#minuteMs] = [clock, minuteMs];
  }

  /** Sets the limits given for a model; the lowest of all models' limits applies. */
  give({ rpm = Infinity, tpm = Infinity }: GivenLimits): void {
    const { rpm: calls = Infinity, tpm: tokens = Infinity } = this.#given;
    if (rpm < calls || tpm < tokens) this.#given = { rpm: Math.min(rpm, calls), tpm: Math.min(tpm, tokens) };
  }

  /** Returns the time at which the next call may begin. */
  readyAt(now: number): number {
    if (this.#isProbing && this.#isTold && now >= this.heldUntil) this.#resume(now);
    const spaced = this.#base + (this.#isProbing ? this.#gap : 1 / this.#findRate('calls', now));
    const ready = Math.max(this.heldUntil, spaced, this.#tokensUntil);
    const changes = this.#quotas.calls?.until ?? -Infinity; // the quota ends then, so another rate applies
    return now < changes && changes < ready ? Math.max(this.heldUntil, changes, this.#tokensUntil) : ready;
  }

  /** Returns the calls per minute that may begin. */
  perMinute(now: number): number {
    return this.#findRate('calls', now) * this.#minuteMs;
  }

  /**
   * Registers a call. Returns the function that settles it; that function returns whether the rate was reduced. A
   * rejection for lack of a slot does not reduce the rate.
   */
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

  /**
   * Returns the rate. Announced quotas of calls are ignored after the first rejection, because servers mean different
   * things by them.
   */
  #findRate(kind: keyof Quotas, now: number): number {
    const given = (kind === 'calls' ? this.#given.rpm : this.#given.tpm) ?? Infinity;
    const learned = kind === 'calls' ? this.#rate : Infinity;
    const quota = learned === Infinity ? this.#quotas[kind] : undefined;
    return Math.min(learned, (margin * given) / this.#minuteMs, quota && now < quota.until ? quota.rate : Infinity);
  }

  /**
   * Returns the rate of accepted calls, per millisecond. Counts the calls that began in the minute before `now`, and
   * divides by the time from the first of them until `then`.
   */
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
    this.#rate += this.#step / this.#minuteMs; // for every call: in a minute the rate grows by the share `#step`
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

  /** Stops counting a call that began at this time, because the call was rejected. */
  #forget(begun: number): void {
    const index = this.#begun.lastIndexOf(begun);
    if (index >= 0) this.#begun.splice(index, 1);
  }

  #refuse(begun: number, now: number, retryAfterMs: number | undefined): boolean {
    const isNews = begun >= this.#refusedAt;
    const isCut = isNews && this.#isAnswered;
    if (isCut) this.#cutPace(now);
    else if (isNews) this.#gap = Math.min(this.#minuteMs, this.#gap * probing.factor);
    if (isNews && this.#isGuess) this.#rate = Infinity; // measured again once calls are accepted again
    if (isNews) {
      [this.#refusedAt, this.#isProbing, this.#isAnswered] = [now, true, false];
      this.#isTold = isCut && retryAfterMs !== undefined; // an announced wait is not trusted twice
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

  /** Resumes when the server accepts calls again. If no rate was known, the rate of the accepted calls is used. */
  #resume(now: number): void {
    this.#isProbing = false;
    if (this.#rate < Infinity) return;
    const measured = this.#measure(this.#cutAt, now);
    if (this.#begun.filter((begun) => begun <= this.#cutAt).length < fewestMeasured) return;
    [this.#rate, this.#isGuess, this.#step] = [margin * measured, true, growth.guessed];
  }

  /**
   * Spreads the remaining quota evenly over the time until it is full again. This is exact for a fixed window. For a
   * bucket that refills steadily, the result equals the refill rate when the bucket is half full. Quotas that take
   * longer than a minute to refill are not treated as rates, so that a daily limit can be used up.
   */
  #learnQuotas(quotas: Quotas, total: Record<keyof Quotas, number>, now: number): void {
    for (const kind of ['calls', 'tokens'] as const) {
      const quota: Quota | undefined = quotas[kind];
      if (!quota || quota.resetMs > 1.05 * this.#minuteMs) continue;
      const left = quota.remaining - (this.#total[kind] - total[kind]); // calls that began later are not counted yet
      const slowest = quota.limit / 20 / this.#minuteMs;
      const rate = Math.max(slowest, (margin * left) / Math.max(1, quota.resetMs));
      this.#quotas[kind] = { rate, until: now + quota.resetMs };
    }
  }
}
