// Where a game of another program did not go as the rules have it, and what in its record explains that.
import type { Phase } from '../../state/event.ts';
import { z } from 'zod';

/**
 * `act`: one that the rules do not allow; `choices`: a living player whom nobody was given to choose;
 * `death`, `exile`, `winner`: recorded otherwise than the rules give them from the recorded acts.
 */
export const Difference = z.strictObject({
  round: z.number().int(),
  phase: z.enum(['night', 'day']),
  kind: z.enum(['act', 'choices', 'death', 'exile', 'winner']),
  /** In words. */
  text: z.string(),
});
export type Difference = z.infer<typeof Difference>;

/** A ballot that the original counted and the rules do not. `cast_in_round`: earlier than `round` where it was left over. */
export const UncountedBallot = z.strictObject({
  round: z.number().int(),
  by: z.string(),
  target: z.string(),
  cast_in_round: z.number().int(),
});
export type UncountedBallot = z.infer<typeof UncountedBallot>;

export const difference = (
  { roundNum: round, phase }: { roundNum: number; phase: Phase },
  kind: Difference['kind'],
  text: string,
): Difference => ({ round, phase, kind, text });

/** As a sentence has them: "nobody", "Dan", "Dan and Leah". */
export const inWords = (names: readonly string[], last: 'and' | 'or' = 'and') =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)!}`;
