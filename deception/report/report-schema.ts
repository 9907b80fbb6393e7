// The shape of `report.json`: every figure over many matches. Fields are defined in docs/reports.md.
import { z } from 'zod';
import { sections } from '../metrics/metric.ts';

/** Raised when a reader of older reports could no longer understand new ones. */
export const reportVersion = 1;

const count = z.number().int().min(0);
const value = z.number().nullable();
const text = z.string();

/** Dimension → value; empty for the whole. */
const ReportedCell = z.record(text, text);

export const ReportedFigure = z.strictObject({
  cell: ReportedCell,
  value,
  /** The 95 % interval; null where there is none, and `reason` says why. */
  low: value,
  high: value,
  method: z.enum(['studentized', 'exact', 'randomization', 'wilson']).nullable(),
  reason: z.enum(['no data', 'too few', 'unstable', 'no variation']).nullable(),
  opportunities: value,
  matches: count,
  mean_of_matches: value,
  matches_with_value: count,
  lowest: value,
  highest: value,
});
export type ReportedFigure = z.infer<typeof ReportedFigure>;

/** A figure with the names of its sample and its metric. */
export type FoundFigure = ReportedFigure & { sample: string; metric: string };

const Spread = z.strictObject({
  name: text,
  /** In how many matches each value was found; of models, in how many each sat. */
  values: z.array(z.strictObject({ value: text, matches: count })),
});
/** Under which of its values a condition was met. */
export type Spread = z.infer<typeof Spread>;

export const leftOutReasons = [
  'damaged',
  'other version',
  'not over',
  'not judged',
  'counted already',
  'same id',
] as const;
const LeftOut = z.strictObject({ folder: text, reason: z.enum(leftOutReasons), message: text });
/** A record that has no part in the figures. */
export type LeftOut = z.infer<typeof LeftOut>;

export const Report = z.strictObject({
  schema_version: z.literal(reportVersion),
  matches: count,
  /** Null where no bot played. */
  bot_notice: text.nullable(),
  /** What a reader must know of the sample before its figures. */
  notes: z.array(text),
  /** Of the resampling. */
  seed: z.number().int(),
  resamples: count,
  level: z.number(),
  conditions: z.array(Spread),
  /** Seeds of the deals. */
  seeds: z.strictObject({ different: count, lowest: value, highest: value }),
  left_out: z.array(LeftOut),
  metrics: z.array(
    z.strictObject({
      name: text,
      title: text,
      section: z.enum(sections),
      definition: text,
      unit: text,
      is_headline: z.boolean(),
      figures: z.array(ReportedFigure),
    }),
  ),
  /** The headlines of parts and variants of the sample, the whole first. */
  samples: z.array(
    z.strictObject({
      name: text,
      title: text,
      definition: text,
      matches: count,
      figures: z.array(z.strictObject({ metric: text, ...ReportedFigure.shape })),
    }),
  ),
  /** Figures of the rule extractor, corrected for its measured errors. Exploratory; none where no errors are known. */
  corrected: z.array(
    z.strictObject({
      metric: text,
      cell: ReportedCell,
      /** As it was found, uncorrected. */
      found: z.number(),
      value: z.number(),
      low: z.number(),
      high: z.number(),
      /** Whether the correction led outside 0…1. */
      is_clipped: z.boolean(),
      sensitivity: z.number(),
      specificity: z.number(),
    }),
  ),
});
export type Report = z.infer<typeof Report>;
export type Corrected = Report['corrected'][number];
export type ReportedSample = Report['samples'][number];
export type ReportedMetric = Report['metrics'][number];
