// Validates ratings by simulation: whether intervals cover planted strengths and the scores of players of known skill,
// whether equal entrants differ significantly too often, and how testing after every deal affects the error rate.
import jstat from 'jstat';
import { playToEnd } from '../../deception/play/random-matches.ts';
import { listPairScores } from '../../deception/ratings/deal-scores.ts';
import { computeOutcomes } from '../../deception/ratings/firth-fit.ts';
import { isToldApart, listPairs } from '../../deception/ratings/rank-ranges.ts';
import { rateEntrants, type Ratings } from '../../deception/ratings/rate-entrants.ts';
import type { RatedMatch } from '../../deception/ratings/rating-model.ts';
import { evaluateStop, type StoppingRule } from '../../deception/ratings/stopping-rule.ts';
import { createResampling, MIN_CLUSTERS } from '../../deception/statistics/bootstrap.ts';
import { adjustHolm } from '../../deception/statistics/adjusted-p-values.ts';
import { readBoard } from '../../state/boards.ts';
import { deal as dealRoles } from '../../state/deal.ts';
import { isEventOfType } from '../../state/events.ts';
import { draw, type RandomSource, drawNormal } from '../../state/random.ts';
import { readRules } from '../../state/rulebook.ts';
import type { Team } from '../../state/teams.ts';
import { testWithinBounds } from './measurement-validation.ts';

/** A set of entrants, and how they play. */
export interface RatingCellPlan {
  readonly name: string;
  /**
   * Strengths of each entrant in log-odds, as Werewolves and as village. `skills`: skill of each entrant, from 0 to 1,
   * instead of strengths.
   */
  readonly entrants:
    | readonly (readonly [werewolves: number, villagers: number])[]
    | { readonly skills: readonly number[] }
    /**
     * For each of two entrants, the probability that the entrant wins both matches of a deal. If neither entrant does,
     * the Werewolves win both matches.
     */
    | { readonly sweeps: readonly [number, number] };
  /** Log-odds of a Werewolf win between equal entrants. */
  readonly beta: number;
  /** Davidson's ν; absent if no match can be drawn. */
  readonly nu?: number;
  /**
   * Correlation between the matches of a deal, given as the correlation of the normal variables from which they are
   * drawn.
   */
  readonly correlation: number;
  readonly deals: number;
  /** Rule that may stop the tournament before all `deals` are played. */
  readonly stop?: StoppingRule;
  /**
   * For an unbalanced schedule: how often the first entrant plays the Werewolves. If absent, the two entrants of every
   * pair play both sides against each other.
   */
  readonly unbalanced?: number;
  /**
   * Whether all tables are mixed: every seat belongs to an entrant, and entrants move by one seat from match to match
   * of a deal. All entrants are equal, so their true scores are known.
   */
  readonly mixed?: true;
}

export interface RatingTrial {
  readonly repetitions: number;
  readonly resamples: number;
  readonly seed: number;
}

/** Number of tournaments of each kind, in a whole and in a quick validation. */
export const ratingRepetitions = { whole: 2000, quick: 100 } as const;

/**
 * How often intervals contain the planted values. Only one entrant or pair of each repetition counts, so that counts
 * are independent.
 */
export interface RatingCoverage {
  readonly what: 'score' | 'as Werewolves' | 'as the village' | 'log-odds' | 'difference' | 'confidence sequence';
  readonly covered: number;
  /** Number of repetitions with an interval. */
  readonly intervals: number;
  readonly mean_width: number | null;
}

export interface RatingFinding {
  readonly cell: RatingCellPlan;
  readonly repetitions: number;
  readonly coverage: readonly RatingCoverage[];
  /** Number of repetitions in which any two entrants differ significantly. */
  readonly told_apart: number;
  /** Number of repetitions in which the first entrant had the highest score. */
  readonly first_on_top: number;
  /**
   * Number of repetitions in which the rating model did not fit. `fits_tested`: number of repetitions in which its fit
   * was tested.
   */
  readonly misfits: number;
  readonly fits_tested: number;
  /** Median number of deals, which is below the plan if tournaments stopped early. */
  readonly deals: number;
  /** Number of repetitions that stopped before the last deal. */
  readonly stopped: number;
}

