// The schemas of `comparison.json` and of an analysis plan. Every field is defined in docs/compare.md.
import { z } from 'zod';
import { UsageError } from '../../state/usage-error.ts';
import type { Cell, Metric } from '../metrics/metric.ts';
import { LeftOut } from '../summary/report-schema.ts';

/** Increased when older readers can no longer understand new comparisons. */
export const comparisonVersion = 1;

const count = z.number().int().min(0);
const figure = z.number().nullable();

const Arm = z.strictObject({
  /** A folder of records, a model, or an annotator. */
  name: z.string(),
  matches: count,
});

export const Difference = z.strictObject({
  metric: z.string().describe('the metric, and its cell (`of`)'),
  of: z.record(z.string(), z.string()).describe('the metric, and its cell (`of`)'),
  a: figure.describe('the figure of each arm over the paired deals'),
  b: figure.describe('the figure of each arm over the paired deals'),
  difference: figure.describe('`a` − `b`'),
  low: figure.describe('the 95 % interval of the difference'),
  high: figure.describe('the 95 % interval of the difference'),
  method: z.string().nullable().describe('how the interval was made; null where there is none'),
  reason: z.string().nullable().describe('why there is none: `no data`, `too few`, `unstable`, `no variation`'),
  pairs: count.describe('deals with data in both arms'),
  p: figure.describe('two-sided, from swapping the arms within deals'),
  p_adjusted: figure.describe(
    "Holm's among all primary endpoints, with p or without; Benjamini and Hochberg's among all others",
  ),
  detectable: figure.describe('the smallest true difference found at α = .05 with power .8'),
});
export type Difference = z.infer<typeof Difference>;

export const Comparison = z.strictObject({
  schema_version: z.literal(comparisonVersion).describe('1'),
  by: z.enum(['condition', 'model', 'annotator']).describe('`condition`, `model` or `annotator`'),
  a: Arm.describe('`name` (the folder, the model, or the annotator) and the number of `matches`'),
  b: Arm.describe('`name` (the folder, the model, or the annotator) and the number of `matches`'),
  deals: count.describe('deals played in both arms, or of which both annotators judged the same'),
  unpaired: z
    .strictObject({ a: z.array(z.string()), b: z.array(z.string()) })
    .describe('`a`, `b`: ids of matches left out, which have no counterpart in the other arm'),
  left_out: z
    .array(LeftOut)
    .describe('records that cannot be used: `folder`, `reason` and `message`, as in [reports](reports.md)'),
  judgements: z
    .strictObject({ both: count, alone: z.strictObject({ a: count, b: count }) })
    .nullable()
    .describe(
      'of annotators: how many `both` gave, and `alone`, how many `a` and `b` gave without the other; null otherwise',
    ),
  contrasts: z
    .array(z.strictObject({ what: z.string(), a: z.array(z.string()), b: z.array(z.string()) }))
    .describe('`what` differs between the arms, and the values in `a` and `b`'),
  plan: z
    .strictObject({ question: z.string().nullable(), sha256: z.string(), endpoints: count })
    .nullable()
    .describe("`question` (or null), `sha256` of the plan's file, number of `endpoints`; null without a plan"),
  bots: count.describe('seats of all matches in which no language model sat'),
  resamples: count.describe('of the resampling'),
  seed: z.number().int().describe('of the resampling'),
  primary: z.array(Difference).describe('a difference for each endpoint, in the order of the plan'),
  secondary: z.array(Difference).describe('a difference for each other figure'),
});
export type Comparison = z.infer<typeof Comparison>;

// The analysis plan: which endpoints were named as primary before the data were seen.

/** With more endpoints each would have little power. */
const mostEndpoints = 5;

export const Endpoint = z.strictObject({
  /** The name of a metric. */
  metric: z.string(),
  /** The cell, e.g. `{ team: werewolves }`; the whole where it is left out. */
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

/**
 * Throws a UsageError for an unknown metric, a cell in which the metric is not counted, or an endpoint named twice.
 *
 * @example
 * checkPlan(AnalysisPlan.parse({ endpoints: [{ metric: 'lie_rate', of: { team: 'werewolves' } }] }), metrics);
 */
export function checkPlan({ endpoints }: AnalysisPlan, metrics: readonly Metric[]) {
  for (const [index, { metric: name, of }] of endpoints.entries()) {
    const where = `endpoints.${index}`;
    const metric = metrics.find((one) => one.name === name);
    if (!metric)
      throw new UsageError(
        `${where}: unknown metric "${name}". Known metrics: ${metrics.map((one) => one.name).join(', ')}.`,
      );
    if (!isCounted(metric, of)) {
      const by = Object.keys(of).join(', ');
      throw new UsageError(
        `${where}: ${name} ${by === '' ? 'needs a cell (`of`)' : `is not counted by ${by}`}. It is counted by: ${describeTables(metric).join('; ')}.`,
      );
    }
    if (endpoints.slice(0, index).some((other) => other.metric === name && isSameCell(other.of, of)))
      throw new UsageError(`${where}: ${name} stands in the plan twice. Name each endpoint once.`);
  }
}

const listDimensions = ({ strata, breakdowns }: Metric) => [[], ...breakdowns].map((table) => [...strata, ...table]);

const isCounted = (metric: Metric, of: Cell) =>
  listDimensions(metric).some((table) => isSameSet(table, Object.keys(of)));

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((value) => other.includes(value));

const describeTables = (metric: Metric) =>
  listDimensions(metric).map((table) => table.join(', ') || 'nothing (the whole)');

/** Whether two cells have the same dimensions with the same values. */
export const isSameCell = (one: Cell, other: Cell) =>
  isSameSet(Object.keys(one), Object.keys(other)) &&
  Object.entries(one).every(([name, value]) => other[name] === value);
