// Families of rows that are tested together: the parts (speaker, listener, actor, …). In each family headlines are
// tested first, and finer cells of a metric only under a significant headline.
import { getRole } from '../../state/roles/index.ts';
import type { Metric, MetricCell } from '../metrics/metric.ts';
import { adjustUnderHeadlines } from '../statistics/adjusted-p-values.ts';
import type { Difference, TestFamily } from './comparison-schema.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';

/**
 * Game figures tested together with a report's headlines, and for each figure of lies its counterpart of true claims.
 */
export const gameFigures: readonly string[] = ['truths_called_honest_rate', 'win_rate', 'no_winner_rate', 'words_per_turn', 'bid_height', 'irp_votes', 'vss_days', 'voting_entropy', 'perceived_flag_rate', 'belief_roc_auc']; // prettier-ignore

/** Whether a comparison tests this metric: a headline of reports, or a game figure beside them. */
export const isComparedHeadline = ({ isHeadline, name }: Pick<Metric, 'isHeadline' | 'name'>): boolean =>
  isHeadline === true || gameFigures.includes(name);

/** Dimensions that name a side. */
const sideDimensions = ['team', 'speaker_team', 'observer_team', 'sheriff_team'] as const;

/** The headline's value of each dimension that is never pooled. Other values are finer cells. */
const headlineValues: Readonly<Record<string, string>> = { kind: 'debate', source: 'match', could_know: 'false' };

type Row = Pick<ContrastedFigure, 'metric' | 'cell' | 'isJoint' | 'part'>;

/**
 * Returns the family of a row: in a crossed design its part. Otherwise all rows are one family, except joint ones,
 * which form another.
 */
export const getTestFamily = ({ part, isJoint }: Pick<Row, 'part' | 'isJoint'>): TestFamily =>
  part?.name ?? (isJoint ? 'joint' : 'all');

/**
 * Selects the rows that answer a comparison's questions: for each headline metric the cells that separate the sides (if
 * it counts by them), in debates, judged by players who could not know. All other cells are finer.
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

/** Returns the rows of a comparison that are tested as headlines, with the family of each. */
export interface Families {
  selectHeadlines: (rows: readonly ContrastedFigure[]) => Set<ContrastedFigure>;
  nameFamily: (row: Row) => TestFamily;
}

/** The headlines of each part: what is found of a part in which nothing differs is held at .05. */
export const familiesByPart: Families = { selectHeadlines: selectHeadlineRows, nameFamily: getTestFamily };

/** Every row is a headline, all in one family: that anything is found where nothing differs is held at .05. */
export const oneFamily: Families = { selectHeadlines: (rows) => new Set(rows), nameFamily: () => 'all' };

function selectOfMetric<Candidate extends Row>(rows: readonly Candidate[]): Candidate[] {
  const coarse = rows.filter(({ metric, cell }) =>
    Object.keys(cell).every((name) => metric.strata.includes(name) || isSide(name)),
  );
  const main = Object.entries(headlineValues).reduce((left, [name, value]) => {
    const own = left.filter(({ cell }) => cell[name] === undefined || cell[name] === value);
    return own.length > 0 ? own : left;
  }, coarse);
  // Excludes what members of a side think of each other: it cannot be attributed to speaker or listener.
  const apart = main.filter(({ cell }) => !cell['observer_team'] || cell['speaker_team'] !== cell['observer_team']);
  const most = Math.max(...apart.map(countSides));
  return apart.filter((row) => countSides(row) === most);
}

const isSide = (name: string) => (sideDimensions as readonly string[]).includes(name);

const countSides = ({ cell }: Row) => sideDimensions.filter((name) => cell[name] !== undefined).length;

/** A row of a comparison, with all cells of its metric that it represents. */
export interface PlacedRow {
  row: ContrastedFigure;
  cells: readonly MetricCell[];
}

/**
 * Finds for each row the index of the headline above it: same metric, models and side, in a cell that contains the
 * row's. Null for headlines and for rows under none, which are not tested.
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

/** Whether the narrow cell lies within the wide one. A role implies its team. */
const isWithin = (narrow: MetricCell, wide: MetricCell) =>
  Object.entries(wide).every(([name, value]) => (narrow[name] ?? findImplied(narrow, name)) === value);

function findImplied(cell: MetricCell, dimension: string): string | undefined {
  const role = isSide(dimension) ? cell[dimension.replace('team', 'role')] : undefined;
  return role === undefined ? undefined : getRole(role).team;
}

/** A test whose smallest possible p is larger than this can find nothing, for example with fewer than six deals. */
const MOST_LEAST_P = 0.05;

/**
 * Adds adjusted p to the rows: headlines by Holm's procedure within their family, finer cells by Benjamini and
 * Bogomolov's within their headline's. Rows that no outcome could make significant do not count as tests (Tarone 1990).
 * Rows under no headline get no adjusted p.
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
