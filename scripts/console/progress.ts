// Progress of a command: its counts, and the text that shows them. A terminal shows one changing line; elsewhere a line
// is printed from time to time.
import spinner from 'yocto-spinner';
import { sum } from '../../deception/statistics/sums.ts';
import type { CallFigures } from '../../deception/record/call-figures.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import type { MatchPlace } from '../../graph/match-set.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { type CallLimiters, getCallLimiters } from '../../models/limiters-by-server.ts';
import type { Clock } from '../../models/machine/clock.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { formatMoney, formatRoughTime, formatWhole, pluralize, sanitizeText } from '../../report/format.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { AnswerLine } from '../../state/record.ts';
import { type Team, teams } from '../../state/teams.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { canPaint } from '../command/guarded-output.ts';
import { tellEvery } from '../command/work-progress.ts';

/**
 * Number of answers, their tokens and their cost. Tokens and cost are sums of the known values, and null if no value is
 * known.
 */
export interface Spent {
  calls: number;
  tokens: number | null;
  /** Cost in USD. */
  cost: number | null;
  calls_with_unknown_cost: number;
}

type Took = Pick<AnswerLine, 'tokens' | 'cost'> & Partial<Pick<AnswerLine, 'model'>>;

/** Calls and tokens of a provider within a minute. */
interface Pace {
  calls: number;
  tokens: number;
}

/** Time over which a pace is measured, in milliseconds. */
const paceWindow = 60_000;

/** A match that is being played. */
interface Open {
  answers: number;
  underWay: number;
}

/**
 * Number of finished matches from which their mean number of calls replaces the estimate. The mean of fewer matches is
 * too low, because short matches finish first.
 */
const telling = 10;

export class RunCounts {
  readonly matches: number;
  finished = 0;
  failed = 0;
  /** Figures of finished matches; null before the first. */
  figures: CallFigures | null = null;
  /** Finished matches by winner. */
  readonly winners: Record<Team | 'nobody', number> = { villagers: 0, werewolves: 0, nobody: 0 };
  /** Calls, tokens and cost of all matches, including unfinished ones. */
  spent: Spent = nothingSpent;
  readonly #now: () => number;
  readonly #opened: number;
  readonly #open = new Map<string, Open>();
  /**
   * Time when this run began its first match, and the number of answers since then. Answers recorded earlier do not
   * count.
   */
  #since: number | null = null;
  #live = 0;
  #expected: number | null = null;
  /** Match → calls, tokens and cost that were recorded before this run. */
  readonly #found = new Map<string, Spent>();

  /** Whether to show waiting matches and the pace of each provider. */
  readonly isDetailed: boolean;
  /** Answers of the last minute, oldest first, without built-in bots. */
  readonly #recent: { at: number; provider: string; tokens: number }[] = [];

  /** `now`: returns the time in milliseconds. */
  constructor(matches: number, now: () => number, isDetailed = false) {
    this.matches = matches;
    this.#now = now;
    this.#opened = now();
    this.isDetailed = isDetailed;
  }

  /** Returns, for each provider, the calls and tokens within the last minute. */
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

  /** Sets the expected number of calls per match. */
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

  /** Counts an answer. `isRecorded`: whether it was recorded before this run. */
  answer(id: string, line: Took, isRecorded: boolean) {
    const match = this.#open.get(id);
    if (match) match.answers += 1;
    if (isRecorded) return;
    this.#live += 1;
    this.#noteRecent(line);
    this.#spend(countSpent(line));
  }

  /** Adds the recorded answers of an unfinished match. */
  recorded(lines: readonly Took[], id: string) {
    const found = lines.map(countSpent).reduce(addFigures, nothingSpent);
    this.#found.set(id, found);
    this.#spend(found);
  }

  /** Notes that the match has stopped, or cannot begin yet, and will be started again. */
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

  /** Returns the milliseconds since the tally was opened. */
  elapsed(): number {
    return this.#now() - this.#opened;
  }

