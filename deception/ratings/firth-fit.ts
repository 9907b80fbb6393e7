// Estimates entrants' strengths from wins, with their covariance over deals. The model is logistic. Davidson's term
// models draws, and Firth's penalty keeps every strength finite.
//
// P(Werewolves win) : P(village wins) : P(nobody wins) = e^(η/2) : e^(−η/2) : e^ν (Davidson 1970), where η is linear in
// the parameters; without ν this is logit P = η. The family is exponential with the statistics ±z/2 and 1, so the
// penalty ½ log |information| (Firth 1993) is equivalent to additional matches of each outcome in each cell.

/**
 * Design of a table of matches. All matches of a cell have the same two sides. The parameters are first the parameters
 * of η, then one ν for each kind of draw.
 */
export interface CellDesign {
  /**
   * One design row per cell. The product of a row and the parameters is the cell's η. Together the rows have full rank.
   */
  readonly cells: readonly DesignRow[];
  /** Index of each cell's ν; −1 if draws are impossible. */
  readonly ties: Int32Array;
  /** Number of parameters of η. The ν of draws come after them. */
  readonly strengths: number;
  /** Number of all parameters, including the parameters of draws. */
  readonly size: number;
}

/**
 * Sparse row of a design: the nonzero amounts and their indices in ascending order. Most rows have three nonzero
 * amounts among dozens of zeros.
 */
export interface DesignRow {
  readonly at: Int32Array;
  readonly amounts: Float64Array;
}

/** Creates a design row from an array, without its zeros. */
export function createDesignRow(dense: ArrayLike<number>): DesignRow {
  const at = Int32Array.from(Array.from({ length: dense.length }, (_, i) => i).filter((i) => dense[i] !== 0));
  return { at, amounts: Float64Array.from(at, (i) => dense[i]!) };
}

/** Returns the sum of `one` and `times` · `other`. */
export function addRows(one: DesignRow, other: DesignRow, times = 1): DesignRow {
  const amounts = new Map(Array.from(one.at, (place, i) => [place, one.amounts[i]!]));
  for (const [i, place] of other.at.entries())
    amounts.set(place, (amounts.get(place) ?? 0) + times * other.amounts[i]!);
  const sorted = [...amounts].sort(([a], [b]) => a - b);
  return {
    at: Int32Array.from(sorted, ([place]) => place),
    amounts: Float64Array.from(sorted, ([, amount]) => amount),
  };
}

/** Returns the product of a row with the parameters. */
export function computeEta({ at, amounts }: DesignRow, parameters: Float64Array): number {
  let eta = 0;
  for (let i = 0; i < at.length; i++) eta += amounts[i]! * parameters[at[i]!]!;
  return eta;
}

/**
 * Counts of outcomes by cell. In cell c, Werewolves' wins are at 3c, the village's wins at 3c + 1, and draws at 3c + 2.
 */
export type OutcomeCounts = Float64Array;

export interface FirthFit {
  readonly parameters: Float64Array;
  /** Inverse of the information matrix, row by row. */
  readonly inverse: Float64Array;
  /** Probabilities of the outcomes in each cell, in the layout of the counts. */
  readonly probabilities: Float64Array;
}

const MOST_ITERATIONS = 300;
/** Maximum change of a parameter in one step. Without a limit, Newton's steps overshoot if all outcomes are equal. */
const LONGEST_STEP = 2;
const MOST_HALVINGS = 20;
/**
 * Step lengths below which the fit ends. The first always ends the fit. The second ends it only if rounding prevents
 * further improvement.
 */
const [SETTLED, NEARLY_SETTLED] = [1e-7, 1e-4];

/**
 * Returns the parameters that maximize the penalized likelihood. Null if the cells with matches do not determine all
 * parameters, or if the steps do not converge. `start`: parameters near the maximum.
 *
 * @example
 * // one cell that the Werewolves won in 3 of 3 matches: η = log(3.5 / 0.5)
 * estimateParameters({ cells: [createDesignRow([1])], ties: Int32Array.of(-1), strengths: 1, size: 1 }, Float64Array.of(3, 0, 0))?.parameters[0]; // 1.946
 */
