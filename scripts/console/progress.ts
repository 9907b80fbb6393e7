// How far a command has come: what is counted, and the line that shows it on a terminal, else one from time to time.
import spinner from 'yocto-spinner';
import { sum } from '../../deception/statistics/sums.ts';
import type { CallFigures } from '../../deception/record/call-figures.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { type CallLimiters, getCallLimiters } from '../../models/limiters-by-server.ts';
import type { Clock } from '../../models/machine/clock.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { formatMoney, formatWhole, pluralize } from '../../report/format.ts';
import type { AnswerLine } from '../../state/record.ts';
import { type Team, teams } from '../../state/teams.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { canPaint } from '../command/guarded-output.ts';
import { formatRoughTime } from './estimate-text.ts';

/** Answers with what they took. Tokens and cost are sums of what is known, null where nothing is. */
export interface Spent {
  calls: number;
  tokens: number | null;
  /** USD. */
  cost: number | null;
  calls_with_unknown_cost: number;
}

type Took = Pick<AnswerLine, 'tokens' | 'cost'> & Partial<Pick<AnswerLine, 'model'>>;

/** What came in a minute from a provider. */
interface Pace {
  calls: number;
  tokens: number;
}

/** Milliseconds over which a pace is measured. */
const paceWindow = 60_000;

/** A match that is being played. */
interface Open {
  answers: number;
  underWay: number;
}

/** With so many finished matches their mean says more than an estimate: the first ones to finish are the short ones. */
const telling = 10;

export class RunCounts {
  readonly matches: number;
  finished = 0;
  failed = 0;
  /** Of finished matches; null before the first. */
  figures: CallFigures | null = null;
  /** Finished matches by who won. */
  readonly winners: Record<Team | 'nobody', number> = { villagers: 0, werewolves: 0, nobody: 0 };
  /** In all matches, those included that are not finished. */
  spent: Spent = nothingSpent;
  readonly #now: () => number;
  readonly #opened: number;
  readonly #open = new Map<string, Open>();
  /** When the first match was begun now, and the answers that came since, recorded ones apart. */
  #since: number | null = null;
  #live = 0;
  #expected: number | null = null;
  /** What of a match was found before it was begun now. */
  readonly #found = new Map<string, Spent>();

  /** Whether matches that wait and the pace of each provider are told too. */
  readonly isDetailed: boolean;
  /** Answers of the last minute, the first one first; without built-in bots. */
  readonly #recent: { at: number; provider: string; tokens: number }[] = [];

  /** `now` tells the time in milliseconds. */
  constructor(matches: number, now: () => number, isDetailed = false) {
    this.matches = matches;
    this.#now = now;
    this.#opened = now();
    this.isDetailed = isDetailed;
  }

  /** Provider → what came from it in the last minute. */
  measurePace(): ReadonlyMap<string, Pace> {
    this.#forget();
    const paces = new Map<string, Pace>();
    for (const { provider, tokens } of this.#recent) {
      const pace = paces.get(provider) ?? { calls: 0, tokens: 0 };
      paces.set(provider, { calls: pace.calls + 1, tokens: pace.tokens + tokens });
    }
    return paces;
  }

