// The shape of `comparison.json`. Every field is defined in docs/compare.md.
import { z } from 'zod';
import { LeftOut } from '../report/report-schema.ts';

/** Raised when a reader of older comparisons could no longer understand new ones. */
export const comparisonVersion = 1;

const count = z.number().int().min(0);
const figure = z.number().nullable();

const Arm = z.strictObject({
  /** What it stands for: a folder of records, a model, or an annotator. */
  name: z.string(),
  matches: count,
});

export const Difference = z.strictObject({
  metric: z.string(),
  of: z.record(z.string(), z.string()),
  /** The figure of each arm over the paired deals. */
  a: figure,
  b: figure,
  /** `a` − `b`, with its 95 % interval. */
  difference: figure,
  low: figure,
  high: figure,
  /** How the interval was made; null where there is none, and `reason` says why. */
  method: z.string().nullable(),
  reason: z.string().nullable(),
  /** Deals with data in both arms. */
  pairs: count,
  p: figure,
  /** Holm's among all primary endpoints, with p or without; Benjamini and Hochberg's among all others. */
  p_adjusted: figure,
  /** The smallest true difference found at α = .05 with power .8. */
  detectable: figure,
});
export type Difference = z.infer<typeof Difference>;

export const Comparison = z.strictObject({
  schema_version: z.literal(comparisonVersion),
  by: z.enum(['condition', 'model', 'annotator']),
  a: Arm,
  b: Arm,
  deals: count,
  /** Ids of matches whose deal the other arm lacks, or in which the other annotator judged nothing of the same. */
  unpaired: z.strictObject({ a: z.array(z.string()), b: z.array(z.string()) }),
  /** Records that are damaged or of no use otherwise. */
  left_out: z.array(LeftOut),
  /** Judgements that both annotators gave, and those that one gave alone, which are left out; null without annotators. */
  judgements: z.strictObject({ both: count, alone: z.strictObject({ a: count, b: count }) }).nullable(),
  contrasts: z.array(z.strictObject({ what: z.string(), a: z.array(z.string()), b: z.array(z.string()) })),
  /** Null where no endpoints were named beforehand. */
  plan: z.strictObject({ question: z.string().nullable(), sha256: z.string(), endpoints: count }).nullable(),
  bots: count,
  resamples: count,
  seed: z.number().int(),
  primary: z.array(Difference),
  secondary: z.array(Difference),
});
export type Comparison = z.infer<typeof Comparison>;
