// The analysis plan: the endpoints named before the data were seen, the number of deals, and a check that matches were
// played under the plan. docs/reference/plan.md defines every field.
import { z } from 'zod';
import { formatCommand } from '../../state/command-name.ts';
import { describeNearName, UsageError } from '../../state/usage-error.ts';
import { type IncomparableReason, reasonTexts } from '../metrics/comparability.ts';
import type { MetricCell, Metric } from '../metrics/metric.ts';
import { describeReplacement } from '../metrics/replaced-metrics.ts';
import type { MatchRow } from '../tables/match-tables.ts';
import {
  type Comparison,
  isSameCell,
  isSameSet,
  modelsOfPart,
  type NotCompared,
  type EffectPartName,
  effectPartNames,
} from './comparison-schema.ts';
import { hashText } from '../../state/hash-text.ts';

/** Maximum number of endpoints. With more, each endpoint would have little power. */
const mostEndpoints = 5;

export const Endpoint = z.strictObject({
  metric: z.string().describe('a name of [metrics.md](metrics.md)'),
  of: z
    .record(z.string(), z.coerce.string())
    .default({})
    .describe('cell of the metric, e.g. `{ team: werewolves }`; without it, the whole'),
  part: z
    .enum(effectPartNames)
    .optional()
    .describe('in a [crossed design](compare.md#the-crossed-design): name of the part'),
  models: modelsOfPart.optional().describe('in a crossed design of more than two models: the two to compare'),
  effect: z
    .number()
    .positive()
    .optional()
    .describe('smallest difference that matters, in the unit of the figure; `deals` is computed to show it'),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** Significance level of a plan that states none. */
export const defaultAlpha = 0.05;

/** Contents of a plan file, written by `npm run plan -- --out plan.yaml` or by a person. */
export const AnalysisPlan = z.strictObject({
  question: z.string().optional().describe('research question, in words'),
  judge: z
    .string()
    .min(1)
    .optional()
    .describe('the model that extracts the claims behind verdicts, instead of the rules'),
  endpoints: z
    .array(Endpoint)
    .min(1)
    .max(mostEndpoints)
    .describe('one to five primary [endpoints](#an-endpoint), whose p are adjusted by Holm’s procedure'),
  crossed: z
    .array(z.string().min(1))
    .min(2)
    .optional()
    .describe('the models that play in a [crossed design](compare.md#the-crossed-design): `match` refuses others'),
  deals: z.number().int().min(1).optional().describe('the sample size: how many deals every arm plays'),
  seed: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'seed of the first deal; each further deal has the next seed. `match` plays these deals and refuses others',
    ),
  pilot_seeds: z
    .array(z.coerce.string().regex(/^\d+(-\d+)?$/, 'expected seeds such as 7 or 1001-1010'))
    .optional()
    .describe('the seeds of the pilot, e.g. `[1001-1010]`: `match` refuses to play any of these deals'),
  equivalent: z
    .record(z.string(), z.number().positive())
    .optional()
    .describe(
      'metric → margin, in the unit of the metric, within which two arms count as equal ([equivalence](compare.md#equivalence)); default: the `effect` of the endpoint',
    ),
  replicates: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'number of times that every arm plays each deal, with the same seats ([replicates](compare.md#replicates)); default 1',
    ),
  stop: z
    .literal('fixed')
    .optional()
    .describe('stopping rule. `fixed`: stop at exactly `deals`, whatever the figures say'),
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe('error level of all endpoints together; default .05. Intervals are always 95 % intervals'),
  power: z.number().gt(0).lt(1).optional().describe('probability that `deals` deals show a true `effect`'),
});
export type AnalysisPlan = z.infer<typeof AnalysisPlan>;

/**
 * Returns the hash of a plan's contents: SHA-256, in hexadecimal, of its JSON with sorted keys. Order, layout and
 * comments do not change it.
 *
 * @example hashPlan({ endpoints: [{ metric: 'belief_brier' }], deals: 40 });
 */
export const hashPlan = (contents: unknown): string => hashText(JSON.stringify(sortKeys(contents)));

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, own]) => [name, sortKeys(own)]));
}

