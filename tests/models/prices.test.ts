// What tokens cost.
import { describe, expect, it } from '@jest/globals';
import { costOf, priceOf } from '../../models/providers/prices.ts';

describe('the price of a model', () => {
  it.each([
    ['openai', 'gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai', 'gpt-4.1-mini-2025-04-14', 'gpt-4.1-mini'],
    ['vertexai', 'gemini-2.0-flash-001', 'gemini-2.0-flash'],
  ])('of %s:%s is that of its family', (provider, dated, family) => {
    expect(priceOf(provider, dated)).toEqual(priceOf(provider, family));
    expect(priceOf(provider, dated)!.in).toBeGreaterThan(0);
  });

  it('of a revision that costs differently is its own', () => {
    expect(priceOf('openai', 'gpt-4o-2024-05-13')).toEqual({ in: 5, out: 15 });
  });

  it.each([
    ['openai', 'gpt-4o-audio-preview'],
    ['openai', 'gemini-2.5-pro'],
    ['openai', 'constructor'],
    ['nobody', 'gpt-4o'],
  ])('of %s:%s is not known', (provider, model) => {
    expect(priceOf(provider, model)).toBeNull();
  });
});

describe('the cost of a call', () => {
  const tokens = { in: 1_000_000, out: 100_000, cached: null, reasoning: null };

  it('is that of its tokens', () => {
    expect(costOf(tokens, { in: 2, out: 10, cached: 0.5 })).toBe(3);
  });

  it('counts cached tokens at their own price, and at the full one where there is none', () => {
    expect(costOf({ ...tokens, cached: 400_000 }, { in: 2, out: 10, cached: 0.5 })).toBeCloseTo(1.2 + 0.2 + 1, 10);
    expect(costOf({ ...tokens, cached: 400_000 }, { in: 2, out: 10 })).toBe(3);
  });

  it('is nothing where the price is zero, else unknown where price or tokens are', () => {
    expect(costOf(tokens, { in: 0, out: 0 })).toBe(0);
    expect(costOf(tokens, null)).toBeNull();
    expect(costOf(null, { in: 0, out: 0 })).toBe(0);
    expect(costOf(null, { in: 1, out: 1 })).toBeNull();
  });
});
