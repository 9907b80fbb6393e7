// Effects of statements: the outcome with the statement as it was said (arm `keep`), minus the outcome in another arm.
import type { ForkArm } from '../../state/fork.ts';
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { computeShareBounds } from '../statistics/proportion.ts';
import { computeDealSpread, computeHalfWidth } from '../statistics/sample-size.ts';
import { computeRatio, createRatio, mean, sum, type Sums } from '../statistics/sums.ts';
import type { ForkedStatement, MeasuredFork } from './forked-statement.ts';
import type { ListenerOutcome } from './fork-outcome.ts';
import { outcomeMeasures, type OutcomeName, outcomeNames } from './outcome-measures.ts';

/**
 * Number of the first fresh copy. Fresh copies are new replays of statements that were chosen because of the size of
 * their effect. Averages leave fresh copies out.
 */
export const firstFreshCopy = 101;

/** The statements and listeners that an effect is about. An absent field means all values. */
export interface EffectCell {
  role?: string;
  claim?: string;
  round?: number;
  speaker_model?: string;
  listener_model?: string;
}

/** Mean difference over statements, with an interval clustered by deal. */
export interface EffectEstimate {
  effect: number | null;
  low: number | null;
  high: number | null;
  /** Standard error over deals; null without an interval. */
  se: number | null;
  /** Reason why there is no interval; null if there is one. */
  reason: string | null;
  statements: number;
  deals: number;
}

export interface Effect extends EffectEstimate {
  outcome: OutcomeName;
  /**
   * Listeners whose answers and ballots count. `unknowing`: only listeners who could know neither the speaker's side
   * nor whether the statement is a lie.
   */
  listeners: 'all' | 'unknowing';
  /** Arm that is subtracted from `keep`. */
  arm: string;
  of: EffectCell;
  /** Means of `keep` and of the other arm, over the same statements. */
  keep: number | null;
  other: number | null;
  /**
   * Whether the effect covers only statements whose speaker complied. Such statements are a selection, not all
   * statements.
   */
  isSelected: boolean;
}

/**
 * How often an arm changes the result of the vote: the share of statements after which the vote has another result in
 * the arm than in `keep`, minus the share after which two replays of `keep` have different results.
 */
export interface MovedVotes extends EffectEstimate {
  arm: string;
  /**
   * `differs`: share of statements after which the arm exiles another player than `keep` does. `floor`: share of
   * statements after which two replays of `keep` exile different players.
   */
  differs: number | null;
  floor: number | null;
}

/** Statements that players made when they were asked again. */
export interface Compliance {
  arm: string;
  statements: number;
  /** Number of readable statements, and number of readable statements without a lie. */
  read: number;
  withoutLie: number;
}

export interface EffectsReport {
  effects: readonly Effect[];
  moved: readonly MovedVotes[];
  compliance: readonly Compliance[];
  ranked: readonly RankedStatement[];
}

/**
 * A statement that was chosen because of the size of its effect. The effect in this record comes from fresh replays
 * only.
 */
export interface RankedStatement {
  match: string;
  statement: string;
  arm: string;
  outcome: OutcomeName;
  replays: number;
  effect: number;
  /** Standard error over the replays. */
  se: number | null;
}

/** Arms in which the speaker is asked again. */
const askedAgain: readonly ForkArm[] = ['honest', 'resample'];

/** Lists the arms except `keep`, in order of appearance. */
const listArms = (statements: readonly ForkedStatement[]): { arm: string; kind: ForkArm }[] => {
  const kinds = new Map(statements.flatMap(({ forks }) => forks.map(({ arm, kind }) => [arm, kind] as const)));
  return [...kinds].filter(([, kind]) => kind !== 'keep').map(([arm, kind]) => ({ arm, kind }));
};

const findFork = ({ forks }: ForkedStatement, arm: string, copy: number): MeasuredFork | undefined =>
  forks.find((fork) => fork.arm === arm && fork.copy === copy);

/**
 * Estimates all effects of these statements, by outcome, arm and cell. An effect is `keep` − arm for the same statement
 * and random numbers, averaged over statements. Intervals are clustered by deal.
 *
 * @example estimateEffects(statements).effects[0]
 */
export function estimateEffects(statements: readonly ForkedStatement[]): EffectsReport {
  const arms = listArms(statements);
  const cells = listCells(statements);
  const effects = arms.flatMap((arm) =>
    outcomeNames.flatMap((outcome) => estimateOutcome(statements, { arm, outcome, cells })),
  );
  return {
    effects,
    moved: arms.map(({ arm }) => estimateMoved(statements, arm)),
    compliance: arms.filter(({ kind }) => askedAgain.includes(kind)).map(({ arm }) => countCompliance(statements, arm)),
    ranked: rankStatements(statements),
  };
}

interface OutcomePlan {
  arm: { arm: string; kind: ForkArm };
  outcome: OutcomeName;
  cells: readonly EffectCell[];
}

