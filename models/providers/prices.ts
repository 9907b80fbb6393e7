// The prices of tokens, and the cost of a call.
import type { AnswerLine, Price } from '../../state/record.ts';

/**
 * USD per million tokens, standard tier, prompts up to 200,000 tokens. As of 2026-11-20, from the lists of the vendors
 * (openai.com/api/pricing, cloud.google.com/vertex-ai/generative-ai/pricing) as collected at llm-prices.com; where they
 * state no price for cached input, there is none here. For other models the price is given in the model string.
 */
const table: Readonly<Record<string, Readonly<Record<string, Price>>>> = {
  openai: {
    'gpt-4o': { in: 2.5, out: 10, cached: 1.25 },
    'gpt-4o-2024-05-13': { in: 5, out: 15 },
    'gpt-4o-mini': { in: 0.15, out: 0.6, cached: 0.075 },
    'gpt-4.1': { in: 2, out: 8, cached: 0.5 },
    'gpt-4.1-mini': { in: 0.4, out: 1.6, cached: 0.1 },
    'gpt-4.1-nano': { in: 0.1, out: 0.4, cached: 0.025 },
    'gpt-5': { in: 1.25, out: 10, cached: 0.125 },
    'gpt-5-chat-latest': { in: 1.25, out: 10, cached: 0.125 },
    'gpt-5-mini': { in: 0.25, out: 2, cached: 0.025 },
    'gpt-5-nano': { in: 0.05, out: 0.4, cached: 0.005 },
    'gpt-5.1': { in: 1.25, out: 10, cached: 0.125 },
    'gpt-5.2': { in: 1.75, out: 14, cached: 0.175 },
    o1: { in: 15, out: 60, cached: 7.5 },
    o3: { in: 2, out: 8, cached: 0.5 },
    'o3-mini': { in: 1.1, out: 4.4, cached: 0.55 },
    'o4-mini': { in: 1.1, out: 4.4, cached: 0.275 },
  },
  vertexai: {
    'gemini-2.0-flash': { in: 0.15, out: 0.6 },
    'gemini-2.0-flash-lite': { in: 0.075, out: 0.3 },
    'gemini-2.5-pro': { in: 1.25, out: 10, cached: 0.125 },
    'gemini-2.5-flash': { in: 0.3, out: 2.5, cached: 0.03 },
    'gemini-2.5-flash-lite': { in: 0.1, out: 0.4, cached: 0.01 },
  },
};

/** The date at the end of OpenAI's names, or the revision at the end of Gemini's. */
const revision = /-(\d{4}-\d{2}-\d{2}|0\d\d)$/;

/**
 * The price of a provider's model, in USD per million tokens; a dated name costs what its family does. Null where it is
 * not known.
 *
 * @example findPrice('openai', 'gpt-4o-2024-08-06'); // { in: 2.5, out: 10, cached: 1.25 }
 */
export function findPrice(provider: string, model: string): Price | null {
  const prices = new Map(Object.entries(table[provider] ?? {}));
  return prices.get(model) ?? prices.get(model.replace(revision, '')) ?? null;
}

/** USD that a call may have cost by estimated tokens; 0 where the price is not known. */
export const estimateCost = (tokensIn: number, tokensOut: number, price: Price | null): number =>
  computeCost({ in: tokensIn, out: tokensOut, cached: null, reasoning: null }, price) ?? 0;

/**
 * The cost of a call in USD. Cached input costs its own price where there is one. What is free costs 0, otherwise the
 * cost is null where tokens or price are not known.
 */
export function computeCost(tokens: AnswerLine['tokens'], price: Price | null): number | null {
  if (price?.in === 0 && price.out === 0) return 0;
  if (tokens === null || price === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.in);
  const million = (tokens.in - cached) * price.in + cached * (price.cached ?? price.in) + tokens.out * price.out;
  return million / 1e6;
}
