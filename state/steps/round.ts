// The steps that frame a round: nightfall, last acts of whoever has left, the win conditions, summaries, the end.
import { dealEvents, dealPlan, newGame } from '../deal.ts';
import type { EventOf, GameEvent } from '../event.ts';
import type { Game } from '../game.ts';
import { stamp } from '../moment.ts';
import { death } from '../night.ts';
import { pass, type LastAct } from '../role.ts';
import type { Setup } from '../setup.ts';
import { UsageError } from '../usage-error.ts';
import { cutAt, privateWords } from '../words.ts';
import { dueAct } from '../last-acts.ts';
import { ending, isLastRound, winnerOf } from '../winner.ts';
import type { NightAct } from './night.ts';
import { freeText, markOf, nobody, recordThought, type Change, type Reply, type Step } from './step.ts';

/**
 * Opens a round: night falls. Before the first one the players learn who they are. Throws a UsageError for a plan that
 * cannot be dealt, and for a match that is over.
 */
export const startRoundStep: Step = {
  ...nobody,
  name: 'start_round',
  apply: (given) => {
    const table = given.roundNum === 0 ? seatPlayers(given) : {};
    const game = { ...given, ...table } as Game;
    if (given.roundNum > 0 && (game.winner !== null || isLastRound(game)))
      throw new UsageError(`This match ended in round ${game.roundNum}. Start the next one in a new thread.`);
    const opened: Partial<Game> = { roundNum: game.roundNum + 1, phase: 'night', step: 0, bids: {}, votes: [] };
    const dealt = game.roundNum === 0 ? dealEvents(game.setup) : [];
    const started: GameEvent = { ...stamp({ ...game, ...opened }, 'everyone'), type: 'round_started' };
    return { change: { ...table, ...opened }, events: [...dealt, started] };
  },
};

/** The players, where a run was started with a set-up alone or with nothing, as in Studio. */
const seatPlayers = ({ alivePlayers, setup, plan }: Omit<Game, 'setup'> & { setup?: Setup }): Change =>
  alivePlayers.length > 0 ? {} : newGame(setup ?? dealPlan(plan));

/** Somebody who has just left does what the role still allows: another may leave by it. */
export const createLastActStep = (act: LastAct): Step<NightAct> => ({
  name: act.verb,
  listAskers: (game) => [dueAct(game)].flatMap((due) => (due ? [due.by] : [])),
  listChoices: (seen) => ({ target: [...act.choices(seen), pass] }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer): GameEvent[] => {
      const [done, ...deaths] = createLastAct(game, act, answer.by, answer.value?.target ?? pass);
      return [...recordThought(game, act.verb, answer), { ...done, ...markOf(answer) }, ...deaths];
    }),
  }),
});

/** Left undone it stays a secret: that somebody held back would tell the role. */
const createLastAct = (
  game: Game,
  { verb }: LastAct,
  by: string,
  target: string,
): [EventOf<'passed'>] | [EventOf<'last_act'>, EventOf<'death'>] =>
  target === pass
    ? [{ ...stamp(game, [by]), type: 'passed', by, verb }]
    : [{ ...stamp(game, 'everyone'), type: 'last_act', by, verb, target }, death(game, target, 'last_act')];

/** Checks the win conditions after the night; a new day begins where it has not decided the match. */
export const checkWinnerNightStep: Step = {
  ...nobody,
  name: 'check_winner_night',
  apply: (game) => ({ change: { winner: winnerOf(game), phase: 'day' }, events: [] }),
};

/** Checks the win conditions after the exile. */
export const checkWinnerDayStep: Step = {
  ...nobody,
  name: 'check_winner_day',
  apply: (game) => ({ change: { winner: winnerOf(game) }, events: [] }),
};

export interface RoundSummary extends Reply {
  summary: string;
}

/** The living write down for themselves what matters of the round. */
export const summarizeStep: Step<RoundSummary> = {
  name: 'summarize',
  listAskers: ({ alivePlayers }) => alivePlayers,
  listChoices: () => ({ summary: freeText }),
  apply: (game, answers) => ({
    events: answers.map((answer): EventOf<'summary'> => ({
      ...stamp(game, [answer.by]),
      type: 'summary',
      by: answer.by,
      text: cutAt(answer.value?.summary ?? '', privateWords).text,
      ...markOf(answer),
    })),
  }),
};

/** Says how the match has ended. */
export const endStep: Step = { ...nobody, name: 'end', apply: (game) => ({ events: [ending(game)] }) };
