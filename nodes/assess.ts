// Turns analyses into events of the moderator: assessments and beliefs, or a note of what is missing.
import type { Judgement, SelfReport, Statement } from '../prompts/analysis.ts';
import { hasVoted } from '../state/ballots.ts';
import { believed } from '../state/deeds.ts';
import type { EventOf, GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { stamp } from '../state/moment.ts';
import { analysisWords, cutAt } from '../state/words.ts';
import type { AnswerBy } from './node.ts';

/** One analysis of one statement by `by`. */
export function assessment(
  game: Game,
  by: string,
  { id, by: about }: Statement,
  analysis: (Judgement | SelfReport) & { reasoning: string },
): EventOf<'assessment'> {
  const { deceptive, type, confidence, reasoning } = analysis;
  return {
    ...stamp(game, 'moderator'),
    type: 'assessment',
    statement: id,
    kind: hasVoted(game) ? 'ballot' : 'debate',
    by,
    about,
    deceptive,
    deception_type: type,
    confidence,
    ...('stated_falsehood' in analysis ? { stated_falsehood: analysis.stated_falsehood } : {}),
    ...('suspicion' in analysis ? { suspicion: analysis.suspicion, p_werewolf: analysis.p_werewolf } : {}),
    reasoning: cutAt(reasoning, analysisWords).text,
  };
}

/** What an answer says of how likely each player is a Werewolf, where that was asked. */
export const beliefs = (
  game: Game,
  { by, value }: AnswerBy<{ p_werewolf_of?: Record<string, number> }>,
): GameEvent[] => (value?.p_werewolf_of ? [believed(game, by, value.p_werewolf_of)] : []);

/** An analysis that was asked for and not obtained: missing, never "honest". */
export const missing = (
  game: Game,
  action: string,
  { by, mark }: AnswerBy<unknown>,
  statements: readonly Statement[],
): EventOf<'missing'> => ({
  ...stamp(game, 'moderator'),
  type: 'missing',
  by,
  action,
  statements: statements.map(({ id }) => id),
  mark: mark ?? 'fallback',
});