const isEqualField = ({ entrants }: RatingCellPlan) => {
  if ('skills' in entrants) return new Set(entrants.skills).size === 1;
  if ('sweeps' in entrants) return new Set(entrants.sweeps).size === 1;
  return entrants.every((one) => one.every((x) => x === 0));
};

/**
 * Simulates and rates the tournaments of a cell. Throws a UsageError for an unknown board or unknown rules.
 *
 * @example measureRatings(ratingCells[0]!, { repetitions: 200, resamples: 79, seed: 1 }).coverage
 */
export function measureRatings(cell: RatingCellPlan, { repetitions, resamples, seed }: RatingTrial): RatingFinding {
  const chance = draw(seed, 'ratings', cell.name);
  const world =
    'skills' in cell.entrants
      ? playSkilled(cell, chance)
      : 'sweeps' in cell.entrants
        ? plantSweeps(cell.entrants.sweeps, chance)
        : plantStrengths(cell, chance);
  const resamplings = Array.from({ length: 10 }, (_, index) => createResampling(cell.deals, resamples, seed + index));
  const kept = new Map<RatingCoverage['what'], { covered: number; widths: number[] }>();
  const note = (
    what: RatingCoverage['what'],
    truth: number,
    { low, high }: { low: number | null; high: number | null },
  ) => {
    const own = kept.get(what) ?? { covered: 0, widths: [] };
    kept.set(what, own);
    if (low === null || high === null) return;
    own.widths.push(high - low);
    if (low <= truth && truth <= high) own.covered++;
  };
  let [told, onTop, misfits, tested, stopped] = [0, 0, 0, 0, 0];
  const lengths: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const deals = Array.from({ length: cell.deals }, (_, deal) => world.playDeal(String(deal)));
    if (cell.stop !== undefined) {
      const found = stopEarly(deals, world.names, cell.stop);
      lengths.push(found.deals);
      if (found.deals < cell.deals) stopped++;
      if (found.pairs.some(({ low, high }) => low > 0 || high < 0)) told++;
      const pair = found.pairs[repetition % found.pairs.length]!;
      note('confidence sequence', world.truth.score(pair.pair[0]) - world.truth.score(pair.pair[1]), pair);
      continue;
    }
    lengths.push(cell.deals);
    const ratings = rateEntrants(deals.flat(), { resampling: resamplings[repetition % resamplings.length]! });
    noteRatings(ratings, world, repetition, note);
    if (ratings.differences.some(isToldApart)) told++;
    if (ratings.lackOfFit) tested++;
    if (ratings.lackOfFit && ratings.lackOfFit.p <= 0.05) misfits++;
    const best = ratings.entrants.toSorted((one, other) => (other.score.value ?? 0) - (one.score.value ?? 0))[0];
    if (best?.score.value != null && best.entrant === world.names[0]) onTop++;
  }
  return {
    ...{ cell, repetitions, told_apart: told, first_on_top: onTop, misfits, fits_tested: tested, stopped },
    deals: lengths.sort((one, other) => one - other)[Math.floor(lengths.length / 2)]!,
    coverage: [...kept].map(([what, { covered, widths }]) => ({
      ...{ what, covered, intervals: widths.length },
      mean_width: widths.length === 0 ? null : widths.reduce((sum, one) => sum + one, 0) / widths.length,
    })),
  };
}

