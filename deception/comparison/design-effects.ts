// Effects of the design of a set of matches: how the measuring rules change play, and how strongly figures depend on
// the variant of a deal.
import type { ContrastedFigure } from './contrasted-figure.ts';
import { computeDifferences } from './differences.ts';
import { isComparedHeadline, oneFamily } from './test-families.ts';
import { getFigureKey, type MetricCell, type Metric } from '../metrics/metric.ts';
import { MetricCollection } from '../metrics/metric-collection.ts';
import { createResampling } from '../statistics/bootstrap.ts';
import { pairContrast } from '../statistics/paired-test.ts';
import { computeSpreadTest } from '../statistics/label-permutation.ts';
import { addSums, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { getDealKey } from '../design/schedule.ts';
import { measuringRules, nameMeasuringRules } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { plainVariant } from '../../state/variants.ts';
import type { DesignFigures, Report } from '../summary/report-schema.ts';

/** Selects the headline metrics and the related game metrics, and removes their breakdowns. */
export const selectDesignMetrics = (metrics: readonly Metric[]): Metric[] =>
  metrics.filter(isComparedHeadline).map((metric) => ({ ...metric, breakdowns: [] }));

/** Data of a match that are kept to compare it with other matches of its deal. */
export interface DesignMatch {
  deal: string;
  /** The measuring rules of the match, as JSON. */
  measuring: string;
  variant: string;
  /** All other conditions of the match: models by role, other rules, and experience. */
  block: string;
  cells: readonly { metric: string; cell: MetricCell; sums: Sums }[];
}

/**
 * Returns the data of a match for comparisons with other matches of its deal. `metrics`: the result of
 * `selectDesignMetrics`.
 */
export function createDesignMatch(tables: MatchTables, metrics: readonly Metric[]): DesignMatch {
  const rules = JSON.parse(tables.match.rules) as RuleValues;
  const models = tables.players.map(({ role, model }) => `${role}: ${model}`).sort();
  const others = Object.entries(rules).filter(([name]) => !measuringRules.includes(name));
  const collection = new MetricCollection(metrics);
  collection.add(tables);
  return {
    deal: getDealKey(tables.match),
    measuring: nameMeasuringRules(rules),
    variant: tables.match.variant,
    block: JSON.stringify([models, others, tables.match.experience]),
    cells: collection
      .listCells()
      .map(({ metric, cell, clusters }) => ({ metric: metric.name, cell, sums: clusters[0]!.sums })),
  };
}

/**
 * Pairs matches of different arms that share the deal and all other conditions. Leaves out matches for which some arm
 * has no counterpart. Returns a map from the deal to the matches of each arm.
 */
function pairDesign(
  matches: readonly DesignMatch[],
  arms: readonly string[],
  getArm: (match: DesignMatch) => string,
  getBlock: (match: DesignMatch) => string,
): Map<string, DesignMatch[][]> {
  const known = matches.filter((match) => arms.includes(getArm(match)));
  const blocks = [...Map.groupBy(known, (match) => JSON.stringify([match.deal, getBlock(match)])).values()].filter(
    (block) => arms.every((arm) => block.some((match) => getArm(match) === arm)),
  );
  const byDeal = Map.groupBy(blocks.flat(), ({ deal }) => deal);
  return new Map(
    [...byDeal].map(([deal, own]) => [deal, arms.map((arm) => own.filter((match) => getArm(match) === arm))]),
  );
}

/** Lists the cells that all arms have, with the sums of every arm in every deal. */
function listDesignCells(paired: ReadonlyMap<string, readonly (readonly DesignMatch[])[]>, metrics: readonly Metric[]) {
  const indexed = [...paired.values()].map((arms) =>
    arms.map((own) =>
      Map.groupBy(
        own.flatMap(({ cells }) => cells),
        getFigureKey,
      ),
    ),
  );
  const known = new Map(indexed.flat().flatMap((cells) => [...cells].map(([name, [first]]) => [name, first!])));
  const order = new Map(metrics.map(({ name }, place) => [name, place]));
  return [...known]
    .map(([name, { metric, cell }]) => ({
      metric: metrics[order.get(metric)!]!,
      cell,
      deals: indexed.map((arms) => arms.map((cells) => addSums((cells.get(name) ?? []).map(({ sums }) => sums)))),
    }))
    .sort((one, other) => order.get(one.metric.name)! - order.get(other.metric.name)!);
}

// Effects of the measuring rules.

/** Whether a cell has no data. Metrics of analyses have no sums in matches that were played without analyses. */
const isEmpty = (sums: Sums) => Object.keys(sums).length === 0;

const isUnmeasured = (value: unknown) => ['off', 'hidden', false, null].includes(value as string);

/** Returns how many measuring rules ask players something or show them something; 0 if all are off. */
const rankMeasuring = (measuring: string) =>
  Object.values(JSON.parse(measuring) as RuleValues).filter((value) => !isUnmeasured(value)).length;

/** Describes the conditions by the rules in which they differ, e.g. "analysis=both, scores=bands". */
function describeMeasuring(measuring: string, all: readonly string[]): string {
  const read = all.map((one) => JSON.parse(one) as RuleValues);
  const own = JSON.parse(measuring) as RuleValues;
  const differing = Object.keys(own).filter((name) => new Set(read.map((rules) => rules[name])).size > 1);
  return differing.map((name) => `${name}=${String(own[name])}`).join(', ');
}

/**
 * Compares conditions with different measuring rules, deal by deal. Each condition is compared with every condition
 * that measures less. With more than three conditions, each is compared only with the one that measures least. The list
 * is empty if all matches were measured alike.
 */
export function compareMeasuringRules(
  matches: readonly DesignMatch[],
  metrics: readonly Metric[],
  { resamples, seed }: { resamples: number; seed: number },
): Report['measuring'] {
  const conditions = [...new Set(matches.map(({ measuring }) => measuring))].sort(
    (one, other) => rankMeasuring(one) - rankMeasuring(other) || (one < other ? -1 : 1),
  );
  const pairs = conditions.flatMap((less, place) =>
    conditions.length > 3 && place > 0 ? [] : conditions.slice(place + 1).map((more) => [more, less] as const),
  );
  return pairs.flatMap(([more, less]) => {
    const getBlock = ({ block, variant }: DesignMatch) => JSON.stringify([block, variant]);
    const paired = pairDesign(matches, [more, less], ({ measuring }) => measuring, getBlock);
    if (paired.size === 0) return [];
    const cells = listDesignCells(paired, metrics);
    const shared = cells.filter(({ deals }) => [0, 1].every((arm) => deals.some((arms) => !isEmpty(arms[arm]!))));
    const contrasted = shared.map((one): ContrastedFigure => ({
      ...one,
      ...{ contrast: pairContrast, isJoint: false, part: null },
    }));
    const resampling = createResampling(paired.size, resamples, seed);
    const { secondary } = computeDifferences(contrasted, [], resampling, oneFamily);
    const rows = secondary.filter(({ a, b }) => a !== null && b !== null);
    const compared = new Set(rows.flatMap(({ metric, also }) => [metric, ...also.map((one) => one.metric)]));
    return [
      {
        a: describeMeasuring(more, conditions),
        b: describeMeasuring(less, conditions),
        deals: paired.size,
        differences: rows.map(({ metric, of, a, b, difference, low, high, reason, pairs: deals, p, p_adjusted }) => ({
          ...{ metric, cell: of, a, b, difference, low, high, reason, deals, p, p_adjusted },
        })),
        not_compared: [...new Set(cells.map(({ metric }) => metric.name))].filter((name) => !compared.has(name)),
      },
    ];
  });
}

// Effects of variants.

/**
 * Compares each figure between variants, over the deals that were played in all variants. Returns the spread between
 * variants, and how often a random permutation of the variants within each deal gives at least this spread. Null with a
 * single variant.
 */
export function compareDealVariants(
  matches: readonly DesignMatch[],
  metrics: readonly Metric[],
  { resamples, seed }: { resamples: number; seed: number },
): Report['variants'] {
  const all = new Set(matches.map(({ variant }) => variant));
  const names = [...all].sort(
    (one, other) => Number(other === plainVariant) - Number(one === plainVariant) || (one < other ? -1 : 1),
  );
  if (names.length < 2) return null;
  const getBlock = ({ block, measuring }: DesignMatch) => JSON.stringify([block, measuring]);
  const paired = pairDesign(matches, names, ({ variant }) => variant, getBlock);
  const figures = listDesignCells(paired, metrics).map(({ metric, cell, deals }): DesignFigures => {
    const values = names.map((_, arm) => metric.value(addSums(deals.map((arms) => arms[arm]!))));
    const known = values.filter((value) => value !== null);
    const isWhole = known.length === names.length;
    return {
      ...{ metric: metric.name, cell, values },
      spread: isWhole ? Math.max(...known) - Math.min(...known) : null,
      p: isWhole ? computeSpreadTest(deals, metric.value, { permutations: resamples, seed }) : null,
    };
  });
  return { names, deals: paired.size, figures };
}

/**
 * Compares the matches of a sample by measuring rules and by variant. Returns nothing for a property in which the
 * matches do not differ. `metrics`: all metrics, from which `selectDesignMetrics` selects.
 */
export function compareDesigns(
  matches: readonly DesignMatch[],
  metrics: readonly Metric[],
  settings: { resamples: number; seed: number },
): Pick<Report, 'measuring' | 'variants'> {
  const selected = selectDesignMetrics(metrics);
  return {
    measuring: compareMeasuringRules(matches, selected, settings),
    variants: compareDealVariants(matches, selected, settings),
  };
}
