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

/** USD per million tokens of input, of output and of cached input, where it has a price of its own, as the vendors listed them on 2026-11-20. */
const listed: [provider: string, model: string, input: number, output: number, cached: number | null][] = [
  ['openai', 'gpt-4o', 2.5, 10, 1.25],
  ['openai', 'gpt-4o-2024-05-13', 5, 15, null],
  ['openai', 'gpt-4o-mini', 0.15, 0.6, 0.075],
  ['openai', 'gpt-4.1', 2, 8, 0.5],
  ['openai', 'gpt-4.1-mini', 0.4, 1.6, 0.1],
  ['openai', 'gpt-4.1-nano', 0.1, 0.4, 0.025],
  ['openai', 'gpt-5', 1.25, 10, 0.125],
  ['openai', 'gpt-5-chat-latest', 1.25, 10, 0.125],
  ['openai', 'gpt-5-mini', 0.25, 2, 0.025],
  ['openai', 'gpt-5-nano', 0.05, 0.4, 0.005],
  ['openai', 'gpt-5.1', 1.25, 10, 0.125],
  ['openai', 'gpt-5.2', 1.75, 14, 0.175],
  ['openai', 'o1', 15, 60, 7.5],
  ['openai', 'o3', 2, 8, 0.5],
  ['openai', 'o3-mini', 1.1, 4.4, 0.55],
  ['openai', 'o4-mini', 1.1, 4.4, 0.275],
  ['vertexai', 'gemini-2.0-flash', 0.15, 0.6, null],
  ['vertexai', 'gemini-2.0-flash-lite', 0.075, 0.3, null],
  ['vertexai', 'gemini-2.5-pro', 1.25, 10, 0.125],
  ['vertexai', 'gemini-2.5-flash', 0.3, 2.5, 0.03],
  ['vertexai', 'gemini-2.5-flash-lite', 0.1, 0.4, 0.01],
];

describe('a call with the listed price', () => {
  it.each(listed)('of %s:%s costs $%d a million tokens in and $%d out', (provider, model, input, output, cached) => {
    const price = priceOf(provider, model);
    const million = (tokens: object) => costOf({ in: 0, out: 0, cached: null, reasoning: null, ...tokens }, price);
    expect(million({ in: 1e6 })).toBeCloseTo(input, 10);
    expect(million({ out: 1e6 })).toBeCloseTo(output, 10);
    expect(million({ in: 1e6, cached: 1e6 })).toBeCloseTo(cached ?? input, 10);
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
