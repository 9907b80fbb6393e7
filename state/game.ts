// The state of a match in LangGraph: its set-up, what the next step needs, and the rows that steps append.
import { ReducedValue, StateSchema } from '@langchain/langgraph';
import { z } from 'zod';
import { ExperienceSetup } from './experience-setup.ts';
import { type Audience, DeceptionType, GameEvent, Phase } from './events.ts';
import type { Rules } from './rules/common-rules.ts';
import type { RuleValue } from './rules/rule.ts';
import { Team } from './teams.ts';
import { Variant } from './variants.ts';

// Rows that steps write and later ones read.

/** The use of a power that `resolve_night` will resolve: `by` are its holder or all of the team. */
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

// The set-up.

/** Checked when they are read, by the schema of each rule; here only their form, since roles bring rules of their own. */
const RulesInFull = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]) satisfies z.ZodType<RuleValue>,
) as unknown as z.ZodType<Rules>;

/** Everything that decides a match before its first call; `deal` makes one. */
export const Setup = z.strictObject({
  board: z
    .strictObject({ name: z.string(), roles: z.record(z.string(), z.number().int().min(0)) })
    .describe('`name`, and `roles`: role → number of players'),
  rules: RulesInFull.describe('every rule by name, see [Rules](#rules)'),
  seed: z.number().int().describe('whole number that decides names, roles, seats and all random choices'),
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
      'number of the [replicate](compare.md#replicates) of the deal, from 2; absent for the first. Keys the draws of bots and is added to the seed that a provider is sent, and decides nothing else',
    ),
  experience: ExperienceSetup.optional().describe(
    'what players [remember](experience.md) of earlier matches, and how that is found; absent where they do not',
  ),
});
export type Setup = z.infer<typeof Setup>;

/** What is played where the user asks for nothing else. */
export const defaultPlan = { board: 'classic-8', rules: 'wolf', seed: 1 };

/** What a user asks for, e.g. in Studio: the names of a board and of a preset, and a seed. */
export const StudioPlan = z.strictObject({
  board: z.string().default(defaultPlan.board),
  rules: z.string().default(defaultPlan.rules),
  seed: z.number().int().default(defaultPlan.seed),
});
export type StudioPlan = z.infer<typeof StudioPlan>;

// The channels of the graph, under the paper's names in camelCase.

const createAppendOnlyList = <Row extends z.ZodType>(row: Row) =>
  new ReducedValue(
    z.array(row).default(() => []),
    { inputSchema: z.array(row), reducer: (rows, more) => [...rows, ...more] },
  );

export const GameState = new StateSchema({
  /** Where a run is started without it, the first node deals it. */
  setup: Setup,
  /** What the first node deals then; nothing else reads it. */
  plan: StudioPlan.default(defaultPlan),
  /** Name → role. */
  roles: z.record(z.string(), z.string()).default(() => ({})),
  /** In seat order. */
  alivePlayers: z.array(z.string()).default(() => []),
  /** From 1; 0 before the first night. */
  roundNum: z.number().int().default(0),
  phase: Phase.default('night'),
  /** Turns taken in today's debate. */
  step: z.number().int().default(0),
  intents: createAppendOnlyList(Intent),
  /** Bids for the next turn; null where none could be read. */
  bids: z.record(z.string(), z.number().int().nullable()).default(() => ({})),
  /** Today's ballots in seat order; empty until they are cast. */
  votes: z.array(Ballot).default(() => []),
  deceptionHistory: createAppendOnlyList(DeceptionRow),
  deceptionScores: DeceptionScores.default(() => ({})),
  /** Append-only; moderator-only events stand in the record alone. */
  gameLogs: createAppendOnlyList(GameEvent),
  winner: Team.nullable().default(null),
});

export type Game = typeof GameState.State;
export type GameUpdate = typeof GameState.Update;

// Helpers.

/** The fields that every event begins with: round and phase of the game, and its audience. */
export const createEventHeader = ({ roundNum, phase }: Game, audience: Audience) => ({
  round: roundNum,
  phase,
  audience,
});

/** The team that a player was dealt to. Throws a RangeError for a player who is not at the table. */
export function getTeam({ setup }: Pick<Game, 'setup'>, name: string): Team {
  const seat = setup.players.find((player) => player.name === name);
  if (!seat) throw new RangeError(`No player "${name}" at the table.`);
  return seat.team;
}

/** The game after `events`. Those for the moderator alone stand in the record, never in the state. */
export const addEvents = (game: Game, events: readonly GameEvent[]): Game => ({
  ...game,
  gameLogs: [...game.gameLogs, ...events.filter(({ audience }) => audience !== 'moderator')],
});
