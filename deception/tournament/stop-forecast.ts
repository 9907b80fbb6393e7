// Forecasts when a stopping rule would end a tournament: simulates winners of its schedule with planted true
// differences, and applies the actual rule.
import { draw, type RandomSource, drawNormal } from '../../state/random.ts';
import { isSelfPlay } from '../ratings/deal-scores.ts';
import { computeConfidenceSequence, findDecision } from '../ratings/stopping-rule.ts';
import { mean, sum } from '../statistics/sums.ts';
import type { StopPlan, TournamentPlan } from '../tournament-plan/tournament-plan.ts';
import { computeChance, findScoredSide, listEntrantPairs, nameDeal, widestOutcomes } from './tournament-precision.ts';
import {
  countBlockDeals,
  listTournamentMatches,
  type TournamentMatch,
} from '../tournament-plan/tournament-schedule.ts';

/** Forecast for a given true difference of the closest pair. */
export interface ForecastStop {
  /**
   * True difference between the expected scores (0 to 1) of the closest pair. The strengths of the entrants form a row
   * with equal steps.
   */
  difference: number;
  /** Share of tournaments that end before the last deal; an upper bound of that share if `isBound` is true. */
  ended: number;
  /** Whether `ended` is the rule's level α instead of a simulated share. */
  isBound: boolean;
  /**
   * Number of deals within which half (`half`) and four fifths (`most`) of the tournaments end; null if fewer end
   * before the last deal.
   */
  half: number | null;
  most: number | null;
}

/** True differences that a forecast covers, from none to large. */
const toldDifferences = [0, 0.1, 0.2, 0.3] as const;

/**
 * `most` and `fewest`: largest and smallest number of simulated tournaments per difference. `looks`: amount of work, as
 * counted by `SimulatedTournament.looks`, after which no further tournament is simulated. All simulations together take
 * well under a second. A rule with a target precision needs fewer tournaments, because the time at which the precision
 * is reached varies little.
 */
const simulated = {
  decide: { most: 200, fewest: 20, looks: 10_000 },
  precision: { most: 20, fewest: 3, looks: 2_000 },
} as const;

/**
 * Maximum numbers of blocks and pairs that are simulated to find when a precision is reached. Eight pairs suffice,
 * because the results of all pairs are drawn in the same way.
 */
const preciseOn = { blocks: 400, pairs: 8 } as const;

/** Number of different blocks of a schedule of mixed tables. Simulated tournaments repeat these blocks in turn. */
const mixedBlocks = 24;

/**
 * Number of blocks at the first look at a simulated tournament. Each further look has twice as many blocks. The first
 * look at a later tournament has at least the number of blocks after which the previous tournament ended.
 */
const firstLook = 16;

/**
 * Forecasts when the stopping rule would end the plan's tournament, for several true differences. Leaves out
 * differences that are too large for the field of entrants. Null without a rule. The same plan gives the same figures.
 *
 * @example estimateStop(plan)?.find(({ difference }) => difference === 0.2)?.half; // 38: half end within 38 deals
 */
export function estimateStop(plan: TournamentPlan): ForecastStop[] | null {
  const { stop } = plan;
  if (stop === undefined) return null;
  const blocks = listBlocks(plan, stop);
  const blockCount = Math.floor(plan.deals / countBlockDeals(plan));
  const told = stop.decide ? toldDifferences : toldDifferences.slice(0, 1); // equal entrants reach a precision last
  return told.flatMap((difference): ForecastStop[] => {
    // If entrants are equal, a deciding rule ends at most α of tournaments. The rule guarantees this, so no simulation
    // is needed.
    if (difference === 0 && stop.decide)
      return [{ difference, ended: stop.alpha, isBound: true, half: null, most: null }];
    const step = findStep(blocks, difference);
    if (step === null) return [];
    const ends = simulateEnds(blocks, { step, stop, blockCount }).map((end) =>
      end === null ? plan.deals : end * countBlockDeals(plan),
    );
    const ended = ends.filter((end) => end < plan.deals).length / ends.length;
    const sorted = ends.toSorted((one, other) => one - other);
    const find = (share: number) => {
      const end = sorted[Math.ceil(share * sorted.length) - 1]!;
      return end < plan.deals ? end : null;
    };
    return [{ difference, ended, isBound: false, half: find(0.5), most: find(0.8) }];
  });
}

/** A block of the schedule, reduced to what the rule uses. */
interface ForecastBlock {
  /**
   * For each match, the index of its deal in the block, and the strength of its Werewolves minus the strength of its
   * village.
   */
  matches: { deal: number; lead: number }[];
  deals: number;
  /**
   * Score difference of each pair in each judged condition. An entry is null if the block has no information about the
   * pair.
   */
  judged: (Weighing | null)[];
}

/** A difference of scores as a sum over matches: a constant, and an amount for each match that the Werewolves win. */
interface Weighing {
  base: number;
  wins: { match: number; weight: number }[];
}

