// Tests whether two arms are equal within a margin named before the data: two one-sided tests at 5% (Schuirmann 1987).
// Equivalently, the 90% interval of the difference lies within ± the margin.
import { getFiniteRange } from '../metrics/metric.ts';
import { MIN_CLUSTERS, type Resampling } from '../statistics/bootstrap.ts';
import { computeContrast, describeContrast, getWeights } from '../statistics/paired-test.ts';
import { computeCorrected } from '../statistics/prediction-powered.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { AnalysisPlan, Endpoint } from './analysis-plan.ts';
import { type Equivalence, isSameCell } from './comparison-schema.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';

/** Metric → margin in the metric's unit, as given on the command line. */
export type NamedMargins = Readonly<Record<string, number>>;

/** Level of the interval that is equivalent to two one-sided tests at 5%. */
const LEVEL = 0.9;

/**
 * Returns a row for each endpoint of the plan that has a margin and for each named metric, in the metric's widest
 * cells. A row has no interval if there are too few deals. A named margin overrides the plan's `equivalent`, which
 * overrides the endpoint's `effect`. Throws a UsageError for a named metric that is not compared.
 *
 * @example testEquivalence(contrasted, plan, { belief_brier: 0.02 }, resampling)[0].is_equivalent // true
 */
export function testEquivalence(
  contrasted: readonly ContrastedFigure[],
  plan: Pick<AnalysisPlan, 'endpoints' | 'equivalent'> | null,
  named: NamedMargins,
  resampling: Resampling,
): Equivalence[] {
  const endpoints = plan?.endpoints ?? [];
  const ofEndpoints = endpoints.flatMap((endpoint) => {
    const row = contrasted.find((one) => isOfEndpoint(endpoint, one));
    const margin = findMargin(endpoint, plan?.equivalent ?? {}, named);
    return row && margin ? [{ row, ...margin }] : [];
  });
  const others = Object.entries(named).flatMap(([metric, margin]) => {
    const own = contrasted.filter((one) => one.metric.name === metric && one.part?.name !== 'interaction');
    if (own.length === 0)
      throw new UsageError(
        `--equivalent ${metric}=${margin}: ${metric} is not among the figures compared. Known: ${[...new Set(contrasted.map((one) => one.metric.name))].sort().join(', ')}.`,
      );
    const fewest = Math.min(...own.map(({ cell }) => Object.keys(cell).length));
    return own
      .filter(({ cell }) => Object.keys(cell).length === fewest)
      .filter((row) => !ofEndpoints.some((one) => one.row === row))
      .map((row) => ({ row, margin, named_in: 'command' as const }));
  });
  return [...ofEndpoints, ...others].map(({ row, margin, named_in: namedIn }) => {
    const { metric, cell, part, deals, contrast } = row;
    const about = { metric: metric.name, of: cell, part, margin, named_in: namedIn };
    if (metric.asFound !== undefined) return { ...about, ...testCorrected(row, margin) };
    const { difference } = computeContrast(deals, metric.value, contrast, {
      ...{ resampling, isRefined: false, level: LEVEL },
      range: getFiniteRange(metric.range),
    });
    const { estimate, low, high, reason, withData } = difference;
    return {
      ...{ ...about, deals: withData, difference: estimate, low, high, reason },
      is_equivalent: isWithin({ low, high }, margin),
    };
  });
}

const isWithin = ({ low, high }: { low: number | null; high: number | null }, margin: number) =>
  low === null || high === null ? null : -margin < low && high < margin;

/** Tests a difference that is corrected for the extractor's errors. */
function testCorrected({ metric, deals, contrast }: ContrastedFigure, margin: number) {
  const { withData } = describeContrast(deals, metric.asFound ?? metric.value, contrast);
  const found = withData < MIN_CLUSTERS ? null : computeCorrected(deals, getWeights(contrast), LEVEL);
  const { estimate = null, low = null, high = null } = found ?? {};
  const reason = low === null ? 'too few' : null;
  return { deals: withData, difference: estimate, low, high, reason, is_equivalent: isWithin({ low, high }, margin) };
}

const isOfEndpoint = (endpoint: Endpoint, { metric, cell, part }: ContrastedFigure) =>
  metric.name === endpoint.metric &&
  isSameCell(endpoint.of, cell) &&
  part?.name === endpoint.part &&
  (endpoint.models === undefined || part?.models.join('\n') === endpoint.models.join('\n'));

function findMargin(
  { metric, effect }: Endpoint,
  planned: NamedMargins,
  named: NamedMargins,
): Pick<Equivalence, 'margin' | 'named_in'> | null {
  if (named[metric] !== undefined) return { margin: named[metric], named_in: 'command' };
  if (planned[metric] !== undefined) return { margin: planned[metric], named_in: 'plan' };
  return effect === undefined ? null : { margin: effect, named_in: 'effect' };
}
