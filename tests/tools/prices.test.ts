// The table of prices, generated from a list in LiteLLM's form.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { priceTable } from '../../models/providers/price-table.ts';
import { printPriceTable, runPrices, updatePrices } from '../../tools/prices.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const list = {
  sample_spec: { mode: 'one of: chat, embedding', input_cost_per_token: 0 },
  'gpt-4o': { input_cost_per_token: 2.4e-6, output_cost_per_token: 9.6e-6, cache_read_input_token_cost: 1.2e-6 },
  'claude-haiku-4-5': {
    input_cost_per_token: 1e-6,
    output_cost_per_token: 5e-6,
    cache_read_input_token_cost: 1e-7,
    cache_creation_input_token_cost: 1.25e-6,
  },
  'deepseek/deepseek-chat': { input_cost_per_token: 2.8e-7, output_cost_per_token: 4.2e-7 },
  'gemini/gemini-2.5-pro': { input_cost_per_token: 1.25e-6 },
  o1: { input_cost_per_token: 'unknown' },
};
const given = { asOf: '2027-01-02', source: 'a list', added: [] as string[] };

describe('the table of prices', () => {
  it('has, from a list, USD per million tokens of the models that it had, as far as the list has both prices', () => {
    const { table, missing } = updatePrices(priceTable, list, given);
    expect(table).toEqual({
      asOf: '2027-01-02',
      source: 'a list',
      prices: {
        anthropic: { 'claude-haiku-4-5': { in: 1, out: 5, cached: 0.1, written: 1.25 } },
        openai: { 'gpt-4o': { in: 2.4, out: 9.6, cached: 1.2 } },
      },
    });
    expect(missing).toEqual(expect.arrayContaining(['openai:o1', 'google-genai:gemini-2.5-pro', 'xai:grok-4']));
  });

  it('has further models that are named', () => {
    const { table } = updatePrices(priceTable, list, { ...given, added: ['deepseek:deepseek-chat'] });
    expect(table.prices['deepseek']).toEqual({ 'deepseek-chat': { in: 0.28, out: 0.42 } });
  });

  it.each([
    ['a list that is none', [1], []],
    ['a list of other things', { a: 1 }, []],
    ['a provider without a place there', list, ['ollama:llama3.1']],
  ])('refuses %s', (_what, given_, added) => {
    expect(() => updatePrices(priceTable, given_, { ...given, added })).toThrow(UsageError);
  });

  it('is the file as it is printed', async () => {
    const text = readFileSync('models/providers/price-table.ts', 'utf8');
    expect(await printPriceTable(text, priceTable)).toBe(text);
  });
});

describe('npm run prices', () => {
  const folder = createTemporaryFolder();
  let said: string;
  const io = () => {
    const write = (text: string) => void (said += text);
    const signal = new AbortController().signal;
    return { stdout: { write }, stderr: { write }, env: {}, listenToSignals: () => signal } as never;
  };
  beforeEach(() => {
    said = '';
    writeFileSync(path.join(folder, 'list.json'), JSON.stringify(list));
  });

  it('writes the table and tells what it left out', async () => {
    const target = path.join(folder, 'table.ts');
    await runPrices([path.join(folder, 'list.json'), '--as-of', '2027-01-02'], io(), target);
    expect(readFileSync(target, 'utf8')).toContain("asOf: '2027-01-02'");
    expect(said).toContain('2 prices as of 2027-01-02');
    expect(said).toContain('Left out, since the list has no price: openai:o1');
  });

  it.each([
    ['a day that is none', ['list.json', '--as-of', 'today'], '--as-of must be a day such as 2026-11-23, not "today".'],
    ['a file that is not there', ['lost.json', '--as-of', '2027-01-02'], 'is no list of prices'],
  ])('refuses %s', async (_what, [file, ...args], words) => {
    await expect(runPrices([path.join(folder, file!), ...args], io(), path.join(folder, 'x'))).rejects.toThrow(words);
  });
});
