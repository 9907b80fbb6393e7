// Counting ballots: who votes between whom, and whom the village exiles.
import { draw } from './draw.ts';
import { isType, type EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp } from './moment.ts';
import type { Ballot } from './rows.ts';
import { death } from './night.ts';
import { roleNamed } from './roles/index.ts';
import { sheriffOf, weightUnder } from './sheriff.ts';

const one = () => 1;

/** Target → votes, most first; equal counts keep the order in which the targets were first named. */
export function tally(
  ballots: readonly Ballot[],
  weightOf: (by: string) => number = one,
): [target: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { by, target } of ballots) counts.set(target, (counts.get(target) ?? 0) + weightOf(by));
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Those named most often. */
export function leaders(ballots: readonly Ballot[], weightOf: (by: string) => number = one): string[] {
  const counts = tally(ballots, weightOf);
  return counts.filter(([, count]) => count === counts[0]![1]).map(([target]) => target);
}

/**
 * The players between whom the ballot of a round has to decide again, or null where it is free. Of the events of a
 * Game or of a View.
 */
export const tiedIn = (events: readonly { type: string }[], roundNum: number): string[] | null =>
  events.filter(isType('tie')).find(({ round }) => round === roundNum)?.players ?? null;

export const tiedToday = ({ gameLogs, roundNum }: Pick<Game, 'gameLogs' | 'roundNum'>) => tiedIn(gameLogs, roundNum);

/** Whether today's ballots have been cast. */
export const hasVoted = ({ votes }: Pick<Game, 'votes'>) => votes.length > 0;

/** Whether a player has survived an exile, and so has no vote any more. Of the events of a Game or of a View. */
export const hasLostVote = (events: readonly { type: string }[], player: string): boolean =>
  events.some((event) => isType('exile_survived')(event) && event.player === player);

/** The living who have a vote, in seat order. */
const listEntitled = ({ alivePlayers, gameLogs }: Game) => alivePlayers.filter((name) => !hasLostVote(gameLogs, name));

/** Who votes next, in seat order: the living who have a vote, but not those between whom a tie is decided. */
export const voters = (game: Game): string[] => {
  const tied = tiedToday(game);
  return listEntitled(game).filter((name) => !tied?.includes(name));
};

type Outcome = EventOf<'death'> | EventOf<'exile_survived'> | EventOf<'no_exile'> | EventOf<'tie'>;

/** A player's exile; for the first time one whose role survives that stays, and the role is shown. */
function exile(game: Game, player: string): Outcome {
  const role = game.roles[player]!;
  return roleNamed(role).survivesFirstExile && !hasLostVote(game.gameLogs, player)
    ? { ...stamp(game, 'everyone'), type: 'exile_survived', player, role }
    : death(game, player, 'exile');
}

/** The outcome of today's last ballots under the board's rules; the Sheriff's weighs more. */
export function resolveExile(game: Game): Outcome {
  const { rules, seed } = game.setup;
  const weightOf = weightUnder(rules, sheriffOf(game));
  const [first] = tally(game.votes, weightOf);
  const nobody = (reason: 'no majority' | 'tie'): Outcome => ({ ...stamp(game, 'everyone'), type: 'no_exile', reason });
  if (rules.exile === 'majority') {
    const all = listEntitled(game).reduce((sum, name) => sum + weightOf(name), 0);
    return first && first[1] * 2 > all ? exile(game, first[0]) : nobody('no majority');
  }
  const top = leaders(game.votes, weightOf);
  if (top.length > 1 && rules.exileTies !== 'random') {
    const canOthersVote = listEntitled(game).some((name) => !top.includes(name));
    const isDecidable = rules.exileTies === 'pk' && tiedToday(game) === null && canOthersVote;
    const players = game.alivePlayers.filter((name) => top.includes(name));
    return isDecidable ? { ...stamp(game, 'everyone'), type: 'tie', players } : nobody('tie');
  }
  return exile(game, draw(seed, 'exile', game.roundNum).pick(top));
}
