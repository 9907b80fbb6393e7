// The chance baseline of each figure of a report: its expected value if the matches had been played at random. For
// figures of a model, matches are weighted by the model's seats.
import {
  type ChanceBaseline,
  type BaselineShare,
  type ChanceFigure,
  createChanceFinder,
} from '../baseline/chance-baseline.ts';
import type { Team } from '../../state/teams.ts';
import { type MetricCell, type Metric, playerDimensions } from '../metrics/metric.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import { wholeSampleName } from './report-samples.ts';
import type { Report } from './report-schema.ts';
import { type CellSums, getCellKey } from './sufficient-statistics.ts';

// Counts of seats. From these counts, each model's share of the seats is computed for each combination of board and
// rules.

export type SeatedModel = Pick<PlayerRow, 'model' | 'team' | 'role'>;

/** Selects seats by team, by role or by both. Selects all seats if both are absent. */
interface SeatFilter {
  team?: string | undefined;
  role?: string | undefined;
  /** The model that plays all seats of the other side. If absent, any models may play them. */
  opponent?: string | undefined;
}

/** Computes each model's share of seats. Matches are added one at a time, and only counts of seats are kept. */
export class ModelSeatShares {
  /**
   * Nested counts of seats. The keys are: hash of board and rules; model and seat filter; number n of seats that pass
   * the filter in a match. The value is the number of these seats that the model had, added over all matches with this
   * n.
   */
  readonly #seats = new Map<string, Map<string, Map<number, number>>>();

  /** Adds a match by the hash of its board and rules (`hashBaselineKey`), with all its seats. */
  add(baselineKey: string, seats: readonly SeatedModel[]): void {
    const byModel = this.#seats.get(baselineKey) ?? new Map<string, Map<number, number>>();
    this.#seats.set(baselineKey, byModel);
    const opponents = { villagers: findSideModel(seats, 'werewolves'), werewolves: findSideModel(seats, 'villagers') };
    const listFilters = (seat: SeatedModel) => listSeatFilters(seat, opponents[seat.team]);
    const byFilter = Map.groupBy(seats.flatMap(listFilters), ({ filter }) => filter);
    for (const [filter, matching] of byFilter)
      for (const { model } of matching) {
        const key = getModelKey(model, filter);
        const bySize = byModel.get(key) ?? new Map<number, number>();
        byModel.set(key, bySize.set(matching.length, (bySize.get(matching.length) ?? 0) + 1));
      }
  }

  /**
   * Returns the number of matches, where each match counts as the model's share of the selected seats. For example,
   * four matches with 2 of 8 seats each count as one match.
   */
  countMatches(baselineKey: string, model: string, filter: SeatFilter): number {
    const bySize = this.#seats.get(baselineKey)?.get(getModelKey(model, getFilterName(filter))) ?? [];
    return [...bySize].reduce((total, [size, own]) => total + own / size, 0); // Counts are whole numbers, so the order of matches does not matter.
  }
}

const getFilterName = ({ team = '', role = '', opponent = '' }: SeatFilter) => JSON.stringify([team, role, opponent]);

const getModelKey = (model: string, filter: string) => `${filter} ${model}`;

const listSeatFilters = ({ model, team, role }: SeatedModel, opponent: string | undefined) =>
  [{}, { team }, { role }, { team, role }]
    .flatMap((filter) => (opponent === undefined ? [filter] : [filter, { ...filter, opponent }]))
    .map((filter) => ({ model, filter: getFilterName(filter) }));

function findSideModel(seats: readonly SeatedModel[], side: Team): string | undefined {
  const models = new Set(seats.filter(({ team }) => team === side).map(({ model }) => model));
  return models.size === 1 ? [...models][0] : undefined;
}

// Chance baselines of the cells.

interface ChanceInputs {
  /** Number of each match that counts → hash of its board and rules. */
  baselineKeys: ReadonlyMap<number, string>;
  /** Hash of board and rules → baseline. */
  baselines: ReadonlyMap<string, ChanceBaseline>;
  /** Shares of seats in the same matches. */
  seating: ModelSeatShares;
}

type CellParts = readonly CellSums[];

/**
 * Computes the chance baselines by `getCellKey`. A figure is compared with random matches on boards and rules that
 * depend on its cell:
 *
 * - in general, the boards and rules of all matches in its sample;
 * - for a figure of a model, the boards and rules on which the model played. Each is weighted by the model's share of
 *   the seats, separately for each side if the metric covers both sides;
 * - for a figure of a model that played a whole side, the boards and rules of the matches in which it did so;
 * - for a figure of a player's name, the boards and rules of the matches in which that name played.
 *
 * Matches with nothing to count are included, because random matches can have nothing to count either. A cell has no
 * baseline if the baseline of any of these boards is missing.
 *
 * @example
 * const chances = computeChances(metrics, cells, { baselineKeys, baselines, seating });
 * chances.get(getCellKey({ sample: 'all', metric: 'win_rate', cell: { team: 'villagers' } })); // e.g. { value: 0.21, se: 0.002 }
 */
