// Texts of models become one line of visible characters and are cut at a limit; keyed draws can be repeated.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expectVisible, splitLines } from '../hostile/lines.ts';
import { draw } from '../../state/random.ts';
import { escapeHidden, flattenToOneLine, quoteForShell, truncateBytes, truncateWords } from '../../state/text.ts';

describe('a text', () => {
  it.each([
    ['of fewer words', 'one two', 3],
    ['of just as many words', 'one two three', 3],
    ['without a word', '', 3],
    ['of one long word', 'Donaudampfschiffahrtsgesellschaft', 3],
  ])('%s is left alone', (_what, text, words) => {
    expect(truncateWords(text, words)).toEqual({ text, cut: false });
  });

  it('of more words is cut, and ends in an ellipsis', () => {
    expect(truncateWords('one two three four', 3)).toEqual({ text: 'one two three …', cut: true });
  });

  it('without spaces is cut too, after twelve bytes a word', () => {
    expect(truncateWords('x'.repeat(37), 3)).toEqual({ text: `${'x'.repeat(36)} …`, cut: true });
    expect(truncateWords('x'.repeat(36), 3)).toEqual({ text: 'x'.repeat(36), cut: false });
    expect(truncateWords('猫'.repeat(13), 3)).toEqual({ text: `${'猫'.repeat(12)} …`, cut: true });
  });

  // Texts of 33 English words.
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
    expect(truncateWords(text, 33)).toEqual({ text, cut: false });
  });

  it('takes as much room at most in every script', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('ä', 'ж', '猫', '🐺', 'x'), maxLength: 400 }), (text) => {
        const kept = truncateBytes(text, 120);
        expect(text.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(120);
        expect(kept === text || Buffer.byteLength(kept) > 116).toBe(true);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });

  it('is never cut in the middle of a character', () => {
    expect(truncateWords(`a${'🐺'.repeat(50)}`, 3).text.isWellFormed()).toBe(true);
    expect(truncateWords('🐺'.repeat(50), 3).text.isWellFormed()).toBe(true);
  });

  it('never has more words or characters than are allowed, and begins as it did', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), fc.integer({ min: 1, max: 40 }), (whole, words) => {
        const { text, cut } = truncateWords(whole, words);
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
    expect(flattenToOneLine(text)).toBe(line);
  });
});

describe('a text of lines with escapes', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });

  it('is one that can be seen, of as many lines', () => {
    const isSeen = fc.property(anyText, (text) => {
      const lines = splitLines(escapeHidden(text));
      expect(lines).toHaveLength(text.split('\n').length);
      lines.forEach(expectVisible);
    });
    fc.assert(isSeen, { seed: 1 });
    expect(escapeHidden('gpt\u001b[31m\r\u009b\u202e\u2028')).toBe('gpt\\u001b[31m\\u000d\\u009b\\u202e\\u2028');
  });

  it('means the same as JSON', () => {
    const isSame = fc.property(anyText, (text) => {
      expect(JSON.parse(escapeHidden(JSON.stringify(text)))).toBe(text);
    });
    fc.assert(isSame, { seed: 1 });
  });

  it('leaves alone what can be seen', () => {
    for (const text of ['Grüße, 你好, 👍🏽 ❤️', 'a\n  b', 'é ﬁ']) expect(escapeHidden(text)).toBe(text);
  });
});

describe('a word of a command', () => {
  it.each([
    ['openai:gpt-4o', 'openai:gpt-4o'],
    ['openai:j?baseUrl=http://a/v1&temperature=0', "'openai:j?baseUrl=http://a/v1&temperature=0'"],
    ['my runs', "'my runs'"],
    ["it's", "'it'\\''s'"],
    ['', "''"],
  ])('is quoted where a shell would read it otherwise: %s', (text, quoted) => {
    expect(quoteForShell(text)).toBe(quoted);
  });
});

// Keyed draws.

const many = 20_000;
const counts = (values: readonly (string | number)[]) =>
  [...Map.groupBy(values, (value) => value).values()].map((same) => same.length);

describe('a draw', () => {
  it('is the same for the same seed and key', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.oneof(fc.string(), fc.integer())), (seed, key) => {
        const [one, other] = [draw(seed, ...key), draw(seed, ...key)];
        const some = (drawn: typeof one) => [drawn.integer(1000), drawn.fraction(), drawn.shuffle([1, 2, 3, 4, 5])];
        expect(some(one)).toEqual(some(other));
      }),
    );
  });

  it('does not depend on what was drawn before under another key', () => {
    const alone = draw(1, 'tie', 2).integer(1e6);
    draw(1, 'seats').shuffle([1, 2, 3]);
    expect(draw(1, 'tie', 2).integer(1e6)).toBe(alone);
  });

  it.each([
    ['another seed', draw(2, 'tie', 1)],
    ['another word', draw(1, 'pick', 1)],
    ['another number', draw(1, 'tie', 2)],
    ['a number as text', draw(1, 'tie', '1')],
    ['the same text cut elsewhere', draw(1, 'ti', 'e1')],
    ['one more part', draw(1, 'tie', 1, 0)],
  ])('is another one for %s', (_what, other) => {
    expect(other.integer(1e9)).not.toBe(draw(1, 'tie', 1).integer(1e9));
  });

  it('goes on from call to call', () => {
    const one = draw(1, 'x');
    expect(new Set(Array.from({ length: 100 }, () => one.integer(1e9))).size).toBe(100);
  });

  it('gives every number below the bound equally often, over keys and over calls', () => {
    const overKeys = Array.from({ length: many }, (_, key) => draw(1, key).integer(8));
    const one = draw(1, 'calls');
    const overCalls = Array.from({ length: many }, () => one.integer(8));
    for (const drawn of [overKeys, overCalls]) {
      expect(Math.min(...drawn)).toBe(0);
      expect(Math.max(...drawn)).toBe(7);
      for (const count of counts(drawn)) expect(count / many).toBeCloseTo(1 / 8, 1.7);
    }
  });

  it('shows no pattern between neighbouring keys', () => {
    const pairs = Array.from({ length: many }, (_, key) => `${draw(1, key).integer(3)}${draw(1, key + 1).integer(3)}`);
    const found = counts(pairs);
    expect(found).toHaveLength(9);
    for (const count of found) expect(count / many).toBeCloseTo(1 / 9, 1.7);
  });

  it('draws fractions from 0 up to but not 1', () => {
    const one = draw(3);
    const fractions = Array.from({ length: many }, () => one.fraction());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(fractions.reduce((sum, fraction) => sum + fraction) / many).toBeCloseTo(0.5, 1.7);
  });

  it('picks one of the items', () => {
    expect(draw(1).pick(['only'])).toBe('only');
    const picked = Array.from({ length: many }, (_, key) => draw(4, key).pick(['a', 'b', 'c']));
    for (const count of counts(picked)) expect(count / many).toBeCloseTo(1 / 3, 1.7);
  });

  it('has nothing to pick from nothing', () => {
    expect(() => draw(1, 'tie', 2).pick([])).toThrow(new RangeError('The random draw ["tie",2] has no options.'));
  });

  it('shuffles into every order equally often and leaves the items alone', () => {
    const items = [1, 2, 3];
    const orders = Array.from({ length: many }, (_, key) => draw(5, key).shuffle(items).join(''));
    expect(items).toEqual([1, 2, 3]);
    expect(new Set(orders).size).toBe(6);
    for (const count of counts(orders)) expect(count / many).toBeCloseTo(1 / 6, 1.7);
  });
});
