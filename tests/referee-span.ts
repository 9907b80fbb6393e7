// A night or a day as the referee sees it, and helpers that the checks of night and day share.
import type { EventOf, GameEvent } from '../state/events.ts';
import type { Setup } from '../state/game.ts';

/** Notes a broken rule. `isKept`: whether the rule was kept. */
export type Must = (isKept: boolean, rule: string, what?: unknown) => void;

/** A night or a day, with the players alive at its start, in seat order. */
export interface Span {
  setup: Setup;
  round: number;
  events: readonly GameEvent[];
  living: readonly string[];
  /** Players alive at the start who have survived an exile and so have no vote. */
  voteless: readonly string[];
  /** Holder of the badge at the start; null if nobody has it. */
  sheriff: string | null;
  must: Must;
}

export type Turn = EventOf<'statement'> | EventOf<'silence'>;

export const isTurn = (event: GameEvent): event is Turn => event.type === 'statement' || event.type === 'silence';

/** Finds the players with the most votes. `halves`: weight of a ballot in half votes. */
export function findMostNamed(
  ballots: readonly { by: string; target: string }[],
  halves: (by: string) => number = () => 2,
): { top: string[]; most: number } {
  const targets = [...new Set(ballots.map(({ target }) => target))];
  const count = (name: string) =>
    ballots.filter(({ target }) => target === name).reduce((sum, { by }) => sum + halves(by), 0);
  const most = Math.max(0, ...targets.map(count));
  return { top: targets.filter((name) => count(name) === most), most };
}

export const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.toSorted().join() === others.toSorted().join();

export const without = (living: readonly string[], events: readonly GameEvent[]) =>
  living.filter((name) => !events.some((event) => event.type === 'death' && event.player === name));

/** Finds the holder of the badge after `events`. */
export function findHolderAfter(sheriff: string | null, events: readonly GameEvent[]): string | null {
  return events.reduce<string | null>(
    (holder, event) => (event.type === 'elected' ? event.player : event.type === 'badge' ? event.to : holder),
    sheriff,
  );
}

/** Returns the side of which others are told. A Possessed is human. */
export const getToldSide = ({ role, team }: Span['setup']['players'][number]) =>
  role === 'Possessed' ? 'villagers' : team;

/** Whether a death reveals exactly what the rule `reveal` says. */
export function isRevealed({ player, role, team }: EventOf<'death'>, { players, rules }: Span['setup']) {
  const seat = players.find(({ name }) => name === player)!;
  return (
    role === (rules.reveal === 'role' ? seat.role : undefined) &&
    team === (rules.reveal === 'team' ? getToldSide(seat) : undefined)
  );
}
