// `bot:follows`, a player that follows accusations at a planted rate, so that the effect of a statement is known.
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { draftAction } from '../../state/event-descriptions.ts';
import { isEventOfType } from '../../state/events.ts';
import type { RandomSource } from '../../state/random.ts';
import { getShownSide } from '../../state/roles/index.ts';
import { countTurns } from '../../state/steps/debate.ts';
import { listLivingOthers, type View } from '../../state/view.ts';
import type { BotPolicy } from './bot-model.ts';
import { drawLegalAnswer } from './random.ts';
import { parseSpeechActs } from './scripted/parse-speech-acts.ts';

/**
 * Creates a bot. In the first statement of a day's debate it accuses a random player; in later statements it says
 * nothing of note. With probability `p` it votes for the player whom another player has accused that day. All its other
 * decisions are random. An accusation therefore raises the share of listeners' votes against its target by p(1 − q),
 * where q is that share without the accusation.
 *
 * @example new BotModel('bot:follows', createFollowingMind({ p: 0.4 }))
 */
export const createFollowingMind =
  ({ p }: { p: number }): BotPolicy =>
  (prompt, draw) => {
    const isMoved = draw.fraction() < p; // always drawn, so that an accusation does not shift later draws
    const answer = drawLegalAnswer(prompt.schema, draw);
    if ('statement' in answer && isAccusing(prompt))
      return { answer: { ...answer, statement: accuse(prompt.view, draw) } };
    const accused = isMoved && 'vote' in answer ? findAccused(prompt.view) : null;
    return accused !== null && prompt.choices.includes(accused) ? { answer: { ...answer, vote: accused } } : { answer };
  };

/**
 * Returns whether the bot accuses somebody now. It does not if it is asked to be honest, because it knows nothing
 * against anybody.
 */
const isAccusing = ({ action, view, isHonest }: AnyPrompt): boolean =>
  (action === 'debate' || action === draftAction) && countTurns(view.events, view.round) === 0 && isHonest !== true;

function accuse(view: View, draw: RandomSource): string {
  const role = Object.keys(view.board.roles).find((name) => getShownSide(name) === 'werewolves');
  return `${draw.pick(listLivingOthers(view))} is a ${role}.`;
}

/** Returns the first player whom another player has accused today; null if nobody has. */
function findAccused(view: View): string | null {
  const said = view.events
    .filter(isEventOfType('statement'))
    .filter(({ round, by }) => round === view.round && by !== view.me);
  for (const { text, by } of said)
    for (const act of parseSpeechActs(text, view)) if (act.kind === 'accuse' && act.target !== by) return act.target;
  return null;
}
