// Tokens that a match sends: few that no cache serves, and at a lower cost than prompts without families.
import { expect, it } from '@jest/globals';
import { countPromptTokens } from '../../../tools/bench/prompt-tokens.ts';

/**
 * Tokens in thousands. `before`: USD of a match with the prompts of commit 37be2263 and a schema for each question, at
 * the price of gpt-5.1.
 */
it.each([
  { rules: 'arena', calls: 464, all: 690, uncached: 95, before: 0.81 },
  { rules: 'wolf', calls: 324, all: 830, uncached: 130, before: 0.85 },
  { rules: 'arena@1', calls: 464, all: 833, uncached: 130, before: 0.83 },
  { rules: 'wolf@1', calls: 309, all: 652, uncached: 114, before: 0.77 },
])('a match of $rules has at most $all k prompt tokens, $uncached k of them uncached', async (figures) => {
  const rule = figures.rules.startsWith('arena') ? { analysis: 'both' } : {};
  const { calls, tokens, uncached, cost } = await countPromptTokens({ rules: figures.rules, rule }, 'openai:gpt-5.1');
  expect(calls).toBe(figures.calls);
  expect(tokens).toBeLessThanOrEqual(1000 * figures.all);
  expect(cost).toBeLessThan(0.8 * figures.before);
  expect(uncached).toBeLessThanOrEqual(1000 * figures.uncached);
});
