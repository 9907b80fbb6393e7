// Forks: a recorded match played again from one of its statements, with that statement kept, replaced or asked for
// again.
import { z } from 'zod';

/**
 * Arms of forks: whether the statement at which a match is forked is kept, replaced (by which words), or asked for
 * again.
 */
export const forkArms = ['keep', 'neutral', 'say', 'silence', 'honest', 'resample'] as const;
export type ForkArm = (typeof forkArms)[number];

/** Match from which a fork was made, the statement, and what the fork changes there. */
export const ForkOf = z.strictObject({
  match: z.string().describe('id of the match that was forked'),
  statement: z.string().describe('id of that match’s statement from which on the fork differs'),
  arm: z
    .enum(forkArms)
    .describe(
      '`keep` (the recorded statement), `neutral` or `say` (other words), `silence` (the turn is passed), `honest` or `resample` (the player is asked again)',
    ),
  draft: z
    .strictObject({ by: z.string(), bid: z.number() })
    .optional()
    .describe(
      'if the statement was a draft (rule `turn=draft`): its player, and the bid, which is kept so that the same player has the turn',
    ),
  text: z.string().optional().describe('the words of `neutral` and `say`; absent in other arms'),
  copy: z
    .number()
    .int()
    .min(1)
    .describe('which replay of the arm, from 1; copies differ in the replicate of the set-up'),
});
export type ForkOf = z.infer<typeof ForkOf>;

/**
 * Returns the place of a statement among the questions of a match: statement `2.3` is the answer at step 2 of round 2.
 */
export function findStatementPlace(statement: string): { round: number; step: number } {
  const [round, turn] = statement.split('.').map(Number) as [number, number];
  return { round, step: turn - 1 };
}

/**
 * Returns the arm of a fork as reports name it.
 *
 * @example nameForkArm({ arm: 'say', text: 'I am the Seer.' }) // 'say:I am the Seer.'
 */
export const nameForkArm = ({ arm, text }: Pick<ForkOf, 'arm' | 'text'>): string =>
  arm === 'say' ? `say:${text}` : arm;
