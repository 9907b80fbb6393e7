// What models write: one line of visible characters; where a text is cut, and that it says so.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt, oneLine } from '../../state/words.ts';

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

describe('a line', () => {
  it.each([
    ['breaks of lines', 'a\r\nb\u2028c\u0085d', 'a b c d'],
    ['control characters', 'a\u001b[31mb\u009bc', 'a [31mb c'],
    ['bidirectional controls', 'a\u202eb\u2066c', 'a b c'],
    ['spaces of no width', 'a\u200bb\ufeffc', 'a b c'],
    ['joiners and places to divide a word', 'a\u200db\u00adc', 'abc'],
    ['variants but those of an emoji', 'a\ufe0fb ❤\ufe0f', 'ab ❤\ufe0f'],
    ['blank letters', 'a\u3164b\u2800', 'a b'],
    ['marks that run over the lines around it', `a${'\u0301'.repeat(99)}`, `a${'\u0301'.repeat(8)}`],
    ['a mark on what stands before it', '\u0301 a', 'a'],
    ['halves of characters', 'a\ud83d', 'a\ufffd'],
  ])('has no %s', (_what, text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});
