// Refuses a model whose context cannot hold the first round, before anything is called or written.
import type { Seat } from '../models/ask.ts';
import { estimateMessages } from '../models/estimate-tokens.ts';
import { conversation } from '../models/fit.ts';
import { fullestRound } from '../prompts/fullest-round.ts';
import type { Setup } from '../state/setup.ts';

/** Throws a RangeError that names the model, what its prompts may take and need, and the cure. */
export function expectRoom(setup: Setup, seats: Readonly<Record<string, Seat>>): void {
  for (const [name, { talk }] of Object.entries(seats)) {
    const { spec, context } = talk;
    if (!context) continue;
    const prompts = fullestRound(setup, name).map((prompt) => ({
      action: prompt.action,
      tokens: estimateMessages(conversation(prompt, 0)),
    }));
    const largest = prompts.reduce((one, other) => (other.tokens > one.tokens ? other : one));
    if (largest.tokens <= context.prompt) continue;
    const enough = context.tokens + Math.ceil(((largest.tokens - context.prompt) * 4) / 3); // a quarter is for the answer
    const { debateOrder, debateTurns, debatePasses, maxWords } = setup.rules;
    const turns =
      debateOrder === 'bidding' ? `--rule debateTurns (${debateTurns})` : `--rule debatePasses (${debatePasses})`;
    throw new RangeError(
      `The context of ${spec}, in the seat of ${name}, cannot hold a round of these rules: ${context.prompt} of its ${context.tokens} tokens are free for a prompt, and ${largest.action} may need ${largest.tokens} on the first day. Give contextTokens=${enough} in the model string if the server has so much, else a smaller maxTokens there (what is kept free for the answer), ${turns} or --rule maxWords (${maxWords}).`,
    );
  }
}