export function computeChances(
  metrics: readonly Metric[],
  cells: readonly CellParts[],
  inputs: ChanceInputs,
): ReadonlyMap<string, ChanceFigure> {
  const byName = new Map(metrics.map((metric) => [metric.name, metric]));
  const findShares = createShareFinder(cells, inputs);
  const findChance = createChanceFinder();
  const found = cells.flatMap((parts): [string, ChanceFigure][] => {
    const key = parts[0]!;
    const metric = byName.get(key.metric);
    if (!metric?.hasBaseline) return [];
    const shares = findShares(metric, parts);
    const chance = shares && findChance(metric, key.cell, shares);
    return chance ? [[getCellKey(key), chance]] : [];
  });
  return new Map(found);
}

/**
 * Creates a function that finds the baselines of a cell with their weights; its result is null if a baseline is
 * missing.
 */
function createShareFinder(cells: readonly CellParts[], { baselineKeys: ofMatches, baselines, seating }: ChanceInputs) {
  const hashes = [...new Set(ofMatches.values())].sort(); // A fixed order makes sums equal to the last bit.
  const listShares = (matchesOn: (hash: string) => number, within: MetricCell = {}): BaselineShare[] | null => {
    const weighted = hashes.map((hash) => ({ baseline: baselines.get(hash), matches: matchesOn(hash), within }));
    const shares = weighted.filter(({ matches }) => matches > 0);
    return shares.every((share): share is (typeof shares)[number] & BaselineShare => share.baseline !== undefined)
      ? shares
      : null;
  };
  const listSharesFor = (matches: Iterable<number>) => {
    const counts = Map.groupBy(new Set(matches), (match) => ofMatches.get(match));
    return listShares((hash) => counts.get(hash)?.length ?? 0);
  };
  const all = listSharesFor(ofMatches.keys());
  const samples = Map.groupBy(cells, ([first]) => first!.sample);
  const bySample = new Map(
    [...samples].map(([sample, own]) => [sample, sample === wholeSampleName ? all : listSharesFor(listUnits(own))]),
  );
  const bySides = Map.groupBy(cells, ([first]) => getSidesKey(first!.cell));

  return (metric: Metric, parts: CellParts): BaselineShare[] | null => {
    const { sample, cell } = parts[0]!;
    if (!Object.keys(cell).some((dimension) => playerDimensions.has(dimension))) return bySample.get(sample) ?? null;
    const model = cell['model'] ?? cell['observer_model'];
    if (model === undefined) return listSharesFor(listUnits([parts]));
    if (metric.isOfWholeSides)
      return listSharesFor(listUnits(bySides.get(getSidesKey(getSidesHeld(metric, cell))) ?? [parts]));
    const role = cell['role'] ?? cell['observer_role'];
    const { opponent } = cell;
    const listModelShares = (team: string | undefined, within?: MetricCell) =>
      listShares((hash) => seating.countMatches(hash, model, { team, role, opponent }), within);
    const team = cell['team'] ?? cell['sheriff_team'] ?? metric.side;
    if (team !== undefined || role !== undefined || !hasSideTable(metric)) return listModelShares(team);
    const sides = ['villagers', 'werewolves'].map((side) => listModelShares(side, { team: side }));
    return sides.every((side) => side !== null) ? sides.flat() : null;
  };
}

const listUnits = (cells: readonly CellParts[]) => cells.flatMap((parts) => parts.flatMap(({ unit }) => [...unit]));

/** Returns which model held which side, for the cell of a metric that counts every match. */
function getSidesHeld({ side }: Metric, { team = side, model, opponent }: MetricCell): MetricCell {
  const [own, other] = team === 'villagers' ? ['villagers', 'werewolves'] : ['werewolves', 'villagers'];
  return { [own]: model!, ...(opponent === undefined ? {} : { [other]: opponent }) };
}

const getSidesKey = ({ villagers, werewolves }: MetricCell) => JSON.stringify([villagers ?? null, werewolves ?? null]);

const hasSideTable = ({ breakdowns }: Metric) => breakdowns.some((table) => table.join() === 'team');

/**
 * Lists the baselines in use, sorted by hash. Each entry includes the number of matches on the baseline's board and
 * rules.
 */
export function listUsedBaselines({
  baselineKeys: ofMatches,
  baselines,
}: Omit<ChanceInputs, 'seating'>): Report['baselines'] {
  const hashes = [...new Set(ofMatches.values())].sort();
  return hashes.flatMap((sha256) => {
    const baseline = baselines.get(sha256);
    const matches = [...ofMatches.values()].filter((hash) => hash === sha256).length;
    return baseline ? [{ sha256, matches, games: baseline.games, seed: baseline.seed }] : [];
  });
}
