// Comparison of two arms (conditions, models that changed sides, or annotators), deal by deal: which matches are paired, and
// what of them is compared.
import { findIncomparableReason, type ReadingFinding } from '../metrics/comparability.ts';
import { isByListener } from '../metrics/judgements.ts';
import { MetricCollection } from '../metrics/metric-collection.ts';
import { type MetricCell, isOfModels, type Metric } from '../metrics/metric.ts';
import { pairContrast } from '../statistics/paired-test.ts';
import { sum } from '../statistics/sums.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';
import type { NotCompared } from './comparison-schema.ts';
import { getDealKey } from '../design/schedule.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';

// Pairing: which matches of the two arms share a deal, and in what else the arms differ.

/** The matches of both arms. */
export interface ArmRows {
  a: readonly MatchRow[];
  b: readonly MatchRow[];
}

export interface ArmPairing {
  /** Deals that were played in both arms, in the order of the first. */
  deals: readonly string[];
  /** Ids of matches whose deal was not played in the other arm. */
  alone: { a: readonly string[]; b: readonly string[] };
}

/**
 * Finds the deals that were played in both arms.
 *
 * @example
 * const { deals, alone } = pairArms({ a: rowsOfA, b: rowsOfB });
 */
export function pairArms({ a, b }: ArmRows): ArmPairing {
  const inA = new Set(a.map(getDealKey));
  const inB = new Set(b.map(getDealKey));
  const listUnpaired = (rows: readonly MatchRow[], other: ReadonlySet<string>) =>
    rows.filter((row) => !other.has(getDealKey(row))).map((row) => row.match_id);
  return {
    deals: [...inA].filter((deal) => inB.has(deal)),
    alone: { a: listUnpaired(a, inB), b: listUnpaired(b, inA) },
  };
}

/** A condition in which the arms differ, with its values in each, sorted. */
interface Contrast {
  what: string;
  a: readonly string[];
  b: readonly string[];
}

/** The conditions (models by side, rules, versions) of which the arms do not have the same values. */
export function listContrasts({ a, b }: ArmRows): Contrast[] {
  const rules = new Set([...a, ...b].flatMap((row) => Object.keys(parseRules(row))));
  const conditions: [string, (row: MatchRow) => string][] = [
    ['model of the village', (row) => row.villagers_model ?? 'several'],
    ['model of the Werewolves', (row) => row.werewolves_model ?? 'several'],
    ...[...rules].map((name): [string, (row: MatchRow) => string] => [
      `rule ${name}`,
      (row) => JSON.stringify(parseRules(row)[name] ?? null),
    ]),
    ['variant', (row) => row.variant],
    ['experience', (row) => row.experience ?? 'none'],
    ['version', (row) => row.wolfgraph],
    ['wording of the prompts', (row) => row.templates_sha256.slice(0, 12)],
  ];
  return conditions
    .map(([what, of]) => ({ what, a: listValues(a, of), b: listValues(b, of) }))
    .filter((contrast) => contrast.a.join('\n') !== contrast.b.join('\n'));
}

const parseRules = ({ rules }: MatchRow) => JSON.parse(rules) as Record<string, unknown>;

const listValues = (rows: readonly MatchRow[], of: (row: MatchRow) => string) => [...new Set(rows.map(of))].sort();

/** The two models that changed sides between the arms, the village's model of `a` first; null where none did. */
export function findSwappedModels({ a, b }: ArmRows): [string, string] | null {
  const first = a[0];
  if (!first?.villagers_model || !first.werewolves_model || first.villagers_model === first.werewolves_model)
    return null;
  const [one, other] = [first.villagers_model, first.werewolves_model];
  const arePlayedBy = (rows: readonly MatchRow[], village: string, pack: string) =>
    rows.length > 0 && rows.every((row) => row.villagers_model === village && row.werewolves_model === pack);
  return arePlayedBy(a, one, other) && arePlayedBy(b, other, one) ? [one, other] : null;
}

// Which metrics may be compared: between models none that is made of claims, unless one judge drew them.