export function estimateParameters(
  design: CellDesign,
  counts: OutcomeCounts,
  start: Float64Array = new Float64Array(design.size),
): FirthFit | null {
  const { size } = design;
  let best = evaluateFit(design, counts, Float64Array.from(start));
  const score = new Float64Array(size);
  for (let iteration = 0; best !== null && iteration < MOST_ITERATIONS; iteration++) {
    fillScore(design, counts, best.probabilities, best.inverse, score);
    const step = multiplyByVector(best.inverse, score);
    const longest = step.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    if (longest < SETTLED) return best;
    let share = Math.min(1, LONGEST_STEP / longest);
    let next = takeStep(design, counts, best, step, share);
    for (let halving = 0; halving < MOST_HALVINGS && !isNoWorse(next, best); halving++)
      next = takeStep(design, counts, best, step, (share /= 2));
    if (!isNoWorse(next, best)) return longest < NEARLY_SETTLED ? best : null;
    best = next;
  }
  return null;
}

interface EvaluatedFit extends FirthFit {
  /** Penalized log-likelihood. */
  readonly likelihood: number;
}

/** Evaluates the fit at these parameters. Null if the cells with matches do not determine all parameters. */
function evaluateFit(design: CellDesign, counts: OutcomeCounts, parameters: Float64Array): EvaluatedFit | null {
  const probabilities = computeProbabilities(design, parameters);
  const inverted = invertPositive(computeInformation(design, counts, probabilities), design.size);
  if (inverted === null) return null;
  let likelihood = inverted.logDeterminant / 2;
  for (let place = 0; place < counts.length; place++)
    if (counts[place] !== 0) likelihood += counts[place]! * Math.log(probabilities[place]!);
  return { parameters, probabilities, inverse: inverted.inverse, likelihood };
}

const takeStep = (
  design: CellDesign,
  counts: OutcomeCounts,
  { parameters }: FirthFit,
  step: Float64Array,
  share: number,
) =>
  evaluateFit(
    design,
    counts,
    parameters.map((one, i) => one + share * step[i]!),
  );

const isNoWorse = (next: EvaluatedFit | null, best: EvaluatedFit): next is EvaluatedFit =>
  next !== null && next.likelihood >= best.likelihood - 1e-12;

/** Returns the probabilities that the Werewolves win, that the village wins, and that nobody wins. */
export function computeOutcomes(eta: number, nu: number | null): readonly [number, number, number] {
  const most = Math.max(Math.abs(eta) / 2, nu ?? -Infinity);
  const [werewolves, villagers] = [Math.exp(eta / 2 - most), Math.exp(-eta / 2 - most)];
  const nobody = nu === null ? 0 : Math.exp(nu - most);
  const all = werewolves + villagers + nobody;
  return [werewolves / all, villagers / all, nobody / all];
}

function computeProbabilities({ cells, ties, strengths }: CellDesign, parameters: Float64Array): Float64Array {
  const probabilities = new Float64Array(3 * cells.length);
  for (const [c, row] of cells.entries()) {
    const nu = ties[c] === -1 ? null : parameters[strengths + ties[c]!]!;
    probabilities.set(computeOutcomes(computeEta(row, parameters), nu), 3 * c);
  }
  return probabilities;
}

/** Computes the information matrix: the covariance of the statistics, summed over all matches. */
function computeInformation(design: CellDesign, counts: OutcomeCounts, probabilities: Float64Array): Float64Array {
  const { cells, ties, strengths, size } = design;
  const information = new Float64Array(size * size);
  for (const [c, { at, amounts }] of cells.entries()) {
    const matches = countCellMatches(counts, c);
    if (matches === 0) continue;
    const [werewolves, villagers, nobody] = [
      probabilities[3 * c]!,
      probabilities[3 * c + 1]!,
      probabilities[3 * c + 2]!,
    ];
    const middle = (werewolves - villagers) / 2;
    const ofEta = matches * ((werewolves + villagers) / 4 - middle * middle);
    for (let i = 0; i < at.length; i++)
      for (let j = 0; j <= i; j++) information[at[i]! * size + at[j]!]! += ofEta * amounts[i]! * amounts[j]!;
    if (ties[c] === -1) continue;
    const t = strengths + ties[c]!;
    for (let i = 0; i < at.length; i++) information[t * size + at[i]!]! -= matches * middle * nobody * amounts[i]!;
    information[t * size + t]! += matches * nobody * (1 - nobody);
  }
  return information; // the lower half, which is all that the inversion reads
}