function noteRatings(
  { entrants, differences }: Ratings,
  { truth }: PlantedWorld,
  repetition: number,
  note: (what: RatingCoverage['what'], truth: number, bounds: { low: number | null; high: number | null }) => void,
): void {
  const one = entrants[repetition % entrants.length]!;
  note('score', truth.score(one.entrant), one.score);
  if (one.werewolves.reason !== 'not identified') note('as Werewolves', truth.sides(one.entrant)[0], one.werewolves);
  if (one.villagers.reason !== 'not identified') note('as the village', truth.sides(one.entrant)[1], one.villagers);
  if (truth.strength) note('log-odds', truth.strength(one.entrant), one.strength);
  const pair = differences[repetition % differences.length];
  if (pair) note('difference', truth.score(pair.pair[0]) - truth.score(pair.pair[1]), pair.difference);
}

function stopEarly(deals: readonly (readonly RatedMatch[])[], names: readonly string[], stop: StoppingRule) {
  const pairs = listPairScores(deals, listPairs(names));
  const { stopAt } = evaluateStop(pairs, stop);
  const played = stopAt ?? deals.length;
  const cut = pairs.map(({ pair, differences }) => ({ pair, differences: differences.slice(0, played) }));
  return { deals: played, pairs: evaluateStop(cut, stop).pairs };
}

// The simulated play.

interface PlantedWorld {
  readonly names: readonly string[];
  readonly playDeal: (deal: string) => RatedMatch[];
  readonly truth: {
    readonly score: (entrant: string) => number;
    readonly sides: (entrant: string) => readonly [werewolves: number, villagers: number];
    /** Strength relative to the mean; absent if only scores are known. */
    readonly strength?: (entrant: string) => number;
  };
}

const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const nameEntrant = (place: number) => `e${place}`;

const seatMatch = (
  deal: string,
  werewolves: readonly number[],
  villagers: readonly number[],
  winner: Team | null,
): RatedMatch => ({
  ...{ deal, context: 'planted', winner },
  seats: [
    ...werewolves.map((place) => ({ entrant: nameEntrant(place), team: 'werewolves' as const, role: 'w' })),
    ...villagers.map((place) => ({ entrant: nameEntrant(place), team: 'villagers' as const, role: 'v' })),
  ],
});

/** Numbers of seats of a mixed table, as on the board classic-8. */
const mixedSeats = { werewolves: 2, all: 8 } as const;

/** Lists the entrants on each side in each match of a deal. */
function listTables(cell: RatingCellPlan, count: number, chance: RandomSource): (readonly [number[], number[]])[] {
  if (!cell.mixed) return listMeetings(cell, count, chance).map(([one, other]) => [[one], [other]] as const);
  const order = chance.shuffle(Array.from({ length: count }, (_, place) => place));
  const seats = chance.shuffle(Array.from({ length: mixedSeats.all }, (_, seat) => seat));
  const seated = (from: number, to: number, shift: number) =>
    seats.slice(from, to).map((seat) => order[(seat + shift) % count]!);
  return order.map(
    (_, shift) =>
      [seated(0, mixedSeats.werewolves, shift), seated(mixedSeats.werewolves, mixedSeats.all, shift)] as const,
  );
}

/**
 * Lists the pairs that meet on a deal: all ordered pairs, or the same number of random pairs in which the first entrant
 * plays the Werewolves more often.
 */
function listMeetings({ unbalanced }: RatingCellPlan, count: number, chance: RandomSource): [number, number][] {
  const places = Array.from({ length: count }, (_, place) => place);
  const all = places.flatMap((one) =>
    places.flatMap((other): [number, number][] => (one === other ? [] : [[one, other]])),
  );
  if (unbalanced === undefined) return all;
  return all.map(() => {
    const werewolves = chance.fraction() < unbalanced ? 0 : chance.integer(count);
    return [werewolves, chance.pick(places.filter((place) => place !== werewolves))];
  });
}

