// A metric turns each match into named sums, one set of sums per cell, and computes its figure from the added sums of
// all matches. Only the sums are kept. The figure of a resample of matches is computed by adding the sums of the drawn
// matches.
import { z } from 'zod';
import type { Team } from '../../state/teams.ts';
import { compareText } from '../../state/text.ts';
import { createRatio, getSum, type Statistic as FigureOf, type Sums } from '../statistics/sums.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';

/** The part of the data that a figure covers: dimension → value, e.g. `{ kind: 'debate', team: 'werewolves' }`. */
export type MetricCell = Readonly<Record<string, string>>;

/**
 * Returns a key that is equal for the same metric and cell, whatever the order of dimensions.
 *
 * @example getFigureKey({ metric: 'lie_turn_rate', cell: { team: 'werewolves' } }) // '["lie_turn_rate",["team","werewolves"]]'
 */
export const getFigureKey = ({ metric, cell }: { metric: string; cell: MetricCell }): string =>
  JSON.stringify([metric, ...Object.entries(cell).sort(([one], [other]) => compareText(one, other))]);

/** One match's contribution to one of the finest cells of a metric. Tallies of the same cell are added up. */
export interface MetricTally {
  cell: MetricCell;
  sums: Sums;
}

/** Sections of a report, in the order of the report. */
export const metricSections = [
  'lies',
  'accusations',
  'detection',
  'self-reports',
  'perception',
  'beliefs',
  'agreement',
  'outcomes',
  'seats',
  'debate',
  'roles',
  'village',
  'sheriff',
  'reliability',
] as const;
export type MetricSection = (typeof metricSections)[number];

/**
 * @example
 * const exileRate: Metric = {
 *   name: 'exile_rate',
 *   title: 'Exiles',
 *   section: 'debate',
 *   definition: 'Days that exiled anybody over all days.',
 *   unit: 'share of days',
 *   range: [0, 1],
 *   strata: [],
 *   breakdowns: [['round']], // two tables: the whole, and one cell a round
 *   count: ({ rounds }) =>
 *     rounds.map((row) => ({
 *       cell: { round: String(row.round) },
 *       sums: { exiles: row.exiled === null ? 0 : 1, days: 1 },
 *     })),
 *   ...createRatioFigure('exiles', 'days'),
 * };
 */
