// The election of the Sheriff: who stands, who speaks, who votes for whom, who is elected.
import { leaders } from './ballots.ts';
import { isTurnFor } from './debate.ts';
import { draw } from './draw.ts';
import { isType, type EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp } from './moment.ts';

/** The events of a Game or of a View. */
type Events = readonly { type: string }[];

/** Whether the rules have an election and it is still to be held: on the first day. */
export const isElectionDue = ({ setup, gameLogs }: Game) => setup.rules.sheriff && !gameLogs.some(isType('candidacy'));

/** Whether an election has begun and is not yet over. */
export const isElectionOpen = ({ setup, gameLogs }: Game) =>
  setup.rules.sheriff &&
  gameLogs.some(isType('candidacy')) &&
  !gameLogs.some((event) => isType('elected')(event) || isType('no_sheriff')(event));

/** Those who stand for Sheriff, in seat order. */
export const candidates = (events: Events): string[] =>
  events.filter(isType('candidacy')).flatMap(({ by, stands }) => (stands ? [by] : []));

/** Where nobody stands for Sheriff, the badge is gone. */
export const noSheriff = (game: Game, declared: readonly EventOf<'candidacy'>[]): EventOf<'no_sheriff'>[] =>
  declared.some(({ stands }) => stands) ? [] : [{ ...stamp(game, 'everyone'), type: 'no_sheriff' }];

/** The candidates who have not spoken yet, in the order in which they speak: drawn by the seed. */
export function campaigners(game: Game): string[] {
  const spoken = game.gameLogs.filter(isTurnFor('campaign')).map(({ by }) => by);
  return draw(game.setup.seed, 'campaign')
    .shuffle(candidates(game.gameLogs))
    .filter((name) => !spoken.includes(name));
}

/** The number of the next ballot, from 1. */
export const nextBallot = (events: Events) => (events.some(isType('badge_ballot')) ? 2 : 1);

/** Who may be voted for in the next ballot: the candidates, or the tied of the first ballot. */
export function electable(events: Events): string[] {
  const first = events.filter(isType('badge_ballot'));
  const standing = candidates(events);
  return first.length === 0 ? standing : standing.filter((name) => leaders(first).includes(name));
}

/** Who votes: those who do not stand, or everybody where all do. */
export function electors(game: Game): string[] {
  const standing = candidates(game.gameLogs);
  const others = game.alivePlayers.filter((name) => !standing.includes(name));
  return others.length > 0 ? others : [...game.alivePlayers];
}

/** The only candidate is elected without a vote; null where several stand. */
export function unopposed(game: Game): EventOf<'elected'> | null {
  const [first, ...others] = candidates(game.gameLogs);
  return first !== undefined && others.length === 0 ? elected(game, first, 'unopposed') : null;
}

/** What the last ballot comes to; null where it is tied for the first time, and voted on again. */
export function electionOutcome(game: Game, ballots: readonly EventOf<'badge_ballot'>[]): EventOf<'elected'> | null {
  const top = leaders(ballots);
  if (top.length > 1 && nextBallot(game.gameLogs) === 1) return null;
  const player = top.length === 1 ? top[0]! : draw(game.setup.seed, 'sheriff').pick(top);
  return elected(game, player, top.length === 1 ? 'vote' : 'draw');
}

export const elected = (game: Game, player: string, how: EventOf<'elected'>['how']): EventOf<'elected'> => ({
  ...stamp(game, 'everyone'),
  type: 'elected',
  player,
  how,
});
