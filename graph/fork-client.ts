// The client of a fork: it tells the speaker to be honest in the arm `honest`, and keeps the recorded bid of a drafted statement,
// at the question of the fork alone.
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
 * Creates the client of a fork. In the arm `honest` the player of the statement is told to be honest in it. The bid of a draft is
 * the recorded one in every arm: with another bid, another player would have the turn.
 *
 * @example createForkClient(client, { match: 'a', statement: '2.3', arm: 'honest', copy: 1 })
 */
export const createForkClient = (client: ModelClient, { arm, statement, draft }: ForkOf): ModelClient => ({
  recall: (prompt, moment) => client.recall(prompt, moment),
  ask: async (prompt) => {
    const isOther = draft !== undefined && prompt.view.me !== draft.by; // all bidders draft at the same step
    if (isOther || !isAskedFor(statement, prompt)) return client.ask(prompt);
    const result = await client.ask(arm === 'honest' ? addHonestInstruction(prompt) : prompt);
    return draft === undefined ? result : keepBid(result, draft.bid, arm);
  },
});

/** Returns the answer with the recorded bid; without words where there are none. Silence in an arm of its own is no fallback. */
function keepBid<Answer>(result: AnswerResult<Answer>, bid: number, arm: ForkOf['arm']): AnswerResult<Answer> {
  const value = { ...(result.value ?? { reasoning: '', statement: '' }), bid } as Answer;
  return arm === 'silence' ? { value } : { ...result, value };
}
