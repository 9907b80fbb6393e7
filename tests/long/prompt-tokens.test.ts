// Prompt tokens of a match: at most those of before prompts formed families, and few that no cache serves.
import { expect, it } from '@jest/globals';
import { countPromptTokens, tokensBefore, uncachedTarget } from '../../tools/bench/prompt-tokens.ts';

it.each(Object.entries(tokensBefore))('%s sends no more than before', async (rules, before) => {
  const rule = rules.startsWith('arena') ? { analysis: 'both' } : {};
  const { tokens, uncached } = await countPromptTokens({ rules, rule }, 'openai:gpt-5.1');
  expect(tokens).toBeLessThanOrEqual(before.tokens);
  expect(uncached).toBeLessThan(before.uncached / 2);
  // Under arena@1 players see their own thoughts again, at a cost of its own.
  if (rules !== 'arena@1') expect(uncached).toBeLessThanOrEqual(uncachedTarget);
});
