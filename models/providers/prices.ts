// The price of a model, and the cost of a call.
import type { AnswerLine, Price } from '../../state/record.ts';
import { estimateTokens } from '../context-trimming.ts';
import { priceTable } from './price-table.ts';

/** Suffix of a model's name: the date in OpenAI's and Anthropic's names, the revision in Gemini's, or `latest`. */
const revision = /-(\d{4}-\d{2}-\d{2}|20\d{6}|0\d\d|latest)$/;

/**
 * Returns the price of a provider's model, in USD per million tokens; a dated name costs the same as its family. Null
 * if unknown.
 *
 * @example findPrice('openai', 'gpt-4o-2024-08-06'); // { in: 2.5, out: 10, cached: 1.25 }
 */
export function findPrice(provider: string, model: string): Price | null {
  const prices = new Map(Object.entries(priceTable.prices[provider] ?? {}));
  return prices.get(model) ?? prices.get(model.replace(revision, '')) ?? null;
}

/** Estimates the cost of a call in USD from estimated tokens. Returns 0 if the price is unknown. */
export const estimateCost = (tokensIn: number, tokensOut: number, price: Price | null): number =>
  computeCost({ in: tokensIn, out: tokensOut, cached: null, reasoning: null }, price) ?? 0;

/**
 * Returns the cost of a recorded call in USD. If the cost is unknown, returns an upper estimate, because otherwise no
 * cap would ever be reached. `tokensIn`: returns the estimated tokens of the prompt.
 *
 * @example computeAnswerCost(line, { price: model.price, tokensIn: () => estimateMessages(messages) })
 */
export const computeAnswerCost = (
  { cost, raw }: Pick<AnswerLine, 'cost' | 'raw'>,
  { price, tokensIn }: { price: Price | null; tokensIn: () => number },
): number => cost ?? estimateCost(tokensIn(), estimateTokens(raw), price);

/**
 * Returns the cost of a call in USD. Input that is read from or written to a cache has its own price, if there is one.
 * The model's own reasoning is charged as output. A free model costs 0. For other models the cost is null if tokens or
 * price are unknown.
 */
export function computeCost(tokens: AnswerLine['tokens'], price: Price | null): number | null {
  if (price?.in === 0 && price.out === 0) return 0;
  if (tokens === null || price === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.in);
  const written = Math.min(tokens.written ?? 0, tokens.in - cached);
  const million =
    (tokens.in - cached - written) * price.in +
    cached * (price.cached ?? price.in) +
    written * (price.written ?? price.in) +
    tokens.out * price.out;
  return million / 1e6;
}