/** Whether the same models had the same roles in both arms, in each of these deals: seats and names are other in a variant. */
export function hasSameModels(
  { a, b }: Readonly<Record<'a' | 'b', readonly MatchTables[]>>,
  deals: readonly string[],
): boolean {
  const listSeated = (matches: readonly MatchTables[]) => {
    const paired = matches.filter(({ match }) => deals.includes(getDealKey(match)));
    return new Set(
      paired.map(({ match, players }) =>
        JSON.stringify([getDealKey(match), ...players.map(({ role, model }) => `${role}: ${model}`).sort()]),
      ),
    );
  };
  const [ofA, ofB] = [listSeated(a), listSeated(b)];
  return ofA.size === ofB.size && [...ofA].every((seat) => ofB.has(seat));
}

/** The metrics that may be compared between models, and the others with the reason. `extractor`: who drew the claims. */
export function selectComparable(
  metrics: readonly Metric[],
  extractor: string,
  reading: ReadingFinding | null = null,
): { comparable: Metric[]; notCompared: NotCompared[] } {
  const judged = metrics.map((metric) => ({ metric, reason: findIncomparableReason(metric, [extractor], reading) }));
  return {
    comparable: judged.flatMap(({ metric, reason }) => (reason === null ? [metric] : [])),
    notCompared: judged.flatMap(({ metric, reason }) => (reason === null ? [] : [{ metric: metric.name, reason }])),
  };
}

// Metrics narrowed to one model: their cells do not name it, so that they are the same in both arms.

/**
 * The metric over what concerns `model` alone, in cells that name no model: not the other one either. Null for a metric
 * without a dimension for models.
 */
export function narrowToModel(metric: Metric, model: string): Metric | null {
  const { modelDimension } = metric;
  if (modelDimension === undefined) return null;
  const isOfOther = (dimension: string) => dimension !== modelDimension && isOfModels(dimension);
  const breakdowns = metric.breakdowns.filter((table) => !table.some(isOfOther));
  return {
    ...removeDimensions({ ...metric, breakdowns }, [modelDimension]),
    count: (match) =>
      metric
        .count(match)
        .filter(({ cell }) => cell[modelDimension] === model)
        .map(({ cell, sums }) => ({ cell: dropCellDimension(cell, modelDimension), sums })),
  };
}

/** The metric with fewer dimensions; breakdowns that become the same are kept once. */
function removeDimensions(metric: Metric, dimensions: readonly string[]): Metric {
  const removeNames = (names: readonly string[]) => names.filter((name) => !dimensions.includes(name));
  const tables = [...new Set(metric.breakdowns.map((table) => JSON.stringify(removeNames(table))))];
  return {
    ...metric,
    strata: removeNames(metric.strata),
    breakdowns: tables.map((table) => JSON.parse(table) as string[]).filter((table) => table.length > 0),
  };
}

const dropCellDimension = (cell: MetricCell, dimension: string): MetricCell =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => name !== dimension));

// Paired differences of all metrics.

/** Collects the sums of both arms, with the deal as the unit. */
interface Sides {
  add(arm: 'a' | 'b', match: MatchTables): void;
  /** For each cell of each metric that both arms have, the sums of each of these deals. */
  listContrasted(deals: readonly string[]): ContrastedFigure[];
}

/**
 * Collects the matches of one condition against those of another.
 *
 * @example
 * const sides = createConditionSides(metrics);
 * for (const match of matchesOfA) sides.add('a', match);
 * for (const match of matchesOfB) sides.add('b', match);
 * const resampling = createResampling(deals.length, 2000, 1);
 * const { primary, secondary } = computeDifferences(sides.listContrasted(deals), endpoints, resampling);
 */
export function createConditionSides(metrics: readonly Metric[]): Sides {
  const arms = { a: new MetricCollection(metrics), b: new MetricCollection(metrics) };
  return {
    add: (arm, match) => arms[arm].add(match, getDealKey(match.match)),
    listContrasted: (deals) => listContrasted(arms, deals),
  };
}

/**
 * Collects what one model did in the matches of both arms against what the other did: in each deal both played both sides.
 * What is not a model's own deed is joint with the opponent.
 */
