// Reading the replies of LangChain models.
import { describe, expect, it } from '@jest/globals';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { readReply } from '../../models/reply.ts';

describe('the reply of any LangChain model', () => {
  it('is nothing but its text where the message tells no more', () => {
    expect(readReply(new AIMessageChunk('Hello'))).toEqual({
      text: 'Hello',
      refusal: null,
      tokens: null,
      modelReturned: null,
      systemFingerprint: null,
      finishReason: null,
      providerReasoning: undefined,
      meant: undefined,
    });
  });

  it.each([
    ['thinking', { type: 'thinking', thinking: 'Who was quiet?' }],
    ['reasoning', { type: 'reasoning', reasoning: 'Who was quiet?' }],
    ['a reasoning text', { type: 'reasoning', text: 'Who was quiet?' }],
  ])('keeps %s apart from the text', (_, block) => {
    const { text, providerReasoning } = readReply(
      new AIMessage({ content: [block, { type: 'text', text: 'Gin' }, { type: 'text', text: 'ger' }] }),
    );
    expect({ text, providerReasoning }).toEqual({ text: 'Ginger', providerReasoning: 'Who was quiet?' });
  });

  it.each([
    [1e9, 1e9],
    [1e9 + 1, null],
    [-1, null],
    [0.5, null],
  ])('with a count of %d tokens is counted as %s', (said, counted) => {
    const usage_metadata = { input_tokens: said, output_tokens: 7, total_tokens: 7 };
    const { tokens } = readReply(Object.assign(new AIMessage(''), { usage_metadata }));
    expect(tokens).toEqual(counted === null ? null : { in: counted, out: 7, cached: null, reasoning: null });
  });

  it('has the text of no picture', () => {
    const picture = { type: 'image_url', image_url: 'data:…' };
    expect(readReply(new AIMessage({ content: [picture] })).text).toBe('');
  });

  it('is refused where the model stopped to refuse', () => {
    const message = new AIMessage({ content: '', response_metadata: { stop_reason: 'refusal' } });
    expect(readReply(message).refusal).toBe("The provider's filter stopped the answer: refusal.");
  });

  it('is not refused where it ended in the usual ways', () => {
    for (const finish_reason of ['stop', 'STOP', 'length', 'MAX_TOKENS', 'tool_calls', 'RECITATION'])
      expect(readReply(new AIMessage({ content: '', response_metadata: { finish_reason } })).refusal).toBeNull();
  });

  it('has no tokens where only one of the two counts is known', () => {
    const message = Object.assign(new AIMessage('Hello'), { usage_metadata: { input_tokens: 3 } });
    expect(readReply(message).tokens).toBeNull();
  });

  it('tells what a bot meant', () => {
    const message = new AIMessage({ content: '{}', additional_kwargs: { meant: { lie: true } } });
    expect(readReply(message).meant).toEqual({ lie: true });
  });
});
