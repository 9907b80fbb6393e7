// Progress of a study: its current records counted against its plan. The study page, `--status` and the list of studies
// show this progress.
import { sum } from '../statistics/sums.ts';
import type { PlannedPairing, StudyPlan } from './study-plan.ts';

/** Calls to one model in one match, with their tokens and cost. */
export interface ModelUse {
  model: string;
  calls: number;
  /** Number of questions, with or without an answer. */
  questions: number;
  refused: number;
  /** Number of unreadable answers after which the question was asked again. */
  askedAgain: number;
  /** Number of questions whose answer remained unreadable and was replaced by a random legal choice. */
  fallbacks: number;
  tokensIn: number;
  tokensOut: number;
  cached: number;
  /** Known cost in USD. */
  cost: number;
  callsOfUnknownCost: number;
}

/**
 * State of a match. `stopped`: the match has begun and is not over, but no command is playing it. `failed`: like
 * `stopped`, and the match's log has an error.
 */
export type MatchState = 'finished' | 'under way' | 'failed' | 'stopped' | 'unreadable';

/** A match of a study, from its current record. */
export interface StudyMatch {
  /** Path from the study's folder, with slashes. */
  path: string;
  id: string;
  seed: number | null;
  board: string;
  rules: string;
  villagers: string;
  werewolves: string;
  models: readonly string[];
  state: MatchState;
  /** Current place in the game, e.g. `day 2, statement 5`. Empty if the match is over or nothing has happened. */
  now: string;
  /** Reason why the match stopped or cannot be read. Null if it did neither. */
  error: string | null;
  /** Start of the match, in milliseconds since 1970. */
  begunAt: number;
  /** Last change of the match's record, in milliseconds since 1970. */
  changedAt: number;
  uses: readonly ModelUse[];
}

/** Limits on the calls to a server, as last reported by a command that plays the study. */
export interface StudyServer {
  server: string;
  underWay: number;
  waiting: number;
  /** Maximum number of calls per minute while a limit delays calls; null if no limit does. */
  perMinute: number | null;
  /** Milliseconds until the next call may begin, because the server asked clients to wait. */
  heldMs: number;
}

type Counts = Record<'planned' | 'finished' | 'underWay' | 'failed' | 'stopped', number>;

/** Progress of the matches of one pairing. */
export interface PairingProgress extends Counts {
  folder: string;
  board: string;
  werewolves: string;
  villagers: string;
  name: string | null;
}

/** A match that is under way or has failed. */
export type ListedProgress = Pick<StudyMatch, 'path' | 'id' | 'seed' | 'werewolves' | 'villagers' | 'now' | 'error'> & {
  /** Seconds since the match began. */
  seconds: number;
};

export interface StudyUse extends Omit<ModelUse, 'model'> {
  /** Cost in USD; null if unknown. */
  knownCost: number | null;
}

export interface StudyProgress {
  /** State of the study. `complete`: no match is left to play. `running`: a command is playing the study now. */
  state: 'complete' | 'running' | 'stopped';
  /** Number of planned matches; null if no plan states it. */
  planned: number | null;
  finished: number;
  underWay: number;
  failed: number;
  /** Number of interrupted matches, which can be resumed. */
  stopped: number;
  /** Number of planned matches that have not begun; null without a plan. */
  toCome: number | null;
  /** Number of matches in the folder outside the plan: with other rules, models or deals. */
  others: number;
  pairings: readonly PairingProgress[];
  spent: StudyUse;
  /**
   * Expected calls, tokens and cost of the whole study. They are estimated from finished matches or, before any match
   * has finished, from the plan. Null if neither gives an estimate.
   */
  expected: { calls: number; tokensIn: number | null; tokensOut: number | null; cost: number | null } | null;
  maxCost: number | null;
  concurrency: number | null;
  judge: string | null;
  begunAt: string | null;
  runs: number | null;
  secondsLeft: number | null;
  matchesPerHour: number | null;
  models: readonly ModelUse[];
  servers: readonly StudyServer[];
  running: readonly ListedProgress[];
  failures: readonly ListedProgress[];
}

/** Everything that a progress report is computed from. */
export interface StudyLook {
  plan: StudyPlan | null;
  /** Total number of matches, for a study without a plan that lists them. */
  planned?: number | null;
  servers: readonly StudyServer[];
  /** Whether a command that plays the study has recently reported activity. */
  isPlayed: boolean;
  /** Time when a command last began to play the study. The pace before that time is ignored. */
  playedSince: number;
  /** Current time. This time and `playedSince` are in milliseconds since 1970. */
  now: number;
}

/** Time over which the pace is measured, in milliseconds. */
const paceWindow = 10 * 60_000;

/** Maximum number of failed matches, and of matches under way, that are listed. */
const mostListed = 1000;

/**
 * Counts the matches of a study against its plan. Matches outside the plan count only in `others`.
 *
 * @example measureStudy(matches, { plan, servers: [], isPlayed: true, playedSince: 0, now: 1_764_158_400_000 }).finished // 162
 */
