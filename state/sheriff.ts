// The Sheriff's office: who holds the badge, and how much a ballot weighs.
import { isEventOfType, type EventOf } from './events.ts';
import type { Game } from './game.ts';
import type { RuleValues } from './rules/rule.ts';

/** The choice to tear up the badge, offered beside the names of possible successors. */
export const destroyBadgeChoice = 'tear';

/** Events of a Game or of a View. */
type Events = readonly { type: string }[];

const isElected = isEventOfType('elected');
const isBadge = isEventOfType('badge');
const changesBadge = (event: { type: string }): event is EventOf<'elected'> | EventOf<'badge'> =>
  isElected(event) || isBadge(event);

/** Returns the player who has the badge, alive or just departed; null if nobody has it. */
export function findBadgeHolder(events: Events): string | null {
  const last = events.findLast(changesBadge);
  if (!last) return null;
  return last.type === 'elected' ? last.player : last.to;
}

/** Returns the living Sheriff, or null. */
export function findLivingSheriff(events: Events, alive: readonly string[]): string | null {
  const holder = findBadgeHolder(events);
  return holder !== null && alive.includes(holder) ? holder : null;
}

/** Returns the living Sheriff of a game, or null. */
export const findSheriff = ({ gameLogs, alivePlayers }: Pick<Game, 'gameLogs' | 'alivePlayers'>) =>
  findLivingSheriff(gameLogs, alivePlayers);

/**
 * Returns a function from voter to the weight of the ballot: 1, or for the Sheriff the weight in the rules (1, 1.5 or
 * 2; multiples of one half keep sums exact).
 *
 * @example tally(game.votes, createBallotWeigher(rules, findSheriff(game)))
 */
export const createBallotWeigher =
  (rules: RuleValues, sheriff: string | null) =>
  (by: string): number =>
    by === sheriff ? Number(rules['sheriffWeight']) : 1;
