// Being addressed: who has accused or asked this player today since it last spoke, and what was held against it.
import type { Scene } from './scene.ts';
import type { Remark } from './testimony.ts';

/** Today's statements since the own last one. */
export function unanswered(scene: Scene): Remark[] {
  const { todays, me } = scene;
  return todays.slice(todays.findLastIndex(({ by }) => by === me) + 1);
}

/** The latest accusation that waits for an answer. */
export const openAccusation = (scene: Scene) =>
  unanswered(scene).findLast(({ acts }) =>
    acts.some(
      (act) =>
        (act.kind === 'accuse' && act.target === scene.me) ||
        (act.kind === 'report' && act.target === scene.me && act.team === 'werewolves'),
    ),
  );

/** The latest question that waits for an answer. */
export const openQuestion = (scene: Scene) =>
  unanswered(scene).findLast(({ acts }) => acts.some((act) => act.kind === 'ask' && act.target === scene.me));

/** What is held against somebody. */
export type Topic = 'Silence' | 'Vote' | 'Check' | 'Feeling' | 'Other';

/** What an accusation was about. */
export function topicOf({ acts, text }: Remark): Topic {
  if (acts.some(({ kind }) => kind === 'report')) return 'Check';
  const words = text.slice(0, 2000);
  if (
    /\b(?:silen\w*|quiet\w*|background|said a word|said nothing|heard nothing|spoken less|lets the others talk)\b/.test(
      words,
    )
  )
    return 'Silence';
  if (/\bvoted\b|\bthe same vote\b|\bgave a vote\b/.test(words)) return 'Vote';
  return /\b(?:feel\w*|instinct|tone|nothing firm|manner|no proof|gut)\b/.test(words) ? 'Feeling' : 'Other';
}

/** Whether a question is about a vote that was cast. */
export const asksForVote = ({ text }: Remark) => /\b(?:did you vote|your vote)\b/.test(text.slice(0, 2000));
