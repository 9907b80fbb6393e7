// Schema of `report.json`: every figure over many matches. Fields are defined in docs/reference/reports.md.
import { z } from 'zod';
import { readingFindings } from '../metrics/comparability.ts';
import { metricSections } from '../metrics/metric.ts';
import { AskedForm, RefusalCount } from '../record/call-figures.ts';
import { Team } from '../../state/teams.ts';
import { aboutAnswerTables, AnswerTable } from '../metrics/answer-table-schema.ts';

/** Version of the format. Increase it when older readers can no longer understand new reports. */
export const reportVersion = 1;

const count = z.number().int().min(0);
const value = z.number().nullable();
const text = z.string();

/** Dimension → value; empty for the whole. */
const ReportedCell = z.record(text, text);

const Found = z.strictObject({
  cell: ReportedCell.describe('what it covers: dimension → value; empty for everything'),
  value: value.describe('the figure; null with nothing to count'),
  low: value.describe('95 % interval, clustered by deal'),
  high: value.describe('95 % interval, clustered by deal'),
  method: z
    .enum(['studentized', 'exact', 'logit', 'randomization', 'wilson'])
    .nullable()
    .describe(
      '`studentized` bootstrap over matches; `exact` if all matches agree (Clopper–Pearson) or a share has few cases of one outcome (at its effective sample size); `logit`: Student’s t of the log-odds, for shares of up to six cases per deal; `wilson` if a match is a trial; `randomization` in comparisons',
    ),
  reason: z
    .enum(['no data', 'too few', 'unstable', 'no variation'])
    .nullable()
    .describe(
      'why there is no interval: `no data`, `too few` (under 10 matches with data; without a `value`, with one of the groups compared), `unstable` (undefined in too many resamples), `no variation`',
    ),
  opportunities: value.describe('the denominator, or the number of values averaged'),
  matches: count.describe('matches with anything to count'),
  mean_of_matches: value.describe("mean of single matches' values"),
  matches_with_value: count.describe('matches with such a value'),
  lowest: value.describe(
    '[bounds](metrics.md#conventions) for missing answers; null if no answer can be missing, or if there are no bounds',
  ),
  highest: value.describe(
    '[bounds](metrics.md#conventions) for missing answers; null if no answer can be missing, or if there are no bounds',
  ),
});

export const ReportedFigure = z.strictObject({
  ...Found.shape,
  chance: value.describe('[value by chance](#chance-values) and its standard error; null if unknown'),
  chance_se: value.describe('[value by chance](#chance-values) and its standard error; null if unknown'),
  comparable: z
    .boolean()
    .describe(
      'whether it may be [compared between models](validity.md#what-may-be-compared-between-models); false for figures made of claims that no judge extracted',
    ),
  covers: value.describe(
    'coverage of its 95 % interval with so few matches, if validation measured it [under .93](validation.md); else null',
  ),
  coverage: value.describe(
    'for `lie_turn_rate`, `lie_rate`, `lie_statement_rate`, `lies_per_100_words`: [coverage](metrics.md#coverage) of the same cell; else null',
  ),
});
export type ReportedFigure = z.infer<typeof ReportedFigure>;

/** A figure with the names of its sample and metric. */
export type FoundFigure = z.infer<typeof Found> & { sample: string; metric: string };

const FigureSpread = z.strictObject({
  name: text,
  /** Number of matches with each value; for models, the number in which each had a seat. */
  values: z.array(z.strictObject({ value: text, matches: count })),
});
/** Numbers of matches by value of one condition. */
export type FigureSpread = z.infer<typeof FigureSpread>;

const DesignFigures = z.strictObject({
  metric: text,
  cell: ReportedCell,
  values: z.array(value),
  spread: value,
  p: value,
});
/** The values of a figure in each variant, their spread, and the p of this spread. */
export type DesignFigures = z.infer<typeof DesignFigures>;

const LabelMean = z.strictObject({ label: text, value: z.number() }).nullable();

const Drawn = z.strictObject({ drawn: count, of: count });

const leftOutReasonNames = [
  'damaged',
  'other version',
  'not over',
  'not judged',
  'counted already',
  'same id',
  'same model name',
] as const;

/** Reasons why a record does not count, each with its meaning. */
export const leftOutReasons: Readonly<Record<(typeof leftOutReasonNames)[number], string>> = {
  damaged: 'unreadable, against the match’s rules, a link in place of a file, or a file missing',
  'other version': 'written by a later version of Wolfgraph',
  'not over': 'not finished',
  'not judged': 'the requested judge’s claims are incomplete or unreadable',
  'counted already': 'named twice, or a copy (same seal) of a record that counts',
  'same id': 'has the id of a match with another set-up',
  'same model name': 'a model name that means another model in most matches',
};
export const LeftOut = z.strictObject({ folder: text, reason: z.enum(leftOutReasonNames), message: text });
/** A record that the figures leave out. */
export type LeftOut = z.infer<typeof LeftOut>;

