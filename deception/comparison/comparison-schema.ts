// The schema of `comparison.json`. Every field is defined in docs/reference/compare.md.
import { z } from 'zod';
import { incomparableReasons } from '../metrics/comparability.ts';
import type { MetricCell } from '../metrics/metric.ts';
import { Team } from '../../state/teams.ts';
import { aboutAnswerTables, AnswerTable } from '../metrics/answer-table-schema.ts';
import { LeftOut } from '../summary/report-schema.ts';

/** Version of the format. Increase it when a change makes new comparisons unreadable to older readers. */
export const comparisonVersion = 3;

const count = z.number().int().min(0);
const figure = z.number().nullable();

const Arm = z.strictObject({
  /** Name of a folder of records, a model, or an annotator. */
  name: z.string(),
  matches: count,
});

const cell = z.record(z.string(), z.string());

/**
 * Components into which a crossed design splits the difference between two models.
 */
export const effectPartNames = ['speaker', 'listener', 'actor', 'opponent', 'pack', 'village', 'interaction'] as const;
export type EffectPartName = (typeof effectPartNames)[number];

/** Models X and Y of a difference X − Y. */
export const modelsOfPart = z.tuple([z.string(), z.string()]);

const EffectPart = z.strictObject({
  name: z.enum(effectPartNames),
  /** Side whose model differs; null for the interaction. */
  side: Team.nullable(),
  models: modelsOfPart,
  /** Models of the other side over which the part is averaged. */
  opponents: z.array(z.string()),
});
export type EffectPart = z.infer<typeof EffectPart>;

/**
 * Families of rows that are tested together. In a crossed design, the rows of a part form a family. Otherwise rows that
 * depend on model and opponent jointly form one family, and all other rows another.
 */
const families = [...effectPartNames, 'all', 'joint'] as const;
export type TestFamily = (typeof families)[number];

const tiers = ['endpoint', 'headline', 'finer cell', 'not tested'] as const;

export const Difference = z.strictObject({
  metric: z.string().describe('metric and cell'),
  of: cell.describe('metric and cell'),
  family: z
    .enum(families)
    .nullable()
    .describe(
      '[what it is tested with](#how-it-is-computed): in a crossed design the name of the part, otherwise `all` or `joint`; null for an endpoint without data',
    ),
  tier: z
    .enum(tiers)
    .describe(
      '`endpoint` of the plan; `headline`; `finer cell` of a headline, tested only if the headline differs; or `not tested`: its p is not adjusted and supports no conclusion',
    ),
  joint: z
    .boolean()
    .describe('two models only: whether the difference may be due to the opponent as well as to the model'),
  part: EffectPart.nullable().describe(
    '[crossed design](#the-crossed-design) only: the `name` of the part, the `side` whose model is exchanged (null for the interaction), the `models` X and Y, and the `opponents` it is averaged over; else null',
  ),
  also: z
    .array(z.strictObject({ metric: z.string(), of: cell, is_complement: z.boolean() }))
    .describe(
      'other metrics and cells with the same values in every deal and arm, or with 1 minus these values (`is_complement`; their difference is −`difference`)',
    ),
  a: figure.describe(
    "each arm's figure over the paired deals; for a part, the means over X's and over Y's arms; for the interaction, the figure of X's Werewolves minus that of Y's, against the village of X (`a`) and of Y (`b`)",
  ),
  b: figure.describe(
    "each arm's figure over the paired deals; for a part, the means over X's and over Y's arms; for the interaction, the figure of X's Werewolves minus that of Y's, against the village of X (`a`) and of Y (`b`)",
  ),
  cases_a: figure.describe('opportunities counted in `a` and in `b`, over all arms of each; null without any'),
  cases_b: figure.describe('opportunities counted in `a` and in `b`, over all arms of each; null without any'),
  difference: figure.describe('`a` − `b`'),
  low: figure.describe('its 95 % interval'),
  high: figure.describe('its 95 % interval'),
  covers: figure.describe(
    'coverage of the 95 % interval of such a difference with so few deals, if validation measured it [under .93](validation.md); else null',
  ),
  method: z.string().nullable().describe('method of the interval; null without one'),
  reason: z
    .string()
    .nullable()
    .describe(
      'why there is none: `no data`, `too few`, `unstable`, `no variation`, or `not resampled` for rows that no test needs, unless `--resample-all` is given',
    ),
  confirmatory: z
    .boolean()
    .describe(
      'whether it is an endpoint of the [plan](plan.md) that the matches were played under, with its number of deals; all else is exploratory',
    ),
  pairs: count.describe('number of deals with data, in the arm that has the fewest'),
  p: figure.describe(
    'two-sided p from swapping arms within deals; exact (all swaps) with fewer than ten deals, or if swaps change few deals; also null if no swap changes anything',
  ),
  least_p: figure.describe('smallest p that so few deals could give, if p is exact; else null'),
  p_adjusted: figure.describe(
    'p adjusted by Holm’s procedure (endpoints, headlines) or by Benjamini and Bogomolov’s (finer cells); null for rows that are not tested, and if `least_p` is above .05',
  ),
  detectable: figure.describe('smallest true difference found with power .8 at α = .05'),
  as_found: z
    .strictObject({ a: figure, b: figure, difference: figure })
    .nullable()
    .default(null)
    .describe(
      'for a row that `--gold` or `--errors` corrects: `a`, `b` and `difference` by the judge alone (everything else in the row is corrected); null for other rows',
    ),
});
export type Difference = z.infer<typeof Difference>;

