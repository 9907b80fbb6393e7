// When a match is over, and who has won it.
import type { Rules } from './common-rules.ts';
import type { EndReason, EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp } from './moment.ts';
import type { Role } from './role.ts';
import { roleNamed } from './roles/index.ts';
import type { Team } from './teams.ts';

/** The side that has won among the living, or null. */
export const winnerOf = (game: Game): Team | null => decision(game)?.winner ?? null;

export interface Decision {
  winner: Team;
  reason: EndReason;
}

/** Role → how many have it; roles that nobody has may be left out. */
export type Headcount = Readonly<Record<string, number>>;

const decision = ({ setup, roles, alivePlayers }: Game) =>
  decisionAmong(setup.rules, headcount(Object.values(roles)), headcount(alivePlayers.map((name) => roles[name]!)));

const headcount = (of: readonly string[]): Headcount =>
  Object.fromEntries([...Map.groupBy(of, (role) => role)].map(([role, { length }]) => [role, length]));

/** Why a match with these roles dealt and these left is over by the rule `wins`, or null where it is not. */
export function decisionAmong({ wins }: Pick<Rules, 'wins'>, dealt: Headcount, living: Headcount): Decision | null {
  const pack = sum(living, ({ team }) => team === 'werewolves');
  const others = sum(living, ({ team }) => team !== 'werewolves');
  if (pack === 0) return { winner: 'villagers', reason: 'no Werewolf left' };
  const by = (reason: EndReason) => ({ winner: 'werewolves' as const, reason });
  const isWipedOut = (special: boolean) => {
    const isKind = (role: Role) => role.team === 'villagers' && role.special === special;
    return sum(dealt, isKind) > 0 && sum(living, isKind) === 0;
  };
  switch (wins) {
    case 'parity':
      return pack >= others ? by('Werewolves at parity') : null;
    case 'majority':
      return pack > others ? by('Werewolves in the majority') : null;
    case 'edge':
      if (isWipedOut(true)) return by('no special role left');
      return isWipedOut(false) ? by('no plain villager left') : null;
  }
}

const sum = (of: Headcount, counts: (role: Role) => boolean) =>
  Object.entries(of).reduce((total, [role, count]) => (counts(roleNamed(role)) ? total + count : total), 0);

/** Whether the last day that the rules allow is over. */
export const isLastRound = ({ roundNum, setup }: Game) => roundNum >= setup.rules.maxRounds;

export const ending = (game: Game): EventOf<'ended'> => ({
  ...stamp(game, 'everyone'),
  type: 'ended',
  winner: game.winner,
  reason: decision(game)?.reason ?? 'round limit',
});
