// Memoized results are reused for the same key, and dropped after others were used.
import { describe, expect, it } from '@jest/globals';
import { memoize } from '../../prompts/text.ts';

describe('memoize', () => {
  it('makes an output once for a key, and forgets the key that was not used for longest', () => {
    const made: string[] = [];
    const upper = memoize(
      2,
      (text: string) => text,
      (text) => {
        made.push(text);
        return text.toUpperCase();
      },
    );
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });
});