export function measureStudy(matches: readonly StudyMatch[], look: StudyLook): StudyProgress {
  const { plan, servers, now } = look;
  const placed = placeMatches(matches, plan);
  const own = placed.flatMap(({ match, pairing }) => (pairing === null && plan !== null ? [] : [match]));
  const count = (state: MatchState, some = own) => some.filter((match) => match.state === state).length;
  const pairings = listPairings(placed, plan);
  const planned = plan ? sum(plan.pairings.map((pairing) => pairing.matches)) : (look.planned ?? null);
  const [finished, underWay] = [count('finished'), count('under way')];
  const failed = count('failed') + count('unreadable');
  const stopped = count('stopped');
  const spent = addUses(own.flatMap(({ uses }) => uses));
  const left = planned === null ? null : estimateLeft(placed, plan, planned);
  const pace = measurePace(own, look);
  const isRunning = look.isPlayed || underWay > 0;
  const isComplete = planned === null ? underWay + failed + stopped === 0 : finished >= planned;
  return {
    state: isComplete ? 'complete' : isRunning ? 'running' : 'stopped', // prettier-ignore
    ...{ planned, finished, underWay, failed, stopped },
    toCome: planned === null ? null : Math.max(0, planned - finished - underWay - failed - stopped),
    others: placed.length - own.length,
    ...{ pairings, spent, expected: left && addExpected(spent, left) },
    ...{ maxCost: plan?.max_cost ?? null, concurrency: plan?.concurrency ?? null, judge: plan?.judge ?? null },
    ...{ begunAt: plan?.begun_at ?? null, runs: plan?.runs ?? null },
    secondsLeft: isComplete || !isRunning || left === null || pace.calls === 0 ? null : left.calls / pace.calls,
    matchesPerHour: pace.matches === 0 ? null : pace.matches * 3600,
    models: groupUses(own.flatMap(({ uses }) => uses)),
    servers: isRunning ? servers : [],
    running: listProgress(own, ['under way'], now),
    failures: listProgress(own, ['failed', 'unreadable'], now),
  };
}

interface PlacedMatch {
  match: StudyMatch;
  /** Pairing of the match; null for a match outside the plan. */
  pairing: PlannedPairing | null;
}

function placeMatches(matches: readonly StudyMatch[], plan: StudyPlan | null): PlacedMatch[] {
  if (plan === null) return matches.map((match) => ({ match, pairing: null }));
  const byFolder = Map.groupBy(plan.pairings, ({ folder }) => folder);
  return matches.map((match) => {
    const found = byFolder.get(getParent(match.path)) ?? [];
    return { match, pairing: found.find((pairing) => isOfPairing(match, pairing)) ?? null };
  });
}

const getParent = (path: string) => path.split('/').slice(0, -1).join('/');

/**
 * Whether a match belongs to a pairing. An unreadable record states neither deal nor rules, so it counts for the
 * pairing of its folder.
 */
const isOfPairing = ({ seed, board, rules, models, state }: StudyMatch, pairing: PlannedPairing): boolean =>
  state === 'unreadable' ||
  (seed !== null &&
    pairing.board === board &&
    pairing.seeds.some(([first, last]) => first <= seed && seed <= last) &&
    (pairing.rules === null || pairing.rules === rules) &&
    (pairing.models === null || pairing.models.join('\n') === [...models].sort().join('\n')));

function listPairings(placed: readonly PlacedMatch[], plan: StudyPlan | null): PairingProgress[] {
  const countIn = (some: readonly PlacedMatch[], planned: number): Counts => {
    const count = (...states: MatchState[]) => some.filter(({ match }) => states.includes(match.state)).length;
    return {
      ...{ planned, finished: count('finished'), underWay: count('under way') },
      ...{ failed: count('failed', 'unreadable'), stopped: count('stopped') },
    };
  };
  if (plan !== null) {
    const byPairing = Map.groupBy(placed, ({ pairing }) => pairing);
    return plan.pairings.map((pairing) => {
      const own = byPairing.get(pairing) ?? [];
      const seated = own[0]?.match;
      const werewolves = pairing.werewolves ?? seated?.werewolves ?? '';
      const villagers = pairing.villagers ?? seated?.villagers ?? '';
      const { folder, board, name } = pairing;
      return { folder, board, name, werewolves, villagers, ...countIn(own, pairing.matches) };
    });
  }
  const byFolder = Map.groupBy(placed, ({ match }) =>
    JSON.stringify([getParent(match.path), match.board, match.werewolves, match.villagers]),
  );
  return [...byFolder.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { path, board, werewolves, villagers } = first.match;
    return [{ folder: getParent(path), board, werewolves, villagers, name: null, ...countIn(own, own.length) }];
  });
}

const noUse: Omit<ModelUse, 'model'> = {
  ...{ calls: 0, questions: 0, refused: 0, askedAgain: 0, fallbacks: 0, tokensIn: 0, tokensOut: 0, cached: 0 },
  ...{ cost: 0, callsOfUnknownCost: 0 },
};

function addUses(uses: readonly Omit<ModelUse, 'model'>[]): StudyUse {
  const total = { ...noUse };
  const names = Object.keys(noUse) as (keyof typeof noUse)[];
  for (const use of uses) for (const name of names) total[name] += use[name];
  return { ...total, knownCost: total.calls > total.callsOfUnknownCost ? total.cost : null };
}

