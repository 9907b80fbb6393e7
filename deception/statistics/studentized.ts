// The studentized bootstrap over clusters, on a scale that keeps bounds within what the figure can be.
import type { Resampling } from './resampling.ts';
import type { Estimate, Estimator } from './standard-error.ts';

/** A resample's standard error counts as at least this share of the sample's: rare events have resamples with none. */
const LEAST_SHARE = 0.2;
/** With more undefined resamples than this share there is no interval. */
const MOST_UNDEFINED = 0.1;

/** A monotone change of scale with its slope and its inverse. */
interface Scale {
  readonly to: (value: number) => number;
  readonly slope: (value: number) => number;
  readonly from: (scaled: number) => number;
}

const asIs: Scale = { to: (value) => value, slope: () => 1, from: (scaled) => scaled };

/** arcsin √p, which steadies the variance of a share; Anscombe's ⅜ (1948) keeps its slope finite at the ends. */
function arcsine([least, most]: readonly [number, number], rows: number): Scale {
  const width = most - least;
  const inner = (value: number) => (((value - least) / width) * rows + 0.375) / (rows + 0.75);
  return {
    to: (value) => Math.asin(Math.sqrt(inner(value))),
    slope: (value) => rows / (rows + 0.75) / width / (2 * Math.sqrt(inner(value) * (1 - inner(value)))),
    from: (scaled) => {
      const share = Math.sin(Math.min(Math.max(scaled, 0), Math.PI / 2)) ** 2;
      return least + width * Math.min(1, Math.max(0, (share * (rows + 0.75) - 0.375) / rows));
    },
  };
}

interface BoundsOptions {
  readonly resampling: Resampling;
  readonly level: number;
  readonly range?: readonly [number, number] | undefined;
}

/**
 * Bounds of the studentized (bootstrap-t) interval (Efron & Tibshirani 1993, ch. 12.5) for a sample of so many rows,
 * within `range` if given. Null if more than a tenth of the resamples are undefined. The sample's error is above 0.
 */
export function studentizedBounds(estimator: Estimator, rows: number, whole: Estimate, options: BoundsOptions) {
  const { resampling, level, range } = options;
  const scale = range === undefined ? asIs : arcsine(range, rows);
  const centre = scale.to(whole.value);
  const times = new Float64Array(rows);
  const deviations: number[] = [];
  for (let resample = 0; resample < resampling.resamples; resample++) {
    resampling.count(resample, times);
    const drawn = estimator(times);
    if (drawn === null) continue;
    const error = Math.max(drawn.error, LEAST_SHARE * whole.error);
    deviations.push((scale.to(drawn.value) - centre) / (scale.slope(drawn.value) * error));
  }
  if (deviations.length < (1 - MOST_UNDEFINED) * resampling.resamples || deviations.length < 2) return null;
  const sorted = Float64Array.from(deviations).sort();
  const reach = scale.slope(whole.value) * whole.error;
  const tail = (1 - level) / 2;
  const low = scale.from(centre - quantile(sorted, 1 - tail) * reach);
  const high = scale.from(centre - quantile(sorted, tail) * reach);
  return [Math.min(low, whole.value), Math.max(high, whole.value)] as const;
}

/** The quantile of sorted values at (n + 1) p, between neighbours in proportion (Hyndman & Fan 1996, type 6). */
function quantile(sorted: Float64Array, p: number): number {
  const place = Math.min(Math.max((sorted.length + 1) * p - 1, 0), sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}