/**
 * Returns the first seed of a study that its pilot also used; undefined if there is none. `seed`: seed of the study's
 * first deal; each further deal has the next higher seed. `deals`: number of deals.
 *
 * @example findPilotSeed({ pilot_seeds: ['1001-1010'] }, { seed: 1005, deals: 3 }) // 1005
 */
export function findPilotSeed(
  { pilot_seeds: ranges = [] }: Pick<AnalysisPlan, 'pilot_seeds'>,
  { seed, deals }: { seed: number; deals: number },
): number | undefined {
  const shared = ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    const from = Math.max(first, seed);
    return from <= Math.min(last, seed + deals - 1) ? [from] : [];
  });
  return shared.length === 0 ? undefined : Math.min(...shared);
}

/**
 * Returns whether these matches were all played under this plan, and whether all deals of the plan were played. `plan`:
 * null if there is no plan.
 */
export function evaluatePreregistration(
  plan: (Pick<AnalysisPlan, 'deals'> & { sha256: string }) | null,
  rows: readonly Pick<MatchRow, 'plan_sha256'>[],
  deals: number,
): Comparison['preregistration'] {
  const named = Map.groupBy(rows, (row) => row.plan_sha256);
  const playedUnder = [...named]
    .map(([sha256, { length }]) => ({ sha256, matches: length }))
    .sort((one, other) => ((one.sha256 ?? '') < (other.sha256 ?? '') ? -1 : 1));
  const others = playedUnder.filter(({ sha256 }) => sha256 !== (plan?.sha256 ?? null));
  const planned = plan?.deals ?? null;
  return {
    status:
      plan === null
        ? others.length > 0
          ? 'plan not named'
          : 'no plan'
        : others.length === 0
          ? 'preregistered'
          : others.every(({ sha256 }) => sha256 === null)
            ? 'plan after the matches'
            : 'another plan',
    played_under: playedUnder,
    deals_planned: planned,
    sample: planned === null ? null : deals === planned ? 'reached' : deals < planned ? 'not reached' : 'exceeded',
  };
}

/**
 * Dimensions along which the rules of the game fix the values of some metrics. If a plan compares such a metric along
 * one of them, the plan check names another metric.
 */
const sideDimensions = ['team', 'role'];

/** The facts, besides metrics, that decide which endpoints exist. */
export interface PlanDesign {
  /** Whether two models changed sides. Endpoints are then limited to figures of a model's own behavior. */
  isOfTwoModels?: boolean;
  /**
   * In a crossed design: the pairs of models that an endpoint can compare, and a function that lists the parts of a
   * metric's cell.
   */
  crossed?: {
    pairs: readonly (readonly [string, string])[];
    listParts: (metric: Metric, of: MetricCell) => EffectPartName[];
  };
}