function estimateOutcome(
  statements: readonly ForkedStatement[],
  { arm: { arm, kind }, outcome, cells }: OutcomePlan,
): Effect[] {
  const { isOfListeners, needsStatement = false } = outcomeMeasures[outcome];
  if (needsStatement && kind === 'silence') return [];
  const estimate = ({ of, listeners, isSelected }: Pick<Effect, 'of' | 'listeners' | 'isSelected'>): Effect[] => {
    const pairs = statements.flatMap((one) => {
      const fork = findFork(one, arm, 1);
      if (!isInCell(one, of) || (isSelected && fork?.hasLied !== false)) return [];
      return readPair(one, fork, { outcome, of, listeners }) ?? [];
    });
    if (pairs.length === 0) return [];
    const found = estimateMean(pairs);
    const [keep, other] = [mean(pairs.map((pair) => pair.keep)), mean(pairs.map((pair) => pair.other))];
    return [{ outcome, listeners, arm, of, keep, other, isSelected, ...found }];
  };
  const isOfOpinion = isOfListeners && !outcome.startsWith('votes');
  const all = { listeners: 'all', isSelected: false } as const;
  return [
    ...cells.filter((of) => of.listener_model === undefined || isOfListeners).flatMap((of) => estimate({ of, ...all })),
    ...(isOfOpinion ? estimate({ of: {}, listeners: 'unknowing', isSelected: false }) : []),
    ...(askedAgain.includes(kind) ? estimate({ of: {}, listeners: 'all', isSelected: true }) : []),
  ];
}

interface Pair {
  deal: string;
  keep: number;
  other: number;
}

/** Reads a statement's outcome under `keep` and in an arm; null if either is unknown. */
function readPair(
  one: ForkedStatement,
  fork: MeasuredFork | undefined,
  { outcome, of, listeners }: Pick<Effect, 'outcome' | 'of' | 'listeners'>,
): Pair | null {
  const kept = findFork(one, 'keep', 1);
  if (kept === undefined || fork === undefined) return null;
  const isCounted = ({ name, model }: ListenerOutcome) =>
    (of.listener_model === undefined || model === of.listener_model) &&
    (listeners === 'all' || (one.unknowing ?? []).includes(name));
  const read = (own: MeasuredFork) => outcomeMeasures[outcome].read(own, one, own.outcome.listeners.filter(isCounted));
  const [keep, other] = [read(kept), read(fork)];
  return keep === null || other === null ? null : { deal: one.deal, keep, other };
}

const isInCell = (one: ForkedStatement, { role, claim, round, speaker_model: model }: EffectCell): boolean =>
  (role === undefined || one.role === role) &&
  (claim === undefined || one.claims.includes(claim)) &&
  (round === undefined || one.round === round) &&
  (model === undefined || one.model === model);

/**
 * Lists the cells: the whole; then each role, type of claim, round, and model of speaker or listener; then, with
 * several models, each pair of speaker's and listener's model.
 */
function listCells(statements: readonly ForkedStatement[]): EffectCell[] {
  const listSorted = <Value extends string | number>(values: readonly Value[]) =>
    [...new Set(values)].sort((one, other) => (one < other ? -1 : 1));
  const roles = listSorted(statements.map(({ role }) => role));
  const claims = listSorted(statements.flatMap((one) => [...one.claims]));
  const rounds = listSorted(statements.map(({ round }) => round));
  const speakers = listSorted(statements.map(({ model }) => model));
  const listeners = listSorted(
    statements.flatMap(({ forks }) => forks.flatMap(({ outcome }) => outcome.listeners.map(({ model }) => model))),
  );
  const several = <Cell>(cells: readonly Cell[]) => (cells.length > 1 ? cells : []);
  const pairs = speakers.flatMap((speaker_model) =>
    listeners.map((listener_model) => ({ speaker_model, listener_model })),
  );
  return [
    {},
    ...several(roles.map((role) => ({ role }))),
    ...several(claims.map((claim) => ({ claim }))),
    ...several(rounds.map((round) => ({ round }))),
    ...several(speakers.map((speaker_model) => ({ speaker_model }))),
    ...several(listeners.map((listener_model) => ({ listener_model }))),
    ...(speakers.length > 1 && listeners.length > 1 ? pairs : []),
  ];
}

const meanDifference = createRatio('difference', 'statements');

/**
 * Estimates the mean of `keep` − `other` over pairs, clustered by deal: Student's t with the linearized standard error
 * of a ratio of sums over deals.
 */
function estimateMean(pairs: readonly Pair[]): EffectEstimate {
  const clusters = [...Map.groupBy(pairs, ({ deal }) => deal).values()].map((own): readonly [Sums] => {
    const difference = own.reduce((total, { keep, other }) => total + keep - other, 0);
    return [{ difference, statements: own.length }];
  });
  const deals = clusters.length;
  const counts = { statements: pairs.length, deals };
  const effect = pairs.reduce((total, { keep, other }) => total + keep - other, 0) / pairs.length;
  if (deals < MIN_CLUSTERS) return { effect, low: null, high: null, se: null, reason: 'too few', ...counts };
  const found = computeDealSpread(clusters, meanDifference, [1]);
  if (found === null || found.spread < leastSpread) return { ...boundConstant(effect, deals), ...counts };
  const half = computeHalfWidth(found.spread, deals);
  const [low, high] = [Math.max(-1, effect - half), Math.min(1, effect + half)];
  return { effect, low, high, se: found.spread / Math.sqrt(deals), reason: null, ...counts };
}