  #forget() {
    const since = this.#now() - paceWindow;
    const kept = this.#recent.findIndex(({ at }) => at > since);
    this.#recent.splice(0, kept === -1 ? this.#recent.length : kept);
  }

  #noteRecent({ model = '', tokens }: Took) {
    const provider = model.slice(0, Math.max(0, model.indexOf(':')));
    if (!this.isDetailed || provider === '' || provider === 'bot') return;
    this.#recent.push({ at: this.#now(), provider, tokens: tokens === null ? 0 : tokens.in + tokens.out });
    this.#forget();
  }

  /** Calls that a match takes by an estimate. */
  expect(calls: number) {
    this.#expected = calls;
  }

  begin(id: string) {
    this.#since ??= this.#now();
    this.#open.set(id, { answers: 0, underWay: 0 });
  }

  calls(id: string, underWay: number) {
    const match = this.#open.get(id);
    if (match) match.underWay = underWay;
  }

  /** `isRecorded`: it was found before. */
  answer(id: string, line: Took, isRecorded: boolean) {
    const match = this.#open.get(id);
    if (match) match.answers += 1;
    if (isRecorded) return;
    this.#live += 1;
    this.#noteRecent(line);
    this.#spend(countSpent(line));
  }

  /** Answers of a match that is not over, when they are found. */
  recorded(lines: readonly Took[], id: string) {
    const found = lines.map(countSpent).reduce(addFigures, nothingSpent);
    this.#found.set(id, found);
    this.#spend(found);
  }

  /** The match has stopped, or cannot be begun yet, and will be begun again. */
  hold(id: string) {
    this.#open.delete(id);
  }

  end(end: MatchEnd) {
    this.#open.delete(end.id);
    if ('error' in end) this.failed += 1;
    else this.#finish(end);
  }

  get underWay() {
    return this.#open.size;
  }

  get callsUnderWay() {
    return sum([...this.#open.values()].map(({ underWay }) => underWay));
  }

  /** Milliseconds since the tally was opened. */
  elapsed(): number {
    return this.#now() - this.#opened;
  }

  /** Calls until all matches are over; null where nothing can be said yet. */
  callsLeft(): number | null {
    const calls = this.#callsOfMatch();
    if (calls === null) return null;
    const untouched = this.matches - this.finished - this.failed - this.underWay;
    return untouched * calls + sum([...this.#open.values()].map(({ answers }) => Math.max(0, calls - answers)));
  }

  /** Milliseconds until all matches are over at the pace so far; null where nothing can be said yet. */
  timeLeft(): number | null {
    const calls = this.callsLeft();
    if (calls === null || this.#since === null || this.#live === 0) return null;
    return ((this.#now() - this.#since) / this.#live) * calls;
  }

  #callsOfMatch(): number | null {
    const mean = this.figures && this.figures.calls / this.finished;
    return this.finished < telling ? (this.#expected ?? mean) : mean;
  }

  #finish({ id, summary: { winner, model_calls }, isPlayed }: Extract<MatchEnd, { summary: DeceptionSummary }>) {
    const { total } = model_calls;
    this.finished += 1;
    this.winners[winner ?? 'nobody'] += 1;
    this.figures = this.figures === null ? total : addFigures(this.figures, total);
    if (isPlayed) return; // its answers were told one by one
    const { calls, tokens, cost, calls_with_unknown_cost } = total;
    const all = { calls, tokens: addFigures(tokens.in, tokens.out), cost, calls_with_unknown_cost };
    this.#spend(subtract(all, this.#found.get(id) ?? nothingSpent)); // another command may have gone on with it
  }

  #spend(more: Spent) {
    this.spent = addFigures(this.spent, more);
  }
}

export const nothingSpent: Spent = { calls: 0, tokens: null, cost: null, calls_with_unknown_cost: 0 };

export const countSpent = ({ tokens, cost }: Took): Spent => ({
  calls: 1,
  tokens: tokens && tokens.in + tokens.out,
  cost,
  calls_with_unknown_cost: cost === null ? 1 : 0,
});

const subtract = (all: Spent, part: Spent): Spent => ({
  calls: all.calls - part.calls,
  tokens: all.tokens && all.tokens - (part.tokens ?? 0),
  cost: all.cost && all.cost - (part.cost ?? 0),
  calls_with_unknown_cost: all.calls_with_unknown_cost - part.calls_with_unknown_cost,
});

type Figures = number | null | { readonly [name: string]: Figures };

/** Figures of the same shape, each with its counterpart; what is not known adds nothing. */
export function addFigures<Value>(one: Value, other: Value): Value;
export function addFigures(one: Figures, other: Figures): Figures {
  if (one === null || other === null) return one ?? other;
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  return Object.fromEntries(Object.keys(one).map((name) => [name, addFigures(one[name]!, other[name]!)]));
}

export interface Progress {
  stop(): void;
}

export const noProgress: Progress = { stop: () => {} };

/** How often the line is brought up to date; what is over sooner is not worth showing. Milliseconds. */
const every = 100;

/** Between the lines that tell of progress where none can change. Milliseconds. */
const tellEvery = 10_000;

/** Story and progress share one terminal, or there is no line: it writes over what is not its own. */
export const hasTerminal = ({ stdout, stderr, env }: CommandIO) =>
  canPaint(stdout, env) && canPaint(stderr, env) && !('CI' in env);

/** One line on the terminal, gone while `text` is null. Lines written meanwhile appear above it. */
export function openProgressLine(text: () => string | null): Progress {
  const line = spinner({ stream: process.stderr, handleSignals: false });
  const show = () => {
    const now = text();
    if (now === null) line.stop();
    else if (line.isSpinning) line.text = now;
    else line.start(now);
  };
  const end = getMachine().clock.repeat(every, show);
  const stop = () => {
    end();
    line.stop();
  };
  process.once('exit', stop); // gives the terminal its cursor back
  return { stop };
}

/** A line of its own every ten seconds, whether or not a match has ended. */
export function openProgressReport(
  getLine: () => string | null,
  tell: (line: string) => void,
  { alarm }: Pick<Clock, 'alarm'>,
): Progress {
  let cancel = () => {};
  const wait = () => {
    cancel = alarm(tellEvery, () => {
      const line = getLine();
      if (line !== null) tell(line);
      wait();
    });
  };
  wait();
  return { stop: () => cancel() };
}

/**
 * Counts calls in one line on a terminal. Elsewhere `tell`, where it is given, is told from time to time of servers that
 * hold calls back.
 */
export function countCalls(isShown: boolean, tell?: (line: string) => void) {
  const count = { underWay: 0, answered: 0, cost: 0 };
  const { clock } = getMachine();
  const getHold = () => (formatLimits(getCallLimiters(clock).list()) === null ? null : formatCalls(count));
  const line = isShown
    ? openProgressLine(() => formatCalls(count))
    : tell
      ? openProgressReport(getHold, tell, clock)
      : noProgress;
  return {
    add: (more: number) => void (count.underWay += more),
    set: (underWay: number) => void (count.underWay = underWay),
    answer: ({ cost }: AnswerLine) => {
      count.answered += 1;
      count.cost += cost ?? 0;
    },
    stop: () => line.stop(),
  };
}

/** E.g. "3 calls under way, 20 answered, USD 0.0012 spent"; null where no call is under way. */
function formatCalls({ underWay, answered, cost }: { underWay: number; answered: number; cost: number }) {
  if (underWay === 0) return null;
  const spent = cost > 0 ? `, USD ${cost.toFixed(4)} spent` : '';
  const limits = formatLimits(getCallLimiters(getMachine().clock).list());
  return `${pluralize(underWay, 'call')} under way, ${answered} answered${spent}${limits === null ? '' : `; ${limits}`}`;
}

/**
 * Which servers hold calls back, and how, e.g. "openai: 12 under way, 300 a minute" or "openai: asks to wait 40 s"; null
 * where none does.
 */
function formatLimits(servers: ReturnType<CallLimiters['list']>): string | null {
  const holding = servers.filter(({ waiting }) => waiting > 0);
  const lines = holding.map(({ server, underWay, perMinute, heldMs }) => {
    if (heldMs >= 1000) return `${server}: asks to wait ${formatRoughTime(heldMs)}`;
    const pace = perMinute === null ? '' : `, ${formatWhole(Math.round(perMinute))} a minute`;
    return `${server}: ${underWay} under way${pace}`;
  });
  return lines.length === 0 ? null : lines.join('; ');
}

/** What is left of a line beside the sign that turns: a line that wraps cannot be kept in its place. */
export const computeSpareWidth = () => (process.stderr.columns || 80) - 3;

/**
 * E.g. "12 of 100 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls (32 now); 5.6M tokens", and where
 * that is too wide "12/100 done, 8 playing, 0 failed; 12 min left; $0.34; 2.3k calls, 5.6M tok"; then who limits the calls.
 */
export function formatProgress(
  tally: RunCounts,
  width = Infinity,
  limiters = getCallLimiters(getMachine().clock),
): string {
  const { finished, matches, underWay, failed, callsUnderWay, spent } = tally;
  const limits = formatLimits(limiters.list());
  const text = join(
    formatMatches(tally),
    formatTimeLeft(tally, limiters),
    ...formatSpent(spent, ` (${callsUnderWay} now)`),
    ...formatPaces(tally),
    limits,
  );
  if (text.length <= width) return text;
  const cost = spent.cost === null ? null : `$${spent.cost.toFixed(spent.cost < 100 ? 2 : 0)}`;
  const tokens = spent.tokens === null ? '' : `, ${abbreviate(spent.tokens)} tok`;
  const left = formatTimeLeft(tally, limiters)?.replace(/( h| days) .*(?= left)/, '$1') ?? null;
  const done = `${finished}/${matches} done, ${underWay} playing, ${failed} failed`;
  const short = join(done, left, cost, `${abbreviate(spent.calls)} calls${tokens}`, limits);
  return short.length <= width ? short : `${short.slice(0, width - 1)}…`;
}

/**
 * E.g. "classic-8-1-1a2b3c4d: won by the village in 3 rounds; 199 calls, USD 0.12 | 1 of 20 done, 8 under way, 0
 * failed; 12 min left; USD 0.34; 2,345 calls; 5.6M tokens".
 */
export function formatEnd(end: MatchEnd, tally: RunCounts): string {
  const totals = join(formatMatches(tally), formatTimeLeft(tally), ...formatSpent(tally.spent));
  if ('error' in end) return `${end.id}: stopped. ${describeError(end.error)} | ${totals}`;
  const { winner, rounds, model_calls } = end.summary;
  const { calls, cost } = model_calls.total;
  const how = winner === null ? 'nobody won' : `won by ${teams[winner].label}`;
  const took = [pluralize(calls, 'call'), ...(cost === null ? [] : [formatMoney(model_calls.total)])];
  return `${end.id}: ${how} in ${pluralize(rounds, 'round')}; ${took.join(', ')} | ${totals}`;
}

const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join('; ');

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const abbreviate = (count: number) => compact.format(count).replace('K', 'k');

const formatMatches = ({ finished, matches, underWay, failed, isDetailed }: RunCounts) =>
  `${finished} of ${matches} done, ${underWay} under way, ${isDetailed ? `${matches - finished - underWay - failed} waiting, ` : ''}${failed} failed`;

/** E.g. "openai 120 calls and 80k tokens a minute"; the first minute tells less than a minute's. */
const formatPaces = (tally: RunCounts) =>
  tally.isDetailed && tally.elapsed() >= paceWindow
    ? [...tally.measurePace()].map(
        ([provider, { calls, tokens }]) =>
          `${provider} ${formatWhole(calls)} calls and ${abbreviate(tokens)} tokens a minute`,
      )
    : [];

/** Nothing where it is not known. */
const formatSpent = (spent: Spent, now = '') => [
  spent.cost === null ? null : formatMoney(spent),
  `${pluralize(spent.calls, 'call')}${now}`,
  spent.tokens === null ? null : `${abbreviate(spent.tokens)} tokens`,
];

function formatTimeLeft(tally: RunCounts, limiters = getCallLimiters(getMachine().clock)): string | null {
  const left = tally.timeLeft();
  if (left === null || left === 0) return null;
  return `${formatRoughTime(Math.max(left, computeLeastTime(tally.callsLeft() ?? 0, limiters)))} left`;
}

/** Milliseconds that servers which hold calls back take at least: what they ask to wait, and of a single one its pace. */
function computeLeastTime(calls: number, limiters: CallLimiters): number {
  const holding = limiters.list().filter(({ waiting }) => waiting > 0);
  const held = Math.max(0, ...holding.map(({ heldMs }) => heldMs));
  const [only, ...others] = holding;
  const pace = others.length === 0 ? (only?.perMinute ?? null) : null;
  return held + (pace === null ? 0 : (calls / pace) * 60_000);
}