export const countCellMatches = (counts: OutcomeCounts, cell: number) =>
  counts[3 * cell]! + counts[3 * cell + 1]! + counts[3 * cell + 2]!;

/** Writes the derivatives of the penalized log-likelihood with respect to the parameters. */
function fillScore(
  design: CellDesign,
  counts: OutcomeCounts,
  probabilities: Float64Array,
  inverse: Float64Array,
  score: Float64Array,
): void {
  score.fill(0);
  const left = computeResiduals(design, counts, { probabilities, inverse });
  for (const [c, { at, amounts }] of design.cells.entries()) {
    const along = (left[3 * c]! - left[3 * c + 1]!) / 2;
    for (let i = 0; i < at.length; i++) score[at[i]!]! += along * amounts[i]!;
    if (design.ties[c] !== -1) score[design.strengths + design.ties[c]!]! += left[3 * c + 2]!;
  }
}

/**
 * Computes the residuals: the counts of each outcome, including the penalty's additional matches, minus the counts that
 * the fit expects. At the estimate, the product of the residuals with every column of the design is 0.
 */
export function computeResiduals(
  { cells, ties, strengths, size }: CellDesign,
  counts: OutcomeCounts,
  { probabilities, inverse }: Pick<FirthFit, 'probabilities' | 'inverse'>,
): Float64Array {
  const left = new Float64Array(3 * cells.length);
  for (const [c, row] of cells.entries()) {
    const matches = countCellMatches(counts, c);
    if (matches === 0) continue;
    const [ofEta, between, ofTie] = computeLeverage(row, ties[c] === -1 ? -1 : strengths + ties[c]!, inverse, size);
    const nobody = probabilities[3 * c + 2]!;
    const middle = (probabilities[3 * c]! - probabilities[3 * c + 1]!) / 2;
    let all = 0;
    for (let outcome = 0; outcome < 3; outcome++) {
      const eta = (outcome === 0 ? 0.5 : outcome === 1 ? -0.5 : 0) - middle;
      const tie = (outcome === 2 ? 1 : 0) - nobody;
      const leverage = eta * eta * ofEta + 2 * eta * tie * between + tie * tie * ofTie;
      const count = counts[3 * c + outcome]! + (matches * probabilities[3 * c + outcome]! * leverage) / 2;
      left[3 * c + outcome] = count;
      all += count;
    }
    for (let outcome = 0; outcome < 3; outcome++) left[3 * c + outcome]! -= all * probabilities[3 * c + outcome]!;
  }
  return left;
}

/**
 * Computes z'Az, z'a, and the diagonal element of A for the draw's parameter. z is the design row, A the inverse, and a
 * the column of A for the draw's parameter.
 */
function computeLeverage({ at, amounts }: DesignRow, t: number, inverse: Float64Array, size: number) {
  let [ofEta, between] = [0, 0];
  for (let i = 0; i < at.length; i++) {
    const from = at[i]! * size;
    let row = 0;
    for (let j = 0; j < at.length; j++) row += inverse[from + at[j]!]! * amounts[j]!;
    ofEta += amounts[i]! * row;
    if (t !== -1) between += amounts[i]! * inverse[from + t]!;
  }
  return [ofEta, between, t === -1 ? 0 : inverse[t * size + t]!] as const;
}

/** One deal's contribution to the counts. */
export interface DealOutcomes {
  /** Index of each count: 3c + outcome for cell c, as in `OutcomeCounts`. */
  readonly places: Int32Array;
  readonly counts: Float64Array;
}

/** Adds up the counts of all deals. Deal d counts `times[d]` times. */
export function countOutcomes(deals: readonly DealOutcomes[], times: Float64Array, cells: number): OutcomeCounts {
  const counts = new Float64Array(3 * cells);
  for (const [d, deal] of deals.entries()) {
    if (times[d] === 0) continue;
    for (let i = 0; i < deal.places.length; i++) counts[deal.places[i]!]! += times[d]! * deal.counts[i]!;
  }
  return counts;
}

