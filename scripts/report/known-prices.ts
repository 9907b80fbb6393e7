// Prices that became known after calls were made. Reports use them to compute the cost of recorded tokens; records stay
// unchanged.
import { InvalidArgumentError } from 'commander';
import { computeCost, findPrice } from '../../models/providers/prices.ts';
import { readModelSpec } from '../../models/providers/index.ts';
import type { AnswerLine, Manifest, Price } from '../../state/record.ts';
import { getModelLabel, identifyModel, nameAsTyped } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Identity of a model, or the name that it has in reports → USD per million tokens. */
export type KnownPrices = Readonly<Record<string, Price>>;

/** The part of a manifest that contains prices. */
export interface PricedManifest {
  made_by: Pick<Manifest['made_by'], 'prices' | 'created_at' | 'addresses'>;
}

/**
 * Returns prices for models that had no price when some of these matches began. If other matches have a price for the
 * model, the price of the match that began last is used. Otherwise it is the price listed today, unless the model was
 * called at another address than its provider's. Empty if no price was missing.
 *
 * @example listKnownPrices(manifests)['openai:gpt-4o-mini']?.in // 0.15
 */
export function listKnownPrices(manifests: readonly PricedManifest[]): KnownPrices {
  const unpriced = new Map<string, { isElsewhere: boolean }>();
  const known = new Map<string, { price: Price; at: string }>();
  for (const { made_by: madeBy } of manifests)
    for (const [model, price] of Object.entries(madeBy.prices)) {
      const { created_at: at, addresses } = madeBy;
      if (price === null) {
        const isElsewhere = addresses === undefined || addresses[model] !== undefined;
        unpriced.set(model, { isElsewhere: isElsewhere || unpriced.get(model)?.isElsewhere === true });
      } else if ((known.get(model)?.at ?? '') <= at) known.set(model, { price, at });
    }
  return Object.fromEntries(
    [...unpriced].flatMap(([model, { isElsewhere }]): [string, Price][] => {
      const price = known.get(model)?.price ?? (isElsewhere ? null : findListed(model));
      return price === null ? [] : [[model, price]];
    }),
  );
}

function findListed(identity: string): Price | null {
  try {
    const { provider, model } = readModelSpec(identity);
    return findPrice(provider, model);
  } catch {
    return null; // a record may name anything
  }
}

/**
 * Returns the answers with the cost of every call whose tokens are recorded and whose price is known now. Calls that
 * already have a cost keep it.
 *
 * @example computeKnownCosts(record.answers, { 'openai:gpt-4o-mini': { in: 0.15, out: 0.6 } })
 */
export function computeKnownCosts(answers: readonly AnswerLine[], prices: KnownPrices): readonly AnswerLine[] {
  if (!answers.some(({ cost, tokens }) => cost === null && tokens !== null)) return answers;
  const byModel = new Map<string, Price | null>();
  const findOne = (model: string): Price | null => {
    const known =
      byModel.get(model) ?? findNamed(prices, model) ?? derivePrice(answers.filter((line) => line.model === model));
    byModel.set(model, known);
    return known;
  };
  return answers.map((line) =>
    line.cost === null && line.tokens !== null
      ? { ...line, cost: computeCost(line.tokens, findOne(line.model)) }
      : line,
  );
}

/** Finds the price of a model by its identity, its label, or its name as typed. */
const findNamed = (prices: KnownPrices, model: string): Price | undefined =>
  [model, getModelLabel(model), nameAsTyped([])(model)].flatMap((name) => prices[name] ?? [])[0];

/**
 * Minimum number of calls needed to derive a price, and maximum difference in USD between a call's recorded cost and
 * the cost computed from the derived price.
 */
const [fewestLines, mostError] = [3, 1e-9];

/**
 * Derives a model's price from calls of known cost, e.g. of a match that was resumed after its price was given. Null
 * unless one price of input and one price of output explain the cost of every call.
 */
function derivePrice(lines: readonly AnswerLine[]): Price | null {
  const known = lines.flatMap(({ tokens, cost }) => (tokens === null || cost === null ? [] : [{ tokens, cost }]));
  if (known.length < fewestLines) return null;
  const sum = (of: (line: (typeof known)[number]) => number) => known.reduce((total, line) => total + of(line), 0);
  const [ii, io, oo] = [sum(({ tokens: t }) => t.in * t.in), sum(({ tokens: t }) => t.in * t.out), sum(({ tokens: t }) => t.out * t.out)]; // prettier-ignore
  const [ic, oc] = [sum(({ tokens: t, cost }) => t.in * cost), sum(({ tokens: t, cost }) => t.out * cost)];
  const determinant = ii * oo - io * io;
  if (!(determinant > 0)) return null;
  const [perIn, perOut] = [(ic * oo - oc * io) / determinant, (oc * ii - ic * io) / determinant];
  const isExact = known.every(({ tokens, cost }) => Math.abs(tokens.in * perIn + tokens.out * perOut - cost) < mostError); // prettier-ignore
  return isExact && perIn >= 0 && perOut >= 0 ? { in: 1e6 * perIn, out: 1e6 * perOut } : null;
}

/** Reads `MODEL=IN,OUT`, which may be given several times. Throws an InvalidArgumentError for any other text. */
export function readPriceOption(text: string, before: KnownPrices = {}): KnownPrices {
  const [, model = '', perIn, perOut] = /^(.+)=([\d.]+),([\d.]+)$/.exec(text) ?? [];
  const price = { in: Number(perIn), out: Number(perOut) };
  if (model === '' || !Number.isFinite(price.in) || !Number.isFinite(price.out))
    throw new InvalidArgumentError('It must be MODEL=IN,OUT in USD per million tokens, e.g. openai:my-model=.15,.6.');
  return { ...before, [readIdentity(model)]: price };
}

/** Returns the identity of a model. A name that a models file defines is returned unchanged. */
function readIdentity(model: string): string {
  try {
    return identifyModel(model);
  } catch (error) {
    if (error instanceof UsageError) return model;
    throw error;
  }
}

/** The option that gives prices by hand. */
export const priceOption = [
  '--price <model=in,out>',
  'price of a model, in USD per million tokens of input and output, that was unknown when the model was called; it prices the recorded tokens (repeatable)',
  readPriceOption,
] as const;
