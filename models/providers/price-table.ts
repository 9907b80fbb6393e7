// Prices of models. `npm run prices` regenerates this file from a price list.
import type { Price } from '../../state/record.ts';

export interface PriceTable {
  /** Date of the list, ISO 8601. */
  asOf: string;
  /** Source of the list, in words. */
  source: string;
  /**
   * Provider → model → USD per million tokens, at the standard rate. If long prompts cost more, the price is the price
   * of short prompts.
   */
  prices: Readonly<Record<string, Readonly<Record<string, Price>>>>;
}

export const priceTable: PriceTable = {
  asOf: '2026-11-23',
  source:
    "the vendors' lists as collected at llm-prices.com, in the newest copy there was on that day; what Anthropic charges for writing into its cache is 1.25 times its price of input, as it states",
  prices: {
    anthropic: {
      'claude-3-5-haiku': { in: 0.8, out: 4, cached: 0.08, written: 1 },
      'claude-3-7-sonnet': { in: 3, out: 15, cached: 0.3, written: 3.75 },
      'claude-fable-5': { in: 10, out: 50, cached: 1, written: 12.5 },
      'claude-haiku-4-5': { in: 1, out: 5, cached: 0.1, written: 1.25 },
      'claude-opus-4': { in: 15, out: 75, cached: 1.5, written: 18.75 },
      'claude-opus-4-1': { in: 15, out: 75, cached: 1.5, written: 18.75 },
      'claude-opus-4-5': { in: 5, out: 25, cached: 0.5, written: 6.25 },
      'claude-opus-4-6': { in: 5, out: 25, cached: 0.5, written: 6.25 },
      'claude-opus-4-7': { in: 5, out: 25, cached: 0.5, written: 6.25 },
      'claude-opus-4-8': { in: 5, out: 25, cached: 0.5, written: 6.25 },
      'claude-opus-5': { in: 5, out: 25, cached: 0.5, written: 6.25 },
      'claude-opus-5-5': { in: 4, out: 20, cached: 0.2, written: 5 },
      'claude-sonnet-4': { in: 3, out: 15, cached: 0.3, written: 3.75 },
      'claude-sonnet-4-5': { in: 3, out: 15, cached: 0.3, written: 3.75 },
      'claude-sonnet-5': { in: 2, out: 10, cached: 0.2, written: 2.5 },
    },
    'google-genai': {
      'gemini-2.0-flash': { in: 0.1, out: 0.4 },
      'gemini-2.0-flash-lite': { in: 0.075, out: 0.3 },
      'gemini-2.5-flash': { in: 0.3, out: 2.5, cached: 0.03 },
      'gemini-2.5-flash-lite': { in: 0.1, out: 0.4, cached: 0.01 },
      'gemini-2.5-pro': { in: 1.25, out: 10, cached: 0.125 },
      'gemini-3-flash-preview': { in: 0.5, out: 3 },
      'gemini-3-pro-preview': { in: 2, out: 12 },
      'gemini-3.1-flash-lite-preview': { in: 0.25, out: 1.5, cached: 0.025 },
      'gemini-3.5-flash': { in: 1.5, out: 9, cached: 0.15 },
      'gemini-3.5-flash-lite': { in: 0.3, out: 2.5, cached: 0.03 },
      'gemini-3.6-flash': { in: 1.5, out: 7.5, cached: 0.15 },
    },
    openai: {
      'gpt-4.1': { in: 2, out: 8, cached: 0.5 },
      'gpt-4.1-mini': { in: 0.4, out: 1.6, cached: 0.1 },
      'gpt-4.1-nano': { in: 0.1, out: 0.4, cached: 0.025 },
      'gpt-4o': { in: 2.5, out: 10, cached: 1.25 },
      'gpt-4o-2024-05-13': { in: 5, out: 15 },
      'gpt-4o-mini': { in: 0.15, out: 0.6, cached: 0.075 },
      'gpt-5': { in: 1.25, out: 10, cached: 0.125 },
      'gpt-5-chat-latest': { in: 1.25, out: 10, cached: 0.125 },
      'gpt-5-mini': { in: 0.25, out: 2, cached: 0.025 },
      'gpt-5-nano': { in: 0.05, out: 0.4, cached: 0.005 },
      'gpt-5-pro': { in: 15, out: 120 },
      'gpt-5.1': { in: 1.25, out: 10, cached: 0.125 },
      'gpt-5.2': { in: 1.75, out: 14, cached: 0.175 },
      'gpt-5.2-pro': { in: 21, out: 168 },
      'gpt-5.4': { in: 2.5, out: 15, cached: 0.25 },
      'gpt-5.4-mini': { in: 0.75, out: 4.5, cached: 0.075 },
      'gpt-5.4-nano': { in: 0.2, out: 1.25, cached: 0.02 },
      'gpt-5.4-pro': { in: 30, out: 180 },
      'gpt-5.5': { in: 5, out: 30, cached: 0.5 },
      'gpt-5.5-pro': { in: 30, out: 180 },
      o1: { in: 15, out: 60, cached: 7.5 },
      o3: { in: 2, out: 8, cached: 0.5 },
      'o3-mini': { in: 1.1, out: 4.4, cached: 0.55 },
      'o3-pro': { in: 20, out: 80 },
      'o4-mini': { in: 1.1, out: 4.4, cached: 0.275 },
    },
    vertexai: {
      'gemini-2.0-flash': { in: 0.15, out: 0.6 },
      'gemini-2.0-flash-lite': { in: 0.075, out: 0.3 },
      'gemini-2.5-flash': { in: 0.3, out: 2.5, cached: 0.03 },
      'gemini-2.5-flash-lite': { in: 0.1, out: 0.4, cached: 0.01 },
      'gemini-2.5-pro': { in: 1.25, out: 10, cached: 0.125 },
    },
    xai: {
      'grok-3': { in: 3, out: 15, cached: 0.75 },
      'grok-3-mini': { in: 0.3, out: 0.5, cached: 0.075 },
      'grok-4': { in: 3, out: 15, cached: 0.75 },
      'grok-4-fast-reasoning': { in: 0.2, out: 0.5, cached: 0.05 },
      'grok-4.3': { in: 1.25, out: 2.5, cached: 0.2 },
      'grok-4.5': { in: 2, out: 6, cached: 0.3 },
      'grok-4.6': { in: 2, out: 6, cached: 0.5 },
      'grok-4.7': { in: 2, out: 6, cached: 0.5 },
    },
  },
};
