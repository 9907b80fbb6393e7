// Tests the count of tokens that a prefix cache serves: the part shared with the prompt of a finished call, in whole
// steps.
import { describe, expect, it } from '@jest/globals';
import { openPrefixCache, usualCache } from '../../models/prefix-cache.ts';

/** A prompt with the given number of tokens of one letter, followed by some of another. */
const prompt = (first: number, letter = 'u', second = 0) => 's'.repeat(4 * first) + letter.repeat(4 * second);

/**
 * Returns how many characters of the last prompt the cache serves, if each prompt is sent after the previous call has
 * ended.
 */
function serveLast(...prompts: string[]): number {
  const cache = openPrefixCache();
  const served = prompts.map((text) => {
    const call = cache.begin(text);
    call.end();
    return call.served;
  });
  return served.at(-1)!;
}

describe('a cache serves', () => {
  it.each([
    ['nothing of the first prompt', [prompt(2000)], 0],
    ['what a prompt shares with any before it', [prompt(1500, 'u', 500), prompt(1500, 'v', 500)], 1408],
    ['the nearest of several', [prompt(1500, 'u', 500), prompt(1500, 'v', 500), prompt(1500, 'v', 500)], 1920],
    ['nothing below its shortest prefix', [prompt(1023, 'u', 900), prompt(1023, 'v', 900)], 0],
    ['the shortest prefix', [prompt(1024, 'u', 900), prompt(1024, 'v', 900)], 1024],
    ['whole steps', [prompt(1151, 'u', 900), prompt(1151, 'v', 900)], 1024],
    ['nothing behind the first difference', [prompt(0, 'a', 2000), prompt(0, 'b', 2000)], 0],
  ])('%s', (_, prompts, tokens) => {
    expect(serveLast(...prompts)).toBe(4 * tokens);
  });

  it('nothing of a call that is still under way', () => {
    const cache = openPrefixCache();
    const first = cache.begin(prompt(2000));
    expect(cache.begin(prompt(2000)).served).toBe(0);
    first.end();
    expect(cache.begin(prompt(2000)).served).toBe(4 * 1920);
  });

  it('by the steps and the shortest prefix of its provider', () => {
    const cache = openPrefixCache({ ...usualCache, least: 20, step: 10 });
    cache.begin(prompt(29)).end();
    expect(cache.begin(prompt(29)).served).toBe(4 * 20);
  });
});
