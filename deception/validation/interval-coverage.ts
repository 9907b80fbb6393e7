// Whether intervals hold what they promise: samples drawn from a pool of matches whose figure is known.
import { draw } from '../../state/random.ts';
import { computeClusterInterval } from '../statistics/bootstrap.ts';
import { computePairedDifference, type Pair } from '../statistics/paired-test.ts';
import { createResampling, type Resampling } from '../statistics/resampling.ts';
import { addSums, mean, type Statistic, type Sums } from '../statistics/sums.ts';

export interface Trial {
  figure: Statistic;
  range: readonly [number, number] | undefined;
  /** Matches, or deals, in each sample. */
  size: number;
  repetitions: number;
  resamples: number;
  seed: number;
}

export interface Coverage {
  /** The figure of the whole pool. */
  truth: number | null;
  repetitions: number;
  /** Samples whose interval holds the truth. */
  covered: number;
  /** Samples without an interval, as of too few matches with data; coverage is a share of the others. */
  without: number;
  /** The mean length of the intervals that there are; null without any. */
  mean_width: number | null;
}

export interface Rejections {
  repetitions: number;
  /** Samples with p ≤ .05. */
  rejected: number;
  /** Samples without p; rejections are a share of the others. */
  without: number;
}

/** Draws samples of matches with replacement from `pool`. Throws a RangeError for an empty one. */
export function measureCoverage(pool: readonly Sums[], trial: Trial): Coverage {
  const { figure, range, repetitions } = trial;
  const truth = figure(addSums(pool));
  const bank = createResamplings(trial);
  const [random, widths] = [draw(trial.seed, 'coverage', trial.size), [] as number[]];
  let covered = 0;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, () => random.pick(pool));
    const { low, high } = computeClusterInterval(sample, figure, { resampling: bank(repetition), range });
    if (low === null || high === null) continue;
    widths.push(high - low);
    if (truth !== null && low <= truth && truth <= high) covered++;
  }
  const without = repetitions - widths.length;
  return { truth, repetitions, covered, without, mean_width: mean(widths) };
}

/** Draws samples of deals from `pool` and swaps the arms of each at random, so that they do not differ. */
export function measureRejections(pool: readonly Pair[], trial: Trial): Rejections {
  const { figure, range, repetitions } = trial;
  const bank = createResamplings(trial);
  const random = draw(trial.seed, 'rejections', trial.size);
  let [rejected, without] = [0, 0];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, (): Pair => {
      const { a, b } = random.pick(pool);
      return random.integer(2) === 0 ? { a, b } : { a: b, b: a };
    });
    const { p } = computePairedDifference(sample, figure, { resampling: bank(repetition), range });
    if (p === null) without++;
    else if (p <= 0.05) rejected++;
  }
  return { repetitions, rejected, without };
}

/** Repetitions take turns with a few resamplings: to draw one for each would take longer than to use it. */
function createResamplings({ size, resamples, seed }: Trial): (repetition: number) => Resampling {
  const some = Array.from({ length: 10 }, (_, index) => createResampling(size, resamples, seed + index));
  return (repetition) => some[repetition % some.length]!;
}
