// What is set against what: two folders of matches, two models that changed sides, or two annotators of one folder.
import { type Arms, findSwappedModels, getDealKey, pairArms, type Pairing } from '../../deception/comparison/arms.ts';
import {
  listAnnotators,
  narrowToAnnotator,
  selectSharedJudgements,
} from '../../deception/comparison/compare-annotators.ts';
import {
  createConditionSides,
  createModelSides,
  narrowToModel,
  type Paired,
} from '../../deception/comparison/compare-arms.ts';
import type { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { Metric } from '../../deception/metrics/metric.ts';
import type { LeftOut } from '../../deception/summary/report-schema.ts';
import type { MatchTables } from '../../deception/tables/row-schemas.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { UsageError } from '../../state/usage-error.ts';
import { findMatches } from '../command/match-folder.ts';
import { readFirstSound, type SoundMatch, takeInventory } from '../report/match-inventory.ts';

export interface Readable {
  /** Sorted by id, each once. */
  matches: readonly SoundMatch[];
  leftOut: readonly LeftOut[];
}

/** Throws a UsageError for a folder without matches, and a RecordError where no record in it can be used. */
export async function readMatches(folder: string, judge: string | undefined): Promise<Readable> {
  const inventory = takeInventory(findMatches([folder]));
  const leftOut = [...inventory.leftOut];
  const matches: SoundMatch[] = [];
  for (const match of inventory.matches) {
    const read = await readFirstSound(match, { judge });
    leftOut.push(...read.leftOut);
    if (read.sound) matches.push(read.sound);
  }
  if (matches.length === 0)
    throw new RecordError(`No match in ${folder} can be compared. ${leftOut[0]?.message ?? ''}`);
  return { matches, leftOut };
}

export interface ComparisonSources extends Pairing {
  by: Comparison['by'];
  names: readonly [string, string];
  arms: Arms;
  /** What a plan can name. */
  metrics: readonly Metric[];
  judgements: Comparison['judgements'];
  /** Matches in which there is nothing to compare. */
  leftOut: readonly LeftOut[];
  /** Adds up what either arm has of each deal. */
  pairs: () => Paired[];
}

/** What the models cost and left unanswered stands in reports: as endpoints they would only add to what is adjusted for. */
const endpoints = metrics.filter(({ section }) => section !== 'reliability');

/**
 * Throws a UsageError where the folders share no deal, and where models are wanted that did not change sides.
 */
export function betweenFolders(
  names: readonly [string, string],
  matches: Record<'a' | 'b', readonly MatchTables[]>,
  by?: 'condition' | 'model',
): ComparisonSources {
  const arms: Arms = { a: matches.a.map(({ match }) => match), b: matches.b.map(({ match }) => match) };
  const pairing = pairArms(arms);
  if (pairing.deals.length === 0)
    throw new UsageError(
      `${names[0]} and ${names[1]} share no deal: no two matches have the same board, names, seats and roles. Play both with the same --board and --seed.`,
    );
  const models = findSwappedModels(arms);
  if (by === 'model' && !models)
    throw new UsageError(
      `--by model compares two models that changed sides: all matches of ${names[0]} with X as village and Y as Werewolves, all of ${names[1]} the other way round. Here are: ${[...sidesIn(arms.a), ...sidesIn(arms.b)].join('; ')}.`,
    );
  const swapped = by === 'condition' ? null : models;
  const sides = swapped ? createModelSides(endpoints, swapped) : createConditionSides(endpoints);
  return {
    ...pairing,
    by: swapped ? 'model' : 'condition',
    names: swapped ?? names,
    arms,
    metrics: swapped ? endpoints.flatMap((metric) => narrowToModel(metric, swapped[0]) ?? []) : endpoints,
    judgements: null,
    leftOut: [],
    pairs: () => {
      for (const arm of ['a', 'b'] as const) for (const match of matches[arm]) sides.add(arm, match);
      return sides.pairs(pairing.deals);
    },
  };
}

const sidesIn = (rows: Arms['a']) => [
  ...new Set(rows.map((row) => `${row.villagers_model ?? 'several'} against ${row.werewolves_model ?? 'several'}`)),
];

/** Throws a UsageError for an annotator that judged none of these matches, and for two that judged nothing in common. */
export function betweenAnnotators(
  folder: string,
  names: readonly [string, string],
  matches: readonly SoundMatch[],
): ComparisonSources {
  const known = listAnnotators(matches.map(({ tables }) => tables));
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(
        `--annotators: "${name}" has annotated no match in ${folder}. ${known.length === 0 ? 'Nobody has: see docs/annotate.md' : `Annotators there: ${known.join(', ')}`}.`,
      );
  const judged = matches.map(({ folder: at, tables }) => ({
    at,
    match: tables.match,
    ...selectSharedJudgements(tables, names),
  }));
  const shared = judged.filter(({ both }) => both > 0);
  if (shared.length === 0)
    throw new UsageError(
      `--annotators: ${names.join(' and ')} have judged no statement in ${folder} from the view of the same listener. Annotate with the same --listeners.`,
    );
  const by = (arm: 'a' | 'b') => judged.filter(({ both, alone }) => both + alone[arm] > 0);
  const idsOf = (arm: 'a' | 'b') =>
    by(arm)
      .filter(({ both }) => both === 0)
      .map(({ match }) => match.match_id);
  const total = (count: (one: (typeof judged)[number]) => number) => judged.reduce((all, one) => all + count(one), 0);
  const own = endpoints.flatMap((metric) => narrowToAnnotator(metric) ?? []);
  const deals = [...new Set(shared.map(({ match }) => getDealKey(match)))];
  return {
    by: 'annotator',
    names,
    arms: { a: by('a').map(({ match }) => match), b: by('b').map(({ match }) => match) },
    deals,
    alone: { a: idsOf('a'), b: idsOf('b') },
    metrics: own,
    judgements: {
      both: total(({ both }) => both),
      alone: { a: total(({ alone }) => alone.a), b: total(({ alone }) => alone.b) },
    },
    leftOut: judged
      .filter(({ both, alone }) => both + alone.a + alone.b === 0)
      .map(({ at }) => ({
        folder: at,
        reason: 'not judged',
        message: `Neither ${names.join(' nor ')} has judged it.`,
      })),
    pairs: () => {
      const sides = createConditionSides(own);
      for (const one of shared) for (const arm of ['a', 'b'] as const) sides.add(arm, one[arm]);
      return sides.pairs(deals);
    },
  };
}
