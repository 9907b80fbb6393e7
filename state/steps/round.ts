// The steps that frame a round: nightfall, win conditions, summaries and the end.
import { createDealEvents, createInitialState, dealPlan } from '../deal.ts';
import { type EventOf, type GameEvent, isDebateSummary } from '../events.ts';
import { createEventHeader, type Game, type Setup } from '../game.ts';
import { maxPrivateWords, truncateWords } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { createEnding, findWinner, isLastRound } from '../win-conditions.ts';
import { type Answer, type GameChange, freeText, getAnswerMark, asksNobody, type Reply, type Step } from './step.ts';
import { listVoters } from './voting.ts';

/**
 * Opens a round: night falls. Before the first night the players learn their roles. `apply` throws a UsageError if the
 * plan cannot be dealt, or if the match is over.
 */
export const startRoundStep: Step = {
  ...asksNobody,
  name: 'start_round',
  apply: (given) => {
    const table = given.roundNum === 0 ? seatPlayers(given) : {};
    const game = { ...given, ...table } as Game;
    if (given.roundNum > 0 && (game.winner !== null || isLastRound(game)))
      throw new UsageError(`This match ended in round ${game.roundNum}. Start the next match in a new thread.`);
    const opened: Partial<Game> = {
      roundNum: game.roundNum + 1,
      phase: 'night',
      step: 0,
      bids: {},
      drafts: {},
      votes: [],
    };
    const dealt = game.roundNum === 0 ? createDealEvents(game.setup) : [];
    const started: GameEvent = { ...createEventHeader({ ...game, ...opened }, 'everyone'), type: 'round_started' };
    return { change: { ...table, ...opened }, events: [...dealt, started] };
  },
};

/**
 * Deals the roles if the run was started with only a set-up or with nothing, as in Studio; otherwise changes nothing.
 */
const seatPlayers = ({ alivePlayers, setup, plan }: Omit<Game, 'setup'> & { setup?: Setup }): GameChange =>
  alivePlayers.length > 0 ? {} : createInitialState(setup ?? dealPlan(plan));

/** Checks the win conditions after the night, and begins the day. */
export const checkWinnerNightStep: Step = {
  ...asksNobody,
  name: 'check_winner_night',
  apply: (game) => ({ change: { winner: findWinner(game), phase: 'day' }, events: [] }),
};

/** Checks the win conditions after the exile. */
export const checkWinnerDayStep: Step = {
  ...asksNobody,
  name: 'check_winner_day',
  apply: (game) => ({ change: { winner: findWinner(game) }, events: [] }),
};

export interface RoundSummary extends Reply {
  summary: string;
}

/** The living players summarize the round for themselves. */
export const summarizeStep: Step<RoundSummary> = {
  name: 'summarize',
  listAskers: ({ alivePlayers }) => alivePlayers,
  listChoices: () => ({ summary: freeText }),
  apply: (game, answers) => ({ events: answers.map((answer) => createSummary(game, answer)) }),
};

const createSummary = (game: Game, answer: Answer<RoundSummary>): EventOf<'summary'> => ({
  ...createEventHeader(game, [answer.by]),
  type: 'summary',
  by: answer.by,
  text: truncateWords(answer.value?.summary ?? '', maxPrivateWords).text,
  ...getAnswerMark(answer),
});

/** Under `voteSummary` the players who vote sum up the debate for themselves before each vote that counts. */
export const sumUpStep: Step<RoundSummary> = {
  name: 'sum_up',
  listAskers: listVoters,
  listChoices: () => ({ summary: freeText }),
  apply: (game, answers) => ({
    events: answers.map((answer) => ({ ...createSummary(game, answer), before: 'vote' as const })),
  }),
};

/**
 * Returns whether players must still sum up the debate, or after a tie the tied players' statements, before the vote.
 */
export const isSumUpDue = ({ setup, gameLogs, roundNum }: Pick<Game, 'setup' | 'gameLogs' | 'roundNum'>): boolean => {
  if (!setup.rules.voteSummary) return false;
  const last = gameLogs.findLast((event) => event.type === 'tie' || isDebateSummary(event));
  return last?.type !== 'summary' || last.round !== roundNum;
};

/** Records how the match ended. */
export const endStep: Step = { ...asksNobody, name: 'end', apply: (game) => ({ events: [createEnding(game)] }) };
