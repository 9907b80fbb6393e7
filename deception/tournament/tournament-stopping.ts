// Decides whether a tournament may end, by its stopping rule. The rule is evaluated on the scores of matches, block by
// block.
import type { Team } from '../../state/teams.ts';
import { listPairScores } from '../ratings/deal-scores.ts';
import type { RatedMatch } from '../ratings/rating-model.ts';
import { evaluateStop, type SequentialState } from '../ratings/stopping-rule.ts';
import type { TournamentPlan } from '../tournament-plan/tournament-plan.ts';
import { findScoredSide, listEntrantPairs, rateMatch } from './tournament-precision.ts';
import { countBlockDeals, type TournamentMatch } from '../tournament-plan/tournament-schedule.ts';

/** State of a tournament that may end before its last deal. */
export interface StopState extends SequentialState {
  /** Number of deals, counted from the first, after which the tournament was decided; null while it is undecided. */
  decidedDeals: number | null;
}

/**
 * Collects the winners of a tournament's matches, in the schedule's order. Only the unbroken prefix of finished blocks
 * decides whether the tournament ends.
 *
 * @example
 * const scores = new TournamentScores(plan, listTournamentMatches(plan));
 * scores.record(match, 'werewolves');
 * scores.evaluate()?.decidedDeals; // null while the tournament continues
 */
export class TournamentScores {
  readonly #plan: TournamentPlan;
  readonly #blocks: TournamentMatch[][];
  readonly #rated = new Map<string, RatedMatch>();
  readonly #conditions: (string | null)[];
  #finishedBlocks = 0;
  #evaluated: { blocks: number; state: StopState } | null = null;

  constructor(plan: TournamentPlan, matches: readonly TournamentMatch[]) {
    this.#plan = plan;
    this.#blocks = [...Map.groupBy(matches, ({ block }) => block).values()];
    this.#conditions = [...new Set(matches.map(({ condition }) => condition))];
  }

  /** Records the winner of a finished match; null for a draw. */
  record(match: TournamentMatch, winner: Team | null): void {
    this.#rated.set(getMatchKey(match), rateMatch(match, winner));
  }

  /**
   * Evaluates the stopping rule; null if the plan has no stopping rule. The result depends only on the recorded
   * winners, not on the number of calls.
   */
  evaluate(): StopState | null {
    const { stop } = this.#plan;
    if (stop === undefined) return null;
    this.#countFinished();
    if (this.#evaluated?.blocks === this.#finishedBlocks) return this.#evaluated.state;
    const pairs = stop.pairs ?? listEntrantPairs(this.#plan);
    const side = findScoredSide(this.#plan);
    const listed = stop.pooled
      ? listPairScores(this.listFinishedBlocks(), pairs, side)
      : this.#conditions.flatMap((condition) =>
          listPairScores(this.#listBlocksOf(condition), pairs, side).map((one) => ({ ...one, condition })),
        );
    const state = evaluateStop(listed, stop);
    const decidedDeals = state.stopAt && state.stopAt * countBlockDeals(this.#plan);
    this.#evaluated = { blocks: this.#finishedBlocks, state: { ...state, decidedDeals } };
    return this.#evaluated.state;
  }

  /** Lists the unbroken prefix of finished blocks. */
  listFinishedBlocks(): RatedMatch[][] {
    return this.#listRated(() => true);
  }

  #listBlocksOf(condition: string | null): RatedMatch[][] {
    return this.#listRated((match) => match.condition === condition);
  }

  #listRated(isMeant: (match: TournamentMatch) => boolean): RatedMatch[][] {
    this.#countFinished();
    return this.#blocks
      .slice(0, this.#finishedBlocks)
      .map((matches) => matches.filter(isMeant).map((match) => this.#rated.get(getMatchKey(match))!));
  }

  #isFinished(matches: readonly TournamentMatch[] | undefined): boolean {
    return matches?.every((match) => this.#rated.has(getMatchKey(match))) ?? false;
  }

  #countFinished(): void {
    while (this.#isFinished(this.#blocks[this.#finishedBlocks])) this.#finishedBlocks++;
  }
}

/** Returns a key that identifies a match within its tournament. */
export const getMatchKey = ({ folder, board, deal, replicate, seats }: TournamentMatch): string =>
  JSON.stringify([
    ...[folder, board.name, deal, seats.map(({ entrant }) => entrant)],
    ...(replicate === undefined ? [] : [replicate]),
  ]);
