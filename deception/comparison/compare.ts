// Whether two arms differ, deal by deal: paired differences of all metrics, of conditions or of single models.
import { type CollectedCell, Collection } from '../metrics/collect.ts';
import { isByListener } from '../metrics/judgements.ts';
import { type Cell, getClosedRange, type Metric } from '../metrics/metric.ts';
import type { Resampling } from '../statistics/bootstrap.ts';
import { adjustBenjaminiHochberg, adjustHolm, computePairedDifference } from '../statistics/paired-test.ts';
import { sum, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow, MatchRow, MatchTables } from '../tables/row-schemas.ts';
import { type Difference, type Endpoint, isSameCell } from './comparison-schema.ts';

// The two arms of a comparison: which matches share a deal, what else differs, and who is compared with whom.

/** What a match is paired by: who sat where with which role, on which board. */
export const getDealKey = ({ board, deal }: MatchRow): string => `${board}: ${deal}`;

export interface Arms {
  a: readonly MatchRow[];
  b: readonly MatchRow[];
}

export interface Pairing {
  /** Deals that were played in both arms, in the order of the first. */
  deals: readonly string[];
  /** Ids of matches whose deal the other arm lacks. */
  alone: { a: readonly string[]; b: readonly string[] };
}

export function pairArms({ a, b }: Arms): Pairing {
  const inA = new Set(a.map(getDealKey));
  const inB = new Set(b.map(getDealKey));
  const listUnpaired = (rows: readonly MatchRow[], other: ReadonlySet<string>) =>
    rows.filter((row) => !other.has(getDealKey(row))).map((row) => row.match_id);
  return {
    deals: [...inA].filter((deal) => inB.has(deal)),
    alone: { a: listUnpaired(a, inB), b: listUnpaired(b, inA) },
  };
}

/** Something in which the arms are not alike: the values that it has in each, in sorted order. */
export interface Contrast {
  what: string;
  a: readonly string[];
  b: readonly string[];
}

/** Rules by their names, models by side and versions. What is alike in all matches of both arms is left out. */
export function listContrasts({ a, b }: Arms): Contrast[] {
  const rules = new Set([...a, ...b].flatMap((row) => Object.keys(parseRules(row))));
  const questions: [string, (row: MatchRow) => string][] = [
    ['model of the village', (row) => row.villagers_model ?? 'several'],
    ['model of the Werewolves', (row) => row.werewolves_model ?? 'several'],
    ...[...rules].map((name): [string, (row: MatchRow) => string] => [
      `rule ${name}`,
      (row) => JSON.stringify(parseRules(row)[name] ?? null),
    ]),
    ['version', (row) => row.wolfgraph],
    ['wording of the prompts', (row) => row.templates_sha256.slice(0, 12)],
  ];
  return questions
    .map(([what, of]) => ({ what, a: listValues(a, of), b: listValues(b, of) }))
    .filter((contrast) => contrast.a.join('\n') !== contrast.b.join('\n'));
}

const parseRules = ({ rules }: MatchRow) => JSON.parse(rules) as Record<string, unknown>;

const listValues = (rows: readonly MatchRow[], of: (row: MatchRow) => string) => [...new Set(rows.map(of))].sort();

/** The two models that changed sides between the arms, the village's of `a` first; null where that is not so. */
export function findSwappedModels({ a, b }: Arms): [string, string] | null {
  const first = a[0];
  if (!first?.villagers_model || !first.werewolves_model || first.villagers_model === first.werewolves_model)
    return null;
  const [one, other] = [first.villagers_model, first.werewolves_model];
  const isSo = (rows: readonly MatchRow[], village: string, pack: string) =>
    rows.length > 0 && rows.every((row) => row.villagers_model === village && row.werewolves_model === pack);
  return isSo(a, one, other) && isSo(b, other, one) ? [one, other] : null;
}

// A metric narrowed to what it says of one model, so that cells do not name the model that is compared.

/** The same metric over what concerns `model` alone; null for one that says nothing of models. */
export function narrowToModel(metric: Metric, model: string): Metric | null {
  const { modelDimension } = metric;
  if (modelDimension === undefined) return null;
  return {
    ...removeDimensions(metric, [modelDimension]),
    count: (match) =>
      metric
        .count(match)
        .filter(({ cell }) => cell[modelDimension] === model)
        .map(({ cell, sums }) => ({ cell: dropCellDimension(cell, modelDimension), sums })),
  };
}

/** The same metric with fewer dimensions; tables that then are the same are made once. */
function removeDimensions(metric: Metric, dimensions: readonly string[]): Metric {
  const removeNames = (names: readonly string[]) => names.filter((name) => !dimensions.includes(name));
  const tables = [...new Set(metric.breakdowns.map((table) => JSON.stringify(removeNames(table))))];
  return {
    ...metric,
    strata: removeNames(metric.strata),
    breakdowns: tables.map((table) => JSON.parse(table) as string[]).filter((table) => table.length > 0),
  };
}

const dropCellDimension = (cell: Cell, dimension: string): Cell =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => name !== dimension));

// Whether two arms differ, deal by deal: paired differences of all metrics, with what their number makes of them.

/** Adds up matches for both arms. The unit is the deal. */
export interface Sides {
  add(arm: 'a' | 'b', match: MatchTables): void;
  /** By metric, table and cell, what each paired deal has in either arm. */
  pairs(deals: readonly string[]): Paired[];
}

export interface Paired {
  metric: Metric;
  cell: Cell;
  pairs: readonly { a: Sums; b: Sums }[];
}

