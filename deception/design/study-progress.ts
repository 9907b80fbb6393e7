// How far a study is: its matches, as their records are now, counted against what was planned. The page, `--status` and the
// list of studies all show what this makes.
import { sum } from '../statistics/sums.ts';
import type { PlannedPairing, StudyPlan } from './study-plan.ts';

/** What the questions to one model took in one match. */
export interface ModelUse {
  model: string;
  calls: number;
  /** Questions put, whatever came of them. */
  questions: number;
  refused: number;
  /** Answers that could not be read and were asked for again. */
  askedAgain: number;
  /** Questions whose answer stayed unreadable and was replaced by a random legal choice. */
  fallbacks: number;
  tokensIn: number;
  tokensOut: number;
  cached: number;
  /** USD, as far as known. */
  cost: number;
  callsOfUnknownCost: number;
}

/** `stopped`: begun, not over, and nothing plays it. `failed`: the same, and its log says which error stopped it. */
export type MatchState = 'finished' | 'under way' | 'failed' | 'stopped' | 'unreadable';

/** A match of a study, as its record is now. */
export interface StudyMatch {
  /** From the folder of the study, with slashes. */
  path: string;
  id: string;
  seed: number | null;
  board: string;
  rules: string;
  villagers: string;
  werewolves: string;
  models: readonly string[];
  state: MatchState;
  /** Where in the game it is, e.g. `day 2, statement 5`; empty where it is over, or nothing has happened. */
  now: string;
  /** Why it stopped or cannot be read; null where it did not. */
  error: string | null;
  /** Milliseconds since 1970. */
  begunAt: number;
  /** When its record last changed, in milliseconds since 1970. */
  changedAt: number;
  uses: readonly ModelUse[];
}

/** What limits the calls to a server, as a command that plays the study last told. */
export interface StudyServer {
  server: string;
  underWay: number;
  waiting: number;
  /** Calls a minute, where a pace holds calls back; null where none does. */
  perMinute: number | null;
  /** Milliseconds for which no call begins because the server asked for that. */
  heldMs: number;
}

type Counts = Record<'planned' | 'finished' | 'underWay' | 'failed' | 'stopped', number>;

/** How far the matches of one pairing are. */
export interface PairingProgress extends Counts {
  folder: string;
  board: string;
  werewolves: string;
  villagers: string;
  name: string | null;
}

/** A match under way, or one that failed. */
export type ListedProgress = Pick<StudyMatch, 'path' | 'id' | 'seed' | 'werewolves' | 'villagers' | 'now' | 'error'> & {
  /** Seconds since it was begun. */
  seconds: number;
};

export interface StudyUse extends Omit<ModelUse, 'model'> {
  /** USD; null where nothing is known. */
  knownCost: number | null;
}

export interface StudyProgress {
  /** `complete`: nothing is left to play. `running`: some command plays it now. */
  state: 'complete' | 'running' | 'stopped';
  /** All planned matches; null where no plan says how many. */
  planned: number | null;
  finished: number;
  underWay: number;
  failed: number;
  /** Interrupted, to be resumed. */
  stopped: number;
  /** Planned and not begun; null without a plan. */
  toCome: number | null;
  /** Matches that lie there and are not of the plan: of other rules, models or deals. */
  others: number;
  pairings: readonly PairingProgress[];
  spent: StudyUse;
  /** What all of it takes, by what finished matches took, else by the estimate before the first; null where neither says. */
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

/** What a study is looked at with. */
export interface StudyLook {
  plan: StudyPlan | null;
  /** Where no plan says which: how many matches there are to be. */
  planned?: number | null;
  servers: readonly StudyServer[];
  /** Whether some command that plays it gave a sign of life just now. */
  isPlayed: boolean;
  /** When a command last began to play it; the pace of before says nothing of it. */
  playedSince: number;
  /** Now; both in milliseconds since 1970. */
  now: number;
}

/** The pace is that of so many milliseconds. */
const paceWindow = 10 * 60_000;

/** Failed matches and matches under way that are listed. */
const mostListed = 1000;

/**
 * Counts the matches of a study against its plan. Matches that are not of the plan are counted as `others` and nowhere else.
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
  /** Null: of none that is planned. */
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

/** A record that nobody can read says neither its deal nor its rules: it counts where it lies. */
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

/** What is left to play takes. */
interface Left {
  calls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  cost: number | null;
}

/**
 * By the finished matches of each pairing, of all where it has none; by the estimate of the plan where none is over. Null where
 * nothing says. What matches under way have taken is no longer left.
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
 * Calls and matches a second over the last minutes, or since a command last began to play. The calls of a match count as evenly
 * spread over its time, so that no record of a finished one has to be read for it.
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
