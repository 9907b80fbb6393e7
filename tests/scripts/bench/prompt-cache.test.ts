// What a provider's prompt cache would serve, on prompts made by hand.
import { describe, expect, it } from '@jest/globals';
import { cacheCounts, inAll, servedOf, sharedPrefix, type SentPrompt } from '../../../scripts/bench/prompt-cache.ts';

/** 1,500 tokens of system text and 500 of the player's. `at`: when it is sent; it is answered 10 later. */
const prompt = (action: string, at: number, { system = 's', user = 'u' } = {}): SentPrompt => ({
  action,
  messages: [
    { role: 'system', content: system.repeat(6000) },
    { role: 'user', content: user.repeat(2000) },
  ],
  sentAt: at,
  answeredAt: at + 10,
});

/** Roles and line ends stand in a prompt too: "system\n…\nuser\n…\n". */
const wholeTokens = Math.ceil((6000 + 2000 + 'system\n\nuser\n\n'.length) / 4);

describe('a shared prefix', () => {
  it.each([
    ['', 'abc', 0],
    ['abc', 'abd', 2],
    ['abc', 'abcdef', 3],
    ['xbc', 'abc', 0],
  ])('of %j and %j has the length %j', (one, other, length) => {
    expect(sharedPrefix(one, other)).toBe(length);
  });

  it.each([
    [1023, 0],
    [1024, 1024],
    [1151, 1024],
    [1152, 1152],
    [1300, 1280],
  ])('of %j tokens is served with %j', (tokens, served) => {
    expect(servedOf(tokens * 4)).toBe(served);
    expect(servedOf(tokens * 4 + 3)).toBe(served);
  });
});

describe('a prompt', () => {
  it('is not served where nothing was sent before', () => {
    expect(cacheCounts([prompt('bid', 0)]).get('bid')).toEqual({ prompts: 1, tokens: wholeTokens, cached: 0 });
  });

  it('is served what it shares with any that was answered before', () => {
    const counts = cacheCounts([prompt('bid', 0), prompt('vote', 10, { user: 'v' }), prompt('debate', 20)]);
    expect(counts.get('vote')!.cached).toBe(1408); // 11 × 128 of the 1,500 tokens of system text
    expect(counts.get('debate')!.cached).toBe(1920); // 15 × 128 of all
  });

  it('is not served by one that is still under way', () => {
    expect(cacheCounts([prompt('bid', 0), prompt('bid', 9)]).get('bid')!.cached).toBe(0);
  });

  it('is not served what it shares after the first difference', () => {
    expect(cacheCounts([prompt('bid', 0), prompt('bid', 10, { system: 'r' })]).get('bid')!.cached).toBe(0);
  });

  it('is counted with its action, and with all', () => {
    const counts = cacheCounts([prompt('bid', 0), prompt('bid', 10), prompt('vote', 20)]);
    expect(counts.get('bid')).toEqual({ prompts: 2, tokens: 2 * wholeTokens, cached: 1920 });
    expect(inAll(counts.values())).toEqual({ prompts: 3, tokens: 3 * wholeTokens, cached: 3840 });
  });
});
