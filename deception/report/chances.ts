// What chance gives beside each figure of a report.
import { chanceFinder, type Chance, type Share } from '../baseline/chance.ts';
import type { Baseline } from '../baseline/baseline.ts';
import { whoPlayed, type Cell, type Metric } from '../metrics/metric.ts';
import { keyOf, type CellSums } from './cell-sums.ts';
import type { Report } from './report-schema.ts';
import { wholeSample } from './samples.ts';
import type { Seating } from './seating.ts';

export interface Grounds {
  /** Of every match that counts: its number → the hash of its board and rules. */
  ofMatches: ReadonlyMap<number, string>;
  /** By that hash. */
  baselines: ReadonlyMap<string, Baseline>;
  /** Of the same matches. */
  seating: Seating;
}

type Parts = readonly CellSums[];

/**
 * By cell, of those that have any. A figure stands against the boards and rules of all matches of its sample. One of a
 * model stands against those on which it sat, each by the share of seats that it had there, side by side where the
 * metric is of both; one of a model that holds a side, or of a name, against those of the matches in which it did.
 * Whether a match had anything to count makes no difference: by chance as many have nothing. Nothing of a cell of which
 * a baseline is missing.
 */
export function chancesOf(
  metrics: readonly Metric[],
  cells: readonly Parts[],
  grounds: Grounds,
): ReadonlyMap<string, Chance> {
  const named = new Map(metrics.map((metric) => [metric.name, metric]));
  const sharesOf = sharesFinder(cells, grounds);
  const chanceOf = chanceFinder();
  const found = cells.flatMap((parts): [string, Chance][] => {
    const key = parts[0]!;
    const metric = named.get(key.metric);
    if (!metric?.hasBaseline) return [];
    const shares = sharesOf(metric, parts);
    const chance = shares && chanceOf(metric, key.cell, shares);
    return chance ? [[keyOf(key), chance]] : [];
  });
  return new Map(found);
}

/** Null where a baseline is missing. */
function sharesFinder(cells: readonly Parts[], { ofMatches, baselines, seating }: Grounds) {
  const hashes = [...new Set(ofMatches.values())].sort(); // sums are then the same to the last bit
  const shared = (matchesOn: (hash: string) => number, within: Cell = {}): Share[] | null => {
    const some = hashes.map((hash) => ({ baseline: baselines.get(hash), matches: matchesOn(hash), within }));
    const shares = some.filter(({ matches }) => matches > 0);
    return shares.every((share): share is (typeof shares)[number] & Share => share.baseline !== undefined)
      ? shares
      : null;
  };
  const ofSome = (matches: Iterable<number>) => {
    const counts = Map.groupBy(new Set(matches), (match) => ofMatches.get(match));
    return shared((hash) => counts.get(hash)?.length ?? 0);
  };
  const all = ofSome(ofMatches.keys());
  const samples = Map.groupBy(cells, ([first]) => first!.sample);
  const bySample = new Map(
    [...samples].map(([sample, own]) => [sample, sample === wholeSample ? all : ofSome(unitsOf(own))]),
  );
  const holding = Map.groupBy(cells, ([first]) => sidesKey(first!.cell));

  return (metric: Metric, parts: Parts): Share[] | null => {
    const { sample, cell } = parts[0]!;
    if (!Object.keys(cell).some((dimension) => whoPlayed.has(dimension))) return bySample.get(sample) ?? null;
    const model = cell['model'] ?? cell['observer_model'];
    if (model === undefined) return ofSome(unitsOf([parts]));
    if (metric.isOfWholeSides) return ofSome(unitsOf(holding.get(sidesKey(sidesHeld(metric, cell))) ?? [parts]));
    const role = cell['role'] ?? cell['observer_role'];
    const of = (team: string | undefined, within?: Cell) =>
      shared((hash) => seating.matchesOf(hash, model, { team, role }), within);
    const team = cell['team'] ?? cell['sheriff_team'] ?? metric.side;
    if (team !== undefined || role !== undefined || !tellsSides(metric)) return of(team);
    const sides = ['villagers', 'werewolves'].map((side) => of(side, { team: side }));
    return sides.every((side) => side !== null) ? sides.flat() : null;
  };
}

const unitsOf = (cells: readonly Parts[]) => cells.flatMap((parts) => parts.flatMap(({ unit }) => [...unit]));

/** Who held which side, in the dimensions of the metric that counts every match. */
function sidesHeld({ side }: Metric, { team = side, model, opponent }: Cell): Cell {
  const [own, other] = team === 'villagers' ? ['villagers', 'werewolves'] : ['werewolves', 'villagers'];
  return { [own]: model!, ...(opponent === undefined ? {} : { [other]: opponent }) };
}

const sidesKey = ({ villagers, werewolves }: Cell) => JSON.stringify([villagers ?? null, werewolves ?? null]);

const tellsSides = ({ by }: Metric) => by.some((table) => table.join() === 'team');

/** In the order of the hashes, each with how many matches it stands for. */
export function baselinesUsed({ ofMatches, baselines }: Omit<Grounds, 'seating'>): Report['baselines'] {
  const hashes = [...new Set(ofMatches.values())].sort();
  return hashes.flatMap((sha256) => {
    const baseline = baselines.get(sha256);
    const matches = [...ofMatches.values()].filter((hash) => hash === sha256).length;
    return baseline ? [{ sha256, matches, games: baseline.games, seed: baseline.seed }] : [];
  });
}