/** Draws outcomes that have exactly the planted probabilities and are correlated within a deal (a Gaussian copula). */
function plantStrengths(cell: RatingCellPlan, chance: RandomSource): PlantedWorld {
  const { beta, nu = null, correlation } = cell;
  const strengths = cell.entrants as readonly (readonly [number, number])[];
  const names = strengths.map((_, place) => nameEntrant(place));
  const predict = (pack: readonly number[], village: readonly number[]) => {
    const lead = average(pack.map((one) => strengths[one]![0])) - average(village.map((one) => strengths[one]![1]));
    return computeOutcomes(beta + lead, nu);
  };
  const scoreOf = (one: number, other: number) => {
    const [werewolves, , nobody] = predict([one], [other]);
    return werewolves + nobody / 2;
  };
  const others = (place: number) => names.flatMap((_, other) => (other === place ? [] : [other]));
  const sides = (name: string): [number, number] => {
    const place = names.indexOf(name);
    return [
      average(others(place).map((other) => scoreOf(place, other))),
      average(others(place).map((other) => 1 - scoreOf(other, place))),
    ];
  };
  const middle = average(strengths.flat());
  return {
    names,
    playDeal: (deal) => {
      const shared = drawNormal(chance);
      return listTables(cell, names.length, chance).map(([pack, village]) => {
        const own = Math.sqrt(correlation) * shared + Math.sqrt(1 - correlation) * drawNormal(chance);
        const place = jstat.normal.cdf(own, 0, 1);
        const [werewolves, , nobody] = predict(pack, village);
        const winner = place < werewolves ? 'werewolves' : place < werewolves + nobody ? null : 'villagers';
        return seatMatch(deal, pack, village, winner);
      });
    },
    truth: {
      sides,
      score: (name) => average(sides(name)),
      strength: (name) => average(strengths[names.indexOf(name)]!) - middle,
    },
  };
}

/** Draws outcomes of two entrants, each of which wins both matches in a given share of deals. */
function plantSweeps([first, second]: readonly [number, number], chance: RandomSource): PlantedWorld {
  return {
    names: [nameEntrant(0), nameEntrant(1)],
    playDeal: (deal) => {
      const place = chance.fraction();
      const winner = place < first ? 0 : place < first + second ? 1 : null;
      const play = (werewolves: number, villagers: number) =>
        seatMatch(deal, [werewolves], [villagers], winner === villagers ? 'villagers' : 'werewolves');
      return [play(0, 1), play(1, 0)];
    },
    truth: {
      // no strengths by side: such matches do not show which side is stronger
      sides: () => [Number.NaN, Number.NaN],
      score: (name) => (1 + (name === nameEntrant(0) ? first - second : second - first)) / 2,
    },
  };
}

/**
 * Number of deals in the pool from which tournaments of skilled players are drawn. Scores in the pool count as the
 * truth.
 */
const POOLED_DEALS = 250;

/**
 * Plays by the rules of the game. Players vote for the other side with the probability of their skill. Werewolves do
 * not vote for each other, and all other choices are random.
 */
function playSkilled(cell: RatingCellPlan, chance: RandomSource): PlantedWorld {
  const { skills } = cell.entrants as { skills: readonly number[] };
  const board = readBoard('classic-8');
  const rules = readRules('arena', { debateTurns: 1, analysis: 'off' }, { board });
  const names = skills.map((_, place) => nameEntrant(place));
  const pool = Array.from({ length: POOLED_DEALS }, (_, deal) => {
    const setup = dealRoles({ board, rules, seed: deal + 1 });
    const teams = new Map(setup.players.map(({ name, team }) => [name, team]));
    return listMeetings(cell, skills.length, chance).map(([werewolves, villagers]) => {
      const events = playToEnd(setup, (_action, by, choices) => {
        const team = teams.get(by)!;
        const foes = choices.filter((choice) => teams.has(String(choice)) && teams.get(String(choice)) !== team);
        const skill = skills[team === 'werewolves' ? werewolves : villagers]!;
        return foes.length > 0 && chance.fraction() < skill ? chance.pick(foes) : chance.pick(choices);
      });
      return { werewolves, villagers, winner: events.find(isEventOfType('ended'))?.winner ?? null };
    });
  });
  const score = (side: Team, name: string) =>
    average(
      pool.flat().flatMap((match) => {
        if (nameEntrant(match[side]) !== name) return [];
        return [match.winner === null ? 0.5 : match.winner === side ? 1 : 0];
      }),
    );
  const sides = (name: string): [number, number] => [score('werewolves', name), score('villagers', name)];
  return {
    names,
    playDeal: (deal) =>
      chance.pick(pool).map(({ werewolves, villagers, winner }) => seatMatch(deal, [werewolves], [villagers], winner)),
    truth: { sides, score: (name) => average(sides(name)) },
  };
}

