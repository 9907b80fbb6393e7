// The set-up of a match: all that decides it before its first call.
import { z } from 'zod';
import type { Rules } from './common-rules.ts';
import { Team } from './teams.ts';

/** Everything that decides a match before its first call. Roles follow from it by `deal`. */
export const Setup = z.strictObject({
  board: z.strictObject({ name: z.string(), roles: z.record(z.string(), z.number().int().min(0)) }),
  rules: z.custom<Rules>((value) => typeof value === 'object' && value !== null),
  seed: z.number().int(),
  /** In seat order. */
  players: z.array(z.strictObject({ name: z.string(), role: z.string(), team: Team, persona: z.string().optional() })),
});
export type Setup = z.infer<typeof Setup>;
