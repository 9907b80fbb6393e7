// Faults that were found while writing the tests of the pure floors and the recorder, and are not mended yet.
import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../models/read-answer.ts';
import { jsonSchemaOf, objectOf, reasoning, text } from '../prompts/fields.ts';

const answer = objectOf({ reasoning, statement: text('') });
const forStatement = { answer, schema: jsonSchemaOf(answer) };

describe('reading an answer', () => {
  it.each(['Let me <think> about Dan.', 'He wrote </think> and left.', 'A <thinking> man, that Dan.'])(
    'that is JSON as it stands leaves the tags in its texts alone: %s',
    (statement) => {
      const raw = JSON.stringify({ reasoning: 'Hm.', statement });
      expect(readAnswer(raw, forStatement)).toEqual({ answer: { reasoning: 'Hm.', statement } });
    },
  );

  it.each(['I must decline.', 'I have to decline.', 'I respectfully decline to answer.', 'I refuse to do this.'])(
    'takes a plain refusal for one: %s',
    (raw) => {
      expect(readAnswer(raw, forStatement)).toEqual({ refusal: true });
    },
  );
});
