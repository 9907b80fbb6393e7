// What chance gives beside each figure of a report.
import { chanceFinder, type Chance, type Share } from '../baseline/chance.ts';
import type { Baseline } from '../baseline/baseline.ts';
import { whoPlayed, type Metric } from '../metrics/metric.ts';
import { keyOf, type CellSums } from './cell-sums.ts';
import type { Report } from './report-schema.ts';
import { wholeSample } from './samples.ts';

export interface Grounds {
  /** Of every match that counts: its number → the hash of its board and rules. */
  ofMatches: ReadonlyMap<number, string>;
  /** By that hash. */
  baselines: ReadonlyMap<string, Baseline>;
}

/**
 * By cell, of those that have any. A figure stands against the boards and rules of all matches; where it says who
 * played, or is of a part of the sample, against those of the matches in which it has anything to count. Nothing of a
 * cell of which a baseline is missing.
 */
export function chancesOf(
  metrics: readonly Metric[],
  cells: readonly (readonly CellSums[])[],
  { ofMatches, baselines }: Grounds,
): ReadonlyMap<string, Chance> {
  const named = new Map(metrics.map((metric) => [metric.name, metric]));
  const sharesOf = (matches: Iterable<number>): Share[] | null => {
    const counts = Map.groupBy(matches, (match) => ofMatches.get(match) ?? '');
    const inOrder = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)); // sums are then the same to the last bit
    const shares = inOrder.map(([hash, own]) => ({ baseline: baselines.get(hash), matches: own.length }));
    return shares.every((share): share is Share => share.baseline !== undefined) ? shares : null;
  };
  const all = sharesOf(ofMatches.keys());
  const chanceOf = chanceFinder();
  const found = cells.flatMap((parts): [string, Chance][] => {
    const key = parts[0]!;
    const metric = named.get(key.metric);
    if (!metric?.hasBaseline) return [];
    const isOfSome = key.sample !== wholeSample || Object.keys(key.cell).some((dimension) => whoPlayed.has(dimension));
    const shares = isOfSome ? sharesOf(parts.flatMap(({ unit }) => [...unit])) : all;
    const chance = shares && chanceOf(metric, key.cell, shares);
    return chance ? [[keyOf(key), chance]] : [];
  });
  return new Map(found);
}

/** In the order of the hashes, each with how many matches it stands for. */
export function baselinesUsed({ ofMatches, baselines }: Grounds): Report['baselines'] {
  const hashes = [...new Set(ofMatches.values())].sort();
  return hashes.flatMap((sha256) => {
    const baseline = baselines.get(sha256);
    const matches = [...ofMatches.values()].filter((hash) => hash === sha256).length;
    return baseline ? [{ sha256, matches, games: baseline.games, seed: baseline.seed }] : [];
  });
}
