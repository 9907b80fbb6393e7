// The analysis plan of a comparison: which endpoints were named as primary before anybody looked.
import { z } from 'zod';
import { UsageError } from '../../state/usage-error.ts';
import type { Cell, Metric } from '../metrics/metric.ts';

/** More would leave each of them little power. */
export const mostEndpoints = 5;

export const Endpoint = z.strictObject({
  /** The name of a metric. */
  metric: z.string(),
  /** The cell, e.g. `{ team: werewolves }`; the whole without it. */
  of: z.record(z.string(), z.coerce.string()).default({}),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** The file `analysis.yaml`. */
export const AnalysisPlan = z.strictObject({
  /** What is asked, in words. */
  question: z.string().optional(),
  endpoints: z.array(Endpoint).min(1).max(mostEndpoints),
});
export type AnalysisPlan = z.infer<typeof AnalysisPlan>;

/** Throws a UsageError for a metric that is not known, or a cell that it is never counted in. */
export function checkPlan({ endpoints }: AnalysisPlan, metrics: readonly Metric[]) {
  for (const [index, { metric: name, of }] of endpoints.entries()) {
    const where = `endpoints.${index}`;
    const metric = metrics.find((one) => one.name === name);
    if (!metric)
      throw new UsageError(
        `${where}: unknown metric "${name}". Known metrics: ${metrics.map((one) => one.name).join(', ')}.`,
      );
    if (!isMade(metric, of)) {
      const by = Object.keys(of).join(', ');
      throw new UsageError(
        `${where}: ${name} ${by === '' ? 'needs a cell (`of`)' : `is not counted by ${by}`}. It is counted by: ${describeTables(metric).join('; ')}.`,
      );
    }
    if (endpoints.slice(0, index).some((other) => other.metric === name && isSameCell(other.of, of)))
      throw new UsageError(`${where}: ${name} stands in the plan twice. Name each endpoint once.`);
  }
}

const listDimensions = ({ apart, by }: Metric) => [[], ...by].map((table) => [...apart, ...table]);

const isMade = (metric: Metric, of: Cell) => listDimensions(metric).some((table) => isSameSet(table, Object.keys(of)));

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((value) => other.includes(value));

const describeTables = (metric: Metric) =>
  listDimensions(metric).map((table) => table.join(', ') || 'nothing (the whole)');

export const isSameCell = (one: Cell, other: Cell) =>
  isSameSet(Object.keys(one), Object.keys(other)) &&
  Object.entries(one).every(([name, value]) => other[name] === value);
