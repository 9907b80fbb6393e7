// The shape of `report.json`: every figure over many matches. Fields are defined in docs/reports.md.
import { z } from 'zod';
import { sections } from '../metrics/metric.ts';

/** Increased when older readers can no longer understand new reports. */
export const reportVersion = 1;

const count = z.number().int().min(0);
const value = z.number().nullable();
const text = z.string();

/** Dimension → value; empty for the whole. */
const ReportedCell = z.record(text, text);

const Found = z.strictObject({
  cell: ReportedCell.describe('what it is of: dimension → value; empty for the whole'),
  value: value.describe('the figure over all matches, mostly a ratio of sums; null where there is nothing to count'),
  low: value.describe('its 95 % interval, with the match as the unit'),
  high: value.describe('its 95 % interval, with the match as the unit'),
  method: z
    .enum(['studentized', 'exact', 'randomization', 'wilson'])
    .nullable()
    .describe(
      '`studentized`: bootstrap over matches; `exact`: Clopper and Pearson, where all matches are alike; `wilson`: where a match is a trial. Of comparisons also `randomization`',
    ),
  reason: z
    .enum(['no data', 'too few', 'unstable', 'no variation'])
    .nullable()
    .describe(
      'why there is no interval: `no data`, `too few` (under 10 matches have anything to count), `unstable` (undefined in too many resamples), `no variation`',
    ),
  opportunities: value.describe('what it is a share of, or how many things it is a mean over'),
  matches: count.describe('matches with anything to count'),
  mean_of_matches: value.describe('the mean of the values of single matches'),
  matches_with_value: count.describe('the matches that have such a value'),
  lowest: value.describe(
    'the figure had all that is missing come out so; null where nothing can be missing, and where there are no [such bounds](metrics.md#what-holds-for-all)',
  ),
  highest: value.describe(
    'the figure had all that is missing come out so; null where nothing can be missing, and where there are no [such bounds](metrics.md#what-holds-for-all)',
  ),
});

export const ReportedFigure = z.strictObject({
  ...Found.shape,
  chance: value.describe(
    'what it would be had all its matches been played by chance, and the standard error of that; null where nothing is known',
  ),
  chance_se: value.describe(
    'what it would be had all its matches been played by chance, and the standard error of that; null where nothing is known',
  ),
  coverage: value.describe(
    'of `lie_rate`, `lie_statement_rate` and `lies_per_100_words`: the [coverage](metrics.md#coverage) of the same cell and sample; null of all others',
  ),
});
export type ReportedFigure = z.infer<typeof ReportedFigure>;

/** A figure with the names of its sample and its metric. */
export type FoundFigure = z.infer<typeof Found> & { sample: string; metric: string };

const Spread = z.strictObject({
  name: text,
  /** In how many matches each value was found; of models, in how many each sat. */
  values: z.array(z.strictObject({ value: text, matches: count })),
});
/** How the matches spread over the values of one condition. */
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
  schema_version: z
    .literal(reportVersion)
    .describe('1; raised when older readers could no longer understand new reports'),
  matches: count.describe('how many count'),
  bot_notice: text.nullable().describe('what is said wherever bots played; null where none did'),
  notes: z.array(text).describe('what a reader must know before the figures'),
  seed: z.number().int().describe('of the resampling; the level of the intervals, 0.95'),
  resamples: count.describe('of the resampling; the level of the intervals, 0.95'),
  level: z.number().describe('of the resampling; the level of the intervals, 0.95'),
  conditions: z
    .array(Spread)
    .describe(
      'each with its `name` and its `values`, each `value` with the number of `matches`; the rules as `rule …`; of models, in how many matches each played',
    ),
  seeds: z
    .strictObject({ matches: count, different: count, lowest: value, highest: value })
    .describe('of the `matches` that were played here: how many are `different`, the `lowest` and the `highest`'),
  left_out: z.array(LeftOut).describe('records that do not count: `folder`, `reason`, `message`'),
  baselines: z
    .array(z.strictObject({ sha256: text, matches: count, games: count, seed: z.number().int() }))
    .describe(
      'whence `chance` comes: each board with its rules (`sha256`), in how many `matches` of the sample it was played, and in how many `games` by chance with which `seed`',
    ),
  metrics: z
    .array(
      z.strictObject({
        name: text,
        title: text,
        section: z.enum(sections),
        definition: text,
        unit: text,
        is_headline: z.boolean(),
        figures: z.array(ReportedFigure),
      }),
    )
    .describe(
      'each with `name`, `title`, `section`, `definition`, `unit`, `is_headline` and its `figures`, cell by cell',
    ),
  samples: z
    .array(
      z.strictObject({
        name: text,
        title: text,
        definition: text,
        matches: count,
        figures: z.array(z.strictObject({ metric: text, ...ReportedFigure.shape })),
      }),
    )
    .describe(
      'the headlines of parts and variants of the sample, the whole first: `name`, `title`, `definition`, `matches`, and `figures`, each with its `metric`',
    ),
  corrected: z
    .array(
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
    )
    .describe(
      'figures of the rule extractor, [corrected](#corrected-lie-rates) for its measured errors, each with `metric` and `cell`; none where no errors are known',
    ),
  reach: z
    .strictObject({ lies: Drawn, truths: Drawn })
    .nullable()
    .describe(
      'of the labelled claims behind `corrected`: of how many `lies` and of how many `truths` (`of`) the rules have `drawn` a claim; null where no errors are known',
    ),
});
export type Report = z.infer<typeof Report>;
export type Corrected = Report['corrected'][number];
export type ReportedSample = Report['samples'][number];
export type ReportedMetric = Report['metrics'][number];
