// Tokens that a match sends: never more than before there were families, and few outside a cache.
import { expect, it } from '@jest/globals';
import { countPromptTokens } from '../../../tools/bench/prompt-tokens.ts';

/** `before`: all prompt tokens in the order of commit 37be2263, with a schema for each question. Counted in thousands. */
it.each([
  { rules: 'arena', calls: 464, before: 642, uncached: 130 },
  { rules: 'wolf', calls: 324, before: 813, uncached: 146 },
  { rules: 'arena@1', calls: 464, before: 787, uncached: 156 },
  { rules: 'wolf@1', calls: 309, before: 642, uncached: 130 },
])('a match of $rules has at most $before k prompt tokens, $uncached k of them uncached', async (figures) => {
  const rule = figures.rules.startsWith('arena') ? { analysis: 'both' } : {};
  const { calls, tokens, uncached } = await countPromptTokens({ rules: figures.rules, rule }, 'openai:gpt-5.1');
  expect(calls).toBe(figures.calls);
  expect(tokens).toBeLessThanOrEqual(1000 * figures.before);
  expect(uncached).toBeLessThanOrEqual(1000 * figures.uncached);
});
