// The additive model of wins. It also finds which combinations of strengths a set of matches identifies.
//
// η = β of the board and rules + mean strength α of the Werewolves' seats − mean strength δ of the village's seats. A
// strength is one entrant's, overall or by role. Matches identify the combinations that are sums of played tables (the
// row space of the design). All other combinations are refused, because a fit would return arbitrary values for them.
import type { Team } from '../../state/teams.ts';
import { type CellDesign, createDesignRow, type DealOutcomes, type DesignRow } from './firth-fit.ts';

/** Data of a match that ratings need. */
export interface RatedMatch {
  /** Key of the deal. All matches of a deal have the same roles, seats and random draws. */
  readonly deal: string;
  /**
   * Unit within which two entrants are exchanged when they are compared. It is a block of deals in which both entrants
   * meet the same opponents. Defaults to the deal.
   */
  readonly unit?: string;
  /** Board and rules. Each context has its own base rate of wins. */
  readonly context: string;
  /** Winning side; null if nobody won. */
  readonly winner: Team | null;
  readonly seats: readonly RatedSeat[];
}

export interface RatedSeat {
  readonly entrant: string;
  readonly team: Team;
  readonly role: string;
}

/** A linear combination: parameter → factor. */
export type Combination = ReadonlyMap<string, number>;

/** Matches with the same sides on the same board under the same rules. */
export interface RatingCell {
  readonly context: string;
  /** The entrant in all seats of the side; null if several entrants share the side. */
  readonly werewolves: string | null;
  readonly villagers: string | null;
}

export interface RatingModel {
  readonly design: CellDesign;
  readonly cells: readonly RatingCell[];
  /** Outcomes by deal. Cells and deals are sorted by key, so that the order of matches does not matter. */
  readonly deals: readonly DealOutcomes[];
  /** Index of each match's cell, in the given order of matches. */
  readonly cellOf: readonly number[];
  readonly contexts: readonly string[];
  /** Entrants on each side, sorted. `role` is null unless strengths are by role. */
  readonly seated: ReadonlyMap<string, { readonly team: Team; readonly role: string | null; readonly entrant: string }>;
  /** For each context, the share of each role in the seats of its side. */
  readonly rolesOf: ReadonlyMap<string, readonly { team: Team; role: string; share: number }[]>;
  /** Converts a combination to a row of the design; null if the matches do not identify the combination. */
  readonly reduce: (combination: Combination) => DesignRow | null;
}

/** Functions that name parameters of the model. */
export const nameContext = (context: string): string => JSON.stringify(['context', context]);
export const nameStrength = (team: Team, entrant: string, role: string | null): string =>
  JSON.stringify([team, role, entrant]);

/**
 * Creates the model of these matches. `byRole`: whether an entrant has one strength per role, instead of one per side.
 *
 * @example
 * const { design, deals, reduce } = createRatingModel(matches);
 * reduce(new Map([[nameStrength('werewolves', 'x', null), 1], [nameStrength('werewolves', 'y', null), -1]]));
 * // null if the matches do not separate x from y as Werewolves
 */
export function createRatingModel(matches: readonly RatedMatch[], { byRole = false } = {}): RatingModel {
  const contexts = [...new Set(matches.map(({ context }) => context))].sort();
  const withTies = contexts.filter((one) => matches.some(({ context, winner }) => context === one && winner === null));
  const keyed = matches.map((match) => {
    const combination = combineSeats(match, byRole);
    return { match, combination, key: JSON.stringify([...combination].sort()) };
  });
  const byCell = new Map(keyed.map((one) => [one.key, one]));
  const keys = [...byCell.keys()].sort();
  const cells = keys.map((key) => ({
    combination: byCell.get(key)!.combination,
    cell: describeCell(byCell.get(key)!.match),
  }));
  const placeOf = new Map(keys.map((key, place) => [key, place]));
  const placed = keyed.map(({ match, key }) => ({ match, cell: placeOf.get(key)! }));
  const names = [...new Set(cells.flatMap(({ combination }) => [...combination.keys()]))].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  const expand = (combination: Combination) => {
    const row = new Float64Array(names.length);
    for (const [name, amount] of combination) if (places.has(name)) row[places.get(name)!]! += amount;
    return row;
  };
  const rows = cells.map(({ combination }) => expand(combination));
  const basis = findBasis(rows);
  // Linearly dependent parameters are set to 0. It does not matter which of them are set to 0.
  const kept = listIndependent(names.map((_, place) => Float64Array.from(rows, (row) => row[place]!)));
  const keep = (row: Float64Array) => createDesignRow(kept.map((place) => row[place]!));
  const byDeal = [...Map.groupBy(placed, ({ match }) => match.deal)].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    design: {
      cells: rows.map(keep),
      ties: Int32Array.from(cells, ({ cell }) => withTies.indexOf(cell.context)),
      strengths: kept.length,
      size: kept.length + withTies.length,
    },
    cells: cells.map(({ cell }) => cell),
    deals: byDeal.map(([, own]) => countDeal(own)),
    cellOf: placed.map(({ cell }) => cell),
    contexts,
    seated: new Map(matches.flatMap((match) => listSeated(match, byRole))),
    rolesOf: new Map(contexts.map((one) => [one, listRoles(matches.find(({ context }) => context === one)!)])),
    reduce: (combination) => {
      if ([...combination].some(([name, amount]) => amount !== 0 && !places.has(name))) return null;
      const row = expand(combination);
      return isSpanned(row, basis) ? keep(row) : null;
    },
  };
}