/** The matches of one condition against those of another. */
export function createConditionSides(metrics: readonly Metric[]): Sides {
  const arms = { a: new Collection(metrics), b: new Collection(metrics) };
  return {
    add: (arm, match) => arms[arm].add(match, getDealKey(match.match)),
    pairs: (deals) => listPairs(arms, deals),
  };
}

/** What one model did in the matches of both arms against what the other did: each deal has both on both sides. */
export function createModelSides(metrics: readonly Metric[], models: readonly [string, string]): Sides {
  const [one, other] = models.map((model) => metrics.flatMap((metric) => narrowToModel(metric, model) ?? []));
  const arms = { a: new Collection(one!), b: new Collection(other!) };
  return {
    add: (_, match) => {
      for (const collection of Object.values(arms)) collection.add(match, getDealKey(match.match));
    },
    pairs: (deals) => listPairs(arms, deals),
  };
}

function listPairs(arms: Readonly<Record<'a' | 'b', Collection>>, deals: readonly string[]): Paired[] {
  const others = new Map(arms.b.listCells().map((one) => [getCellName(one), one]));
  return arms.a.listCells().flatMap((one): Paired[] => {
    const other = others.get(getCellName(one));
    if (!other) return [];
    const [a, b] = [one, other].map(({ clusters }) => new Map(clusters.map(({ unit, sums }) => [unit, sums])));
    const pairs = deals.map((deal) => ({ a: a!.get(deal) ?? {}, b: b!.get(deal) ?? {} }));
    return [{ metric: one.metric, cell: one.cell, pairs }];
  });
}

const getCellName = ({ metric, cell }: CollectedCell) => JSON.stringify([metric.name, Object.entries(cell).sort()]);

/**
 * Differences of the primary endpoints, in the order of the plan and adjusted by Holm's procedure, and of all else, by
 * Benjamini and Hochberg's. An endpoint that neither arm has data for stands there without figures, and counts among
 * those that are adjusted for.
 */
export function computeDifferences(
  paired: readonly Paired[],
  endpoints: readonly Endpoint[],
  resampling: Resampling,
): { primary: Difference[]; secondary: Difference[] } {
  const isNamed = ({ metric, cell }: Paired) => endpoints.some((one) => isEndpoint(one, metric, cell));
  const computeFor = (one: Paired) => computeCellDifference(one, resampling);
  const primary = endpoints.map((endpoint) => {
    const found = paired.find(({ metric, cell }) => isEndpoint(endpoint, metric, cell));
    return found ? computeFor(found) : createNoData(endpoint);
  });
  const secondary = paired.filter((one) => !isNamed(one)).map(computeFor);
  return {
    primary: adjustDifferences(primary, adjustHolm),
    secondary: adjustDifferences(secondary, adjustBenjaminiHochberg),
  };
}

const isEndpoint = ({ metric: name, of }: Endpoint, metric: Metric, cell: Cell) =>
  metric.name === name && isSameCell(of, cell);

function computeCellDifference({ metric, cell, pairs }: Paired, resampling: Resampling): Difference {
  const { a, b, difference, p, detectable } = computePairedDifference(pairs, metric.value, {
    resampling,
    range: getClosedRange(metric.range),
  });
  const { estimate, low, high, method, reason, withData } = difference;
  const about = { metric: metric.name, of: cell, pairs: withData };
  return { ...about, a, b, difference: estimate, low, high, method, reason, p, p_adjusted: null, detectable };
}

const createNoData = ({ metric, of }: Endpoint): Difference => ({
  ...{ metric, of, a: null, b: null, difference: null, low: null, high: null, method: null, reason: 'no data' },
  ...{ pairs: 0, p: null, p_adjusted: null, detectable: null },
});

function adjustDifferences(rows: readonly Difference[], adjust: (p: readonly (number | null)[]) => (number | null)[]) {
  const values = adjust(rows.map(({ p }) => p));
  return rows.map((row, index) => ({ ...row, p_adjusted: values[index]! }));
}

/** How many seats of all matches no language model sat in. */
export const countBotSeats = (rows: readonly MatchRow[]) => sum(rows.map(({ bots }) => bots));

// What two annotators made of the same statements, heard from the same seats.

/** Model strings of all that judged any of these matches afterwards, sorted. */
export const listAnnotators = (matches: readonly MatchTables[]): string[] =>
  [...new Set(matches.flatMap(({ analyses }) => analyses.map(({ source }) => source)))].filter(isAfterwards).sort();

const isAfterwards = (source: string) => source !== 'match';

/** A match as either of two annotators judged it, with nothing but what both judged. */
export interface SharedJudgements {
  a: MatchTables;
  b: MatchTables;
  /** Statements, each from the view of a listener and in a repeat, that both gave a readable judgement of. */
  both: number;
  /** Readable judgements by one of them to which the other has none. */
  alone: { a: number; b: number };
}

/** The judgements by `a` and `b` of the same statement, listener and repeat. What players made of it has no part in it. */
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

/** The annotator's name, by which cells would never be the same in both arms. */
const annotator = ['source', 'observer_model'];

/** Tells apart by who the annotator is too: what is of the own model for one is not for the other. */
const isOfTwo = (table: readonly string[]) => table.includes('is_same_model');

/** Of the statements alone, and so the same for all who judged them: a hypothesis that is true by construction. */
const isOfStatements = ({ name }: Metric) => name === 'detection_prevalence' || name.endsWith('_base_rate');

/** The same metric over judgements by one annotator; null where annotators cannot differ in it. */
export function narrowToAnnotator(metric: Metric): Metric | null {
  if (!metric.strata.includes('source') || isOfStatements(metric)) return null;
  const breakdowns = metric.breakdowns.filter((table) => !isOfTwo(table));
  return removeDimensions({ ...metric, breakdowns }, annotator);
}
