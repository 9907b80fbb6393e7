// Updates the table of prices from LiteLLM's list: `npm run prices -- <file> --as-of <date>`.
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { getDisk } from '../models/machine/machine.ts';
import { type PriceTable, priceTable } from '../models/providers/price-table.ts';
import type { Price } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, runScript, writeFile } from '../scripts/command/command-line.ts';

/** Provider → prefix of its models in LiteLLM's list. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['', 'anthropic/'],
  cerebras: ['cerebras/'],
  cohere: [''],
  deepseek: ['deepseek/'],
  'google-genai': ['gemini/'],
  groq: ['groq/'],
  mistralai: ['mistral/'],
  openai: ['', 'openai/'],
  perplexity: ['perplexity/'],
  vertexai: ['', 'vertex_ai/'],
  xai: ['xai/'],
};

const cost = z.number().min(0).optional();

/** Fields of an entry that this tool reads, in USD per token. */
const Listed = z.looseObject({
  input_cost_per_token: cost,
  output_cost_per_token: cost,
  cache_read_input_token_cost: cost,
  cache_creation_input_token_cost: cost,
});

const PriceFile = z.record(z.string(), z.unknown());

/**
 * Converts a price per token to a price per million tokens. Rounds it, because binary numbers represent the list's
 * prices inexactly.
 */
const pricePerMillion = (perToken: number) => Number((perToken * 1e6).toPrecision(10));

/** Finds the price of a model in the list. Returns null if the list does not have it. */
function findListedPrice(list: z.infer<typeof PriceFile>, provider: string, model: string): Price | null {
  const entry = (prefixes[provider] ?? [])
    .map((prefix) => list[`${prefix}${model}`])
    .find((found) => found !== undefined);
  const read = Listed.safeParse(entry);
  if (!read.success) return null;
  const { input_cost_per_token: input, output_cost_per_token: output, ...caches } = read.data;
  if (input === undefined || output === undefined) return null;
  const { cache_read_input_token_cost: cached, cache_creation_input_token_cost: written } = caches;
  return {
    in: pricePerMillion(input),
    out: pricePerMillion(output),
    ...(cached === undefined ? {} : { cached: pricePerMillion(cached) }),
    ...(written === undefined ? {} : { written: pricePerMillion(written) }),
  };
}

/**
 * Updates the table of prices from a list in LiteLLM's form: the models already in the table, and the models `added`
 * (`PROVIDER:MODEL`). `missing`: models that the list does not have; they are removed from the table, because every
 * price needs a current date. Throws a UsageError for a list in another form, and for models that cannot be added.
 */
export function updatePrices(
  { prices }: PriceTable,
  list: unknown,
  { asOf, source, added }: { asOf: string; source: string; added: readonly string[] },
): { table: PriceTable; missing: string[] } {
  const read = PriceFile.safeParse(list);
  if (!read.success)
    throw new UsageError('The file is no list of prices: it must be an object of models, as LiteLLM has.');
  const kept = Object.entries(prices).flatMap(([provider, models]) =>
    Object.keys(models).map((model) => `${provider}:${model}`),
  );
  const found = [...new Set([...kept, ...added])].sort().map((name) => {
    const [provider = '', ...rest] = name.split(':');
    if (!prefixes[provider])
      throw new UsageError(
        `"${name}" cannot be looked up in the price list. Give the model as PROVIDER:MODEL, where PROVIDER is one of: ${Object.keys(prefixes).join(', ')}.`,
      );
    return { name, provider, model: rest.join(':'), price: findListedPrice(read.data, provider, rest.join(':')) };
  });
  const known = Map.groupBy(
    found.flatMap(({ price, ...place }) => (price ? [{ ...place, price }] : [])),
    ({ provider }) => provider,
  );
  if (known.size === 0) throw new UsageError('The file has no price of any of the models: is it LiteLLM’s list?');
  const table = [...known].map(([provider, models]) => [
    provider,
    Object.fromEntries(models.map(({ model, price }) => [model, price])),
  ]);
  return {
    table: { asOf, source, prices: Object.fromEntries(table) as PriceTable['prices'] },
    missing: found.filter(({ price }) => price === null).map(({ name }) => name),
  };
}

const tableFile = path.join(import.meta.dirname, '../models/providers/price-table.ts');

/** Returns the text of the module that holds the table, with a new table. */
export async function printPriceTable(text: string, table: PriceTable): Promise<string> {
  const start = 'export const priceTable: PriceTable = ';
  const before = text.slice(0, text.indexOf(start));
  const printed = `${before}${start}${JSON.stringify(table)};\n`;
  return format(printed, { ...(await resolveConfig(tableFile)), parser: 'typescript' });
}

const about =
  "Writes the table of prices, models/providers/price-table.ts, anew from LiteLLM's list of prices (model_prices_and_context_window.json), for the models that it has. Nothing is downloaded: give the file.";

const readText = (file: string) => Buffer.from(getDisk().read(file)).toString('utf8');

function readPriceList(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    throw new UsageError(`${file} is no list of prices: ${(error as Error).message}`);
  }
}

export async function runPrices(argv: readonly string[], io: CommandIO, target = tableFile): Promise<void> {
  const program = createCommand('prices', about, io)
    .argument('<file>', "LiteLLM's list")
    .requiredOption('--as-of <date>', 'the day of the list, e.g. 2026-11-23')
    .option('--source <words>', 'where the list comes from', "LiteLLM's model_prices_and_context_window.json")
    .option('--add <models...>', 'models to be added, each as PROVIDER:MODEL')
    .parse(argv, { from: 'user' });
  const { asOf, source, add = [] } = program.opts<{ asOf: string; source: string; add?: string[] }>();
  if (!z.iso.date().safeParse(asOf).success)
    throw new UsageError(`--as-of must be a day such as 2026-11-23, not "${asOf}".`);
  const list = readPriceList(program.args[0]!);
  const { table, missing } = updatePrices(priceTable, list, { asOf, source, added: add });
  writeFile(target, await printPriceTable(readText(tableFile), table));
  const count = Object.values(table.prices).flatMap((models) => Object.keys(models)).length;
  io.stdout.write(`${count} prices as of ${asOf} in ${target}\n`);
  for (const name of missing) io.stderr.write(`Left out, since the list has no price: ${name}\n`);
}

if (import.meta.main) await runScript(runPrices);
