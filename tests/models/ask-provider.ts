// Asks a model questions of a game through the model client, for the tests that all providers share.
import { getCallLimiters } from '../../models/limiters-by-server.ts';
import { createModelClient, inMemoryClientOptions } from '../../models/model-client.ts';
import type { PlayerModel } from '../../models/model.ts';
import { bid } from '../../prompts/debate.ts';
import { draw } from '../../state/random.ts';
import { AnswerLine } from '../../state/record.ts';
import { createView } from '../../state/view.ts';
import { gameAt } from '../game.ts';
import { testClock } from '../test-clock.ts';

export const prompt = bid.put(createView(gameAt(), 'Sam'), draw(1, 'options'));

/** A legal answer to the question. */
export const answer = { reasoning: 'I wait.', bid: 2 };

/** A client of one model, with the recorded answers, warnings and waiting times so far. */
export function openClient(model: PlayerModel) {
  const lines: AnswerLine[] = [];
  const warnings: string[] = [];
  const clock = testClock();
  const client = createModelClient({
    ...inMemoryClientOptions,
    seats: { Sam: { choice: model, talk: model } },
    seed: 1,
    clock,
    limiters: getCallLimiters(clock),
    signal: new AbortController().signal,
    warn: (message) => void warnings.push(message),
    onAnswer: (line) => void lines.push(AnswerLine.parse(line)),
  });
  return { client, lines, warnings, waits: clock.waits };
}

/** Asks the model one question. */
export async function askThroughClient(model: PlayerModel) {
  const { client, lines, ...rest } = openClient(model);
  const result = await client.ask(prompt);
  return { ...rest, result, lines, line: lines[0]! };
}
