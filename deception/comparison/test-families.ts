// Families of rows that are tested together. In a crossed design, each part (speaker, listener, actor, …) is a family.
// In each family headlines are tested first. Finer cells of a metric are tested only if their headline is significant.
import { getRole } from '../../state/roles/index.ts';
import type { Metric, MetricCell } from '../metrics/metric.ts';
import { adjustUnderHeadlines } from '../statistics/adjusted-p-values.ts';
import type { Difference, TestFamily } from './comparison-schema.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';

/**
 * Game figures that are tested together with a report's headlines. For each figure of lies the list also has its
 * counterpart for true claims.
 */
export const gameFigures: readonly string[] = ['truths_called_honest_rate', 'win_rate', 'no_winner_rate', 'words_per_turn', 'bid_height', 'irp_votes', 'vss_days', 'voting_entropy', 'perceived_flag_rate', 'belief_roc_auc']; // prettier-ignore

/** Whether a comparison tests this metric: it is a headline of reports or one of `gameFigures`. */
export const isComparedHeadline = ({ isHeadline, name }: Pick<Metric, 'isHeadline' | 'name'>): boolean =>
  isHeadline === true || gameFigures.includes(name);

/** Dimensions whose values are sides. */
const sideDimensions = ['team', 'speaker_team', 'observer_team', 'sheriff_team'] as const;

/** Value of a headline cell for each dimension that is never pooled. Cells with other values are finer cells. */
const headlineValues: Readonly<Record<string, string>> = { kind: 'debate', source: 'match', could_know: 'false' };

type Row = Pick<ContrastedFigure, 'metric' | 'cell' | 'isJoint' | 'part'>;

/**
 * Returns the family of a row. In a crossed design the family is the row's part. Otherwise all joint rows form one
 * family, and all other rows another.
 */
export const getTestFamily = ({ part, isJoint }: Pick<Row, 'part' | 'isJoint'>): TestFamily =>
  part?.name ?? (isJoint ? 'joint' : 'all');

/**
 * Selects the rows that answer a comparison's questions. For each headline metric, these are the cells for debates,
 * judged by players who could not know the label; if the metric counts by side, one cell per side. All other cells are
 * finer.
 *
 * @example selectHeadlineRows(rows) // perceived_flag_rate of Werewolves heard by villagers, and the reverse
 */
export function selectHeadlineRows<Candidate extends Row>(
  rows: readonly Candidate[],
  isHeadline: (metric: Metric) => boolean = isComparedHeadline,
): Set<Candidate> {
  const byMetric = Map.groupBy(
    rows.filter(({ metric }) => isHeadline(metric)),
    ({ metric }) => metric.name,
  );
  return new Set([...byMetric.values()].flatMap(selectOfMetric));
}

/** Decides which rows of a comparison are tested as headlines, and to which family each row belongs. */
export interface Families {
  selectHeadlines: (rows: readonly ContrastedFigure[]) => Set<ContrastedFigure>;
  nameFamily: (row: Row) => TestFamily;
}

/**
 * The headlines of each part form a family. If nothing differs in a part, the chance of any significant result in that
 * part is at most .05.
 */
export const familiesByPart: Families = { selectHeadlines: selectHeadlineRows, nameFamily: getTestFamily };

/** Every row is a headline, and all rows form one family. The chance of any false positive result is at most .05. */
export const oneFamily: Families = { selectHeadlines: (rows) => new Set(rows), nameFamily: () => 'all' };

function selectOfMetric<Candidate extends Row>(rows: readonly Candidate[]): Candidate[] {
  const coarse = rows.filter(({ metric, cell }) =>
    Object.keys(cell).every((name) => metric.strata.includes(name) || isSide(name)),
  );
  const main = Object.entries(headlineValues).reduce((left, [name, value]) => {
    const own = left.filter(({ cell }) => cell[name] === undefined || cell[name] === value);
    return own.length > 0 ? own : left;
  }, coarse);
  // Excludes the judgments of a side about its own members, which show neither the speaker's nor the listener's effect.
  const apart = main.filter(({ cell }) => !cell['observer_team'] || cell['speaker_team'] !== cell['observer_team']);
  const most = Math.max(...apart.map(countSides));
  return apart.filter((row) => countSides(row) === most);
}