function listBlocks(plan: TournamentPlan, stop: StopPlan): ForecastBlock[] {
  const size = countBlockDeals(plan);
  const pairs = stop.pairs ?? listEntrantPairs(plan);
  const row = Object.keys(plan.entrants).filter((name) => pairs.some((pair) => pair.includes(name)));
  const places = new Map(row.map((name, place) => [name, (row.length - 1) / 2 - place]));
  const side = findScoredSide(plan);
  const sides = side === 'both' ? (['werewolves', 'villagers'] as const) : [side];
  const scheduled = listTournamentMatches({ ...plan, deals: size * (plan.format === 'mixed' ? mixedBlocks : 1) });
  const conditions = stop.pooled ? [undefined] : [...new Set(scheduled.map(({ condition }) => condition))];
  return [...Map.groupBy(scheduled, ({ block }) => block).values()].map((matches): ForecastBlock => {
    const deals = [...new Set(matches.map(nameDeal))];
    return {
      matches: matches.map((match) => ({ deal: deals.indexOf(nameDeal(match)), lead: findLead(match, places) })),
      deals: deals.length,
      judged: conditions.flatMap((condition) =>
        pairs.map(([one, other]) => {
          const isMeant = (match: TournamentMatch) => condition === undefined || match.condition === condition;
          const scores = [one, other].map((name) => weighScore(matches, isMeant, name, sides));
          return subtract(scores[0]!, scores[1]!);
        }),
      ),
    };
  });
}

function findLead({ seats }: TournamentMatch, places: ReadonlyMap<string, number>): number {
  const find = (side: string) =>
    mean(seats.flatMap(({ team, entrant }) => (team === side ? [places.get(entrant) ?? 0] : [])))!; // no side is empty
  return find('werewolves') - find('villagers');
}

/**
 * Computes an entrant's score in a block: the mean, over sides, of the entrant's mean score on the side. Null if the
 * entrant has no seat on one of the sides.
 */
function weighScore(
  matches: readonly TournamentMatch[],
  isMeant: (match: TournamentMatch) => boolean,
  name: string,
  sides: readonly ('werewolves' | 'villagers')[],
): Weighing | null {
  const found: Weighing = { base: 0, wins: [] };
  for (const side of sides) {
    const own = matches.flatMap((match, place) => {
      const { seats } = match;
      const count = seats.filter(({ entrant, team }) => entrant === name && team === side).length;
      return count === 0 || isSelfPlay(match) || !isMeant(match) ? [] : [{ match: place, count }];
    });
    if (own.length === 0) return null;
    const all = sum(own.map(({ count }) => count)) * sides.length;
    const sign = side === 'werewolves' ? 1 : -1;
    if (side === 'villagers') found.base += 1 / sides.length;
    found.wins.push(...own.map(({ match, count }) => ({ match, weight: (sign * count) / all })));
  }
  return found;
}

const subtract = (one: Weighing | null, other: Weighing | null): Weighing | null =>
  one &&
  other && {
    base: one.base - other.base,
    wins: [...one.wins, ...other.wins.map(({ match, weight }) => ({ match, weight: -weight }))],
  };

/**
 * Computes the score difference of a pair. It is rounded as in the rule itself, so that values that differ only by
 * rounding errors are equal.
 */
const weigh = ({ base, wins }: Weighing, won: readonly number[]): number =>
  Math.round((base + sum(wins.map(({ match, weight }) => weight * won[match]!))) * 1e9) / 1e9;

// Strengths that the simulation assumes for entrants.

/** Largest step between the strengths of neighbors, in log-odds. Larger steps do not change the expected scores. */
const largestStep = 20;

/**
 * Finds the step between neighbors, in log-odds, at which the expected scores of the closest pair differ by
 * `difference`. Null if no step gives so large a difference.
 */
function findStep(blocks: readonly ForecastBlock[], difference: number): number | null {
  if (difference === 0) return 0;
  const measure = (step: number) => Math.min(...expectDifferences(blocks, step).map(Math.abs));
  if (measure(largestStep) < difference) return null;
  let [low, high] = [0, largestStep];
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (measure(middle) < difference) low = middle;
    else high = middle;
  }
  return high;
}

/** Computes the expected difference of each judged pair, as a mean over blocks. */
function expectDifferences(blocks: readonly ForecastBlock[], step: number): number[] {
  const shares = new Map<number, number>();
  const expect = (lead: number) => {
    const share = shares.get(lead) ?? expectShare(step * lead);
    shares.set(lead, share);
    return share;
  };
  const perBlock = blocks.map(({ matches, judged }) => {
    const won = matches.map(({ lead }) => expect(lead));
    return judged.map((one) => one && weigh(one, won));
  });
  return perBlock[0]!.map((_, place) => mean(perBlock.flatMap((all) => all[place] ?? [])) ?? 0);
}

/** Points at which a normal distribution is evaluated, in standard deviations from its mean. */
const spreadPoints = Array.from({ length: 41 }, (_, place) => (place - 20) / 5);

/**
 * Returns the Werewolves' expected share of wins, averaged over the random effects of deals. `logOdds`: log-odds of a
 * win in an average deal.
 */
function expectShare(logOdds: number): number {
  const weights = spreadPoints.map((point) => Math.exp(-(point ** 2) / 2));
  const shares = spreadPoints.map((point) => computeChance(logOdds + widestOutcomes.dealSpread * point));
  return sum(shares.map((share, place) => share * weights[place]!)) / sum(weights);
}