const Equivalence = z.strictObject({
  metric: z.string().describe('metric and cell'),
  of: cell.describe('metric and cell'),
  part: EffectPart.nullable().describe('as of a difference'),
  margin: z.number().positive().describe('in the unit of the figure'),
  named_in: z
    .enum(['plan', 'effect', 'command'])
    .describe(
      'where the margin was named: as `equivalent` of the plan, as the `effect` of its endpoint, or beside the command',
    ),
  deals: count.describe('number of deals with data, in the arm that has the fewest'),
  difference: figure.describe('`a` − `b`'),
  low: figure.describe('its 90 % interval'),
  high: figure.describe('its 90 % interval'),
  reason: z.string().nullable().describe('why there is none'),
  is_equivalent: z.boolean().nullable().describe('whether the whole interval lies within ± `margin`; null without one'),
});
/** Result of the test whether a figure is the same in both arms within a margin. */
export type Equivalence = z.infer<typeof Equivalence>;

const CrossedArm = z.strictObject({ werewolves: z.string(), villagers: z.string(), matches: count });
export type CrossedArm = z.infer<typeof CrossedArm>;

const NotIdentified = z.strictObject({
  models: modelsOfPart,
  part: z.enum(['pack', 'village', 'interaction']),
  /** Matches of the two models that would have to be played to identify the part. */
  needs: z.string(),
});
/** A part of the difference that the available arms cannot identify. */
export type NotIdentified = z.infer<typeof NotIdentified>;

const NotCompared = z.strictObject({ metric: z.string(), reason: z.enum(incomparableReasons) });
/** A metric that cannot be compared between these arms. */
export type NotCompared = z.infer<typeof NotCompared>;

/** Possible relations between the plan of a comparison and the plan under which its matches were played. */
const preregistrationStatuses = [
  'preregistered',
  'another plan',
  'plan after the matches',
  'plan not named',
  'no plan',
] as const;