export interface Metric {
  /** Unique name in snake_case. */
  name: string;
  title: string;
  section: MetricSection;
  /** Definition of the figure in a sentence, with its source if there is one. */
  definition: string;
  /** Further details as Markdown, printed in docs/reference/metrics.md only. */
  notes?: string;
  unit: string;
  /** Smallest and largest possible value. The largest is null if there is no upper bound, as for a mean of counts. */
  range: readonly [least: number, most: number | null];
  /** Whether the metric is shown at the top of a report, and is also computed for the variants of the sample. */
  isHeadline?: boolean;
  /** The dimension that names the model described by the figure; absent if it describes the match. */
  modelDimension?: string;
  /**
   * Whether the figure describes a model's own behavior, such as how often the model lies, bids or admits. Absent for a
   * relational figure, which also depends on listeners, voters or opponents. Only a crossed design can split a
   * relational figure into properties of single models: see comparison/crossed-effects.ts.
   */
  isOwnDeed?: true;
  /** Dimensions that are never pooled, e.g. `kind`. Every cell has them. */
  strata: readonly string[];
  /** Tables besides the table of the whole. Each list of dimensions, together with the strata, gives one table. */
  breakdowns: readonly (readonly string[])[];
  /**
   * Returns the tallies of a match. The function runs once per match, and metrics with the same function share its
   * result.
   */
  count: (match: MatchTables) => MetricTally[];
  /** Computes the figure. Null if the figure is undefined, e.g. because the denominator is 0. */
  value: FigureOf;
  /** Computes the denominator of a share, or the number of values in a mean. */
  opportunities: FigureOf;
  /**
   * Figure by the extractor alone. Present if `value` is corrected for the extractor's errors: see lie-correction.ts.
   */
  asFound?: FigureOf;
  /**
   * Claims from which the figure or its labels are computed. `counted`: the claims behind verdicts, which are a judge's
   * if there is a judge. `rules`: the rules' claims, even if there is a judge. Absent if the metric reads no claims.
   * Figures computed from the rules' claims are never compared between models: see comparability.ts.
   */
  readsClaims?: 'counted' | 'rules';
  /** Name of the metric that states, cell by cell, the share of speech that this figure covers. */
  coveredBy?: string;
  /**
   * Whether the figure is a bare rate of listeners' hits or misses. A crossed study leaves it out of its listener
   * effects, because a listener that flags everything would come first.
   */
  isBareHitRate?: boolean;
  /** Option or data that a study needs for this figure, as a user types it. Absent if every study has the figure. */
  filledBy?: string;
  /** Name of the metric that is always compared next to this metric, such as true claims next to lies. */
  besides?: string;
  /**
   * Metric by which to compare sides or roles instead, if the rules of the game push this metric to an end of its
   * range. Absent if this metric itself can be compared.
   */
  insteadBySide?: string;
  /**
   * Functions that count the cases of each group that the metric compares. If any group occurs in fewer than ten
   * matches, there is no figure ("too few"). Absent if the metric compares no groups.
   */
  comparedGroups?: readonly ((sums: Sums) => number)[];
  /**
   * Smallest and largest figure that are possible given the missing answers. Absent if no answer can be missing, or if
   * the bounds are unknown.
   */
  bounds?: (sums: Sums, cell: MetricCell) => readonly [low: number | null, high: number | null];
  /**
   * Whether random matches have a value too. This holds for metrics counted from the game's own tables, from the
   * winner, or from belief questions, and not from speech or its analysis.
   */
  hasBaseline?: boolean;
  /** The only team whose players the metric counts. Absent if it counts both teams, or no players. */
  side?: Team;
  /** Whether a cell's model is the model in all seats of a team, and not only in some seats. */
  isOfWholeSides?: boolean;
  /**
   * Whether every match with a cell adds 1 to the cell's sum `matches`, so that a figure can be a mean over matches.
   */
  isPerMatch?: boolean;
  /**
   * Whether each match counts exactly once, in the sum `for` or in the sum `against`. The interval is then Wilson's.
   */
  isOfMatches?: boolean;
}

/**
 * Dimensions that name a model or a player. Random matches have no models, so these dimensions have no meaning there.
 */
export const playerDimensions: ReadonlySet<string> = new Set([
  'model',
  'opponent',
  'villagers',
  'werewolves',
  'observer_model',
  'name',
]);

/** Returns whether a dimension names a model: of the subject, a speaker, a listener or an opponent. */
export const isOfModels = (dimension: string) =>
  dimension !== 'name' && (dimension === 'speaker_model' || playerDimensions.has(dimension));

/** Sections whose figures describe one model or one reader: calls and their cost, and agreement between readings. */
const ownSections: readonly MetricSection[] = ['reliability', 'agreement'];

/**
 * Whether a figure describes one model alone: the model's own behavior, calls or readings. All other figures also
 * depend on the models that it met.
 */
export const isOfModelAlone = ({ isOwnDeed, section }: Pick<Metric, 'isOwnDeed' | 'section'>): boolean =>
  isOwnDeed === true || ownSections.includes(section);

/** Returns the range if both ends are finite; undefined otherwise. Intervals use both ends or none. */
export const getFiniteRange = ([least, most]: Metric['range']): readonly [number, number] | undefined =>
  most === null ? undefined : [least, most];

const RowRules = z.object({
  exile: z.enum(['majority', 'plurality']).default('majority'),
  sheriffWeight: z.number().default(1),
  debateOrder: z.enum(['bidding', 'round-robin']).default('bidding'),
});

/** Parses the rules that metrics need from the row of a match, with defaults for missing ones. */
export const parseRowRules = ({ rules }: MatchRow) => RowRules.parse(JSON.parse(rules));

/**
 * Returns the figure `part / whole` over the sums with these names. The opportunities are the whole. Spread the result
 * into a metric.
 */
export const createRatioFigure = (part: string, whole: string) => ({
  value: createRatio(part, whole),
  opportunities: (sums: Sums) => getSum(sums, whole),
});