const groupUses = (uses: readonly ModelUse[]): ModelUse[] =>
  [...Map.groupBy(uses, ({ model }) => model)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([model, own]) => {
      const { knownCost, ...total } = addUses(own);
      void knownCost;
      return { model, ...total };
    });

/** Calls, tokens and cost that the matches left to play are expected to need. */
interface Left {
  calls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  cost: number | null;
}

/**
 * Estimates the calls, tokens and cost of the matches that are left to play. The estimate comes from the finished
 * matches of each pairing, else from the finished matches of all pairings, else from the plan's estimate. Null if none
 * of these is available. Calls, tokens and cost that matches under way have already used are subtracted.
 */
function estimateLeft(placed: readonly PlacedMatch[], plan: StudyPlan | null, planned: number): Left | null {
  const own = placed.filter(({ pairing }) => plan === null || pairing !== null);
  const over = own.filter(({ match }) => match.state === 'finished');
  const whole = takeMean(over) ?? takePlanned(plan);
  if (whole === null) return null;
  const begun = own.filter(({ match }) => match.state !== 'finished');
  const byPairing = Map.groupBy(own, ({ pairing }) => pairing);
  const groups: readonly (readonly [readonly PlacedMatch[], number])[] = plan
    ? plan.pairings.map((pairing) => [byPairing.get(pairing) ?? [], pairing.matches] as const)
    : [[own, planned]];
  const left = groups.map(([some, matches]) => {
    const done = some.filter(({ match }) => match.state === 'finished');
    return { count: Math.max(0, matches - done.length), mean: takeMean(done) ?? whole };
  });
  const taken = addUses(begun.flatMap(({ match }) => match.uses));
  const subtract = (name: keyof Left, part: number) => {
    const parts = left.map(({ count, mean }) => (mean[name] === null ? null : count * mean[name]));
    const known = parts.flatMap((one) => one ?? []);
    return known.length < parts.length ? null : Math.max(0, sum(known) - part);
  };
  return {
    calls: subtract('calls', taken.calls) ?? 0,
    tokensIn: subtract('tokensIn', taken.tokensIn),
    tokensOut: subtract('tokensOut', taken.tokensOut),
    cost: subtract('cost', taken.cost),
  };
}

function takeMean(over: readonly PlacedMatch[]): Left | null {
  if (over.length === 0) return null;
  const { calls, tokensIn, tokensOut, knownCost } = addUses(over.flatMap(({ match }) => match.uses));
  const share = (value: number) => value / over.length;
  return {
    ...{ calls: share(calls), tokensIn: share(tokensIn), tokensOut: share(tokensOut) },
    cost: knownCost === null ? null : share(knownCost),
  };
}

const takePlanned = (plan: StudyPlan | null): Left | null =>
  plan?.expected ? { calls: plan.expected.calls, tokensIn: null, tokensOut: null, cost: plan.expected.cost } : null;

const addExpected = ({ calls, tokensIn, tokensOut, knownCost }: StudyUse, left: Left): StudyProgress['expected'] => ({
  calls: calls + left.calls,
  tokensIn: left.tokensIn === null ? null : tokensIn + left.tokensIn,
  tokensOut: left.tokensOut === null ? null : tokensOut + left.tokensOut,
  cost: left.cost === null ? null : (knownCost ?? 0) + left.cost,
});

/**
 * Measures calls and matches per second over the last minutes, or since a command last began to play. A match's calls
 * are spread evenly over its duration, so that finished records need not be read.
 */
function measurePace(matches: readonly StudyMatch[], { playedSince, now }: Pick<StudyLook, 'playedSince' | 'now'>) {
  const since = Math.max(now - paceWindow, playedSince);
  const recent = matches.filter(
    ({ changedAt, begunAt, state }) => changedAt > since && begunAt < now && state !== 'unreadable',
  );
  const from = Math.max(since, Math.min(...recent.map(({ begunAt }) => begunAt)));
  const seconds = (now - from) / 1000;
  if (recent.length === 0 || !(seconds > 1)) return { calls: 0, matches: 0 };
  const calls = sum(
    recent.map(({ begunAt, changedAt, uses }) => {
      const within = changedAt - Math.max(since, begunAt);
      const share = changedAt > begunAt ? Math.min(1, within / (changedAt - begunAt)) : 1;
      return share * sum(uses.map((use) => use.calls));
    }),
  );
  const over = recent.filter(({ state }) => state === 'finished').length;
  return { calls: calls / seconds, matches: over / seconds };
}

const listProgress = (matches: readonly StudyMatch[], states: readonly MatchState[], now: number): ListedProgress[] =>
  matches
    .filter(({ state }) => states.includes(state))
    .slice(0, mostListed)
    .map(({ path, id, seed, werewolves, villagers, now: where, error, begunAt }) => ({
      ...{ path, id, seed, werewolves, villagers, now: where, error },
      seconds: Math.max(0, Math.round((now - begunAt) / 1000)),
    }));
