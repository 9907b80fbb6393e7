// The figures of a report in the order of their tables. Each figure includes its chance baseline, its coverage and its
// comparability.
import type { ChanceFigure } from '../baseline/chance-baseline.ts';
import { findIncomparableReason, type ReadingFinding } from '../metrics/comparability.ts';
import { getFigureKey, type Metric, type MetricCell } from '../metrics/metric.ts';
import { findWeakCoverage } from '../metrics/weak-coverage.ts';
import { compareText } from '../../state/text.ts';
import type { FoundFigure, ReportedFigure } from './report-schema.ts';
import { getCellKey } from './sufficient-statistics.ts';

/**
 * The figures of all samples. `metrics`: all metrics of the report; `chances`: by `getCellKey`; `extractors`: who
 * extracted the claims.
 *
 * @example
 * const table = new ReportedFigures(figures, metrics, chances, ['rules']);
 * table.listOf('all', metric).map((figure) => table.report(figure)); // the tables of the metric
 */
export class ReportedFigures {
  readonly #bySample: ReadonlyMap<string, readonly FoundFigure[]>;
  readonly #chances: ReadonlyMap<string, ChanceFigure>;
  readonly #findCoverage: (figure: FoundFigure) => number | null;
  /** Names of the metrics that can be compared between models. */
  readonly #comparable: ReadonlySet<string>;

  constructor(
    figures: readonly FoundFigure[],
    metrics: readonly Metric[],
    chances: ReadonlyMap<string, ChanceFigure>,
    extractors: readonly string[],
    reading: ReadingFinding | null,
  ) {
    this.#bySample = Map.groupBy(figures, ({ sample }) => sample);
    this.#chances = chances;
    this.#findCoverage = createCoverageFinder(metrics, this.#bySample);
    this.#comparable = new Set(
      metrics.filter((metric) => findIncomparableReason(metric, extractors, reading) === null).map(({ name }) => name),
    );
  }

  /** Lists all figures of a sample, in any order. */
  list(sample: string): readonly FoundFigure[] {
    return this.#bySample.get(sample) ?? [];
  }

  listOf(sample: string, metric: Metric): FoundFigure[] {
    return this.list(sample)
      .filter((figure) => figure.metric === metric.name)
      .sort(createFigureOrder(metric));
  }

  report(figure: FoundFigure): ReportedFigure {
    return createReportedFigure(figure, {
      chance: this.#chances.get(getCellKey(figure)),
      coverage: this.#findCoverage(figure),
      isComparable: this.#comparable.has(figure.metric),
    });
  }
}

/** Returns whether the figure's cell has only the strata of the metric, and no further dimensions. */
export const isUndivided = ({ cell }: FoundFigure, { strata }: Metric) => Object.keys(cell).length === strata.length;

/**
 * Creates a comparison function that sorts figures by table in the metric's order, then by the values of their cells.
 */
const createFigureOrder = (metric: Metric) => {
  const tables = [[], ...metric.breakdowns].map((dimensions) => [...metric.strata, ...dimensions].sort().join(' '));
  const findTable = (cell: MetricCell) => tables.indexOf(Object.keys(cell).sort().join(' '));
  return ({ cell: one }: FoundFigure, { cell: other }: FoundFigure) =>
    findTable(one) - findTable(other) || compareValues(Object.values(one), Object.values(other));
};

/** Compares numbers as numbers, so that round 10 comes after round 9. */
function compareValues(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  const [a, b] = [one[at] ?? '', other[at] ?? ''];
  const areNumbers = [a, b].every((value) => /^\d+$/.test(value));
  return areNumbers ? Number(a) - Number(b) : compareText(a, b);
}

/**
 * Creates a function that finds the coverage of a figure in the same cell and sample. The function returns null if the
 * figure has no coverage.
 */
function createCoverageFinder(metrics: readonly Metric[], bySample: ReadonlyMap<string, readonly FoundFigure[]>) {
  const coveredBy = new Map(metrics.flatMap(({ name, coveredBy: by }) => (by === undefined ? [] : [[name, by]])));
  const covering = new Set(coveredBy.values());
  const figures = [...bySample.values()].flat().filter(({ metric }) => covering.has(metric));
  // `getFigureKey` ignores the order of dimensions, which differs between metrics.
  const getKey = ({ sample, ...figure }: Pick<FoundFigure, 'sample' | 'metric' | 'cell'>) =>
    JSON.stringify([sample, getFigureKey(figure)]);
  const values = new Map(figures.map((figure) => [getKey(figure), figure.value]));
  return ({ sample, metric, cell }: FoundFigure) => {
    const by = coveredBy.get(metric);
    return by === undefined ? null : (values.get(getKey({ sample, metric: by, cell })) ?? null);
  };
}

/** Values shown next to a figure. */
interface FigureContext {
  chance: ChanceFigure | undefined;
  coverage: number | null;
  isComparable: boolean;
}

function createReportedFigure(found: FoundFigure, { chance, coverage, isComparable }: FigureContext): ReportedFigure {
  const { cell, value, low, high, method, reason, ...figure } = found;
  const { opportunities, matches, mean_of_matches, matches_with_value, lowest, highest } = figure;
  return {
    ...{ cell, value, low, high, method, reason },
    ...{ opportunities, matches, mean_of_matches, matches_with_value, lowest, highest },
    ...{ chance: chance?.value ?? null, chance_se: chance?.se ?? null, comparable: isComparable },
    ...{ covers: low === null ? null : findWeakCoverage(found.metric, 'figure', found.matches), coverage },
  };
}
