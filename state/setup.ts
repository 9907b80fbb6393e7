// The set-up of a match: all that decides it before its first call.
import { z } from 'zod';
import type { Rules } from './common-rules.ts';
import type { RuleValue } from './rule.ts';
import { Team } from './teams.ts';

/** Their values were checked when they were read, and a role brings options of its own. */
const RulesInFull = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]) satisfies z.ZodType<RuleValue>,
) as unknown as z.ZodType<Rules>;

/** Everything that decides a match before its first call. Roles follow from it by `deal`. */
export const Setup = z.strictObject({
  board: z
    .strictObject({ name: z.string(), roles: z.record(z.string(), z.number().int().min(0)) })
    .describe('`name`, and `roles`: role → number of players'),
  rules: RulesInFull.describe('every rule by name, in full; see [Rules](#rules)'),
  seed: z.number().int().describe('whole number from which names, roles, seats and all draws follow'),
  players: z
    .array(z.strictObject({ name: z.string(), role: z.string(), team: Team, persona: z.string().optional() }))
    .describe('in seat order: `name`, `role`, `team` (`villagers` or `werewolves`), `persona` where one was given'),
});
export type Setup = z.infer<typeof Setup>;

/** What is played where nothing else is asked for. */
export const defaultPlan = { board: 'classic-8', rules: 'wolf', seed: 1 };

/** The same in a few words, e.g. as typed into Studio: a known board, known rules, a seed. */
export const Plan = z.strictObject({
  board: z.string().default(defaultPlan.board),
  rules: z.string().default(defaultPlan.rules),
  seed: z.number().int().default(defaultPlan.seed),
});
export type Plan = z.infer<typeof Plan>;
