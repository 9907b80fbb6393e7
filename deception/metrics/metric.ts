// A metric: how a match is counted into named sums, by cells, and how the figure is computed from the sums. Since only
// sums are kept, a figure can be computed for any resample of matches by adding them again.
import { z } from 'zod';
import type { Team } from '../../state/teams.ts';
import { compareText } from '../../state/text.ts';
import { createRatio, getSum, type Statistic as FigureOf, type Sums } from '../statistics/sums.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';

/** The part of the data that a figure is of: dimension → value, e.g. `{ kind: 'debate', team: 'werewolves' }`. */
export type MetricCell = Readonly<Record<string, string>>;

/**
 * The same for the same metric and cell, in whatever order its dimensions stand.
 *
 * @example getFigureKey({ metric: 'lie_turn_rate', cell: { team: 'werewolves' } }) // '["lie_turn_rate",["team","werewolves"]]'
 */
export const getFigureKey = ({ metric, cell }: { metric: string; cell: MetricCell }): string =>
  JSON.stringify([metric, ...Object.entries(cell).sort(([one], [other]) => compareText(one, other))]);

/** What one match adds to one of the finest cells of a metric. Tallies of the same cell are added up. */
export interface MetricTally {
  cell: MetricCell;
  sums: Sums;
}

/** The sections of a report, in their order. */
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
  /** In snake_case, unique. */
  name: string;
  title: string;
  section: MetricSection;
  /** What the figure is, in a sentence, with its source where it has one. */
  definition: string;
  /** Details that only docs/reference/metrics.md prints, as Markdown; absent: none. */
  notes?: string;
  unit: string;
  /** Its least and greatest possible value; null: without upper bound, like a mean of counts. */
  range: readonly [least: number, most: number | null];
  /** Whether it stands at the top of a report, and is computed for the variants of the sample too. */
  isHeadline?: boolean;
  /** The dimension whose value is the model that the figure describes; absent where it describes the match. */
  modelDimension?: string;
  /**
   * Whether the figure is the model's own deed, as how often it lies, bids or admits. Absent where it is relational: it
   * depends on others too, as on who listens, votes or plays against it. What is relational is no property of one model
   * unless a crossed design tells its part from the others': see comparison/crossed-effects.ts.
   */
  isOwnDeed?: true;
  /** Dimensions that are never pooled: every cell has them, e.g. `kind`. */
  strata: readonly string[];
  /** The tables made besides the whole: each list of dimensions, together with the strata, gives one. */
  breakdowns: readonly (readonly string[])[];
  /** Counts a match. Metrics that share this function share its result too: it is called once a match. */
  count: (match: MatchTables) => MetricTally[];
  /** The figure; null where it is not defined, as without anything to divide by. */
  value: FigureOf;
  /** The denominator of a share, or how many values a mean is over. */
  opportunities: FigureOf;
  /**
   * Whose claims it is made of, or labels that follow from claims: those behind verdicts, a judge's where there is one;
   * or the rules' even beside a judge. Absent where it reads none. What is made of the rules' claims is compared between
   * no models: see comparability.ts.
   */
  readsClaims?: 'counted' | 'rules';
  /** The name of the metric that says, cell by cell, of how much of what was said the figure speaks. */
  coveredBy?: string;
  /**
   * Whether it is a bare hit rate, or a bare rate of misses, of whoever listens. It is then no listener's part of a crossed study,
   * where whoever flags everything comes first.
   */
  isBareHitRate?: boolean;
  /** The name of the metric that stands beside this one wherever they are compared: that of true claims beside that of lies. */
  besides?: string;
  /**
   * The metric to set sides or roles apart by, where this one lies near an end of its range for each of them by the rules
   * of the game; absent: this one.
   */
  insteadBySide?: string;
  /**
   * How many there are of each group that it holds against another. Where fewer than ten matches have any of one, there is
   * no figure ("too few"); absent: it compares no groups.
   */
  comparedGroups?: readonly ((sums: Sums) => number)[];
  /** The figure had all missing answers been such as to make it least, or greatest; absent where none can be missing, or such bounds are not known. */
  bounds?: (sums: Sums, cell: MetricCell) => readonly [low: number | null, high: number | null];
  /**
   * Whether it has a value in matches played by chance too: it is counted from the game's own tables, from who won, or
   * from beliefs that were asked for, and not from what was said or made of it.
   */
  hasBaseline?: boolean;
  /** The only team whose players it counts; absent where it counts both, or no players. */
  side?: Team;
  /** Whether the model of a cell is the one in all seats of a team, rather than one in some seats. */
  isOfWholeSides?: boolean;
  /** Every match that has a cell adds 1 to its sum `matches`, so that a figure can be a mean over matches. */
  isPerMatch?: boolean;
  /** Whether each match counts once, in the sum `for` or in `against`. The interval is then Wilson's. */
  isOfMatches?: boolean;
}

/** Dimensions that say which model or player sat there; they mean nothing in matches played by chance. */
export const playerDimensions: ReadonlySet<string> = new Set([
  'model',
  'opponent',
  'villagers',
  'werewolves',
  'observer_model',
  'name',
]);

/** Whether a dimension says which model somebody is: the subject, a speaker, a listener or an opponent. */
export const isOfModels = (dimension: string) =>
  dimension !== 'name' && (dimension === 'speaker_model' || playerDimensions.has(dimension));

/** Sections of what a model or a reader does alone: calls, their cost, and how far readings agree. */
const ownSections: readonly MetricSection[] = ['reliability', 'agreement'];

/**
 * Whether figures of a model tell of that model alone: of its own deeds, its calls, its readings. All others take those that
 * it met, too, and are no property of one model.
 */
export const isOfModelAlone = ({ isOwnDeed, section }: Pick<Metric, 'isOwnDeed' | 'section'>): boolean =>
  isOwnDeed === true || ownSections.includes(section);

/** The range, where it has both ends: intervals take both or none. */
export const getFiniteRange = ([least, most]: Metric['range']): readonly [number, number] | undefined =>
  most === null ? undefined : [least, most];

const RowRules = z.object({
  exile: z.enum(['majority', 'plurality']).default('majority'),
  sheriffWeight: z.number().default(1),
  debateOrder: z.enum(['bidding', 'round-robin']).default('bidding'),
});

/** The rules that metrics need, read from the row of a match, with defaults where the row lacks them. */
export const parseRowRules = ({ rules }: MatchRow) => RowRules.parse(JSON.parse(rules));

/** The figure `part / whole` of the sums of those names, whose opportunities are the whole; to be spread into a metric. */
export const createRatioFigure = (part: string, whole: string) => ({
  value: createRatio(part, whole),
  opportunities: (sums: Sums) => getSum(sums, whole),
});
