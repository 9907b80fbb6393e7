// Creates small games for tests: named players with roles, at some moment of a match.
import { createDealEvents, createInitialState } from '../state/deal.ts';
import type { EventOf, GameEvent } from '../state/events.ts';
import type { Game, Setup } from '../state/game.ts';
import { getRole, getShownSide } from '../state/roles/index.ts';
import type { RuleValue } from '../state/rules/rule.ts';
import { readRules } from '../state/rulebook.ts';
import { type Team, teams } from '../state/teams.ts';

/** Eight players in seat order: two Werewolves, a Seer, a Doctor and four Villagers. */
export const eight = {
  Ginger: 'Werewolf',
  Leah: 'Werewolf',
  Sam: 'Seer',
  Paul: 'Doctor',
  Dan: 'Villager',
  Will: 'Villager',
  Bert: 'Villager',
  Mason: 'Villager',
};

export interface Moment {
  /** Name → role, in seat order. */
  seats?: Readonly<Record<string, string>>;
  /** Players who have left the game. */
  gone?: readonly string[];
  rules?: Readonly<Record<string, RuleValue>>;
  personas?: Readonly<Record<string, string>>;
  seed?: number;
  round?: number;
  phase?: Game['phase'];
  step?: number;
  /** Events since the roles were dealt. */
  events?: readonly GameEvent[];
  bids?: Game['bids'];
  /** Voter → target. */
  votes?: Readonly<Record<string, string>>;
  /** This night's acts: verb → [acting player, target]. */
  acts?: Readonly<Record<string, readonly [by: string | string[], target: string]>>;
  /** Observer → target → suspicion, last changed in round 1. */
  suspicions?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const setupOf = ({
  seats = eight,
  rules = {},
  personas = {},
  seed = 1,
}: Pick<Moment, 'seats' | 'rules' | 'personas' | 'seed'> = {}): Setup => ({
  board: { name: 'by-hand', roles: countRoles(Object.values(seats)) },
  rules: readRules('wolf', rules),
  seed,
  players: Object.entries(seats).map(([name, role]) => ({
    name,
    role,
    team: getRole(role).team,
    ...(personas[name] === undefined ? {} : { persona: personas[name] }),
  })),
});

/** Creates a game. By default: the first day of `eight`, before anybody has spoken. */
export function gameAt({ gone = [], round = 1, phase = 'day', step = 0, ...moment }: Moment = {}): Game {
  const setup = setupOf(moment);
  const { events = [], bids = {}, votes = {}, acts = {}, suspicions = {} } = moment;
  const scores = Object.entries(suspicions).map(([observer, targets]) => [
    observer,
    Object.fromEntries(Object.entries(targets).map(([target, score]) => [target, { score, round: 1 }])),
  ]);
  return {
    ...(createInitialState(setup) as Game),
    alivePlayers: setup.players.map(({ name }) => name).filter((name) => !gone.includes(name)),
    roundNum: round,
    phase,
    step,
    intents: Object.entries(acts).map(([verb, [by, target]]) => ({ round, verb, by: [by].flat(), target })),
    bids,
    votes: Object.entries(votes).map(([by, target]) => ({ by, target })),
    deceptionHistory: [],
    ...(scores.length > 0 ? { deceptionScores: Object.fromEntries(scores) as Game['deceptionScores'] } : {}),
    gameLogs: [...createDealEvents(setup), ...events],
    winner: null,
  };
}

const countRoles = (roles: readonly string[]) =>
  Object.fromEntries([...new Set(roles)].map((role) => [role, roles.filter((other) => other === role).length]));

const day = (round: number) => ({ round, phase: 'day' as const, audience: 'everyone' as const });
const night = (round: number, audience: GameEvent['audience']) => ({ round, phase: 'night' as const, audience });

/** Creates a statement. Id `2.3` is the third statement of round 2. */
export const said = (id: string, by: string, text: string): EventOf<'statement'> => ({
  ...day(readRound(id)),
  type: 'statement',
  id,
  by,
  text,
});

export const silent = (id: string, by: string): EventOf<'silence'> => ({
  ...day(readRound(id)),
  type: 'silence',
  id,
  by,
  mark: 'fallback',
});

const readRound = (id: string) => Number(id.split('.')[0]);

export const votedFor = (round: number, by: string, target: string, explanation?: string): EventOf<'ballot'> => ({
  ...day(round),
  type: 'ballot',
  id: `${round}.${by}`,
  by,
  target,
  ...(explanation === undefined ? {} : { explanation }),
});

export const exiled = (round: number, player: string, revealed: { role?: string; team?: Team } = {}) =>
  ({ ...day(round), type: 'death', player, cause: 'exile', ...revealed }) satisfies EventOf<'death'>;

export const removed = (round: number, player: string): EventOf<'death'> => ({
  ...night(round, 'everyone'),
  type: 'death',
  player,
  cause: 'night',
});

export const acted = (round: number, by: string, verb: string, target: string): EventOf<'acted'> => ({
  ...night(round, [by]),
  type: 'acted',
  by,
  verb,
  target,
});

export const passed = (round: number, by: string, verb: string): EventOf<'passed'> => ({
  ...night(round, [by]),
  type: 'passed',
  by,
  verb,
});

/** Creates the event of the Werewolves' joint choice in the match of eight. */
export const picked = (round: number, target: string): EventOf<'pick'> => ({
  ...night(round, ['Ginger', 'Leah']),
  type: 'pick',
  verb: 'eliminate',
  target,
});

/** Creates the event by which `by` learns whom the Werewolves picked. */
export const attacked = (round: number, by: string, player: string): EventOf<'attacked'> => ({
  ...night(round, [by]),
  type: 'attacked',
  player,
});

export const stood = (by: string, stands = true): EventOf<'candidacy'> => ({
  ...day(1),
  type: 'candidacy',
  by,
  stands,
});

export const elected = (player: string): EventOf<'elected'> => ({ ...day(1), type: 'elected', player, how: 'vote' });

export const badgeVote = (by: string, target: string, ballot = 1): EventOf<'badge_ballot'> => ({
  ...day(1),
  type: 'badge_ballot',
  by,
  target,
  ballot,
});

/** Creates the event by which the badge is passed on, or torn up (null). */
export const badge = (round: number, by: string, to: string | null): EventOf<'badge'> => ({
  ...day(round),
  type: 'badge',
  by,
  to,
});

export const tied = (round: number, ...players: string[]): EventOf<'tie'> => ({ ...day(round), type: 'tie', players });

export const shot = (round: number, by: string, target: string): [EventOf<'last_act'>, EventOf<'death'>] => [
  { ...day(round), type: 'last_act', by, verb: 'shoot', target },
  { ...day(round), type: 'death', player: target, cause: 'last_act' },
];

export const learned = (round: number, by: string, about: string, role: string): EventOf<'learned'> => ({
  ...night(round, [by]),
  type: 'learned',
  by,
  about,
  role,
});

export const thought = (round: number, by: string, action: string, reasoning: string): EventOf<'thought'> => ({
  ...day(round),
  audience: [by],
  type: 'thought',
  by,
  action,
  step: 0,
  reasoning,
});

export const summary = (round: number, by: string, text: string): EventOf<'summary'> => ({
  ...day(round),
  audience: [by],
  type: 'summary',
  by,
  text,
});

/** Lists the living players of a side, in seat order. */
export const listLiving = (team: keyof typeof teams, { setup, alivePlayers }: Game) =>
  setup.players
    .filter((player) => getShownSide(player.role) === team && alivePlayers.includes(player.name))
    .map(({ name }) => name);
