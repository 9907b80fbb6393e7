// The schemas of `comparison.json` and of an analysis plan. Every field is defined in docs/compare.md.
import { z } from 'zod';
import { UsageError } from '../../state/usage-error.ts';
import { type IncomparableReason, incomparableReasons, reasonTexts } from '../metrics/comparability.ts';
import type { Cell, Metric } from '../metrics/metric.ts';
import { Team } from '../../state/teams.ts';
import { LeftOut } from '../summary/report-schema.ts';

/** Increased when older readers can no longer understand new comparisons. */
export const comparisonVersion = 2;

const count = z.number().int().min(0);
const figure = z.number().nullable();

const Arm = z.strictObject({
  /** A folder of records, a model, or an annotator. */
  name: z.string(),
  matches: count,
});

const cell = z.record(z.string(), z.string());

/** Whose part a contrast of a crossed design is. */
export const partNames = ['speaker', 'listener', 'actor', 'opponent', 'pack', 'village', 'interaction'] as const;
export type PartName = (typeof partNames)[number];

const models = z.tuple([z.string(), z.string()]);

const Part = z.strictObject({
  name: z.enum(partNames),
  /** The side whose model is exchanged; null for the interaction. */
  side: Team.nullable(),
  /** X and Y of the difference X − Y. */
  models,
  /** The models of the other side over which the part is averaged. */
  opponents: z.array(z.string()),
});
export type Part = z.infer<typeof Part>;

const families = ['lies', 'detection', 'game'] as const;
export type Family = (typeof families)[number];

export const Difference = z.strictObject({
  metric: z.string().describe('metric and cell'),
  of: cell.describe('metric and cell'),
  family: z
    .enum(families)
    .nullable()
    .describe('with what it is tested: `lies`, `detection` or `game`; null for an endpoint without data'),
  joint: z
    .boolean()
    .describe('two models only: whether the difference may be the opponent’s doing as well as the model’s'),
  part: Part.nullable().describe(
    '[crossed design](#the-crossed-design) only: the `name` of the part, the `side` whose model is exchanged (null for the interaction), the `models` X and Y, and the `opponents` it is averaged over; else null',
  ),
  also: z
    .array(z.strictObject({ metric: z.string(), of: cell }))
    .describe('further metrics and cells that are the same row, in every deal and arm'),
  a: figure.describe(
    "each arm's figure over the paired deals; of a part, the mean of X's and of Y's arms; of the interaction, X's pack minus Y's against the village of X, and of Y",
  ),
  b: figure.describe(
    "each arm's figure over the paired deals; of a part, the mean of X's and of Y's arms; of the interaction, X's pack minus Y's against the village of X, and of Y",
  ),
  difference: figure.describe('`a` − `b`'),
  low: figure.describe('its 95 % interval'),
  high: figure.describe('its 95 % interval'),
  method: z.string().nullable().describe('how the interval was made; null without one'),
  reason: z.string().nullable().describe('why there is none: `no data`, `too few`, `unstable`, `no variation`'),
  pairs: count.describe('deals with data in all arms'),
  p: figure.describe(
    'two-sided, by swapping arms within deals; with under ten deals exact, over all swaps; null also where no swap changes anything',
  ),
  least_p: figure.describe('with under ten deals, the least p that they could give; else null'),
  p_adjusted: figure.describe(
    'Holm among primary, by families among all others; null among these where `least_p` is above .05',
  ),
  detectable: figure.describe('smallest true difference found with power .8 at α = .05'),
});
export type Difference = z.infer<typeof Difference>;

const CrossedArm = z.strictObject({ werewolves: z.string(), villagers: z.string(), matches: count });
export type CrossedArm = z.infer<typeof CrossedArm>;

const NotIdentified = z.strictObject({
  models,
  part: z.enum(['pack', 'village', 'interaction']),
  /** Which matches of the two it would take. */
  needs: z.string(),
});
/** A part that the arms there are cannot tell. */
export type NotIdentified = z.infer<typeof NotIdentified>;

const NotCompared = z.strictObject({ metric: z.string(), reason: z.enum(incomparableReasons) });
/** A metric that may not be compared between these arms. */
export type NotCompared = z.infer<typeof NotCompared>;

