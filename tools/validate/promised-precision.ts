// Compares the precision that dry runs predict with the precision of simulated tournaments of the same plans.
import { estimatePromise, simulateReached } from '../../deception/tournament/promised-precision.ts';
import { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { mean } from '../../deception/statistics/sums.ts';
import { boards } from '../../state/boards.ts';

/** A kind of tournament: number of entrants, format and number of deals. */
export interface PromiseCell {
  entrants: number;
  deals: number;
  format: TournamentPlan['format'];
}

export interface PromiseFinding {
  cell: PromiseCell;
  tournaments: number;
  /**
   * Half-width of the interval of a difference between two scores, as promised. `reached`: mean of the half-widths that
   * tournaments reach.
   */
  promised: number;
  reached: number;
}

export const promiseCells: readonly PromiseCell[] = [
  { entrants: 2, deals: 20, format: 'head-to-head' },
  { entrants: 2, deals: 60, format: 'head-to-head' },
  { entrants: 4, deals: 20, format: 'round-robin' },
  { entrants: 4, deals: 40, format: 'round-robin' },
];

/** Number of simulated tournaments of each kind, and number of resamples behind each interval. */
const [tournaments, resamples] = [20, 199];

/** Maximum relative difference between the mean of the reached half-widths and the promised half-width. */
const mostOff = 0.15;

/**
 * Simulates tournaments of this kind between equal entrants, as the dry run assumes, and measures the intervals of
 * differences.
 *
 * @example measurePromise({ entrants: 2, deals: 20, format: 'head-to-head' }).reached
 */
export function measurePromise(cell: PromiseCell): PromiseFinding {
  const names = Array.from({ length: cell.entrants }, (_, place): [string, { model: string }] => [
    `e${place}`,
    { model: `bot:classic?salt=${place}` },
  ]);
  const plan = TournamentPlan.parse({
    ...{ name: 'promised', entrants: Object.fromEntries(names), format: cell.format, selfPlay: false, design: 'all' },
    ...{ boards: [boards['classic-8']], rules: ['arena'], deals: cell.deals, seed: 1 },
  });
  const reached = Array.from({ length: tournaments }, (_, run) => simulateReached(plan, { run: run + 1, resamples }));
  return {
    cell,
    tournaments,
    promised: estimatePromise(plan) ?? Number.NaN,
    reached: mean(reached.flatMap((one) => one ?? [])) ?? Number.NaN,
  };
}

/** Whether the precision that a dry run predicts differs too much from the precision that such tournaments reach. */
export const isPromiseBroken = ({ promised, reached }: PromiseFinding): boolean =>
  !(Math.abs(reached / promised - 1) <= mostOff);

/**
 * Names a kind of tournament.
 *
 * @example namePromiseCell({ entrants: 2, deals: 20, format: 'head-to-head' }) // '2 entrants, head-to-head, 20 deals'
 */
export const namePromiseCell = ({ entrants, deals, format }: PromiseCell): string =>
  `${entrants} entrants, ${format}, ${deals} deals`;
