// Where the game goes next: each router reads what earlier supersteps wrote and returns names of nodes.
import { isReady } from '../nodes/night-power.ts';
import { explanations, hasVoted, lastStatement } from '../nodes/public-statements.ts';
import { tiedToday } from '../state/ballots.ts';
import { hasTurnsLeft, isBidFor, lastTurn, pkSpeakers, turnsTaken } from '../state/debate.ts';
import { campaigners, isElectionDue, isElectionOpen } from '../state/election.ts';
import type { GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { dueAct } from '../state/last-acts.ts';
import { powers } from '../state/roles/index.ts';
import { sheriffOf } from '../state/sheriff.ts';
import { isLastRound } from '../state/winner.ts';

export const nightWaves = [...new Set(powers.map(({ wave }) => wave))];

/** All that may be done in the wave; where there is nothing, the next one, and at last the resolution. */
export const toNightWave =
  (index: number) =>
  (game: Game): string[] => {
    const wave = nightWaves[index];
    if (wave === undefined) return ['resolve_night'];
    const verbs = powers.filter((power) => power.wave === wave && isReady(game, power)).map(({ verb }) => verb);
    return verbs.length > 0 ? verbs : toNightWave(index + 1)(game);
  };

/** Whoever has left may still have something to do, one after another; then it is seen whether anybody has won. */
export function afterDeaths(game: Game): string {
  const due = dueAct(game);
  if (due) return due.act === 'badge' ? 'pass_badge' : 'last_act';
  return game.phase === 'night' ? 'check_winner_night' : 'check_winner_day';
}

export const afterNight = (game: Game): string =>
  game.winner !== null ? 'end' : isElectionDue(game) ? 'candidacy' : onward(game);

/** After the ballots: a tie may be decided between the tied. */
export const afterExile = (game: Game): string =>
  tiedToday(game) && !hasVoted(game) ? 'pk_debate' : afterDeaths(game);

export const afterDay = (game: Game) => (game.winner === null && !isLastRound(game) ? 'summarize' : 'end');

/** What the day goes on with once all that was said has been analysed. */
export function onward(game: Game): string {
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

const hasHappened = ({ gameLogs, roundNum }: Game, type: GameEvent['type']) =>
  gameLogs.some((event) => event.type === type && event.round === roundNum);

const analyses = ({ setup }: Game) => [
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'self' ? ['self_analysis'] : []),
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'peer' ? ['peer_analysis'] : []),
];

/** Whether the last analyses of a day are those of its ballots. */
const analysesBallots = ({ analysis, analyzeBallots, ballots }: Game['setup']['rules']) =>
  ballots === 'public' && analyzeBallots && analysis !== 'off';

/** After a statement: all that can be asked side by side, then what comes next. */
export function afterStatement(game: Game): string[] {
  const isDebate = lastTurn(game)?.occasion === undefined;
  const wave = [...(lastStatement(game) ? analyses(game) : []), ...(isDebate ? besides(game) : [])];
  return wave.length > 0 ? wave : [onward(game)];
}

/** What is asked beside the analyses of a statement in the debate; after the last one, the beliefs of the day. */
function besides(game: Game): string[] {
  const { rules } = game.setup;
  if (hasTurnsLeft(game))
    return [...(isBidFor(game) ? ['bid'] : []), ...(rules.syntheticVotes ? ['synthetic_vote'] : [])];
  return rules.beliefs === 'each-round' && !analysesBallots(rules) ? ['beliefs'] : [];
}

/** After the last ballot: its explanations are analysed before the result is announced. */
export const afterVote = (game: Game): string[] => {
  const { rules } = game.setup;
  if (!analysesBallots(rules)) return ['exile'];
  const wave = [
    ...(explanations(game).length > 0 ? analyses(game) : []),
    ...(rules.beliefs === 'each-round' && !tiedToday(game) ? ['beliefs'] : []),
  ];
  return wave.length > 0 ? wave : ['exile'];
};

/** Where a wave of the day ends: all its nodes share this router, which reads nothing that their siblings write. */
export const afterWave = onward;
