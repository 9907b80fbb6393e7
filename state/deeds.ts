// What players do, as events: each with those who may know of it.
import { tiedToday } from './ballots.ts';
import { statementId } from './debate.ts';
import type { EventOf, GameEvent, Occasion } from './event.ts';
import type { Game } from './game.ts';
import { stamp } from './moment.ts';
import { nextBallot } from './election.ts';
import { death } from './night.ts';
import { pass, type LastAct, type Power } from './role.ts';
import type { HeldPower } from './roles/index.ts';
import { tear } from './sheriff.ts';
import type { Team } from './teams.ts';

/** Everybody who was dealt to a side, living or not, in seat order. */
const sideOf = ({ setup }: Game, team: Team) =>
  setup.players.filter((player) => player.team === team).map(({ name }) => name);

/** A night power used alone, or on nobody. */
export const ownAct = (
  game: Game,
  { verb }: Pick<Power, 'verb'>,
  by: string,
  target: string,
): EventOf<'acted'> | EventOf<'passed'> => ({
  ...stamp(game, [by]),
  by,
  verb,
  ...(target === pass ? { type: 'passed' } : { type: 'acted', target }),
});

/** What one of a team proposes to the others; `ballot` counts the rounds of proposals from 1. */
export const proposed = (
  game: Game,
  { verb, role }: HeldPower,
  by: string,
  { target, reason, ballot }: Pick<EventOf<'proposal'>, 'target' | 'reason' | 'ballot'>,
): EventOf<'proposal'> => ({
  ...stamp(game, sideOf(game, role.team)),
  type: 'proposal',
  by,
  verb,
  target,
  reason,
  ballot,
});

/** What a team has settled on. */
export const picked = (game: Game, { verb, role }: HeldPower, target: string): EventOf<'pick'> => ({
  ...stamp(game, sideOf(game, role.team)),
  type: 'pick',
  verb,
  target,
});

/**
 * The last act of somebody who has just left, and the death that it causes. Left undone it stays a secret: that
 * somebody held back would tell the role.
 */
export function lastActed(
  game: Game,
  { verb }: Pick<LastAct, 'verb'>,
  by: string,
  target: string,
): [EventOf<'passed'>] | [EventOf<'last_act'>, EventOf<'death'>] {
  return target === pass
    ? [{ ...stamp(game, [by]), type: 'passed', by, verb }]
    : [{ ...stamp(game, 'everyone'), type: 'last_act', by, verb, target }, death(game, target, 'last_act')];
}

/** The badge of a Sheriff who has left goes to another, or is torn. */
export const badgePassed = (game: Game, by: string, successor: string): EventOf<'badge'> => ({
  ...stamp(game, 'everyone'),
  type: 'badge',
  by,
  to: successor === tear ? null : successor,
});

export const stood = (game: Game, by: string, stands: boolean): EventOf<'candidacy'> => ({
  ...stamp(game, 'everyone'),
  type: 'candidacy',
  by,
  stands,
});

/** A vote for Sheriff. */
export const badgeBallot = (game: Game, by: string, target: string): EventOf<'badge_ballot'> => ({
  ...stamp(game, 'everyone'),
  type: 'badge_ballot',
  by,
  target,
  ballot: nextBallot(game),
});

export const ordered = (
  game: Game,
  by: string,
  direction: EventOf<'speaking_order'>['direction'],
): EventOf<'speaking_order'> => ({ ...stamp(game, 'everyone'), type: 'speaking_order', by, direction });

/** A bid for the next turn; null where none could be read. */
export const bidding = (game: Game, by: string, bid: number | null): EventOf<'bid'> => ({
  ...stamp(game, [by]),
  type: 'bid',
  by,
  step: game.step,
  bid,
});

/** What a public turn is, whatever is said in it; without an occasion it is one of the debate. */
export const turnOf = (game: Game, by: string, occasion?: Occasion) => ({
  ...stamp(game, 'everyone'),
  id: statementId(game),
  by,
  ...(occasion ? { occasion } : {}),
});

export const syntheticBallot = (game: Game, by: string, target: string): EventOf<'synthetic_vote'> => ({
  ...stamp(game, 'moderator'),
  type: 'synthetic_vote',
  by,
  step: game.step,
  target,
});

/** A vote before the one that counts: it exiles nobody. */
export const pseudoBallot = (game: Game, by: string, target: string): EventOf<'pseudo_ballot'> => ({
  ...stamp(game, 'everyone'),
  type: 'pseudo_ballot',
  by,
  target,
});

/** A vote to exile, without its explanation. */
export const balloted = (game: Game, by: string, target: string): EventOf<'ballot'> => ({
  ...stamp(game, game.setup.rules.ballots === 'public' ? 'everyone' : [by]),
  type: 'ballot',
  id: `${game.roundNum}.${tiedToday(game) ? 'pk.' : ''}${by}`,
  by,
  target,
});

export const believed = (game: Game, by: string, p_werewolf: Record<string, number>): GameEvent => ({
  ...stamp(game, 'moderator'),
  type: 'beliefs',
  by,
  step: game.step,
  p_werewolf,
});

/** A summary of the round for oneself. */
export const summed = (game: Game, by: string, text: string): EventOf<'summary'> => ({
  ...stamp(game, [by]),
  type: 'summary',
  by,
  text,
});
