// The nodes around night and day: the start of a round, last acts, win conditions, summaries, the end.
import { createLastActQuestion } from '../prompts/night-actions.ts';
import { summarize } from '../prompts/summarize.ts';
import { lastActs } from '../state/roles/index.ts';
import {
  checkWinnerDayStep,
  checkWinnerNightStep,
  createLastActStep,
  endStep,
  startRoundStep,
  summarizeStep,
} from '../state/steps/round.ts';
import { createAskingNode, createChoosingNode, createNode, type Node } from './run-step.ts';

export const roundNodes = {
  start_round: createNode(startRoundStep),
  // The badge is passed by a node of its own.
  last_act: createChoosingNode(
    'last_act',
    Object.fromEntries(
      lastActs.map((act) => [act.verb, createAskingNode(createLastActStep(act), createLastActQuestion(act))]),
    ),
  ),
  check_winner_night: createNode(checkWinnerNightStep),
  check_winner_day: createNode(checkWinnerDayStep),
  summarize: createAskingNode(summarizeStep, summarize),
  end: createNode(endStep),
} satisfies Record<string, Node>;
