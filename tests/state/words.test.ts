// What models write: one line of visible characters; where a text is cut, and that it says so.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt, firstBytes, oneLine } from '../../state/words.ts';

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

  it('without spaces is cut too, after twelve bytes a word', () => {
    expect(cutAt('x'.repeat(37), 3)).toEqual({ text: `${'x'.repeat(36)} …`, cut: true });
    expect(cutAt('x'.repeat(36), 3)).toEqual({ text: 'x'.repeat(36), cut: false });
    expect(cutAt('猫'.repeat(13), 3)).toEqual({ text: `${'猫'.repeat(12)} …`, cut: true });
  });

  // Of 33 words in English.
  it.each([
    [
      'English',
      'I trust Dan and his story, but what Ginger told us this morning about the Doctor cannot be true, because nobody but a Werewolf could have known it before the moderator said so.',
    ],
    [
      'German',
      'Ich vertraue Dan und seiner Geschichte, aber was Ginger uns heute Morgen über den Doktor erzählt hat, kann nicht stimmen, weil das niemand als ein Werwolf vor der Bekanntgabe wissen konnte.',
    ],
    [
      'Finnish',
      'Luotan Daniin ja hänen kertomukseensa, mutta se, mitä Ginger kertoi meille tänä aamuna lääkäristä, ei voi pitää paikkaansa, koska vain ihmissusi saattoi tietää sen ennen pelinjohtajan ilmoitusta.',
    ],
    [
      'Russian',
      'Я верю Дэну и его рассказу, но то, что Джинджер сказала нам сегодня утром о докторе, не может быть правдой, потому что до объявления ведущего об этом мог знать только оборотень.',
    ],
    [
      'Chinese',
      '我相信丹和他的说法，但是金杰今天早上告诉我们的关于医生的事情不可能是真的，因为在主持人宣布之前，只有狼人才可能知道这件事。',
    ],
    [
      'Japanese',
      '私はダンと彼の話を信じますが、ジンジャーが今朝医者について話したことは本当のはずがありません。司会が発表する前にそれを知ることができたのは人狼だけだからです。',
    ],
  ])('is left alone in %s where it has the usual length', (_language, text) => {
    expect(cutAt(text, 33)).toEqual({ text, cut: false });
  });

  it('takes as much room at most in every script', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('ä', 'ж', '猫', '🐺', 'x'), maxLength: 400 }), (text) => {
        const kept = firstBytes(text, 120);
        expect(text.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(120);
        expect(kept === text || Buffer.byteLength(kept) > 116).toBe(true);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
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
        expect(kept.length).toBeLessThanOrEqual(words * 12);
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
