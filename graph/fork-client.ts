// Model client of a fork. It changes only the question that asks for the forked statement: in the arm `honest` the
// prompt asks the speaker to be honest, and a drafted statement keeps its recorded bid.
import type { AnswerResult, ModelClient } from '../models/model-client.ts';
import { statementActions } from '../deception/record/match-record.ts';
import { addHonestInstruction } from '../prompts/honest-turn.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { type ForkOf, findStatementPlace } from '../state/fork.ts';

/** Whether a question asks for this statement. */
export function isAskedFor(
  statement: string,
  { view, step, action }: Pick<AnyPrompt, 'step' | 'action'> & { view: Pick<AnyPrompt['view'], 'round'> },
): boolean {
  const place = findStatementPlace(statement);
  return view.round === place.round && step === place.step && statementActions.includes(action);
}

/**
 * Creates the client of a fork. In the arm `honest`, the prompt asks the speaker to be honest in this statement. In
 * every arm, a draft keeps its recorded bid, because another bid might give the turn to another player.
 *
 * @example createForkClient(client, { match: 'a', statement: '2.3', arm: 'honest', copy: 1 })
 */
export const createForkClient = (client: ModelClient, { arm, statement, draft }: ForkOf): ModelClient => ({
  recall: (prompt, moment) => client.recall(prompt, moment),
  ask: async (prompt) => {
    const isOther = draft !== undefined && prompt.view.me !== draft.by; // other bidders' drafts have the same step
    if (isOther || !isAskedFor(statement, prompt)) return client.ask(prompt);
    const result = await client.ask(arm === 'honest' ? addHonestInstruction(prompt) : prompt);
    return draft === undefined ? result : keepBid(result, draft.bid, arm);
  },
});

/**
 * Returns the answer with the recorded bid. A missing answer becomes an answer without words. In the arm `silence`, the
 * replacement is not marked as a fallback.
 */
function keepBid<Answer>(result: AnswerResult<Answer>, bid: number, arm: ForkOf['arm']): AnswerResult<Answer> {
  const value = { ...(result.value ?? { reasoning: '', statement: '' }), bid } as Answer;
  return arm === 'silence' ? { value } : { ...result, value };
}
