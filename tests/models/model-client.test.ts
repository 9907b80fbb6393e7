// The client of a match, and recorded answers, which are valid only for the version of reading that recorded them.
import { describe, expect, it } from '@jest/globals';
import { hashMessages } from '../../models/call-model.ts';
import { buildConversation } from '../../models/context-trimming.ts';
import { createModelClient, inMemoryClientOptions } from '../../models/model-client.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { bid } from '../../prompts/debate.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { createView } from '../../state/view.ts';
import { called } from '../deception/match-builder.ts';
import { gameAt } from '../game.ts';

const prompt = bid.put(createView(gameAt(), 'Sam'), draw(1, 'options'));
const raw = '{"reasoning":"I wait.","bid":2}';

/** Asks a client whose record holds only this answer. */
function replay(changes: Partial<AnswerLine>, allowChangedPrompts = false) {
  const line = called('Sam', 'bid', {
    ...{ step: prompt.step, prompt_sha256: hashMessages(buildConversation(prompt, 0)), raw },
    ...{ answer: JSON.parse(raw) as object, ...changes },
  });
  const client = createModelClient({
    ...{ ...inMemoryClientOptions, seats: {}, seed: 1, recordedOnly: true, allowChangedPrompts },
    signal: new AbortController().signal,
    answerStore: { ...inMemoryClientOptions.answerStore, get: ({ attempt }) => (attempt === 1 ? line : undefined) },
  });
  return client.ask(prompt);
}

describe('a recorded answer', () => {
  it('is given again', async () => {
    expect(await replay({})).toEqual({ value: { reasoning: 'I wait.', bid: 2 } });
  });

  it('is refused where the prompt is another, unless that is allowed', async () => {
    await expect(replay({ prompt_sha256: '0' })).rejects.toThrow('is not the recorded one');
    expect(await replay({ prompt_sha256: '0' }, true)).toMatchObject({ value: { bid: 2 } });
  });

  it.each<[string, Partial<AnswerLine>]>([
    ['an answer that its text does not give', { answer: { reasoning: 'I wait.', bid: 3 } }],
    ['an answer that no text gives', { raw: 'Hm.' }],
    ['a fallback before the last attempt', { raw: 'Hm.', answer: null, mark: 'fallback' }],
    ['a fallback in place of its answer', { mark: 'fallback' }],
    ['a refusal that has an answer', { mark: 'refusal' }],
  ])('is refused where it is recorded as %s', async (_what, changes) => {
    const answer = replay(changes);
    await expect(answer).rejects.toThrow(RecordError);
    await expect(answer).rejects.toThrow('attempt 1 is parsed differently now');
  });
});