// Evaluation of the findings.

export interface EvaluatedRating extends RatingFinding {
  /**
   * p of the hypothesis that the cell keeps its promises, adjusted by Holm's procedure over all cells. The promises
   * are: every interval contains the truth in at least 93% of repetitions (a confidence sequence in 95%); equal
   * entrants differ significantly in at most 5%; the model is found not to fit in at most 5%. Null for too few deals.
   */
  readonly p: number | null;
  readonly isPromised: boolean;
}

/**
 * Evaluates whether cells keep their promises. The p of a cell is the smallest p of its tests, multiplied by the number
 * of these tests (Bonferroni).
 */
export function evaluateRatings(findings: readonly RatingFinding[]): EvaluatedRating[] {
  const isPromised = ({ cell }: RatingFinding) => cell.stop !== undefined || cell.deals >= MIN_CLUSTERS;
  const p = findings.map((finding) => (isPromised(finding) ? testCell(finding) : null));
  const adjusted = adjustHolm(p.filter((one) => one !== null));
  let next = 0;
  return findings.map((finding, place) => ({
    ...finding,
    ...{ p: p[place] === null ? null : adjusted[next++]!, isPromised: isPromised(finding) },
  }));
}

/** Least acceptable coverage. Bounds for rare events are exact and may cover more often than promised. */
const LEAST_COVERAGE = 0.93;

/**
 * Whether a coverage is evaluated. Log-odds are reported only if no entrant wins or loses almost every match, and this
 * selection changes their coverage.
 */
const isJudged = ({ what, intervals }: RatingCoverage, repetitions: number) =>
  what !== 'log-odds' || intervals > 0.95 * repetitions;

function testCell(finding: RatingFinding): number {
  const { coverage, repetitions, told_apart: told, cell } = finding;
  const tests = [
    ...coverage
      .filter((one) => isJudged(one, repetitions))
      .map(({ what, covered, intervals }) =>
        testWithinBounds(covered, intervals, [what === 'confidence sequence' ? 0.95 : LEAST_COVERAGE, 1]),
      ),
    ...(isEqualField(cell) ? [testWithinBounds(told, repetitions, [0, 0.05])] : []),
    // Skilled players follow the rules of the game and have no planted strengths, so the model may truly not fit.
    ...('skills' in cell.entrants ? [] : [testWithinBounds(finding.misfits, finding.fits_tested, [0, 0.05])]),
  ];
  return Math.min(1, Math.min(...tests) * tests.length);
}

/** Returns whether a cell breaks its promise, at an adjusted p of .05 or less. */
export const isRatingPromiseBroken = ({ p }: EvaluatedRating): boolean => p !== null && p <= 0.05;

// Cells of the validation.

const spreadStrengths = (width: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, place) => {
    const strength = width * (1 - (2 * place) / (count - 1));
    return [strength, strength / 2];
  });
const createEquals = (count: number): [number, number][] => Array.from({ length: count }, () => [0, 0]);

const usual = { beta: 0.8, correlation: 0.2 };

/** Returns a cell of equal entrants. `percent`: percentage of Werewolf wins. */
const playEquals = (count: number, deals: number, percent: number): RatingCellPlan => ({
  ...usual,
  ...{ name: `${count} equals, ${deals} deals, Werewolves win ${percent} %`, entrants: createEquals(count), deals },
  beta: Math.log(percent / (100 - percent)),
});

