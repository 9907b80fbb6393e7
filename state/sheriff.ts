// The Sheriff's office: who holds the badge, and what a ballot weighs.
import { isType, type EventOf } from './events.ts';
import type { Game } from './game.ts';
import type { RuleValues } from './rules/rule.ts';

/** Stands among the successors where the badge may be torn. */
export const tear = 'tear';

/** The events of a Game or of a View. */
type Events = readonly { type: string }[];

const [isElected, isBadge] = [isType('elected'), isType('badge')];

const isOfBadge = (event: { type: string }): event is EventOf<'elected'> | EventOf<'badge'> =>
  isElected(event) || isBadge(event);

/** Who has the badge, living or just gone; null where nobody has. */
export function findBadgeHolder(events: Events): string | null {
  const last = events.findLast(isOfBadge);
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

/** What the ballot of a player weighs: 1, or what the rules give the Sheriff, in halves, so that sums are exact. */
export const createBallotWeigher =
  (rules: RuleValues, sheriff: string | null) =>
  (by: string): number =>
    by === sheriff ? Number(rules['sheriffWeight']) : 1;