const corrected = 'corrected rate, with a 95% interval that includes the uncertainty of the errors';
const sensitivity = 'share of lies that the extractor found when it was measured, with its 95% interval';
const specificity = 'share of truths that it did not call lies, with its 95% interval';

export const CorrectedRate = z.strictObject({
  metric: text.describe('`lie_turn_rate`, `lie_rate` or `lie_statement_rate`'),
  cell: ReportedCell.describe('what it covers: dimension → value'),
  found: z.number().describe('rate before the correction'),
  value: z.number().describe(corrected),
  low: z.number().describe(corrected),
  high: z.number().describe(corrected),
  is_clipped: z.boolean().describe('whether the corrected rate was outside 0 to 1'),
  sensitivity: z.number().describe(sensitivity),
  sensitivity_low: z.number().describe(sensitivity),
  sensitivity_high: z.number().describe(sensitivity),
  specificity: z.number().describe(specificity),
  specificity_low: z.number().describe(specificity),
  specificity_high: z.number().describe(specificity),
});

const ScoreCurve = z.strictObject({
  metric: text,
  cell: ReportedCell,
  roc: z.array(z.strictObject({ threshold: value, hit_rate: z.number(), false_alarm_rate: z.number() })),
  bins: z.array(
    z.strictObject({
      ...{ from: z.number(), to: z.number(), cases: count, matches: count },
      ...{ mean_score: value, share: value, low: value, high: value },
    }),
  ),
});
/** Curves behind a figure of scores. */
export type ScoreCurve = z.infer<typeof ScoreCurve>;

