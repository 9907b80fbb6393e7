// Answers of any kind: none takes long, none throws, and each reads alike when it is read again.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAnswer } from '../../models/read-answer.ts';
import { peerAnalysis } from '../../prompts/analysis.ts';
import { bid } from '../../prompts/bid.ts';
import { debate } from '../../prompts/debate.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { draw } from '../../state/draw.ts';
import { view } from '../../state/view.ts';
import { gameAt } from '../game.ts';

const seen = view(gameAt(), 'Sam');
const forBid: AnyPrompt = bid.put(seen, draw(1), undefined);
const forStatement: AnyPrompt = debate.put(seen, draw(1), undefined);
const forOther: AnyPrompt = peerAnalysis.put(seen, draw(1), { id: '1.1', by: 'Dan', text: 'Hm.' });

describe('an answer of any kind', () => {
  const million = 1_000_000;

  it.each([
    ['a megabyte of words', 'word '.repeat(million / 5)],
    ['a megabyte of JSON', JSON.stringify({ bid: 3, reasoning: 'x'.repeat(million) })],
    ['a megabyte of one brace', '{'.repeat(million)],
    ['a megabyte of one bracket', '['.repeat(million)],
    ['a megabyte of thoughts that never end', '<think>'.repeat(million / 7)],
    ['a megabyte of fences', '```'.repeat(million / 3)],
    ['a megabyte of backslashes', `{"bid":"${'\\'.repeat(million)}`],
    ['a number without end, in quotes', `{"bid": "${'1'.repeat(200_000)}x"}`],
    ['quotes without end', `{${"'".repeat(200_000)}`],
    ['keys without colons', `{"a" ${'"a" '.repeat(50_000)}`],
    ['deeply nested objects', '{"a":'.repeat(30_000)],
    ['deeply nested lists that are closed', `{"bid":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('is dealt with in a moment: %s', (_what, raw) => {
    const before = performance.now();
    const reading = readAnswer(raw, forBid);
    expect(performance.now() - before).toBeLessThan(1500);
    expect(['answer', 'error']).toContain(Object.keys(reading)[0]);
  });

  it('never throws, and never gives what the prompt does not allow', () => {
    const parts = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '```', '<think>', '</think>', 'bid', 'null', '7', '\\'),
      fc.json(),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
        const reading = readAnswer(all.join(''), forBid);
        if ('answer' in reading) expect(forBid.answer.safeParse(reading.answer).success).toBe(true);
        else expect('error' in reading || 'refusal' in reading).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is read alike when it is read again', () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double().filter((number) => !Object.is(number, -0)),
    );
    fc.assert(
      fc.property(fc.record({ reasoning: fc.string(), suspicion: numbers, confidence: numbers }), (fields) => {
        const raw = JSON.stringify({ ...fields, deceptive: true, type: 'none' }).replace('}', ', "p_werewolf": -0.0}');
        const once = readAnswer(raw, forOther);
        expect(JSON.parse(JSON.stringify(once))).toStrictEqual(once);
      }),
    );
  });

  it('has no half of a character, which servers refuse in the prompts of all others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (statement) => {
        const raw = `{"statement": "Hello \\ud83d there \\udc3a ${JSON.stringify(statement).slice(1, -1)}"}`;
        expect(JSON.stringify(readAnswer(raw, forStatement))).not.toMatch(/\\ud[89a-f]/i);
      }),
    );
  });
});
