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

const Found = z.strictObject({
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

export const ReportedFigure = z.strictObject({
  ...Found.shape,
  /** What it would be had all its matches been played by chance, and its standard error; null where nothing is known. */
  chance: value,
  chance_se: value,
  /** Of rates of lies: the share of all statements, in the same cell, with a claim that the record can decide. */
  coverage: value,
});
export type ReportedFigure = z.infer<typeof ReportedFigure>;

/** A figure with the names of its sample and its metric. */
export type FoundFigure = z.infer<typeof Found> & { sample: string; metric: string };

const Spread = z.strictObject({
  name: text,
  /** In how many matches each value was found; of models, in how many each sat. */
  values: z.array(z.strictObject({ value: text, matches: count })),
});
/** Under which of its values a condition was met. */
export type Spread = z.infer<typeof Spread>;

const Drawn = z.strictObject({ drawn: count, of: count });

export const leftOutReasons = [
  'damaged',
  'other version',
  'not over',
  'not judged',
  'counted already',
  'same id',
] as const;
export const LeftOut = z.strictObject({ folder: text, reason: z.enum(leftOutReasons), message: text });
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
  /** Seeds of the deals, and of how many matches: all but imported ones. */
  seeds: z.strictObject({ matches: count, different: count, lowest: value, highest: value }),
  left_out: z.array(LeftOut),
  /** Whence `chance` comes: each board with its rules, by hash, in how many matches it was played, and by chance. */
  baselines: z.array(z.strictObject({ sha256: text, matches: count, games: count, seed: z.number().int() })),
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
      /** Each with its 95 % interval over the situations in which it was measured. */
      sensitivity: z.number(),
      sensitivity_low: z.number(),
      sensitivity_high: z.number(),
      specificity: z.number(),
      specificity_low: z.number(),
      specificity_high: z.number(),
    }),
  ),
  /** How many of the labelled claims behind `corrected` the rules had drawn at all; null where no errors are known. */
  reach: z.strictObject({ lies: Drawn, truths: Drawn }).nullable(),
});
export type Report = z.infer<typeof Report>;
export type Corrected = Report['corrected'][number];
export type ReportedSample = Report['samples'][number];
export type ReportedMetric = Report['metrics'][number];
