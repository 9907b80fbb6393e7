// The state of a match: what the next step of the graph needs, under the paper's names.
import { ReducedValue, StateSchema } from '@langchain/langgraph';
import { z } from 'zod';
import { GameEvent, Phase } from './event.ts';
import { Ballot, DeceptionRow, DeceptionScores, Intent } from './rows.ts';
import { defaultPlan, Plan, Setup } from './setup.ts';
import { Team } from './teams.ts';

const appended = <Row extends z.ZodType>(row: Row) =>
  new ReducedValue(
    z.array(row).default(() => []),
    { inputSchema: z.array(row), reducer: (rows, more) => [...rows, ...more] },
  );

export const GameState = new StateSchema({
  /** Dealt by the first node where a run is started without it. */
  setup: Setup,
  /** What to deal then, by name; nothing else reads it. */
  plan: Plan.default(defaultPlan),
  /** Name → role. */
  roles: z.record(z.string(), z.string()).default(() => ({})),
  /** In seat order. */
  alivePlayers: z.array(z.string()).default(() => []),
  /** From 1; 0 before the first night. */
  roundNum: z.number().int().default(0),
  phase: Phase.default('night'),
  /** Turns taken in today's debate. */
  step: z.number().int().default(0),
  intents: appended(Intent),
  /** Bids for the next turn; null where none could be read. */
  bids: z.record(z.string(), z.number().int().nullable()).default(() => ({})),
  /** Today's ballots in seat order; empty until they are cast. */
  votes: z.array(Ballot).default(() => []),
  deceptionHistory: appended(DeceptionRow),
  deceptionScores: DeceptionScores.default(() => ({})),
  /** Append-only; moderator-only events stand in the record alone. */
  gameLogs: appended(GameEvent),
  winner: Team.nullable().default(null),
});

export type Game = typeof GameState.State;
export type GameUpdate = typeof GameState.Update;
