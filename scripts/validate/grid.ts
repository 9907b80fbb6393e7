// The grid of a validation: which rates are planted, how many matches are played and how often samples are drawn.
import type { Planted } from '../../models/bots/calibrated.ts';

export interface GridCell {
  name: string;
  planted: Planted;
}

export interface Effort {
  cells: readonly GridCell[];
  /** Deals of each cell, each played twice: two arms that do not differ. */
  deals: number;
  /** Matches in a sample. */
  sizes: readonly number[];
  repetitions: number;
  resamples: number;
  seed: number;
}

/** 10 % of analyses cannot be read, of lies twice as many as of other statements. */
const missing = { lie: 0.18, other: 0.09 };

const rates = [
  { lie: 0.1, hit: 0.4, falseAlarm: 0.1, admission: 0.3 },
  { lie: 0.4, hit: 0.8, falseAlarm: 0.3, admission: 0.7 },
];

const cells = rates.flatMap((planted) =>
  [0.1, 0.3].map((icc): GridCell => ({
    name: `lies ${planted.lie}, hits ${planted.hit}, false alarms ${planted.falseAlarm}, ICC ${icc}`,
    planted: { ...planted, icc, missing },
  })),
);

export const whole: Effort = { cells, deals: 400, sizes: [20, 50, 200], repetitions: 2000, resamples: 2000, seed: 1 };

/** A minute: one cell, few repetitions; it finds gross faults alone. */
export const quick: Effort = {
  ...whole,
  cells: cells.slice(-1),
  deals: 60,
  sizes: [20],
  repetitions: 200,
  resamples: 400,
};