const isSide = (name: string) => (sideDimensions as readonly string[]).includes(name);

const countSides = ({ cell }: Row) => sideDimensions.filter((name) => cell[name] !== undefined).length;

/** A row of a comparison, and all cells of its metric that the row represents. */
export interface PlacedRow {
  row: ContrastedFigure;
  cells: readonly MetricCell[];
}

/**
 * Finds, for each finer row, the index of the headline row above it. The headline has the same metric, models and side,
 * and its cell contains the finer row's cell. The entry is null for headlines. It is also null for finer rows without a
 * headline, which are not tested.
 */
export function findHeadlinesAbove(
  rows: readonly PlacedRow[],
  headlines: ReadonlySet<ContrastedFigure>,
): (number | null)[] {
  const places = Map.groupBy(
    rows.flatMap(({ row }, place) => (headlines.has(row) ? [{ row, place }] : [])),
    ({ row }) => nameQuestion(row),
  );
  return rows.map(({ row, cells }) => {
    if (headlines.has(row)) return null;
    const above = (places.get(nameQuestion(row)) ?? []).map(({ place }) => place);
    const isUnder = (place: number) =>
      cells.some((cell) => rows[place]?.cells.some((one) => isWithin(cell, one)) ?? false);
    return above.find(isUnder) ?? null;
  });
}

const nameQuestion = ({ metric, part, isJoint }: Row) =>
  JSON.stringify([metric.name, isJoint, part && [part.models, part.side]]);

/** Returns whether the narrow cell lies within the wide one. A role implies its team. */
const isWithin = (narrow: MetricCell, wide: MetricCell) =>
  Object.entries(wide).every(([name, value]) => (narrow[name] ?? findImplied(narrow, name)) === value);

function findImplied(cell: MetricCell, dimension: string): string | undefined {
  const role = isSide(dimension) ? cell[dimension.replace('team', 'role')] : undefined;
  return role === undefined ? undefined : getRole(role).team;
}

/**
 * A test whose smallest possible p exceeds this value can never find a difference. An example is a test on fewer than
 * six deals.
 */
const MOST_LEAST_P = 0.05;

/**
 * Adds adjusted p to the rows. Headlines are adjusted by Holm's procedure within their family, and finer cells by
 * Benjamini and Bogomolov's procedure within the family of their headline. Rows that no outcome could make significant
 * do not count as tests (Tarone 1990). Rows without a headline above them get no adjusted p.
 */
export function adjustInFamilies(rows: readonly Difference[], above: readonly (number | null)[]): Difference[] {
  const getP = ({ p, least_p: least }: Difference) => (least !== null && least > MOST_LEAST_P ? null : p);
  const adjusted = new Map<Difference, number | null>();
  const tested = rows.flatMap((row, place) => {
    const p = row.tier === 'headline' ? getP(row) : null;
    return p === null ? [] : [{ row, p, finer: rows.filter((_, other) => above[other] === place) }];
  });
  for (const headlines of Map.groupBy(tested, ({ row }) => row.family).values()) {
    const found = adjustUnderHeadlines(
      headlines.map(({ p }) => p),
      headlines.map(({ finer }) => finer.map(getP)),
    );
    for (const [place, { row, finer }] of headlines.entries()) {
      adjusted.set(row, found.headlines[place] ?? null);
      for (const [under, one] of finer.entries()) adjusted.set(one, found.finer[place]?.[under] ?? null);
    }
  }
  return rows.map((row, place) => ({
    ...row,
    family: rows[above[place] ?? place]?.family ?? null,
    p_adjusted: adjusted.get(row) ?? null,
  }));
}
