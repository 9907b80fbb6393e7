// Tokens that a match sends: a cache serves most of them, they are no more than without families of prompts, and they
// cost less.
import { expect, it } from '@jest/globals';
import { countPromptTokens, tokensBefore, uncachedTarget } from '../../tools/bench/prompt-tokens.ts';

/** Tokens in thousands. Under `arena@1` players see their own thoughts again, which costs uncached tokens. */
it.each([
  { rules: 'arena', calls: 464, uncached: uncachedTarget / 1000 },
  { rules: 'wolf', calls: 324, uncached: uncachedTarget / 1000 },
  { rules: 'arena@1', calls: 464, uncached: 158 },
  { rules: 'wolf@1', calls: 309, uncached: 110 },
])('a match of $rules has no more prompt tokens than before, $uncached k of them uncached', async (figures) => {
  const before = tokensBefore[figures.rules]!;
  const rule = figures.rules.startsWith('arena') ? { analysis: 'both' } : {};
  const { calls, tokens, uncached, cost } = await countPromptTokens({ rules: figures.rules, rule }, 'openai:gpt-5.1');
  expect(calls).toBe(figures.calls);
  expect(tokens).toBeLessThanOrEqual(before.tokens);
  expect(cost).toBeLessThan(0.8 * before.cost['OpenAI']!);
  expect(uncached).toBeLessThanOrEqual(1000 * figures.uncached);
});
