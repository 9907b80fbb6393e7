// The course of a match: what it goes on with, as a question asked of what has happened.
import { hasVoted, tiedToday } from './ballots.ts';
import { hasTurnsLeft, isBidFor, pkSpeakers, turnsTaken } from './debate.ts';
import { campaigners, isElectionDue, isElectionOpen } from './election.ts';
import type { GameEvent } from './event.ts';
import type { Game } from './game.ts';
import { dueAct } from './last-acts.ts';
import { stamp } from './moment.ts';
import { sheriffOf } from './sheriff.ts';
import { isLastRound } from './winner.ts';

/** What a day goes on with. */
export const daySteps = [
  'campaign',
  'elect',
  'speaking_order',
  'bid',
  'debate',
  'pseudo_vote',
  'pk_debate',
  'vote',
  'exile',
] as const;
export type DayStep = (typeof daySteps)[number];

/** What changes when night falls again. */
export const nightfall = ({ roundNum }: Pick<Game, 'roundNum'>) =>
  ({ roundNum: roundNum + 1, phase: 'night', step: 0, bids: {}, votes: [] }) satisfies Partial<Game>;

/** Opens the round that a game has just entered. */
export const roundStarted = (game: Game): GameEvent => ({ ...stamp(game, 'everyone'), type: 'round_started' });

/** Whoever has left may still have something to do, one after another; then it is seen whether anybody has won. */
export function afterDeaths(game: Game) {
  const due = dueAct(game);
  if (due) return due.act === 'badge' ? 'pass_badge' : 'last_act';
  return game.phase === 'night' ? 'check_winner_night' : 'check_winner_day';
}

export const afterNight = (game: Game) =>
  game.winner !== null ? 'end' : isElectionDue(game) ? 'candidacy' : onward(game);

/** Whether today's ballots have ended in a tie that is decided between the tied. */
export const isPkDue = (game: Game) => !hasVoted(game) && tiedToday(game) !== null;

export const afterExile = (game: Game) => (isPkDue(game) ? 'pk_debate' : afterDeaths(game));

export const afterDay = (game: Game) => (game.winner === null && !isLastRound(game) ? 'summarize' : 'end');

/** What the day goes on with once all that was said has been analysed. */
export function onward(game: Game): DayStep {
  if (isElectionOpen(game)) return campaigners(game).length > 0 ? 'campaign' : 'elect';
  if (hasVoted(game)) return 'exile';
  if (tiedToday(game)) return pkSpeakers(game).length > 0 ? 'pk_debate' : 'vote';
  if (isOrderDue(game)) return 'speaking_order';
  if (hasTurnsLeft(game)) return isOpeningBidDue(game) ? 'bid' : 'debate';
  return sheriffOf(game) !== null && !hasHappened(game, 'pseudo_ballot') ? 'pseudo_vote' : 'vote';
}

/** The first statement is bid for by itself; all others beside the analyses of the one before. */
const isOpeningBidDue = (game: Game) =>
  turnsTaken(game.gameLogs, game.roundNum) === 0 && isBidFor(game) && Object.keys(game.bids).length === 0;

/** Where everybody speaks in order, a Sheriff decides on it before the first statement. */
const isOrderDue = (game: Game) =>
  game.setup.rules.debateOrder === 'round-robin' &&
  sheriffOf(game) !== null &&
  turnsTaken(game.gameLogs, game.roundNum) === 0 &&
  !hasHappened(game, 'speaking_order');

/** Of what happened today alone, which stands last. */
const hasHappened = ({ gameLogs, roundNum }: Game, type: GameEvent['type']) =>
  gameLogs.findLast((event) => event.type === type || event.round < roundNum)?.round === roundNum;

/** Whether the last analyses of a day are those of its ballots. */
export const analysesBallots = ({ analysis, analyzeBallots, ballots }: Game['setup']['rules']) =>
  ballots === 'public' && analyzeBallots && analysis !== 'off';

/** What is asked beside the analyses of a statement in the debate; after the last one, the beliefs of the day. */
export function besides(game: Game): ('bid' | 'synthetic_vote' | 'beliefs')[] {
  const { rules } = game.setup;
  if (hasTurnsLeft(game))
    return [
      ...(isBidFor(game) ? (['bid'] as const) : []),
      ...(rules.syntheticVotes ? (['synthetic_vote'] as const) : []),
    ];
  return rules.beliefs === 'each-round' && !analysesBallots(rules) ? ['beliefs'] : [];
}
