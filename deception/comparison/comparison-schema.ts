// The schemas of `comparison.json` and of an analysis plan. Every field is defined in docs/compare.md.
import { z } from 'zod';
import { UsageError } from '../../state/usage-error.ts';
import { type IncomparableReason, incomparableReasons, reasonTexts } from '../metrics/comparability.ts';
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
  metric: z.string().describe('metric and cell'),
  of: z.record(z.string(), z.string()).describe('metric and cell'),
  a: figure.describe("each arm's figure over the paired deals"),
  b: figure.describe("each arm's figure over the paired deals"),
  difference: figure.describe('`a` − `b`'),
  low: figure.describe('its 95 % interval'),
  high: figure.describe('its 95 % interval'),
  method: z.string().nullable().describe('how the interval was made; null without one'),
  reason: z.string().nullable().describe('why there is none: `no data`, `too few`, `unstable`, `no variation`'),
  pairs: count.describe('deals with data in both arms'),
  p: figure.describe('two-sided, by swapping arms within deals'),
  p_adjusted: figure.describe('Holm among primary, Benjamini–Hochberg among all others'),
  detectable: figure.describe('smallest true difference found with power .8 at α = .05'),
});
export type Difference = z.infer<typeof Difference>;

const NotCompared = z.strictObject({ metric: z.string(), reason: z.enum(incomparableReasons) });
/** A metric that may not be compared between these arms. */
export type NotCompared = z.infer<typeof NotCompared>;

export const Comparison = z.strictObject({
  schema_version: z.literal(comparisonVersion).describe('1'),
  by: z.enum(['condition', 'model', 'annotator']).describe('`condition`, `model` or `annotator`'),
  a: Arm.describe('`name` (folder, model or annotator) and number of `matches`'),
  b: Arm.describe('`name` (folder, model or annotator) and number of `matches`'),
  deals: count.describe('deals in both arms, or with common judgements of both annotators'),
  unpaired: z
    .strictObject({ a: z.array(z.string()), b: z.array(z.string()) })
    .describe('`a`, `b`: ids of matches without a counterpart in the other arm'),
  left_out: z
    .array(LeftOut)
    .describe('unusable records: `folder`, `reason`, `message` as in [reports](reports.md#which-matches-count)'),
  judgements: z
    .strictObject({ both: count, alone: z.strictObject({ a: count, b: count }) })
    .nullable()
    .describe('annotators only: number that `both` gave, and `alone`, that only `a` or only `b` gave; else null'),
  contrasts: z
    .array(z.strictObject({ what: z.string(), a: z.array(z.string()), b: z.array(z.string()) }))
    .describe('`what` differs between the arms, with values in `a` and `b`'),
  claims_by: z.string().describe("who drew the claims behind verdicts: `rules`, or a judge's model string"),
  notes: z.array(z.string()).describe('what to know before reading the figures'),
  not_compared: z
    .array(NotCompared)
    .describe(
      'each `metric` that is left out, and the `reason`: between models `claims drawn by rules`, or `claims of the rules beside a judge`',
    ),
  plan: z
    .strictObject({ question: z.string().nullable(), sha256: z.string(), endpoints: count })
    .nullable()
    .describe("`question` (or null), the file's `sha256`, number of `endpoints`; null without a plan"),
  bots: count.describe('seats of all matches played by bots'),
  resamples: count.describe('of the resampling'),
  seed: z.number().int().describe('of the resampling'),
  primary: z.array(Difference).describe("[differences](#a-difference) of the plan's endpoints, in its order"),
  secondary: z.array(Difference).describe('differences of all other figures'),
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
  /** The model that draws the claims behind verdicts, in place of the rules. */
  judge: z.string().min(1).optional(),
  endpoints: z.array(Endpoint).min(1).max(mostEndpoints),
});
export type AnalysisPlan = z.infer<typeof AnalysisPlan>;

/** Dimensions in whose cells a metric stands by the rules of the game, where it names another to be used instead. */
const sideDimensions = ['team', 'role'];

/**
 * Throws a UsageError for an unknown metric or one that may not be compared between these arms, a cell in which the
 * metric is not counted or that the rules of the game decide, or an endpoint named twice.
 *
 * @example
 * checkPlan(AnalysisPlan.parse({ endpoints: [{ metric: 'lie_turn_rate', of: { team: 'werewolves' } }] }), metrics);
 */
export function checkPlan(
  { endpoints }: AnalysisPlan,
  metrics: readonly Metric[],
  notCompared: readonly NotCompared[] = [],
) {
  for (const [index, { metric: name, of }] of endpoints.entries()) {
    const where = `endpoints.${index}`;
    const refused = notCompared.find((one) => one.metric === name);
    if (refused)
      throw new UsageError(
        `${where}: ${name} compares no models, since ${reasonTexts[refused.reason]}. ${cures[refused.reason]}`,
      );
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
    const bySide = sideDimensions.find((dimension) => dimension in of);
    if (metric.insteadBySide !== undefined && bySide !== undefined)
      throw new UsageError(
        `${where}: ${name} by ${bySide} says little of how much is lied: it stands where the rules of the game put it, near 1 for Werewolves that lie in every tenth turn and in nine of ten. Name ${metric.insteadBySide} of the same ${bySide}.`,
      );
    if (endpoints.slice(0, index).some((other) => other.metric === name && isSameCell(other.of, of)))
      throw new UsageError(`${where}: ${name} stands in the plan twice. Name each endpoint once.`);
  }
}

const otherEndpoints = 'name an endpoint of analyses, beliefs, votes or outcomes, e.g. win_rate or belief_brier.';

/** What to do instead. */
const cures: Readonly<Record<IncomparableReason, string>> = {
  'claims drawn by rules': `Name a judge (--judge MODEL, or judge: MODEL in the plan) once it has drawn the claims of both arms (npm run report -- FOLDER --judge MODEL); or ${otherEndpoints}`,
  'claims drawn by several': `Name one judge (--judge MODEL); or ${otherEndpoints}`,
  'claims of the rules beside a judge': `Compare sets of matches by the same models; or ${otherEndpoints}`,
};

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
