// The Sheriff's office: who holds the badge, and what a ballot weighs.
import { isEventOfType, type EventOf } from './events.ts';
import type { Game } from './game.ts';
import type { RuleValues } from './rules/rule.ts';

/** The choice to tear the badge, beside the names of possible successors. */
export const destroyBadgeChoice = 'tear';

/** Of a Game or of a View. */
type Events = readonly { type: string }[];

const changesBadge = (event: { type: string }): event is EventOf<'elected'> | EventOf<'badge'> =>
  isEventOfType('elected')(event) || isEventOfType('badge')(event);

/** Who has the badge, living or just left; null where nobody has. */
export function findBadgeHolder(events: Events): string | null {
  const last = events.findLast(changesBadge);
  if (!last) return null;
  return last.type === 'elected' ? last.player : last.to;
}

/** The living Sheriff, or null. */
export function findLivingSheriff(events: Events, alive: readonly string[]): string | null {
  const holder = findBadgeHolder(events);
  return holder !== null && alive.includes(holder) ? holder : null;
}

/** The living Sheriff of a game, or null. */
export const findSheriff = ({ gameLogs, alivePlayers }: Pick<Game, 'gameLogs' | 'alivePlayers'>) =>
  findLivingSheriff(gameLogs, alivePlayers);

/**
 * A function that gives the weight of a voter's ballot: 1, or for the Sheriff what the rules say (1, 1.5 or 2: halves, so
 * that sums are exact).
 *
 * @example tally(game.votes, createBallotWeigher(rules, findSheriff(game)))
 */
export const createBallotWeigher =
  (rules: RuleValues, sheriff: string | null) =>
  (by: string): number =>
    by === sheriff ? Number(rules['sheriffWeight']) : 1;
