// The nodes around night and day: the start of a round, last acts, win conditions, summaries, the end.
import { createLastActQuestion } from '../prompts/night-actions.ts';
import { summarize } from '../prompts/summarize.ts';
import { findDueAct } from '../state/on-death.ts';
import {
  checkWinnerDayStep,
  checkWinnerNightStep,
  createLastActStep,
  endStep,
  startRoundStep,
  summarizeStep,
} from '../state/steps/round.ts';
import { createAskingNode, createNode, type Node } from './run-step.ts';

/** The last act of a player who has just left the game; the badge is passed by a node of its own. */
const playLastAct: Node = (game, client) => {
  const due = findDueAct(game);
  if (!due || due.act === 'badge') return { change: {}, events: [] };
  return createAskingNode(createLastActStep(due.act), createLastActQuestion(due.act))(game, client);
};

export const roundNodes = {
  start_round: createNode(startRoundStep),
  last_act: playLastAct,
  check_winner_night: createNode(checkWinnerNightStep),
  check_winner_day: createNode(checkWinnerDayStep),
  summarize: createAskingNode(summarizeStep, summarize),
  end: createNode(endStep),
} satisfies Record<string, Node>;
