// Where the names of points stand in a picture, so that none lies upon another, upon a point or over the edge.

/** A point in pixels with its name. */
export interface NamedPoint {
  x: number;
  y: number;
  text: string;
}

/** Where a name stands: its middle in height, and its edge that is nearer to the point. */
export interface PlacedLabel extends NamedPoint {
  labelX: number;
  labelY: number;
  anchor: 'start' | 'end';
  /** Whether it stands so far off that a line has to lead to it. */
  isFar: boolean;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const lineHeight = 15;
const charWidth = 6.9;
const dotRadius = 5;

/**
 * Places for the names of points within an area: beside its point where there is room, else as near as there is.
 *
 * @example findLabelPlaces([{ x: 20, y: 20, text: 'gpt' }], { left: 0, right: 100, top: 0, bottom: 100 })[0].anchor // 'start'
 */
export function findLabelPlaces(points: readonly NamedPoint[], area: Box): PlacedLabel[] {
  const taken: Box[] = points.map(({ x, y }) => createBox(x - dotRadius, x + dotRadius, y, 2 * dotRadius));
  return [...points]
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map((point) => {
      const candidates = listCandidates(point, area.bottom - area.top);
      const cost = ({ box }: Candidate) =>
        taken.reduce((sum, other) => sum + measureOverlap(box, other), 0) + 3 * measureOutside(box, area);
      const costs = candidates.map(cost);
      const best = candidates[costs.indexOf(Math.min(...costs))]!;
      taken.push(best.box);
      return best.label;
    });
}

interface Candidate {
  label: PlacedLabel;
  box: Box;
}

/** From the nearest to the farthest: right and left of the point, and at rising distance above and below. */
function listCandidates(point: NamedPoint, height: number): Candidate[] {
  const steps = Math.ceil(height / lineHeight);
  const offsets = [0, ...Array.from({ length: steps }, (_, at) => at + 1).flatMap((step) => [-step, step])];
  const width = charWidth * point.text.length;
  return offsets.flatMap((offset) =>
    (['start', 'end'] as const).map((anchor): Candidate => {
      const isFar = Math.abs(offset) > 1;
      const away = isFar ? 14 : 9;
      const labelX = point.x + (anchor === 'start' ? away : -away);
      const labelY = point.y + offset * lineHeight;
      const left = anchor === 'start' ? labelX : labelX - width;
      return {
        label: { ...point, labelX, labelY, anchor, isFar },
        box: createBox(left, left + width, labelY, lineHeight),
      };
    }),
  );
}

const createBox = (left: number, right: number, middle: number, height: number): Box => ({
  ...{ left, right, top: middle - height / 2, bottom: middle + height / 2 },
});

const measureOverlap = (one: Box, other: Box) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

const measureOutside = (one: Box, area: Box) =>
  (one.right - one.left) * (one.bottom - one.top) - measureOverlap(one, area);
