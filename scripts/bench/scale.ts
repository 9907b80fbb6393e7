// How much is played to take the figures.
import type { MatchPlan } from '../../graph/prepare.ts';

type Rule = MatchPlan['rule'] & object;

export interface Variant {
  name: string;
  /** A preset, and single options besides. */
  rules: string;
  rule: Rule;
  /** Latencies that a full round may take with the preset's number of turns; null where nothing is set. */
  latencies: number | null;
}

export interface Scale {
  variants: readonly Variant[];
  /** Of the local server, for the matches that are timed. Milliseconds. */
  latencyMs: number;
  /** Matches of each variant: how many are timed, traced, and played by bots, one after another. */
  timed: number;
  traced: number;
  bots: number;
  /** Matches of the last variant that are in flight together. */
  crowd: { matches: number; latencyMs: number; concurrency: number };
  /** Starts of a script. */
  starts: number;
}

export const full: Scale = {
  variants: [
    { name: 'arena', rules: 'arena', rule: {}, latencies: null },
    { name: 'arena, analysis=both', rules: 'arena', rule: { analysis: 'both' }, latencies: 20 },
    { name: 'wolf', rules: 'wolf', rule: {}, latencies: 17 },
  ],
  latencyMs: 100,
  timed: 3,
  traced: 3,
  bots: 20,
  crowd: { matches: 200, latencyMs: 1000, concurrency: 400 },
  starts: 7,
};

/** Only shows that everything runs: its figures are of no use. */
export const quick: Scale = {
  variants: [{ name: 'tiny', rules: 'wolf', rule: { maxRounds: 2, debateTurns: 1 }, latencies: 7 }],
  latencyMs: 20,
  timed: 2,
  traced: 1,
  bots: 1,
  crowd: { matches: 2, latencyMs: 20, concurrency: 8 },
  starts: 1,
};

/** Matches of a variant with the seeds 1, 2, 3 … */
export const plansOf = ({ rules, rule }: Variant, model: string, count: number): MatchPlan[] =>
  Array.from({ length: count }, (_, index) => ({ rules, rule, model, seed: index + 1 }));