/** Returns η of a match as a combination of parameters. */
function combineSeats({ context, seats }: RatedMatch, byRole: boolean): Combination {
  const combination = new Map([[nameContext(context), 1]]);
  const sizes = countSides(seats);
  for (const { team, role, entrant } of seats) {
    const name = nameStrength(team, entrant, byRole ? role : null);
    const share = (team === 'werewolves' ? 1 : -1) / sizes[team];
    combination.set(name, (combination.get(name) ?? 0) + share);
  }
  // Rounding makes the sum of an entrant's seats independent of their order.
  return new Map([...combination].map(([name, amount]) => [name, Math.round(amount * 1e12) / 1e12]));
}

const countSides = (seats: readonly RatedSeat[]): Record<Team, number> => ({
  werewolves: seats.filter(({ team }) => team === 'werewolves').length,
  villagers: seats.filter(({ team }) => team === 'villagers').length,
});

const describeCell = ({ context, seats }: RatedMatch): RatingCell => {
  const findOnly = (side: Team) => {
    const own = new Set(seats.flatMap(({ team, entrant }) => (team === side ? [entrant] : [])));
    return own.size === 1 ? [...own][0]! : null;
  };
  return { context, werewolves: findOnly('werewolves'), villagers: findOnly('villagers') };
};

const listSeated = ({ seats }: RatedMatch, byRole: boolean) =>
  seats.map(({ team, role, entrant }) => {
    const own = { team, role: byRole ? role : null, entrant };
    return [nameStrength(team, entrant, own.role), own] as const;
  });

function listRoles({ seats }: RatedMatch) {
  const sizes = countSides(seats);
  return [...Map.groupBy(seats, ({ team, role }) => JSON.stringify([team, role])).values()].map((own) => {
    const { team, role } = own[0]!;
    return { team, role, share: own.length / sizes[team] };
  });
}

function countDeal(matches: readonly { match: RatedMatch; cell: number }[]): DealOutcomes {
  const outcomes = Map.groupBy(matches, ({ match, cell }) => 3 * cell + getOutcome(match.winner));
  const places = [...outcomes.keys()].sort((one, other) => one - other);
  return {
    places: Int32Array.from(places),
    counts: Float64Array.from(places, (place) => outcomes.get(place)!.length),
  };
}

const getOutcome = (winner: Team | null) => (winner === 'werewolves' ? 0 : winner === 'villagers' ? 1 : 2);

// Finding the span of the design's rows.

/**
 * Largest length at which the remainder of a row of length 1, after projection on the basis, counts as 0. The row then
 * counts as spanned. The value is above 0 because rows hold inexact shares.
 */
const ROUNDING = 1e-8;

/** Finds orthonormal vectors that span the rows (Gram–Schmidt, applied twice for accuracy). */
function findBasis(rows: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const row of rows) extendBasis(basis, row);
  return basis;
}

/** Lists the indices of the vectors that are not in the span of earlier vectors. */
function listIndependent(vectors: readonly Float64Array[]): number[] {
  const basis: Float64Array[] = [];
  return vectors.flatMap((vector, place) => (extendBasis(basis, vector) ? [place] : []));
}

/** Adds the vector to the basis and returns true. Returns false if the basis already spans the vector. */
function extendBasis(basis: Float64Array[], vector: Float64Array): boolean {
  const left = removeSpanned(vector, basis);
  if (computeLength(left) <= ROUNDING * computeLength(vector)) return false;
  const exact = removeSpanned(left, basis);
  const length = computeLength(exact);
  basis.push(exact.map((amount) => amount / length));
  return true;
}

function removeSpanned(row: Float64Array, basis: readonly Float64Array[]): Float64Array {
  const left = Float64Array.from(row);
  for (const vector of basis) {
    const along = computeProduct(left, vector);
    for (let i = 0; i < left.length; i++) left[i]! -= along * vector[i]!;
  }
  return left;
}

const isSpanned = (row: Float64Array, basis: readonly Float64Array[]) =>
  computeLength(removeSpanned(row, basis)) <= 1e-6 * computeLength(row);

const computeLength = (vector: Float64Array) => Math.sqrt(computeProduct(vector, vector));

function computeProduct(one: Float64Array, other: Float64Array): number {
  let product = 0;
  for (let i = 0; i < one.length; i++) product += one[i]! * other[i]!;
  return product;
}