// Simulated tournaments.

interface Planted {
  step: number;
  stop: StopPlan;
  /** Number of whole blocks of the plan. */
  blockCount: number;
}

/** Returns, for each tournament, the number of blocks after which it ends; null if it does not end. */
function simulateEnds(blocks: readonly ForecastBlock[], planted: Planted): (number | null)[] {
  const expected = expectDifferences(blocks, planted.step);
  // The closest pair comes first: while it is undecided, no other pair needs a look.
  const order = expected.map((_, place) => place).sort((a, b) => Math.abs(expected[a]!) - Math.abs(expected[b]!));
  const ends: (number | null)[] = [];
  const { most, fewest, looks: enough } = simulated[planted.stop.precision === undefined ? 'decide' : 'precision'];
  let looks = 0;
  for (let run = 0; run < most && (run < fewest || looks < enough); run++) {
    const first = Math.max(firstLook, ends.at(-1) ?? (run === 0 ? 0 : planted.blockCount));
    const tournament = new SimulatedTournament(blocks, planted, draw(run, 'forecast of a stop'));
    ends.push(tournament.findEnd(order, first));
    looks += tournament.looks;
  }
  return ends;
}

class SimulatedTournament {
  readonly #blocks: readonly ForecastBlock[];
  readonly #planted: Planted;
  readonly #chance: RandomSource;
  /**
   * Score difference of each judged pair in each block simulated so far; null for blocks without information about the
   * pair.
   */
  readonly #differences: (number | null)[][];
  /** Work done so far: roughly the number of blocks evaluated, added over all looks at pairs. */
  looks = 0;

  constructor(blocks: readonly ForecastBlock[], planted: Planted, chance: RandomSource) {
    [this.#blocks, this.#planted, this.#chance] = [blocks, planted, chance];
    this.#differences = blocks[0]!.judged.map(() => []);
  }

  /**
   * Finds the number of blocks after which the rule ends the tournament; null if it does not. `first`: number of blocks
   * at the first look.
   */
  findEnd(order: readonly number[], first: number): number | null {
    const { decide, precision } = this.#planted.stop;
    let last = 0;
    for (const place of precision === undefined ? order : order.slice(0, preciseOn.pairs)) {
      const end = precision === undefined ? 0 : this.#findPrecise(place, Math.max(first, last), precision);
      const decided = decide && end !== null ? this.#findDecided(place, Math.max(first, last)) : end;
      if (end === null || decided === null) return null;
      last = Math.max(last, end, decided);
    }
    return last;
  }

  /** Level of each pair: α is divided among the pairs, as in the rule itself. */
  get #alpha(): number {
    return this.#planted.stop.alpha / this.#differences.length;
  }

  #findDecided(place: number, first: number): number | null {
    const { blockCount } = this.#planted;
    for (let count = first; ; count *= 2) {
      const seen = this.#take(place, Math.min(count, blockCount));
      const stopAt = findDecision(seen, this.#alpha);
      this.looks += Math.min(count, blockCount);
      if (stopAt !== null || count >= blockCount) return stopAt;
    }
  }

  /**
   * Finds the number of blocks after which the confidence sequence is first narrow enough. From then on it stays narrow
   * enough, except after a deal or two.
   */
  #findPrecise(place: number, first: number, precision: number): number | null {
    const { blockCount } = this.#planted;
    const isPrecise = (count: number) => {
      const kept = this.#take(place, Math.min(count, preciseOn.blocks));
      const scores = Array.from({ length: count }, (_, block) => (1 + kept[block % kept.length]!) / 2);
      const [low, high] = computeConfidenceSequence(scores, this.#alpha);
      this.looks += 20;
      return high - low <= precision; // scores have half the range of differences, so their width is the half-width of differences
    };
    let [out, inside] = [0, Math.min(first, blockCount)];
    while (!isPrecise(inside)) {
      if (inside === blockCount) return null;
      [out, inside] = [inside, Math.min(2 * inside, blockCount)];
    }
    while (inside - out > 1) {
      const middle = Math.floor((out + inside) / 2);
      if (isPrecise(middle)) inside = middle;
      else out = middle;
    }
    return inside;
  }

  /**
   * Returns the differences of a pair in the first `count` blocks. Blocks without information about the pair are left
   * out.
   */
  #take(place: number, count: number): number[] {
    const own = this.#differences[place]!;
    while (own.length < count) this.#playBlock();
    return own.slice(0, count).filter((difference) => difference !== null);
  }

  #playBlock(): void {
    const { matches, deals, judged } = this.#blocks[this.#differences[0]!.length % this.#blocks.length]!;
    const effects = Array.from({ length: deals }, () => widestOutcomes.dealSpread * drawNormal(this.#chance));
    const won = matches.map(({ deal, lead }) =>
      this.#chance.fraction() < computeChance(effects[deal]! + this.#planted.step * lead) ? 1 : 0,
    );
    for (const [place, one] of judged.entries()) this.#differences[place]!.push(one && weigh(one, won));
  }
}
