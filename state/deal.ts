// Dealing: names, roles and seats drawn from the seed, and the game as it stands before the first night.
import { seatsOf, type Board } from './boards.ts';
import type { Rules } from './common-rules.ts';
import { draw } from './draw.ts';
import type { GameEvent } from './event.ts';
import type { DeceptionScores, GameUpdate, Setup } from './game.ts';
import { namePool, PlayerName } from './names.ts';
import { roleNamed } from './roles/index.ts';
import { teams } from './teams.ts';

/** Before anything was said, nobody is trusted or distrusted. */
export const priorScore = 0.5;

interface Deal {
  board: Board;
  rules: Rules;
  seed: number;
  /** Names that must be at the table. */
  wanted?: readonly string[];
  personas?: Readonly<Record<string, string>>;
}

/**
 * Draws names from the pool, deals the roles and orders the seats; the same input always gives the same table,
 * and the same names always get the same roles and seats. Throws a RangeError for wanted names that cannot be seated.
 */
export function deal({ board, rules, seed, wanted = [], personas = {} }: Deal): Setup {
  const pool = [...new Set<string>([...(board.names ?? namePool), ...wanted])];
  const seats = seatsOf(board);
  for (const name of wanted) {
    const read = PlayerName.safeParse(name);
    if (!read.success) throw new RangeError(`Player "${name}" cannot be seated: ${read.error.issues[0]!.message}.`);
    if (board.names && !board.names.includes(name))
      throw new RangeError(`No player "${name}" on board "${board.name}". Its names: ${board.names.join(', ')}.`);
  }
  if (new Set(wanted).size > seats.length)
    throw new RangeError(
      `${new Set(wanted).size} players are named for the ${seats.length} seats of board "${board.name}".`,
    );
  const others = draw(seed, 'names').shuffle(pool.filter((name) => !wanted.includes(name)));
  const present = [...wanted, ...others].slice(0, seats.length);
  const order = draw(seed, 'seats').shuffle(pool.filter((name) => present.includes(name)).sort());
  const dealt = draw(seed, 'roles').shuffle(seats);
  return {
    board: { name: board.name, roles: board.roles },
    rules,
    seed,
    players: order.map((name, seat) => ({
      name,
      role: dealt[seat]!,
      team: roleNamed(dealt[seat]!).team,
      ...(personas[name] === undefined ? {} : { persona: personas[name] }),
    })),
  };
}

/** The state before the first night. */
export function newGame(setup: Setup): GameUpdate {
  const names = setup.players.map(({ name }) => name);
  const prior = (observer: string) =>
    Object.fromEntries(
      names.filter((name) => name !== observer).map((name) => [name, { score: priorScore, round: null }]),
    );
  const deceptionScores: DeceptionScores = Object.fromEntries(names.map((name) => [name, prior(name)]));
  return {
    setup,
    roles: Object.fromEntries(setup.players.map(({ name, role }) => [name, role])),
    alivePlayers: names,
    deceptionScores,
  };
}

/** What each player is told at the start: the own role, and the own team where its players know each other. */
export function dealEvents({ players }: Setup): GameEvent[] {
  const at = { round: 0, phase: 'night' } as const;
  const acquainted = Object.entries(teams).filter(([, side]) => side.acquainted);
  return [
    ...players.map(({ name, role }) => ({ ...at, type: 'dealt' as const, audience: [name], player: name, role })),
    ...acquainted.map(([team]) => {
      const members = players.filter((player) => player.team === team).map(({ name }) => name);
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