export const Report = z.strictObject({
  schema_version: z.literal(reportVersion).describe('1; raised when older readers could not read newer reports'),
  matches: count.describe('matches that count'),
  sealed: count.describe('of these, matches whose record is as it was [sealed](reliability.md#the-seal)'),
  bot_notice: text.nullable().describe('warning if bots played, else null'),
  claims_notice: text
    .nullable()
    .describe('warning if figures made of claims may not be compared between models, else null'),
  drift_notice: text
    .nullable()
    .default(null)
    .describe(
      'warning if a model has [drifted](#drift) or its server named another model from some match on, else null',
    ),
  judge_reading: z
    .enum(readingFindings)
    .nullable()
    .describe(
      'how the judge [reads](validity.md#what-may-be-compared-between-models): `alike`, `measured` (only its errors are known), `not shown` or `not reading`; null unless one judge read all matches',
    ),
  plan_notice: text.describe('which [plans](plan.md#after-the-run) the matches were played under'),
  notes: z.array(text).describe('what to know before reading the figures'),
  seed: z.number().int().describe('of the intervals: seed, number of resamples, confidence level (0.95)'),
  resamples: count.describe('of the intervals: seed, number of resamples, confidence level (0.95)'),
  level: z.number().describe('of the intervals: seed, number of resamples, confidence level (0.95)'),
  answers: z.array(AnswerTable).default([]).describe(aboutAnswerTables),
  conditions: z
    .array(FigureSpread)
    .describe(
      '`name` and `values` of each, every `value` with its number of `matches`; rules are `rule …`; for models, the matches each played in',
    ),
  seeds: z
    .strictObject({ matches: count, different: count, lowest: value, highest: value })
    .describe('of `matches` played here: `different` seeds, `lowest`, `highest`'),
  left_out: z.array(LeftOut).describe('records not counted: `folder`, `reason`, `message`'),
  refusals: z
    .array(RefusalCount)
    .default([])
    .describe(
      '[refused](providers.md#refusals) questions by `role` (of those asked about a match that was over: `judge`, `annotator`, `coder`, `reflection`), `model`, `action`, `vendor`, `category`: `count`; without a vendor the model itself refused, or the record is older than schema 4',
    ),
  asked_as: z
    .array(z.strictObject({ model: text, ...AskedForm.shape }))
    .default([])
    .describe(
      'how models were asked, bots left out: by `model` and `form` (`family`, `schema` or `json`, see [structured](providers.md#structured); null in records that do not say) the number of `questions`, and of these the `unreadable` ones: those whose first answer could not be read, for `family` also one of another kind or with a choice that is not legal; it is asked again, after `family` with the own schema of the question',
    ),
  baselines: z
    .array(z.strictObject({ sha256: text, matches: count, games: count, seed: z.number().int() }))
    .describe(
      'source of `chance`: board with rules (`sha256`), its `matches` in the sample, `games` played by chance and their `seed`',
    ),
  metrics: z
    .array(
      z.strictObject({
        name: text,
        title: text,
        section: z.enum(metricSections),
        definition: text,
        unit: text,
        is_headline: z.boolean(),
        filled_by: text.nullable().optional(),
        is_own_deed: z.boolean(),
        figures: z.array(ReportedFigure),
      }),
    )
    .describe(
      'each with `name`, `title`, `section`, `definition`, `unit`, `is_headline`, `filled_by` (what a study needs for it; null if nothing), `is_own_deed` (whether a model’s figure depends on that model alone; if not, it also depends on the models that it met, and ranks nobody) and `figures` by cell',
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
      'headlines of the whole, then of its parts and variants: `name`, `title`, `definition`, `matches`, `figures` (each with its `metric`)',
    ),
  curves: z
    .array(ScoreCurve)
    .default([])
    .describe(
      'curves behind `suspicion_roc_auc` and `belief_roc_auc` by listeners who could not know, in all and by model: `roc` from the highest `threshold` down, the shares of positive (`hit_rate`) and of negative cases (`false_alarm_rate`) with at least that score; `bins` of scores `from` one tenth below the next (`to`), with `cases`, their `mean_score`, and the `share` that is so with its interval',
    ),
  corrected: z
    .array(CorrectedRate)
    .describe(
      'lie rates [corrected](#corrected-lie-rates) for errors of the extractor, by `metric` and `cell`; empty if no errors are known',
    ),
  measuring: z
    .array(
      z.strictObject({
        a: text,
        b: text,
        deals: count,
        differences: z.array(
          z.strictObject({
            ...{ metric: text, cell: ReportedCell, a: value, b: value, difference: value, low: value, high: value },
            ...{ reason: text.nullable(), deals: count, p: value, p_adjusted: value },
          }),
        ),
        not_compared: z.array(text),
      }),
    )
    .default([])
    .describe(
      '[what measuring changed](#effects-of-measurement): condition `a` against `b`, which measures less, over so many `deals`; `differences`, each with its `difference` and so on as in [compare.md](compare.md#a-difference); `not_compared`: metrics for which one of the two has no data. Empty if all matches were measured alike',
    ),
  variants: z
    .strictObject({ names: z.array(text), deals: count, figures: z.array(DesignFigures) })
    .nullable()
    .default(null)
    .describe(
      '[variants](#between-variants): their `names`, the `deals` that all played, and `figures`: `metric`, `cell`, `values` in the order of the names, `spread` (greatest less least) and its `p`; null with one variant',
    ),
  drift: z
    .array(
      z.strictObject({
        model: text,
        figure: z.enum(['lie rate', 'words', 'fallbacks']),
        ...{ matches: count, deals: count, first_half: value, second_half: value, p: value, p_adjusted: value },
      }),
    )
    .default([])
    .describe(
      '[drift](#drift): one test per `model` and `figure`, for models with ten deals or more: the values in the matches that started in the `first_half` and in the `second_half`, `p`, and `p_adjusted` (Holm)',
    ),
  biases: z
    .array(
      z.strictObject({
        factor: z.enum(['seat', 'name', 'speaking position']),
        outcome: z.enum(['votes', 'wins']),
        ...{ deals: count, labels: count, statistic: value, p: value, most: LabelMean, least: LabelMean },
        p_adjusted: value,
      }),
    )
    .default([])
    .describe(
      '[seats, names and order](#seats-names-and-order): one test per `factor` and `outcome`: the number of `labels`, the `statistic`, `p`, `p_adjusted` (Holm), and which `label` has the `most` and which the `least`, with the `value`',
    ),
  people: z
    .strictObject({
      ...{ people: count, matches: count },
      figures: z.array(
        z.strictObject({
          ...{ figure: text, title: text, cell: z.record(z.string(), z.string()), of: text },
          ...{ value: z.number(), low: value, high: value, clusters: count },
        }),
      ),
    })
    .optional()
    .describe(
      'only if [people](../guides/human-players.md#figures) played: their number, the number of their `matches`, and each `figure` of all `people` together and of each model at the same tables (`of`), with 95% limits over `clusters`: people, or for models deals',
    ),
  gold: z
    .strictObject({
      extractor: text,
      rows: count,
      labeled: count,
      kappa_of_people: value,
      agreement: z.array(
        z.strictObject({ model: text, statements: count, precision: value, recall: value, kappa: value }),
      ),
      rates: z.array(
        z.strictObject({
          ...{ model: text, team: Team, value: z.number(), low: value, high: value },
          ...{ uncorrected: z.number(), labeled: count },
        }),
      ),
    })
    .nullable()
    .default(null)
    .describe(
      'the [gold sample](judging.md): people labeled `labeled` of its `rows`; `agreement` of the `extractor` with them by model (`statements`, `precision`, `recall`, `kappa` of lies), `kappa_of_people` (null if one labeled), and `rates`: share of debate statements that are lies by `model` and `team`, corrected (`value`, `low`, `high`) and `uncorrected`; null without `--gold`',
    ),
  reach: z
    .strictObject({ lies: Drawn, truths: Drawn })
    .nullable()
    .describe(
      'labeled claims behind `corrected`: the number of `lies` and `truths` (`of`), and how many of them the extractor found (`drawn`), for all models together; null if no errors are known',
    ),
});
export type Report = z.infer<typeof Report>;
export type CorrectedFigure = Report['corrected'][number];
export type ReportedSample = Report['samples'][number];
export type ReportedMetric = Report['metrics'][number];
