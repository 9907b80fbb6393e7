// Prices that became known only after the calls.
import { describe, expect, it } from '@jest/globals';
import {
  listKnownPrices,
  computeKnownCosts,
  readPriceOption,
  type PricedManifest,
} from '../../scripts/report/known-prices.ts';
import type { AnswerLine, Price } from '../../state/record.ts';

const begin = (
  at: string,
  prices: Record<string, Price | null>,
  addresses?: Record<string, string>,
): PricedManifest => ({
  made_by: { prices, created_at: at, ...(addresses && { addresses }) },
});

const answer = (model: string, tokens: AnswerLine['tokens'], cost: number | null) =>
  ({ model, tokens, cost }) as AnswerLine;
const count = (tokensIn: number, out: number, cached: number | null = null) => ({ in: tokensIn, out, cached, reasoning: null }); // prettier-ignore

describe('prices of a study', () => {
  it('are those of the match begun last that had one, for models that others were begun without', () => {
    const known = listKnownPrices([
      begin('2026-01-01', { 'openai:x': null, 'openai:y': { in: 1, out: 1 } }, { 'openai:x': 'http://localhost' }),
      begin('2026-01-03', { 'openai:x': { in: 2, out: 4 } }),
      begin('2026-01-02', { 'openai:x': { in: 1, out: 2 } }),
    ]);
    expect(known).toEqual({ 'openai:x': { in: 2, out: 4 } });
  });

  it('are those listed today only for models that were called at their provider’s own address', () => {
    const listed = { 'openai:gpt-4o-mini': null };
    expect(listKnownPrices([begin('2026-01-01', listed, {})])).toEqual({ 'openai:gpt-4o-mini': { in: 0.15, out: 0.6, cached: 0.075 } }); // prettier-ignore
    expect(listKnownPrices([begin('2026-01-01', listed, { 'openai:gpt-4o-mini': 'http://localhost:1/v1' })])).toEqual(
      {},
    );
    expect(listKnownPrices([begin('2026-01-01', listed)])).toEqual({}); // a record without addresses
  });
});

describe('recorded tokens', () => {
  const million = (usd: number) => usd / 1e6;

  it('are priced by what is known, and calls that were priced keep their cost', () => {
    const priced = computeKnownCosts(
      [
        answer('openai:x', count(100, 10), null),
        answer('openai:x', count(100, 10), 5),
        answer('openai:x', null, null),
        answer('openai:y', count(1, 1), null),
      ],
      { 'openai:x': { in: 2, out: 4 } },
    );
    expect(priced.map(({ cost }) => cost)).toEqual([million(240), 5, null, null]);
  });

  it('are priced by calls of the same match that were made once the price was given', () => {
    const paid = [[100, 10], [350, 20], [90, 45]].map(([tokensIn = 0, out = 0]) => answer('openai:x', count(tokensIn, out), million(3 * tokensIn + 9 * out))); // prettier-ignore
    const [first] = computeKnownCosts([answer('openai:x', count(1000, 100), null), ...paid], {});
    expect(first?.cost).toBeCloseTo(million(3900), 12);
    const [, second, third] = paid;
    const unequal = [
      answer('openai:x', count(1000, 100), null),
      answer('openai:x', count(100, 10), 1),
      second!,
      third!,
    ];
    expect(computeKnownCosts(unequal, {})[0]?.cost).toBeNull(); // no pair of prices explains these
  });

  it('are priced by hand', () => {
    expect(readPriceOption('openai:m?effort=low=.15,.6')).toEqual({ 'openai:m?effort=low': { in: 0.15, out: 0.6 } });
    for (const text of ['openai:m', 'openai:m=1', '=1,2', 'openai:m=a,b', 'openai:m=1,2,3'])
      expect(() => readPriceOption(text)).toThrow('MODEL=IN,OUT');
  });
});