  /** Returns the number of calls until all matches are over; null if unknown. */
  callsLeft(): number | null {
    const calls = this.#callsOfMatch();
    if (calls === null) return null;
    const untouched = this.matches - this.finished - this.failed - this.underWay;
    return untouched * calls + sum([...this.#open.values()].map(({ answers }) => Math.max(0, calls - answers)));
  }

  /** Returns the milliseconds until all matches are over at the current pace; null if unknown. */
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
    if (isPlayed) return; // its answers were counted one by one
    const { calls, tokens, cost, calls_with_unknown_cost } = total;
    const all = { calls, tokens: addFigures(tokens.in, tokens.out), cost, calls_with_unknown_cost };
    this.#spend(subtract(all, this.#found.get(id) ?? nothingSpent)); // another command may have resumed it
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

/** Adds figures of the same shape, each to its counterpart. Unknown values add nothing. */
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

/** Milliseconds between updates of the line. Faster updates could not be seen. */
const every = 100;

/**
 * Whether story and progress share a terminal. If they do not, no progress line is shown, because it would overwrite
 * other output.
 */
export const hasTerminal = ({ stdout, stderr, env }: CommandIO) =>
  canPaint(stdout, env) && canPaint(stderr, env) && !('CI' in env);

/** Opens one line on the terminal, hidden while `text` is null. Other lines appear above it. */
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
  process.once('exit', stop); // restores the terminal's cursor
  return { stop };
}

/** Prints a line every ten seconds, whether or not a match has ended. Does not keep the process alive. */
export function openProgressReport(
  getLine: () => string | null,
  tell: (line: string) => void,
  { repeat }: Pick<Clock, 'repeat'>,
): Progress {
  const stop = repeat(tellEvery, () => {
    const line = getLine();
    if (line !== null) tell(line);
  });
  return { stop };
}

/**
 * Counts calls. A terminal shows the counts in one line. Elsewhere `tell`, if given, receives a line every ten seconds
 * while calls are running; the line names servers that slow them down. `formatTold`: formats that line.
 */
export function countCalls(
  isShown: boolean,
  tell?: (line: string) => void,
  formatTold: typeof formatCalls = formatCalls,
) {
  const count = { underWay: 0, answered: 0, cost: 0 };
  const { clock } = getMachine();
  const line = isShown
    ? openProgressLine(() => formatCalls(count))
    : tell
      ? openProgressReport(() => formatTold(count), tell, clock)
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

/** Formats counts of calls, e.g. "3 calls under way, 20 answered, USD 0.0012 spent". Null if no call is running. */
function formatCalls({ underWay, answered, cost }: { underWay: number; answered: number; cost: number }) {
  if (underWay === 0) return null;
  const spent = cost > 0 ? `, USD ${cost.toFixed(4)} spent` : '';
  const limits = formatLimits(getCallLimiters(getMachine().clock).list());
  return `${pluralize(underWay, 'call')} under way, ${answered} answered${spent}${limits === null ? '' : `; ${limits}`}`;
}

/**
 * Formats the counts of calls while a server slows calls down. Returns null otherwise, because the printed events then
 * show the progress.
 */
export const formatHeldCalls: typeof formatCalls = (count) =>
  formatLimits(getCallLimiters(getMachine().clock).list()) === null ? null : formatCalls(count);

/**
 * Formats the servers that slow calls down, e.g. "openai: 12 under way, 300 a minute" or "openai: asks to wait 40 s".
 * Null if no server does.
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

/** Returns the number of columns beside the spinner. A line that wraps cannot be updated in place. */
export const computeSpareWidth = () => (process.stderr.columns || 80) - 3;

/**
 * Formats the progress, e.g. "12 of 100 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls (32 now); 5.6M
 * tokens". If that is too wide: "12/100 done, 8 playing, 0 failed; 12 min left; $0.34; 2.3k calls, 5.6M tok". The
 * servers that slow calls down follow.
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
 * Formats the end of a match, e.g. "classic-8-1-1a2b3c4d, gpt as Werewolves against o3: won by the village in 3 rounds;
 * 199 calls, USD 0.12 | 1 of 20 done, 8 under way, 0 failed; 12 min left; USD 0.34; 2,345 calls; 5.6M tokens". `place`:
 * the match's place in its design, which says who plays whom.
 */
export function formatEnd(end: MatchEnd, tally: RunCounts, place: PlayedPlace = {}): string {
  const totals = join(formatMatches(tally), formatTimeLeft(tally), ...formatSpent(tally.spent));
  const who = `${end.id}${formatSides(place)}`;
  if ('error' in end) return `${who}: stopped. ${describeError(end.error)} | ${totals}`;
  const { winner, rounds, model_calls } = end.summary;
  const { calls, cost } = model_calls.total;
  const how = winner === null ? 'nobody won' : `won by ${teams[winner].label}`;
  const took = [pluralize(calls, 'call'), ...(cost === null ? [] : [formatMoney(model_calls.total)])];
  return `${who}: ${how} in ${pluralize(rounds, 'round')}; ${took.join(', ')} | ${totals}`;
}

/** Who plays a match of a design or a tournament. */
type PlayedPlace = Pick<MatchPlace, 'werewolves' | 'villagers' | 'sides'>;

/** Formats ", X as Werewolves against Y"; empty where the design does not name one model for each side. */
function formatSides({ sides, werewolves = sides?.werewolves, villagers = sides?.villagers }: PlayedPlace): string {
  if (werewolves === undefined || villagers === undefined) return '';
  const [x, y] = [werewolves, villagers].map((model) => sanitizeText(getModelLabel(model)));
  return `, ${x} as Werewolves against ${y}`;
}

const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join('; ');

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const abbreviate = (count: number) => compact.format(count).replace('K', 'k');

const formatMatches = ({ finished, matches, underWay, failed, isDetailed }: RunCounts) =>
  `${finished} of ${matches} done, ${underWay} under way, ${isDetailed ? `${matches - finished - underWay - failed} waiting, ` : ''}${failed} failed`;

/**
 * Formats the pace of each provider, e.g. "openai 120 calls and 80k tokens a minute". Returns nothing in the first
 * minute, when the figures would be too low.
 */
const formatPaces = (tally: RunCounts) =>
  tally.isDetailed && tally.elapsed() >= paceWindow
    ? [...tally.measurePace()].map(
        ([provider, { calls, tokens }]) =>
          `${provider} ${formatWhole(calls)} calls and ${abbreviate(tokens)} tokens a minute`,
      )
    : [];

/** Lists the known parts of the calls, tokens and cost. */
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

/**
 * Computes the minimum time in milliseconds for which servers still delay these calls: the wait that they ask for and,
 * if there is only one server, the time that the calls need at its rate.
 */
function computeLeastTime(calls: number, limiters: CallLimiters): number {
  const holding = limiters.list().filter(({ waiting }) => waiting > 0);
  const held = Math.max(0, ...holding.map(({ heldMs }) => heldMs));
  const [only, ...others] = holding;
  const pace = others.length === 0 ? (only?.perMinute ?? null) : null;
  return held + (pace === null ? 0 : (calls / pace) * 60_000);
}
