// What chance gives beside each figure of a report, weighted by the seats that each model had.
import { type Baseline, type BaselineShare, type Chance, createChanceFinder } from '../baseline/baseline.ts';
import { type Cell, type Metric, whoPlayed } from '../metrics/metric.ts';
import type { PlayerRow } from '../tables/row-schemas.ts';
import { wholeSample } from './report-samples.ts';
import type { Report } from './report-schema.ts';
import { type CellSums, getCellKey } from './sufficient-statistics.ts';

// How many of the seats each model had, on each board under its rules: what its own matches are weighted by.

export type SeatedModel = Pick<PlayerRow, 'model' | 'team' | 'role'>;

/** Which seats: all of them where it names neither. */
export interface SeatFilter {
  team?: string | undefined;
  role?: string | undefined;
}

/** Matches are added one at a time; nothing but sums is kept of them. */
export class SeatShares {
  /** Board and rules → model and which seats → matches by the number of those seats → how often a seat there was its own. */
  readonly #seats = new Map<string, Map<string, Map<number, number>>>();

  /** `ground`: the hash of its board and rules; all its seats. */
  add(ground: string, seats: readonly SeatedModel[]): void {
    const byModel = this.#seats.get(ground) ?? new Map<string, Map<number, number>>();
    this.#seats.set(ground, byModel);
    const all = Map.groupBy(seats.flatMap(listSeatFilters), ({ which }) => which);
    for (const [which, places] of all)
      for (const { model } of places) {
        const key = getModelKey(model, which);
        const bySize = byModel.get(key) ?? new Map<number, number>();
        byModel.set(key, bySize.set(places.length, (bySize.get(places.length) ?? 0) + 1));
      }
  }

  /** Matches, each by the share of those seats that the model had: 2 of 8 seats in four matches are one. */
  countMatches(ground: string, model: string, which: SeatFilter): number {
    const bySize = this.#seats.get(ground)?.get(getModelKey(model, getFilterName(which))) ?? [];
    return [...bySize].reduce((total, [size, own]) => total + own / size, 0); // whole numbers first: exact in any order
  }
}

const getFilterName = ({ team = '', role = '' }: SeatFilter) => JSON.stringify([team, role]);

const getModelKey = (model: string, which: string) => `${which} ${model}`;

const listSeatFilters = ({ model, team, role }: SeatedModel) =>
  [{}, { team }, { role }, { team, role }].map((which) => ({ model, which: getFilterName(which) }));

// What chance gives beside each figure of a report.

export interface ChanceInputs {
  /** Of every match that counts: its number → the hash of its board and rules. */
  ofMatches: ReadonlyMap<number, string>;
  /** By that hash. */
  baselines: ReadonlyMap<string, Baseline>;
  /** Of the same matches. */
  seating: SeatShares;
}

type CellParts = readonly CellSums[];

/**
 * By cell, of those that have any. A figure stands against the boards and rules of all matches of its sample. One of a
 * model stands against those on which it sat, each by the share of seats that it had there, side by side where the
 * metric is of both; one of a model that holds a side, or of a name, against those of the matches in which it did.
 * Whether a match had anything to count makes no difference: by chance as many have nothing. Nothing of a cell of which
 * a baseline is missing.
 */
export function computeChances(
  metrics: readonly Metric[],
  cells: readonly CellParts[],
  grounds: ChanceInputs,
): ReadonlyMap<string, Chance> {
  const named = new Map(metrics.map((metric) => [metric.name, metric]));
  const sharesOf = createShareFinder(cells, grounds);
  const chanceOf = createChanceFinder();
  const found = cells.flatMap((parts): [string, Chance][] => {
    const key = parts[0]!;
    const metric = named.get(key.metric);
    if (!metric?.hasBaseline) return [];
    const shares = sharesOf(metric, parts);
    const chance = shares && chanceOf(metric, key.cell, shares);
    return chance ? [[getCellKey(key), chance]] : [];
  });
  return new Map(found);
}

/** Null where a baseline is missing. */
function createShareFinder(cells: readonly CellParts[], { ofMatches, baselines, seating }: ChanceInputs) {
  const hashes = [...new Set(ofMatches.values())].sort(); // sums are then the same to the last bit
  const listShares = (matchesOn: (hash: string) => number, within: Cell = {}): BaselineShare[] | null => {
    const some = hashes.map((hash) => ({ baseline: baselines.get(hash), matches: matchesOn(hash), within }));
    const shares = some.filter(({ matches }) => matches > 0);
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
    [...samples].map(([sample, own]) => [sample, sample === wholeSample ? all : listSharesFor(listUnits(own))]),
  );
  const holding = Map.groupBy(cells, ([first]) => getSidesKey(first!.cell));

  return (metric: Metric, parts: CellParts): BaselineShare[] | null => {
    const { sample, cell } = parts[0]!;
    if (!Object.keys(cell).some((dimension) => whoPlayed.has(dimension))) return bySample.get(sample) ?? null;
    const model = cell['model'] ?? cell['observer_model'];
    if (model === undefined) return listSharesFor(listUnits([parts]));
    if (metric.isOfWholeSides)
      return listSharesFor(listUnits(holding.get(getSidesKey(getSidesHeld(metric, cell))) ?? [parts]));
    const role = cell['role'] ?? cell['observer_role'];
    const listModelShares = (team: string | undefined, within?: Cell) =>
      listShares((hash) => seating.countMatches(hash, model, { team, role }), within);
    const team = cell['team'] ?? cell['sheriff_team'] ?? metric.side;
    if (team !== undefined || role !== undefined || !hasSideTable(metric)) return listModelShares(team);
    const sides = ['villagers', 'werewolves'].map((side) => listModelShares(side, { team: side }));
    return sides.every((side) => side !== null) ? sides.flat() : null;
  };
}

const listUnits = (cells: readonly CellParts[]) => cells.flatMap((parts) => parts.flatMap(({ unit }) => [...unit]));

/** Who held which side, in the dimensions of the metric that counts every match. */
function getSidesHeld({ side }: Metric, { team = side, model, opponent }: Cell): Cell {
  const [own, other] = team === 'villagers' ? ['villagers', 'werewolves'] : ['werewolves', 'villagers'];
  return { [own]: model!, ...(opponent === undefined ? {} : { [other]: opponent }) };
}

const getSidesKey = ({ villagers, werewolves }: Cell) => JSON.stringify([villagers ?? null, werewolves ?? null]);

const hasSideTable = ({ breakdowns }: Metric) => breakdowns.some((table) => table.join() === 'team');

/** In the order of the hashes, each with how many matches it stands for. */
export function listUsedBaselines({ ofMatches, baselines }: Omit<ChanceInputs, 'seating'>): Report['baselines'] {
  const hashes = [...new Set(ofMatches.values())].sort();
  return hashes.flatMap((sha256) => {
    const baseline = baselines.get(sha256);
    const matches = [...ofMatches.values()].filter((hash) => hash === sha256).length;
    return baseline ? [{ sha256, matches, games: baseline.games, seed: baseline.seed }] : [];
  });
}
