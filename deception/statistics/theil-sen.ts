// Estimates a trend that single outliers hardly change.

interface TrendPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Computes the Theil–Sen slope (Theil 1950; Sen 1968), in y per x: the median slope of all pairs of points with
 * different x. Null without two different x. Time grows with the square of the number of points.
 *
 * @example
 * computeTheilSenSlope([{ x: 1, y: 2 }, { x: 2, y: 4 }, { x: 3, y: 60 }, { x: 4, y: 8 }]); // 2, despite the third point
 */
export function computeTheilSenSlope(points: readonly TrendPoint[]): number | null {
  const slopes = points.flatMap((a, i) =>
    points.slice(i + 1).flatMap((b) => (a.x === b.x ? [] : [(b.y - a.y) / (b.x - a.x)])),
  );
  return computeMedian(slopes);
}

/**
 * Returns the median: the middle value, or the mean of the two middle values if their number is even; null for an empty
 * list.
 *
 * @example computeMedian([4, 1, 3, 2]); // 2.5
 */
export function computeMedian(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort();
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return below === undefined || above === undefined ? null : (below + above) / 2;
}