export const Comparison = z.strictObject({
  schema_version: z.literal(comparisonVersion).describe('2'),
  by: z.enum(['condition', 'model', 'annotator', 'crossed']).describe('`condition`, `model`, `annotator` or `crossed`'),
  a: Arm.nullable().describe('`name` (folder, model or annotator) and number of `matches`; null if crossed'),
  b: Arm.nullable().describe('`name` (folder, model or annotator) and number of `matches`; null if crossed'),
  crossed: z
    .strictObject({ arms: z.array(CrossedArm), not_identified: z.array(NotIdentified) })
    .nullable()
    .describe(
      '`arms`: models of either side and number of `matches`; `not_identified`: parts that these cannot tell, and what each `needs`; null unless crossed',
    ),
  deals: count.describe('deals in all arms, or with common judgements of both annotators'),
  unpaired: z
    .strictObject({ a: z.array(z.string()), b: z.array(z.string()) })
    .describe(
      '`a`, `b`: ids of matches without a counterpart in the other arm; if crossed, in `a` those of deals that not all arms have',
    ),
  left_out: z
    .array(LeftOut)
    .describe('unusable records: `folder`, `reason`, `message` as in [reports](reports.md#which-matches-count)'),
  judgements: z
    .strictObject({ both: count, alone: z.strictObject({ a: count, b: count }) })
    .nullable()
    .describe('annotators only: number that `both` gave, and `alone`, that only `a` or only `b` gave; else null'),
  contrasts: z
    .array(z.strictObject({ what: z.string(), a: z.array(z.string()), b: z.array(z.string()) }))
    .describe(
      '`what` differs between the arms, with values in `a` and `b`; if crossed, besides models, in the first arm and the others',
    ),
  claims_by: z
    .string()
    .describe("who drew the claims behind verdicts: `rules`, or a judge's model string, with how it was asked"),
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
  /** Of a crossed design: whose part. */
  part: z.enum(partNames).optional(),
  /** Of a crossed design of more than two models: which two. */
  models: models.optional(),
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

/** What besides metrics decides which endpoints there are. */
interface PlanDesign {
  /** Whether two models changed sides: then an endpoint is a model's own deed. */
  isOfTwoModels?: boolean;
  /** Of a crossed design: pairs of models, and the parts of a cell. */
  crossed?: { pairs: readonly (readonly [string, string])[]; listParts: (metric: Metric, of: Cell) => PartName[] };
}

/**
 * Throws a UsageError for an unknown metric or one that may not be compared between these arms, a cell in which the
 * metric is not counted or that the rules of the game decide, a part that there is not or that is not said, or an endpoint named twice.
 *
 * @example
 * checkPlan(AnalysisPlan.parse({ endpoints: [{ metric: 'lie_turn_rate', of: { team: 'werewolves' } }] }), metrics);
 */
export function checkPlan(
  { endpoints }: AnalysisPlan,
  metrics: readonly Metric[],
  notCompared: readonly NotCompared[] = [],
  { isOfTwoModels = false, crossed }: PlanDesign = {},
) {
  for (const [index, endpoint] of endpoints.entries()) {
    const { metric: name, of } = endpoint;
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
    if (isOfTwoModels && !metric.isOwnDeed)
      throw new UsageError(
        `${where}: ${name} is joint with the opponent: of two models that changed sides, nobody can say whose doing a difference is. Play the crossed design (npm run match -- --crossed X Y --matches N --out FOLDER), compare its folder and name a part; or name a model's own deed: ${metrics.flatMap((one) => (one.isOwnDeed ? [one.name] : [])).join(', ')}.`,
      );
    checkPart(where, endpoint, crossed && { ...crossed, parts: crossed.listParts(metric, of) });
    if (endpoints.slice(0, index).some((other) => isSameEndpoint(other, endpoint)))
      throw new UsageError(`${where}: ${name} stands in the plan twice. Name each endpoint once.`);
  }
}

const isSameEndpoint = (one: Endpoint, other: Endpoint) =>
  one.metric === other.metric &&
  isSameCell(one.of, other.of) &&
  one.part === other.part &&
  one.models?.join('\n') === other.models?.join('\n');

function checkPart(
  where: string,
  { metric, part, models: named }: Endpoint,
  crossed: (NonNullable<PlanDesign['crossed']> & { parts: readonly PartName[] }) | undefined,
) {
  if (!crossed) {
    if (part !== undefined || named !== undefined)
      throw new UsageError(`${where}: part and models are for a crossed design, and this is none. Leave them out.`);
    return;
  }
  const { parts, pairs } = crossed;
  if (part === undefined || !parts.includes(part))
    throw new UsageError(
      `${where}: ${metric} ${part === undefined ? 'needs a part' : `has no part "${part}"`} in a crossed design. Its parts in this cell: ${parts.join(', ')}.`,
    );
  const isKnown = named === undefined ? pairs.length === 1 : pairs.some((pair) => pair.join('\n') === named.join('\n'));
  if (!isKnown)
    throw new UsageError(
      `${where}: ${metric} ${named === undefined ? 'needs models' : `has no models [${named.join(', ')}]`}, whose difference it is. There are: ${pairs.map((pair) => `[${pair.join(', ')}]`).join('; ')}.`,
    );
}

const otherEndpoints =
  'name an endpoint that is made of no claims, as words_per_turn, or in a crossed design belief_brier.';

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
