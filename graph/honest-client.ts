// The client of a fork whose speaker is asked to be honest: it adds the instruction to the question of the fork alone.
import type { ModelClient } from '../models/model-client.ts';
import { statementActions } from '../deception/record/match-record.ts';
import { addHonestInstruction } from '../prompts/honest-turn.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { findStatementPlace } from '../state/fork.ts';

/** Whether a question asks for this statement. */
export function isAskedFor(
  statement: string,
  { view, step, action }: Pick<AnyPrompt, 'step' | 'action'> & { view: Pick<AnyPrompt['view'], 'round'> },
): boolean {
  const place = findStatementPlace(statement);
  return view.round === place.round && step === place.step && statementActions.includes(action);
}

/**
 * The client, which tells whoever makes this statement to be honest in it.
 *
 * @example createHonestClient(client, '2.3')
 */
export const createHonestClient = (client: ModelClient, statement: string): ModelClient => ({
  recall: (prompt, moment) => client.recall(prompt, moment),
  ask: (prompt) => client.ask(isAskedFor(statement, prompt) ? addHonestInstruction(prompt) : prompt),
});
