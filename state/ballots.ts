// Counting ballots: whom the village exiles.
import { draw } from './draw.ts';
import type { EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp } from './moment.ts';
import type { Ballot } from './rows.ts';
import { death } from './night.ts';

/** Target → ballots, most first; equal counts keep the order in which the targets were first named. */
export function tally(ballots: readonly Ballot[]): [target: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { target } of ballots) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Those named most often. */
export function leaders(ballots: readonly Ballot[]): string[] {
  const counts = tally(ballots);
  return counts.filter(([, count]) => count === counts[0]![1]).map(([target]) => target);
}

/** The outcome of today's ballots under the board's rules. */
export function resolveExile(game: Game): EventOf<'death'> | EventOf<'no_exile'> {
  const { rules, seed } = game.setup;
  const [first] = tally(game.votes);
  const nobody = (reason: 'no majority' | 'tie'): EventOf<'no_exile'> => ({
    ...stamp(game, 'everyone'),
    type: 'no_exile',
    reason,
  });
  if (rules.exile === 'majority') {
    return first && first[1] * 2 > game.alivePlayers.length ? death(game, first[0], 'exile') : nobody('no majority');
  }
  const top = leaders(game.votes);
  if (top.length > 1 && rules.exileTies === 'nobody') return nobody('tie');
  return death(game, draw(seed, 'exile', game.roundNum).pick(top), 'exile');
}
