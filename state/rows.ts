// The rows that steps of the game hand on: acts, ballots, analyses, scores.
import { z } from 'zod';
import { DeceptionType } from './event.ts';

/** A night act that waits for `resolve_night`. */
export const Intent = z.strictObject({
  round: z.number().int(),
  verb: z.string(),
  by: z.array(z.string()),
  target: z.string(),
});
export type Intent = z.infer<typeof Intent>;

export const Ballot = z.strictObject({ by: z.string(), target: z.string() });
export type Ballot = z.infer<typeof Ballot>;

/** One analysis of one statement: labels and numbers without prose. The self-report is the row where `by` is `about`. */
export const DeceptionRow = z.strictObject({
  statement: z.string(),
  round: z.number().int(),
  by: z.string(),
  about: z.string(),
  deceptive: z.boolean(),
  type: DeceptionType,
  confidence: z.number(),
  statedFalsehood: z.boolean().nullable(),
  suspicion: z.number().nullable(),
  pWerewolf: z.number().nullable(),
});
export type DeceptionRow = z.infer<typeof DeceptionRow>;

/** An observer's suspicion of a target, 0…1, and the round of its last change (null: still the prior). */
export const Score = z.strictObject({ score: z.number().min(0).max(1), round: z.number().int().nullable() });
export type Score = z.infer<typeof Score>;

/** Observer → target → score. */
export const DeceptionScores = z.record(z.string(), z.record(z.string(), Score));
export type DeceptionScores = z.infer<typeof DeceptionScores>;
