// Prompt visibility: which earlier words were still in a player's prompt when the player made or judged a statement.
import { listRecalledUtterances } from '../../state/history-pool.ts';
import { listTrimmedEvents } from '../../state/trimming-order.ts';
import { createInitialState } from '../../state/deal.ts';
import { type EventOf, isEventOfType } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { createView, type SeenEvent } from '../../state/view.ts';
import { analysisActions, createAnswerFinder, type MatchRecord, statementActions } from '../record/match-record.ts';
import type { Utterance } from './claim.ts';

/**
 * Returns whether the words of an earlier event were still in a player's prompt. The prompt is the one with which the
 * player `name` made or judged the statement `said`. The event `of` is an earlier statement or ballot; a ballot's words
 * are its explanation. `before`: number of events before `said`. Facts never leave a prompt. The target of a ballot is
 * a fact, but its explanation is not. The player's own summary is ignored, although it may have kept the words.
 */
export type PromptVisibility = (
  name: string,
  said: Utterance,
  before: number,
  of: EventOf<'statement'> | EventOf<'ballot'>,
) => boolean;

export function createPromptVisibility({ manifest, events, answers }: MatchRecord): PromptVisibility {
  const { setup } = manifest;
  const { rules } = setup;
  const answerAbout = answers.some(({ left_out: count }) => count !== undefined) ? createAnswerFinder(answers) : null;
  const getTrimCount = (name: string, { id, by, kind }: Utterance) => {
    const actions = name !== by ? analysisActions[kind].peer : kind === 'debate' ? statementActions : ['vote'];
    return answerAbout?.(id, name, actions)?.left_out ?? 0;
  };
  const listSeenAt = (before: number, me: string, { round }: Utterance) => {
    const gameLogs = events.slice(0, before).filter(({ audience }) => audience !== 'moderator');
    const alivePlayers = listSurvivors(
      setup.players.map(({ name }) => name),
      gameLogs,
    );
    const then: Partial<Game> = { alivePlayers, roundNum: round, phase: 'day', step: 0, gameLogs, winner: null };
    return createView({ ...(createInitialState(setup) as Game), ...then }, me);
  };
  return (name, said, before, of) => {
    if (of.type === 'ballot' && of.explanation === undefined) return true;
    const isIt = (event: SeenEvent) =>
      (isEventOfType('statement')(event) || isEventOfType('ballot')(event)) && event.id === of.id;
    if (of.round < said.round && rules.memory !== 'full') {
      if (rules.memory === 'summary' || ![...listRecalledUtterances(listSeenAt(before, name, said))].some(isIt))
        return false;
    }
    const count = getTrimCount(name, said);
    return count === 0 || !listTrimmedEvents(listSeenAt(before, name, said), count).some(isIt);
  };
}