/** Returns a cell of two entrants. The first entrant is better, although few deals show the difference. */
const sweep = (first: number, second: number, deals: number): RatingCellPlan => ({
  ...usual,
  ...{
    name: `2 entrants, ${deals} deals, ${first} and ${second} of them swept`,
    entrants: { sweeps: [first, second] },
    deals,
  },
});

export const ratingCells: readonly RatingCellPlan[] = [
  { ...usual, name: '2 entrants, 20 deals', entrants: spreadStrengths(0.4, 2), deals: 20 },
  { ...usual, name: '2 entrants, 50 deals', entrants: spreadStrengths(0.4, 2), deals: 50 },
  { ...usual, name: '3 entrants, 50 deals, one far behind', entrants: [[0.7, 0.7], [0.5, 0.5], [-1.2, -1.2]], deals: 50 }, // prettier-ignore
  { ...usual, name: '4 entrants, 20 deals', entrants: spreadStrengths(0.6, 4), deals: 20 },
  {
    ...usual,
    name: '4 entrants, 40 deals, alike within deals',
    entrants: spreadStrengths(0.6, 4),
    correlation: 0.5,
    deals: 40,
  },
  { ...usual, name: '4 entrants, 20 deals, a third nobody wins', entrants: spreadStrengths(0.6, 4), nu: 0, deals: 20 },
  { ...usual, name: '8 entrants, 20 deals', entrants: spreadStrengths(0.8, 8), deals: 20 },
  { ...usual, name: '4 equals, 20 deals', entrants: createEquals(4), deals: 20 },
  { ...usual, name: '4 equals, 40 deals, unbalanced', entrants: createEquals(4), deals: 40, unbalanced: 0.5 },
  { ...usual, name: '3 of known skill, by the rules, 40 deals', entrants: { skills: [0.5, 0.3, 0.1] }, deals: 40 },
  { ...usual, name: '2 entrants, stopped once decided', entrants: spreadStrengths(0.4, 2), deals: 200, stop: { alpha: 0.05, decide: true } }, // prettier-ignore
  { ...usual, name: '3 entrants, stopped at ± .15', entrants: spreadStrengths(0.6, 3), deals: 150, stop: { alpha: 0.05, precision: 0.15 } }, // prettier-ignore
  { ...usual, name: '2 equals, looked at after each of 200 deals', entrants: createEquals(2), deals: 200, stop: { alpha: 0.05, decide: true } }, // prettier-ignore
  { ...usual, name: '3 equals, looked at after each of 100 deals', entrants: createEquals(3), deals: 100, stop: { alpha: 0.05, decide: true } }, // prettier-ignore
  { ...usual, name: '4 equals at mixed tables, looked at after each of 100 deals', entrants: createEquals(4), deals: 100, mixed: true, stop: { alpha: 0.05, decide: true } }, // prettier-ignore
  { ...usual, name: '2 entrants, 10 deals', entrants: spreadStrengths(0.4, 2), deals: 10 },
  {
    ...usual,
    name: '4 entrants, 10 deals, Werewolves win 88 %',
    entrants: spreadStrengths(0.6, 4),
    beta: 2,
    deals: 10,
  },
  { ...usual, name: '8 entrants, 10 deals', entrants: spreadStrengths(0.8, 8), deals: 10 },
  ...[50, 70].map((percent) => playEquals(2, 10, percent)),
  playEquals(2, 12, 85),
  ...[50, 70, 85, 93, 97].map((percent) => playEquals(2, 20, percent)),
  playEquals(2, 40, 93),
  playEquals(2, 50, 93),
  playEquals(2, 100, 97),
  ...[50, 70, 85, 93, 97].map((percent) => playEquals(3, 20, percent)),
  playEquals(4, 20, 93),
  ...[20, 50, 100].flatMap((deals) => [sweep(0.15, 0, deals), sweep(0.07, 0, deals), sweep(0.2, 0.02, deals)]),
  { ...usual, name: '4 entrants, 5 deals', entrants: spreadStrengths(0.6, 4), deals: 5 },
];