export const Comparison = z.strictObject({
  schema_version: z.literal(comparisonVersion).describe(String(comparisonVersion)),
  by: z.enum(['condition', 'model', 'annotator', 'crossed']).describe('`condition`, `model`, `annotator` or `crossed`'),
  a: Arm.nullable().describe('`name` (folder, model or annotator) and number of `matches`; null if crossed'),
  b: Arm.nullable().describe('`name` (folder, model or annotator) and number of `matches`; null if crossed'),
  crossed: z
    .strictObject({ arms: z.array(CrossedArm), not_identified: z.array(NotIdentified) })
    .nullable()
    .describe(
      '`arms`: models of either side and number of `matches`; `not_identified`: parts that these matches do not identify, and what each `needs`; null unless crossed',
    ),
  answers: z.array(AnswerTable).default([]).describe(aboutAnswerTables),
  deals: count.describe('deals that all arms played, or in which both annotators judged the same statements'),
  unpaired: z
    .strictObject({ a: z.array(z.string()), b: z.array(z.string()) })
    .describe(
      '`a`, `b`: ids of matches without a counterpart in the other arm; if crossed, `a` has the matches of deals that not all arms played',
    ),
  records: z
    .strictObject({ matches: count, sealed: count })
    .describe('`matches` read, and how many of their records are as they were [sealed](reliability.md#the-seal)'),
  left_out: z
    .array(LeftOut)
    .describe('unusable records: `folder`, `reason`, `message` as in [reports](reports.md#which-matches-count)'),
  judgements: z
    .strictObject({ both: count, alone: z.strictObject({ a: count, b: count }) })
    .nullable()
    .describe('annotators only: number of judgments by `both`, and `alone` by only `a` or only `b`; else null'),
  contrasts: z
    .array(z.strictObject({ what: z.string(), a: z.array(z.string()), b: z.array(z.string()) }))
    .describe(
      'what differs between the arms (`what`), with its values in `a` and `b`; if crossed, what differs besides models between the first arm and the others',
    ),
  claims_by: z
    .string()
    .describe("extractor of the claims behind verdicts: `rules`, or a judge's model string, with how it was asked"),
  notes: z.array(z.string()).describe('what to know before reading the figures'),
  not_compared: z
    .array(NotCompared)
    .describe('each `metric` that is left out between models, and the `reason`, e.g. `claims drawn by rules`'),
  plan: z
    .strictObject({ question: z.string().nullable(), sha256: z.string(), endpoints: count, alpha: z.number() })
    .nullable()
    .describe(
      '`question` (or null), `sha256` of the plan’s [contents](plan.md#the-hash), number of `endpoints`, `alpha`; null without a plan',
    ),
  preregistration: z
    .strictObject({
      status: z.enum(preregistrationStatuses),
      played_under: z.array(z.strictObject({ sha256: z.string().nullable(), matches: count })),
      deals_planned: count.nullable(),
      sample: z.enum(['reached', 'not reached', 'exceeded']).nullable(),
    })
    .describe(
      '`status`: whether the plan is the one that all matches were [played under](plan.md#after-the-run); `played_under`: the plans in their manifests (null: none); `deals_planned` and whether that `sample` was reached, null if the plan does not say',
    ),
  bots: count.describe('seats of all matches played by bots'),
  resamples: count.describe('of the resampling'),
  seed: z.number().int().describe('of the resampling'),
  equivalence: z
    .array(Equivalence)
    .describe(
      'what is [equal within a margin](#equivalence): `metric`, `of`, `part`, `margin` and where it was named (`named_in`: `plan`, `effect`, `command`), `deals`, `difference`, its 90 % interval (`low`, `high`, or the `reason` why there is none) and `is_equivalent`',
    ),
  primary: z.array(Difference).describe("[differences](#a-difference) of the plan's endpoints, in its order"),
  secondary: z.array(Difference).describe('differences of all other figures'),
});
export type Comparison = z.infer<typeof Comparison>;

/** Whether two cells have the same dimensions with the same values. */
export const isSameCell = (one: MetricCell, other: MetricCell) =>
  isSameSet(Object.keys(one), Object.keys(other)) &&
  Object.entries(one).every(([name, value]) => other[name] === value);

/** Whether two lists hold the same values, in any order. */
export const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((value) => other.includes(value));
