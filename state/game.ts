// The state of a match in LangGraph: its set-up, the values that the next step needs, and the rows that steps append.
import { ReducedValue, StateSchema } from '@langchain/langgraph';
import { z } from 'zod';
import { ExperienceSetup } from './experience-setup.ts';
import { AnswerMark, type Audience, DeceptionType, GameEvent, Phase } from './events.ts';
import type { Rules } from './rules/common-rules.ts';
import type { RuleValue } from './rules/rule.ts';
import { Team } from './teams.ts';
import { Variant } from './variants.ts';

// Rows that one step writes and later steps read.

/** One use of a power, which `resolve_night` will resolve. `by`: the holder of the power, or the whole team. */
export const Intent = z.strictObject({
  round: z.number().int(),
  verb: z.string(),
  by: z.array(z.string()),
  target: z.string(),
});
export type Intent = z.infer<typeof Intent>;

export const Ballot = z.strictObject({ by: z.string(), target: z.string() });
export type Ballot = z.infer<typeof Ballot>;

/** A bidder's draft of a statement. Null if nothing readable was given; the answer's mark says why. */
export const DraftedSpeech = z.strictObject({
  text: z.string().nullable(),
  cut: z.literal(true).optional(),
  mark: AnswerMark.optional(),
});
export type DraftedSpeech = z.infer<typeof DraftedSpeech>;

/**
 * One analysis of one statement: labels and numbers without prose. The self-report is the row where `by` is `about`.
 */
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

/** An observer's suspicion of a target, 0…1, and the round of its last change (null: still the initial value). */
export const Score = z.strictObject({ score: z.number().min(0).max(1), round: z.number().int().nullable() });
export type Score = z.infer<typeof Score>;

/** Observer → target → score. */
export const DeceptionScores = z.record(z.string(), z.record(z.string(), Score));
export type DeceptionScores = z.infer<typeof DeceptionScores>;

// The set-up.

/**
 * Values of all rules. This schema checks only their form, because roles add rules of their own. The schema of each
 * rule checks its value when rules are read.
 */
const RulesInFull = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]) satisfies z.ZodType<RuleValue>,
) as unknown as z.ZodType<Rules>;

/** Everything that is fixed before the first call of a match. `deal` creates it. */
export const Setup = z.strictObject({
  board: z
    .strictObject({ name: z.string(), roles: z.record(z.string(), z.number().int().min(0)) })
    .describe('`name`, and `roles`: role → number of players'),
  rules: RulesInFull.describe('every rule by name, see [Rules](#rules)'),
  seed: z.number().int().describe('whole number from which names, roles, seats and all random choices are drawn'),
  players: z
    .array(z.strictObject({ name: z.string(), role: z.string(), team: Team, persona: z.string().optional() }))
    .describe('in seat order: `name`, `role`, `team` (`villagers` or `werewolves`), `persona` if given'),
  variant: Variant.optional().describe('[variant](compare.md#variants) of the deal; absent without one'),
  replicate: z
    .number()
    .int()
    .min(2)
    .optional()
    .describe(
      'number of the [replicate](compare.md#replicates) of the deal, from 2; absent for the first. It keys the draws of bots and is added to the seed that is sent to a provider; it affects nothing else',
    ),
  cut_after_round: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'round after whose exile a [fork](../guides/what-a-lie-does.md) ends undecided; absent if it is played to its end',
    ),
  people: z
    .array(z.string())
    .optional()
    .describe('names of the players who are people, in seat order, if the rule `disclose` tells them; else absent'),
  experience: ExperienceSetup.optional().describe(
    'what players [remember](experience.md) of earlier matches, and how it is found; absent if they remember nothing',
  ),
});
export type Setup = z.infer<typeof Setup>;

/** The match that is played if the user chooses nothing. */
export const defaultPlan = { board: 'classic-8', rules: 'wolf', seed: 1 };

/** A user's choices, for example in Studio: the names of a board and of a preset, and a seed. */
export const StudioPlan = z.strictObject({
  board: z.string().default(defaultPlan.board),
  rules: z.string().default(defaultPlan.rules),
  seed: z.number().int().default(defaultPlan.seed),
});
export type StudioPlan = z.infer<typeof StudioPlan>;

// Channels of the graph. They are named as in the WOLF paper, but in camelCase.

const createAppendOnlyList = <Row extends z.ZodType>(row: Row) =>
  new ReducedValue(
    z.array(row).default(() => []),
    { inputSchema: z.array(row), reducer: (rows, more) => [...rows, ...more] },
  );

export const GameState = new StateSchema({
  /** If a run is started without a set-up, the first node deals one. */
  setup: Setup,
  /** The plan from which the first node deals if a run is started without a set-up. No other node reads it. */
  plan: StudioPlan.default(defaultPlan),
  /** Name → role. */
  roles: z.record(z.string(), z.string()).default(() => ({})),
  /** Living players, in seat order. */
  alivePlayers: z.array(z.string()).default(() => []),
  /** Number of the round, from 1; 0 before the first night. */
  roundNum: z.number().int().default(0),
  phase: Phase.default('night'),
  /** Number of turns taken in today's debate. */
  step: z.number().int().default(0),
  intents: createAppendOnlyList(Intent),
  /** Bids for the next turn; null for unreadable bids. */
  bids: z.record(z.string(), z.number().int().nullable()).default(() => ({})),
  /** Under `turn=draft`, the statement that each bidder would make in the next turn. No View contains these drafts. */
  drafts: z.record(z.string(), DraftedSpeech).default(() => ({})),
  /** Today's ballots in seat order; empty until they are cast. */
  votes: z.array(Ballot).default(() => []),
  deceptionHistory: createAppendOnlyList(DeceptionRow),
  deceptionScores: DeceptionScores.default(() => ({})),
  /** Events that some player may see. Append-only; events only for the moderator are in the record alone. */
  gameLogs: createAppendOnlyList(GameEvent),
  winner: Team.nullable().default(null),
});

export type Game = typeof GameState.State;
export type GameUpdate = typeof GameState.Update;

// Helpers.

/** Returns the fields with which every event begins: round, phase and audience. */
export const createEventHeader = ({ roundNum, phase }: Game, audience: Audience) => ({
  round: roundNum,
  phase,
  audience,
});

/** Returns the game after `events`. Events only for the moderator go into the record, never into the state. */
export const addEvents = (game: Game, events: readonly GameEvent[]): Game => ({
  ...game,
  gameLogs: [...game.gameLogs, ...events.filter(({ audience }) => audience !== 'moderator')],
});