/**
 * Checks the endpoints of a plan. Throws a UsageError for an endpoint that is unknown, named twice, or not comparable
 * between these arms. Also throws for a cell that the metric does not have, for a cell whose value the rules of the
 * game determine, and for a part that is missing or does not exist.
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
        `${where}: ${name} cannot compare models, because ${reasonTexts[refused.reason]}. ${cures[refused.reason]()}`,
      );
    const metric = metrics.find((one) => one.name === name);
    if (!metric) {
      const known = metrics.map((one) => one.name);
      throw new UsageError(
        `${where}: unknown metric ${JSON.stringify(name)}. ${describeReplacement(name) || describeNearName(name, known)}Known metrics: ${known.join(', ')}.`,
      );
    }
    if (!isCounted(metric, of)) {
      const by = Object.keys(of).join(', ');
      throw new UsageError(
        `${where}: ${name} ${by === '' ? 'needs a cell (`of`)' : `is not counted by ${by}`}. It is counted by: ${describeTables(metric).join('; ')}. Give a value of each: ${formatEndpoint(name, listDimensions(metric)[0] ?? [])}.`,
      );
    }
    const bySide = sideDimensions.find((dimension) => dimension in of);
    if (metric.insteadBySide !== undefined && bySide !== undefined)
      throw new UsageError(
        `${where}: ${name} by ${bySide} says little about how often players lie, because the rules of the game determine it: for Werewolves it is near 1, whether they lie in one of ten turns or in nine. Name ${metric.insteadBySide} of the same ${bySide}.`,
      );
    if (isOfTwoModels && !metric.isOwnDeed)
      throw new UsageError(
        `${where}: ${name} is joint with the opponent: if two models only changed sides, a difference cannot be attributed to either. Play the crossed design (${formatCommand('match', '--crossed', 'X', 'Y', '--matches', 'N', '--out', 'FOLDER')}), compare its folder and name a part; or name a figure of a model's own acts: ${metrics.flatMap((one) => (one.isOwnDeed ? [one.name] : [])).join(', ')}.`,
      );
    checkPart(where, endpoint, crossed && { ...crossed, parts: crossed.listParts(metric, of) });
    if (endpoints.slice(0, index).some((other) => isSameEndpoint(other, endpoint)))
      throw new UsageError(`${where}: ${name} is in the plan twice. Name each endpoint once.`);
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
  crossed: (NonNullable<PlanDesign['crossed']> & { parts: readonly EffectPartName[] }) | undefined,
) {
  if (!crossed) {
    if (part !== undefined || named !== undefined)
      throw new UsageError(
        `${where}: part and models need a crossed design, and this design is not crossed. Leave them out.`,
      );
    return;
  }
  const { parts, pairs } = crossed;
  if (part === undefined || !parts.includes(part))
    throw new UsageError(
      `${where}: ${metric} ${part === undefined ? 'needs a part' : `has no part "${part}"`} in a crossed design. Its parts in this cell: ${parts.join(', ')}. Name one, e.g. part=${parts[0] ?? 'actor'} in --endpoint, or part: ${parts[0] ?? 'actor'} in a plan file.`,
    );
  const isKnown = named === undefined ? pairs.length === 1 : pairs.some((pair) => pair.join('\n') === named.join('\n'));
  if (!isKnown)
    throw new UsageError(
      `${where}: ${metric} ${named === undefined ? 'needs models' : `has no models [${named.join(', ')}]`}, which are the two models to compare. Possible pairs: ${pairs.map((pair) => `[${pair.join(', ')}]`).join('; ')}.`,
    );
}

const otherEndpoints =
  'name an endpoint that uses no claims, such as words_per_turn or, in a crossed design, belief_brier.';

/** Reason why a metric cannot be compared → advice for the error message. */
const cures: Readonly<Record<IncomparableReason, () => string>> = {
  'claims drawn by rules': () =>
    `Name a judge (--judge MODEL, or judge: MODEL in the plan) once it has extracted the claims of both arms (${formatCommand('report', 'FOLDER', '--judge', 'MODEL')}); or ${otherEndpoints}`,
  'claims drawn by several': () => `Name one judge (--judge MODEL); or ${otherEndpoints}`,
  'judge not shown to read models alike': () =>
    `Measure its errors on statements of these models (--errors FILE, which validate --claims --judge MODEL --out FILE writes), or label a sample of them (label, then --gold SHEET); or ${otherEndpoints}`,
  'judge errors not corrected': () => `Name lie_turn_rate, which they correct, or ${otherEndpoints}`,
  'judge not reading': () => `Name another judge (--judge MODEL); or ${otherEndpoints}`,
  'claims of the rules beside a judge': () => `Compare sets of matches by the same models; or ${otherEndpoints}`,
};

const listDimensions = ({ strata, breakdowns }: Metric) => [[], ...breakdowns].map((table) => [...strata, ...table]);

const isCounted = (metric: Metric, of: MetricCell) =>
  listDimensions(metric).some((table) => isSameSet(table, Object.keys(of)));

/**
 * Formats an endpoint with a cell of these dimensions, both as a command-line option and as YAML. `VALUE` stands for
 * each value.
 */
const formatEndpoint = (name: string, columns: readonly string[]) =>
  `--endpoint ${name}:${columns.map((column) => `${column}=VALUE`).join(',')}, or of: { ${columns.map((column) => `${column}: VALUE`).join(', ')} } in a plan file`;

const describeTables = (metric: Metric) =>
  listDimensions(metric).map((table) => table.join(', ') || 'nothing (the whole)');
