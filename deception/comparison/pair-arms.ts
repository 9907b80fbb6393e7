// Compares two arms (conditions, models that changed sides, or annotators) deal by deal. Decides which matches are
// paired, and which figures of these matches are compared.
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

// Pairing: the matches of the two arms that share a deal, and the remaining differences between the arms.

/** The matches of both arms. */
export interface ArmRows {
  a: readonly MatchRow[];
  b: readonly MatchRow[];
}

export interface ArmPairing {
  /** Deals played in both arms, in the order of the first arm. */
  deals: readonly string[];
  /** Ids of each arm's matches whose deal the other arm did not play. */
  alone: { a: readonly string[]; b: readonly string[] };
}

/**
 * Finds the deals that both arms played.
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

/** A condition in which the arms differ, with the sorted values of each arm. */
interface Contrast {
  what: string;
  a: readonly string[];
  b: readonly string[];
}

/** Lists the conditions (models by side, rules, versions) whose values differ between the arms. */
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

/** Finds the two models that changed sides between the arms, the village's model of `a` first; null if none did. */
export function findSwappedModels({ a, b }: ArmRows): [string, string] | null {
  const first = a[0];
  if (!first?.villagers_model || !first.werewolves_model || first.villagers_model === first.werewolves_model)
    return null;
  const [one, other] = [first.villagers_model, first.werewolves_model];
  const arePlayedBy = (rows: readonly MatchRow[], village: string, pack: string) =>
    rows.length > 0 && rows.every((row) => row.villagers_model === village && row.werewolves_model === pack);
  return arePlayedBy(a, one, other) && arePlayedBy(b, other, one) ? [one, other] : null;
}

// Comparability: figures made of claims are compared between models only if one judge extracted all claims.

/**
 * Whether, in each of these deals, the same models had the same roles in both arms. Seats and names are ignored,
 * because they differ between variants.
 */
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

/**
 * Selects the metrics that can be compared between models, and gives the reason for each metric that cannot.
 * `extractor`: name of the extractor of the claims.
 */
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

// Metrics restricted to one model. Their cells do not name the model, so both arms have the same cells.

/**
 * Returns the metric restricted to `model`, in cells that name neither this model nor another one. Null for a metric
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

/** Removes dimensions from the metric. Breakdowns that become equal are listed once. */
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

/** Collector of the sums of both arms. The unit is the deal. */
interface Sides {
  add(arm: 'a' | 'b', match: MatchTables): void;
  /** Lists the sums of these deals for each cell of each metric that both arms have. */
  listContrasted(deals: readonly string[]): ContrastedFigure[];
}

/**
 * Collects the matches of two conditions.
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
 * Collects the behavior of each of two models in the matches of both arms. In each deal, both models played both sides.
 * Figures that do not describe a model's own behavior depend on the opponent too, and are marked as joint.
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

/** Returns the number of seats, over all matches, that bots played. */
export const countBotSeats = (rows: readonly MatchRow[]) => sum(rows.map(({ bots }) => bots));

// Two annotators who judged the same statements from the views of the same listeners.

/** Lists the model strings of all annotators of these matches, sorted. */
export const listAnnotators = (matches: readonly MatchTables[]): string[] =>
  [...new Set(matches.flatMap(({ analyses }) => analyses.map(({ source }) => source)))].filter(isAnnotator).sort();

const isAnnotator = (source: string) => source !== 'match';

/** A match reduced to the judgments that both annotators gave. */
interface SharedJudgements {
  a: MatchTables;
  b: MatchTables;
  /** Number of statements, counted per listener and repeat, for which both annotators gave a readable judgment. */
  both: number;
  /** Number of readable judgments by one annotator where the other gave none. */
  alone: { a: number; b: number };
}

/**
 * Selects the judgments by `a` and `b` of the same statement, listener and repeat. Analyses by players are left out.
 */
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

/** Dimensions that name the annotator. A cell with such a dimension never occurs in both arms. */
const annotatorDimensions = ['source', 'observer_model'];

/** Whether a breakdown depends on the annotator, for example on whether speaker and annotator are the same model. */
const dependsOnAnnotator = (table: readonly string[]) => table.includes('is_same_model');

/** Whether a metric depends on the statements alone. Such a metric is equal for all annotators, and is not tested. */
const isSameForAllAnnotators = ({ name }: Metric) => name === 'detection_prevalence' || name.endsWith('_base_rate');

/** Returns the metric restricted to one annotator's judgments. Null if annotators cannot differ in this metric. */
export function narrowToAnnotator(metric: Metric): Metric | null {
  if (!metric.strata.includes('source') || isSameForAllAnnotators(metric)) return null;
  const breakdowns = metric.breakdowns.filter((table) => !dependsOnAnnotator(table));
  return removeDimensions({ ...metric, breakdowns }, annotatorDimensions);
}
