// Which attempt at an answer was the one that counts.
import type { AnswerLine } from '../../state/record.ts';
import { answersAbout } from '../answers-about.ts';

/** From 1; null where the record has no such answer, e.g. because the match was imported. */
export type AttemptOf = (statement: string, player: string, actions: readonly string[]) => number | null;

export function attemptsOf(answers: readonly AnswerLine[]): AttemptOf {
  const find = answersAbout(answers);
  return (...asked) => find(...asked)?.attempt ?? null;
}