/** Spreads below this value are rounding errors. */
const leastSpread = 1e-9;

/**
 * Bounds an effect that is the same in all deals; its standard error of 0 would promise certainty. The share of deals
 * that could differ is bounded (Clopper & Pearson), and these deals may have any effect from −1 to 1.
 */
function boundConstant(effect: number, deals: number): Omit<EffectEstimate, 'statements' | 'deals'> {
  const [, most] = computeShareBounds(0, deals, 0.95);
  const same = (1 - most) * effect;
  return { effect, low: same - most, high: same + most, se: 0, reason: null };
}

/**
 * Estimates the share of moved votes. Any two continuations by a model may differ, so the effect is how much more often
 * an arm differs from `keep` than a second replay of `keep` does. The arm and the first replay are both compared with
 * the second replay, which shares random numbers with neither.
 */
function estimateMoved(statements: readonly ForkedStatement[], arm: string): MovedVotes {
  const pairs = statements.flatMap((one): Pair[] => {
    const [keep, again, fork] = [findFork(one, 'keep', 1), findFork(one, 'keep', 2), findFork(one, arm, 1)];
    if (keep === undefined || again === undefined || fork === undefined) return [];
    const isOther = (own: MeasuredFork) => Number(own.outcome.exiled !== again.outcome.exiled);
    return [{ deal: one.deal, keep: isOther(fork), other: isOther(keep) }];
  });
  return {
    arm,
    differs: mean(pairs.map(({ keep }) => keep)),
    floor: mean(pairs.map(({ other }) => other)),
    ...(pairs.length === 0
      ? { effect: null, low: null, high: null, se: null, reason: 'no data', statements: 0, deals: 0 }
      : estimateMean(pairs)),
  };
}

function countCompliance(statements: readonly ForkedStatement[], arm: string): Compliance {
  const forks = statements.flatMap((one) => findFork(one, arm, 1) ?? []);
  const read = forks.filter(({ hasLied }) => hasLied !== null);
  return {
    arm,
    statements: forks.length,
    read: read.length,
    withoutLie: read.filter(({ hasLied }) => hasLied === false).length,
  };
}

// Effects of single statements.

/**
 * Chooses the statements with the largest effects, largest first. An effect is measured in single replays against the
 * first other arm. Fresh replays must confirm it, because the estimated size is mostly noise.
 *
 * @example chooseForRanking(statements, 10).map(({ statement }) => statement)
 */
export function chooseForRanking(statements: readonly ForkedStatement[], most: number): ForkedStatement[] {
  const [first] = listArms(statements);
  const rated = statements.flatMap((one) => {
    const pair = first && readPair(one, findFork(one, first.arm, 1), createWhole(chooseRankedOutcome(one)));
    return pair ? [{ one, size: Math.abs(pair.keep - pair.other) }] : [];
  });
  return rated
    .sort((a, b) => b.size - a.size || (nameStatement(a.one) < nameStatement(b.one) ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

const nameStatement = ({ match, statement }: Pick<ForkedStatement, 'match' | 'statement'>) => `${match} ${statement}`;
/**
 * Chooses the outcome by which statements are selected and ranked: the votes against the target, or the votes against
 * the speaker if there is no target.
 */
const chooseRankedOutcome = ({ target }: ForkedStatement): OutcomeName =>
  target === null ? 'votes_against_speaker' : 'votes_against_target';
const createWhole = (outcome: OutcomeName) => ({ outcome, of: {}, listeners: 'all' }) as const;

/** Minimum number of fresh replays of a ranked statement. */
export const freshReplays = 10;

/** Ranks the statements with enough fresh replays, largest effect first. Only fresh replays count. */
function rankStatements(statements: readonly ForkedStatement[]): RankedStatement[] {
  const [first] = listArms(statements);
  if (first === undefined) return [];
  return statements
    .flatMap((one): RankedStatement[] => {
      const outcome = chooseRankedOutcome(one);
      const differences = one.forks
        .filter(({ arm, copy }) => arm === first.arm && copy >= firstFreshCopy)
        .flatMap((fork) => {
          const kept = findFork(one, 'keep', fork.copy);
          const read = (own: MeasuredFork) => outcomeMeasures[outcome].read(own, one, own.outcome.listeners);
          const [keep, other] = [kept ? read(kept) : null, read(fork)];
          return keep === null || other === null ? [] : [keep - other];
        });
      if (differences.length < freshReplays) return [];
      const n = differences.length;
      const effect = sum(differences) / n;
      const squares = differences.reduce((total, value) => total + (value - effect) ** 2, 0);
      const variance = computeRatio(squares, n - 1);
      const { match, statement } = one;
      const se = variance === null ? null : Math.sqrt(variance / n);
      return [{ match, statement, arm: first.arm, outcome, replays: n, effect, se }];
    })
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}