/**
 * Computes the covariance of the parameters over deals, row by row. It is Huber's sandwich (1967), clustered by deal
 * after Liang & Zeger (1986), with the factor n / (n − 1). The matches of a deal need not be independent.
 */
export function computeDealCovariance(
  design: CellDesign,
  deals: readonly DealOutcomes[],
  times: Float64Array,
  { probabilities, inverse }: FirthFit,
): Float64Array {
  const { cells, ties, strengths, size } = design;
  const spread = new Float64Array(size * size);
  const total = new Float64Array(size);
  const own = new Float64Array(size);
  let all = 0;
  for (const [d, { places, counts }] of deals.entries()) {
    const weight = times[d]!;
    if (weight === 0) continue;
    all += weight;
    own.fill(0);
    for (let i = 0; i < places.length; i++) {
      const c = Math.floor(places[i]! / 3);
      const outcome = places[i]! % 3;
      const { at, amounts } = cells[c]!;
      const middle = (probabilities[3 * c]! - probabilities[3 * c + 1]!) / 2;
      const eta = counts[i]! * ((outcome === 0 ? 0.5 : outcome === 1 ? -0.5 : 0) - middle);
      for (let k = 0; k < at.length; k++) own[at[k]!]! += eta * amounts[k]!;
      if (ties[c] === -1) continue;
      own[strengths + ties[c]!]! += counts[i]! * ((outcome === 2 ? 1 : 0) - probabilities[3 * c + 2]!);
    }
    for (let i = 0; i < size; i++) {
      total[i]! += weight * own[i]!;
      for (let j = 0; j <= i; j++) spread[i * size + j]! += weight * own[i]! * own[j]!;
    }
  }
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      const about = ((spread[i * size + j]! - (total[i]! * total[j]!) / all) * all) / (all - 1);
      spread[i * size + j] = about;
      spread[j * size + i] = about;
    }
  return multiply(multiply(inverse, spread, size), inverse, size);
}

// Operations on matrices, which are stored row by row.

/**
 * Inverts a symmetric positive definite matrix by Cholesky's method, and returns the logarithm of its determinant.
 * Reads only the lower half. Null if the matrix is not positive definite.
 */
function invertPositive(matrix: Float64Array, size: number) {
  const lower = new Float64Array(size * size);
  let greatest = 0;
  let logDeterminant = 0;
  for (let i = 0; i < size; i++) greatest = Math.max(greatest, matrix[i * size + i]!);
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let left = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) left -= lower[i * size + k]! * lower[j * size + k]!;
      if (i !== j) lower[i * size + j] = left / lower[j * size + j]!;
      else if (left > greatest * 1e-11) {
        lower[i * size + i] = Math.sqrt(left);
        logDeterminant += Math.log(left);
      } else return null;
    }
  const inverse = new Float64Array(size * size);
  const column = new Float64Array(size);
  for (let unit = 0; unit < size; unit++) {
    for (let i = 0; i < size; i++) {
      let left = i === unit ? 1 : 0;
      for (let k = 0; k < i; k++) left -= lower[i * size + k]! * column[k]!;
      column[i] = left / lower[i * size + i]!;
    }
    for (let i = size - 1; i >= 0; i--) {
      let left = column[i]!;
      for (let k = i + 1; k < size; k++) left -= lower[k * size + i]! * inverse[k * size + unit]!;
      inverse[i * size + unit] = left / lower[i * size + i]!;
    }
  }
  return { inverse, logDeterminant };
}

function multiplyByVector(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  return vector.map((_, i) => {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += matrix[i * size + j]! * vector[j]!;
    return sum;
  });
}

function multiply(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let k = 0; k < size; k++) {
      const left = a[i * size + k]!;
      if (left === 0) continue;
      for (let j = 0; j < size; j++) product[i * size + j]! += left * b[k * size + j]!;
    }
  return product;
}

/** Returns v'Mv for the matrix M and the vector v. A result below 0, which only rounding can cause, becomes 0. */
export function computeQuadraticForm(matrix: Float64Array, vector: Float64Array): number {
  const product = multiplyByVector(matrix, vector);
  return Math.max(
    0,
    product.reduce((sum, one, i) => sum + one * vector[i]!, 0),
  );
}
