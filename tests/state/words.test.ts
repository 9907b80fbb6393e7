// Limits for what models write: where a text is cut, and that it says so.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../state/words.ts';

describe('a text', () => {
  it.each([
    ['of fewer words', 'one two', 3],
    ['of just as many words', 'one two three', 3],
    ['without a word', '', 3],
    ['of one long word', 'Donaudampfschiffahrtsgesellschaft', 3],
  ])('%s is left alone', (_what, text, words) => {
    expect(cutAt(text, words)).toEqual({ text, cut: false });
  });

  it('of more words is cut, and ends in an ellipsis', () => {
    expect(cutAt('one two three four', 3)).toEqual({ text: 'one two three …', cut: true });
  });

  it('without spaces is cut too, after twenty characters a word', () => {
    expect(cutAt('x'.repeat(61), 3)).toEqual({ text: `${'x'.repeat(60)} …`, cut: true });
    expect(cutAt('x'.repeat(60), 3)).toEqual({ text: 'x'.repeat(60), cut: false });
  });

  it('is never cut in the middle of a character', () => {
    expect(cutAt(`a${'🐺'.repeat(50)}`, 3).text.isWellFormed()).toBe(true);
    expect(cutAt('🐺'.repeat(50), 3).text.isWellFormed()).toBe(true);
  });

  it('never has more words or characters than are allowed, and begins as it did', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), fc.integer({ min: 1, max: 40 }), (whole, words) => {
        const { text, cut } = cutAt(whole, words);
        const kept = cut ? text.slice(0, -' …'.length) : text;
        expect(whole.startsWith(kept)).toBe(true);
        expect(kept.split(' ').length).toBeLessThanOrEqual(words);
        expect(kept.length).toBeLessThanOrEqual(words * 20);
        expect(cut).toBe(kept !== whole);
      }),
    );
  });
});