export function createModelSides(metrics: readonly Metric[], models: readonly [string, string]): Sides {
  const [one, other] = models.map((model) => metrics.flatMap((metric) => narrowToModel(metric, model) ?? []));
  const arms = { a: new MetricCollection(one!), b: new MetricCollection(other!) };
  return {
    add: (_, match) => {
      for (const collection of Object.values(arms)) collection.add(match, getDealKey(match.match));
    },
    listContrasted: (deals) =>
      listContrasted(arms, deals).map((row) => ({ ...row, isJoint: row.metric.isOwnDeed !== true })),
  };
}

function listContrasted(
  arms: Readonly<Record<'a' | 'b', MetricCollection>>,
  deals: readonly string[],
): ContrastedFigure[] {
  const others = arms.b.indexCells();
  return [...arms.a.indexCells()].flatMap(([key, one]): ContrastedFigure[] => {
    const other = others.get(key);
    if (!other) return [];
    const [a, b] = [one, other].map(({ clusters }) => new Map(clusters.map(({ unit, sums }) => [unit, sums])));
    const rows = deals.map((deal) => [a!.get(deal) ?? {}, b!.get(deal) ?? {}]);
    return [{ metric: one.metric, cell: one.cell, deals: rows, contrast: pairContrast, isJoint: false, part: null }];
  });
}

/** The number of seats of all matches that bots played. */
export const countBotSeats = (rows: readonly MatchRow[]) => sum(rows.map(({ bots }) => bots));

// Two annotators of the same statements from the views of the same listeners.

/** Model strings of all annotators of any of these matches, sorted. */
export const listAnnotators = (matches: readonly MatchTables[]): string[] =>
  [...new Set(matches.flatMap(({ analyses }) => analyses.map(({ source }) => source)))].filter(isAnnotator).sort();

const isAnnotator = (source: string) => source !== 'match';

/** A match as each of two annotators judged it, reduced to what both judged. */
interface SharedJudgements {
  a: MatchTables;
  b: MatchTables;
  /** The number of statements (each for one listener and one repeat) of which both gave a readable judgement. */
  both: number;
  /** The number of readable judgements by one of them without a counterpart by the other. */
  alone: { a: number; b: number };
}

/** Selects the judgements by `a` and `b` of the same statement, listener and repeat. Analyses by players are left out. */
export function selectSharedJudgements(match: MatchTables, [a, b]: readonly [string, string]): SharedJudgements {
  const [ofA, ofB] = [listJudgedBy(match, a), listJudgedBy(match, b)];
  const [keysA, keysB] = [new Set(ofA.map(getJudgementKey)), new Set(ofB.map(getJudgementKey))];
  const both = {
    a: ofA.filter((row) => keysB.has(getJudgementKey(row))),
    b: ofB.filter((row) => keysA.has(getJudgementKey(row))),
  };
  return {
    a: { ...match, analyses: both.a, beliefs: [] },
    b: { ...match, analyses: both.b, beliefs: [] },
    both: both.a.length,
    alone: { a: ofA.length - both.a.length, b: ofB.length - both.b.length },
  };
}

const listJudgedBy = ({ analyses }: MatchTables, annotator: string) =>
  analyses.filter((row) => row.source === annotator && row.missing === null && isByListener(row));

const getJudgementKey = ({ statement, observer, repeat }: AnalysisRow) => JSON.stringify([statement, observer, repeat]);

/** Dimensions that name the annotator: with them no cell would be the same in both arms. */
const annotatorDimensions = ['source', 'observer_model'];

/** Whether a breakdown depends on the annotator: a statement by one annotator's own model is not one by the other's. */
const dependsOnAnnotator = (table: readonly string[]) => table.includes('is_same_model');

/** Whether a metric depends on the statements alone: it is then the same for all annotators, and there is nothing to test. */
const isSameForAllAnnotators = ({ name }: Metric) => name === 'detection_prevalence' || name.endsWith('_base_rate');

/** The metric over the judgements of one annotator; null where annotators cannot differ in it. */
export function narrowToAnnotator(metric: Metric): Metric | null {
  if (!metric.strata.includes('source') || isSameForAllAnnotators(metric)) return null;
  const breakdowns = metric.breakdowns.filter((table) => !dependsOnAnnotator(table));
  return removeDimensions({ ...metric, breakdowns }, annotatorDimensions);
}
