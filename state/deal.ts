// The deal: names, roles and seats drawn from the seed, and the state of a match before its first night.
import { type Board, listSeatRoles, readBoard } from './boards.ts';
import type { GameEvent } from './events.ts';
import { type DeceptionScores, defaultPlan, type Game, type GameUpdate, type StudioPlan, type Setup } from './game.ts';
import { namePool } from './player-names.ts';
import { draw } from './random.ts';
import { getRole } from './roles/index.ts';
import { getCountedSide } from './roles/role.ts';
import type { Rules } from './rules/common-rules.ts';
import { resolveBoardRules } from './rulebook.ts';
import { teams } from './teams.ts';
import { UsageError } from './usage-error.ts';
import { seatRotated, type Variant } from './variants.ts';

/** Suspicion of every player before the first statement: neither trusted nor distrusted. */
export const initialSuspicion = 0.5;

interface DealOptions {
  board: Board;
  rules: Rules;
  seed: number;
  /** Names of players who must be in the match. */
  wanted?: readonly string[];
  personas?: Readonly<Record<string, string>>;
  variant?: Variant | undefined;
  /**
   * Number of the replicate, from 1. The set-up of replicate 1 does not store the number, so it equals the set-up of a
   * match without replicates.
   */
  replicate?: number | undefined;
}

/**
 * Draws names from the pool, deals the roles and orders the seats. The same input always gives the same set-up, and the
 * same names always get the same roles and seats. If there is a `variant`, `wanted` and `personas` must have the names
 * of the original deal. Throws a UsageError if the wanted names cannot be seated.
 *
 * @example deal({ board: boards['classic-8']!, rules: readRules('wolf'), seed: 7 }).players[0] // { name, role, team }
 */
export function deal({ board, rules, seed, wanted = [], personas = {}, variant, replicate = 1 }: DealOptions): Setup {
  const pool: readonly string[] = board.names ?? namePool;
  const seats = listSeatRoles(board);
  const unknown = wanted.find((name) => !pool.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`No player "${unknown}" on board "${board.name}". Known names: ${pool.join(', ')}.`);
  if (wanted.length > seats.length)
    throw new UsageError(
      `${wanted.length} player names were given, but there are only ${seats.length} seats on board "${board.name}".`,
    );
  const others = draw(seed, 'names').shuffle(pool.filter((name) => !wanted.includes(name)));
  const present = [...wanted, ...others].slice(0, seats.length);
  const order = draw(seed, 'seats').shuffle(pool.filter((name) => present.includes(name)).sort());
  const dealt = draw(seed, 'roles').shuffle(seats);
  const players = order.map((name, seat) => ({
    name,
    role: dealt[seat]!,
    team: getRole(dealt[seat]!).team,
    ...(personas[name] === undefined ? {} : { persona: personas[name] }),
  }));
  return {
    board: { name: board.name, roles: board.roles },
    rules,
    seed,
    players: variant === 'rotated' ? seatRotated(players, seed) : players,
    ...(variant === undefined ? {} : { variant }),
    ...(replicate === 1 ? {} : { replicate }),
  };
}

/** Deals the board of a plan under its rules. Throws a UsageError if the board or the rules are unknown. */
export function dealPlan(plan: StudioPlan): Setup {
  const board = readBoard(plan.board);
  return deal({ board, rules: resolveBoardRules(board, plan.rules), seed: plan.seed });
}

/** Returns everybody's suspicion of everybody else before the first statement. */
export function createInitialSuspicion(names: readonly string[]): DeceptionScores {
  const scoreOthers = (observer: string) =>
    names.filter((name) => name !== observer).map((name) => [name, { score: initialSuspicion, round: null }]);
  return Object.fromEntries(names.map((name) => [name, Object.fromEntries(scoreOthers(name))]));
}

/** Returns the initial state of a match, as an update of the graph's state. */
export function createInitialState(setup: Setup): GameUpdate {
  const names = setup.players.map(({ name }) => name);
  return {
    setup,
    roles: Object.fromEntries(setup.players.map(({ name, role }) => [name, role])),
    alivePlayers: names,
    deceptionScores: createInitialSuspicion(names),
  };
}

/**
 * Returns the initial state of a match as a whole Game, for drivers that play without the graph.
 *
 * @example createView(createGame(setup), setup.players[0]!.name)
 */
export const createGame = (setup: Setup): Game => ({
  ...(createInitialState(setup) as Pick<Game, 'setup' | 'roles' | 'alivePlayers' | 'deceptionScores'>),
  plan: defaultPlan,
  roundNum: 0,
  phase: 'night',
  step: 0,
  intents: [],
  bids: {},
  drafts: {},
  votes: [],
  deceptionHistory: [],
  gameLogs: [],
  winner: null,
});

/**
 * Returns the events that tell each player their own role, and their teammates if the members of their team know each
 * other.
 */
export function createDealEvents({ players }: Setup): GameEvent[] {
  const at = { round: 0, phase: 'night' } as const;
  const acquainted = Object.entries(teams).filter(([, side]) => side.acquainted);
  return [
    ...players.map(({ name, role }) => ({ ...at, type: 'dealt' as const, audience: [name], player: name, role })),
    ...acquainted.map(([team]) => {
      const members = players
        .filter((player) => player.team === team && getCountedSide(getRole(player.role)) === team)
        .map(({ name }) => name);
      return {
        ...at,
        type: 'acquainted' as const,
        audience: members,
        players: members,
        team: team as keyof typeof teams,
      };
    }),
  ];
}
