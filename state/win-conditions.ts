// Win conditions: when a match is over, and who has won.
import type { EndReason, EventOf } from './events.ts';
import { createEventHeader, type Game } from './game.ts';
import { getRole } from './roles/index.ts';
import { getCountedSide, type Role } from './roles/role.ts';
import type { Rules } from './rules/common-rules.ts';
import type { Team } from './teams.ts';

/** Returns the team that has won, or null while the match continues. */
export const findWinner = (game: Game): Team | null => findDecision(game)?.winner ?? null;

interface Decision {
  winner: Team;
  reason: EndReason;
}

/** Role → number of players who have it; roles without players may be left out. */
type Headcount = Readonly<Record<string, number>>;

const findDecision = ({ setup, roles, alivePlayers }: Game) =>
  decideWinner(setup.rules, countRoles(Object.values(roles)), countRoles(alivePlayers.map((name) => roles[name]!)));

const countRoles = (of: readonly string[]): Headcount =>
  Object.fromEntries([...Map.groupBy(of, (role) => role)].map(([role, { length }]) => [role, length]));

/**
 * Decides who has won, and why, from the roles dealt and those still alive, under the rule `wins`; null if the match
 * continues.
 *
 * @example decideWinner({ wins: 'parity' }, dealt, { Werewolf: 1, Seer: 1 }) // { winner: 'werewolves', reason: 'Werewolves at parity' }
 */
export function decideWinner({ wins }: Pick<Rules, 'wins'>, dealt: Headcount, living: Headcount): Decision | null {
  const pack = sumCounts(living, (role) => getCountedSide(role) === 'werewolves');
  const others = sumCounts(living, (role) => getCountedSide(role) !== 'werewolves');
  if (pack === 0) return { winner: 'villagers', reason: 'no Werewolf left' };
  const createPackWin = (reason: EndReason) => ({ winner: 'werewolves' as const, reason });
  const isWipedOut = (special: boolean) => {
    const isKind = (role: Role) => role.team === 'villagers' && role.special === special;
    return sumCounts(dealt, isKind) > 0 && sumCounts(living, isKind) === 0;
  };
  switch (wins) {
    case 'parity':
      return pack >= others ? createPackWin('Werewolves at parity') : null;
    case 'majority':
      return pack > others ? createPackWin('Werewolves in the majority') : null;
    case 'edge':
      if (isWipedOut(true)) return createPackWin('no special role left');
      return isWipedOut(false) ? createPackWin('no plain villager left') : null;
  }
}

const sumCounts = (of: Headcount, counts: (role: Role) => boolean) =>
  Object.entries(of).reduce((total, [role, count]) => (counts(getRole(role)) ? total + count : total), 0);

/** Returns whether this is the last round that the rules allow. */
export const isLastRound = ({ roundNum, setup }: Game) => roundNum >= setup.rules.maxRounds;

/** Returns whether a fork ends with this day, even without a winner. */
export const isCutToday = ({ roundNum, setup }: Pick<Game, 'roundNum' | 'setup'>): boolean =>
  roundNum === setup.cut_after_round;

/**
 * Creates the event that ends a match: somebody has won, the fork ends, or the round limit is reached without a winner.
 */
export const createEnding = (game: Game): EventOf<'ended'> => ({
  ...createEventHeader(game, 'everyone'),
  type: 'ended',
  winner: game.winner,
  reason: findDecision(game)?.reason ?? (isCutToday(game) && !isLastRound(game) ? 'cut' : 'round limit'),
});
