// Prompt tokens of a match, the tokens that a provider's cache would serve, and their cost. All are counted in dry
// runs, without any call.
import { sum } from '../../deception/statistics/sums.ts';
import { playDryRun } from '../../graph/dry-run-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import type { BotPolicy } from '../../models/bots/bot-model.ts';
import { drawLegalAnswer } from '../../models/bots/random.ts';
import { charactersPerToken } from '../../models/prefix-cache.ts';
import { computeCost } from '../../models/providers/prices.ts';
import { draw } from '../../state/random.ts';
import type { BenchFigure } from './bench-figure.ts';
import { writeStatement } from './servers.ts';
import type { RulesVariant } from './timed-process.ts';

/** Seed of the deal, and key for drawing answers. */
const seed = 3;

/**
 * Draws answers from the place of the question alone, so that the course of the match does not depend on the wording.
 */
const answerAtLength: BotPolicy = ({ schema, action, step, view: { me, round } }) => ({
  answer: drawLegalAnswer(schema, draw(seed, round, step, action, me), writeStatement),
});

/** Keys for the dry run. No call is made, so any text will do. */
const env = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', GEMINI_API_KEY: 'none' };

/**
 * Counts one match's tokens for a model on its vendor's own server. A schema counts as part of the prompt if the vendor
 * places it before the prompt. A prefix is served from the cache if an earlier call with this prefix has ended.
 */
export async function countPromptTokens({ rules, rule }: Pick<RulesVariant, 'rules' | 'rule'>, model: string) {
  const run = await playDryRun(await prepareMatch({ rules, rule, seed, model }, env, 0), answerAtLength);
  const efforts = [...run.models.values()];
  const count = (name: 'charactersIn' | 'charactersCached' | 'charactersOut') =>
    Math.round(sum(efforts.map((effort) => effort[name])) / charactersPerToken);
  const [tokens, cached, out] = [count('charactersIn'), count('charactersCached'), count('charactersOut')];
  const used = { in: tokens, cached, written: tokens - cached, out, reasoning: null };
  const price = efforts.map((effort) => effort.model.price).find((each) => each !== null) ?? null;
  const cost = computeCost(used, price);
  const rounds = Math.max(...run.events.map(({ round }) => round));
  return {
    calls: sum(efforts.map(({ calls }) => calls)),
    tokens,
    cached,
    uncached: tokens - cached,
    out,
    cost,
    rounds,
  };
}

const thousands = (tokens: number) => `${Math.round(tokens / 1000)}k`;

/**
 * Tokens of a match and their cost in USD by vendor, as recorded before questions were grouped into families that share
 * a schema.
 */
export interface EarlierTokens {
  tokens: number;
  uncached: number;
  cost: Readonly<Record<string, number>>;
}

/** Tokens recorded at commit 37be2263: its prompts, a schema for each question, and today's prices. */
export const tokensBefore: Readonly<Record<string, EarlierTokens>> = {
  arena: { tokens: 642_000, uncached: 316_000, cost: { OpenAI: 0.81, Anthropic: 1.74, Google: 0.78 } },
  wolf: { tokens: 813_000, uncached: 390_000, cost: { OpenAI: 0.85, Anthropic: 1.45, Google: 0.65 } },
  'arena@1': { tokens: 787_000, uncached: 316_000, cost: { OpenAI: 0.83, Anthropic: 1.68, Google: 0.76 } },
  'wolf@1': { tokens: 642_000, uncached: 348_000, cost: { OpenAI: 0.77, Anthropic: 1.33, Google: 0.6 } },
};

/** Target for the uncached tokens of a match asked in the form `family`. */
export const uncachedTarget = 130_000;

export type PromptVariant = RulesVariant & { before?: EarlierTokens };

const describeTokens = ({ tokens, uncached }: Pick<EarlierTokens, 'tokens' | 'uncached'>) =>
  `${thousands(uncached)} uncached, ${thousands(tokens - uncached)} cached (${((100 * (tokens - uncached)) / tokens).toFixed(1)} %) of ${thousands(tokens)}`;

/**
 * Measures the tokens of each variant in each way of asking, and their cost by vendor. `models`: name of the case →
 * model string.
 */
export async function measurePromptTokens(
  variants: readonly PromptVariant[],
  { modes, vendors }: Record<'modes' | 'vendors', Readonly<Record<string, string>>>,
): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  for (const variant of variants) {
    const values = [];
    const all = [];
    for (const [name, model] of Object.entries(modes)) {
      const { calls, tokens, uncached } = await countPromptTokens(variant, model);
      all.push({ name, text: thousands(tokens), number: tokens });
      values.push({ name, text: `${describeTokens({ tokens, uncached })}, ${calls} calls`, number: uncached });
    }
    if (variant.before)
      values.push({ name: 'before', text: `${describeTokens(variant.before)}, recorded`, number: null });
    figures.push({
      what: `Prompt tokens, ${variant.name}, seed ${seed}`,
      target: { atMost: uncachedTarget, text: `${thousands(uncachedTarget)} uncached` },
      values,
    });
    if (variant.before) {
      const { tokens: atMost } = variant.before;
      figures.push({
        ...{ what: `All prompt tokens, ${variant.name}`, target: { atMost, text: `${thousands(atMost)}, as before` } },
        values: all,
      });
    }
  }
  for (const variant of variants) {
    const values = [];
    for (const [name, model] of Object.entries(vendors)) {
      const { cost } = await countPromptTokens(variant, model);
      const before = variant.before?.cost[name];
      const recorded = before === undefined ? '' : `, before $${before.toFixed(2)} (recorded)`;
      values.push({ name, text: cost === null ? 'price not known' : `$${cost.toFixed(2)}${recorded}`, number: null });
    }
    figures.push({ what: `Cost of a match, ${variant.name}`, values });
  }
  return figures;
}
