// A night or a day under the referee's eyes, and the questions that both bring.
import type { GameEvent } from '../state/event.ts';
import type { Setup } from '../state/setup.ts';

/** Notes a rule that is broken. */
export type Must = (isKept: boolean, rule: string, what?: unknown) => void;

/** A night or a day, with those who live when it begins, in seat order. */
export interface Span {
  setup: Setup;
  round: number;
  events: readonly GameEvent[];
  living: readonly string[];
  must: Must;
}

/** Who is named most often, all of them. */
export function mostNamed(targets: readonly string[]): string[] {
  const count = (name: string) => targets.filter((target) => target === name).length;
  const most = Math.max(0, ...targets.map(count));
  return [...new Set(targets)].filter((name) => count(name) === most);
}

export const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.toSorted().join() === others.toSorted().join();

/** Whether a death tells of the dead what `reveal` says, and no more. */
export function isRevealed(
  { player, role, team }: Extract<GameEvent, { type: 'death' }>,
  { players, rules }: Span['setup'],
) {
  const seat = players.find(({ name }) => name === player)!;
  return (
    role === (rules.reveal === 'role' ? seat.role : undefined) &&
    team === (rules.reveal === 'team' ? seat.team : undefined)
  );
}
